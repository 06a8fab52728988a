/* brackets.c: reads trees in brackets, and their EDUs. */
#include "rst/brackets.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/grow.h"
#include "base/utf8.h"
#include "rst/build.h"
#include "rst/dis_parse.h"
#include "text/edus.h"

#define LINE_LIMIT ((size_t)64 << 20)

/* A file of lines. */
typedef struct lines {
	hp_input *in;
	long number; /* of the line handed out last */
	size_t taken; /* its bytes, still in the input */
	bool indented; /* it begins with a blank */
} lines;

/* A child in a bracket. */
typedef struct half {
	int32_t first, last; /* EDUs from 1 */
	hp_rst_role role;
	const char *relation;
	size_t size;
	int bracket; /* the number of its bracket */
} half;

struct hp_brackets {
	lines trees, edus;
	half *half; /* of the tree being read */
	size_t halves, capacity;
	size_t *stack; /* halves to be written, the next one on top; CLOSE for the end of a node */
	size_t stack_capacity;
	char *squeezed; /* an EDU */
	size_t squeezed_capacity;
	int32_t *end; /* of sentences */
	size_t end_capacity;
};

#define CLOSE SIZE_MAX

int hp_brackets_new(hp_input *in, hp_input *edus, hp_brackets **out, hp_error *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return hp_fail_memory(err);
	(*out)->trees.in = in;
	(*out)->edus.in = edus;
	return 0;
}

void hp_brackets_destroy(hp_brackets *b)
{
	if (!b)
		return;
	free(b->half);
	free(b->stack);
	free(b->squeezed);
	free(b->end);
	free(b);
}

/* ---- lines ---- */

static int fail_line(const lines *l, const char *what, hp_error *err)
{
	return hp_fail_at(err, hp_input_name(l->in), l->number, "%s", what);
}

