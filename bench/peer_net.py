"""The network of libhp in PyTorch (fusion PST, gate Gate), made to be fast; peer.py measures and checks it.

Rows of different sentences lie side by side, time step by time step, longest sentence first, so that nothing is
padded; everything that does not depend on the recurrence is computed for all steps at once; weight gradients are one
product for all steps (the recurrent parts are autograd Functions with backward passes of their own); a decoder state is
projected once when it is made, not each time it is a parent or a sibling; whole beams of whole batches take a
decoder step together.  Under torch.autocast products are made in its type.
Shapes: R rows of positions, S rows of decoder steps, B sentences, N positions, K hypotheses, Q decoder width.
"""
import numpy as np
import torch
import torch.nn.functional as F

INF = float("inf")


# ------------------------------------------------------------------ parameters
def shapes(c):
    """The parameters' names and shapes, as the reference has them."""
    h, q, a, k, l = c["hidden"], c["decoder_hidden"], c["arc_mlp"], c["labels"], c["label_mlp"]
    s = {"embed.word": (c["words"], c["word_dim"]), "embed.char": (c["chars"], c["char_dim"])}
    if c["pos_dim"]:
        s["embed.pos"] = (c["tags"], c["pos_dim"])
    s["charcnn.w"] = (c["char_filters"], c["char_window"], c["char_dim"])
    s["charcnn.b"] = (c["char_filters"],)
    d = c["word_dim"] + c["char_filters"] + c["pos_dim"]
    for i in range(c["layers"]):
        for way in ("fwd", "bwd"):
            n = f"encoder.{i}.{way}"
            s[n + ".w_ih"], s[n + ".w_hh"], s[n + ".b"] = (4 * h, d), (4 * h, h), (4 * h,)
        d = 2 * h
    s["bridge.w"], s["bridge.b"] = (q, 2 * h), (q,)
    s["decoder.src.w"], s["decoder.src.b"] = (c["decoder_input"], 2 * h), (c["decoder_input"],)
    s["decoder.0.w_ih"], s["decoder.0.w_hh"], s["decoder.0.b"] = (4 * q, c["decoder_input"]), (4 * q, q), (4 * q,)
    for x in "pst":
        s[f"fusion.w_{x}"] = s[f"fusion.gate.w_{x}"] = (q, q)
    s["fusion.gate.b"] = (q,)
    for n, r, dim in (("pointer.g1", a, q), ("pointer.g2", a, 2 * h), ("label.g1", l, q), ("label.g2", l, 2 * h)):
        s[n + ".w"], s[n + ".b"] = (r, dim), (r,)
    s["pointer.w"], s["pointer.v"] = (a, a), (a,)
    s["label.w"], s["label.u"], s["label.v"], s["label.b"] = (k, l, l), (k, l), (k, l), (k,)
    return s


class Params(dict):
    """Named views into one flat block of values and one of gradients."""

    def __init__(self, config, seed=1):
        super().__init__()
        g, sh = torch.Generator().manual_seed(seed), shapes(config)
        self.flat = torch.zeros(sum(int(np.prod(v)) for v in sh.values()))
        self.grad = torch.zeros_like(self.flat)
        off = 0
        for name, shape in sh.items():
            n = int(np.prod(shape))
            p = self.flat[off:off + n].view(shape)
            p.copy_(torch.randn(shape, generator=g) * (1.0 / shape[-1] ** 0.5 if len(shape) > 1 else 0.1))
            p = p.detach().requires_grad_()
            p.grad = self.grad[off:off + n].view(shape)
            self[name] = p
            off += n


