/* width.h: how much room a text takes, in columns of a terminal and in the pixels of a picture. */
#ifndef HP_DRAW_WIDTH_H
#define HP_DRAW_WIDTH_H
#include <stddef.h>
#include <stdint.h>

/* A piece of a text that somebody else owns. */
typedef struct hp_slice {
	const char *s;
	size_t size;
} hp_slice;

/* What is drawn in place of a character that has no place in a picture: U+FFFD for what hp_is_control says and for
 * what XML forbids, else the character itself. */
int32_t hp_draw_shown(int32_t code);
/* Columns of a terminal: 2 for wide characters, 0 for marks that stand on the one before. */
int hp_draw_columns(hp_slice text);
/* Bytes of the longest beginning of TEXT, whole characters with their marks, of at most COLUMNS columns; *USED is how many
 * it takes. */
size_t hp_draw_fit(hp_slice text, int columns, int *used);
/* Pixels in a sans-serif font of SIZE pixels: no less than what the wider fonts take (DejaVu Sans, Verdana), for which one
 * is there depends on the machine. */
int hp_draw_pixels(hp_slice text, int size);
/* Bytes of the longest beginning of TEXT that takes at most PIXELS. */
size_t hp_draw_fit_pixels(hp_slice text, int size, int pixels);

#endif
