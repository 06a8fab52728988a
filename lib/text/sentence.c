/* sentence.c: a sentence in memory: made from text, its tree checked, written with another tree. */
#include "text/conllu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "text/sentence_builder.h"
#include "text/values.h"

enum { SHOWN = 40, PROB_DIGITS = 10000 };

void hp_sentence_init(hp_sentence *s)
{
	memset(s, 0, sizeof(*s));
}

void hp_sentence_free(hp_sentence *s)
{
	free(s->text);
	free(s->word);
	hp_sentence_init(s);
}

/* Adds the lines of TEXT, between which there must be no empty one. */
static int add_lines(hp_builder *b, const char *text, size_t size, long number)
{
	const char *end = text + size;
	bool ended = false;

	for (; text < end; number++) {
		const char *stop = memchr(text, '\n', end - text), *line = text;
		size_t length = (stop ? stop : end) - line;

		text = stop ? stop + 1 : end;
		hp_builder_trim(&line, &length);
		if (length == 0) {
			ended = b->s.size > 0;
			continue;
		}
		if (ended && !b->failed) {
			hp_fail_at(&b->err, b->name, number, "a second sentence, expected one");
			b->failed = true;
		}
		if (hp_builder_line(b, line, length, number) != 0)
			return HP_FAIL;
	}
	return 0;
}

int hp_sentence_parse(hp_sentence *s, const hp_columns *columns, const char *text, size_t size, const char *name,
                      long line, int max_words, hp_error *err)
{
	hp_builder b = {.s = *s};
	int status;

	hp_builder_start(&b, columns, name, max_words);
	b.s.line = line;
	status = add_lines(&b, text, size, line);
	if (status == 0) {
		hp_builder_end(&b);
		status = b.failed ? HP_FAIL : 0;
	} else {
		b.s.size = 0;
		b.s.words = 0;
	}
	*s = b.s;
	if (status != 0 && err)
		*err = b.err;
	return status;
}

hp_rows hp_sentence_rows(const hp_sentence *s)
{
	return (hp_rows){s, s->size > 0 ? s->text + s->rows_at : NULL, s->rows_at > 0 ? s->rows_line : s->line};
}

bool hp_row_id_has(const hp_word *row, char c)
{
	return memchr(row->col[HP_ID], c, row->len[HP_ID]);
}

bool hp_rows_next(hp_rows *r, hp_word *row)
{
	const hp_columns *c = &r->s->columns;
	const char *end = r->s->text + r->s->size;

	while (r->next && r->next < end) {
		const char *line = r->next, *stop = memchr(line, '\n', end - line);

		r->next = stop + 1; /* there is a newline after each */
		row->line = r->line++;
		if (!hp_is_comment(c, line, stop - line)) {
			hp_split_row(c, line, stop - line, row);
			return true;
		}
	}
	return false;
}

bool hp_word_head(const hp_word *w, int words, int32_t *head)
{
	int64_t value = 0;

	for (uint32_t i = 0; i < w->len[HP_HEAD]; i++) {
		char c = w->col[HP_HEAD][i];
		if (c < '0' || c > '9' || value > words)
			return false;
		value = value * 10 + (c - '0');
	}
	*head = (int32_t)value;
	return w->len[HP_HEAD] > 0 && value <= words;
}

int hp_sentence_needs_tree(const hp_sentence *s, const char *name, hp_error *err)
{
	const hp_columns *c = &s->columns;

	if (c->count == 0 || (c->at[HP_HEAD] >= 0 && c->at[HP_DEPREL] >= 0))
		return 0;
	return hp_fail_at(err, name, c->line > 0 ? c->line : s->line, "no column %s, expected HEAD and DEPREL",
	                  c->at[HP_HEAD] < 0 ? "HEAD" : "DEPREL");
}

/* HEAD of word I + 1, or HP_FAIL. */
static int read_head(const hp_sentence *s, int i, const char *name, int32_t *head, hp_error *err)
{
	const hp_word *w = &s->word[i];
	const char *p = w->col[HP_HEAD];
	uint32_t size = w->len[HP_HEAD];
	int shown = size < SHOWN ? (int)size : SHOWN;
	int64_t value = 0;

	for (uint32_t k = 0; k < size; k++) {
		if (p[k] < '0' || p[k] > '9')
			size = 0; /* no number */
		else if (value <= s->words)
			value = value * 10 + (p[k] - '0');
	}
	if (size == 0)
		return hp_fail_at(err, name, w->line, "HEAD \"%.*s\" of word %d, expected a number", shown, p, i + 1);
	if (value > s->words)
		return hp_fail_at(err, name, w->line, "HEAD %.*s of word %d is out of range, expected 0 to %d", shown, p, i + 1,
		                  s->words);
	if (value == i + 1)
		return hp_fail_at(err, name, w->line, "cycle: word %d is its own head", i + 1);
	*head = (int32_t)value;
	return 0;
}

