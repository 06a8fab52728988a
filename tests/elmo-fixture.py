#!/usr/bin/python3
"""elmo-fixture.py FOLDER OUT: the expected outputs of the published ELMo test model, and the text they belong to, as one
safetensors file: vocab (lines), words [458, 16], and of each list K text.K (a sentence a line) and top.K [words of all
sentences, 32]."""
import json
import sys

import h5py
import numpy as np

folder, out = sys.argv[1:]
tensors = {}
with h5py.File(f"{folder}/elmo_token_embeddings.hdf5") as file:
    tensors["words"] = file["embedding"][()]
with open(f"{folder}/sentences.json", encoding="utf-8") as file:
    lists = json.load(file)
for k, sentences in enumerate(lists):
    with h5py.File(f"{folder}/lm_embeddings_{k}.hdf5") as file:
        tensors[f"top.{k}"] = np.concatenate([np.concatenate(file[str(i)][()], -1) for i in range(len(sentences))])
    tensors[f"text.{k}"] = np.frombuffer("".join(s + "\n" for s in sentences).encode(), "u1")
with open(f"{folder}/vocab_test.txt", "rb") as file:
    tensors["vocab"] = np.frombuffer(file.read(), "u1")
header, data, at = {}, b"", 0
for name, array in tensors.items():
    content = array.astype("<f4" if array.dtype.kind == "f" else "u1").tobytes()
    kind = "F32" if array.dtype.kind == "f" else "U8"
    header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [at, at + len(content)]}
    at += len(content)
    data += content
text = json.dumps(header).encode()
with open(out, "wb") as file:
    file.write(len(text).to_bytes(8, "little") + text + data)
