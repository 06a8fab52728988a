/* data.h: the treebanks of a training, its vocabularies, and both as numbers. */
#ifndef HP_TRAIN_DATA_H
#define HP_TRAIN_DATA_H
#include "train/corpus.h"
#include "train/from_model.h"
#include "train/trainer.h"

typedef int hp_bank_read(const hp_bank_files *files, const hp_hyper *h, int max_words, hp_treebank *out, hp_error *err);

typedef struct hp_train_data {
	hp_from_model *init; /* setup->init, while the network is made */
	hp_lexicon lexicon;
	hp_treebank train_bank, dev_bank; /* freed by the task as soon as it needs them no more */
	hp_treebank test_bank; /* empty: none */
	hp_corpus train, dev;
	int *rows; /* [train.count] */
} hp_train_data;

/* Reads all with READ into D, which is zeroed, and tells T. */
int hp_train_data_read(hp_trainer *t, hp_bank_read *read, hp_train_data *d, hp_error *err) HP_USE_RESULT;
void hp_train_data_free(hp_train_data *d); /* frees the contents */
/* Where there is a fixed vector the trained part, in PARAMS, starts from zero, and so does that of unknown words: words that
 * only the vectors know then look like the others. */
void hp_train_data_start(const hp_train_data *d, const hp_params *params);

#endif
