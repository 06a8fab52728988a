/* treebank.h: a treebank read whole and checked: every sentence with its words, every sentence a tree. */
#ifndef HP_TREEBANK_H
#define HP_TREEBANK_H
#include <stdint.h>
#include "base/arena.h"
#include "model/model.h"
#include "rst/tree.h"
#include "text/conllu.h"
#include "text/masked.h"

typedef struct hp_treebank {
	int count;
	hp_sentence *sent; /* [count], each with at least one word */
	int32_t **heads; /* [count][words + 1], heads[i][0] = 0; NULL: none */
	int64_t words;
	uint64_t hash; /* of the text */
	hp_masked masked; /* words that are not there */
	int64_t open; /* words, or splits of a tree, whose relation is not known */
	/* rhetorical trees: no heads, but */
	hp_rst_binary **tree; /* [count] of several EDUs each; owned; NULL: dependency trees */
	int32_t **ends; /* [count][edus] last word of each EDU */
	int layers, dim; /* of embeddings from a stream (embeddings.h); 0: none */
	float **x; /* [count][layers × words × dim] if there are any, else NULLs; owned */
	/* private */
	bool words_only; /* neither HEAD nor DEPREL is looked at */
	char **tags; /* rhetorical trees: a text a file that the words' tags point into */
	int tag_texts;
	int capacity;
	hp_arena *arena;
} hp_treebank;

/* The files of a treebank, which are read one after another as if they were one.  The lists end with NULL. */
typedef struct hp_bank_files {
	const char *const *trees; /* NULL: no treebank */
	/* task rst, each NULL or one for each of TREES: */
	const char *const *streams; /* embeddings of all its trees */
	const char *const
		*tags; /* CoNLL-U with its sentences, in their order, others between them: words are then its words */
	hp_warn *warn; /* task rst: told, with WARN_ARG, of spans that contradict their leaves; NULL: nobody is */
	void *warn_arg;
} hp_bank_files;

/* Refuses, with file and line, whatever hp_conllu_read and hp_sentence_tree refuse, and a file without sentences.
 * Blocks of comments only are left out. */
int hp_treebank_read(const hp_bank_files *files, int max_words, hp_treebank *out, hp_error *err) HP_USE_RESULT;
/* The same, but HEAD and DEPREL are not looked at, and there are no heads. */
int hp_treebank_read_words(const hp_bank_files *files, int max_words, hp_treebank *out, hp_error *err) HP_USE_RESULT;
/* The same for elementary discourse units: a file may be in .dis notation too, which becomes CoNLL-U with Seg=B-seg
 * (text/marks.h), its sentences those of whole documents or trees of a sentence each.  Refused with TREES, which asks for HEAD
 * and DEPREL. */
int hp_treebank_read_units(const hp_bank_files *files, bool trees, int max_words, hp_treebank *out,
                           hp_error *err) HP_USE_RESULT;
/* The same of rhetorical trees, a sentence each, in .dis notation; those of one EDU, in which there is nothing to learn,
 * are left out.  Words are the EDUs' tokens; where files of tags are given, with such tags.  Only one of streams and tags
 * may be given. */
int hp_treebank_read_rst(const hp_bank_files *files, hp_pos_column tags, int max_words, hp_treebank *out,
                         hp_error *err) HP_USE_RESULT;
/* Moves a tenth of T's sentences, with their embeddings, at least one, chosen by SEED, to DEV, which must be freed before T.
 * NAME: of T's file, for the message. */
int hp_treebank_hold_out(hp_treebank *t, const char *name, uint64_t seed, hp_treebank *dev,
                         hp_error *err) HP_USE_RESULT;
/* Whether the relation of a word ("_"), or the label of a split ("__NS" ...), says that it is not known. */
bool hp_label_is_open(const char *label, size_t size);
void hp_treebank_free(hp_treebank *t); /* frees the contents; accepts a zeroed one */

/* *COUNT: sentences of T that have the same words as one of IN. */
int hp_treebank_shared(const hp_treebank *t, const hp_treebank *in, int *count, hp_error *err) HP_USE_RESULT;

/* What is told of a treebank. */
typedef struct hp_bank_facts {
	int count, known; /* sentences; those that the training data has as well */
	int64_t words;
	hp_masked masked; /* words that are not there; what is held out as dev counts with the training data */
	int64_t open; /* words or splits without a known relation */
	bool no_labels; /* dev: none that the training data has */
} hp_bank_facts;
hp_bank_facts hp_treebank_facts(const hp_treebank *t); /* KNOWN and NO_LABELS are set by others */

/* How reading begins and ends, for both kinds: T empty; STATUS, T freed after failure. */
int hp_treebank_begin(hp_treebank *t, hp_error *err) HP_USE_RESULT;
int hp_treebank_end(hp_treebank *t, int status) HP_USE_RESULT;
/* Within the two: takes over *S, which has words, from file NAME, and checks its tree unless there are none to be. */
int hp_treebank_add(hp_treebank *t, hp_sentence *s, const char *name, hp_error *err) HP_USE_RESULT;
/* Adds a file of trees in .dis notation as sentences with marks; FILES may have somebody to warn. */
int hp_treebank_add_units(hp_treebank *t, const hp_bank_files *files, hp_input *in, int max_words,
                          hp_error *err) HP_USE_RESULT;

#endif
