#!/usr/bin/python3
"""The network of libhp in PyTorch, batched, as a yardstick for speed; `make bench` runs it beside libhp.

peer.py --check FILE...            compares losses, gradients and trees with fixture files; exit status 0 if all agree
peer.py train FILE.conllu [...]    words a second in training: forward, backward, clipping and Adam
peer.py parse FILE.conllu [...]    words a second in parsing, all in memory

What is done to be fast: rows of different sentences lie side by side, time step by time step, longest sentence first,
so that nothing is padded; everything that does not depend on the recurrence is computed for all steps at once;
weight gradients are one product for all steps (the recurrent parts are autograd Functions with backward passes
of their own); a decoder state is projected once when it is made, not each time it is a parent or a sibling; whole
beams of whole batches take a decoder step together; Adam walks the parameters in pieces that fit the cache.
Shapes: R rows of positions, S rows of decoder steps, B sentences, N positions, K hypotheses, Q decoder width.
"""
import argparse
import json
import os
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

INF = float("inf")
FULL = dict(word_dim=100, char_dim=100, char_filters=100, char_window=3, pos_dim=100, hidden=512, layers=3,
            decoder_hidden=512, decoder_input=256, arc_mlp=512, label_mlp=128, fusion="PST", gate="gate")


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
    if c["fusion"] != "T":
        for x in c["fusion"].lower():
            s[f"fusion.w_{x}"] = (q, q)
        if c["gate"] != "none":
            for x in c["fusion"].lower() if c["gate"] == "gate" else "ps":
                s[f"fusion.gate.w_{x}"] = (q, q)
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


# ------------------------------------------------------------------ sentences and batches
def oracle(heads):
    """Inside-out: (head, child, sibling, grandparent, step that made the head, step that made the sibling)."""
    n = len(heads)
    kids = [[] for _ in range(n)]
    for c in range(n - 1, 0, -1):
        if c < heads[c]:
            kids[heads[c]].append(c)
    for c in range(1, n):
        if c > heads[c]:
            kids[heads[c]].append(c)
    last, made, nxt, steps, stack = [0] * n, [-1] * n, [0] * n, [], [0]
    while stack:
        h = stack[-1]
        sib, g = last[h], (heads[h] if h else 0)
        sibstep = made[sib] if sib else -2
        if nxt[h] < len(kids[h]):
            c = kids[h][nxt[h]]
            nxt[h] += 1
            steps.append((h, c, sib, g, made[h], sibstep))
            last[h], made[c] = c, len(steps) - 1
            stack.append(c)
        else:
            steps.append((h, h, sib, g, made[h], sibstep))
            stack.pop()
    return steps


def layout(lengths):
    """Lengths in falling order -> rows in each time step, where the steps start, row of (sentence, step) or 0."""
    sizes = [int((lengths > t).sum()) for t in range(int(lengths[0]))]
    start = np.concatenate([[0], np.cumsum(sizes)])
    t = np.arange(len(sizes))
    pad = np.where(t[None] < lengths[:, None], start[:-1][None] + np.arange(len(lengths))[:, None], 0)
    owner = np.concatenate([np.arange(s) for s in sizes])
    return sizes, start.tolist(), pad, owner


