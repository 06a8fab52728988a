/* task.h: what training has to know of a kind of tree: task_dep.c, task_rst.c. */
#ifndef HP_TRAIN_TASK_H
#define HP_TRAIN_TASK_H
#include "eval/tally.h"
#include "pointer/parse.h"
#include "train/corpus.h"

enum { HP_SCORES = 3 };

typedef struct hp_train_task {
	int scores; /* how many there are; the first one is of the structure alone, the last one of the labels too */
	const char *score[HP_SCORES]; /* "UAS" */
	const char *column[HP_SCORES]; /* of the log, "dev_uas"; one beyond SCORES: of the last score without tags */
	const char *item; /* "words": what has a label each */
	bool two_models; /* one is kept by the first score, another one by the last score */
	double none; /* the best first score before there is one */
	int (*read)(const hp_bank_files *files, const hp_hyper *h, int max_words, hp_treebank *out, hp_error *err);
	/* Sentence I of T: words and gold tree into OUT, in its arena. */
	int (*number)(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i, hp_corpus *out,
	              hp_error *err);
	/* Adds to SUM [HP_SCORES] what a parser's tree and labels of sentence I are worth. */
	int (*compare)(const hp_corpus *c, int i, const hp_vocab *names, const int32_t *tree, const int32_t *labels,
	               hp_tally *sum, hp_error *err);
	double (*percent)(const hp_tally *sum);
} hp_train_task;

extern const hp_train_task hp_train_dep, hp_train_rst;
const hp_train_task *hp_train_task_of(hp_task task);

#endif
