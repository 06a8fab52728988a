# make check: programs tests/test_*.c (cmocka), command lines tests/*.bats, and tests/*.sh that write TAP themselves.
# A new test is a line here, and one more where it is of several sources.  What a program is linked with unless it says
# otherwise is LDADD.  Data that tests read must be in EXTRA_DIST, or "make distcheck" will not find it.
LDADD = libhp.la $(CMOCKA_LIBS)

UNIT_TESTS =
UNIT_TESTS += tests/test_error
UNIT_TESTS += tests/test_arena
UNIT_TESTS += tests/test_pool
UNIT_TESTS += tests/test_rng
UNIT_TESTS += tests/test_file
UNIT_TESTS += tests/test_input
UNIT_TESTS += tests/test_json
UNIT_TESTS += tests/test_safetensors
UNIT_TESTS += tests/test_checksum
UNIT_TESTS += tests/test_stream
UNIT_TESTS += tests/test_utf8
UNIT_TESTS += tests/test_vocab
UNIT_TESTS += tests/test_conllu
UNIT_TESTS += tests/test_edus
UNIT_TESTS += tests/test_spans
UNIT_TESTS += tests/test_vectors
UNIT_TESTS += tests/test_rst_tree
UNIT_TESTS += tests/test_rst_rs3
UNIT_TESTS += tests/test_rst_align
UNIT_TESTS += tests/test_draw
UNIT_TESTS += tests/test_bf16
UNIT_TESTS += tests/test_int8
tests_test_int8_SOURCES = tests/random.h tests/products.h tests/test_int8.c
UNIT_TESTS += tests/test_digits
tests_test_digits_SOURCES = tests/random.h tests/products.h tests/test_digits.c
UNIT_TESTS += tests/test_elmo
UNIT_TESTS += tests/test_parse
tests_test_parse_SOURCES = tests/random.h tests/networks.h tests/networks.c tests/test_parse.c
UNIT_TESTS += tests/test_nbest
tests_test_nbest_SOURCES = tests/random.h tests/networks.h tests/networks.c tests/test_nbest.c
UNIT_TESTS += tests/test_members
tests_test_members_SOURCES = tests/members.h tests/random.h tests/networks.h tests/networks.c tests/test_members.c
UNIT_TESTS += tests/test_join
tests_test_join_SOURCES = tests/members.h tests/random.h tests/test_join.c
UNIT_TESTS += tests/test_fixed
tests_test_fixed_SOURCES = tests/random.h tests/networks.h tests/networks.c tests/test_fixed.c
UNIT_TESTS += tests/test_parse_rst
tests_test_parse_rst_SOURCES = tests/random.h tests/networks.h tests/networks.c tests/test_parse_rst.c
UNIT_TESTS += tests/test_gradients
tests_test_gradients_SOURCES = tests/gradient.c tests/networks.h tests/networks.c tests/test_gradients.c
UNIT_TESTS += tests/test_gradients_rst
tests_test_gradients_rst_SOURCES = tests/gradient.c tests/networks.h tests/networks.c tests/test_gradients_rst.c
UNIT_TESTS += tests/test_tag
tests_test_tag_SOURCES = tests/members.h tests/gradient.c tests/test_tag.c
UNIT_TESTS += tests/test_segment
tests_test_segment_SOURCES = tests/gradient.c tests/test_segment.c
UNIT_TESTS += tests/test_place
UNIT_TESTS += tests/test_tokenize
tests_test_tokenize_SOURCES = tests/gradient.c tests/tokenizer.h tests/tokenizer.c tests/test_tokenize.c
UNIT_TESTS += tests/test_hyper
UNIT_TESTS += tests/test_defaults
UNIT_TESTS += tests/test_schedule
UNIT_TESTS += tests/test_corpus
UNIT_TESTS += tests/test_embeddings
UNIT_TESTS += tests/test_init
UNIT_TESTS += tests/test_checkpoint
UNIT_TESTS += tests/test_eval_dep
UNIT_TESTS += tests/test_eval_rst
UNIT_TESTS += tests/test_hp
UNIT_TESTS += tests/test_hp_text
UNIT_TESTS += tests/test_hp_document
UNIT_TESTS += tests/test_starve
tests_test_starve_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray \
	-Wl,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=strdup,--wrap=free

