/* conll18.c: scores as those of the CoNLL 2018 shared task. */
#include "eval/conll18.h"

#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"
#include "eval/attachment.h"

#define NAME(metric) "CoNLL-" metric

const hp_metric hp_conll18_metrics[HP_CONLL18_METRICS] = {
	[HP_CONLL18_TOKENS] = {NAME("Tokens"), HP_KIND_F1},        [HP_CONLL18_SENTENCES] = {NAME("Sentences"), HP_KIND_F1},
	[HP_CONLL18_WORDS] = {NAME("Words"), HP_KIND_F1},          [HP_CONLL18_UPOS] = {NAME("UPOS"), HP_KIND_ALIGNED},
	[HP_CONLL18_XPOS] = {NAME("XPOS"), HP_KIND_ALIGNED},       [HP_CONLL18_UFEATS] = {NAME("UFeats"), HP_KIND_ALIGNED},
	[HP_CONLL18_ALLTAGS] = {NAME("AllTags"), HP_KIND_ALIGNED}, [HP_CONLL18_LEMMAS] = {NAME("Lemmas"), HP_KIND_ALIGNED},
	[HP_CONLL18_UAS] = {NAME("UAS"), HP_KIND_ALIGNED},         [HP_CONLL18_LAS] = {NAME("LAS"), HP_KIND_ALIGNED},
	[HP_CONLL18_CLAS] = {NAME("CLAS"), HP_KIND_ALIGNED},       [HP_CONLL18_MLAS] = {NAME("MLAS"), HP_KIND_ALIGNED},
	[HP_CONLL18_BLEX] = {NAME("BLEX"), HP_KIND_ALIGNED},
};

void hp_conll18_print(const hp_tally scores[HP_CONLL18_METRICS], FILE *out)
{
	fputs("Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
	      "-----------+-----------+-----------+-----------+-----------\n",
	      out);
	for (int m = 0; m < HP_CONLL18_METRICS; m++) {
		const hp_metric *metric = &hp_conll18_metrics[m];

		fprintf(out, "%-11s|%10.2f |%10.2f |%10.2f |", metric->name + strlen(NAME("")),
		        100 * hp_tally_value(&scores[m], HP_PRECISION), 100 * hp_tally_value(&scores[m], HP_RECALL),
		        100 * hp_tally_value(&scores[m], HP_F1));
		if (metric->kind == HP_KIND_ALIGNED)
			fprintf(out, "%10.2f", 100 * hp_tally_value(&scores[m], HP_ALIGNED));
		fputc('\n', out);
	}
}

/* ---- columns ---- */

typedef struct span {
	const char *s;
	uint32_t length;
} span;

static bool listed(span word, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == word.length && !memcmp(*list, word.s, word.length))
			return true;
	return false;
}

static span relation(const hp_word *w)
{
	return (span){w->col[HP_DEPREL], hp_universal_length(w->col[HP_DEPREL], w->len[HP_DEPREL])};
}

static bool is_content(const hp_word *w)
{
	static const char *const content[] = {"nsubj",     "obj",      "iobj",       "csubj",      "ccomp", "xcomp",
	                                      "obl",       "vocative", "expl",       "dislocated", "advcl", "advmod",
	                                      "discourse", "nmod",     "appos",      "nummod",     "acl",   "amod",
	                                      "conj",      "fixed",    "flat",       "compound",   "list",  "parataxis",
	                                      "orphan",    "goeswith", "reparandum", "root",       "dep",   NULL};
	return listed(relation(w), content);
}

static bool is_functional(const hp_word *w)
{
	static const char *const functional[] = {"aux", "cop", "mark", "det", "clf", "case", "cc", NULL};
	return listed(relation(w), functional);
}

static bool is_universal_feature(span feature)
{
	static const char *const universal[] = {"PronType", "NumType", "Poss",   "Reflex", "Foreign",  "Abbr",
	                                        "Gender",   "Animacy", "Number", "Case",   "Definite", "Degree",
	                                        "VerbForm", "Mood",    "Tense",  "Aspect", "Voice",    "Evident",
	                                        "Polarity", "Person",  "Polite", NULL};
	const char *equals = memchr(feature.s, '=', feature.length);

	if (equals)
		feature.length = (uint32_t)(equals - feature.s);
	return listed(feature, universal);
}

static int compare_spans(const void *a, const void *b)
{
	const span *x = a, *y = b;
	uint32_t common = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->s, y->s, common);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* The universal features of W, sorted, in SCRATCH; NULL when out of memory. */
