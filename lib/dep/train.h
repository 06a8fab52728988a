/* train.h: what the forward pass of a training batch leaves for the loss and the backward pass.  Private to lib/dep
 * and the conformance test.
 *
 * Three orders of rows are in use.  "Packed" rows are time-major (packed.h), "position" and "step" rows are sentence by
 * sentence, "order" rows are steps in the order of computation (oracle.h).  Sentences are sorted by falling length:
 * sorted sentence s is the caller's sentence order[s]. */
#ifndef HP_DEP_TRAIN_H
#define HP_DEP_TRAIN_H
#include "dep/net.h"
#include "dep/oracle.h"
#include "nn/lstm.h"

/* Dropout masks, a row a sentence, or all NULL. */
typedef struct hp_dep_masks {
	float **in; /* [layers] [count × layer's input] */
	float *(*state)[2]; /* [layers][2] [count × H] */
	float *h; /* [count × 2H] */
	float *fused; /* [count × Q]: on h'' (Eq. 8) */
	float *out; /* [count × Q]: on the decoder's output */
	float *pointer_g1, *pointer_g2; /* [count × A] */
	float *label_g1, *label_g2; /* [count × L] */
	float *word, *chr, *pos; /* [packed rows]: of whole vectors */
} hp_dep_masks;

typedef struct hp_dep_trace {
	int count;
	int *order; /* [count] */
	const hp_dep_sent **sents; /* sorted */
	int *n; /* sorted */
	hp_plan plan;
	hp_packed packed;
	int *packed_row, *packed_owner; /* of a position row; of a packed row */
	hp_dep_masks mask;
	/* embedding, packed rows */
	float *x; /* [rows × D] */
	hp_embedding_trace embedding;
	/* encoder, packed rows */
	float **in, **out; /* [layers] masked inputs and outputs */
	hp_bilstm_trace *layer; /* [layers] */
	float *final[2]; /* [count × H] cells */
	float *bridge_in; /* [count × 2H] */
	float *h; /* position rows [rows × 2H], after dropout */
	/* decoder, states: count start states, then order rows */
	float *state; /* [states × 2 × Q]: hidden, cell */
	float *source; /* position rows [rows × I]: W_src · h */
	float *z; /* order rows [total × I] */
	float *gates; /* [total × 4Q] */
	float *tanh_cell; /* [total × Q] */
	float *hidden_in; /* [total × Q]: what the LSTM takes as its state, after dropout */
	float *fused, *tanh_fused, *gate; /* [total × 2 × Q]: h'', h', g for hidden and cell; NULL with fusion T */
	float *product[HP_SOURCES]; /* SGate: [total × 2 × Q] d_previous · d_parent, d_previous · d_sibling */
	float *fuse_part[HP_SOURCES], *gate_part[HP_SOURCES]; /* [states × 2 × Q]: W · state, or NULL */
	float *gate_sum; /* SGate: [total × 2 × Q] */
	/* outputs, step rows */
	float *d; /* [total × Q], after dropout */
	float *g1_plain, *g1, *q; /* [total × A] */
	float *g2_plain, *g2; /* position rows [rows × A] */
	size_t *score_at;
	float *scores; /* [steps × n] a sentence; after the loss their gradient */
	double *loss; /* [2 × count] structure, then label losses by sentence */
	/* labels: arc rows are the steps that attach a word */
	int arcs;
	int *arc_step, *arc_owner, *arc_child; /* step row, sentence, position row */
	float *arc_d; /* [arcs × Q] */
	float *label_g1_plain, *label_g1; /* [arcs × L] */
	float *label_g2_plain, *label_g2; /* position rows [rows × L] */
	float *label_child; /* label_g2 of the arcs' words [arcs × L] */
	float *label_t, *label_y; /* [arcs × K·L], [arcs × K]; after the loss y is its gradient */
} hp_dep_trace;

/* All return HP_FAIL and set ERR when memory runs out.  T is filled in the order of these calls; everything is in ARENA. */
int hp_dep_batch_make(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, int count,
                      const hp_dep_sent *sents, const hp_dep_dropout *dropout);
int hp_dep_embed_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *vectors);
int hp_dep_encoder_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena);
int hp_dep_decoder_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena);
int hp_dep_scores_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena);
void hp_dep_loss_make(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, float scale, hp_dep_loss *loss);
/* Gradients: dh [rows × 2H] and dstate [states × 2 × Q] begin as the scores' part and gather the others'. */
int hp_dep_scores_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                           float *dstate);
int hp_dep_decoder_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                            float *dstate);
/* dx [rows × D] */
int hp_dep_encoder_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                            const float *dstate, float *dx);
int hp_dep_embed_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *dx);

/* Forward, loss and backward of the auxiliary tasks; adds to dh [rows × 2H] and to *LOSS. */
int hp_dep_auxiliary(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float scale, float *dh,
                     double *loss);

/* All forward steps. */
int hp_dep_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, int count,
                   const hp_dep_sent *sents, const float *vectors, const hp_dep_dropout *dropout);

#endif
