/* repair.c: brings tokens and document together where they differ, by the least number of other, missing and inserted
 * characters after which they agree again.
 *
 * With d differences, the furthest that the two sides can be read on diagonal k (k characters more of the tokens than of the
 * document) is one step behind what d - 1 differences reach on the diagonals k - 1, k and k + 1, and then as far as
 * characters agree.  So d rises from 0, and neither time nor memory depends on more than its square and on how far the
 * reading went. */
#include "extract/aligner.h"

#include <stdlib.h>
#include <string.h>
#include "base/grow.h"

enum {
	AGREE = 12, /* so many characters in a row show that the two sides are together again */
	DIFFERENCES = 2000 /* in one place */
};

typedef struct unit { /* a character */
	int32_t code;
	int32_t owner; /* EDU or token */
	size_t at; /* in the owner's text */
	bool begins; /* an EDU; a token */
	bool sentence; /* begins with it */
} unit;

/* What was read of one side, which is read as far as it is needed. */
typedef struct side {
	unit *unit;
	int units;
	size_t capacity;
	int32_t owner; /* to be read next */
	size_t at;
	bool ended;
} side;

typedef struct repair {
	hp_aligner *a;
	side tree, text;
	int32_t sentence; /* of the token that is read next */
	int32_t **reached; /* [limit + 1] rows: [d][k + d] characters of the document read on diagonal k; -1: none */
	int limit, rows;
	int32_t x, y; /* the place that was found, or the furthest one */
	int d; /* differences up to it */
	bool failed; /* out of memory */
} repair;

static void add(repair *r, side *s, int32_t code, bool begins, bool sentence)
{
	if (!hp_grow(&s->unit, &s->capacity, s->units + 1, sizeof(*s->unit))) {
		r->failed = s->ended = true;
		return;
	}
	s->unit[s->units++] = (unit){code, s->owner, s->at, begins, sentence};
}

/* Character X of the document, or NULL behind its end. */
static const unit *tree_unit(repair *r, int x)
{
	side *s = &r->tree;
	const hp_rst_tree *t = r->a->t;

	while (x >= s->units && !s->ended) {
		int32_t code;
		bool begins = s->at == 0 || (s->units == 0 && hp_place_begins(t, (hp_place){s->owner, s->at}));
		size_t length = s->owner < t->edus ? hp_plain(t->edu[s->owner].text, t->edu[s->owner].size, &s->at, &code) : 0;

		if (length > 0) {
			add(r, s, code, begins, false);
			s->at += length;
		} else if (++s->owner >= t->edus) {
			s->ended = true;
		} else {
			s->at = 0;
		}
	}
	return x < s->units ? &s->unit[x] : NULL;
}

/* Character Y of the tokens. */
static const unit *text_unit(repair *r, int y)
{
	side *s = &r->text;
	const hp_sentence_file *sents = r->a->s;

	while (y >= s->units && !s->ended) {
		const hp_token *token = &sents->token[s->owner];
		int32_t code;
		bool begins = s->at == 0;
		size_t length;

		if (s->owner >= r->a->end) {
			s->ended = true;
			break;
		}
		while (r->sentence < sents->sentences && sents->sentence[r->sentence].first < s->owner)
			r->sentence++;
		length = hp_plain(sents->text + token->at, token->size, &s->at, &code);
		if (length > 0) {
			bool sentence = begins && r->sentence < sents->sentences && sents->sentence[r->sentence].first == s->owner;

			add(r, s, code, begins, sentence);
			s->at += length;
		} else {
			s->owner++;
			s->at = 0;
		}
	}
	return y < s->units ? &s->unit[y] : NULL;
}

/* Whether the two sides are together at X and Y, AGREE characters aside. */
static bool is_end(repair *r, int x, int y)
{
	const unit *found = tree_unit(r, x), *wanted = text_unit(r, y);

	if (!wanted)
		return !found || (r->a->lenient && found->begins);
	return !found && !r->a->exact && wanted->sentence;
}

/* A token that begins between Y and STOP, where both sides agree; -1: none. */
static int token_between(repair *r, int y, int stop, int d)
{
	for (int i = d == 0 && y == 0 ? 1 : y; i <= stop; i++) {
		const unit *u = text_unit(r, i);

		if (u && u->begins)
			return i;
	}
	return -1;
}

