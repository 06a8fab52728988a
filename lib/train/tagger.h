/* tagger.h: training a tagger or a segmenter: what tagger.c, tagger_values.c and segmenter.c share. */
#ifndef HP_TRAIN_TAGGER_H
#define HP_TRAIN_TAGGER_H
#include "tag/model.h"
#include "train/data.h"
#include "train/store.h"

typedef struct hp_tagger { /* the trainer's `work` */
	hp_train_data data; /* the dev bank is kept for its words */
	hp_vocab *words; /* of the model: those of the treebank and of the vectors */
	hp_tag_values values;
	int *(*gold)
		[HP_TAG_COLUMNS]; /* [train.count] value of each word, in ARENA; NULL: the column is not learnt; a segmenter's column is the first */
	hp_arena *arena;
	hp_tag_net *net;
} hp_tagger;

/* Which columns of the treebank there are, their values, and which of them words have together; scripts that were seen HP_SCRIPT_LEAST times at least; words
 * with their only lemma. */
enum { HP_SCRIPT_LEAST = 2 };
int hp_tagger_values(hp_tagger *t, hp_arena *scratch, hp_error *err) HP_USE_RESULT;

/* Which words begin an elementary discourse unit. */
int hp_segmenter_gold(hp_tagger *t, hp_error *err) HP_USE_RESULT;

/* How a network does on a treebank. */
typedef int hp_tagger_score(const hp_tagging *how, hp_arena *scratch, const hp_treebank *bank, const hp_corpus *c,
                            hp_score *out, hp_error *err);
hp_tagger_score hp_tagger_score_tags, hp_segmenter_score;
/* The first sentence of a bank that no longer stands in one batch with number FIRST. */
int hp_tagger_batch_end(const hp_treebank *bank, int first);

/* Of both tasks, as in struct hp_train_task. */
int hp_tagger_open(hp_trainer *t, hp_error *err) HP_USE_RESULT;
void hp_tagger_close(hp_trainer *t);
int hp_tagger_step(hp_trainer *t, int count, const int *sentence, hp_train_loss *out, hp_error *err) HP_USE_RESULT;
int hp_tagger_score_dev(hp_trainer *t, hp_score *out, hp_error *err) HP_USE_RESULT;
int hp_tagger_store(const hp_trainer *t, const char *path, const hp_store_notes *notes, hp_error *err) HP_USE_RESULT;
int hp_tagger_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err) HP_USE_RESULT;

#endif