class Batch:
    """Index tensors for some sentences (dicts with words, chars, pos and perhaps heads and labels)."""

    def __init__(self, sents, window, train):
        L = torch.from_numpy
        n = np.array([len(s["words"]) for s in sents])
        self.order = np.argsort(-n, kind="stable")
        sents, n = [sents[i] for i in self.order], n[self.order]
        self.B, self.n, self.words_count = len(sents), n, int((n - 1).sum())
        self.sizes, self.start, pad, owner = layout(n)
        t_of = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.pad, self.owner, self.row_t = L(pad), L(owner), L(t_of)
        self.pad_mask = L(t_of.max() + 1 > np.arange(t_of.max() + 1)) & (L(np.arange(t_of.max() + 1))[None] >= L(n)[:, None])
        take = list(zip(t_of.tolist(), owner.tolist()))
        self.words = torch.tensor([sents[b]["words"][t] for t, b in take])
        self.pos = torch.tensor([sents[b]["pos"][t] for t, b in take])
        self.back = L(pad[np.arange(self.B), :])
        self.characters([tuple(sents[b]["chars"][t]) for t, b in take], window)
        if train:
            self.steps(sents, n)

    def characters(self, forms, window):
        """Distinct forms in a row, window-1 blanks before each and after the last: a window never sees two words."""
        number = {f: i for i, f in enumerate(dict.fromkeys(forms))}
        self.form = torch.tensor([number[f] for f in forms])
        seq, lens, gap = [], [], [-1] * (window - 1)
        for f in number:
            seq += gap + list(f)
            lens.append(len(f) + window - 1)
        self.char_seq, self.char_lens = torch.tensor(seq + gap), torch.tensor(lens)
        order = np.argsort(-np.array(lens), kind="stable")
        first = np.concatenate([[0], np.cumsum(lens)])[:-1]
        self.char_groups = []                            # forms of equal length form a rectangle
        for ln in sorted(set(lens)):
            ids = [i for i in order if lens[i] == ln]
            self.char_groups.append((torch.tensor(np.add.outer(first[ids], np.arange(ln)).reshape(-1)), len(ids), ln))
        place = np.empty(len(lens), dtype=np.int64)
        place[[i for ln in sorted(set(lens)) for i in order if lens[i] == ln]] = np.arange(len(lens))
        self.form = torch.from_numpy(place)[self.form]

    def steps(self, sents, n):
        B, ts = self.B, 2 * n - 1
        self.dsizes, self.dstart, dpad, downer = layout(ts)
        st = [oracle(s["heads"]) for s in sents]
        rows = [(b, t, *st[b][t]) for t, size in enumerate(self.dsizes) for b in range(size)]
        b, t, head, child, sib, gpar, par, sibst = np.array(rows).T
        start, dstart, zero = np.array(self.start), np.array(self.dstart), B + len(rows)
        state = lambda k: np.where(k < 0, b, B + dstart[np.maximum(k, 0)] + b)   # -1: the start state
        self.par = torch.from_numpy(state(par))
        self.sib = torch.from_numpy(np.where(sibst == -2, zero, state(sibst)))
        self.prev = torch.from_numpy(state(t - 1))
        self.src = torch.from_numpy(np.stack([start[head] + b, np.where(sib > 0, start[sib] + b, sum(self.sizes)), start[gpar] + b]))
        self.child = torch.from_numpy(child)
        self.dpad, self.downer = torch.from_numpy(dpad), torch.from_numpy(downer)
        self.dflat = torch.from_numpy(b * dpad.shape[1] + t)
        arcs = np.nonzero(child != head)[0]
        self.arcs, self.arc_child = torch.from_numpy(arcs), torch.from_numpy((start[child] + b)[arcs])
        self.labels = torch.tensor([sents[i]["labels"][c] for i, c in zip(b[arcs], child[arcs])])
        cuts = np.searchsorted(arcs, dstart)
        self.attach = [torch.from_numpy(B + arcs[cuts[i]:cuts[i + 1]]) for i in range(len(self.dsizes))]


# ------------------------------------------------------------------ recurrent parts with their own backward
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
        g, H, B = x.clone(), w.shape[1], sizes[0]
        h, c, tc = (x.new_empty(len(x), H) for _ in range(3))
        hin, cin = x.new_zeros(len(x), H), x.new_zeros(len(x), H)
        last_h, last_c, wt = x.new_zeros(B, H), x.new_zeros(B, H), w.t()
        steps = range(len(sizes) - 1, -1, -1) if reverse else range(len(sizes))
        for t in steps:
            n, s = sizes[t], slice(start[t], start[t + 1])
            cin[s] = last_c[:n]
            if mask is None:
                hin[s] = last_h[:n]
            else:
                torch.mul(last_h[:n], mask[:n], out=hin[s])
            g[s].addmm_(hin[s], wt)
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
            torch.mm(dg[s], w, out=dh)
            if mask is not None:
                dh.mul_(mask[:n])
        return dg, dg.t() @ hin, None, None, None, None


