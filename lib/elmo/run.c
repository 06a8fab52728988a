/* run.c: sentences through the whole model, some at a time. */
#include "elmo/elmo.h"

#include <stdlib.h>
#include <string.h>
#include "elmo/bilm.h"
#include "elmo/weights.h"
#include "nn/gemm.h"

/* A round is at most so many sentences and, if it is more than one, positions (words and two boundaries each). */
enum { ROUND = 64, POSITIONS = 2048, MAX_WORDS = 10000000 };

struct hp_elmo_lanes {
	int count, next; /* the lane of the next sentence */
	size_t size; /* of all states of a lane */
	float *states; /* [lanes][layers][2][P + H] */
};

int hp_elmo_lanes_new(const hp_elmo *e, int lanes, hp_elmo_lanes **out, hp_error *err)
{
	*out = NULL;
	if (lanes < 1 || lanes > HP_ELMO_MAX_LANES)
		return hp_fail(err, "%d lanes, expected 1 to %d", lanes, HP_ELMO_MAX_LANES);
	hp_elmo_lanes *l = calloc(1, sizeof(*l));
	if (!l)
		return hp_fail_memory(err);
	l->count = lanes;
	l->size = (size_t)e->layers * 2 * ((size_t)e->projection + (size_t)e->cell);
	l->states = calloc(lanes, l->size * sizeof(float));
	if (!l->states) {
		free(l);
		return hp_fail_memory(err);
	}
	*out = l;
	return 0;
}

void hp_elmo_lanes_destroy(hp_elmo_lanes *lanes)
{
	if (!lanes)
		return;
	free(lanes->states);
	free(lanes);
}

typedef struct batch {
	const hp_elmo *e;
	const hp_elmo_sentence *sentences;
	int count;
	int order[ROUND]; /* by falling length */
	hp_packed p;
	float *rows[2][2]; /* [which][direction] [R × P]: what goes into a layer and what comes out */
} batch;

/* The layer's states of the lanes that the sentences of the batch are in -> the walk's, or back. */
static void move_states(const batch *b, hp_elmo_lanes *lanes, hp_elmo_walk *w, bool back)
{
	size_t P = b->e->projection, H = b->e->cell;

	for (int i = 0; i < b->count; i++) {
		float *lane = lanes->states + (size_t)((lanes->next + b->order[i]) % lanes->count) * lanes->size;
		for (int d = 0; d < 2; d++) {
			float *state = lane + ((size_t)w->layer * 2 + d) * (P + H);
			float *h = w->h[d] + i * P, *c = w->c[d] + i * H;
			memcpy(back ? state : h, back ? h : state, P * sizeof(float));
			memcpy(back ? state + P : c, back ? c : state + P, H * sizeof(float));
		}
	}
}

static void clear_states(const batch *b, hp_elmo_walk *w)
{
	for (int d = 0; d < 2; d++) {
		memset(w->h[d], 0, (size_t)b->count * b->e->projection * sizeof(float));
		memset(w->c[d], 0, (size_t)b->count * b->e->cell * sizeof(float));
	}
}

/* Rows of both directions -> output OUTPUT of the sentences, without the boundaries. */
static void put_output(const batch *b, int output, float *const rows[2])
{
	size_t P = b->e->projection;

	for (int i = 0; i < b->count; i++) {
		const hp_elmo_sentence *s = &b->sentences[b->order[i]];
		float *out = s->out + (size_t)output * s->count * 2 * P;
		for (int word = 0; word < s->count; word++) {
			size_t row = (size_t)b->p.offset[word + 1] + i;
			for (int d = 0; d < 2; d++, out += P)
				memcpy(out, rows[d] + row * P, P * sizeof(float));
		}
	}
}

