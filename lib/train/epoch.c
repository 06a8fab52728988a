/* epoch.c: the order of an epoch. */
#include "train/epoch.h"

#include <stdlib.h>
#include <string.h>
#include "base/rng.h"

enum { POOL_BATCHES = 100 };

typedef struct span {
	int first, end;
} span;

typedef struct placed {
	int sentence, length, place;
} placed;

static void shuffle(hp_rng *rng, int *item, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int j = (int)hp_rng_below(rng, (uint64_t)i + 1), swap = item[i];
		item[i] = item[j];
		item[j] = swap;
	}
}

static int by_length(const void *pa, const void *pb)
{
	const placed *a = pa, *b = pb;

	return a->length != b->length ? a->length - b->length : a->place - b->place;
}

/* Sorts ORDER within each pool. */
static void sort_pools(int count, const int *rows, int *order, placed *room, int pool)
{
	for (int first = 0; first < count; first += pool) {
		int n = count - first < pool ? count - first : pool;
		for (int i = 0; i < n; i++)
			room[i] = (placed){order[first + i], rows[order[first + i]], i};
		qsort(room, (size_t)n, sizeof *room, by_length);
		for (int i = 0; i < n; i++)
			order[first + i] = room[i].sentence;
	}
}

static int cut(int sentences, const int *rows, const int *order, int batch, int max_positions, span *spans)
{
	int count = 0;

	for (int i = 0; i < sentences; count++) {
		int64_t positions = 0;
		spans[count].first = i;
		do
			positions += rows[order[i++]];
		while (i < sentences && i - spans[count].first < batch && positions + rows[order[i]] <= max_positions);
		spans[count].end = i;
	}
	return count;
}

void hp_epoch_free(hp_epoch *e)
{
	free(e->first);
	free(e->order);
	memset(e, 0, sizeof *e);
}

/* Lays the batches out in the order of BATCH, a permutation. */
static void lay_out(const int *order, const span *spans, const int *batch, hp_epoch *out)
{
	int at = 0;

	for (int b = 0; b < out->batches; b++) {
		const span *s = &spans[batch[b]];
		out->first[b] = at;
		memcpy(out->order + at, order + s->first, (size_t)(s->end - s->first) * sizeof *order);
		at += s->end - s->first;
	}
	out->first[out->batches] = at;
}

int hp_epoch_make(int count, const int *rows, int batch, int max_positions, uint64_t seed, int epoch, hp_epoch *out,
                  hp_error *err)
{
	size_t n = (size_t)count;
	int *order = calloc(n + 1, sizeof *order), *batches = calloc(n + 1, sizeof *batches);
	span *spans = calloc(n + 1, sizeof *spans);
	placed *room = calloc(n + 1, sizeof *room);
	bool good;
	hp_rng rng;

	memset(out, 0, sizeof *out);
	out->first = calloc(n + 1, sizeof *out->first);
	out->order = calloc(n + 1, sizeof *out->order);
	good = order && batches && spans && room && out->first && out->order;
	if (good) {
		hp_rng_seed(&rng, seed, HP_STREAM(HP_PURPOSE_ORDER, epoch, 0));
		for (int i = 0; i < count; i++)
			order[i] = batches[i] = i;
		shuffle(&rng, order, count);
		sort_pools(count, rows, order, room, batch < count / POOL_BATCHES ? batch * POOL_BATCHES : count);
		out->batches = cut(count, rows, order, batch, max_positions, spans);
		shuffle(&rng, batches, out->batches);
		lay_out(order, spans, batches, out);
	} else {
		hp_epoch_free(out);
	}
	free(order);
	free(batches);
	free(spans);
	free(room);
	return good ? 0 : hp_fail_memory(err);
}
