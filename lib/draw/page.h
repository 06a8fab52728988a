/* page.h: many pictures in one file: SVG, in which they stand one below the other, or a page of HTML to search and to go
 * through by keys, which needs nothing but itself. */
#ifndef HP_DRAW_PAGE_H
#define HP_DRAW_PAGE_H
#include <stdbool.h>
#include <stdio.h>
#include "draw/differ.h"
#include "draw/graph.h"
#include "draw/title.h"
#include "rst/tree.h"

typedef struct hp_page hp_page;

/* Borrows OUT.  Pictures of SVG wait in a temporary file, for the size of all of them stands before them. */
/* OTHER: the name of the file that trees are compared with; NULL: they are not. */
int hp_page_begin(FILE *out, bool html, const char *other, hp_page **page, hp_error *err) HP_USE_RESULT;
int hp_page_add(hp_page *p, const hp_graph *g, const hp_title *title, hp_arena *arena, hp_error *err) HP_USE_RESULT;
/* DIFFER as for hp_draw_rst_text. */
int hp_page_add_rst(hp_page *p, const hp_rst_tree *tree, const hp_rst_difference *differ, const hp_title *title,
                    hp_arena *arena, hp_error *err) HP_USE_RESULT;
/* Writes what is missing and destroys the page, which may be NULL. */
int hp_page_end(hp_page *p, hp_error *err) HP_USE_RESULT;

#endif