/* The items of all positions. */
static void list_items(const batch *b, hp_elmo_item *items)
{
	for (int i = 0; i < b->count; i++) {
		const hp_elmo_sentence *s = &b->sentences[b->order[i]];
		*items++ = (hp_elmo_item){NULL, HP_ELMO_SENTENCE, (size_t)b->p.offset[0] + i};
		*items++ = (hp_elmo_item){NULL, HP_ELMO_SENTENCE_END, (size_t)b->p.offset[s->count + 1] + i};
		for (int word = 0; word < s->count; word++)
			*items++ = hp_elmo_item_of(&s->words[word], (size_t)b->p.offset[word + 1] + i);
	}
}

static int start_batch(batch *b, hp_arena *scratch, hp_elmo_item **items, hp_elmo_walk *walk)
{
	int lengths[ROUND], sorted[ROUND], total = 0;

	for (int i = 0; i < b->count; i++) {
		lengths[i] = b->sentences[i].count + 2;
		total += lengths[i];
	}
	hp_sort_lengths(b->count, lengths, b->order);
	for (int i = 0; i < b->count; i++)
		sorted[i] = lengths[b->order[i]];
	b->p = hp_pack(scratch, b->count, sorted);
	*items = HP_NEW(scratch, hp_elmo_item, total);
	for (int i = 0; i < 4; i++)
		b->rows[i / 2][i % 2] = HP_NEW(scratch, float, (size_t)total * b->e->projection);
	hp_elmo_walk_alloc(walk, scratch, b->e, &b->p);
	return hp_arena_failed(scratch) ? HP_FAIL : 0;
}

static int run_batch(batch *b, hp_pool *pool, hp_arena *scratch, hp_elmo_lanes *lanes, hp_error *err)
{
	const hp_elmo *e = b->e;
	hp_elmo_item *items;
	hp_elmo_walk walk;

	if (start_batch(b, scratch, &items, &walk) != 0)
		return hp_fail_memory(err);
	list_items(b, items);
	int positions = b->p.offset[b->p.steps];
	if (hp_elmo_characters(e, pool, scratch, positions, items, b->rows[0][0], err) != 0)
		return HP_FAIL;
	memcpy(b->rows[0][1], b->rows[0][0], (size_t)positions * e->projection * sizeof(float));
	put_output(b, 0, b->rows[0]);
	for (int layer = 0; layer < e->layers; layer++) {
		float *const *in = b->rows[layer % 2], *const *out = b->rows[(layer + 1) % 2];
		walk.layer = layer;
		for (int d = 0; d < 2; d++) {
			walk.x[d] = in[d];
			walk.y[d] = out[d];
		}
		if (lanes)
			move_states(b, lanes, &walk, false);
		else
			clear_states(b, &walk);
		hp_elmo_layer(&walk, pool);
		if (lanes)
			move_states(b, lanes, &walk, true);
		put_output(b, layer + 1, out);
	}
	if (lanes)
		lanes->next = (lanes->next + b->count) % lanes->count;
	return 0;
}

/* How many of the sentences make the next round: different lanes, if any. */
static int round_size(const hp_elmo_lanes *lanes, int count, const hp_elmo_sentence *sentences)
{
	int n = 0, most = lanes && lanes->count < ROUND ? lanes->count : ROUND;

	for (int positions = 0; n < count && n < most; n++) {
		positions += sentences[n].count + 2;
		if (n > 0 && positions > POSITIONS)
			break;
	}
	return n;
}

int hp_elmo_run(const hp_elmo *e, hp_pool *pool, hp_arena *scratch, hp_elmo_lanes *lanes, int count,
                const hp_elmo_sentence *sentences, hp_error *err)
{
	for (int i = 0; i < count; i++) {
		if (sentences[i].count < 1 || sentences[i].count > MAX_WORDS)
			return hp_fail(err, "a sentence of %d words, expected 1 to %d", sentences[i].count, MAX_WORDS);
	}
	for (int i = 0, n; i < count; i += n) {
		hp_arena_mark mark = hp_arena_save(scratch);
		n = round_size(lanes, count - i, sentences + i);
		batch b = {.e = e, .sentences = sentences + i, .count = n};
		if (run_batch(&b, pool, scratch, lanes, err) != 0)
			return HP_FAIL;
		hp_arena_restore(scratch, mark);
	}
	return 0;
}
