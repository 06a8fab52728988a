/* align.c: walks through EDUs and sentences side by side. */
#include "extract/align.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "extract/aligner.h"
#include "rst/build.h"
#include "base/utf8.h"

typedef hp_aligner aligner;
typedef hp_place place;

static void put(aligner *a, int32_t edu, const char *piece, size_t size)
{
	if (size == 0)
		return;
	if (edu != a->edu)
		a->start[edu] = a->size;
	else
		a->out[a->size++] = ' ';
	a->edu = edu;
	if (a->first < 0)
		a->first = edu;
	/* Blanks inside a token would make two of it. */
	for (size_t i = 0; i < size; i++) {
		if (!hp_is_white(piece[i]))
			a->out[a->size++] = piece[i];
	}
	a->stop_at[edu] = a->size;
	a->token[a->tokens++] = a->current;
}

/* Takes the token, or all words of a multiword token written in one; *TAKEN is how many.  False if it does not come. */
static bool take_token(aligner *a, int32_t i, int *taken)
{
	const hp_token *token = &a->s->token[i];
	const char *s = a->s->text + token->at;
	place before = a->here;

	a->current = i;
	switch (hp_spell(a, i, a->stop, &a->here, taken)) {
	case HP_SPELLING_NONE:
		return false;
	case HP_SPELLING_OWN:
		hp_cut(a, s, token->size, i + 1, &before, put);
		break;
	case HP_SPELLING_SURFACE:
		hp_cut(a, a->s->text + token->surface, token->surface_size, i + token->covers, &before, put);
		break;
	case HP_SPELLING_OTHER:
		put(a, a->here.edu, s, token->size);
		break;
	case HP_SPELLING_ABSENT:
		put(a, a->edu, s, 1);
		break;
	}
	return true;
}

/* A token that was brought together with the document in spite of differences. */
static void take_fixed(aligner *a, int32_t i)
{
	const hp_token *token = &a->s->token[i];
	const char *s = a->s->text + token->at;
	hp_fix *f = &a->fix;
	size_t piece = 0;

	a->current = i;
	while (f->next < f->units && f->token[f->next] == i) {
		int k = f->next++;
		bool last = f->next == f->units || f->token[f->next] != i;

		if (!last && f->edu[f->next] == f->edu[k])
			continue;
		if (f->edu[k] >= 0)
			put(a, f->edu[k], s + piece, (last ? token->size : f->at[f->next]) - piece);
		piece = last ? token->size : f->at[f->next];
	}
	if (i + 1 == f->to)
		a->here = f->end;
}

/* Bytes to show of a text: at most 30, whole characters. */
static int shown(const char *s, size_t size)
{
	return (int)hp_utf8_valid_prefix(s, size < 30 ? size : 30);
}

/* What may be done about a mismatch, for the end of a message. */
static int advise(const aligner *a, hp_error *err)
{
	hp_error first;

	if (!a->lenient || !err)
		return HP_FAIL;
	first = *err;
	if (a->differences == 0)
		return hp_fail(err, "%s; --differences=N accepts up to N characters a document", first.text);
	return hp_fail(err, "%s; that is more than --differences=%d accepts", first.text, a->differences);
}

/* The token or, at their end, the last sentence is not followed by what the document has here. */
static int mismatch(const aligner *a, int32_t i, hp_error *err)
{
	const hp_token *token = &a->s->token[i];
	place p = a->here;
	int32_t code;
	const hp_rst_edu *edu;

	if (hp_place_next(a->t, &p, &code) == 0) {
		edu = &a->t->edu[a->t->edus - 1];
		(void)hp_fail_at(err, a->name, edu->line, "the last EDU ends before '%.*s' in %s:%ld",
		                 shown(a->s->text + token->at, token->size), a->s->text + token->at, a->s->name, token->line);
		return advise(a, err);
	}
	edu = &a->t->edu[p.edu];
	if (i >= a->end)
		(void)hp_fail_at(err, a->name, edu->line, "EDU %d goes on with '%.*s' after the last sentence of %s", p.edu + 1,
		                 shown(edu->text + p.at, edu->size - p.at), edu->text + p.at, a->s->name);
	else
		(void)hp_fail_at(err, a->name, edu->line, "EDU %d has '%.*s' where %s:%ld has '%.*s'", p.edu + 1,
		                 shown(edu->text + p.at, edu->size - p.at), edu->text + p.at, a->s->name, token->line,
		                 shown(a->s->text + token->at, token->size), a->s->text + token->at);
	return advise(a, err);
}

enum {
	ENOUGH = 10, /* bytes do not agree by chance */
	LOOK_AHEAD = 1000 /* EDUs may be left out in a row, before a sentence */
};

