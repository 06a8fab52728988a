/* trees.h: what training a parser has to know of a kind of tree: trees_dep.c, trees_rst.c. */
#ifndef HP_TREES_H
#define HP_TREES_H
#include "eval/tally.h"
#include "train/corpus.h"

enum { HP_TREE_SCORES = 3 };

typedef struct hp_tree_kind {
	int scores; /* of HP_TREE_SCORES; the first one is of the structure alone, the last one of the labels too */
	int (*read)(const hp_bank_files *files, const hp_hyper *h, int max_words, hp_treebank *out, hp_error *err);
	/* Sentence I of T: words and gold tree into OUT, in its arena. */
	int (*number)(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i, hp_corpus *out,
	              hp_error *err);
	/* Adds to SUM [HP_TREE_SCORES] what a parser's tree and labels of sentence I are worth. */
	int (*compare)(const hp_corpus *c, int i, const hp_vocab *names, const int32_t *tree, const int32_t *labels,
	               hp_tally *sum, hp_error *err);
	double (*percent)(const hp_tally *sum);
} hp_tree_kind;

extern const hp_tree_kind hp_trees_dep, hp_trees_rst;

#endif
