/* conll18.c: scores as those of the CoNLL 2018 shared task. */
#include "eval/conll18.h"

#include <stdlib.h>
#include <string.h>

#include "eval/conll18_align.h"

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

static bool is_universal_feature(hp_conll18_column feature)
{
	static const char *const universal[] = {"PronType", "NumType", "Poss",   "Reflex", "Foreign",  "Abbr",
	                                        "Gender",   "Animacy", "Number", "Case",   "Definite", "Degree",
	                                        "VerbForm", "Mood",    "Tense",  "Aspect", "Voice",    "Evident",
	                                        "Polarity", "Person",  "Polite", NULL};
	const char *equals = memchr(feature.text, '=', feature.length);
	size_t length = equals ? (size_t)(equals - feature.text) : feature.length;

	for (const char *const *name = universal; *name; name++)
		if (strlen(*name) == length && !memcmp(*name, feature.text, length))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	const hp_conll18_column *x = a, *y = b;
	uint32_t common = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->text, y->text, common);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* The universal ones among the features of C, sorted, in SCRATCH; NULL when out of memory. */
static hp_conll18_column *universal_features(hp_conll18_column c, hp_arena *scratch, int *count)
{
	const char *s = c.text, *end = s + c.length;
	size_t most = 1;

	for (const char *p = s; p < end; p++)
		most += *p == '|';
	hp_conll18_column *out = HP_NEW(scratch, hp_conll18_column, most);
	*count = 0;
	if (!out)
		return NULL;
	for (;;) {
		const char *bar = memchr(s, '|', (size_t)(end - s));
		hp_conll18_column feature = {s, (uint32_t)((bar ? bar : end) - s)};

		if (is_universal_feature(feature))
			out[(*count)++] = feature;
		if (!bar)
			break;
		s = bar + 1;
	}
	qsort(out, (size_t)*count, sizeof *out, compare);
	return out;
}

static bool same_features(hp_conll18_column g, hp_conll18_column s, hp_arena *scratch)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int g_count, s_count;

	if (hp_conll18_same(g, s))
		return true;
	hp_conll18_column *a = universal_features(g, scratch, &g_count), *b = universal_features(s, scratch, &s_count);
	bool same = a && b && g_count == s_count;
	for (int i = 0; same && i < g_count; i++)
		same = hp_conll18_same(a[i], b[i]);
	hp_arena_restore(scratch, mark);
	return same;
}

/* ---- aligned words ---- */

typedef struct scoring {
	const hp_conll18_text *gold, *system;
	hp_conll18_alignment aligned;
	hp_arena *scratch;
	hp_tally (*out)[HP_CONLL18_METRICS]; /* by gold sentence */
} scoring;

static bool same_head(const scoring *j, const hp_conll18_word *g, const hp_conll18_word *s)
{
	return s->head < 0 ? s->head == g->head && s->head == HP_CONLL18_ROOT
	                   : g->head >= 0 && j->aligned.gold_of[s->head] == g->head;
}

static bool same_tags(const scoring *j, const hp_conll18_word *g, const hp_conll18_word *s)
{
	return hp_conll18_same(g->upos, s->upos) && same_features(g->features, s->features, j->scratch);
}

/* The functional dependants: the same ones, each with relation, tag and features. */
static bool same_dependants(const scoring *j, const hp_conll18_word *g, const hp_conll18_word *s)
{
	int i = g->dependant, k = s->dependant;

	while (i >= 0 && k >= 0) {
		const hp_conll18_word *a = &j->gold->word[i], *b = &j->system->word[k];

		if (j->aligned.gold_of[k] != i || !hp_conll18_same(a->relation, b->relation) || !same_tags(j, a, b))
			return false;
		i = a->sibling;
		k = b->sibling;
	}
	return i < 0 && k < 0;
}

static bool lemma_right(const hp_conll18_word *g, const hp_conll18_word *s)
{
	return (g->lemma.length == 1 && *g->lemma.text == '_') || hp_conll18_same(g->lemma, s->lemma);
}

