# make check: programs tests/test_*.c (cmocka), command lines tests/*.bats, and tests/*.sh that write TAP themselves.
# Data that tests read must be in EXTRA_DIST, or "make distcheck" will not find it.
#
# A new unit test:
#	UNIT_TESTS += tests/test_rng
#	tests_test_rng_SOURCES = tests/test_rng.c
#	tests_test_rng_LDADD = $(TEST_LIBS)
#	tests_test_rng_CFLAGS = $(TEST_CFLAGS)
# A new command-line test:
#	COMMAND_TESTS += tests/hp-cat.bats
TEST_LIBS = libhp.la $(CMOCKA_LIBS) $(UTF8PROC_LIBS) $(EXPAT_LIBS) $(ZLIB_LIBS) $(CSV_LIBS) $(SYSTEM_LIBS)
TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS =
COMMAND_TESTS = tests/programs.sh tests/pages.sh tests/examples.sh tests/library.sh tests/install.sh tests/cases.sh
EXTRA_DIST += tests/cases
# Folders only where nothing is built in them: "make dist" takes what lies there, objects too.
EXTRA_DIST += tests/lib.sh tests/freeze tests/fuzz/seeds tests/campaign/run tests/campaign/starve.c \
	tests/campaign/lib.bash tests/campaign/commands.bash tests/campaign/alloc.bash tests/campaign/eval.bash \
	tests/campaign/kill.bash tests/campaign/memory.bash tests/campaign/models.bash tests/campaign/pipes.bash \
	tests/campaign/streams.bash tests/campaign/threads.bash

UNIT_TESTS += tests/test_error
tests_test_error_SOURCES = tests/test_error.c
tests_test_error_LDADD = $(TEST_LIBS)
tests_test_error_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_arena
tests_test_arena_SOURCES = tests/test_arena.c
tests_test_arena_LDADD = $(TEST_LIBS)
tests_test_arena_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_pool
tests_test_pool_SOURCES = tests/test_pool.c
tests_test_pool_LDADD = $(TEST_LIBS)
tests_test_pool_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_rng
tests_test_rng_SOURCES = tests/test_rng.c
tests_test_rng_LDADD = $(TEST_LIBS)
tests_test_rng_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_file
tests_test_file_SOURCES = tests/test_file.c
tests_test_file_LDADD = $(TEST_LIBS)
tests_test_file_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_input
tests_test_input_SOURCES = tests/test_input.c
tests_test_input_LDADD = $(TEST_LIBS)
tests_test_input_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_starve
tests_test_starve_SOURCES = tests/test_starve.c
tests_test_starve_LDADD = $(TEST_LIBS)
tests_test_starve_CFLAGS = $(TEST_CFLAGS)
tests_test_starve_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray \
	-Wl,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=strdup,--wrap=free
UNIT_TESTS += tests/test_json
tests_test_json_SOURCES = tests/test_json.c
tests_test_json_LDADD = $(TEST_LIBS)
tests_test_json_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_safetensors
tests_test_safetensors_SOURCES = tests/test_safetensors.c
tests_test_safetensors_LDADD = $(TEST_LIBS)
tests_test_safetensors_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_checksum
tests_test_checksum_SOURCES = tests/test_checksum.c
tests_test_checksum_LDADD = $(TEST_LIBS)
tests_test_checksum_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_stream
tests_test_stream_SOURCES = tests/test_stream.c
tests_test_stream_LDADD = $(TEST_LIBS)
tests_test_stream_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_int8
tests_test_int8_SOURCES = tests/test_int8.c
tests_test_int8_LDADD = $(TEST_LIBS)
tests_test_int8_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_utf8
tests_test_utf8_SOURCES = tests/test_utf8.c
tests_test_utf8_LDADD = $(TEST_LIBS)
tests_test_utf8_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_vocab
tests_test_vocab_SOURCES = tests/test_vocab.c
tests_test_vocab_LDADD = $(TEST_LIBS)
tests_test_vocab_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_conllu
tests_test_conllu_SOURCES = tests/test_conllu.c
tests_test_conllu_LDADD = $(TEST_LIBS)
tests_test_conllu_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_edus
tests_test_edus_SOURCES = tests/test_edus.c
tests_test_edus_LDADD = $(TEST_LIBS)
tests_test_edus_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_vectors
tests_test_vectors_SOURCES = tests/test_vectors.c
tests_test_vectors_LDADD = $(TEST_LIBS)
tests_test_vectors_CFLAGS = $(TEST_CFLAGS)

