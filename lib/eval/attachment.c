/* attachment.c: compares heads and relations. */
#include "eval/attachment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const hp_metric hp_attachment_metrics[HP_ATTACHMENT_METRICS] = {
	[HP_UAS] = {"UAS", HP_KIND_ACCURACY},
	[HP_LAS] = {"LAS", HP_KIND_ACCURACY},
	[HP_LAS_UNIVERSAL] = {"LAS-universal", HP_KIND_ACCURACY},
	[HP_LA] = {"LA", HP_KIND_ACCURACY},
	[HP_ROOT] = {"Root", HP_KIND_ACCURACY},
	[HP_UCM] = {"UCM", HP_KIND_ACCURACY},
	[HP_LCM] = {"LCM", HP_KIND_ACCURACY},
};

uint32_t hp_universal_length(const char *relation, uint32_t length)
{
	const char *colon = memchr(relation, ':', length);

	return colon ? (uint32_t)(colon - relation) : length;
}

static bool same_text(const char *a, uint32_t a_length, const char *b, uint32_t b_length)
{
	return a_length == b_length && !memcmp(a, b, a_length);
}

/* Whether the system has a relation that can be the gold one. */
static bool has_relation(const hp_word *s)
{
	return s->col[HP_DEPREL] != hp_no_column;
}

static bool same_relation(const hp_word *g, const hp_word *s)
{
	return has_relation(s) && same_text(g->col[HP_DEPREL], g->len[HP_DEPREL], s->col[HP_DEPREL], s->len[HP_DEPREL]);
}

static bool same_universal(const hp_word *g, const hp_word *s)
{
	return has_relation(s) && same_text(g->col[HP_DEPREL], hp_universal_length(g->col[HP_DEPREL], g->len[HP_DEPREL]),
	                                    s->col[HP_DEPREL], hp_universal_length(s->col[HP_DEPREL], s->len[HP_DEPREL]));
}

void hp_attachment_score(const hp_dependencies *gold, const hp_dependencies *system, const bool *counted,
                         hp_tally out[HP_ATTACHMENT_METRICS])
{
	int64_t words = 0, correct[HP_ATTACHMENT_METRICS] = {0};

	for (int i = 0; i < gold->s.words; i++) {
		const hp_word *g = &gold->s.word[i], *s = &system->s.word[i];
		bool head = gold->heads[i + 1] == system->heads[i + 1], relation = same_relation(g, s);

		if (gold->heads[i + 1] == 0)
			correct[HP_ROOT] += head;
		if (counted && !counted[i])
			continue;
		words++;
		correct[HP_UAS] += head;
		correct[HP_LAS] += head && relation;
		correct[HP_LAS_UNIVERSAL] += head && (relation || same_universal(g, s));
		correct[HP_LA] += relation;
	}
	correct[HP_UCM] = words > 0 && correct[HP_UAS] == words;
	correct[HP_LCM] = words > 0 && correct[HP_LAS] == words;
	for (int m = 0; m < HP_ATTACHMENT_METRICS; m++) {
		int64_t total = m == HP_ROOT ? 1 : m == HP_UCM || m == HP_LCM ? words > 0 : words;

		out[m] = (hp_tally){.correct = correct[m], .gold = total, .system = total};
	}
}

/* ---- broken down ---- */

enum { ARC_UAS, ARC_LAS, ARC_METRICS };
static const hp_metric arc_metrics[ARC_METRICS] = {
	[ARC_UAS] = {"UAS", HP_KIND_F1},
	[ARC_LAS] = {"LAS", HP_KIND_F1},
};

static const hp_metric depth_metrics[ARC_METRICS] = {
	[ARC_UAS] = {"UAS", HP_KIND_ACCURACY},
	[ARC_LAS] = {"LAS", HP_KIND_ACCURACY},
};

enum { RELATION_LA, RELATION_LAS, RELATION_UAS, RELATION_METRICS };
static const hp_metric relation_metrics[RELATION_METRICS] = {
	[RELATION_LA] = {"LA", HP_KIND_F1},
	[RELATION_LAS] = {"LAS", HP_KIND_F1},
	[RELATION_UAS] = {"UAS", HP_KIND_ACCURACY},
};

const char *hp_by_name(hp_by by)
{
	static const char *const names[HP_BYS] = {"length", "arc", "depth", "direction", "relation", "universal"};
	return names[by];
}

const hp_metric *hp_by_metrics(hp_by by, int *metrics)
{
	switch (by) {
	case HP_BY_LENGTH:
		*metrics = HP_ATTACHMENT_METRICS;
		return hp_attachment_metrics;
	case HP_BY_ARC:
	case HP_BY_DIRECTION:
		*metrics = ARC_METRICS;
		return arc_metrics;
	case HP_BY_DEPTH:
		*metrics = ARC_METRICS;
		return depth_metrics;
	default:
		*metrics = RELATION_METRICS;
		return relation_metrics;
	}
}

