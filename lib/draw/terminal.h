/* terminal.h: lines of text for terminals: columns of text, lines of box-drawing characters, colours. */
#ifndef HP_DRAW_TERMINAL_H
#define HP_DRAW_TERMINAL_H
#include <stdbool.h>
#include <stdio.h>
#include "base/error.h"
#include "draw/title.h"
#include "draw/width.h"

/* What a cell's lines lead to; a sum of them makes its character. */
enum { HP_UP = 1, HP_DOWN = 2, HP_LEFT = 4, HP_RIGHT = 8 };

typedef enum hp_colour { HP_PLAIN, HP_BOLD, HP_FAINT, HP_BLUE, HP_CYAN, HP_RED, HP_GREEN, HP_MAGENTA } hp_colour;

typedef struct hp_terminal {
	FILE *out;
	int width; /* columns */
	bool ascii; /* lines of - | + */
	bool colours;
	/* private: the line that is being made */
	char *line;
	size_t size, capacity;
	int column;
	bool failed;
} hp_terminal;

void hp_terminal_free(hp_terminal *t); /* frees the contents */
void hp_terminal_blanks(hp_terminal *t, int count);
void hp_terminal_to(hp_terminal *t, int column); /* blanks up to it */
/* TEXT in at most COLUMNS columns, cut with "…" where it is longer. */
void hp_terminal_text(hp_terminal *t, hp_slice text, int columns, hp_colour colour);
void hp_terminal_word(hp_terminal *t, const char *text, hp_colour colour); /* all of it */
void hp_terminal_lines(hp_terminal *t, int directions, int count); /* the character COUNT times */
/* One of the two, for terminals and with `ascii`. */
void hp_terminal_sign(hp_terminal *t, const char *sign, const char *ascii, hp_colour colour);
/* A line of its own, if there is a title: the name is cut rather than the note. */
int hp_terminal_title(hp_terminal *t, const hp_title *title, hp_error *err) HP_USE_RESULT;
/* Writes the line without blanks at its end.  Fails: out of memory, or the output does. */
int hp_terminal_end_line(hp_terminal *t, hp_error *err) HP_USE_RESULT;

#endif