class Decoder(torch.autograd.Function):
    """Teacher-forced decoder.  x [S, 4Q] input projections, init [B, 2, Q] -> d [S, Q].
    wt, wp, ws [GQ, Q] fusion weights of the previous, the parent's, the sibling's state (G = 2 with the gate Gate:
    candidate above gate); sg [Q, 2Q] the gate SGate.  A state is two rows (h, c) of Q."""

    @staticmethod
    def forward(ctx, x, init, w, wt, wp, ws, gb, sg, mask, batch):
        b, B, Q, S = batch, batch.B, init.shape[2], len(x)
        g, (h, tc, hin, cin) = x.clone(), (x.new_empty(S, Q) for _ in range(4))
        st = x.new_zeros(B + S + 1, 2, Q)                # the start states, the steps, a zero state
        st[:B] = init
        GQ = wp.shape[0] if wp is not None else 0
        pp = x.new_zeros(B + S + 1, 2, GQ)
        ps = x.new_zeros(B + S + 1, 2, GQ) if ws is not None else None
        u = x.new_empty(S, 2, Q) if GQ else None
        gate = x.new_empty(S, 2, Q) if gb is not None else None
        mix = x.new_empty(S, 2, 2 * Q) if sg is not None else None
        tr = lambda m: None if m is None else m.t()
        wT, wtT, wps = w.t(), tr(wt), None
        if GQ:
            pp[:B] = (init.reshape(2 * B, Q) @ wp.t()).view(B, 2, GQ)
            wps = (torch.cat([wp, ws]) if ws is not None else wp).t()
        for t, n in enumerate(b.dsizes):
            s, r = slice(b.dstart[t], b.dstart[t + 1]), slice(B + b.dstart[t], B + b.dstart[t + 1])
            prev = slice(0, n) if t == 0 else slice(B + b.dstart[t - 1], B + b.dstart[t - 1] + n)
            if GQ:
                a = pp.index_select(0, b.par[s])
                if ps is not None:
                    a += ps.index_select(0, b.sib[s])
                if wt is not None:
                    a.view(2 * n, GQ).addmm_(st[prev].view(2 * n, Q), wtT)
                torch.tanh(a[..., :Q], out=u[s])
                f = u[s]
                if sg is not None:
                    torch.mul(st[prev], st.index_select(0, b.par[s]), out=mix[s, :, :Q])
                    torch.mul(st[prev], st.index_select(0, b.sib[s]), out=mix[s, :, Q:])
                    gate[s] = torch.addmm(gb, mix[s].view(2 * n, 2 * Q), sg.t()).sigmoid_().view(n, 2, Q)
                elif gate is not None:
                    torch.add(a[..., Q:], gb, out=gate[s])
                    gate[s].sigmoid_()
                if gate is not None:
                    f = f * gate[s]
            else:
                f = st[prev]
            cin[s] = f[:, 1]
            if mask is None:
                hin[s] = f[:, 0]
            else:
                torch.mul(f[:, 0], mask[:n], out=hin[s])
            g[s].addmm_(hin[s], wT)
            cell_forward(g[s], cin[s], h[s], st[r][:, 1], tc[s])
            st[r][:, 0] = h[s]
            at = b.attach[t]
            if GQ and len(at):
                y = (st.index_select(0, at).view(-1, Q) @ wps).view(len(at), 2, -1)
                pp[at] = y[..., :GQ]
                if ps is not None:
                    ps[at] = y[..., GQ:]
        ctx.saved = (g, w, wt, wp, ws, wps, gb, sg, mask, b, st, hin, cin, tc, u, gate, mix)
        return h

    @staticmethod
    def backward(ctx, dh_out):
        g, w, wt, wp, ws, wps, gb, sg, mask, b, st, hin, cin, tc, u, gate, mix = ctx.saved
        B, S, Q, GQ = b.B, len(g), w.shape[1], (wp.shape[0] if wp is not None else 0)
        k, dcdh = cell_factors(g, cin, tc)
        dg = torch.empty_like(g)
        dg4 = dg.view(S, 4, Q)
        dst = torch.zeros_like(st)
        dst[B:-1, 0] = dh_out
        if GQ:
            dpp = g.new_zeros(B + S + 1, 2, GQ)
            dps = torch.zeros_like(dpp) if ws is not None else None
            da = g.new_empty(S, 2, GQ)
            ku = 1 - u * u if gate is None else gate * (1 - u * u)
            kg = u * gate * (1 - gate) if gate is not None else None
            dgate = g.new_empty(S, 2, Q) if sg is not None else (da[..., Q:] if gate is not None else None)
        for t in range(len(b.dsizes) - 1, -1, -1):
            n, s, r = b.dsizes[t], slice(b.dstart[t], b.dstart[t + 1]), slice(B + b.dstart[t], B + b.dstart[t + 1])
            prev = slice(0, n) if t == 0 else slice(B + b.dstart[t - 1], B + b.dstart[t - 1] + n)
            at = b.attach[t]
            if GQ and len(at):
                y = dpp.index_select(0, at)
                if dps is not None:
                    y = torch.cat([y, dps.index_select(0, at)], 2)
                dst.index_add_(0, at, (y.view(2 * len(at), -1) @ wps.t()).view(-1, 2, Q))
            dh, dc = dst[r, 0], dst[r, 1]
            dc.addcmul_(dh, dcdh[s])
            torch.mul(k[s, :3], dc[:, None], out=dg4[s, :3])
            torch.mul(k[s, 3], dh, out=dg4[s, 3])
            df = torch.empty(n, 2, Q)
            torch.mul(dc, g[s, Q:2 * Q], out=df[:, 1])
            x = torch.mm(dg[s], w)
            if mask is not None:
                x.mul_(mask[:n])
            df[:, 0] = x
            if not GQ:
                dst[prev] += df
                continue
            torch.mul(df, ku[s], out=da[s, :, :Q])
            if gate is not None:
                torch.mul(df, kg[s], out=dgate[s])
            if sg is not None:
                m = (dgate[s].view(2 * n, Q) @ sg).view(n, 2, 2 * Q)
                p, q2 = st.index_select(0, b.par[s]), st.index_select(0, b.sib[s])
                dst.index_add_(0, b.par[s], m[..., :Q] * st[prev])
                dst.index_add_(0, b.sib[s], m[..., Q:] * st[prev])
                dst[prev] += m[..., :Q] * p + m[..., Q:] * q2
            if wt is not None:
                dst[prev].view(2 * n, Q).addmm_(da[s].view(2 * n, GQ), wt)
            dpp.index_add_(0, b.par[s], da[s])
            if dps is not None:
                dps.index_add_(0, b.sib[s], da[s])
        dw, dwt, dwp, dws, dgb, dsg = dg.t() @ hin, None, None, None, None, None
        if GQ:
            made = torch.cat([torch.arange(B)] + b.attach)
            sm = st[made].view(-1, Q)
            dst[:B] += (dpp[:B].reshape(2 * B, GQ) @ wp).view(B, 2, Q)
            dwp = dpp[made].view(-1, GQ).t() @ sm
            if ws is not None:
                dws = dps[made].view(-1, GQ).t() @ sm
            if wt is not None:
                dwt = da.view(2 * S, GQ).t() @ st[b.prev].view(2 * S, Q)
            if gate is not None:
                dgb = dgate.sum((0, 1))
            if sg is not None:
                dsg = dgate.view(2 * S, Q).t() @ mix.view(2 * S, 2 * Q)
        return dg, dst[:B], dw, dwt, dwp, dws, dgb, dsg, None, None


