/* width.c: the widths of characters, by Unicode's classes and, for ASCII, by those of a wide font. */
#include "draw/width.h"

#include <limits.h>
#include <utf8proc.h>
#include "base/error.h"
#include "base/utf8.h"

enum { INVALID = 0xfffd };

int32_t hp_draw_shown(int32_t code)
{
	return hp_is_control(code) || (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef) ? INVALID : code;
}

static int is_mark(int32_t code)
{
	utf8proc_category_t c = utf8proc_category(code);

	return c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME || c == UTF8PROC_CATEGORY_CF;
}

static int columns_of(int32_t code)
{
	code = hp_draw_shown(code);
	return is_mark(code) ? 0 : utf8proc_charwidth(code) == 2 ? 2 : 1;
}

/* Thousandths of the font's size, from the blank on: those of DejaVu Sans. */
static const short ascii[] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                              636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                              1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                              603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                              500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                              635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

static int thousandths_of(int32_t code)
{
	static const struct {
		int32_t below;
		short width;
	} scripts[] = {
		{0x530, 700}, /* Latin, Greek, Cyrillic */
		{0x590, 700}, /* Armenian */
		{0x900, 650}, /* Hebrew, Arabic, Syriac */
		{0x1100, 1200}, /* of India and South-East Asia, Georgian */
		{0x2000, 900},  {0x10000, 1050}, {INT32_MAX, 1400} /* pictures, old scripts */
	};
	int i = 0;

	code = hp_draw_shown(code);
	if (code >= ' ' && code < ' ' + (int)(sizeof ascii / sizeof *ascii))
		return ascii[code - ' '] + 25;
	if (is_mark(code))
		return 0;
	if (code < 0x530 && utf8proc_category(code) == UTF8PROC_CATEGORY_LU)
		return 900;
	while (code >= scripts[i].below)
		i++;
	return scripts[i].width;
}

/* The longest beginning of TEXT of at most LIMIT by OF, with the marks that stand on its last character. */
static size_t fit(hp_slice text, int64_t limit, int (*of)(int32_t), int64_t *used)
{
	size_t at = 0;

	*used = 0;
	while (at < text.size) {
		int32_t code;
		int length = hp_utf8_decode(text.s + at, text.size - at, &code), width;

		if (length == 0) { /* no UTF-8: a byte that is not shown */
			length = 1;
			code = INVALID;
		}
		width = of(code);
		if (*used + width > limit)
			break;
		*used += width;
		at += length;
	}
	return at;
}

int hp_draw_columns(hp_slice text)
{
	int64_t used;

	fit(text, INT_MAX, columns_of, &used);
	return (int)used;
}

size_t hp_draw_fit(hp_slice text, int columns, int *used)
{
	int64_t sum;
	size_t size = fit(text, columns, columns_of, &sum);

	*used = (int)sum;
	return size;
}

int hp_draw_pixels(hp_slice text, int size)
{
	int64_t used;

	fit(text, (int64_t)INT_MAX * 1000 / size - 1000, thousandths_of, &used);
	return (int)((used * size + 999) / 1000);
}

size_t hp_draw_fit_pixels(hp_slice text, int size, int pixels)
{
	int64_t used;

	return fit(text, (int64_t)pixels * 1000 / size, thousandths_of, &used);
}
