# man/: a page a program, the formats, the library.  A new page: one line here.
dist_man_MANS += man/hptools.7
dist_man_MANS += man/hp-eval.1
dist_man_MANS += man/hp-cat.1
dist_man_MANS += man/hp-stream.5
dist_man_MANS += man/hp-tokenize.1
dist_man_MANS += man/hp-embed.1
dist_man_MANS += man/hp-encode.1
dist_man_MANS += man/hp-decode.1
dist_man_MANS += man/hp-label.1
dist_man_MANS += man/hp-tag.1
dist_man_MANS += man/hp-parse.1
dist_man_MANS += man/hp-model.5
dist_man_MANS += man/libhp.3
dist_man_MANS += man/hp-draw.1
dist_man_MANS += man/hp-train.1
dist_man_MANS += man/rst-extract.1
dist_man_MANS += man/elmo-convert.1