# ------------------------------------------------------------------ the same by plain autograd
def plain_cell(g, c):
    i, f, z, o = g.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(z)
    return torch.sigmoid(o) * torch.tanh(c), c


def plain_direction(x, w, mask, sizes, start, reverse):
    """As Direction."""
    T, zero, wt = len(sizes), x.new_zeros(sizes[0], w.shape[1]), w.t()
    outs, ended, h, c = [None] * T, [], zero[:0], zero[:0]
    if not reverse:
        h, c = zero, zero
    for t in reversed(range(T)) if reverse else range(T):
        n = sizes[t]
        if n > len(h):                                   # backwards: more sentences begin
            h, c = torch.cat([h, zero[len(h):n]]), torch.cat([c, zero[len(c):n]])
        elif n < len(h):                                 # forwards: the shortest have ended
            ended.append(c[n:])
            h, c = h[:n], c[:n]
        h, c = plain_cell(torch.addmm(x[start[t]:start[t + 1]], h if mask is None else h * mask[:n], wt), c)
        outs[t] = h
    return torch.cat(outs), torch.cat([c] + ended[::-1])


def plain_decoder(x, init, w, wt, wp, ws, gb, sg, mask, batch):
    """As Decoder.  Earlier states are picked row by row; one product fuses the three of them."""
    b, Q = batch, init.shape[2]
    rows = list(init.unbind(0)) + [None] * len(x) + [torch.zeros_like(init[0])]
    par, sib, prev, outs = b.par.tolist(), b.sib.tolist(), init, []
    fuse = None if wp is None else torch.cat([m for m in (wt, wp, ws) if m is not None], 1).t()
    for t, n in enumerate(b.dsizes):
        s = slice(b.dstart[t], b.dstart[t + 1])
        prev = f = prev[:n]
        if fuse is not None:
            p = torch.stack([rows[k] for k in par[s]])
            q = None if ws is None else torch.stack([rows[k] for k in sib[s]])
            a = torch.cat([m for m, v in ((prev, wt), (p, wp), (q, ws)) if v is not None], 2).view(2 * n, -1) @ fuse
            f = torch.tanh(a[:, :Q])
            if sg is not None:
                f = f * torch.sigmoid(torch.addmm(gb, torch.cat([prev * p, prev * q], 2).view(2 * n, -1), sg.t()))
            elif gb is not None:
                f = f * torch.sigmoid(a[:, Q:] + gb)
            f = f.view(n, 2, Q)
        h = f[:, 0] if mask is None else f[:, 0] * mask[:n]
        h, c = plain_cell(torch.addmm(x[s], h, w.t()), f[:, 1])
        outs.append(h)
        prev = torch.stack([h, c], 1)
        if fuse is not None:
            rows[b.B + s.start:b.B + s.stop] = prev.unbind(0)
    return torch.cat(outs)


