#!/usr/bin/python3
"""states.py: turns hp-encode's output, a stream of a dependency model, into one of embeddings for discourse training:

    hp-embed -m en-dep train.conllu | hp-encode | ./states.py >train.stream

Each record keeps h, the encoder's states, as x, without the row of the artificial root.  See hp-stream(5)."""
import json
import sys


def records(file):
    """Header and data of each record."""
    while size := file.read(8):
        header = json.loads(file.read(int.from_bytes(size, "little")))
        ends = [t["data_offsets"][1] for name, t in header.items() if name != "__metadata__"]
        yield header, file.read(max(ends, default=0))


def write(file, header, data):
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text) + len(data)) % 8)
    file.write(len(text).to_bytes(8, "little") + text + data)


def main():
    out = sys.stdout.buffer
    for header, data in records(sys.stdin.buffer):
        meta = header.get("__metadata__", {})
        if "h" in header:
            rows, width = header["h"]["shape"]
            begin, end = header["h"]["data_offsets"]
            x = data[begin + 4 * width : end]
            write(out, {"x": {"dtype": "F32", "shape": [rows - 1, width], "data_offsets": [0, len(x)]}}, x)
        elif "hp_stream" in meta:
            write(out, {"__metadata__": {"hp_stream": meta["hp_stream"], "stage": "embed", "task": "rst"}}, b"")
        elif "sentences" in meta or "error" in meta:
            write(out, header, b"")


main()
