/* markup.h: texts inside XML, HTML and TeX. */
#ifndef HP_DRAW_MARKUP_H
#define HP_DRAW_MARKUP_H
#include <stdio.h>
#include "draw/title.h"
#include "draw/width.h"

/* Between tags or in an attribute in double quotation marks. */
void hp_put_xml(FILE *out, hp_slice text);
/* The same of the beginning that takes at most PIXELS in a font of SIZE pixels, "…" behind it where that is not all. */
void hp_put_xml_cut(FILE *out, hp_slice text, int size, int pixels);
/* A <text> of class "caption", the name in it cut so that it takes at most MOST pixels; nothing without a title.  Returns how many
 * it takes. */
int hp_put_caption(FILE *out, const hp_title *title, int x, int y, int size, int most);
void hp_put_tex(FILE *out, hp_slice text);
hp_slice hp_slice_of(const char *text);

#endif