# ------------------------------------------------------------------ the network
class Net:
    def __init__(self, config, seed=1, plain=False):
        self.c, self.p = config, Params(config, seed)
        self.direction, self.decoder = (plain_direction, plain_decoder) if plain else (Direction.apply, Decoder.apply)

    def fusion(self):
        """-> weights of previous, parent, sibling state (gate's below the candidate's), gate bias, SGate's weights."""
        p, c = self.p, self.c
        if c["fusion"] == "T":
            return None, None, None, None, None
        w = [None, None, None]
        for i, x in enumerate("tps"):
            if x.upper() in c["fusion"]:
                w[i] = p[f"fusion.w_{x}"]
                if c["gate"] == "gate":
                    w[i] = torch.cat([w[i], p[f"fusion.gate.w_{x}"]])
        gb = p["fusion.gate.b"] if c["gate"] != "none" else None
        sg = torch.cat([p["fusion.gate.w_p"], p["fusion.gate.w_s"]], 1) if c["gate"] == "sgate" else None
        return (*w, gb, sg)

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
                outs.append(self.direction(proj, p[n + ".w_hh"], self.mask(b, H, drop), b.sizes, b.start, way == "bwd"))
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
        d = self.decoder(z, init, p["decoder.0.w_hh"], *self.fusion(), self.mask(b, Q, drop), b)
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
        p, c = self.p, self.c
        self.f = [None if x is None else x.detach() for x in self.fusion()]
        wt, wp, ws = self.f[:3]
        self.wps = None if wp is None else (torch.cat([wp, ws]) if ws is not None else wp).t().contiguous()
        self.lstm = torch.nn.LSTM(c["word_dim"] + c["char_filters"] + c["pos_dim"], c["hidden"], c["layers"],
                                  bidirectional=True)
        for i in range(c["layers"]):
            for way, suffix in (("fwd", ""), ("bwd", "_reverse")):
                for ours, theirs in ((".w_ih", "weight_ih"), (".w_hh", "weight_hh"), (".b", "bias_ih")):
                    getattr(self.lstm, f"{theirs}_l{i}{suffix}").data.copy_(p[f"encoder.{i}.{way}{ours}"])
                getattr(self.lstm, f"bias_hh_l{i}{suffix}").data.zero_()

    def encode_packed(self, b, x):
        """The same by torch.nn.LSTM on a packed sequence (no dropout)."""
        packed = torch.nn.utils.rnn.PackedSequence(x, torch.tensor(b.sizes))
        h, (_, cells) = self.lstm(packed)
        cell = F.linear(torch.cat([cells[-2], cells[-1]], 1), self.p["bridge.w"], self.p["bridge.b"])
        return h.data, torch.stack([torch.tanh(cell), cell], 1)

    @torch.no_grad()
    def parse(self, b, beam, packed=False):
        """-> heads [B, N], labels [B, N], scores [B], in the batch's order of sentences"""
        h, init = (self.encode_packed if packed else self.encode)(b, self.embed(b))
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
        wt, wp, ws, gb, sg = net.f
        if wp is not None:
            self.pp = torch.empty(top + 1, 2, wp.shape[0])
            self.pp[:B] = (init.reshape(2 * B, Q) @ wp.t()).view(B, 2, -1)
            if ws is not None:
                self.ps = torch.empty(top + 1, 2, ws.shape[0])
                self.ps[top] = 0
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

    def cell(self, z, prev, par, sib):
        """One decoder step of M hypotheses; -> numbers of the new states"""
        p, M = self.net.p, len(z)
        wt, wp, ws, gb, sg = self.net.f
        Q = self.state.shape[2]
        before = self.state[prev]
        if wp is not None:
            a = self.pp[par]
            if ws is not None:
                a += self.ps[sib]
            if wt is not None:
                a.view(2 * M, -1).addmm_(before.view(2 * M, Q), wt.t())
            f = torch.tanh(a[..., :Q])
            if sg is not None:
                mix = torch.cat([before * self.state[par], before * self.state[sib]], 2)
                f *= torch.addmm(gb, mix.view(2 * M, -1), sg.t()).sigmoid_().view(M, 2, Q)
            elif gb is not None:
                f *= (a[..., Q:] + gb).sigmoid_()
        else:
            f = before
        x = torch.addmm(p["decoder.0.b"], z, p["decoder.0.w_ih"].t()).addmm_(f[:, 0], p["decoder.0.w_hh"].t())
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
        if self.net.wps is not None:                     # attached states may become parents and siblings
            at = state[~pop]
            if self.beam > 1:
                at = at.unique()
            GQ = self.pp.shape[2]
            y = (self.state[at].view(-1, self.state.shape[2]) @ self.net.wps).view(len(at), 2, self.net.wps.shape[1])
            self.pp[at] = y[..., :GQ]
            if y.shape[2] > GQ:
                self.ps[at] = y[..., GQ:]


