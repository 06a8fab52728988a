# The programs, one source each; what they share is bin/cli.c.  They are linked with the static libhp, so that
# bin/hp-* of a build folder are plain executables.  A new program: two or three lines here, like
#	bin_PROGRAMS += bin/hp-cat
#	bin_hp_cat_SOURCES = bin/hp-cat.c
#	bin_hp_cat_LDADD = $(PROGRAM_LIBS)
noinst_LTLIBRARIES += bin/libcli.la
bin_libcli_la_SOURCES = bin/cli.h bin/cli.c
PROGRAM_LIBS = bin/libcli.la libhp.la
