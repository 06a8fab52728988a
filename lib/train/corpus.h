/* corpus.h: a treebank as numbers. */
#ifndef HP_CORPUS_H
#define HP_CORPUS_H
#include "disc/rst.h"
#include "train/lexicon.h"

typedef struct hp_corpus {
	int count;
	hp_dep_sent *sent; /* [count]; a label that the lexicon does not know is -1 */
	int64_t words;
	/* rhetorical trees: SENT has no root, heads and labels, but there are */
	hp_rst_sent *rst; /* [count]; NULL: dependency trees */
	hp_rst_binary **tree; /* [count]; the treebank's, which must outlive the corpus */
	float **x; /* [count][layers × words × dim] the treebank's; NULL: the network embeds words itself */
	hp_arena *arena;
} hp_corpus;

/* Numbers every sentence, as hp_model_number and hp_model_tokens do when parsing. */
int hp_corpus_number(const hp_lexicon *lex, const hp_treebank *t, hp_corpus *out, hp_error *err) HP_USE_RESULT;
hp_tokens hp_corpus_tokens(const hp_dep_sent *sent);
bool hp_corpus_knows_labels(const hp_corpus *c); /* rhetorical trees: the lexicon has the label of a split at least */
void hp_corpus_free(hp_corpus *c); /* frees the contents; accepts a zeroed one */

#endif