# These run first, those that take long before the others, so that none is alone at the end.
COMMAND_TESTS =
COMMAND_TESTS += tests/hp-train.bats
COMMAND_TESTS += tests/examples.sh
COMMAND_TESTS += tests/hp-parse.bats
COMMAND_TESTS += tests/ud.bats
COMMAND_TESTS += tests/raw.bats
COMMAND_TESTS += tests/nbest.bats
COMMAND_TESTS += tests/members.bats
COMMAND_TESTS += tests/flow.bats
COMMAND_TESTS += tests/hp-eval-rst.bats
COMMAND_TESTS += tests/hp-eval.bats
COMMAND_TESTS += tests/hp-eval-segment.bats
COMMAND_TESTS += tests/hp-cat.bats
COMMAND_TESTS += tests/hp-join.bats
COMMAND_TESTS += tests/rst-convert.bats
COMMAND_TESTS += tests/rst-extract.bats
COMMAND_TESTS += tests/stream.bats
COMMAND_TESTS += tests/discourse.bats
COMMAND_TESTS += tests/files.bats
COMMAND_TESTS += tests/elmo.sh
COMMAND_TESTS += tests/hp-train-rst.bats
COMMAND_TESTS += tests/documents.bats
COMMAND_TESTS += tests/text.bats
COMMAND_TESTS += tests/hp-embed-elmo.bats
COMMAND_TESTS += tests/hp-tag.bats
COMMAND_TESTS += tests/hp-segment.bats
COMMAND_TESTS += tests/hp-tokenize.bats
COMMAND_TESTS += tests/hp-draw.bats
COMMAND_TESTS += tests/embeddings.bats
COMMAND_TESTS += tests/models.bats
COMMAND_TESTS += tests/programs.sh
COMMAND_TESTS += tests/pages.sh
COMMAND_TESTS += tests/library.sh
COMMAND_TESTS += tests/install.sh
COMMAND_TESTS += tests/cases.sh
COMMAND_TESTS += tests/conformance.sh
COMMAND_TESTS += tests/memory.sh
COMMAND_TESTS += tests/bench.bats
COMMAND_TESTS += tests/formats.bats
COMMAND_TESTS += tests/experiments.bats
COMMAND_TESTS += tests/queries.bats
COMMAND_TESTS += tests/plot-log.bats

# What they share.  Folders only where nothing is built in them: "make dist" takes what lies there, objects too.
EXTRA_DIST += tests/unit.h tests/gradient.h tests/rst.h
EXTRA_DIST += tests/lib.sh tests/filters.bash tests/elmo-fixture.py tests/elmo-stream.py
EXTRA_DIST += tests/cluster.sh tests/draw-layout.js
EXTRA_DIST += tests/cases tests/data/conformance tests/data/eval tests/data/segment tests/data/tokenize
EXTRA_DIST += tests/freeze tests/fuzz/seeds tests/campaign/run tests/campaign/starve.c \
	tests/campaign/lib.bash tests/campaign/commands.bash tests/campaign/alloc.bash tests/campaign/eval.bash \
	tests/campaign/kill.bash tests/campaign/memory.bash tests/campaign/models.bash tests/campaign/pipes.bash \
	tests/campaign/streams.bash tests/campaign/threads.bash

# libhp against the reference's numbers, and against the published ELMo test model, where that is.
check_PROGRAMS += tests/conformance
tests_conformance_SOURCES = tests/conformance.h tests/conformance.c tests/conformance_net.c
check_PROGRAMS += tests/fixture-pipe tests/elmo-fixture
# Makes the tiny models of the command-line tests; one stands in for the installed model, for the examples of the manual
# pages, as long as there is none in models/.
check_PROGRAMS += tests/make-model
check_DATA = tests/models/en-dep.safetensors
tests/models/en-dep.safetensors: tests/make-model$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/models && tests/make-model$(EXEEXT) $@
CLEANFILES += tests/models/en-dep.safetensors
# A tagger that knows one small text by heart.
check_DATA += tests/models/en-tag.safetensors
tests/models/en-tag.safetensors: bin/hp-train$(EXEEXT) examples/sample.conllu
	$(AM_V_GEN)$(MKDIR_P) tests/models && bin/hp-train$(EXEEXT) --task=tag -q -j1 -e 200 -o $@ \
		-t $(srcdir)/examples/sample.conllu -d $(srcdir)/examples/sample.conllu --id en-tag \
		--set hidden=16 --set layers=1 --set word_dim=16 --set char_dim=8 --set char_filters=16 \
		--set batch=4 --set warmup=1 --set ema=0 --set learning_rate=0.01 --set eval_every=20 --set unknown_rate=0 \
		--set drop_embeddings=0 --set drop_lstm_hidden=0 --set drop_lstm_layers=0 2>tests/models/en-tag.said || \
		{ cat tests/models/en-tag.said >&2; exit 1; }
CLEANFILES += tests/models/en-tag.safetensors tests/models/en-tag.said
# A segmenter that knows one small text by heart.
check_DATA += tests/models/en-edu.safetensors
tests/models/en-edu.safetensors: bin/hp-train$(EXEEXT) $(srcdir)/tests/data/segment/clauses.conllu
	$(AM_V_GEN)$(MKDIR_P) tests/models && bin/hp-train$(EXEEXT) --task=segment -q -j1 -e 60 -o $@ \
		-t $(srcdir)/tests/data/segment/clauses.conllu -d $(srcdir)/tests/data/segment/clauses.conllu --id en-edu \
		--set hidden=16 --set layers=1 --set word_dim=16 --set char_dim=8 --set char_filters=16 --set pos_dim=8 \
		--set trees=yes --set tag_drop=0 --set batch=4 --set warmup=1 --set ema=0 --set learning_rate=0.01 \
		--set eval_every=20 --set unknown_rate=0 --set drop_embeddings=0 --set drop_lstm_hidden=0 \
		--set drop_lstm_layers=0 2>tests/models/en-edu.said || { cat tests/models/en-edu.said >&2; exit 1; }