/* The next line without blanks around it; valid until the next call.  Returns 1, 0 at the end, HP_FAIL. */
static int next_line(lines *l, const char **line, size_t *size, hp_error *err)
{
	const char *data, *stop = NULL;
	size_t have, want = 1 << 16;

	hp_input_skip(l->in, l->taken);
	l->taken = 0;
	for (;; want *= 2) {
		if (hp_input_peek(l->in, 1, &data, &have, err) != 0)
			return HP_FAIL;
		stop = memchr(data, '\n', have);
		if (!stop && hp_input_peek(l->in, want, &data, &have, err) != 0)
			return HP_FAIL;
		stop = memchr(data, '\n', have);
		if (stop || have < want)
			break;
		if (want > LINE_LIMIT)
			return hp_fail_at(err, hp_input_name(l->in), l->number + 1, "a line of more than %zu MiB",
			                  LINE_LIMIT >> 20);
	}
	if (have == 0)
		return 0;
	*size = stop ? (size_t)(stop - data) : have;
	l->taken = *size + (stop != NULL);
	if (l->number++ == 0 && *size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
		data += 3, *size -= 3;
	l->indented = *size > 0 && *data == ' ';
	for (; *size > 0 && hp_is_white(*data); data++, --*size)
		;
	for (; *size > 0 && hp_is_white(data[*size - 1]); --*size)
		;
	*line = data;
	if (memchr(data, '\0', *size) || hp_utf8_valid_prefix(data, *size) != *size)
		return fail_line(l, "a NUL byte or invalid UTF-8, expected text", err);
	return 1;
}

/* ---- a line of brackets ---- */

static const char *number(const char *p, const char *stop, int32_t *value)
{
	int64_t v = 0;
	const char *from = p;

	for (; p < stop && *p >= '0' && *p <= '9' && v <= INT32_MAX; p++)
		v = 10 * v + (*p - '0');
	*value = (int32_t)v;
	return p > from && v > 0 && v <= INT32_MAX ? p : NULL;
}

static const char *word(const char *p, const char *stop, const char *wanted)
{
	size_t size = strlen(wanted);

	return p && (size_t)(stop - p) >= size && memcmp(p, wanted, size) == 0 ? p + size : NULL;
}

/* "Nucleus=" or "Satellite=" */
static const char *role(const char *p, const char *stop, hp_rst_role *out)
{
	for (*out = HP_RST_NUCLEUS; p && *out <= HP_RST_SATELLITE; ++*out) {
		const char *after = word(word(p, stop, hp_dis_role_name[*out]), stop, "=");

		if (after)
			return after;
	}
	return NULL;
}

/* Whether P is where another child begins, or the bracket ends. */
static bool begins(const char *p, const char *stop)
{
	hp_rst_role any;
	int32_t value;

	if (word(p, stop, ")"))
		return true;
	p = word(p, stop, ",");
	return p && role(word(number(p, stop, &value), stop, ":"), stop, &any);
}

/* FIRST:Role=relation:LAST, from P on; NULL: it is no such thing.  A relation may have colons of its own. */
static const char *take_half(const char *p, const char *stop, half *h)
{
	p = role(word(number(p, stop, &h->first), stop, ":"), stop, &h->role);
	if (!p)
		return NULL;
	h->relation = p;
	for (; p < stop && *p != ')' && *p != ' '; p++) {
		const char *after = *p == ':' ? number(p + 1, stop, &h->last) : NULL;

		if (after && begins(after, stop)) {
			h->size = p - h->relation;
			return hp_rst_is_name(h->relation, h->size) ? after : NULL;
		}
	}
	return NULL;
}

static int fail_shape(const hp_brackets *b, const char *p, const char *stop, hp_error *err)
{
	return hp_fail_at(err, hp_input_name(b->trees.in), b->trees.number,
	                  "'%.*s', expected a bracket such as (1:Nucleus=span:1,2:Satellite=Cause:3)",
	                  hp_utf8_shown(p, stop - p), p);
}

static int take_line(hp_brackets *b, const char *line, size_t size, hp_error *err)
{
	const char *p = line, *stop = line + size, *at;
	int bracket = 0;

	b->halves = 0;
	if (size == 4 && memcmp(line, "NONE", 4) == 0)
		return 0;
	while (p < stop) {
		at = p;
		if (*p++ != '(')
			return fail_shape(b, at, stop, err);
		do {
			half h = {.bracket = bracket};

			p = take_half(p, stop, &h);
			if (!p)
				return fail_shape(b, at, stop, err);
			if (!hp_grow(&b->half, &b->capacity, b->halves + 1, sizeof(*b->half)))
				return hp_fail_memory(err);
			b->half[b->halves++] = h;
		} while (*p++ == ',');
		bracket++;
		while (p < stop && *p == ' ')
			p++;
	}
	return 0;
}

/* ---- the EDUs' texts ---- */

/* A line before the first EDU: takes over the name that it gives the tree, unless the tree has one.  Returns 1 where it is
 * no such line, 0, HP_FAIL. */
static int take_name(hp_brackets *b, hp_rst_tree *t, const char *line, size_t size, hp_dis_heading *h, hp_error *err)
{
	hp_dis_heading own = {0};
	const char *copy;

	if (*line == '#' && !b->edus.indented)
		(void)hp_dis_take_comment(&own, line, line + size, b->edus.number);
	if (own.id_size == 0 || h->id_size > 0)
		return own.id_size == 0;
	copy = hp_rst_copy(t, own.id, own.id_size);
	if (!copy)
		return hp_fail_memory(err);
	h->id = copy;
	h->id_size = own.id_size;
	h->sentence = own.sentence;
	return 0;
}

/* Adds the next EDU to the tree; where a blank line follows a sentence ends. */
static int take_edu(hp_brackets *b, hp_rst_build *build, hp_dis_heading *h, int *sents, hp_error *err)
{
	hp_rst_tree *t = build->t;
	const char *line;
	bool paragraph, blank = false;
	size_t size;
	int got;

	while ((got = next_line(&b->edus, &line, &size, err)) == 1 && (size == 0 || t->edus == 0)) {
		blank = true;
		if (size > 0 && (got = take_name(b, t, line, size, h, err)) != 0)
			break;
	}
	if (got < 0)
		return HP_FAIL;
	if (got == 0)
		return hp_fail_at(err, hp_input_name(b->edus.in), b->edus.number,
		                  "the last EDU, expected one more: number %d of the tree at %s:%ld", t->edus + 1,
		                  hp_input_name(b->trees.in), b->trees.number);
	if (!hp_grow(&b->end, &b->end_capacity, (size_t)*sents + 2, sizeof(*b->end)) ||
	    !hp_grow(&b->squeezed, &b->squeezed_capacity, size + 1, 1))
		return hp_fail_memory(err);
	if (blank && t->edus > 0)
		b->end[(*sents)++] = t->edus - 1;
	size = hp_edus_cut_paragraph(b->squeezed, hp_rst_squeeze(line, size, b->squeezed), &paragraph);
	if (size == 0)
		return fail_line(&b->edus, "an EDU without text", err);
	hp_rst_build_edu(build, b->squeezed, size, paragraph, b->edus.number);
	return 0;
}

/* Behind a tree's last EDU. */
static int end_edus(hp_brackets *b, bool last, hp_error *err)
{
	const char *line;
	size_t size;
	int got = next_line(&b->edus, &line, &size, err);

	while (last && got == 1 && size == 0)
		got = next_line(&b->edus, &line, &size, err);
	if (got == 1 && size > 0)
		return fail_line(&b->edus, last ? "an EDU behind those of the last tree" : "an EDU more than the tree has",
		                 err);
	return got < 0 ? HP_FAIL : 0;
}

/* ---- the tree ---- */

static int fail_span(const hp_brackets *b, int32_t first, int32_t last, hp_error *err)
{
	return hp_fail_at(err, hp_input_name(b->trees.in), b->trees.number,
	                  "the brackets are no tree: expected next the one of EDUs %d to %d, its children side by side",
	                  first, last);
}

/* The children in the bracket that begins with half *NEXT, which must be those of EDUs FIRST ... LAST; onto the stack. */
static int push_children(hp_brackets *b, int32_t first, int32_t last, size_t *next, size_t *depth, hp_error *err)
{
	size_t from = *next, to = from;
	int32_t at = first;

	for (; to < b->halves && b->half[to].bracket == b->half[from].bracket; to++) {
		if (b->half[to].first != at || b->half[to].last < at || b->half[to].last > last)
			return fail_span(b, first, last, err);
		at = b->half[to].last + 1;
	}
	if (to < from + 2 || at != last + 1)
		return fail_span(b, first, last, err);
	if (!hp_grow(&b->stack, &b->stack_capacity, *depth + (to - from) + 2, sizeof(*b->stack)))
		return hp_fail_memory(err);
	b->stack[(*depth)++] = CLOSE;
	for (size_t k = to; k > from; k--)
		b->stack[(*depth)++] = k - 1;
	*next = to;
	return 0;
}

static int build_tree(hp_brackets *b, hp_rst_build *build, hp_dis_heading *h, int *sents, hp_error *err)
{
	size_t depth = 0, next = 0, last = 0;
	int status = 0;

	hp_rst_build_open(build, HP_RST_ROOT, "", 0, b->trees.number);
	if (b->halves == 0) {
		status = take_edu(b, build, h, sents, err);
		hp_rst_build_close(build);
		return status;
	}
	while (last + 1 < b->halves && b->half[last + 1].bracket == 0)
		last++;
	status = push_children(b, 1, b->half[last].last, &next, &depth, err);
	while (depth > 0 && status == 0) {
		size_t k = b->stack[--depth];
		const half *top = k == CLOSE ? NULL : &b->half[k];

		if (!top) {
			hp_rst_build_close(build);
			continue;
		}
		hp_rst_build_open(build, top->role, top->relation, top->size, b->trees.number);
		if (top->first < top->last) {
			status = push_children(b, top->first, top->last, &next, &depth, err);
			continue;
		}
		status = take_edu(b, build, h, sents, err);
		hp_rst_build_close(build);
	}
	return status == 0 && next < b->halves ? hp_fail_at(err, hp_input_name(b->trees.in), b->trees.number,
	                                                    "%d EDUs, but brackets behind those of all", build->t->edus)
	                                       : status;
}

static int read_tree(hp_brackets *b, const char *line, size_t size, hp_dis_heading *h, hp_rst_build *build,
                     hp_error *err)
{
	hp_rst_tree *t = build->t;
	int sents = 0;

	if (take_line(b, line, size, err) != 0 || build_tree(b, build, h, &sents, err) != 0 ||
	    hp_rst_build_end(build, err) != 0 || end_edus(b, false, err) != 0)
		return HP_FAIL;
	t->line = b->trees.number;
	if (hp_dis_set_heading(h, t, hp_input_name(b->trees.in), err) != 0)
		return HP_FAIL;
	if (sents == 0 || t->sents > 0)
		return 0;
	b->end[sents++] = t->edus - 1;
	return hp_rst_set_sentences(t, sents, b->end, err);
}

int hp_brackets_read(hp_brackets *b, hp_rst_tree *t, hp_error *err)
{
	hp_dis_heading h = {0};
	hp_rst_build build;
	const char *line;
	size_t size;
	int got;

	hp_rst_build_start(&build, t, hp_input_name(b->trees.in));
	if (build.failed)
		return hp_fail_memory(err);
	while ((got = next_line(&b->trees, &line, &size, err)) == 1 && (size == 0 || *line == '#')) {
		const char *copy = hp_rst_copy(t, line, size);

		if (!copy)
			return hp_fail_memory(err);
		if (size > 0)
			(void)hp_dis_take_comment(&h, copy, copy + size, b->trees.number);
	}
	if (got == 1 && read_tree(b, line, size, &h, &build, err) != 0)
		got = HP_FAIL;
	if (got == 0 && end_edus(b, true, err) != 0)
		got = HP_FAIL;
	if (got != 1)
		t->edus = t->nodes = 0;
	return got;
}
