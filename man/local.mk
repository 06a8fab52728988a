# man/: what this folder adds to the Makefile.