static span *features_of(const hp_word *w, hp_arena *scratch, int *count)
{
	const char *s = w->col[HP_FEATS], *end = s + w->len[HP_FEATS];
	size_t most = 1;
	span *out;

	for (const char *p = s; p < end; p++)
		most += *p == '|';
	out = HP_NEW(scratch, span, most);
	*count = 0;
	if (!out)
		return NULL;
	for (;;) {
		const char *bar = memchr(s, '|', end - s);
		span feature = {s, (uint32_t)((bar ? bar : end) - s)};

		if (is_universal_feature(feature))
			out[(*count)++] = feature;
		if (!bar)
			break;
		s = bar + 1;
	}
	qsort(out, *count, sizeof *out, compare_spans);
	return out;
}

static bool same_column(const hp_word *g, const hp_word *s, int column)
{
	return g->len[column] == s->len[column] && !memcmp(g->col[column], s->col[column], g->len[column]);
}

static bool same_features(const hp_word *g, const hp_word *s, hp_arena *scratch)
{
	hp_arena_mark mark;
	span *a, *b;
	int a_count, b_count;
	bool same;

	if (same_column(g, s, HP_FEATS))
		return true;
	mark = hp_arena_save(scratch);
	a = features_of(g, scratch, &a_count);
	b = features_of(s, scratch, &b_count);
	same = a && b && a_count == b_count;
	for (int i = 0; same && i < a_count; i++)
		same = !compare_spans(&a[i], &b[i]);
	hp_arena_restore(scratch, mark);
	return same;
}

/* ---- tokens ---- */

typedef struct token {
	size_t begin, end; /* in the sentence's characters, space separators dropped */
	long line;
	span form;
} token;

typedef struct tokens {
	char *text;
	size_t size;
	token *token;
	int count;
} tokens;

static void add_token(tokens *t, span form, long line)
{
	token *new = &t->token[t->count++];

	*new = (token){.begin = t->size, .line = line, .form = form};
	for (uint32_t i = 0; i < form.length;) {
		int space = hp_utf8_space(form.s + i, form.length - i);

		if (space)
			i += space;
		else
			t->text[t->size++] = form.s[i++];
	}
	new->end = t->size;
}

/* A number of digits only at S, before END; -1 if there is none. */
static long number(const char **s, const char *end)
{
	long n = -1;

	for (; *s < end && **s >= '0' && **s <= '9' && n < 100000000; (*s)++)
		n = (n < 0 ? 0 : n) * 10 + (**s - '0');
	return n;
}

/* One row: a multiword token, a word outside of the one before (which ended with word *COVERED), or neither. */
static void read_row(tokens *t, const hp_word *row, long *covered)
{
	const char *s = row->col[HP_ID], *end = s + row->len[HP_ID];
	long first = number(&s, end), last = first;

	if (s < end && *s == '-') {
		s++;
		last = number(&s, end);
	}
	if (s != end || first < 0 || first <= *covered) /* an empty node, or inside a multiword token */
		return;
	add_token(t, (span){row->col[HP_FORM], row->len[HP_FORM]}, row->line);
	if (last > *covered)
		*covered = last;
}

static int read_tokens(const hp_sentence *s, hp_arena *scratch, tokens *t)
{
	hp_rows rows = hp_sentence_rows(s);
	hp_word row;
	long covered = 0;
	size_t lines = 1;

	for (size_t i = 0; i < s->size; i++)
		lines += s->text[i] == '\n';
	*t = (tokens){.text = HP_NEW(scratch, char, s->size + 1), .token = HP_NEW(scratch, token, lines) };
	if (!t->text || !t->token)
		return HP_FAIL;
	while (hp_rows_next(&rows, &row))
		read_row(t, &row, &covered);
	return 0;
}

/* The token that covers byte AT, or the last one. */
static const token *token_at(const tokens *t, size_t at)
{
	int i = 0;

	while (i + 1 < t->count && t->token[i].end <= at)
		i++;
	return &t->token[i];
}

static int no_alignment(const hp_dependencies *gold, const hp_dependencies *system, const tokens *g, const tokens *s,
                        hp_error *err)
{
	size_t at = 0;
	const token *a, *b;

	if (!g->count || !s->count)
		return hp_fail_at(err, gold->name, gold->s.line, "a sentence does not align with the one at %s:%ld",
		                  system->name, system->s.line);
	while (at < g->size && at < s->size && g->text[at] == s->text[at])
		at++;
	a = token_at(g, at);
	b = token_at(s, at);
	return hp_fail_at(err, gold->name, a->line, "token '%.*s' does not align with '%.*s' at %s:%ld",
	                  hp_utf8_shown(a->form.s, a->form.length), a->form.s, hp_utf8_shown(b->form.s, b->form.length),
	                  b->form.s, system->name, b->line);
}

