/* tokenizer.h: training a tokeniser: what tokenizer.c and tokenizer_score.c share. */
#ifndef HP_TRAIN_TOKENIZER_H
#define HP_TRAIN_TOKENIZER_H
#include "tokenize/gold.h"
#include "tokenize/model.h"
#include "train/trainer.h"

typedef struct hp_tok_slice { /* a part of a paragraph that is learnt at once */
	int from, to; /* signs of the training text */
	bool first, last; /* of its paragraph; other ends move from epoch to epoch */
} hp_tok_slice;

typedef struct hp_tokenizer { /* the trainer's `work` */
	hp_tok_gold train, dev, test;
	hp_tok_slice *slice;
	int *rows; /* [slices] signs */
	size_t slice_capacity, row_capacity;
	int slices;
	hp_tok_alphabet *alphabet;
	hp_expander *expander;
	hp_tok_net net;
} hp_tokenizer;

/* tokenizer_score.c: F1 of Tokens, Words and Sentences of the texts, split anew, and their mean. */
int hp_tokenizer_score_dev(hp_trainer *t, hp_score *out, hp_error *err) HP_USE_RESULT;
int hp_tokenizer_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err) HP_USE_RESULT;

#endif
