/* networks.h: networks of either kind called with plain arrays, as the tests of their stages and gradients have them. */
#ifndef NETWORKS_H
#define NETWORKS_H
#include "pointer/splits.h"
#include "pointer/train.h"

typedef hp_net_config hp_dep_config, hp_rst_config;
int hp_dep_input_dim(const hp_dep_config *c);

typedef struct hp_dep_sent {
	int n; /* positions */
	const int32_t *words; /* [n] rows of embed.word */
	const int32_t *vectors; /* [n] rows of the fixed vectors, -1: none; NULL: no fixed vectors */
	const int32_t *pos; /* [n] rows of embed.pos; ignored if pos_dim is 0 */
	const int32_t *chars; /* all positions' characters in a row; the root has the one character HP_ID_ROOT */
	const int32_t *char_lengths; /* [n], each at least 1 */
	const int32_t *heads; /* [n], heads[0] = 0; a tree with one root; training only */
	const int32_t *labels; /* [n], labels[0] unused; -1: not known, nothing to learn; training only */
	const int32_t *tagging[HP_TAGGINGS]; /* [n] or NULL: for the auxiliary task; -1: nothing to learn */
} hp_dep_sent;

typedef hp_net hp_dep_net;

/* Parameters are zero until initialised, loaded or set through hp_dep_params. */
int hp_dep_net_new(const hp_dep_config *config, bool grads, hp_dep_net **out, hp_error *err) HP_USE_RESULT;
/* A network for parsing only: reads what STAGES need from the tensors PREFIX+name of ST, bound by name and shape, and
 * prepares it.  ST must outlive it: embed.word is read where it lies. */
void hp_dep_net_destroy(hp_dep_net *net); /* accepts NULL */
hp_params *hp_dep_params(hp_dep_net *net);

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

typedef struct hp_rst_sent {
	int words, edus; /* each at least 1 */
	const int32_t *ends; /* [edus] last word of each EDU: rising, from 0, the last one words - 1 */
	/* training only */
	const int32_t *splits; /* [edus - 1][3] first EDU, last EDU of the left half, last EDU; see hp_rst_splits_ok */
	const int32_t *labels; /* [edus - 1] of the splits */
	/* a document's, or 0 */
	int sents;
	const int32_t *sent_end; /* [sents] last EDU of each */
	const int32_t *paragraph; /* [edus] 1: a paragraph ends with it; or NULL */
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

int hp_rst_config_read(hp_rst_config *c, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_rst_config_write(const hp_rst_config *c, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

/* ---- training ---- */
typedef struct hp_rst_dropout { /* rates in [0, 1), a decision a value */
	float input; /* of x */
	float encoder, decoder; /* inputs of their layers but the first */
	float classifier; /* outputs of the label classifier's MLPs */
	uint64_t seed, batch; /* the masks depend on these two only */
} hp_rst_dropout;

typedef struct hp_rst_loss {
	double structure, label, auxiliary; /* sums over the sentences, natural logarithm */
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
/* x [R × D] of the words (HP_RST_INPUT_WORDS). */
/* x [WORDS × D] of a sentence: its LAYERS [stream_layers × WORDS × D] times softmax(mix.weights), added, times mix.scale
 * (as in ELMo, Peters et al. 2018); a single layer as it is. */
void hp_rst_mix(const hp_rst_net *net, int words, const float *layers, float *x);
/* x [R × D] -> h [R × H]; init [COUNT × L × H]: the decoder's start state by layer. */
int hp_rst_encode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                  const float *x, float *h, float *init, hp_error *err) HP_USE_RESULT;
/* All sentences' splits one after another: splits [Σ (edus - 1)][3] in the order made; logp [Σ (edus - 1)]
 * log-probability of each, 0 where two EDUs are split; score [COUNT] their sums.  logp, score may be NULL.  beam >= 1. */
int hp_rst_decode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                  const float *h, const float *init, int beam, int32_t *splits, float *logp, float *score,
                  hp_error *err) HP_USE_RESULT;
/* labels [Σ (edus - 1)] of SPLITS, in any order; logp [same] log-probability of the label, or NULL. */
int hp_rst_label(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                 const float *h, const int32_t *splits, int32_t *labels, float *logp, hp_error *err) HP_USE_RESULT;

#endif