static int score_tokens(const hp_dependencies *gold, const hp_dependencies *system, hp_arena *scratch, hp_tally *out,
                        hp_error *err)
{
	tokens g, s;

	if (read_tokens(&gold->s, scratch, &g) || read_tokens(&system->s, scratch, &s))
		return hp_fail_memory(err);
	if (g.size != s.size || memcmp(g.text, s.text, g.size))
		return no_alignment(gold, system, &g, &s, err);
	*out = (hp_tally){.gold = g.count, .system = s.count};
	for (int i = 0, j = 0; i < g.count && j < s.count;) {
		const token *a = &g.token[i], *b = &s.token[j];

		out->correct += a->begin == b->begin && a->end == b->end;
		i += a->begin <= b->begin;
		j += b->begin <= a->begin;
	}
	return 0;
}

/* ---- words ---- */

/* What of word i + 1 agrees. */
typedef struct agreement {
	bool head, relation, upos, features;
	bool children; /* the functional dependants, each with relation, tag and features */
} agreement;

static bool lemma_right(const hp_word *g, const hp_word *s)
{
	return (g->len[HP_LEMMA] == 1 && g->col[HP_LEMMA][0] == '_') || same_column(g, s, HP_LEMMA);
}

static void compare_words(const hp_dependencies *gold, const hp_dependencies *system, hp_arena *scratch,
                          agreement *agree)
{
	for (int i = 0; i < gold->s.words; i++) {
		const hp_word *g = &gold->s.word[i], *s = &system->s.word[i];
		span g_relation = relation(g), s_relation = relation(s);

		agree[i] = (agreement){
			.head = gold->heads[i + 1] == system->heads[i + 1],
			.relation = !compare_spans(&g_relation, &s_relation),
			.upos = same_column(g, s, HP_UPOS),
			.features = same_features(g, s, scratch),
			.children = true,
		};
	}
	/* A functional word that differs spoils it for its head in either tree. */
	for (int i = 0; i < gold->s.words; i++) {
		bool in_gold = is_functional(&gold->s.word[i]) && gold->heads[i + 1];
		bool in_system = is_functional(&system->s.word[i]) && system->heads[i + 1];

		if (agree[i].head && agree[i].relation && agree[i].upos && agree[i].features)
			continue;
		if (in_gold)
			agree[gold->heads[i + 1] - 1].children = false;
		if (in_system)
			agree[system->heads[i + 1] - 1].children = false;
	}
}

static void count(hp_tally *tally, bool correct)
{
	tally->gold++;
	tally->system++;
	tally->correct += correct;
}

static void score_word(const hp_word *g, const hp_word *s, const agreement *agree, hp_tally *out)
{
	bool xpos = same_column(g, s, HP_XPOS), lemma = lemma_right(g, s), attached = agree->head && agree->relation;
	bool content[] = {attached, attached && agree->upos && agree->features && agree->children, attached && lemma};

	count(&out[HP_CONLL18_WORDS], true);
	count(&out[HP_CONLL18_UPOS], agree->upos);
	count(&out[HP_CONLL18_XPOS], xpos);
	count(&out[HP_CONLL18_UFEATS], agree->features);
	count(&out[HP_CONLL18_ALLTAGS], agree->upos && xpos && agree->features);
	count(&out[HP_CONLL18_LEMMAS], lemma);
	count(&out[HP_CONLL18_UAS], agree->head);
	count(&out[HP_CONLL18_LAS], attached);
	for (int m = 0; m < 3; m++) {
		hp_tally *tally = &out[HP_CONLL18_CLAS + m];

		tally->gold += is_content(g);
		tally->system += is_content(s);
		tally->correct += is_content(g) && content[m];
	}
}

int hp_conll18_score(const hp_dependencies *gold, const hp_dependencies *system, hp_arena *scratch,
                     hp_tally out[HP_CONLL18_METRICS], hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	agreement *agree;
	int status;

	memset(out, 0, HP_CONLL18_METRICS * sizeof *out);
	count(&out[HP_CONLL18_SENTENCES], true);
	status = score_tokens(gold, system, scratch, &out[HP_CONLL18_TOKENS], err);
	agree = HP_NEW(scratch, agreement, gold->s.words);
	if (!status && agree) {
		compare_words(gold, system, scratch, agree);
		for (int i = 0; i < gold->s.words; i++)
			score_word(&gold->s.word[i], &system->s.word[i], &agree[i], out);
	}
	if (!status && hp_arena_failed(scratch))
		status = hp_fail_memory(err);
	hp_arena_restore(scratch, mark);
	return status;
}
