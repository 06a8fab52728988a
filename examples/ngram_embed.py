#!/usr/bin/env python3
"""Embeddings for hp-train --train-stream and hp-encode, with numpy alone.

    ngram_embed.py train.dis >train.stream

Reads sentences' trees in .dis notation and writes a tensor stream (hp-stream(5)) of two layers: of each word the sum
of fixed random vectors for its character n-grams, and the mean of that over the word and its neighbours.  They stand
for what a language model would give: replace `layers`.
"""
import argparse
import re
import sys
import zlib

import numpy as np

from stream_example import write_record

ROWS = 4096  # n-grams share this many vectors


def trees(file):
    """The EDUs of each tree, as lists of tokens; texts stand between "_!" and "_!"."""
    for tree in re.split(r"(?m)^\s*\(\s*Root\b", file.read())[1:]:
        yield [text.split() for text in re.findall(r"\(\s*text\s+_!(.*?)_!\s*\)", tree, re.S)]


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
    table = np.random.default_rng(1).standard_normal((ROWS, args.dim)).astype(np.float32)
    out, count = sys.stdout.buffer, 0
    write_record(out, {"hp_stream": "1", "stage": "embed", "task": "rst"})
    with open(args.file, encoding="utf-8") as file:
        for edus in trees(file):
            x = layers([word for edu in edus for word in edu], table)
            ends = np.cumsum([len(edu) for edu in edus], dtype=np.int32) - np.int32(1)
            text = "".join(" ".join(edu) + "\n" for edu in edus)
            write_record(out, None, {"x": x.astype(np.float32), "ends": ends,
                                     "text": np.frombuffer(text.encode(), np.uint8)})
            count += 1
    write_record(out, {"end": "1", "sentences": str(count)})


if __name__ == "__main__":
    main()