CLEANFILES += tests/models/en-edu.safetensors tests/models/en-edu.said
# A tokeniser that knows a little: it takes two seconds.
check_DATA += tests/models/en-tok.safetensors
tests/models/en-tok.safetensors: bin/hp-train$(EXEEXT) $(srcdir)/tests/data/tokenize/small.conllu
	$(AM_V_GEN)$(MKDIR_P) tests/models && bin/hp-train$(EXEEXT) --task=tokenize -q -j1 -e 20 -o $@ \
		-t $(srcdir)/examples/train/train.conllu -t $(srcdir)/tests/data/tokenize/small.conllu \
		-d $(srcdir)/tests/data/tokenize/small.conllu --set window=200 --set batch=8 --set hidden=32 --set layers=1 \
		--set drop_lstm_layers=0 --set learning_rate=0.02 --set ema=0 --set warmup=5
CLEANFILES += tests/models/en-tok.safetensors
check_PROGRAMS += tests/max-rss

# What tests/campaign/run needs, and the fuzz targets, so that they go on to compile (tools/fuzz makes them programs).
check_PROGRAMS += tests/campaign/threads tests/campaign/mutate
tests_campaign_mutate_SOURCES = tests/campaign/mutate.c tests/fuzz/images.c
check_LIBRARIES = tests/fuzz/libfuzz.a
tests_fuzz_libfuzz_a_SOURCES = tests/fuzz/fuzz.h tests/fuzz/parsed.h tests/fuzz/fuzz.c tests/fuzz/images.c tests/fuzz/parsed.c \
	tests/fuzz/fuzz_checkpoint.c tests/fuzz/fuzz_conllu.c tests/fuzz/fuzz_convert.c tests/fuzz/fuzz_dis.c tests/fuzz/fuzz_draw.c tests/fuzz/fuzz_edus.c tests/fuzz/fuzz_elmo.c \
	tests/fuzz/fuzz_embeddings.c tests/fuzz/fuzz_eval.c tests/fuzz/fuzz_extract.c tests/fuzz/fuzz_filters.c \
	tests/fuzz/fuzz_hyper.c tests/fuzz/fuzz_init.c tests/fuzz/fuzz_join.c tests/fuzz/fuzz_model.c tests/fuzz/fuzz_pipe.c tests/fuzz/fuzz_relations.c \
	tests/fuzz/fuzz_rs3.c tests/fuzz/fuzz_safetensors.c tests/fuzz/fuzz_schedule.c tests/fuzz/fuzz_segment.c tests/fuzz/fuzz_segmenter.c tests/fuzz/fuzz_stream.c \
	tests/fuzz/fuzz_summary.c tests/fuzz/fuzz_tagger.c tests/fuzz/fuzz_tags.c tests/fuzz/fuzz_text.c tests/fuzz/fuzz_tokenize.c tests/fuzz/fuzz_vectors.c tests/tokenizer.c

# Without what they need they would not build, which hides the line that says so.
if TESTS_COMPLETE
check_PROGRAMS += $(UNIT_TESTS)
endif
TESTS += $(COMMAND_TESTS) $(UNIT_TESTS)
EXTRA_DIST += $(COMMAND_TESTS)

TEST_EXTENSIONS = .sh .bats
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
# Also under nohup, where tests of signals would wait for ever.
BATS_LOG_DRIVER = env --default-signal=HUP,INT,TERM $(LOG_DRIVER)
BATS_LOG_COMPILER = bats
AM_BATS_LOG_FLAGS = --tap
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = \
	PATH='$(abs_top_builddir)/bin':$$PATH; export PATH; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	COLUMNS=80; export COLUMNS; \
	programs='$(bin_PROGRAMS) $(bin_SCRIPTS)'; export programs; \
	HP_MODEL_PATH='$(abs_top_srcdir)/models:$(abs_top_builddir)/tests/models'; export HP_MODEL_PATH; HP_MAP_PATH='$(abs_top_srcdir)/maps'; export HP_MAP_PATH; unset HP_MODEL; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C.UTF-8; export LC_ALL;

tests-complete:
	@test -z '$(TESTS_LACK)' || { echo "make check needs: apt-get install$(TESTS_LACK); then ./config.status --recheck" >&2; exit 1; }
.PHONY: tests-complete
# Before any test.
check_DATA += tests-complete