/* How far D - 1 differences and one more reach on diagonal K; -1: not at all. */
static int32_t step(repair *r, int d, int k)
{
	const int32_t *row = d > 0 ? r->reached[d - 1] : NULL;
	int32_t best = d == 0 ? 0 : -1, x;

	if (d > 0 && k > -d && k < d && (x = row[k + d - 1]) >= 0 && tree_unit(r, x) && text_unit(r, x + k))
		best = x + 1;
	if (d > 0 && k - 1 > -d && k - 1 < d && (x = row[k + d - 2]) > best && text_unit(r, x + k - 1))
		best = x;
	if (d > 0 && k + 1 > -d && k + 1 < d && (x = row[k + d]) >= 0 && x + 1 > best && tree_unit(r, x))
		best = x + 1;
	return best;
}

/* Reads on from X on diagonal K while both sides agree. */
static int32_t agreeing(repair *r, int32_t x, int k)
{
	const unit *found, *wanted;

	while ((found = tree_unit(r, x)) && (wanted = text_unit(r, x + k)) && found->code == wanted->code)
		x++;
	return x;
}

/* One row.  Whether the sides come together with D differences. */
static bool try_row(repair *r, int d)
{
	int32_t *row = r->reached[d];

	for (int k = -d; k <= d; k++) {
		int32_t from = step(r, d, k), to = from;
		int y;

		row[k + d] = -1;
		if (from < 0 || from + k < 0)
			continue;
		row[k + d] = to = agreeing(r, from, k);
		if (2 * to + k > r->x + r->y) {
			r->x = to;
			r->y = to + k;
		}
		y = to - from >= AGREE ? token_between(r, from + k, to + k, d) : -1;
		if (y < 0 && (!is_end(r, to, to + k) || (d == 0 && to == 0)))
			continue;
		r->y = y < 0 ? to + k : y;
		r->x = r->y - k;
		r->d = d;
		return true;
	}
	return false;
}

static bool find(repair *r)
{
	for (int d = 0; d <= r->limit && !r->failed; d++) {
		r->reached[d] = malloc((2 * (size_t)d + 1) * sizeof(**r->reached));
		if (!r->reached[d]) {
			r->failed = true;
			return false;
		}
		r->rows++;
		if (try_row(r, d))
			return !r->failed;
	}
	return false;
}

/* Goes the way to X and Y back, noting the counterpart in the document of every character of the tokens; -1: none. */
static void go_back(repair *r, int32_t *other)
{
	int32_t x = r->x;
	int k = r->y - r->x;

	for (int y = 0; y < r->y; y++)
		other[y] = -1;
	for (int d = r->d; d >= 0; d--) {
		int32_t from = step(r, d, k);
		const int32_t *row = d > 0 ? r->reached[d - 1] : NULL;

		for (; x > from; x--)
			other[x - 1 + k] = x - 1;
		if (d == 0)
			break;
		if (k > -d && k < d && row[k + d - 1] >= 0 && row[k + d - 1] + 1 == from && from - 1 + k < r->text.units) {
			x--;
			other[x + k] = x;
		} else if (k - 1 > -d && k - 1 < d && row[k + d - 2] == from && from + k - 1 < r->text.units) {
			k--;
		} else {
			k++;
			x--;
		}
	}
}

/* The EDU of characters that have none in their sentence, Y ... STOP; -1 if nothing of the sentence is in the document. */
static int32_t edu_around(const repair *r, int y, int stop)
{
	const hp_aligner *a = r->a;

	if (y == 0 && a->first >= 0)
		return a->edu;
	if (stop < r->y || stop == r->text.units || r->text.unit[stop].sentence)
		return -1;
	return r->x < r->tree.units ? r->tree.unit[r->x].owner : a->t->edus - 1;
}

/* Characters without a counterpart belong to the EDU of those before them in their sentence, or else behind them. */
static void fill_in(const repair *r, int32_t *edu)
{
	for (int y = 0, stop; y < r->y; y = stop) {
		int32_t last = -1;

		for (stop = y + 1; stop < r->y && !r->text.unit[stop].sentence; stop++)
			;
		for (int i = y; i < stop && last < 0; i++)
			last = edu[i];
		if (last < 0)
			last = edu_around(r, y, stop);
		for (int i = y; i < stop; i++)
			last = edu[i] = edu[i] < 0 ? last : edu[i];
	}
}

/* Whether the document cuts the token of characters FROM ... STOP wherever their EDUs change: it has all of them, and those on
 * both sides of a cut stand side by side. */
