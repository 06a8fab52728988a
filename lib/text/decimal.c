/* decimal.c: most numbers of a vector file have few digits and are the quotient of two exact doubles. */
#include "text/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/blank.h"

enum { MAX_DIGITS = 19, MAX_POWER = 22, MAX_EXPONENT = 100000, LONGEST = 1024 };

typedef struct decimal {
	bool negative;
	bool exact; /* all digits are in the mantissa */
	uint64_t mantissa;
	int digits; /* of the mantissa, without leading zeros */
	int exponent; /* of ten */
} decimal;

static bool is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

static void take_digit(decimal *d, char digit, bool fraction)
{
	if (d->digits < MAX_DIGITS) {
		d->mantissa = d->mantissa * 10 + (uint64_t)(digit - '0');
		d->digits += d->mantissa > 0;
		d->exponent -= fraction;
	} else {
		d->exact = d->exact && digit == '0';
		d->exponent += !fraction;
	}
}

/* An exponent, if one stands at P. */
static const char *scan_exponent(const char *p, const char *end, decimal *d)
{
	const char *start = p;
	bool negative = false;
	int value = 0;

	if (p == end || (*p != 'e' && *p != 'E'))
		return start;
	p++;
	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	if (!is_digit(p, end))
		return start;
	for (; is_digit(p, end); p++)
		if (value < MAX_EXPONENT)
			value = value * 10 + (*p - '0');
	d->exponent += negative ? -value : value;
	return p;
}

static const char *scan(const char *p, const char *end, decimal *d)
{
	bool any = false;

	*d = (decimal){.exact = true};
	if (p < end && (*p == '-' || *p == '+'))
		d->negative = *p++ == '-';
	for (; is_digit(p, end); p++, any = true)
		take_digit(d, *p, false);
	if (p < end && *p == '.')
		for (p++; is_digit(p, end); p++, any = true)
			take_digit(d, *p, true);
	return any ? scan_exponent(p, end, d) : NULL;
}

/* One rounding to double and one to float give the nearest float unless the double lies halfway between two floats.
 * Too many digits, large exponents and the smallest floats are left to strtof as well. */
static bool convert(const decimal *d, float *value)
{
	static const double power[MAX_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	double x = (double)d->mantissa;
	uint64_t bits;

	if (!d->exact || d->mantissa > UINT64_C(1) << DBL_MANT_DIG)
		return false;
	if (d->mantissa > 0) {
		if (d->exponent < -MAX_POWER || d->exponent > MAX_POWER)
			return false;
		x = d->exponent < 0 ? x / power[-d->exponent] : x * power[d->exponent];
		memcpy(&bits, &x, sizeof(bits));
		if (x < FLT_MIN || x > FLT_MAX || (bits & 0x1FFFFFFF) == 0x10000000)
			return false;
	}
	*value = (float)(d->negative ? -x : x);
	return true;
}

/* By the C library, with a point whatever the locale says. */
static bool convert_slowly(const char *p, size_t size, float *value)
{
	char text[LONGEST];
	locale_t c;

	if (size >= sizeof(text))
		return false;
	c = newlocale(LC_ALL_MASK, "C", NULL);
	if (!c)
		return false;
	memcpy(text, p, size);
	text[size] = '\0';
	*value = strtof_l(text, NULL, c);
	freelocale(c);
	return true;
}

static const char *read_name(const char *p, const char *end, float *value)
{
	static const char *const names[] = {"infinity", "inf", "nan"};

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t size = strlen(names[i]);

		if ((size_t)(end - p) >= size && strncasecmp(p, names[i], size) == 0) {
			*value = names[i][0] == 'n' ? NAN : INFINITY;
			return p + size;
		}
	}
	return NULL;
}

const char *hp_decimal_read(const char *p, const char *end, float *value)
{
	decimal d;
	const char *stop = scan(p, end, &d);

	if (!stop)
		stop = read_name(p, end, value);
	else if (!convert(&d, value) && !convert_slowly(p, stop - p, value))
		return NULL;
	return stop && (stop == end || hp_is_blank(*stop)) ? stop : NULL;
}
