/* score.h: how well a network parses a corpus: greedy, every word counted, full relations. */
#ifndef HP_SCORE_H
#define HP_SCORE_H
#include "train/task.h"

typedef struct hp_score {
	int64_t words; /* 0: nothing was scored */
	double percent[HP_SCORES]; /* the task's scores */
} hp_score;

typedef struct hp_scoring { /* what is scored, and with what */
	const hp_train_task *task;
	hp_net *net;
	hp_pool *pool;
	hp_arena *scratch;
	const float *vectors; /* fixed vectors, as in training; NULL: none */
	const hp_vocab *labels; /* names of the network's labels */
	bool hide_tags; /* as if every tag were missing (task dep) */
} hp_scoring;

/* Prepares the network for all stages. */
int hp_score_corpus(const hp_scoring *s, const hp_corpus *c, hp_score *out, hp_error *err) HP_USE_RESULT;
enum { HP_SCORE_TEXT = 96 };
void hp_score_text(const hp_train_task *task, const hp_score *score,
                   char text[HP_SCORE_TEXT]); /* "UAS 91.25 LAS 89.50" */

#endif
