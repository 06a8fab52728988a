/* nearest.c: the distance of names. */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 };

static bool same(char a, char b)
{
	return a == b || tolower((unsigned char)a) == tolower((unsigned char)b) || (a == '-' && b == '_');
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Edits that make B of A, both at most LONGEST long.  Three rows of the table: of A's first i letters, i - 1, i - 2. */
static int distance(const char *a, const char *b)
{
	int row[3][LONGEST + 1], n = (int)strlen(b);

	for (int k = 0; k <= n; k++)
		row[0][k] = k;
	for (int i = 1; a[i - 1]; i++) {
		int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (int k = 1; k <= n; k++) {
			now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + !same(a[i - 1], b[k - 1]));
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]))
				now[k] = least(now[k], before[k - 2] + 1);
		}
	}
	return row[strlen(a) % 3][n];
}

const char *hp_nearest(const char *word, const char *const *names, int count)
{
	size_t size = strlen(word);
	int best = (int)size / 3 + 1;
	const char *found = NULL;

	for (int i = 0; i < count && size <= LONGEST; i++) {
		int d = strlen(names[i]) <= LONGEST ? distance(word, names[i]) : best;
		if (d < best) {
			best = d;
			found = names[i];
		}
	}
	return found;
}
