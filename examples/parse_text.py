#!/usr/bin/env python3
"""Raw text by libhp, from Python without anything to install: the same as parse_text.c.

    echo "She gave her brother a book. It wasn't new." | ./parse_text.py en

libhp.so.0 must be where the system finds libraries; else the variable LIBHP names the file."""
import ctypes
import os
import sys

C_STRING, C_INT = ctypes.c_char_p, ctypes.c_int


class Error(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


class Tree(ctypes.Structure):
    _fields_ = [("words", C_INT), ("heads", ctypes.POINTER(ctypes.c_int32)), ("labels", ctypes.POINTER(C_STRING)),
                ("arc_prob", ctypes.POINTER(ctypes.c_float)), ("label_prob", ctypes.POINTER(ctypes.c_float)),
                ("score", ctypes.c_float)]


class Token(ctypes.Structure):
    _fields_ = [("start", ctypes.c_size_t), ("to", ctypes.c_size_t), ("first", C_INT), ("words", C_INT)]


class Word(ctypes.Structure):
    _fields_ = [(name, C_STRING) for name in ("form", "lemma", "upos", "xpos", "feats")] + [("token", C_INT)]


class Sentence(ctypes.Structure):
    _fields_ = [("tokens", C_INT), ("words", C_INT), ("paragraph", C_INT), ("token", ctypes.POINTER(Token)),
                ("word", ctypes.POINTER(Word)), ("tree", ctypes.POINTER(Tree))]


class Parser:
    """The models of a language: a name, or a path; None is the default."""

    def __init__(self, language=None):
        try:
            self.hp = ctypes.CDLL(os.environ.get("LIBHP", "libhp.so.0"))
        except OSError as error:
            raise RuntimeError(f"{error}: expected LIBHP=/path/to/libhp.so.0") from None
        self.parser, self.error = ctypes.c_void_p(), Error()
        self.hp.hp_close.restype = None
        self.check(self.hp.hp_open_text(language and os.fsencode(language), ctypes.byref(self.parser),
                                        ctypes.byref(self.error)))

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.error.text.decode())

    def parse(self, text):
        """Yields sentences; they are valid until the next call."""
        data, count, sentences = text.encode(), C_INT(), ctypes.POINTER(Sentence)()
        self.check(self.hp.hp_parse_text(self.parser, data, ctypes.c_size_t(len(data)), ctypes.byref(count),
                                         ctypes.byref(sentences), ctypes.byref(self.error)))
        return (sentences[i] for i in range(count.value))

    def close(self):
        self.hp.hp_close(self.parser)


def main():
    parser = Parser(sys.argv[1] if len(sys.argv) > 1 else None)
    text = sys.stdin.buffer.read().decode()
    for s in parser.parse(text):
        print(f"# {s.token[0].start}-{s.token[s.tokens - 1].to}")
        for w in range(1, s.words + 1):
            word, tree = s.word[w], s.tree[0]
            print(w, word.form.decode(), word.lemma.decode(), word.upos.decode(), tree.heads[w],
                  tree.labels[w].decode(), sep="\t")
        print()
    parser.close()


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"parse_text.py: {error}")
