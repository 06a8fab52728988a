/* corpus.h: a treebank as numbers. */
#ifndef HP_CORPUS_H
#define HP_CORPUS_H
#include "pointer/parse.h"
#include "train/lexicon.h"

typedef struct hp_corpus {
	int count;
	hp_sample *sample; /* [count] gold trees, if there are any; a label that the lexicon does not know is -1 */
	hp_tokens *tokens; /* [count] words */
	int64_t words;
	/* the treebank's, which must outlive the corpus then: */
	hp_rst_binary **tree; /* [count] rhetorical trees; NULL: dependency trees */
	float **x; /* [count][layers × words × dim] embeddings; NULL: the network embeds words itself */
	hp_arena *arena;
} hp_corpus;

typedef struct hp_taken { /* some of a corpus' sentences */
	hp_sentences in; /* without vectors */
	hp_tokens *tokens; /* [count] those of IN, if it has any: the caller may change them */
} hp_taken;

/* Numbers every sentence, as hp_model_tokens does when parsing. */
int hp_corpus_number(const hp_lexicon *lex, const hp_treebank *t, hp_corpus *out, hp_error *err) HP_USE_RESULT;
/* The COUNT sentences whose numbers are SENTENCE, in ARENA. */
int hp_corpus_take(const hp_corpus *c, hp_arena *arena, int count, const int *sentence, hp_taken *out,
                   hp_error *err) HP_USE_RESULT;
bool hp_corpus_knows_labels(const hp_corpus *c); /* rhetorical trees: the lexicon has the label of a split at least */
void hp_corpus_free(hp_corpus *c); /* frees the contents; accepts a zeroed one */

#endif
