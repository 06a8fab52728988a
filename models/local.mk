# models/: what this folder adds to the Makefile.
