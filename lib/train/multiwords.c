/* multiwords.c: a table of multiword tokens, and the endings that their words follow from. */
#include "train/multiwords.h"

#include <stdlib.h>
#include <string.h>
#include "train/counter.h"

/* The first of LINES, by their first field, into OUT: LINES come by falling count. */
static int first_of_each(const hp_vocab *lines, int min, const int32_t *count, hp_vocab *out, hp_error *err)
{
	hp_vocab *seen = hp_vocab_new();
	int status = seen ? 0 : hp_fail_memory(err);

	for (int i = 0; i < hp_vocab_count(lines) && status == 0; i++) {
		size_t size;
		const char *line = hp_vocab_at(lines, i, &size);
		int before = seen ? hp_vocab_count(seen) : 0, id = hp_vocab_add(seen, line, strcspn(line, "\t"));
		if (id < 0 || (id == before && count[i] >= min && hp_vocab_add(out, line, size) < 0))
			status = hp_fail_memory(err);
	}
	hp_vocab_destroy(seen);
	return status;
}

static int most_frequent(const hp_counter *counter, int min, hp_vocab *out, hp_error *err)
{
	hp_vocab *lines;
	int32_t *count;

	if (hp_counter_vocab(counter, 1, false, &lines, &count, err) != 0)
		return HP_FAIL;
	int status = first_of_each(lines, min, count, out, err);
	hp_vocab_destroy(lines);
	free(count);
	return status;
}

static int learn_table(const hp_tok_gold *gold, hp_vocab *table, hp_error *err)
{
	hp_counter counter;
	int status = hp_counter_init(&counter, err);

	for (int i = 0; i < gold->multi && status == 0; i++) {
		size_t size;
		const char *line = hp_vocab_at(gold->lines, gold->multi_line[i], &size);
		status = hp_counter_add(&counter, line, size, err);
	}
	if (status == 0)
		status = most_frequent(&counter, 1, table, err);
	hp_counter_free(&counter);
	return status;
}

/* ---- endings ---- */

/* Every ending of the form in LINE, lower case, whose rest its first word begins with: "dármelo dar me lo" has
 * "ármelo ar me lo" but not "rmelo". */
static int count_endings(hp_counter *counter, const char *line, hp_error *err)
{
	size_t form = strcspn(line, "\t");
	const char *first = line + form + 1;
	char *text = malloc(2 * strlen(line) + 2);

	if (!text)
		return hp_fail_memory(err);
	int status = 0;
	for (size_t stem = 1; stem < form && line[stem - 1] == first[stem - 1] && status == 0; stem++) {
		if ((line[stem] & 0xc0) == 0x80)
			continue;
		int size = sprintf(text, "%.*s\t%s", (int)(form - stem), line + stem, first + stem);
		status = hp_counter_add(counter, text, (size_t)size, err);
	}
	free(text);
	return status;
}

/* Whether a shorter ending of KEPT says the same as LINE, an ending and its words. */
static bool follows(const hp_vocab *kept, const char *line)
{
	size_t ending = strcspn(line, "\t");

	for (size_t stem = 1; stem < ending; stem++) {
		for (int i = 0; i < hp_vocab_count(kept); i++) {
			size_t size;
			const char *other = hp_vocab_at(kept, i, &size);
			if (strcspn(other, "\t") != ending - stem || memcmp(other, line + stem, ending - stem) != 0)
				continue;
			/* The longest one counts. */
			return strncmp(line + ending + 1, line, stem) == 0 &&
			       strcmp(line + ending + 1 + stem, other + (ending - stem) + 1) == 0;
		}
	}
	return false;
}

/* Endings short first, so that a long one is kept only where it says something else. */
static int keep_endings(const hp_vocab *all, hp_vocab *endings, hp_error *err)
{
	size_t longest = 0;

	for (int i = 0; i < hp_vocab_count(all); i++) {
		size_t size = strcspn(hp_vocab_at(all, i, NULL), "\t");
		longest = size > longest ? size : longest;
	}
	for (size_t length = 1; length <= longest; length++) {
		for (int i = 0; i < hp_vocab_count(all); i++) {
			size_t size;
			const char *line = hp_vocab_at(all, i, &size);
			if (strcspn(line, "\t") == length && !follows(endings, line) && hp_vocab_add(endings, line, size) < 0)
				return hp_fail_memory(err);
		}
	}
	return 0;
}

