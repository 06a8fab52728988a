/* segmenter.c: what training a segmenter has of its own: gold marks, scores. */
#include <string.h>

#include "text/marks.h"
#include "train/tagger.h"

int hp_segmenter_gold(hp_tagger *t, hp_error *err)
{
	const hp_treebank *bank = &t->data.train_bank;
	int64_t marks = 0;

	t->gold = hp_arena_zalloc(t->arena, (size_t)bank->count, sizeof *t->gold);
	for (int i = 0; t->gold && i < bank->count; i++) {
		const hp_sentence *s = &bank->sent[i];
		int *value = t->gold[i][0] = HP_NEW(t->arena, int, (size_t)s->words);
		bool *begins = HP_NEW(t->arena, bool, (size_t)s->words);
		if (hp_arena_failed(t->arena))
			break;
		hp_marks_read(s, begins);
		for (int w = 0; w < s->words; w++) {
			marks += begins[w];
			value[w] = w == 0 ? -1 : begins[w]; /* the first word always begins one */
		}
	}
	if (hp_arena_failed(t->arena))
		return hp_fail_memory(err);
	return marks > 0 ? 0
	                 : hp_fail(err, "no word of the training data is marked as the first one of an EDU "
	                                "(Discourse=, Seg=B-seg or BeginSeg=Yes in MISC)");
}

/* ---- scores ---- */

enum { PRECISION, RECALL, INSIDE, F1 };

typedef struct tally { /* words that begin an EDU */
	int64_t gold, found, right;
} tally;

static void count(tally *t, bool gold, bool found)
{
	t->gold += gold;
	t->found += found;
	t->right += gold && found;
}

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* F1, precision and recall of both. */
static double f1(const tally *t)
{
	return percent(2 * t->right, t->gold + t->found);
}

/* Sentences FIRST ... END - 1. */
static int score_some(const hp_tagging *how, hp_arena *scratch, const hp_treebank *bank, const hp_corpus *c, int first,
                      int end, tally *all, tally *inside, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	size_t words = 0;

	for (int i = first; i < end; i++)
		words += (size_t)bank->sent[i].words;
	float *prob = HP_NEW(scratch, float, words);
	bool *gold = HP_NEW(scratch, bool, words);
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	if (hp_segment_sentences(how, scratch, end - first, c->tokens + first, prob, err) != 0)
		return HP_FAIL;
	for (int i = first; i < end; i++) {
		hp_marks_read(&bank->sent[i], gold);
		gold[0] = true;
		for (int w = 0; w < bank->sent[i].words; w++, prob++) {
			count(all, gold[w], *prob >= HP_SEGMENT_LEAST);
			if (w > 0)
				count(inside, gold[w], *prob >= HP_SEGMENT_LEAST);
		}
	}
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_segmenter_score(const hp_tagging *how, hp_arena *scratch, const hp_treebank *bank, const hp_corpus *c,
                       hp_score *out, hp_error *err)
{
	tally all = {0}, inside = {0};

	for (int first = 0, end; first < bank->count; first = end) {
		end = hp_tagger_batch_end(bank, first);
		if (score_some(how, scratch, bank, c, first, end, &all, &inside, err) != 0)
			return HP_FAIL;
	}
	*out = (hp_score){.words = bank->words};
	out->percent[PRECISION] = percent(all.right, all.found);
	out->percent[RECALL] = percent(all.right, all.gold);
	out->percent[INSIDE] = f1(&inside);
	out->percent[F1] = f1(&all);
	return 0;
}

const hp_train_task hp_train_segment = {
	.scores = 4,
	.score = {"Precision", "Recall", "Inside", "F1"},
	.column = {"dev_precision", "dev_recall", "dev_inside", "dev_f1"},
	.item = "words",
	.open = hp_tagger_open,
	.close = hp_tagger_close,
	.step = hp_tagger_step,
	.score_dev = hp_tagger_score_dev,
	.store = hp_tagger_store,
	.test = hp_tagger_test,
};
