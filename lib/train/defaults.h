/* defaults.h: hyper-parameters that follow from the size of the data and the length of the training. */
#ifndef HP_TRAIN_DEFAULTS_H
#define HP_TRAIN_DEFAULTS_H
#include "train/hyper.h"

typedef struct hp_length { /* what was asked for, one of them; both 0: nothing */
	int epochs;
	double minutes;
} hp_length;

/* Passes over a treebank of so many words where nothing was asked for. */
int hp_default_epochs(hp_task task, int64_t words);
bool hp_hyper_derivable(const hp_hyper *h); /* some may follow: not after a table, nor for every task */
/* Gives hyper-parameters of tokenisers, taggers, segmenters and dependency parsers that were not set the values that suit such
 * a treebank, and marks them as derived; none after a table, which stands for all of them. */
void hp_hyper_derive(hp_hyper *h, int sentences, int64_t words, const hp_length *length);

#endif
