# libhp. The order is the order of reading: base, files, text, layers, parser.
lib_LTLIBRARIES += libhp.la
libhp_la_SOURCES = \
	lib/base/error.h lib/base/pool.h lib/base/arena.h lib/base/rng.h \
	lib/io/input.h lib/io/safetensors.h lib/io/stream.h \
	lib/text/utf8.h lib/text/vocab.h lib/text/conllu.h lib/text/vectors.h \
	lib/nn/params.h lib/nn/adam.h \
	lib/dep/config.h lib/dep/dep.h lib/dep/model.h
libhp_la_LIBADD = $(OPENBLAS_LIBS) $(JANSSON_LIBS) $(UTF8PROC_LIBS) $(CSV_LIBS) $(SYSTEM_LIBS)
libhp_la_LDFLAGS = $(HP_SANITIZE) -no-undefined -version-info $(HP_LT_VERSION) -export-symbols-regex '^hp_'
