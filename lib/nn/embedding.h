/* embedding.h: word vector, character CNN and tag vector of each token, side by side: the input of both networks.
 *
 * D = word_dim + char_filters + pos_dim × tags of a token. */
#ifndef HP_EMBEDDING_H
#define HP_EMBEDDING_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/pool.h"
#include "nn/charcnn.h"
#include "nn/params.h"

typedef struct hp_embedding_sizes {
	int words, word_dim;
	int chars, char_dim, char_filters, char_window;
	int tags, pos_dim; /* pos_dim 0: no tags */
	int tags_each; /* tags of a token, whose vectors stand side by side; 0: one */
} hp_embedding_sizes;

typedef struct hp_tokens { /* of a sentence */
	int n;
	const int32_t *words; /* [n] rows of embed.word */
	const int32_t *vectors; /* [n] rows of the fixed vectors, -1: none; NULL: no fixed vectors */
	const int32_t *pos; /* [n × tags_each] rows of embed.pos; ignored if pos_dim is 0 */
	const int32_t *chars; /* all tokens' characters in a row */
	const int32_t *char_lengths; /* [n], each at least 1 */
} hp_tokens;

typedef struct hp_embedding {
	hp_embedding_sizes c;
	hp_param *word, *chr, *pos; /* NULL where there are none */
	hp_affine cnn;
	/* for parsing */
	float *char_table; /* [chars × window × filters] */
	const hp_tensor *words; /* embed.word where it lies in the model file, or NULL: in `word` */
	const char *file; /* whose it is */
} hp_embedding;

int hp_embedding_dim(const hp_embedding_sizes *c); /* D */
/* embed.char, embed.pos, charcnn.w, charcnn.b and, with WORDS, embed.word */
int hp_embedding_declare(hp_params *p, const hp_embedding_sizes *c, bool words, hp_error *err) HP_USE_RESULT;
void hp_embedding_bind(hp_embedding *e, const hp_embedding_sizes *c, const hp_params *p);
/* Finds PREFIX + "embed.word" in ST, which must outlive E: its rows are read where they lie. */
int hp_embedding_open(hp_embedding *e, const hp_safetensors *st, const char *prefix, hp_error *err) HP_USE_RESULT;
/* Before parsing, after the parameters were set or changed. */
int hp_embedding_prepare(hp_embedding *e, hp_error *err) HP_USE_RESULT;
void hp_embedding_free(hp_embedding *e); /* what it owns; accepts a zeroed one */
/* Random initial values of one of its tables (a parameter whose name begins with "embed."). */
void hp_embedding_init(hp_param *p, hp_rng *rng);

/* What the forward pass of a training batch leaves for the backward pass.  Tokens are all sentences' one after
 * another; the caller sets the first four fields. */
typedef struct hp_embedding_trace {
	int rows; /* tokens */
	const int *row; /* [rows] row of x for each token; NULL: the same */
	const float *word_mask, *char_mask, *pos_mask; /* [rows of x] factors of whole vectors, or NULL */
	const hp_tokens **sentence; /* [rows] of each token */
	int *place; /* [rows] of each token in its sentence */
	float *char_table, *char_y; /* [chars × window × filters], [rows × filters] */
	int32_t *char_best; /* [rows × filters] */
	const int32_t **char_at; /* [rows] */
	int32_t *char_length; /* [rows] */
} hp_embedding_trace;

/* x [rows × D] of COUNT sentences, SENTS [count].  VECTORS: fixed vectors [. × word_dim] added to the words' own, or
 * NULL.  HP_FAIL: out of memory. */
int hp_embedding_forward(hp_embedding_trace *t, const hp_embedding *e, hp_pool *pool, hp_arena *arena, int count,
                         const hp_tokens *sents, const float *vectors, float *x) HP_USE_RESULT;
/* Adds the parameters' gradients.  The order of the sums does not depend on POOL. */
int hp_embedding_backward(const hp_embedding_trace *t, const hp_embedding *e, hp_pool *pool, hp_arena *arena,
                          const float *dx) HP_USE_RESULT;
/* For parsing: x [rows × D]; a sentence's rows do not depend on its neighbours.  Rows of embed.word that are read where
 * they lie are refused as hp_params_load does. */
int hp_embedding_look_up(const hp_embedding *e, hp_pool *pool, hp_arena *scratch, int count, const hp_tokens *sents,
                         const float *vectors, float *x, hp_error *err) HP_USE_RESULT;

#endif