int hp_by_new(hp_by by, const hp_bins *bins, hp_breakdown **out, hp_error *err)
{
	static const char *const directions[] = {"root", "left", "right"};
	int metrics, status = 0;

	hp_by_metrics(by, &metrics);
	*out = hp_breakdown_new(metrics);
	if (!*out)
		return hp_fail_memory(err);
	for (int i = 0; i < 3 && by == HP_BY_DIRECTION && !status; i++)
		status = hp_breakdown_at(*out, directions[i], strlen(directions[i])) ? 0 : HP_FAIL;
	if (by == HP_BY_ARC && !hp_breakdown_at(*out, "root", 4))
		status = HP_FAIL;
	if (!status && (by == HP_BY_LENGTH || by == HP_BY_ARC || by == HP_BY_DEPTH))
		status = hp_breakdown_add_bins(*out, bins, err);
	if (status) {
		hp_breakdown_destroy(*out);
		*out = NULL;
		return hp_fail_memory(err);
	}
	return 0;
}

/* The group of word I + 1 of T.  BUFFER may hold its name. */
static const char *group_of(hp_by by, const hp_bins *bins, const hp_dependencies *t, int i, char buffer[HP_BIN_NAME],
                            size_t *length)
{
	const hp_word *w = &t->s.word[i];
	int head = t->heads[i + 1];
	const char *name;

	if (by == HP_BY_RELATION || by == HP_BY_UNIVERSAL) {
		*length = w->len[HP_DEPREL];
		if (by == HP_BY_UNIVERSAL)
			*length = hp_universal_length(w->col[HP_DEPREL], w->len[HP_DEPREL]);
		return w->col[HP_DEPREL];
	}
	if (head == 0) {
		name = "root";
	} else if (head == HP_NO_HEAD) {
		name = "none";
	} else if (by == HP_BY_DIRECTION) {
		name = i + 1 < head ? "left" : "right";
	} else {
		int distance = i + 1 < head ? head - i - 1 : i + 1 - head;

		hp_bins_name(bins, hp_bins_find(bins, distance), buffer);
		name = buffer;
	}
	*length = strlen(name);
	return name;
}

static void add_arc(hp_tally *gold, hp_tally *system, bool head, bool relation)
{
	bool correct[ARC_METRICS] = {[ARC_UAS] = head, [ARC_LAS] = head && relation};

	for (int m = 0; m < ARC_METRICS; m++) {
		gold[m].gold++;
		gold[m].correct += correct[m]; /* the same head: the same group */
		system[m].system++;
	}
}

static void add_relation(hp_tally *gold, hp_tally *system, bool head, bool relation)
{
	gold[RELATION_LA].gold++;
	gold[RELATION_LAS].gold++;
	gold[RELATION_LA].correct += relation;
	gold[RELATION_LAS].correct += head && relation;
	gold[RELATION_UAS].gold++;
	gold[RELATION_UAS].system++;
	gold[RELATION_UAS].correct += head;
	system[RELATION_LA].system++;
	system[RELATION_LAS].system++;
}

static int add_length(const hp_bins *bins, const hp_dependencies *gold, const hp_dependencies *system,
                      const bool *counted, hp_breakdown *breakdown, hp_error *err)
{
	hp_tally scores[HP_ATTACHMENT_METRICS], *group = hp_breakdown_at_bin(breakdown, bins, gold->s.words);

	if (!group)
		return hp_fail_memory(err);
	hp_attachment_score(gold, system, counted, scores);
	hp_tally_add(group, scores, HP_ATTACHMENT_METRICS);
	return 0;
}

/* Arcs between each word and the artificial root: [words + 1].  NULL when out of memory. */
static int32_t *depths(const hp_dependencies *t)
{
	int32_t *depth = calloc((size_t)t->s.words + 1, sizeof *depth);

	for (int i = 1; depth && i <= t->s.words; i++) {
		int32_t known = i, arcs = 0; /* KNOWN: on the way up, the first word that has its depth, or 0 */

		for (; known && !depth[known]; known = t->heads[known])
			arcs++;
		arcs += depth[known];
		for (int32_t at = i; at != known; at = t->heads[at])
			depth[at] = arcs--;
	}
	return depth;
}

