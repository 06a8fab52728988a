/* decimal.h: decimal numbers to floats, strictly, fast and in every locale alike.  Private to lib/text. */
#ifndef HP_DECIMAL_H
#define HP_DECIMAL_H
#include <stdbool.h>

/* Reads [+-]digits[.digits][e[+-]digits] (digits may lack on one side of the point) at P, up to END.  Returns where
 * it ends and the nearest float in *VALUE, which is infinite where it is too large; "nan", "inf" and "infinity", in
 * any case, are read as well.  NULL if there is no number or if something other than a blank follows it. */
const char *hp_decimal_read(const char *p, const char *end, float *value);

#endif
