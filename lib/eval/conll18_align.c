/* conll18_align.c: aligns words as the scorer of the CoNLL 2018 shared task does. */
#include "eval/conll18_align.h"

#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"

enum { CELLS = 1 << 26 }; /* of the table of a longest common subsequence */

/* ---- characters ---- */

/* The token that covers byte AT, or the last one. */
static const hp_conll18_token *token_at(const hp_conll18_text *t, size_t at)
{
	int i = 0;
	while (i + 1 < t->tokens && t->token[i].span.end <= at)
		i++;
	return &t->token[i];
}

int hp_conll18_same_characters(const hp_conll18_text *gold, const hp_conll18_text *system, hp_error *err)
{
	size_t at = 0;
	if (gold->size == system->size && !memcmp(gold->characters, system->characters, gold->size))
		return 0;
	while (at < gold->size && at < system->size && gold->characters[at] == system->characters[at])
		at++;
	const hp_conll18_token *g = token_at(gold, at), *s = token_at(system, at);
	return hp_fail_at(err, gold->name, g->line, "token '%.*s' does not align with '%.*s' at %s:%ld",
	                  hp_utf8_shown(g->form.text, g->form.length), g->form.text,
	                  hp_utf8_shown(s->form.text, s->form.length), s->form.text, system->name, s->line);
}

/* ---- forms in lower case, as Python's str.lower() makes it ---- */

typedef struct lower {
	const char *text, *at, *end;
	int32_t pending; /* a second character */
} lower;

static bool ignorable(int32_t code)
{
	switch (utf8proc_category(code)) {
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_SK:
		return true;
	default:
		return code == '\'' || code == '.' || code == ':' || code == 0xB7 || code == 0x2019;
	}
}

static bool cased(int32_t code)
{
	utf8proc_category_t c = utf8proc_category(code);
	return c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LL || c == UTF8PROC_CATEGORY_LT;
}

/* Whether a letter stands before the capital sigma at AT, and none behind it. */
static bool final_sigma(const lower *l, const char *at)
{
	int32_t code, before = 0;
	int size;
	for (const char *s = l->text; s < at && (size = hp_utf8_decode(s, (size_t)(l->end - s), &code)) > 0; s += size)
		if (!ignorable(code))
			before = code;
	if (!cased(before))
		return false;
	for (const char *s = at + 2; s < l->end && (size = hp_utf8_decode(s, (size_t)(l->end - s), &code)) > 0; s += size)
		if (!ignorable(code))
			return !cased(code);
	return true;
}

/* The next character, or -1. */
static int32_t next(lower *l)
{
	enum { CAPITAL_SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2, DOTTED_I = 0x130, DOT_ABOVE = 0x307 };
	int32_t code = l->pending;
	const char *at = l->at;
	l->pending = 0;
	if (code)
		return code;
	int size = at < l->end ? hp_utf8_decode(at, (size_t)(l->end - at), &code) : 0;
	if (size <= 0)
		return -1;
	l->at += size;
	if (code == DOTTED_I) {
		l->pending = DOT_ABOVE;
		return 'i';
	}
	return code == CAPITAL_SIGMA && final_sigma(l, at) ? FINAL_SIGMA : utf8proc_tolower(code);
}

static bool same_form(const hp_conll18_word *g, const hp_conll18_word *s)
{
	if (hp_conll18_same(g->form, s->form))
		return true;
	lower a = {g->form.text, g->form.text, g->form.text + g->form.length, 0};
	lower b = {s->form.text, s->form.text, s->form.text + s->form.length, 0};
	for (int32_t x, y;;) {
		x = next(&a);
		y = next(&b);
		if (x != y)
			return false;
		if (x < 0)
			return true;
	}
}

/* ---- words ---- */

typedef struct aligning {
	const hp_conll18_text *text[2]; /* gold, system */
	hp_arena *arena;
	hp_conll18_alignment out;
} aligning;

/* Words FROM ... END - 1 of both. */
typedef struct stretch {
	int from[2], end[2];
} stretch;

static void pair(aligning *a, int gold, int system)
{
	a->out.system_of[gold] = system;
	a->out.gold_of[system] = gold;
}

static bool beyond(const hp_conll18_text *t, int i, size_t end)
{
	if (i >= t->words)
		return true;
	const hp_conll18_word *w = &t->word[i];
	return w->multiword ? w->span.begin >= end : w->span.end > end;
}