# ------------------------------------------------------------------ comparison with the fixtures
def safetensors(path):
    kinds = {"F32": np.float32, "I32": np.int32}
    with open(path, "rb") as f:
        raw = f.read()
    size, = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + size])
    meta = header.pop("__metadata__", {})
    data = memoryview(raw)[8 + size:]
    return meta, {k: torch.from_numpy(np.frombuffer(data[v["data_offsets"][0]:v["data_offsets"][1]],
                                                    kinds[v["dtype"]]).reshape(v["shape"]).copy())
                  for k, v in header.items()}


def fixture_sentences(t):
    sents, s = [], 0
    while f"{s}/in/words" in t:
        get = lambda k: t[f"{s}/in/{k}"].tolist()
        ends = np.cumsum(get("char_lengths"))
        chars = get("chars")
        sents.append(dict(words=get("words"), pos=get("pos"), heads=get("heads"), labels=get("labels"),
                          chars=[chars[a:b] for a, b in zip(np.concatenate([[0], ends[:-1]]), ends)]))
        s += 1
    return sents


def check_file(path):
    """-> list of what differs"""
    meta, t = safetensors(path)
    if meta.get("task") != "dep":
        return ["not a dependency fixture"]
    config = {k: int(v) if v.isdigit() else v for k, v in meta.items()}
    return check_net(Net(config), t) + check_net(Net(config, plain=True), t)


