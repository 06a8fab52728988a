/* score.c: parsing a corpus and comparing. */
#include "train/score.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 64, POSITIONS = 4000 };

typedef struct run {
	const hp_scoring *s;
	const hp_corpus *c;
	hp_parsing how;
	int32_t *hidden; /* tags of a sentence without tags, as long as the longest; NULL: tags as they are */
	hp_tally sum[HP_SCORES];
} run;

static int score_batch(run *r, int count, const int *sentence, hp_error *err)
{
	hp_arena *scratch = r->s->scratch;
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_parsed parsed;
	hp_taken taken;
	int status = 0;

	if (hp_corpus_take(r->c, scratch, count, sentence, &taken, err) != 0)
		return HP_FAIL;
	for (int i = 0; r->hidden && i < count; i++)
		taken.tokens[i].pos = r->hidden;
	taken.in.vectors = r->s->vectors;
	if (hp_parse_sentences(&r->how, scratch, &taken.in, &parsed, err) != 0)
		return HP_FAIL;
	const int32_t *tree = parsed.trees.tree, *labels = parsed.labels;
	int width = r->s->net->grammar == &hp_splits ? 3 : 1;
	for (int i = 0; i < count && status == 0; i++) {
		status = r->s->task->compare(r->c, sentence[i], r->s->labels, tree, labels, r->sum, err);
		tree += width * parsed.results[i];
		labels += parsed.results[i];
	}
	hp_arena_restore(scratch, mark);
	return status;
}

typedef struct placed {
	int length, sentence;
} placed;

static int by_length(const void *pa, const void *pb)
{
	const placed *a = pa, *b = pb;

	return a->length != b->length ? a->length - b->length : a->sentence - b->sentence;
}

/* The numbers of the sentences, short ones first; the caller's to free. */
static int *sort_sentences(const hp_corpus *c)
{
	placed *room = calloc((size_t)c->count + 1, sizeof *room);
	int *order = calloc((size_t)c->count + 1, sizeof *order);

	for (int i = 0; room && i < c->count; i++)
		room[i] = (placed){c->sample[i].rows, i};
	if (room && order)
		qsort(room, (size_t)c->count, sizeof *room, by_length);
	for (int i = 0; room && order && i < c->count; i++)
		order[i] = room[i].sentence;
	if (!room) {
		free(order);
		order = NULL;
	}
	free(room);
	return order;
}

static int score_sorted(run *r, const int *order, hp_error *err)
{
	const hp_corpus *c = r->c;

	for (int first = 0, end; first < c->count; first = end) {
		int64_t positions = 0;
		end = first;
		do
			positions += c->sample[order[end++]].rows;
		while (end < c->count && end - first < BATCH && positions + c->sample[order[end]].rows <= POSITIONS);
		if (score_batch(r, end - first, order + first, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* Tags of a sentence of N positions that has none. */
static int32_t *hidden_tags(int n)
{
	int32_t *tags = malloc((size_t)n * sizeof *tags);

	for (int i = 0; tags && i < n; i++)
		tags[i] = i ? HP_ID_UNKNOWN : HP_ID_ROOT;
	return tags;
}

int hp_score_corpus(const hp_scoring *s, const hp_corpus *c, hp_score *out, hp_error *err)
{
	run r = {.s = s, .c = c, .how = {s->net, hp_find_special_labels(s->labels), 1, s->pool}};
	bool hide = s->hide_tags && c->count > 0;
	int *order = sort_sentences(c), status = HP_FAIL;

	memset(out, 0, sizeof *out);
	if (order && hide)
		r.hidden = hidden_tags(c->sample[order[c->count - 1]].rows);
	if (!order || (hide && !r.hidden))
		hp_fail_memory(err);
	else if (hp_net_prepare(s->net, HP_STAGE_ALL, err) == 0)
		status = score_sorted(&r, order, err);
	free(r.hidden);
	free(order);
	out->words = c->words;
	for (int i = 0; i < s->task->scores; i++)
		out->percent[i] = s->task->percent(&r.sum[i]);
	return status;
}

void hp_score_text(const hp_train_task *task, const hp_score *score, char text[HP_SCORE_TEXT])
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < task->scores && at < HP_SCORE_TEXT; i++)
		at += (size_t)snprintf(text + at, HP_SCORE_TEXT - at, "%s%s %.2f", i ? " " : "", task->score[i],
		                       score->percent[i]);
}