static void score_pair(const scoring *j, const hp_conll18_word *g, const hp_conll18_word *s, hp_tally *out)
{
	bool upos = hp_conll18_same(g->upos, s->upos), xpos = hp_conll18_same(g->xpos, s->xpos);
	bool features = same_features(g->features, s->features, j->scratch), lemma = lemma_right(g, s);
	bool head = same_head(j, g, s), attached = head && hp_conll18_same(g->relation, s->relation);
	bool right[HP_CONLL18_METRICS] = {[HP_CONLL18_WORDS] = true,
	                                  [HP_CONLL18_UPOS] = upos,
	                                  [HP_CONLL18_XPOS] = xpos,
	                                  [HP_CONLL18_UFEATS] = features,
	                                  [HP_CONLL18_LEMMAS] = lemma,
	                                  [HP_CONLL18_ALLTAGS] = upos && xpos && features,
	                                  [HP_CONLL18_UAS] = head,
	                                  [HP_CONLL18_LAS] = attached,
	                                  [HP_CONLL18_CLAS] = attached,
	                                  [HP_CONLL18_MLAS] = attached && upos && features && same_dependants(j, g, s),
	                                  [HP_CONLL18_BLEX] = attached && lemma};
	int end = hp_conll18_content(g) ? HP_CONLL18_METRICS : HP_CONLL18_CLAS;

	for (int m = HP_CONLL18_WORDS; m < end; m++) {
		out[m].aligned++;
		out[m].correct += right[m];
	}
}

/* Words of one side: what there is to get right, or what was found. */
static void count_word(const hp_conll18_word *w, hp_tally *out, bool gold)
{
	int end = hp_conll18_content(w) ? HP_CONLL18_METRICS : HP_CONLL18_CLAS;

	for (int m = HP_CONLL18_WORDS; m < end; m++)
		*(gold ? &out[m].gold : &out[m].system) += 1;
}

/* The tallies of the gold sentence in which a span begins; *SENTENCE is that of a span before. */
static hp_tally *tallies(const scoring *j, hp_conll18_span span, int *sentence)
{
	while (*sentence + 1 < j->gold->sentences && j->gold->sentence[*sentence].end <= span.begin)
		++*sentence;
	return j->out[*sentence];
}

static void score_words(const scoring *j)
{
	int at = 0;

	for (int i = 0; i < j->gold->words; i++) {
		const hp_conll18_word *g = &j->gold->word[i];
		hp_tally *out = tallies(j, g->span, &at);

		count_word(g, out, true);
		if (j->aligned.system_of[i] >= 0)
			score_pair(j, g, &j->system->word[j->aligned.system_of[i]], out);
	}
	at = 0;
	for (int i = 0; i < j->system->words; i++)
		count_word(&j->system->word[i], tallies(j, j->system->word[i].span, &at), false);
}

/* ---- spans ---- */

/* Spans of a text that do not overlap, each STRIDE bytes apart. */
typedef struct spans {
	const void *first;
	int count;
	size_t stride;
} spans;

static const hp_conll18_span *span_at(const spans *s, int i)
{
	return (const void *)((const char *)s->first + (size_t)i * s->stride);
}

static void score_spans(const scoring *j, spans gold, spans system, int metric)
{
	int at = 0;

	for (int k = 0; k < system.count; k++)
		tallies(j, *span_at(&system, k), &at)[metric].system++;
	at = 0;
	for (int i = 0, k = 0; i < gold.count; i++) {
		const hp_conll18_span *g = span_at(&gold, i);
		hp_tally *tally = &tallies(j, *g, &at)[metric];

		while (k < system.count && span_at(&system, k)->begin < g->begin)
			k++;
		tally->gold++;
		tally->correct +=
			k < system.count && span_at(&system, k)->begin == g->begin && span_at(&system, k)->end == g->end;
	}
}

int hp_conll18_score(const hp_conll18_text *gold, const hp_conll18_text *system, hp_arena *arena,
                     hp_tally (**out)[HP_CONLL18_METRICS], hp_error *err)
{
	size_t size = (size_t)gold->sentences * sizeof **out;
	scoring j = {.gold = gold, .system = system, .scratch = arena, .out = hp_arena_alloc(arena, 1, size)};

	if (!j.out)
		return hp_fail_memory(err);
	memset(j.out, 0, size);
	*out = j.out;
	if (hp_conll18_align(gold, system, arena, &j.aligned, err))
		return HP_FAIL;
	score_spans(&j, (spans){gold->token, gold->tokens, sizeof *gold->token},
	            (spans){system->token, system->tokens, sizeof *system->token}, HP_CONLL18_TOKENS);
	score_spans(&j, (spans){gold->sentence, gold->sentences, sizeof *gold->sentence},
	            (spans){system->sentence, system->sentences, sizeof *system->sentence}, HP_CONLL18_SENTENCES);
	score_words(&j);
	return hp_arena_failed(arena) ? hp_fail_memory(err) : 0;
}
