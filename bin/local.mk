# The programs, one source each; what they share is bin/cli.c.  They are linked with the static libhp, so that
# bin/hp-* of a build folder are plain executables.
EXTRA_DIST += bin/cli.h
PROGRAM_LIBS = libhp.la