UNIT_TESTS += tests/test_gradients
tests_test_gradients_SOURCES = tests/gradient.h tests/gradient.c tests/test_gradients.c
tests_test_gradients_LDADD = $(TEST_LIBS)
tests_test_gradients_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_parse
tests_test_parse_SOURCES = tests/test_parse.c
tests_test_parse_LDADD = $(TEST_LIBS)
tests_test_parse_CFLAGS = $(TEST_CFLAGS)

UNIT_TESTS += tests/test_hp
tests_test_hp_SOURCES = tests/test_hp.c
tests_test_hp_LDADD = $(TEST_LIBS)
tests_test_hp_CFLAGS = $(TEST_CFLAGS)

UNIT_TESTS += tests/test_gradients_rst
tests_test_gradients_rst_SOURCES = tests/gradient.h tests/gradient.c tests/test_gradients_rst.c
tests_test_gradients_rst_LDADD = $(TEST_LIBS)
tests_test_gradients_rst_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_parse_rst
tests_test_parse_rst_SOURCES = tests/test_parse_rst.c
tests_test_parse_rst_LDADD = $(TEST_LIBS)
tests_test_parse_rst_CFLAGS = $(TEST_CFLAGS)

# Makes the tiny models of the command-line tests.
check_PROGRAMS += tests/make-model
tests_make_model_SOURCES = tests/make-model.c
tests_make_model_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/max-rss
tests_max_rss_SOURCES = tests/max-rss.c
check_PROGRAMS += tests/fixture-pipe
tests_fixture_pipe_SOURCES = tests/fixture-pipe.c
tests_fixture_pipe_LDADD = $(TEST_LIBS)
# Stands in for the installed model, for the examples of the manual pages, as long as there is none in models/.
check_DATA = tests/models/en-dep.safetensors
tests/models/en-dep.safetensors: tests/make-model$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/models && tests/make-model$(EXEEXT) $@
CLEANFILES += tests/models/en-dep.safetensors
COMMAND_TESTS += tests/memory.sh
COMMAND_TESTS += tests/flow.bats tests/hp-parse.bats
COMMAND_TESTS += tests/discourse.bats tests/hp-train-rst.bats
COMMAND_TESTS += tests/embeddings.bats tests/experiments.bats
COMMAND_TESTS += tests/stream.bats
COMMAND_TESTS += tests/text.bats tests/formats.bats tests/files.bats
EXTRA_DIST += tests/filters.bash

# The fuzz targets, so that they go on to compile (tools/fuzz makes them programs), and what tests/campaign/run needs.
check_LIBRARIES = tests/fuzz/libfuzz.a
tests_fuzz_libfuzz_a_SOURCES = tests/fuzz/fuzz.h tests/fuzz/parsed.h tests/fuzz/fuzz.c tests/fuzz/images.c tests/fuzz/parsed.c \
	tests/fuzz/fuzz_checkpoint.c tests/fuzz/fuzz_conllu.c tests/fuzz/fuzz_dis.c tests/fuzz/fuzz_edus.c tests/fuzz/fuzz_elmo.c \
	tests/fuzz/fuzz_embeddings.c tests/fuzz/fuzz_eval.c tests/fuzz/fuzz_extract.c tests/fuzz/fuzz_filters.c \
	tests/fuzz/fuzz_hyper.c tests/fuzz/fuzz_init.c tests/fuzz/fuzz_model.c tests/fuzz/fuzz_pipe.c tests/fuzz/fuzz_relations.c \
	tests/fuzz/fuzz_rs3.c tests/fuzz/fuzz_safetensors.c tests/fuzz/fuzz_schedule.c tests/fuzz/fuzz_stream.c \
	tests/fuzz/fuzz_summary.c tests/fuzz/fuzz_tags.c tests/fuzz/fuzz_vectors.c
check_PROGRAMS += tests/campaign/mutate
tests_campaign_mutate_SOURCES = tests/campaign/mutate.c tests/fuzz/images.c
tests_campaign_mutate_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_campaign_mutate_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/campaign/threads
tests_campaign_threads_SOURCES = tests/campaign/threads.c
tests_campaign_threads_LDADD = $(TEST_LIBS)

