# libhp.  The order is the order of reading: base, files, text, layers, parser.  A new source: one line here.
lib_LTLIBRARIES += libhp.la
libhp_la_SOURCES =
libhp_la_SOURCES += lib/base/error.h lib/base/error.c
libhp_la_SOURCES += lib/base/arena.h lib/base/arena.c
libhp_la_SOURCES += lib/base/pool.h lib/base/pool.c
libhp_la_SOURCES += lib/base/rng.h lib/base/rng.c
libhp_la_SOURCES += lib/io/input.h
libhp_la_SOURCES += lib/io/safetensors.h
libhp_la_SOURCES += lib/io/stream.h
libhp_la_SOURCES += lib/text/utf8.h lib/text/utf8.c
libhp_la_SOURCES += lib/text/vocab.h lib/text/vocab.c
libhp_la_SOURCES += lib/text/conllu.h
libhp_la_SOURCES += lib/text/vectors.h
libhp_la_SOURCES += lib/nn/params.h
libhp_la_SOURCES += lib/nn/adam.h
libhp_la_SOURCES += lib/dep/config.h
libhp_la_SOURCES += lib/dep/dep.h
libhp_la_SOURCES += lib/dep/model.h lib/dep/model.c lib/dep/number.c

libhp_la_LIBADD = $(OPENBLAS_LIBS) $(JANSSON_LIBS) $(UTF8PROC_LIBS) $(CSV_LIBS) $(SYSTEM_LIBS)
libhp_la_LDFLAGS = $(HP_SANITIZE) -no-undefined -version-info $(HP_LT_VERSION) -export-symbols-regex '^hp_'
