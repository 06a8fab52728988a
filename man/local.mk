# man/: a page a program, the formats, the library.  A new page: one line here.
dist_man_MANS += man/hp-eval.1
dist_man_MANS += man/hp-cat.1
dist_man_MANS += man/hp-stream.5