class Adam:
    """Adam with clipping of the global norm, over the flat block, in pieces that stay in the cache."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.9), eps=1e-4, clip=5.0, piece=1 << 16):
        self.p, self.lr, self.betas, self.eps, self.clip, self.piece, self.t = params, lr, betas, eps, clip, piece, 0
        self.m, self.v = torch.zeros_like(params.flat), torch.zeros_like(params.flat)

    @torch.no_grad()
    def step(self):
        self.t += 1
        norm = float(self.p.grad.norm())
        scale = min(1.0, self.clip / (norm + 1e-6))
        b1, b2 = self.betas
        c1, c2 = 1 - b1 ** self.t, 1 - b2 ** self.t
        cut = lambda x: x.split(self.piece)
        for p, g, m, v in zip(cut(self.p.flat), cut(self.p.grad), cut(self.m), cut(self.v)):
            m.mul_(b1).add_(g, alpha=(1 - b1) * scale)
            v.mul_(b2).addcmul_(g, g, value=(1 - b2) * scale * scale)
            p.addcdiv_(m, v.sqrt().mul_(c2 ** -0.5).add_(self.eps), value=-self.lr / c1)
            g.zero_()


# ------------------------------------------------------------------ recurrent parts with their own backward
def low(w):
    """A matrix in the type in which torch.autocast makes products (asked this way, for its functions change their names)."""
    return w.to(torch.mm(w[:1, :1], w[:1, :1]).dtype)


def product(x, w, out, add=False):
    """out [F32] = x · w, in w's type; or is added to"""
    if w.dtype == out.dtype:
        return out.addmm_(x, w) if add else torch.mm(x, w, out=out)
    return out.add_(x.to(w.dtype) @ w) if add else out.copy_(x.to(w.dtype) @ w)


def cell_forward(g, c_prev, h, c, tc):
    """g [n, 4H]: pre-activations, turned into activations in place; h, c, tc [n, H] are written."""
    q = c.shape[1]
    g[:, :2 * q].sigmoid_()
    g[:, 2 * q:3 * q].tanh_()
    g[:, 3 * q:].sigmoid_()
    torch.mul(g[:, q:2 * q], c_prev, out=c)
    c.addcmul_(g[:, :q], g[:, 2 * q:3 * q])
    torch.tanh(c, out=tc)
    torch.mul(g[:, 3 * q:], tc, out=h)


def cell_factors(g, c_prev, tc):
    """For all rows at once: what dc (three gates) and dh (output gate) are multiplied by, and dc/dh."""
    i, f, z, o = (x for x in g.view(len(g), 4, -1).unbind(1))
    k = torch.empty_like(g).view(len(g), 4, -1)
    torch.mul(i * z, 1 - i, out=k[:, 0])
    torch.mul(c_prev * f, 1 - f, out=k[:, 1])
    torch.mul(i, 1 - z * z, out=k[:, 2])
    torch.mul(tc * o, 1 - o, out=k[:, 3])
    return k, o * (1 - tc * tc)


class Direction(torch.autograd.Function):
    """One direction of an LSTM layer.  x [R, 4H] input projections -> h [R, H], final cells [B, H]."""

    @staticmethod
    def forward(ctx, x, w, mask, sizes, start, reverse):
        g, w, H, B = x.float().clone(), low(w), w.shape[1], sizes[0]
        h, c, tc, hin, cin = (g.new_empty(len(g), H) for _ in range(5))
        last_h, last_c = g.new_zeros(2, B, H)
        steps = range(len(sizes) - 1, -1, -1) if reverse else range(len(sizes))
        for t in steps:
            n, s = sizes[t], slice(start[t], start[t + 1])
            cin[s] = last_c[:n]
            if mask is None:
                hin[s] = last_h[:n]
            else:
                torch.mul(last_h[:n], mask[:n], out=hin[s])
            product(hin[s], w.t(), g[s], True)
            cell_forward(g[s], cin[s], h[s], c[s], tc[s])
            last_h[:n], last_c[:n] = h[s], c[s]
        ctx.saved = (g, w, mask, sizes, start, steps, hin, cin, tc)
        return h, last_c

    @staticmethod
    def backward(ctx, dh_out, dc_last):
        g, w, mask, sizes, start, steps, hin, cin, tc = ctx.saved
        H = w.shape[1]
        k, dcdh = cell_factors(g, cin, tc)
        dg, dc_all, dh_all = torch.empty_like(g), dc_last.clone(), torch.zeros_like(dc_last)
        dg4 = dg.view(len(g), 4, H)
        for t in reversed(steps):
            n, s = sizes[t], slice(start[t], start[t + 1])
            dh = dh_all[:n].add_(dh_out[s])
            dc = dc_all[:n].addcmul_(dh, dcdh[s])
            torch.mul(k[s, :3], dc[:, None], out=dg4[s, :3])
            torch.mul(k[s, 3], dh, out=dg4[s, 3])
            dc.mul_(g[s, H:2 * H])
            product(dg[s], w, dh)
            if mask is not None:
                dh.mul_(mask[:n])
        return dg, dg.t() @ hin, None, None, None, None


