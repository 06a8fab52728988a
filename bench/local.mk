# bench/: what this folder adds to the Makefile.
