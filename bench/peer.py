#!/usr/bin/python3
"""A yardstick for speed: the network of libhp in PyTorch (peer_net.py); `make bench` runs it beside libhp.

peer.py --check FILE...            compares losses, gradients and trees with fixture files; exit status 0 if all agree
peer.py train FILE.conllu [...]    words a second in training: forward, backward, clipping and Adam
peer.py parse FILE.conllu [...]    words a second in parsing, all in memory
"""
import argparse
import json
import struct
import sys
import time

import numpy as np
import torch

sys.dont_write_bytecode = True
from peer_net import Adam, Net

FULL = dict(word_dim=100, char_dim=100, char_filters=100, char_window=3, pos_dim=100, hidden=512, layers=3,
            decoder_hidden=512, decoder_input=256, arc_mlp=512, label_mlp=128)


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
    if (meta.get("task"), meta.get("fusion"), meta.get("gate")) != ("dep", "PST", "gate"):
        return ["not of a dependency parser with fusion PST and gate Gate"]
    config = {k: int(v) if v.isdigit() else v for k, v in meta.items()}
    net, sents, bad = Net(config), fixture_sentences(t), []
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
                check_trees(t, bad, net, b, ids, beam)
        for k, v in net.p.items():
            close(f"gradient of {k}", v.grad, t[f"grad/{k}"], 1e-3)
    return bad


def check_trees(t, bad, net, b, ids, beam):
    heads, labels, score = net.parse(b, beam)
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
    config = dict(FULL, **counts)
    net = Net(config)
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
            net.parse(b, args.beam)
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
    a.add_argument("--bf16", action="store_true", help="products in BF16, the rest in F32")
    args = a.parse_args()
    with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
        measure(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