def check_net(net, t):
    sents, bad = fixture_sentences(t), []
    with torch.no_grad():
        for k, v in net.p.items():
            v.copy_(t[f"param/{k}"])
    net.prepare()
    window = net.c["char_window"]

    def close(what, got, want, limit):
        scale = max(float(want.abs().max()), 1e-6)
        if not float((got - want).abs().max()) <= limit * scale:
            bad.append(f"{what}: off by {float((got - want).abs().max()) / scale:.1e}")
    for group in ([[s] for s in range(len(sents))], [list(range(len(sents)))]):      # one by one, and together
        net.p.grad.zero_()
        for ids in group:
            b = Batch([sents[i] for i in ids], window, True)
            arc, lab = net.loss(b)
            (arc + lab).backward()
            for what, got in (("structure", arc), ("label", lab)):
                close(f"{ids} loss_{what}", got.detach(), sum(t[f"{i}/out/loss_{what}"] for i in ids), 1e-4)
            for beam in (1, 4):
                for packed in (False, True):
                    check_trees(t, bad, net, b, ids, beam, packed)
        for k, v in net.p.items():
            close(f"gradient of {k}", v.grad, t[f"grad/{k}"], 1e-3)
    return bad


def check_trees(t, bad, net, b, ids, beam, packed):
    heads, labels, score = net.parse(b, beam, packed)
    for row, i in enumerate(ids[j] for j in b.order):
        n = int(b.n[row])
        name = f"{i}/out/beam{beam}"
        if heads[row, :n].tolist() != t[name + ".heads"].tolist() or labels[row, :n].tolist() != t[name + ".labels"].tolist():
            bad.append(f"{name} (batch of {len(ids)}): another tree")
        if abs(float(score[row]) - float(t[name + ".score"])) > 1e-3:
            bad.append(f"{name}.score: {float(score[row])} for {float(t[name + '.score'])}")


def check(paths):
    failed = 0
    for path in paths:
        bad = check_file(path)
        print(f"{path}: {'ok' if not bad else '; '.join(bad[:5])}")
        failed += bool(bad)
    return 1 if failed else 0


