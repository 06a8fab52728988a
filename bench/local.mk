# bench/: `make bench` measures speed and memory; bench/run says what it takes from the environment.
check_PROGRAMS += bench/bench
bench_bench_SOURCES = bench/bench.h bench/bench.c bench/text.c bench/corpus.c bench/peak.c bench/processor.c \
	bench/products.c bench/speed.c bench/model.c bench/pipe.c
bench_bench_LDADD = $(PROGRAM_LIBS) $(OPENBLAS_LIBS) $(DNNL_LIBS)
EXTRA_DIST += bench/run bench/table bench/peer.py bench/peer_net.py

bench: all bench/bench$(EXEEXT)
	@builddir='$(abs_builddir)' srcdir='$(abs_top_srcdir)' $(SHELL) $(srcdir)/bench/run

.PHONY: bench
