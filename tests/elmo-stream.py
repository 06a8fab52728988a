#!/usr/bin/python3
"""elmo-stream.py text FOLDER: the sentences of the published ELMo test model, sentence i of each list in turn, as EDUs.
elmo-stream.py compare FOLDER STREAM: whether the top layer of the stream is what lm_embeddings_*.hdf5 say."""
import json
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples"))
from stream_example import read_record  # noqa: E402


def sentences(folder):
    """(list, number in it, words)"""
    with open(f"{folder}/sentences.json", encoding="utf-8") as file:
        lists = json.load(file)
    return [(k, i, lists[k][i]) for i in range(10) for k in range(3)]


def compare(folder, path):
    expected = [h5py.File(f"{folder}/lm_embeddings_{k}.hdf5") for k in range(3)]
    agree = 0
    with open(path, "rb") as stream:
        read_record(stream)
        for k, i, text in sentences(folder):
            x = read_record(stream)[1]["x"]
            assert x.shape == (3, len(text.split()), 32), x.shape
            agree += np.allclose(x[2], np.concatenate(expected[k][str(i)][()], -1), rtol=1e-5, atol=1e-6)
        assert read_record(stream)[0] == {"end": "1", "sentences": "30"}
    print(agree, "of 30 sentences agree")
    return 0 if agree == 30 else 1


if sys.argv[1] == "text":
    for _, _, line in sentences(sys.argv[2]):
        print(line, end="\n\n")
else:
    sys.exit(compare(*sys.argv[2:]))