# ------------------------------------------------------------------ measuring
def read_conllu(path):
    """-> sentences of (form, tag, head, relation)"""
    sents, cur = [], []
    with open(path, encoding="utf-8", newline="\n") as f:
        for line in f:
            line = line.rstrip("\n")
            if not line:
                if cur:
                    sents.append(cur)
                cur = []
            elif line[0].isdigit():
                col = line.split("\t")
                if col[0].isdigit():
                    cur.append((col[1], col[3], int(col[6]) if col[6].isdigit() else 0, col[7]))
    return sents + [cur] if cur else sents


def number(text):
    """Numbers words, characters, tags, labels in order of appearance; 0 is the root, 1 the unknown."""
    words, chars, tags, labels = {}, {}, {}, {}
    out = []
    for s in text:
        n = lambda table, key, base: table.setdefault(key, len(table) + base)
        out.append(dict(words=[0] + [n(words, w, 2) for w, *_ in s], pos=[0] + [n(tags, t, 2) for _, t, *_ in s],
                        chars=[[0]] + [[n(chars, c, 2) for c in w] for w, *_ in s],
                        heads=[0] + [h for _, _, h, _ in s], labels=[0] + [n(labels, r, 0) for *_, r in s]))
    return out, dict(words=len(words) + 2, chars=len(chars) + 2, tags=len(tags) + 2, labels=len(labels))


def split_batches(sents, size, limit):
    """The first LIMIT sentences, by length, in batches of SIZE; the order of batches is a fixed permutation."""
    ids = sorted(range(min(limit, len(sents))), key=lambda i: len(sents[i]["words"]))
    cut = [ids[i:i + size] for i in range(0, len(ids), size)]
    step = next(s for s in range(max(1, int(len(cut) * 0.618)), 2 * len(cut) + 2) if np.gcd(s, len(cut)) == 1)
    return [[sents[j] for j in cut[i * step % len(cut)]] for i in range(len(cut))]


def measure(args):
    sents, counts = number(read_conllu(args.file))
    config = dict(FULL, **counts, fusion=args.fusion.upper(), gate=args.gate.lower())
    net = Net(config, plain=args.autograd)
    net.prepare()
    torch.manual_seed(1)
    batches = [Batch(s, config["char_window"], args.mode == "train")
               for s in split_batches(sents, args.batch, args.sentences)]
    if args.mode == "train":
        adam = Adam(net.p)

        def work(b):
            arc, lab = net.loss(b, args.dropout)
            ((arc + lab) / b.B).backward()
            adam.step()
    else:
        def work(b):
            net.parse(b, args.beam, args.packed)
    work(max(batches, key=lambda b: b.n[0]))             # so all memory has been touched
    words, batch, start, cpu = 0, 0, time.perf_counter(), time.process_time()
    while batch == 0 or (time.perf_counter() - start < args.seconds if args.seconds else batch < len(batches)):
        work(batches[batch % len(batches)])
        words += batches[batch % len(batches)].words_count
        batch += 1
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    print(f"what={args.mode} words_per_s={words / wall:.1f} words={words} seconds={wall:.3f} batches={batch}"
          f" words_per_cpu_s={words / cpu:.1f} threads={torch.get_num_threads()}")


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--check":
        return check(sys.argv[2:])
    a = argparse.ArgumentParser(description="words a second of the PyTorch peer at full size")
    a.add_argument("mode", choices=("train", "parse"))
    a.add_argument("file", help="CoNLL-U")
    a.add_argument("--sentences", type=int, default=640, help="use the first so many")
    a.add_argument("--seconds", type=float, default=0, help="go on for so long; 0: once through")
    a.add_argument("--batch", type=int, default=32)
    a.add_argument("--beam", type=int, default=1)
    a.add_argument("--dropout", type=float, default=0.33)
    a.add_argument("--fusion", default="PST")
    a.add_argument("--gate", default="gate")
    a.add_argument("--autograd", action="store_true", help="no backward passes of our own")
    a.add_argument("--packed", action="store_true", help="encode by torch.nn.LSTM in parsing")
    measure(a.parse_args())
    return 0


if __name__ == "__main__":
    sys.exit(main())
