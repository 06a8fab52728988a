/* parser.h: training a parser, a pointer network on trees: what parser.c and parser_score.c share. */
#ifndef HP_TRAIN_PARSER_H
#define HP_TRAIN_PARSER_H
#include "train/data.h"
#include "train/trees.h"

typedef struct hp_parser { /* the trainer's `work` */
	const hp_tree_kind *kind;
	hp_train_data data; /* banks of rhetorical trees are kept for their trees */
	hp_net *net;
} hp_parser;

/* parser_store.c, as hp_train_task has it. */
int hp_parser_store(const hp_trainer *t, const char *path, const struct hp_store_notes *notes,
                    hp_error *err) HP_USE_RESULT;
/* parser_score.c: greedy, every word counted, full relations; as hp_train_task has them. */
int hp_parser_score_dev(hp_trainer *t, hp_score *out, hp_error *err) HP_USE_RESULT;
int hp_parser_score_without_tags(hp_trainer *t, hp_score *out, hp_error *err) HP_USE_RESULT;
int hp_parser_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err) HP_USE_RESULT;

#endif
