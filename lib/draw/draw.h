/* draw.h: pictures of trees in the formats that hp-draw writes.  A function draws one tree, in as much memory as that
 * takes; *_begin and *_end write what stands around them. */
#ifndef HP_DRAW_H
#define HP_DRAW_H
#include "draw/differ.h"
#include "draw/graph.h"
#include "draw/terminal.h"
#include "draw/title.h"
#include "rst/tree.h"

/* ---- text ---- */
/* Across, words in a line, where the terminal is wide enough, else, or with DOWN, a word a line; a blank line behind. */
int hp_draw_text(const hp_graph *g, const hp_title *title, bool down, hp_terminal *t, hp_arena *arena,
                 hp_error *err) HP_USE_RESULT;
/* DIFFER [nodes], here and below: how the tree differs from another; NULL: it is alone. */
int hp_draw_rst_text(const hp_rst_tree *tree, const hp_rst_difference *differ, const hp_title *title, hp_terminal *t,
                     hp_arena *arena, hp_error *err) HP_USE_RESULT;

/* ---- pictures ---- */
typedef struct hp_picture {
	int width, height; /* pixels */
} hp_picture;
/* The contents of an <svg> of the size that comes out, for style.h; CAPTION: what stands above it; NULL: nothing. */
int hp_draw_svg(const hp_graph *g, const hp_title *caption, FILE *out, hp_picture *size, hp_arena *arena,
                hp_error *err) HP_USE_RESULT;
int hp_draw_rst_svg(const hp_rst_tree *tree, const hp_rst_difference *differ, const hp_title *caption, FILE *out,
                    hp_picture *size, hp_arena *arena, hp_error *err) HP_USE_RESULT;

/* ---- LaTeX, by the package tikz-dependency ---- */
void hp_draw_latex_begin(FILE *out);
/* Sentences of a script that is written from right to left go from right to left, too. */
void hp_draw_latex(const hp_graph *g, const hp_title *title, FILE *out);
void hp_draw_latex_end(FILE *out);

#endif