/* Follows the heads from each word; MARK[w] says from which word w was reached first. */
static int find_cycle(const hp_sentence *s, const char *name, const int32_t *heads, int32_t *mark, hp_error *err)
{
	for (int32_t from = 1; from <= s->words; from++) {
		int32_t w = from;

		while (w != 0 && mark[w] == 0) {
			mark[w] = from;
			w = heads[w];
		}
		if (w != 0 && mark[w] == from)
			return hp_fail_at(err, name, s->word[w - 1].line, "cycle: word %d is above itself, by its head %d", (int)w,
			                  (int)heads[w]);
	}
	return 0;
}

int hp_sentence_tree(const hp_sentence *s, const char *name, int32_t *heads, hp_error *err)
{
	int32_t root = 0, *mark;
	int status;

	heads[0] = 0;
	if (s->words == 0)
		return 0;
	if (hp_sentence_needs_tree(s, name, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < s->words; i++) {
		if (read_head(s, i, name, &heads[i + 1], err) != 0)
			return HP_FAIL;
		if (s->word[i].len[HP_DEPREL] == 0)
			return hp_fail_at(err, name, s->word[i].line, "empty DEPREL");
		if (heads[i + 1] != 0)
			continue;
		if (root > 0)
			return hp_fail_at(err, name, s->word[i].line, "several roots: words %d and %d have HEAD 0", (int)root,
			                  i + 1);
		root = i + 1;
	}
	if (root == 0)
		return hp_fail_at(err, name, s->word[0].line, "no root: no word of this sentence has HEAD 0");
	mark = calloc((size_t)s->words + 1, sizeof(*mark));
	if (!mark)
		return hp_fail_memory(err);
	status = find_cycle(s, name, heads, mark, err);
	free(mark);
	return status;
}

static void put(FILE *out, const char *bytes, size_t size)
{
	(void)fwrite_unlocked(bytes, 1, size, out); /* ferror is asked at the end */
}

/* What is new of a word. */
typedef struct arc {
	int32_t head;
	const char *label;
	const float *arc_prob, *label_prob; /* NULL: none */
} arc;

static arc arc_of(const hp_found_tree *tree, int word)
{
	const char *label = tree->labels ? tree->labels[word] : NULL;

	return (arc){tree->heads[word], label ? label : "_", tree->arc_prob ? &tree->arc_prob[word] : NULL,
	             tree->label_prob ? &tree->label_prob[word] : NULL};
}

static void put_misc(FILE *out, const char *misc, size_t size, const arc *a)
{
	static const char *const keys[] = {"ArcProb", "LabelProb"};

	hp_misc_write(out, misc, size, 2, keys, (const float *const[]){a->arc_prob, a->label_prob});
}

/* Whether the line from P on, which ends with a newline, is a comment "# score = ..." or "# nbest = ...". */
static bool is_score(const char *p)
{
	static const char names[][6] = {"score", "nbest"};
	enum { LENGTH = sizeof(*names) - 1 };

	if (*p++ != '#')
		return false;
	while (hp_is_blank(*p))
		p++;
	if (strncmp(p, names[0], LENGTH) != 0 && strncmp(p, names[1], LENGTH) != 0)
		return false;
	p += LENGTH;
	while (hp_is_blank(*p))
		p++;
	return *p == '=';
}

/* P to END of the text of S, but for comments with rank and score of an earlier tree. */
static void put_text(FILE *out, const hp_sentence *s, const char *p, const char *end)
{
	while (p < end) {
		const char *newline = memchr(p, '\n', end - p), *next = newline ? newline + 1 : end;

		if ((p > s->text && p[-1] != '\n') || !is_score(p))
			put(out, p, next - p);
		p = next;
	}
}

void hp_score_write(FILE *out, int rank, const float *score)
{
	char text[48];

	if (rank > 0)
		put(out, text, snprintf(text, sizeof(text), "# nbest = %d\n", rank));
	if (!score || isnan(*score))
		return;
	long long n = llrint(fabs((double)*score) * PROB_DIGITS);
	put(out, text,
	    snprintf(text, sizeof(text), "# score = %s%lld.%04lld\n", *score < 0 && n > 0 ? "-" : "", n / PROB_DIGITS,
	             n % PROB_DIGITS));
}

/* The comments before the first row, with rank and score behind them.  Returns where that row begins. */
static const char *put_comments(FILE *out, const hp_sentence *s, const char *p, const hp_found_tree *tree)
{
	const char *first = p, *end = s->text + s->size;

	while (p < end && *p == '#') {
		const char *newline = memchr(p, '\n', end - p);

		if (p >= s->text + s->rows_at && !hp_is_comment(&s->columns, p, newline - p))
			break;
		p = newline + 1;
	}
	put_text(out, s, first, p);
	hp_score_write(out, tree->rank, tree->score);
	return p;
}

static void put_head(FILE *out, int32_t head)
{
	char number[16];

	put(out, number, snprintf(number, sizeof(number), "%d", (int)head));
}

/* Columns HEAD to MISC of a word of CoNLL-U. */
static void put_plain(FILE *out, const hp_word *w, const arc *a)
{
	bool x = hp_row_is_conllx(w);

	put_head(out, a->head);
	put(out, "\t", 1);
	put(out, a->label, strlen(a->label));
	put(out, "\t_\t", 3);
	put_misc(out, x ? "_" : w->col[HP_MISC], x ? 1 : w->len[HP_MISC], a);
}

/* The row from P to END, which has columns C. */
static void put_row(FILE *out, const hp_columns *c, const char *p, const char *end, const arc *a)
{
	for (int k = 0;; k++) {
		const char *tab = memchr(p, '\t', end - p), *stop = tab ? tab : end;

		if (k == c->at[HP_HEAD] || k == c->at[HP_PHEAD])
			put_head(out, a->head);
		else if (k == c->at[HP_DEPREL] || k == c->at[HP_PDEPREL])
			put(out, a->label, strlen(a->label));
		else if (k == c->at[HP_DEPS])
			put(out, "_", 1);
		else if (k == c->at[HP_MISC])
			put_misc(out, p, stop - p, a);
		else
			put(out, p, stop - p);
		if (!tab)
			return;
		put(out, "\t", 1);
		p = tab + 1;
	}
}

/* Where the row of word W begins in the text from P on, and ends. */
static const char *find_row(const char *p, const char *text_end, const hp_word *w, const char **end)
{
	const char *before = memrchr(p, '\n', w->col[HP_ID] - p);

	*end = memchr(w->col[HP_ID], '\n', text_end - w->col[HP_ID]);
	return before ? before + 1 : p;
}

size_t hp_unparsed_size(const char *text, size_t size)
{
	const size_t mark = strlen(HP_UNPARSED);
	const char *p = text, *end = text + size, *newline;

	while ((size_t)(end - p) >= mark && memcmp(p, HP_UNPARSED, mark) == 0 && (newline = memchr(p, '\n', end - p)))
		p = newline + 1;
	return p - text;
}

int hp_sentence_write(const hp_sentence *s, const hp_found_tree *tree, FILE *out, hp_error *err)
{
	const char *p = s->text, *end, *row, *row_end;
	bool failed;

	if (s->size == 0)
		return 0;
	end = p + s->size;
	if (s->words == 0)
		tree = NULL;
	if (tree && hp_sentence_needs_tree(s, "text", err) != 0)
		return HP_FAIL;
	if (tree)
		p += hp_unparsed_size(p, s->size);
	flockfile(out);
	if (tree)
		p = put_comments(out, s, p, tree);
	for (int i = 0; tree && i < s->words; i++) {
		const hp_word *w = &s->word[i];
		const arc a = arc_of(tree, i + 1);

		if (s->columns.plain) {
			put_text(out, s, p, w->col[HP_HEAD]);
			put_plain(out, w, &a);
			p = w->col[HP_MISC] + w->len[HP_MISC];
		} else {
			row = find_row(p, end, w, &row_end);
			put_text(out, s, p, row);
			put_row(out, &s->columns, row, row_end, &a);
			p = row_end;
		}
	}
	if (tree)
		put_text(out, s, p, end);
	else
		put(out, p, end - p);
	put(out, "\n", 1);
	failed = ferror_unlocked(out);
	funlockfile(out);
	return failed ? hp_fail_errno(err, "output") : 0;
}
