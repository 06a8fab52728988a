/* style.h: what pictures and pages look like, and what a page does. */
#ifndef HP_DRAW_STYLE_H
#define HP_DRAW_STYLE_H

extern const char hp_style_svg[], hp_style_page[]; /* CSS */
extern const char hp_style_script[]; /* JavaScript */

#endif