static int add_depth(const hp_bins *bins, const hp_dependencies *gold, const hp_dependencies *system,
                     const bool *counted, hp_breakdown *breakdown, hp_error *err)
{
	int32_t *depth = depths(gold);
	bool made = depth;

	for (int i = 0; made && i < gold->s.words; i++) {
		hp_tally *group;

		if (counted && !counted[i])
			continue;
		group = hp_breakdown_at_bin(breakdown, bins, depth[i + 1]);
		made = group;
		if (made)
			add_arc(group, group, gold->heads[i + 1] == system->heads[i + 1],
			        same_relation(&gold->s.word[i], &system->s.word[i]));
	}
	free(depth);
	return made ? 0 : hp_fail_memory(err);
}

int hp_by_add(hp_by by, const hp_bins *bins, const hp_dependencies *gold, const hp_dependencies *system,
              const bool *counted, hp_breakdown *breakdown, hp_error *err)
{
	if (by == HP_BY_LENGTH)
		return add_length(bins, gold, system, counted, breakdown, err);
	if (by == HP_BY_DEPTH)
		return add_depth(bins, gold, system, counted, breakdown, err);
	for (int i = 0; i < gold->s.words; i++) {
		const hp_word *gw = &gold->s.word[i], *sw = &system->s.word[i];
		bool head = gold->heads[i + 1] == system->heads[i + 1];
		char buffer[HP_BIN_NAME];
		const char *name;
		size_t length;
		hp_tally *g, *s;
		bool relation = by == HP_BY_UNIVERSAL ? same_universal(gw, sw) : same_relation(gw, sw);

		if (counted && !counted[i])
			continue;
		name = group_of(by, bins, gold, i, buffer, &length);
		g = hp_breakdown_at(breakdown, name, length);
		name = group_of(by, bins, system, i, buffer, &length);
		s = hp_breakdown_at(breakdown, name, length);
		if (!g || !s)
			return hp_fail_memory(err);
		if (by == HP_BY_ARC || by == HP_BY_DIRECTION)
			add_arc(g, s, head, relation);
		else
			add_relation(g, s, head, relation);
	}
	return 0;
}

/* ---- what is taken for what ---- */

enum { PLACE = HP_BIN_NAME + 8 };

static size_t name_place(bool left, const hp_bins *bins, int bin, char out[PLACE])
{
	char distance[HP_BIN_NAME];

	hp_bins_name(bins, bin, distance);
	return (size_t)snprintf(out, PLACE, "%s %s", left ? "left" : "right", distance);
}

/* Where word I + 1 of T stands; the size of its name. */
static size_t place_of(const hp_bins *bins, const hp_dependencies *t, int i, char out[PLACE])
{
	int head = t->heads[i + 1], word = i + 1;
	bool left = word < head;

	if (head > 0)
		return name_place(left, bins, hp_bins_find(bins, left ? head - word : word - head), out);
	strcpy(out, head == 0 ? "root" : "none");
	return strlen(out);
}

int hp_attachment_confusions(const hp_bins *bins, hp_confusion out[HP_ATTACHMENT_CONFUSIONS], hp_error *err)
{
	hp_breakdown *places;
	bool made;

	if (hp_confusion_init(&out[HP_CONFUSED_RELATIONS], "relation", err) ||
	    hp_confusion_init(&out[HP_CONFUSED_HEADS], "head", err))
		return HP_FAIL;
	places = out[HP_CONFUSED_HEADS].values; /* in this order */
	made = hp_breakdown_at(places, "root", 4);
	for (int i = 0; made && i < 2 * (bins->count + 1); i++) {
		char name[PLACE];
		size_t size = name_place(i <= bins->count, bins, i % (bins->count + 1), name);

		made = hp_breakdown_at(places, name, size);
	}
	return made ? 0 : hp_fail_memory(err);
}

int hp_attachment_confuse(const hp_bins *bins, const hp_dependencies *gold, const hp_dependencies *system,
                          const bool *counted, hp_confusion out[HP_ATTACHMENT_CONFUSIONS], hp_error *err)
{
	for (int i = 0; i < gold->s.words; i++) {
		const hp_word *g = &gold->s.word[i], *s = &system->s.word[i];
		char gold_place[PLACE], system_place[PLACE];
		size_t gold_size = place_of(bins, gold, i, gold_place), system_size = place_of(bins, system, i, system_place);

		if (counted && !counted[i])
			continue;
		if (hp_confusion_add(&out[HP_CONFUSED_RELATIONS], g->col[HP_DEPREL], g->len[HP_DEPREL], s->col[HP_DEPREL],
		                     s->len[HP_DEPREL], err) ||
		    hp_confusion_add(&out[HP_CONFUSED_HEADS], gold_place, gold_size, system_place, system_size, err))
			return HP_FAIL;
	}
	return 0;
}
