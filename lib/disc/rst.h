/* rst.h: the discourse network: training step and the three stages of parsing.  Symbols as in DESIGN section 4.
 *
 * A sentence has WORDS words in EDUS elementary discourse units (EDUs).  D = input_dim, H = hidden, L = layers.
 * "Rows of a batch" are all sentences' words one after another. */
#ifndef HP_RST_H
#define HP_RST_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/pool.h"
#include "disc/config.h"
#include "nn/params.h"
#include "pointer/train.h"
#include "pointer/splits.h"

typedef struct hp_rst_sent {
	int words, edus; /* each at least 1 */
	const int32_t *ends; /* [edus] last word of each EDU: rising, from 0, the last one words - 1 */
	/* training only */
	const int32_t *splits; /* [edus - 1][3] first EDU, last EDU of the left half, last EDU; see hp_rst_splits_ok */
	const int32_t *labels; /* [edus - 1] of the splits */
} hp_rst_sent;

/* Whether ENDS are as above; whether SPLITS are a binary tree in the order in which the decoder makes it: top-down,
 * depth-first, left first. */
bool hp_rst_ends_ok(int words, int edus, const int32_t *ends);
bool hp_rst_splits_ok(int edus, const int32_t *splits, int *scratch); /* SCRATCH [edus] */

typedef hp_net hp_rst_net;

/* Parameters are zero until initialised, loaded or set through hp_rst_params. */
int hp_rst_net_new(const hp_rst_config *config, bool grads, hp_rst_net **out, hp_error *err) HP_USE_RESULT;
/* A network for parsing only: copies what STAGES (HP_STAGE_...) need from the tensors PREFIX+name of ST, bound by name
 * and shape.  ST must outlive it: embed.word is read where it lies. */
int hp_rst_net_open(const hp_rst_config *config, const hp_safetensors *st, const char *prefix, int stages,
                    hp_rst_net **out, hp_error *err) HP_USE_RESULT;
void hp_rst_net_destroy(hp_rst_net *net); /* accepts NULL */
const hp_rst_config *hp_rst_net_config(const hp_rst_net *net);
hp_params *hp_rst_params(hp_rst_net *net);
void hp_rst_net_init(hp_rst_net *net, uint64_t seed); /* random initial values */

/* ---- training ---- */
typedef struct hp_rst_dropout { /* rates in [0, 1), a decision a value */
	float input; /* of x */
	float encoder, decoder; /* inputs of their layers but the first */
	float classifier; /* outputs of the label classifier's MLPs */
	uint64_t seed, batch; /* the masks depend on these two only */
} hp_rst_dropout;

typedef struct hp_rst_loss {
	double structure, label; /* sums over the sentences, natural logarithm */
	int64_t splits, steps; /* all splits; those of more than two EDUs, for which the decoder makes a step */
} hp_rst_loss;

/* Forward and backward of COUNT sentences, teacher forced.  x [R × D].  Adds SCALE × gradient of (structure + label
 * loss) to the parameters' grads and sets DX [R × D] (may be NULL) to that of x.  DROPOUT NULL: none.  The result
 * depends on the batch, not on POOL.  SCRATCH is left as it was. */
int hp_rst_train(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents, const float *x,
                 float *dx, const hp_rst_dropout *dropout, float scale, hp_rst_loss *loss, hp_error *err) HP_USE_RESULT;

/* The same from the words on (HP_RST_INPUT_WORDS): TOKENS [COUNT], VECTORS as in hp_embedding_forward. */
int hp_rst_train_words(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                       const hp_tokens *tokens, const float *vectors, const hp_rst_dropout *dropout, float scale,
                       hp_rst_loss *loss, hp_error *err) HP_USE_RESULT;
/* The same from a stream's layers on (HP_RST_INPUT_STREAM): LAYERS [COUNT][layers × words × D]. */
int hp_rst_train_stream(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                        const float *const *layers, const hp_rst_dropout *dropout, float scale, hp_rst_loss *loss,
                        hp_error *err) HP_USE_RESULT;

/* ---- parsing ----
 * Each stage's results for a sentence do not depend on its neighbours in the batch, to the last bit. */

/* Before hp_rst_embed, after the parameters were set or changed. */
int hp_rst_prepare(hp_rst_net *net, int stages, hp_error *err) HP_USE_RESULT;
/* x [R × D] of the words (HP_RST_INPUT_WORDS). */
int hp_rst_embed(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_tokens *tokens,
                 const float *vectors, float *x, hp_error *err) HP_USE_RESULT;
/* x [WORDS × D] of a sentence: its LAYERS [stream_layers × WORDS × D] times softmax(mix.weights), added, times mix.scale
 * (as in ELMo, Peters et al. 2018); a single layer as it is. */
void hp_rst_mix(const hp_rst_net *net, int words, const float *layers, float *x);
/* x [R × D] -> h [R × H]; init [COUNT × L × H]: the decoder's start state by layer.  WORDS [COUNT]. */
int hp_rst_encode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *words, const float *x,
                  float *h, float *init, hp_error *err) HP_USE_RESULT;
/* All sentences' splits one after another: splits [Σ (edus - 1)][3] in the order made; logp [Σ (edus - 1)]
 * log-probability of each, 0 where two EDUs are split; score [COUNT] their sums.  logp, score may be NULL.  beam >= 1. */
int hp_rst_decode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                  const float *h, const float *init, int beam, int32_t *splits, float *logp, float *score,
                  hp_error *err) HP_USE_RESULT;
/* labels [Σ (edus - 1)] of SPLITS, in any order; logp [same] log-probability of the label, or NULL. */
int hp_rst_label(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                 const float *h, const int32_t *splits, int32_t *labels, float *logp, hp_error *err) HP_USE_RESULT;

#endif
