/* dep.h: the dependency network: training step and the four stages of parsing.  Symbols as in DESIGN section 4.
 *
 * N = words + 1 positions, position 0 is the root; D = word_dim + char_filters + pos_dim; H = hidden (one direction);
 * Q = decoder_hidden.  "Rows of a batch" are all sentences' positions one after another. */
#ifndef HP_DEP_H
#define HP_DEP_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/pool.h"
#include "dep/config.h"
#include "nn/params.h"
#include "pointer/train.h"

typedef struct hp_dep_sent {
	int n; /* positions */
	const int32_t *words; /* [n] rows of embed.word */
	const int32_t *vectors; /* [n] rows of the fixed vectors, -1: none; NULL: no fixed vectors */
	const int32_t *pos; /* [n] rows of embed.pos; ignored if pos_dim is 0 */
	const int32_t *chars; /* all positions' characters in a row; the root has the one character HP_ID_ROOT */
	const int32_t *char_lengths; /* [n], each at least 1 */
	const int32_t *heads; /* [n], heads[0] = 0; a tree with one root; training only */
	const int32_t *labels; /* [n], labels[0] unused; -1: not known, nothing to learn; training only */
	const int32_t *tagging[HP_DEP_TAGGINGS]; /* [n] or NULL: for the auxiliary task; -1: nothing to learn */
} hp_dep_sent;

typedef hp_net hp_dep_net;

/* Parameters are zero until initialised, loaded or set through hp_dep_params. */
int hp_dep_net_new(const hp_dep_config *config, bool grads, hp_dep_net **out, hp_error *err) HP_USE_RESULT;
/* A network for parsing only: reads what STAGES need from the tensors PREFIX+name of ST, bound by name and shape, and
 * prepares it.  ST must outlive it: embed.word is read where it lies. */
int hp_dep_net_open(const hp_dep_config *config, const hp_safetensors *st, const char *prefix, int stages,
                    hp_dep_net **out, hp_error *err) HP_USE_RESULT;
void hp_dep_net_destroy(hp_dep_net *net); /* accepts NULL */
const hp_dep_config *hp_dep_net_config(const hp_dep_net *net);
hp_params *hp_dep_params(hp_dep_net *net);
bool hp_dep_auxiliary_param(const hp_param *p); /* of an auxiliary task: not in model files */
void hp_dep_net_init(hp_dep_net *net, uint64_t seed); /* random initial values */

/* ---- training ---- */
typedef struct hp_dep_dropout { /* rates in [0, 1); DESIGN "Dropout" */
	float word, character, pos; /* a position's whole vector */
	float lstm_hidden; /* recurrent state of the encoder and h'' (Eq. 8) */
	float lstm_layers; /* encoder layers' inputs, h, decoder's output */
	float mlp; /* MLPs' outputs */
	uint64_t seed, batch; /* the masks depend on these two only */
} hp_dep_dropout;

typedef struct hp_dep_loss {
	double structure, label; /* sums over the sentences, natural logarithm */
	int64_t arcs, steps; /* words; pointer decisions (2N - 1 a sentence) */
	double auxiliary; /* sum of the auxiliary tasks' losses, each times its weight */
} hp_dep_loss;

/* Forward and backward of COUNT sentences, teacher forced.  Adds SCALE × gradient of (structure + label + auxiliary
 * loss) to the parameters' grads.  VECTORS: fixed vectors [rows × word_dim] added to the words' own, or NULL.  DROPOUT NULL: none.
 * The result depends on the batch, not on POOL.  SCRATCH is left as it was. */
int hp_dep_train(hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, const hp_dep_dropout *dropout, float scale, hp_dep_loss *loss,
                 hp_error *err) HP_USE_RESULT;

/* ---- parsing ----
 * Each stage's results for a sentence do not depend on its neighbours in the batch, to the last bit.
 * COUNT sentences of n[i] positions; R = sum of n.  Call hp_dep_prepare after the parameters were set or changed
 * (it lays out weights for speed); stages: which of the four (HP_STAGE_...) are going to be called. */
int hp_dep_prepare(hp_dep_net *net, int stages, hp_error *err) HP_USE_RESULT;

/* x [R × D].  VECTORS as in training. */
int hp_dep_embed(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, float *x, hp_error *err) HP_USE_RESULT;
/* h [R × 2H]; init [COUNT × 2 × Q]: hidden and cell state after the bridge. */
int hp_dep_encode(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *x,
                  float *h, float *init, hp_error *err) HP_USE_RESULT;
/* heads [R]; d [R × Q] (row w: hidden state of the step that pointed to w; root rows zero); logp [R] (log-probability of
 * the arc to w; root rows 0); score [COUNT] (sum over all steps, pops included).  d, logp, score may be NULL.
 * beam >= 1. */
int hp_dep_decode(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                  const float *init, int beam, int32_t *heads, float *d, float *logp, float *score,
                  hp_error *err) HP_USE_RESULT;
/* Labels that are not chosen by their scores; -1: there is none such. */
typedef hp_special_labels hp_dep_labels;

/* labels [R] (root rows -1, and where no label may be chosen); logp [R] log-probability of the label, or NULL. */
int hp_dep_label(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                 const float *d, const int32_t *heads, hp_dep_labels special, int32_t *labels, float *logp,
                 hp_error *err) HP_USE_RESULT;

/* Floating-point operations (2 a multiply-add) of the matrix products for a sentence of N positions, padding not counted: forward, backward and weight gradients in training; all four stages at beam 1 in parsing. */
double hp_dep_train_flops(const hp_dep_config *config, const hp_dep_sent *sent);
double hp_dep_parse_flops(const hp_dep_config *config, int n);

#endif