static bool is_cut(const int32_t *other, const int32_t *edu, int from, int stop)
{
	for (int y = from; y < stop; y++)
		if (other[y] < 0 || (y > from && edu[y] != edu[y - 1] && other[y] != other[y - 1] + 1))
			return false;
	return true;
}

/* The EDU that has most characters of the token; of two as good ones the later, for the first was read on by chance. */
static int32_t edu_of_most(const repair *r, const int32_t *other, const int32_t *edu, int from, int stop)
{
	int most = 0;
	int32_t best = edu[from];

	for (int y = from, end; y < stop; y = end) {
		int same = 0;

		for (end = y; end < stop && edu[end] == edu[y]; end++)
			same += other[end] >= 0 && r->tree.unit[other[end]].code == r->text.unit[end].code;
		if (same > 0 && same >= most) {
			most = same;
			best = edu[y];
		}
	}
	return best;
}

/* A token lies in several EDUs only where the document cuts it. */
static void join_tokens(const repair *r, const int32_t *other, int32_t *edu)
{
	for (int y = 0, stop; y < r->y; y = stop) {
		for (stop = y + 1; stop < r->y && r->text.unit[stop].owner == r->text.unit[y].owner; stop++)
			;
		if (is_cut(other, edu, y, stop))
			continue;
		int32_t whole = edu_of_most(r, other, edu, y, stop);
		for (int i = y; i < stop; i++)
			edu[i] = whole;
	}
}

/* The EDU of every character of the tokens. */
static bool find_edus(repair *r, int32_t *edu)
{
	int32_t *other = malloc(((size_t)r->y + 1) * sizeof(*other));

	if (!other)
		return false;
	go_back(r, other);
	for (int y = 0; y < r->y; y++)
		edu[y] = other[y] < 0 ? -1 : r->tree.unit[other[y]].owner;
	fill_in(r, edu);
	join_tokens(r, other, edu);
	free(other);
	return true;
}

static hp_place place_of(const repair *r, int x)
{
	if (x < r->tree.units)
		return (hp_place){r->tree.unit[x].owner, r->tree.unit[x].at};
	return (hp_place){r->a->t->edus, 0};
}

static int32_t token_of(const repair *r, int y)
{
	return y < r->text.units ? r->text.unit[y].owner : r->a->end;
}

static bool set_fix(repair *r, int32_t from)
{
	hp_fix *f = &r->a->fix;
	size_t units = r->y;

	hp_fix_free(f);
	f->token = malloc(2 * (units + 1) * sizeof(*f->token));
	f->at = malloc((units + 1) * sizeof(*f->at));
	if (!f->token || !f->at)
		return false;
	f->edu = f->token + units + 1;
	if (!find_edus(r, f->edu))
		return false;
	for (int y = 0; y < r->y; y++) {
		f->token[y] = r->text.unit[y].owner;
		f->at[y] = r->text.unit[y].at;
	}
	f->units = r->y;
	f->from = from;
	f->to = token_of(r, r->y);
	f->end = place_of(r, r->x);
	return true;
}

void hp_fix_free(hp_fix *f)
{
	free(f->token);
	free(f->at);
	memset(f, 0, sizeof(*f));
}

int hp_repair(hp_aligner *a, int32_t *i, bool *repaired, hp_error *err)
{
	repair r = {.a = a, .limit = a->left < DIFFERENCES ? a->left : DIFFERENCES};

	r.tree.owner = a->here.edu;
	r.tree.at = a->here.at;
	r.text.owner = *i;
	while (r.sentence + 1 < a->s->sentences && a->s->sentence[r.sentence + 1].first <= *i)
		r.sentence++;
	r.reached = calloc((size_t)r.limit + 1, sizeof(*r.reached));
	r.failed = !r.reached;
	*repaired = !r.failed && find(&r);
	if (*repaired) {
		r.failed = !set_fix(&r, *i);
		a->left -= r.d;
	} else if (!r.failed) {
		(void)tree_unit(&r, r.x), (void)text_unit(&r, r.y);
		a->here = place_of(&r, r.x);
		*i = token_of(&r, r.y);
	}
	for (int d = 0; d < r.rows; d++)
		free(r.reached[d]);
	free(r.reached);
	free(r.tree.unit);
	free(r.text.unit);
	return r.failed ? hp_fail_memory(err) : 0;
}