/* The words that overlap with the multiword token of word AT[0] of gold or AT[1] of the system's. */
static stretch overlapping(const aligning *a, const int at[2])
{
	const hp_conll18_text *const *t = a->text;
	int side = t[0]->word[at[0]].multiword ? 0 : 1, other = 1 - side;
	const hp_conll18_word *token = &t[side]->word[at[side]], *word = &t[other]->word[at[other]];
	size_t end = token->span.end;
	stretch s = {{at[0], at[1]}, {0, 0}};
	if (!word->multiword && word->span.begin < token->span.begin)
		s.from[other]++;
	s.end[0] = s.from[0];
	s.end[1] = s.from[1];
	while (!beyond(t[0], s.end[0], end) || !beyond(t[1], s.end[1], end)) {
		int g = s.end[0], y = s.end[1];
		side = g < t[0]->words && (y >= t[1]->words || t[0]->word[g].span.begin <= t[1]->word[y].span.begin) ? 0 : 1;
		token = &t[side]->word[s.end[side]++];
		if (token->multiword && token->span.end > end)
			end = token->span.end;
	}
	return s;
}

/* A longest common subsequence of the stretches, the earliest one. */
static int align_stretch(aligning *a, const stretch *s, hp_error *err)
{
	int rows = s->end[0] - s->from[0], columns = s->end[1] - s->from[1], g = 0, y = 0;
	const hp_conll18_word *gold = a->text[0]->word + s->from[0], *system = a->text[1]->word + s->from[1];
	hp_arena_mark mark = hp_arena_save(a->arena);
	if (!rows || !columns)
		return 0;
	if ((int64_t)rows * columns > CELLS)
		return hp_fail(err, "%s: multiword tokens of %d words overlap with those of %d words in %s: too many to align",
		               a->text[0]->name, rows, columns, a->text[1]->name);
	size_t width = (size_t)columns + 1;
	int *lengths = HP_NEW0(a->arena, int, ((size_t)rows + 1) * width); /* of what remains from a pair on */
	if (!lengths)
		return hp_fail_memory(err);
	for (int r = rows - 1; r >= 0; r--)
		for (int c = columns - 1; c >= 0; c--) {
			int *at = lengths + (size_t)r * width + c, *below = at + width;
			*at = *below > at[1] ? *below : at[1];
			if (same_form(&gold[r], &system[c]) && 1 + below[1] > *at)
				*at = 1 + below[1];
		}
	while (g < rows && y < columns) {
		const int *at = lengths + (size_t)g * width + y;
		if (same_form(&gold[g], &system[y]))
			pair(a, s->from[0] + g++, s->from[1] + y++);
		else if (*at == at[width])
			g++;
		else
			y++;
	}
	hp_arena_restore(a->arena, mark);
	return 0;
}

static int align_words(aligning *a, hp_error *err)
{
	const hp_conll18_text *gold = a->text[0], *system = a->text[1];
	int at[2] = {0, 0};
	while (at[0] < gold->words && at[1] < system->words) {
		const hp_conll18_word *g = &gold->word[at[0]], *s = &system->word[at[1]];
		if (g->multiword || s->multiword) {
			stretch both = overlapping(a, at);
			if (align_stretch(a, &both, err))
				return HP_FAIL;
			memcpy(at, both.end, sizeof at);
		} else if (g->span.begin == s->span.begin && g->span.end == s->span.end) {
			pair(a, at[0]++, at[1]++);
		} else {
			at[g->span.begin <= s->span.begin ? 0 : 1]++;
		}
	}
	return 0;
}

int hp_conll18_align(const hp_conll18_text *gold, const hp_conll18_text *system, hp_arena *arena,
                     hp_conll18_alignment *out, hp_error *err)
{
	aligning a = {
		{gold, system}, arena, {HP_NEW(arena, int, (size_t)gold->words), HP_NEW(arena, int, (size_t)system->words)}};
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	if (hp_conll18_same_characters(gold, system, err))
		return HP_FAIL;
	for (int i = 0; i < gold->words; i++)
		a.out.system_of[i] = -1;
	for (int i = 0; i < system->words; i++)
		a.out.gold_of[i] = -1;
	*out = a.out;
	return align_words(&a, err);
}