static int learn_endings(const hp_vocab *table, hp_vocab *endings, hp_error *err)
{
	hp_counter counter;
	hp_arena *arena = hp_arena_new();
	hp_vocab *all = hp_vocab_new();
	hp_vocab *forms = hp_vocab_new(); /* in lower case: those of both cases are one */
	int status = arena && all && forms ? hp_counter_init(&counter, err) : hp_fail_memory(err);

	if (status == 0) {
		for (int i = 0; i < hp_vocab_count(table) && status == 0; i++) {
			size_t size, small;
			const char *line = hp_vocab_at(table, i, &size), *lower = hp_lower(arena, line, size, &small);
			char *copy = lower ? hp_arena_alloc(arena, small + 1, 1) : NULL;
			if (!copy) {
				status = hp_fail_memory(err);
				break;
			}
			memcpy(copy, lower, small);
			copy[small] = '\0';
			int before = hp_vocab_count(forms), id = hp_vocab_add(forms, copy, small);
			status = id < 0 ? hp_fail_memory(err) : id == before ? count_endings(&counter, copy, err) : 0;
		}
		if (status == 0)
			status = most_frequent(&counter, 2, all, err);
		hp_counter_free(&counter);
	}
	if (status == 0)
		status = keep_endings(all, endings, err);
	hp_arena_destroy(arena);
	hp_vocab_destroy(all);
	hp_vocab_destroy(forms);
	return status;
}

/* ---- sure forms ---- */

enum { ODDS = 4 };

/* Counts the token that ends with sign I, and begins with sign FROM, in lower case. */
static int count_token(hp_counter counter[2], const hp_tok_gold *g, hp_arena *arena, int from, int i, hp_error *err)
{
	size_t at = g->text.sign[from].at, small;
	const char *lower = hp_lower(arena, g->text.text + at, hp_sign_end(&g->text, i) - at, &small);

	if (!lower)
		return hp_fail_memory(err);
	return hp_counter_add(&counter[g->gold[i] >= HP_TOK_MULTI], lower, small, err);
}

static int count_tokens(hp_counter counter[2], const hp_tok_gold *g, hp_error *err)
{
	hp_arena *arena = hp_arena_new();
	int from = -1, status = arena ? 0 : hp_fail_memory(err);

	for (int i = 0; i < g->text.count && status == 0; i++) {
		from = from < 0 && g->gold[i] >= 0 ? i : from;
		if (g->gold[i] <= HP_TOK_INSIDE)
			continue;
		status = count_token(counter, g, arena, from, i, err);
		hp_arena_reset(arena);
		from = -1;
	}
	hp_arena_destroy(arena);
	return status;
}

static int learn_sure(const hp_tok_gold *gold, hp_vocab *sure, hp_error *err)
{
	hp_counter counter[2] = {0}; /* tokens that are one word, multiword tokens */
	int status = hp_counter_init(&counter[0], err) != 0 || hp_counter_init(&counter[1], err) != 0 ||
	             count_tokens(counter, gold, err) != 0;

	for (int i = 0; status == 0 && i < hp_vocab_count(counter[1].strings); i++) {
		size_t size;
		const char *form = hp_vocab_at(counter[1].strings, i, &size);
		int other = hp_vocab_find(counter[0].strings, form, size);
		int multi = counter[1].count[i], single = other < 0 ? 0 : counter[0].count[other];
		if (multi >= ODDS * single && hp_vocab_add(sure, form, size) < 0)
			status = hp_fail_memory(err);
	}
	hp_counter_free(&counter[0]);
	hp_counter_free(&counter[1]);
	return status ? HP_FAIL : 0;
}

int hp_multiwords_learn(const hp_tok_gold *gold, const char *file, hp_expander **out, hp_error *err)
{
	hp_vocab *table = hp_vocab_new(), *endings = hp_vocab_new(), *sure = hp_vocab_new();

	if (!table || !endings || !sure)
		hp_fail_memory(err);
	else if (learn_table(gold, table, err) == 0 && learn_endings(table, endings, err) == 0 &&
	         learn_sure(gold, sure, err) == 0)
		return hp_expander_new(table, endings, sure, file, out, err);
	hp_vocab_destroy(table);
	hp_vocab_destroy(endings);
	hp_vocab_destroy(sure);
	return HP_FAIL;
}
