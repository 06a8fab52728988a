# man/: a page a program, the formats, the library.  A new page: one line here.
