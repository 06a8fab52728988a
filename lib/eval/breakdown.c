/* breakdown.c: tallies by group. */
#include "eval/breakdown.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct hp_group {
	UT_hash_handle hh;
	char *name;
	hp_tally tally[];
};

struct hp_breakdown {
	int metrics;
	hp_group *groups; /* a hash that remembers the order */
};

hp_breakdown *hp_breakdown_new(int metrics)
{
	hp_breakdown *b = calloc(1, sizeof *b);

	if (b)
		b->metrics = metrics;
	return b;
}

static void free_group(hp_group *g)
{
	free(g->name);
	free(g);
}

void hp_breakdown_destroy(hp_breakdown *b)
{
	hp_group *g, *next;

	if (!b)
		return;
	HASH_ITER(hh, b->groups, g, next)
	{
		HASH_DEL(b->groups, g);
		free_group(g);
	}
	free(b);
}

hp_tally *hp_breakdown_at(hp_breakdown *b, const char *name, size_t length)
{
	hp_group *g;

	HASH_FIND(hh, b->groups, name, length, g);
	if (g)
		return g->tally;
	g = calloc(1, sizeof *g + b->metrics * sizeof g->tally[0]);
	if (!g)
		return NULL;
	g->name = malloc(length + 1);
	if (!g->name) {
		free(g);
		return NULL;
	}
	memcpy(g->name, name, length);
	g->name[length] = '\0';
	HASH_ADD_KEYPTR(hh, b->groups, g->name, length, g);
	if (!g->hh.tbl) { /* out of memory */
		free_group(g);
		return NULL;
	}
	return g->tally;
}

static int by_frequency(hp_group *a, hp_group *b)
{
	if (a->tally[0].gold != b->tally[0].gold)
		return a->tally[0].gold > b->tally[0].gold ? -1 : 1;
	return strcmp(a->name, b->name);
}

void hp_breakdown_sort(hp_breakdown *b)
{
	HASH_SORT(b->groups, by_frequency);
}

const hp_group *hp_breakdown_next(const hp_breakdown *b, const hp_group *group)
{
	return group ? group->hh.next : b->groups;
}

const char *hp_group_name(const hp_group *group)
{
	return group->name;
}

const hp_tally *hp_group_tallies(const hp_group *group)
{
	return group->tally;
}

int hp_bins_parse(const char *text, int least, hp_bins *out, hp_error *err)
{
	const char *s = text;

	out->count = 0;
	out->least = least;
	for (;;) {
		char *end;
		long last = out->count ? out->upper[out->count - 1] : least - 1, number;

		errno = 0;
		number = strtol(s, &end, 10);
		if (*s < '0' || *s > '9' || errno || number <= last || number >= INT_MAX || (*end && *end != ','))
			return hp_fail(err, "'%s' is no list of bins; expected rising numbers from %d on, as 10,20,30", text,
			               least);
		if (out->count == HP_BINS)
			return hp_fail(err, "more than %d bins", HP_BINS);
		out->upper[out->count++] = (int)number;
		if (!*end)
			return 0;
		s = end + 1;
	}
}

int hp_bins_find(const hp_bins *bins, int number)
{
	int bin = 0;

	while (bin < bins->count && number > bins->upper[bin])
		bin++;
	return bin;
}

void hp_bins_name(const hp_bins *bins, int bin, char out[HP_BIN_NAME])
{
	int first = bin ? bins->upper[bin - 1] + 1 : bins->least > 1 ? bins->least : 1;

	if (bin == bins->count)
		snprintf(out, HP_BIN_NAME, "%d+", first);
	else if (first == bins->upper[bin])
		snprintf(out, HP_BIN_NAME, "%d", first);
	else
		snprintf(out, HP_BIN_NAME, "%d-%d", first, bins->upper[bin]);
}

int hp_breakdown_add_bins(hp_breakdown *b, const hp_bins *bins, hp_error *err)
{
	for (int i = 0; i <= bins->count; i++) {
		char name[HP_BIN_NAME];

		hp_bins_name(bins, i, name);
		if (!hp_breakdown_at(b, name, strlen(name)))
			return hp_fail_memory(err);
	}
	return 0;
}

hp_tally *hp_breakdown_at_bin(hp_breakdown *b, const hp_bins *bins, int number)
{
	char name[HP_BIN_NAME];

	hp_bins_name(bins, hp_bins_find(bins, number), name);
	return hp_breakdown_at(b, name, strlen(name));
}

const char *hp_genre(const char *id, size_t *size)
{
	const char *first = id ? strchr(id, '_') : NULL, *second = first ? strchr(first + 1, '_') : NULL;

	if (!second || second == first + 1 || first == id) {
		*size = 5;
		return "other";
	}
	*size = (size_t)(second - first - 1);
	return first + 1;
}
