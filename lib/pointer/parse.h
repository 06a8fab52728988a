/* parse.h: parsing, for a batch of sentences of either kind, and the four stages that it is made of.
 *
 *	numbers of words --embed--> x --encode--> h, init --decode--> tree, d --label--> labels
 *
 * A stage's results for a sentence do not depend on its neighbours in the batch, to the last bit.  R = sum of the
 * sentences' rows; widths as in hp_shape.  Rows of h, init and d are those of the M members side by side.  SCRATCH is left as
 * it was. */
#ifndef HP_PARSE_H
#define HP_PARSE_H
#include "base/arena.h"
#include "base/pool.h"
#include "pointer/grammar.h"
#include "pointer/net.h"

typedef struct hp_sentences {
	int count;
	const hp_sample *sample; /* [count] */
	/* What stands for their words, one of: */
	const hp_tokens *tokens; /* [count], as in hp_embedding_forward */
	const float *const *layers; /* [count][stream_layers × rows × D] of a stream */
	const float *x; /* [R × D] */
	float *dx; /* in training [R × D]: set to the gradient of what stands for the words; or NULL */
	const float *vectors; /* with tokens: fixed vectors [. × word_dim] added to the words' own, or NULL */
} hp_sentences;

/* Labels that are not chosen by their scores; -1: there is none such. */
typedef struct hp_special_labels {
	int root; /* "root": for the root's child and for no other */
	int open; /* "_", which says that the relation is not known: never if there is another one */
	const int8_t *nuclearity; /* rst: [labels] 0, 1 or 2: has its say beside the label; NULL: has none */
} hp_special_labels;
enum { HP_NUCLEARITIES = 3 };

typedef struct hp_parsing { /* what parses, and how */
	const hp_net *net; /* prepared for the stages that are called */
	hp_special_labels special;
	int beam; /* hypotheses that the decoder keeps, at least 1; more if more trees are wanted */
	hp_pool *pool; /* NULL: one thread */
	int nbest; /* trees of a sentence at most, 0: 1 */
} hp_parsing;

/* What comes out, all sentences' rows one after another: R of words, S of results, of which a sentence has RESULTS. */
typedef struct hp_parsed {
	int *results; /* [count] of a tree.  dep: positions, root included; rst: splits, of which one EDU has none */
	int most; /* trees of a sentence, for which there is room */
	const float *x; /* [R × D] */
	float *h, *init; /* [R × M·W], [count × P × M·Q] */
	hp_trees trees; /* heads or splits; d of dep only */
	int32_t *labels; /* [S], as there are trees; -1: none */
	float *label_logp; /* likewise */
} hp_parsed;

/* All four stages.  OUT's arrays are in ARENA, with what was needed to make them, until the caller empties it. */
int hp_parse_sentences(const hp_parsing *how, hp_arena *arena, const hp_sentences *in, hp_parsed *out,
                       hp_error *err) HP_USE_RESULT;

/* ---- the stages ---- */

/* x [R × D] of tokens, or of a stream's layers. */
int hp_embed(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, float *x, hp_error *err) HP_USE_RESULT;
/* x [ROWS × D] of a sentence: its LAYERS [stream_layers × ROWS × D] times softmax(mix.weights), added, times mix.scale
 * (as in ELMo, Peters et al. 2018); a single layer as it is. */
void hp_mix(const hp_net *net, int rows, const float *layers, float *x);
/* x [R × D] -> h [R × M·W]; init [count × P × M·Q]: the decoder's start state. */
int hp_encode(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *x, float *h, float *init,
              hp_error *err) HP_USE_RESULT;
int hp_decode(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *h, const float *init,
              const hp_trees *out, hp_error *err) HP_USE_RESULT;
/* The trees that HOW asks for: room for them in hp_parsed and hp_trees. */
static inline int hp_most_trees(const hp_parsing *how)
{
	return how->nbest > 1 ? how->nbest : 1;
}

/* Labels of TREES, which need d where the grammar's left ones are states: as many as there are results; of root rows, and
 * where no label may be chosen, -1.  LOGP: their log-probabilities, or NULL. */
int hp_label(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *h, const hp_trees *trees,
             int32_t *labels, float *logp, hp_error *err) HP_USE_RESULT;

/* Floating-point operations (2 a multiply-add) of the matrix products for a sentence of N positions, padding not
 * counted: all four stages of a dependency network of one member at beam 1; forward, backward and weight gradients in
 * training. */
double hp_parse_flops(const hp_net_config *config, int n);
double hp_train_flops(const hp_net_config *config, int n);

#endif
