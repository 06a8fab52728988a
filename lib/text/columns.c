/* columns.c: the names of columns. */
#include "text/columns.h"

#include <stdio.h>
#include <string.h>
#include "base/blank.h"

enum { PLAIN = HP_COLUMNS, SHORT = 8, LEAST_2009 = 13 };

static const struct {
	const char *name;
	int what;
} known[] = {
	/* PPOS and POS first: UPOS and XPOS may stand for the same column. */
	{"PPOS", HP_PPOS},   {"POS", HP_POS},   {"ID", HP_ID},       {"FORM", HP_FORM},       {"LEMMA", HP_LEMMA},
	{"UPOS", HP_UPOS},   {"XPOS", HP_XPOS}, {"FEATS", HP_FEATS}, {"HEAD", HP_HEAD},       {"DEPREL", HP_DEPREL},
	{"DEPS", HP_DEPS},   {"MISC", HP_MISC}, {"PHEAD", HP_PHEAD}, {"PDEPREL", HP_PDEPREL}, {"CPOSTAG", HP_UPOS},
	{"POSTAG", HP_XPOS}, {"FEAT", HP_FEATS}};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static int find(const char *name, size_t size)
{
	for (int i = 0; i < KNOWN; i++)
		if (strlen(known[i].name) == size && memcmp(known[i].name, name, size) == 0)
			return known[i].what;
	return -1;
}

/* Where there is only one kind of tag it is both: a model may have learnt from either. */
static void finish(hp_columns *c)
{
	int tag = c->at[HP_PPOS] >= 0 ? c->at[HP_PPOS] : c->at[HP_POS];

	if (c->at[HP_UPOS] < 0)
		c->at[HP_UPOS] = (int16_t)tag;
	if (c->at[HP_XPOS] < 0)
		c->at[HP_XPOS] = (int16_t)tag;
	c->plain = c->count == PLAIN;
	for (int i = 0; i < PLAIN; i++)
		c->plain &= c->at[i] == i;
}

static int take_name(hp_columns *c, const char *name, size_t size, const char *where, hp_error *err)
{
	int what = find(name, size);

	if (c->count == HP_MOST_COLUMNS)
		return hp_fail_at(err, where, c->line, "more than %d columns", HP_MOST_COLUMNS);
	if (what >= 0 && c->at[what] >= 0)
		return hp_fail_at(err, where, c->line, "a second column %.*s", (int)size, name);
	if (what >= 0)
		c->at[what] = (int16_t)c->count;
	c->count++;
	return 0;
}

int hp_columns_parse(const char *names, size_t size, const char *where, long line, hp_columns *out, hp_error *err)
{
	const char *end = names + size;

	*out = (hp_columns){.named = true, .line = line};
	memset(out->at, -1, sizeof(out->at));
	while (names < end) {
		const char *name = names;

		while (names < end && !hp_is_blank(*names))
			names++;
		if (names > name && take_name(out, name, names - name, where, err) != 0)
			return HP_FAIL;
		while (names < end && hp_is_blank(*names))
			names++;
	}
	if (out->at[HP_ID] < 0 || out->at[HP_FORM] < 0)
		return hp_fail_at(err, where, line, "no column %s, expected \"# global.columns = ID FORM ...\"",
		                  out->at[HP_ID] < 0 ? "ID" : "FORM");
	finish(out);
	return 0;
}

bool hp_columns_guess(int count, hp_columns *out)
{
	static const char names[] = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC",
					  first[] = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL",
					  of_2009[] = "ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED";
	const char *chosen = count == PLAIN ? names : count == SHORT ? first : count >= LEAST_2009 ? of_2009 : NULL;

	if (!chosen || hp_columns_parse(chosen, strlen(chosen), "", 0, out, NULL) != 0)
		return false;
	out->more = chosen == of_2009;
	out->named = false;
	return true;
}

bool hp_columns_same(const hp_columns *a, const hp_columns *b)
{
	return a->count == b->count && a->more == b->more && memcmp(a->at, b->at, sizeof(a->at)) == 0;
}

void hp_columns_text(const hp_columns *c, char out[HP_COLUMNS_TEXT])
{
	*out = '\0';
	for (int k = 0; k < c->count; k++) {
		const char *name = "_";

		for (int i = KNOWN - 1; i >= 0; i--)
			if (c->at[known[i].what] == k)
				name = known[i].name;
		out = stpcpy(out, k > 0 ? " " : "");
		out = stpcpy(out, name);
	}
}

/* Moves *P over WORD and the blanks behind it, if it comes there. */
static bool takes(const char **p, const char *end, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(end - *p) < size || memcmp(*p, word, size) != 0)
		return false;
	for (*p += size; *p < end && hp_is_blank(**p); ++*p)
		;
	return true;
}

const char *hp_columns_names(const char *line, size_t size)
{
	const char *end = line + size;

	return takes(&line, end, "#") && takes(&line, end, "global.columns") && takes(&line, end, "=") ? line : NULL;
}
