#!/usr/bin/env python3
"""Reads and writes the tensor stream of hp-stream(5) with numpy alone.

    ./stream_example.py write sample.conllu | hp-cat
    hp-embed sample.conllu | ./stream_example.py read

"write" stands for an embedder of your own: it turns CoNLL-U into a stream for hp-encode.  Here a word's vector is
random but always the same for the same word; with --dim it takes the width that a model expects.
"""
import argparse
import json
import signal
import struct
import sys
import zlib

try:
    import numpy as np
except ImportError:
    sys.exit("stream_example.py: needs numpy (Debian: python3-numpy, for /usr/bin/python3)")

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
         "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?"}
NAMES = {np.dtype(code): name for name, code in TYPES.items()}


def write_record(out, metadata=None, tensors=None):
    """One record.  TENSORS maps names to arrays; those of wide types come first, bytes last."""
    header, data, offset = {}, [], 0
    if metadata:
        header["__metadata__"] = metadata
    for name, array in sorted((tensors or {}).items(), key=lambda item: -item[1].itemsize):
        array = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
        data.append(array.tobytes())
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text) + offset) % 8)
    out.write(struct.pack("<Q", len(text)) + text + b"".join(data))


def read_record(inp):
    """(metadata, tensors), or None at the end of the input."""
    prefix = inp.read(8)
    if not prefix:
        return None
    header = json.loads(exactly(inp, struct.unpack("<Q", prefix)[0]))
    metadata = header.pop("__metadata__", {})
    data = exactly(inp, max((entry["data_offsets"][1] for entry in header.values()), default=0))
    tensors = {name: np.frombuffer(data[slice(*entry["data_offsets"])], TYPES[entry["dtype"]]).reshape(entry["shape"])
               for name, entry in header.items()}
    return metadata, tensors


def exactly(inp, size):
    data = inp.read(size)
    if len(data) != size:
        sys.exit("stream_example.py: the stream was cut off")
    return data


def sentences(file):
    """The blocks of a CoNLL-U file, and the words in each."""
    for block in file.read().strip("\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        yield block + "\n", [row[1] for row in rows if row[0].isdigit()]


def vector(word, dim):
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(dim).astype(np.float32)


def write(args):
    out, count = sys.stdout.buffer, 0
    write_record(out, {"hp_stream": "1", "stage": "embed", "task": "dep"})
    with open(args.file, encoding="utf-8", newline="\n") as file:
        for text, words in sentences(file):
            x = np.stack([np.zeros(args.dim, np.float32)] + [vector(word, args.dim) for word in words])  # row 0: root
            write_record(out, None, {"x": x, "text": np.frombuffer(text.encode(), np.uint8)})
            count += 1
    write_record(out, {"end": "1", "sentences": str(count)})


def read(_):
    inp, complete = sys.stdin.buffer, False
    while (record := read_record(inp)) is not None:
        metadata, tensors = record
        if "hp_stream" in metadata:
            complete = False
        elif "end" in metadata:
            if "error" in metadata:
                sys.exit("stream_example.py: " + metadata["error"])
            complete = True
        else:
            print(*(f"{name} {array.dtype} {array.shape}" for name, array in tensors.items()), sep=", ")
    if not complete:
        sys.exit("stream_example.py: the stream was cut off")


def main():
    parser = argparse.ArgumentParser(description="Write or read a tensor stream.")
    commands = parser.add_subparsers(required=True)
    writer = commands.add_parser("write", help="a stream for hp-encode, from a CoNLL-U file")
    writer.add_argument("file")
    writer.add_argument("--dim", type=int, default=8)
    writer.set_defaults(run=write)
    commands.add_parser("read", help="list the tensors of a stream on standard input").set_defaults(run=read)
    args = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that goes away has said why
    args.run(args)


if __name__ == "__main__":
    main()
