/* tagger.h: training a tagger: what tagger.c and tagger_values.c share. */
#ifndef HP_TRAIN_TAGGER_H
#define HP_TRAIN_TAGGER_H
#include "tag/values.h"
#include "train/data.h"

typedef struct hp_tagger { /* the trainer's `work` */
	hp_train_data data; /* the dev bank is kept for its words */
	hp_tag_values values;
	int *(*gold)[HP_TAG_COLUMNS]; /* [train.count] value of each word, in ARENA; NULL: the column is not learnt */
	hp_arena *arena;
	hp_tag_net *net;
} hp_tagger;

/* Which columns of the treebank there are, and their values; scripts that were seen HP_SCRIPT_LEAST times at least; words
 * with their only lemma. */
enum { HP_SCRIPT_LEAST = 2 };
int hp_tagger_values(hp_tagger *t, hp_arena *scratch, hp_error *err) HP_USE_RESULT;

#endif