class Decoder(torch.autograd.Function):
    """Teacher-forced decoder.  x [S, 4Q] input projections, init [B, 2, Q] -> d [S, Q].
    wt, wp, ws [2Q, Q] weights of the previous, the parent's, the sibling's state, candidate above gate; gb [Q].
    A state is two rows (h, c) of Q."""

    @staticmethod
    def forward(ctx, x, init, w, wt, wp, ws, gb, mask, batch):
        b, B, Q, S = batch, batch.B, init.shape[2], len(x)
        g, init = x.float().clone(), init.float()
        h, tc, hin, cin = (g.new_empty(S, Q) for _ in range(4))
        u, gate = g.new_empty(S, 2, Q), g.new_empty(S, 2, Q)
        st = g.new_zeros(B + S + 1, 2, Q)                # the start states, the steps, a zero state
        st[:B] = init
        w, wt, wps = low(w), low(wt), low(torch.cat([wp, ws]))
        pp, ps = g.new_zeros(2, B + S + 1, 2, 2 * Q)     # a state's part in what it is parent, sibling of
        product(init.reshape(2 * B, Q), wps[:2 * Q].t(), pp[:B].view(2 * B, 2 * Q))
        for t, n in enumerate(b.dsizes):
            s, r = slice(b.dstart[t], b.dstart[t + 1]), slice(B + b.dstart[t], B + b.dstart[t + 1])
            prev = slice(0, n) if t == 0 else slice(B + b.dstart[t - 1], B + b.dstart[t - 1] + n)
            a = pp.index_select(0, b.par[s]).add_(ps.index_select(0, b.sib[s]))
            product(st[prev].view(2 * n, Q), wt.t(), a.view(2 * n, 2 * Q), True)
            torch.tanh(a[..., :Q], out=u[s])
            torch.add(a[..., Q:], gb, out=gate[s])
            gate[s].sigmoid_()
            f = u[s] * gate[s]
            cin[s] = f[:, 1]
            hin[s] = f[:, 0] if mask is None else f[:, 0] * mask[:n]
            product(hin[s], w.t(), g[s], True)
            cell_forward(g[s], cin[s], h[s], st[r][:, 1], tc[s])
            st[r][:, 0] = h[s]
            at = b.attach[t]
            if len(at):
                y = (st.index_select(0, at).view(-1, Q).to(wps.dtype) @ wps.t()).view(len(at), 2, 4 * Q)
                pp[at], ps[at] = y[..., :2 * Q].float(), y[..., 2 * Q:].float()
        ctx.saved = (g, w, wt, wps, mask, b, st, hin, cin, tc, u, gate)
        return h

    @staticmethod
    def backward(ctx, dh_out):
        g, w, wt, wps, mask, b, st, hin, cin, tc, u, gate = ctx.saved
        B, S, Q = b.B, len(g), w.shape[1]
        k, dcdh = cell_factors(g, cin, tc)
        dg = torch.empty_like(g)
        dg4 = dg.view(S, 4, Q)
        dst = torch.zeros_like(st)
        dst[B:-1, 0] = dh_out
        dpp, dps = g.new_zeros(2, B + S + 1, 2, 2 * Q)
        da = g.new_empty(S, 2, 2 * Q)
        ku, kg = gate * (1 - u * u), u * gate * (1 - gate)
        for t in range(len(b.dsizes) - 1, -1, -1):
            n, s, r = b.dsizes[t], slice(b.dstart[t], b.dstart[t + 1]), slice(B + b.dstart[t], B + b.dstart[t + 1])
            prev = slice(0, n) if t == 0 else slice(B + b.dstart[t - 1], B + b.dstart[t - 1] + n)
            at = b.attach[t]
            if len(at):
                y = torch.cat([dpp.index_select(0, at), dps.index_select(0, at)], 2).view(2 * len(at), -1)
                dst.index_add_(0, at, (y.to(wps.dtype) @ wps).float().view(-1, 2, Q))
            dh, dc = dst[r, 0], dst[r, 1]
            dc.addcmul_(dh, dcdh[s])
            torch.mul(k[s, :3], dc[:, None], out=dg4[s, :3])
            torch.mul(k[s, 3], dh, out=dg4[s, 3])
            df = torch.empty(n, 2, Q)
            torch.mul(dc, g[s, Q:2 * Q], out=df[:, 1])
            x = dg[s].to(w.dtype) @ w
            df[:, 0] = x if mask is None else x * mask[:n]
            torch.mul(df, ku[s], out=da[s, :, :Q])
            torch.mul(df, kg[s], out=da[s, :, Q:])
            product(da[s].view(2 * n, 2 * Q), wt, dst[prev].view(2 * n, Q), True)
            dpp.index_add_(0, b.par[s], da[s])
            dps.index_add_(0, b.sib[s], da[s])
        made = torch.cat([torch.arange(B)] + b.attach)
        sm = st[made].view(-1, Q)
        dst[:B] += (dpp[:B].reshape(2 * B, 2 * Q).to(wps.dtype) @ wps[:2 * Q]).view(B, 2, Q)
        dwp, dws = (d[made].view(-1, 2 * Q).t() @ sm for d in (dpp, dps))
        dwt = da.view(2 * S, 2 * Q).t() @ st[b.prev].view(2 * S, Q)
        return dg, dst[:B], dg.t() @ hin, dwt, dwp, dws, da[..., Q:].sum((0, 1)), None, None