/* Whether the sentence comes at P and, if it is short, what follows it up to ENOUGH bytes. */
static bool comes_at(const aligner *a, const hp_token_range *sent, place p, size_t enough)
{
	int32_t stop = sent->first + sent->tokens;
	size_t bytes = 0;
	bool full = false;
	int taken;

	for (int32_t i = sent->first; i < a->end && (i < stop || bytes < enough); i += taken) {
		const hp_token *token = &a->s->token[i];

		if (hp_spell(a, i, full, &p, &taken) == HP_SPELLING_NONE)
			return false;
		full = token->size > 0 && a->s->text[token->at + token->size - 1] == '.';
		bytes += token->size;
	}
	return true;
}

/* Passes over EDUs that the sentences lack, to one that this sentence begins with. */
static void pass_edus(aligner *a, const hp_token_range *sent)
{
	place p = a->here;
	int32_t code, stop;

	if (hp_place_next(a->t, &p, &code) == 0 || comes_at(a, sent, p, 0))
		return;
	stop = a->t->edus - p.edu > LOOK_AHEAD ? p.edu + LOOK_AHEAD : a->t->edus;
	for (p.edu++, p.at = 0; p.edu < stop; p.edu++, p.at = 0) {
		if (comes_at(a, sent, p, ENOUGH)) {
			a->here = p;
			return;
		}
	}
}

static bool is_at_end(const aligner *a)
{
	place p = a->here;
	int32_t code;

	return hp_place_next(a->t, &p, &code) == 0;
}

/* The sentence's tokens; a failure, too, if the document is OVER. */
static int take_sentence(aligner *a, const hp_token_range *sent, hp_extent *out, hp_error *err)
{
	int taken;

	a->first = -1;
	for (int32_t i = sent->first; i < sent->first + sent->tokens; i += taken) {
		bool repaired = false;
		int32_t at = i;

		taken = 1;
		if (i >= a->fix.from && i < a->fix.to) {
			take_fixed(a, i);
		} else if (!take_token(a, i, &taken)) {
			taken = 0;
			if (a->left > 0 && hp_repair(a, &at, &repaired, err) != 0)
				return HP_FAIL;
			if (!repaired)
				return mismatch(a, at, err);
			if (a->fix.to == i) {
				a->here = a->fix.end;
				a->over = i == sent->first && !a->exact && is_at_end(a);
			}
			if (a->over)
				return HP_FAIL;
		}
		a->stop = a->size > 0 && a->out[a->size - 1] == '.';
	}
	*out = (hp_extent){a->first, a->first < 0 ? -1 : a->edu, false, sent->line};
	return 0;
}

/* Undoes what was written since SAVED, when the EDU that was open ended at STOP_AT. */
static void go_back(aligner *a, const aligner *saved, size_t stop_at)
{
	hp_fix fix = a->fix;

	for (int32_t e = saved->edu + 1; e <= a->edu; e++)
		a->start[e] = a->stop_at[e] = 0;
	*a = *saved;
	a->fix = fix;
	a->fix.to = a->fix.from;
	if (a->edu >= 0)
		a->stop_at[a->edu] = stop_at;
}

/* Takes the next sentence of a document that may have ended before it: then *ENDED, and nothing was taken. */
static int take_or_end(aligner *a, const hp_token_range *sent, hp_extent *out, bool *ended, hp_error *err)
{
	bool begins = a->lenient && sent->first >= a->fix.to && hp_place_begins(a->t, a->here);
	size_t stop_at = a->edu >= 0 ? a->stop_at[a->edu] : 0;
	aligner saved;

	if (begins)
		pass_edus(a, sent);
	saved = *a;
	if (take_sentence(a, sent, out, err) == 0)
		return 0;
	*ended = a->over || (begins && !a->exact && saved.edu >= 0 && a->size < saved.size + ENOUGH);
	if (*ended && !a->over)
		go_back(a, &saved, stop_at);
	return HP_FAIL;
}

/* Room for the new texts: every token with a blank, and the pieces in which EDUs cut them. */
static int prepare(aligner *a, int from, int count, hp_error *err)
{
	size_t edus = a->t->edus, size = 2 * edus + 16, tokens = edus;

	for (int i = from; i < from + count; i++) {
		const hp_token_range *sent = &a->s->sentence[i];

		tokens += sent->tokens;
		a->end = sent->first + sent->tokens;
		for (int32_t k = sent->first; k < sent->first + sent->tokens; k++)
			size += a->s->token[k].size + a->s->token[k].surface_size + 2;
	}
	a->out = malloc(size);
	a->start = calloc(2 * edus, sizeof(*a->start));
	a->token = malloc(tokens * sizeof(*a->token));
	if (!a->out || !a->start || !a->token)
		return hp_fail_memory(err);
	a->stop_at = a->start + edus;
	return 0;
}

