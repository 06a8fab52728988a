#!/usr/bin/env python3
"""Embeddings for hp-train --train-stream and hp-encode, with numpy alone.

    ./ngram_embed.py train.dis >train.stream

Reads sentences' trees in .dis notation and writes a tensor stream (hp-stream(5)) of two layers: of each word the sum
of fixed random vectors for its character n-grams, and the mean of that over the word and its neighbours.  They stand
for what a language model would give: replace `layers`.
"""
import argparse
import re
import signal
import sys
import zlib

try:
    import numpy as np
except ImportError:
    sys.exit("ngram_embed.py: needs numpy (Debian: python3-numpy, for /usr/bin/python3)")

from stream_example import write_record

ROWS = 4096  # n-grams share this many vectors


# An id, the beginning of a tree, the text of an EDU.
PIECE = re.compile(r"^# sent_id = ([^\n]*)|^\s*(\(\s*Root\b)|\(\s*text\s+_!(.*?)_!\s*\)", re.M | re.S)


def trees(text):
    """[(id or "", EDUs as lists of tokens)], less the paragraph marks <P> at the end of EDUs."""
    found, name = [], ""
    for sent_id, root, edu in (match.groups() for match in PIECE.finditer(text)):
        if root:
            found.append((name, []))
            name = ""
        elif edu is not None and found:
            found[-1][1].append(re.sub(r"(\s*<P>)+\s*$", "", edu).split())
        elif sent_id:
            name = sent_id.strip()
    return found


def ngrams(word):
    word = f"<{word}>"
    return [word[i:i + n] for n in (2, 3, 4) for i in range(len(word) - n + 1)]


def layers(words, table):
    """[2, words, width]"""
    rows = [[zlib.crc32(gram.encode()) % ROWS for gram in ngrams(word)] for word in words]
    own = np.stack([table[row].sum(0) / np.sqrt(len(row)) for row in rows])
    padded = np.pad(own, ((1, 1), (0, 0)))
    return np.stack([own, (padded[:-2] + padded[1:-1] + padded[2:]) / 3])


def main():
    parser = argparse.ArgumentParser(description="Write embeddings of trees in .dis notation as a tensor stream.")
    parser.add_argument("file")
    parser.add_argument("--dim", type=int, default=64)
    args = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that goes away has said why
    with open(args.file, encoding="utf-8") as file:
        found = trees(file.read())
    if not found:
        sys.exit(f"ngram_embed.py: {args.file}: no tree, expected ( Root")
    table = np.random.default_rng(1).standard_normal((ROWS, args.dim)).astype(np.float32)
    out = sys.stdout.buffer
    write_record(out, {"hp_stream": "1", "stage": "embed", "task": "rst"})
    for name, edus in found:
        x = layers([word for edu in edus for word in edu], table)
        ends = np.cumsum([len(edu) for edu in edus], dtype=np.int32) - np.int32(1)
        text = "".join([f"# sent_id = {name}\n" if name else ""] + [" ".join(edu) + "\n" for edu in edus])
        write_record(out, None, {"x": x.astype(np.float32), "ends": ends,
                                 "text": np.frombuffer(text.encode(), np.uint8)})
    write_record(out, {"end": "1", "sentences": str(len(found))})


if __name__ == "__main__":
    main()