# ------------------------------------------------------------------ the network
class Net:
    def __init__(self, config, seed=1):
        self.c, self.p = config, Params(config, seed)

    def fusion(self):
        """-> weights of previous, parent, sibling state, the gate's below the candidate's; the gate's bias"""
        return (*(torch.cat([self.p[f"fusion.w_{x}"], self.p[f"fusion.gate.w_{x}"]]) for x in "tps"), self.p["fusion.gate.b"])

    def embed(self, b, drop=None):
        """-> x [R, D].  The character network runs once for each distinct form."""
        p, c = self.p, self.c
        win, dc = c["char_window"], c["char_dim"]
        e = p["embed.char"][b.char_seq.clamp(min=0)] * (b.char_seq >= 0)[:, None]
        w = e.unfold(0, win, 1).transpose(1, 2).reshape(-1, win * dc)
        f = w @ p["charcnn.w"].view(-1, win * dc).t()
        f = torch.cat([f[i].view(m, ln, -1).max(1).values for i, m, ln in b.char_groups])
        chars = torch.tanh(f + p["charcnn.b"])
        parts = [F.embedding(b.words, p["embed.word"]), F.embedding(b.form, chars)]
        if c["pos_dim"]:
            parts.append(F.embedding(b.pos, p["embed.pos"]))
        if drop:                                         # whole vectors; no rescaling of what is left
            parts = [x * (torch.rand(len(x), 1) >= drop) for x in parts]
        return torch.cat(parts, 1)

    def mask(self, b, width, drop):
        return (torch.rand(b.B, width) >= drop).float().div_(1 - drop) if drop else None

    def encode(self, b, x, drop=None):
        """-> h [R, 2H], start state [B, 2, Q]"""
        p, H = self.p, self.c["hidden"]
        for i in range(self.c["layers"]):
            m = self.mask(b, x.shape[1], drop)
            if m is not None:
                x = x * m[b.owner]
            outs = []
            for way in ("fwd", "bwd"):
                n = f"encoder.{i}.{way}"
                proj = F.linear(x, p[n + ".w_ih"], p[n + ".b"])
                outs.append(Direction.apply(proj, p[n + ".w_hh"], self.mask(b, H, drop), b.sizes, b.start, way == "bwd"))
            x = torch.cat([o[0] for o in outs], 1)
        cell = F.linear(torch.cat([o[1] for o in outs], 1), p["bridge.w"], p["bridge.b"])
        return x, torch.stack([torch.tanh(cell), cell], 1)

    def mlp(self, name, x, mask=None, owner=None):
        y = F.elu(F.linear(x, self.p[name + ".w"], self.p[name + ".b"]))
        return y if mask is None else y * mask[owner]

    def loss(self, b, drop=None):
        """-> sums over the batch: structure loss, label loss"""
        p, c = self.p, self.c
        h, init = self.encode(b, self.embed(b, drop), drop)
        m = self.mask(b, h.shape[1], drop)
        if m is not None:
            h = h * m[b.owner]
        src = F.linear(h, p["decoder.src.w"])            # summing after the product: positions are fewer than steps
        src = torch.cat([src, src.new_zeros(1, src.shape[1])])
        z = F.elu(src[b.src[0]] + src[b.src[1]] + src[b.src[2]] + p["decoder.src.b"])
        z = F.linear(z, p["decoder.0.w_ih"], p["decoder.0.b"])
        Q, A, L = c["decoder_hidden"], c["arc_mlp"], c["label_mlp"]
        d = Decoder.apply(z, init, p["decoder.0.w_hh"], *self.fusion(), self.mask(b, Q, drop), b)
        m = self.mask(b, Q, drop)
        if m is not None:
            d = d * m[b.downer]
        g1 = self.mlp("pointer.g1", d, self.mask(b, A, drop), b.downer)
        g2 = self.mlp("pointer.g2", h, self.mask(b, A, drop), b.owner)
        s = torch.bmm(g1[b.dpad], (g2 @ p["pointer.w"].t())[b.pad].transpose(1, 2))
        s = s + (g2 @ p["pointer.v"])[b.pad].masked_fill(b.pad_mask, -INF)[:, None]
        arc = F.cross_entropy(s.view(-1, s.shape[2])[b.dflat], b.child, reduction="sum")
        y = self.label_scores(self.mlp("label.g1", d, self.mask(b, L, drop), b.downer)[b.arcs],
                              self.mlp("label.g2", h, self.mask(b, L, drop), b.owner)[b.arc_child])
        return arc, F.cross_entropy(y, b.labels, reduction="sum")

    def label_scores(self, g1, g2):
        p, k, l = self.p, self.c["labels"], self.c["label_mlp"]
        y = (g1 @ p["label.w"].permute(1, 0, 2).reshape(l, k * l)).view(-1, k, l)
        return (y * g2[:, None]).sum(2) + g1 @ p["label.u"].t() + g2 @ p["label.v"].t() + p["label.b"]

    # -------------------------------------------------------------- parsing
    def prepare(self):
        """Weights laid out for parsing (after they were set)."""
        wt, wp, ws, self.gb = (x.detach() for x in self.fusion())
        self.wt, self.wps = low(wt).t(), low(torch.cat([wp, ws])).t().contiguous()
        self.w_ih, self.w_hh = (low(self.p["decoder.0." + n].detach()).t() for n in ("w_ih", "w_hh"))

    @torch.no_grad()
    def parse(self, b, beam):
        """-> heads [B, N], labels [B, N], scores [B], in the batch's order of sentences"""
        h, init = self.encode(b, self.embed(b))
        heads, made, score, pool = Beam(self, b, h, init, beam).run()
        B, N = heads.shape
        word = torch.nonzero(~b.pad_mask[:, 1:].reshape(-1))[:, 0]
        word = word // (N - 1) * N + word % (N - 1) + 1
        y = self.label_scores(self.mlp("label.g1", pool[made.view(-1)[word], 0]),
                              self.mlp("label.g2", h[b.pad.reshape(-1)[word]]))
        labels = torch.zeros(B * N, dtype=torch.long)
        labels[word] = y.argmax(1)
        return heads, labels.view(B, N), score


