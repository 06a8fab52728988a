# The programs, one source each; what they share is bin/cli.c.  They are linked with the static libhp, so that
# bin/hp-* of a build folder are plain executables.  A new program: two or three lines here, like
#	bin_PROGRAMS += bin/hp-cat
#	bin_hp_cat_SOURCES = bin/hp-cat.c
#	bin_hp_cat_LDADD = $(PROGRAM_LIBS)
noinst_LTLIBRARIES += bin/libcli.la
bin_libcli_la_SOURCES = bin/cli.h bin/cli.c bin/options.h bin/options.c
PROGRAM_LIBS = bin/libcli.la libhp.la

# The filters share the loop, the table of what records hold and the stages of both tasks too.
noinst_LTLIBRARIES += bin/libfilter.la
bin_libfilter_la_SOURCES = bin/filter.h bin/filter.c bin/flow.c
bin_libfilter_la_SOURCES += bin/source.h bin/source-text.c bin/source-edus.c bin/source-documents.c bin/source-trees.c bin/source-stream.c
bin_libfilter_la_SOURCES += bin/record.h bin/record.c bin/unparsed.h bin/unparsed.c
bin_libfilter_la_SOURCES += bin/stages.c bin/task-dep.c bin/task-rst.c bin/task-tag.c bin/embed-model.c
FILTER_LIBS = bin/libfilter.la $(PROGRAM_LIBS)

bin_PROGRAMS += bin/hp-embed
bin_hp_embed_SOURCES = bin/hp-embed.c
bin_hp_embed_LDADD = $(FILTER_LIBS)

bin_PROGRAMS += bin/hp-encode
bin_hp_encode_SOURCES = bin/hp-encode.c
bin_hp_encode_LDADD = $(FILTER_LIBS)

bin_PROGRAMS += bin/hp-decode
bin_hp_decode_SOURCES = bin/hp-decode.c
bin_hp_decode_LDADD = $(FILTER_LIBS)

bin_PROGRAMS += bin/hp-label
bin_hp_label_SOURCES = bin/hp-label.c
bin_hp_label_LDADD = $(FILTER_LIBS)

bin_PROGRAMS += bin/hp-tag
bin_hp_tag_SOURCES = bin/hp-tag.c
bin_hp_tag_LDADD = $(FILTER_LIBS)

bin_PROGRAMS += bin/hp-segment
bin_hp_segment_SOURCES = bin/hp-segment.c
bin_hp_segment_LDADD = $(FILTER_LIBS)

bin_PROGRAMS += bin/hp-eval
bin_hp_eval_SOURCES = bin/hp-eval.c bin/eval.h bin/eval-run.c bin/eval-dep.c bin/eval-rst.c bin/eval-segment.c
bin_hp_eval_LDADD = $(PROGRAM_LIBS)

bin_PROGRAMS += bin/hp-tokenize
bin_hp_tokenize_SOURCES = bin/hp-tokenize.c
bin_hp_tokenize_LDADD = $(PROGRAM_LIBS)

# The pipe of all four.
bin_PROGRAMS += bin/hp-parse
bin_hp_parse_SOURCES = bin/hp-parse.c bin/pipe.h bin/pipe.c
bin_hp_parse_LDADD = $(PROGRAM_LIBS)

# Makes what hp-embed --elmo reads of what AllenNLP publishes; needs python3-h5py.  Made by configure.
bin_SCRIPTS += bin/elmo-convert

bin_PROGRAMS += bin/hp-train
bin_hp_train_SOURCES = bin/hp-train.c bin/train.h bin/train-options.c bin/train-files.c bin/train-show.c
bin_hp_train_LDADD = $(PROGRAM_LIBS)

bin_PROGRAMS += bin/hp-join
bin_hp_join_SOURCES = bin/hp-join.c
bin_hp_join_LDADD = $(PROGRAM_LIBS)

bin_PROGRAMS += bin/hp-cat
bin_hp_cat_SOURCES = bin/hp-cat.c bin/show.h bin/show.c
bin_hp_cat_LDADD = $(PROGRAM_LIBS)

bin_PROGRAMS += bin/rst-convert
bin_rst_convert_SOURCES = bin/rst-convert.c
bin_rst_convert_LDADD = $(PROGRAM_LIBS)

bin_PROGRAMS += bin/rst-extract
bin_rst_extract_SOURCES = bin/rst-extract.c
bin_rst_extract_LDADD = $(PROGRAM_LIBS)

bin_PROGRAMS += bin/hp-draw
bin_hp_draw_SOURCES = bin/hp-draw.c
bin_hp_draw_LDADD = $(PROGRAM_LIBS)