/* *LEFT_OUT is how many EDUs keep their own texts, which nothing came for. */
static int replace_texts(aligner *a, int *left_out, hp_error *err)
{
	*left_out = 0;
	for (int e = 0; e < a->t->edus; e++) {
		hp_rst_edu *edu = &a->t->edu[e];
		size_t size = a->stop_at[e] - a->start[e];
		const char *copy;

		if (size == 0) {
			place p = {e, 0};
			int32_t code;

			/* Those of nothing but unusual blanks have nothing to be left out. */
			*left_out += hp_place_next(a->t, &p, &code) > 0 && p.edu == e;
			continue;
		}
		copy = hp_rst_copy(a->t, a->out + a->start[e], size);
		if (!copy)
			return hp_fail_memory(err);
		edu->text = copy;
		edu->size = size;
	}
	return 0;
}

/* What the document has behind the last sentence: EDUs to be left out, but for characters that are forgiven. */
static int check_rest(aligner *a, hp_error *err)
{
	place p = a->here;
	int32_t code;
	int more = 0, length = hp_place_next(a->t, &p, &code);

	if (length == 0 || (a->lenient && a->edu >= 0 && hp_place_begins(a->t, p)))
		return 0;
	for (int32_t edu = p.edu; length > 0 && p.edu == edu && more <= a->left; more++) {
		p.at += length;
		length = hp_place_next(a->t, &p, &code);
	}
	return a->edu >= 0 && more <= a->left ? 0 : mismatch(a, a->end, err);
}

static int align(aligner *a, int from, int count, hp_alignment *out, hp_error *err)
{
	hp_extent *before = NULL; /* the last one that is not empty */
	hp_error why;
	bool ended = false;

	for (out->used = 0; out->used < count; out->used++) {
		hp_extent *extent = &out->extent[out->used];

		if (!a->exact && is_at_end(a))
			break;
		if (take_or_end(a, &a->s->sentence[from + out->used], extent, &ended, &why) != 0) {
			if (err && !ended)
				*err = why;
			if (!ended)
				return HP_FAIL;
			if (!a->over)
				out->doubt = why;
			break;
		}
		if (extent->first < 0)
			continue;
		if (before && before->last == extent->first)
			before->crossed = extent->crossed = true;
		else if (before && a->s->sentence[from + out->used].paragraph)
			a->t->edu[before->last].paragraph = true;
		before = extent;
	}
	return check_rest(a, err) != 0 ? HP_FAIL : replace_texts(a, &out->left_out, err);
}

/* All of hp_align; A->token is the caller's to free. */
static int run(aligner *a, int from, int count, hp_alignment *out, hp_error *err)
{
	size_t bytes = 0;
	int status;

	memset(out, 0, sizeof(*out));
	/* No document has more sentences than characters; what comes after it may be long. */
	for (int e = 0; e < a->t->edus; e++)
		bytes += a->t->edu[e].size;
	if (!a->exact && (size_t)count > bytes)
		count = (int)bytes;
	out->extent = calloc((size_t)count + 1, sizeof(*out->extent));
	status = out->extent ? prepare(a, from, count, err) : hp_fail_memory(err);
	if (status == 0)
		status = align(a, from, count, out, err);
	free(a->out);
	free(a->start);
	hp_fix_free(&a->fix);
	if (status != 0) {
		free(out->extent);
		out->extent = NULL;
	}
	return status;
}

int hp_align(hp_rst_tree *t, const char *name, hp_stretch s, int differences, hp_alignment *out, hp_error *err)
{
	aligner a = {.t = t,
	             .name = name,
	             .s = s.of,
	             .lenient = true,
	             .exact = s.exact,
	             .differences = differences,
	             .left = differences,
	             .edu = -1};
	int status = run(&a, s.from, s.count, out, err);

	free(a.token);
	return status;
}

static bool is_further(place a, place b)
{
	return a.edu != b.edu ? a.edu > b.edu : a.at > b.at;
}

int hp_align_next(hp_rst_tree *t, const char *name, const hp_sentence_file *s, int *from, const int32_t **token,
                  int *tokens, hp_error *err)
{
	place furthest = {-1, 0};
	hp_error inner;

	if (*from >= s->sentences)
		return hp_fail_at(err, name, t->line, "a tree after the last sentence of %s", s->name);
	for (int i = *from; i < s->sentences; i++) {
		aligner a = {.t = t, .name = name, .s = s, .edu = -1};
		hp_alignment found;
		int status = run(&a, i, s->sentences - i, &found, &inner);

		if (status == 0) {
			*tokens = a.tokens;
			*token = (const int32_t *)hp_rst_copy(t, (const char *)a.token, a.tokens * sizeof(*a.token));
			*from = i + found.used;
		} else if (err && is_further(a.here, furthest)) {
			furthest = a.here;
			*err = inner;
		}
		free(found.extent);
		free(a.token);
		if (status == 0)
			return *token ? 0 : hp_fail_memory(err);
	}
	return HP_FAIL;
}