# libhp against the reference's numbers.
check_PROGRAMS += tests/conformance
tests_conformance_SOURCES = tests/conformance.h tests/conformance.c tests/conformance_dep.c tests/conformance_rst.c
tests_conformance_LDADD = $(TEST_LIBS)
COMMAND_TESTS += tests/conformance.sh
EXTRA_DIST += tests/data/conformance
UNIT_TESTS += tests/test_hyper
tests_test_hyper_SOURCES = tests/test_hyper.c
tests_test_hyper_LDADD = $(TEST_LIBS)
tests_test_hyper_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_schedule
tests_test_schedule_SOURCES = tests/test_schedule.c
tests_test_schedule_LDADD = $(TEST_LIBS)
tests_test_schedule_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_corpus
tests_test_corpus_SOURCES = tests/test_corpus.c
tests_test_corpus_LDADD = $(TEST_LIBS)
tests_test_corpus_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_embeddings
tests_test_embeddings_SOURCES = tests/test_embeddings.c
tests_test_embeddings_LDADD = $(TEST_LIBS)
tests_test_embeddings_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_init
tests_test_init_SOURCES = tests/test_init.c
tests_test_init_LDADD = $(TEST_LIBS)
tests_test_init_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_checkpoint
tests_test_checkpoint_SOURCES = tests/test_checkpoint.c
tests_test_checkpoint_LDADD = $(TEST_LIBS)
tests_test_checkpoint_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_eval_dep
tests_test_eval_dep_SOURCES = tests/test_eval_dep.c
tests_test_eval_dep_LDADD = $(TEST_LIBS)
tests_test_eval_dep_CFLAGS = $(TEST_CFLAGS)
COMMAND_TESTS += tests/hp-cat.bats
UNIT_TESTS += tests/test_eval_rst
tests_test_eval_rst_SOURCES = tests/test_eval_rst.c
tests_test_eval_rst_LDADD = $(TEST_LIBS)
tests_test_eval_rst_CFLAGS = $(TEST_CFLAGS)
COMMAND_TESTS += tests/hp-eval.bats
COMMAND_TESTS += tests/hp-eval-rst.bats
EXTRA_DIST += tests/data/eval
COMMAND_TESTS += tests/models.bats
COMMAND_TESTS += tests/hp-train.bats

# Rhetorical structure trees.
UNIT_TESTS += tests/test_rst_tree
tests_test_rst_tree_SOURCES = tests/rst.h tests/test_rst_tree.c
tests_test_rst_tree_LDADD = $(TEST_LIBS)
tests_test_rst_tree_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_rst_rs3
tests_test_rst_rs3_SOURCES = tests/rst.h tests/test_rst_rs3.c
tests_test_rst_rs3_LDADD = $(TEST_LIBS)
tests_test_rst_rs3_CFLAGS = $(TEST_CFLAGS)
UNIT_TESTS += tests/test_rst_align
tests_test_rst_align_SOURCES = tests/rst.h tests/test_rst_align.c
tests_test_rst_align_LDADD = $(TEST_LIBS)
tests_test_rst_align_CFLAGS = $(TEST_CFLAGS)
COMMAND_TESTS += tests/rst-extract.bats

UNIT_TESTS += tests/test_elmo
tests_test_elmo_SOURCES = tests/test_elmo.c
tests_test_elmo_LDADD = $(TEST_LIBS)
tests_test_elmo_CFLAGS = $(TEST_CFLAGS)
# Compares with the published ELMo test model, where that is.
check_PROGRAMS += tests/elmo-fixture
tests_elmo_fixture_SOURCES = tests/elmo-fixture.c
tests_elmo_fixture_LDADD = $(TEST_LIBS)
COMMAND_TESTS += tests/elmo.sh tests/hp-embed-elmo.bats
EXTRA_DIST += tests/elmo-fixture.py tests/elmo-stream.py

# Without what they need they would not build, which hides the line that says so.
if TESTS_COMPLETE
check_PROGRAMS += $(UNIT_TESTS)
endif
TESTS += $(UNIT_TESTS) $(COMMAND_TESTS)
EXTRA_DIST += $(COMMAND_TESTS)

TEST_EXTENSIONS = .sh .bats
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
BATS_LOG_DRIVER = $(LOG_DRIVER)
BATS_LOG_COMPILER = bats
AM_BATS_LOG_FLAGS = --tap
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = \
	PATH='$(abs_top_builddir)/bin':$$PATH; export PATH; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	programs='$(bin_PROGRAMS) $(bin_SCRIPTS)'; export programs; \
	HP_MODEL_PATH='$(abs_top_srcdir)/models:$(abs_top_builddir)/tests/models'; export HP_MODEL_PATH; HP_MAP_PATH='$(abs_top_srcdir)/maps'; export HP_MAP_PATH; unset HP_MODEL; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C.UTF-8; export LC_ALL;

tests-complete:
	@test -z '$(TESTS_LACK)' || { echo "make check needs: apt-get install$(TESTS_LACK); then ./config.status --recheck" >&2; exit 1; }
.PHONY: tests-complete
# Before any test.
check_DATA += tests-complete
