/* dis_heading.c: the comments before a tree: its name, its rank and score, the ends of its sentences. */
#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/utf8.h"
#include "rst/build.h"
#include "rst/dis_parse.h"

static const char *pass_blanks(const char *p, const char *stop)
{
	while (p < stop && hp_is_white(*p))
		p++;
	return p;
}

/* Moves *P over WORD and the blanks behind it, if it comes there. */
static bool takes_word(const char **p, const char *stop, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(stop - *p) < size || memcmp(*p, word, size) != 0)
		return false;
	*p = pass_blanks(*p + size, stop);
	return true;
}

static void take_ends(hp_dis_heading *h, const char *p, const char *stop, long line)
{
	if (!takes_word(&p, stop, "="))
		return;
	h->ends = p;
	h->ends_stop = stop;
	h->ends_line = line;
}

/* "= 2", a rank. */
static void take_rank(hp_dis_heading *h, const char *p, const char *stop)
{
	int64_t rank = 0;

	if (!takes_word(&p, stop, "=") || p == stop)
		return;
	for (; p < stop && *p >= '0' && *p <= '9' && rank <= INT32_MAX; p++)
		rank = 10 * rank + (*p - '0');
	if (p == stop && rank <= INT32_MAX)
		h->nbest = (int)rank;
}

/* "= -2.0645": minus, digits, a point and digits. */
static void take_score(hp_dis_heading *h, const char *p, const char *stop)
{
	static const char digits[] = "0123456789";

	if (!takes_word(&p, stop, "="))
		return;
	char text[32];
	size_t size = (size_t)(stop - p), at;
	if (size == 0 || size >= sizeof text)
		return;
	memcpy(text, p, size);
	text[size] = '\0';
	at = text[0] == '-';
	size_t whole = strspn(text + at, digits);
	at += whole;
	size_t part = text[at] == '.' ? strspn(text + at + 1, digits) : 0;
	if (whole == 0 || (whole > 1 && text[text[0] == '-'] == '0') || at + (part > 0 ? part + 1 : 0) != size)
		return;
	h->score = p;
	h->score_size = size;
}

const char *hp_dis_take_comment(hp_dis_heading *h, const char *p, const char *end, long line)
{
	const char *stop = memchr(p, '\n', end - p), *next = stop ? stop : end;
	bool sentence, document;

	for (stop = next; stop > p && hp_is_white(stop[-1]); stop--)
		;
	p = pass_blanks(p + 1, stop);
	if (takes_word(&p, stop, "unparsed")) {
		h->unparsed |= takes_word(&p, stop, "=");
		return next;
	}
	if (takes_word(&p, stop, "nbest")) {
		take_rank(h, p, stop);
		return next;
	}
	if (takes_word(&p, stop, "score")) {
		take_score(h, p, stop);
		return next;
	}
	if (takes_word(&p, stop, "sent_ends")) {
		take_ends(h, p, stop, line);
		return next;
	}
	sentence = takes_word(&p, stop, "sent_id");
	document = !sentence &&
	           (takes_word(&p, stop, "newdoc_id") || (takes_word(&p, stop, "newdoc") && takes_word(&p, stop, "id")));
	if (!(sentence || (document && !h->sentence)) || !takes_word(&p, stop, "="))
		return next;
	h->id = p;
	h->id_size = stop - p;
	h->sentence = sentence;
	return next;
}

/* The number of an EDU, at P; it must be greater than BEFORE and not greater than MOST.  0: it is none. */
static int32_t number_at(const char *p, const char *stop, int32_t before, int32_t most)
{
	int64_t value = 0;

	for (; p < stop && value <= most; p++) {
		if (*p < '0' || *p > '9')
			return 0;
		value = 10 * value + (*p - '0');
	}
	return value > before && value <= most ? (int32_t)value : 0;
}

/* Into END [edus of T]; returns how many, 0 after a failure. */
static int read_ends(const hp_dis_heading *h, const hp_rst_tree *t, const char *name, int32_t *end, hp_error *err)
{
	const char *p = h->ends, *word;
	int32_t last = 0;
	int sents = 0;

	while (last < t->edus || p < h->ends_stop) {
		for (word = p; p < h->ends_stop && !hp_is_white(*p); p++)
			;
		last = number_at(word, p, last, t->edus);
		if (last == 0) {
			int shown = hp_utf8_shown(word, p - word < 40 ? p - word : 40);

			return (void)hp_fail_at(err, name, h->ends_line,
			                        "'%.*s' in sent_ends, expected the last EDU of each sentence, the last of them %d",
			                        shown, word, t->edus),
			       0;
		}
		end[sents++] = last - 1;
		p = pass_blanks(p, h->ends_stop);
	}
	return sents;
}

int hp_dis_set_heading(const hp_dis_heading *h, hp_rst_tree *t, const char *name, hp_error *err)
{
	int32_t *end;
	int sents, status = HP_FAIL;

	if (h->id_size > 0 && !(t->id = hp_rst_copy(t, h->id, h->id_size)))
		return hp_fail_memory(err);
	if (h->score_size > 0 && !(t->score = hp_rst_copy(t, h->score, h->score_size)))
		return hp_fail_memory(err);
	t->nbest = h->nbest;
	t->document = t->id && !h->sentence;
	t->unparsed = h->unparsed;
	if (h->ends_line == 0)
		return 0;
	end = malloc((size_t)t->edus * sizeof(*end));
	if (!end)
		return hp_fail_memory(err);
	sents = read_ends(h, t, name, end, err);
	if (sents > 0)
		status = hp_rst_set_sentences(t, sents, end, err);
	free(end);
	return status;
}

void hp_dis_write_heading(const hp_rst_tree *t, FILE *out)
{
	if (t->nbest > 0)
		fprintf(out, "# nbest = %d\n", t->nbest);
	if (t->score)
		fprintf(out, "# score = %s\n", t->score);
	if (t->id)
		fprintf(out, "# %s = %s\n", t->document ? "newdoc id" : "sent_id", t->id);
	if (t->sents == 0)
		return;
	fputs("# sent_ends =", out);
	for (int i = 0; i < t->sents; i++)
		fprintf(out, " %d", t->sent_end[i] + 1);
	fputc('\n', out);
}