class Beam:
    """Beam search of all sentences of a batch together.  What a hypothesis knows of each position (its head, last
    dependant, state number ...) are integer tensors [B, K, N]; a stack is not needed, its next is the top's head."""

    def __init__(self, net, b, h, init, beam):
        p, c = net.p, net.c
        self.net, self.b, self.beam = net, b, beam
        src = F.linear(h, p["decoder.src.w"])
        self.src = torch.cat([src, src.new_zeros(1, src.shape[1])])
        g2 = net.mlp("pointer.g2", h)
        self.keys = (g2 @ p["pointer.w"].t())[b.pad].transpose(1, 2)               # [B, A, N]
        self.key_bias = (g2 @ p["pointer.v"])[b.pad].masked_fill(b.pad_mask, -INF)  # [B, N]
        B, N, Q = b.B, b.pad.shape[1], c["decoder_hidden"]
        self.n = torch.from_numpy(b.n)
        self.where = torch.arange(N)
        top = B + (2 * N - 1) * B * beam
        self.zero = top                                  # number of the zero state
        self.state = torch.empty(top + 1, 2, Q)
        self.state[top] = 0
        self.state[:B] = init
        self.pp, self.ps = torch.empty(2, top + 1, 2, 2 * Q)
        self.ps[top] = 0
        self.project(slice(0, B))
        self.used = B
        long = lambda v: torch.full((B, 1, N), v, dtype=torch.long)
        self.heads, self.last, self.made, self.sib = long(0), long(0), long(top), long(top)
        self.made[:, 0, 0] = torch.arange(B)
        self.free = ~b.pad_mask[:, None] & (self.where > 0)
        self.cur, self.score = torch.zeros(B, 1, dtype=torch.long), torch.zeros(B, 1)
        self.left = self.n[:, None] - 1                  # words not yet attached
        self.prev = torch.arange(B)[:, None]

    def run(self):
        b = self.b
        heads, made = torch.zeros_like(self.heads[:, 0]), torch.zeros_like(self.heads[:, 0])
        score = torch.zeros(b.B)
        lengths = 2 * b.n - 1
        active = b.B
        for t in range(int(lengths[0])):
            n = int((lengths > t).sum())
            if n < active:                               # the last sentences are done
                heads[n:active], made[n:active] = self.heads[n:, 0], self.made[n:, 0]
                score[n:active] = self.score[n:, 0]
                for k in ("heads", "last", "made", "sib", "free", "cur", "score", "left", "prev"):
                    setattr(self, k, getattr(self, k)[:n])
                active = n
            self.step(n)
        heads[:active], made[:active], score[:active] = self.heads[:, 0], self.made[:, 0], self.score[:, 0]
        return heads, made, score, self.state

    def at(self, table, index):
        return table.gather(2, index[..., None])[..., 0]

    def step(self, n):
        p, cur = self.net.p, self.cur
        K = cur.shape[1]
        g, last = self.at(self.heads, cur), self.at(self.last, cur)
        pad = self.b.pad[:n]
        sib_row = torch.where(last > 0, pad.gather(1, last), len(self.src) - 1)
        z = self.src[pad.gather(1, cur).view(-1)] + self.src[sib_row.view(-1)] + self.src[pad.gather(1, g).view(-1)]
        z = F.elu(z.add_(p["decoder.src.b"]), inplace=True)
        rows = self.cell(z, self.prev.reshape(-1), self.at(self.made, cur).view(-1), self.at(self.sib, cur).view(-1))
        d = self.state[rows.start:rows.stop, 0].view(n, K, -1)
        s = torch.bmm(self.net.mlp("pointer.g1", d), self.keys[:n]).add_(self.key_bias[:n, None])
        lp = F.log_softmax(s, 2)
        ok, pop = self.allowed(cur, g, last)
        cand = torch.cat([lp.masked_fill(~ok, -INF), lp.gather(2, cur[..., None]).masked_fill(~pop[..., None], -INF)], 2)
        cand = (cand + self.score[..., None]).view(n, -1)
        if self.beam == 1:
            self.score, pick = cand.max(1, keepdim=True)
        else:
            self.score, pick = cand.topk(min(self.beam, cand.shape[1]), 1)
        self.advance(rows.start, K, pick // (lp.shape[2] + 1), pick % (lp.shape[2] + 1))

    def allowed(self, cur, g, last):
        """-> positions that may be pointed to [n, K, N], whether popping is allowed [n, K]"""
        w, cur, la = self.where, cur[..., None], last[..., None]
        free = self.free & ~((cur == 0) & (la > 0))
        inside = torch.where((la < cur) & (w < cur), w < la, w > torch.maximum(la, cur))
        ok = free & (inside | (la == 0))
        pop = ((cur[..., 0] != 0) & (g != 0)) | (self.left[:len(cur)] == 0)
        stuck = ~(ok.any(2) | pop)
        return torch.where(stuck[..., None], free, ok), pop

    def project(self, at):
        """What states are multiplied with where they are parent and sibling."""
        x = self.state[at]
        y = (x.view(-1, x.shape[2]).to(self.net.wps.dtype) @ self.net.wps).view(len(x), 2, self.net.wps.shape[1]).float()
        self.pp[at], self.ps[at] = y.chunk(2, 2)

    def cell(self, z, prev, par, sib):
        """One decoder step of M hypotheses; -> numbers of the new states"""
        net, M, Q = self.net, len(z), self.state.shape[2]
        a = self.pp[par].add_(self.ps[sib])
        product(self.state[prev].view(2 * M, Q), net.wt, a.view(2 * M, 2 * Q), True)
        f = torch.tanh(a[..., :Q]).mul_((a[..., Q:] + net.gb).sigmoid_())
        x = net.p["decoder.0.b"].expand(M, -1).clone()
        product(z, net.w_ih, x, True)
        product(f[:, 0], net.w_hh, x, True)
        rows = slice(self.used, self.used + M)
        self.used += M
        new = self.state[rows]
        cell_forward(x, f[:, 1], new[:, 0], new[:, 1], torch.empty(M, Q))
        return rows

    def advance(self, first, K, hyp, act):
        """Goes on with hypotheses hyp [n, K'] and their actions (a position, or N: pop)."""
        n, K2 = hyp.shape
        N = self.heads.shape[2]
        state = first + torch.arange(n)[:, None] * K + hyp
        if self.beam > 1:
            i = hyp[..., None].expand(n, K2, N)
            self.heads, self.last, self.made, self.sib, self.free = (
                x.gather(1, i) for x in (self.heads, self.last, self.made, self.sib, self.free))
            cur, left = self.cur.gather(1, hyp), self.left.gather(1, hyp)
        else:
            cur, left = self.cur, self.left
        pop = act == N
        put = lambda table, at, value: table.scatter_(2, at[..., None], value[..., None])
        # a pop changes nothing but the top: it writes to a position what is there already
        to = torch.where(pop, cur, act)
        put(self.heads, to, torch.where(pop, self.at(self.heads, cur), cur))
        put(self.made, to, torch.where(pop, self.at(self.made, cur), state))
        put(self.last, cur, torch.where(pop, self.at(self.last, cur), act))
        put(self.sib, cur, torch.where(pop, self.at(self.sib, cur), state))
        put(self.free, to, torch.zeros_like(pop))
        self.left = left - (~pop).long()
        self.cur = torch.where(pop, self.at(self.heads, cur), act)
        self.prev = state
        at = state[~pop]                                 # attached states may become parents and siblings
        self.project(at.unique() if self.beam > 1 else at)
