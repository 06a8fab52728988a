/* confusion.c: counts pairs of values. */
#include "eval/confusion.h"

#include <stdlib.h>
#include <string.h>

int hp_confusion_init(hp_confusion *c, const char *of, hp_error *err)
{
	*c = (hp_confusion){of, hp_breakdown_new(1), hp_breakdown_new(1)};
	return c->values && c->pairs ? 0 : hp_fail_memory(err);
}

void hp_confusion_free(hp_confusion *c)
{
	hp_breakdown_destroy(c->values);
	hp_breakdown_destroy(c->pairs);
	*c = (hp_confusion){0};
}

/* NULL when out of memory. */
static hp_tally *pair_at(const hp_confusion *c, const char *gold, size_t gold_size, const char *system,
                         size_t system_size)
{
	size_t size = gold_size + 1 + system_size;
	char *name = malloc(size);
	hp_tally *pair = NULL;

	if (name) {
		memcpy(name, gold, gold_size);
		name[gold_size] = '\t';
		memcpy(name + gold_size + 1, system, system_size);
		pair = hp_breakdown_at(c->pairs, name, size);
	}
	free(name);
	return pair;
}

int hp_confusion_add(hp_confusion *c, const char *gold, size_t gold_size, const char *system, size_t system_size,
                     hp_error *err)
{
	hp_tally *g = hp_breakdown_at(c->values, gold, gold_size);
	hp_tally *s = hp_breakdown_at(c->values, system, system_size);
	hp_tally *pair = pair_at(c, gold, gold_size, system, system_size);

	if (!g || !s || !pair)
		return hp_fail_memory(err);
	g->gold++;
	g->correct += g == s;
	s->system++;
	pair->gold++;
	return 0;
}

int hp_confusion_find(const hp_confusion *c, const char *gold, const char *system, hp_tally *out, hp_error *err)
{
	const hp_tally *g = hp_breakdown_at(c->values, gold, strlen(gold));
	const hp_tally *s = hp_breakdown_at(c->values, system, strlen(system));
	const hp_tally *pair = pair_at(c, gold, strlen(gold), system, strlen(system));

	if (!g || !s || !pair)
		return hp_fail_memory(err);
	*out = (hp_tally){.correct = pair->gold, .gold = g->gold, .system = s->system};
	return 0;
}
