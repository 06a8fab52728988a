/* train.h: what the forward pass of a training batch leaves for the loss and the backward pass.  Private to lib/disc and
 * the conformance test.
 *
 * "Packed" rows are words, time-major (packed.h); "EDU", "step" and "order" rows are those of oracle.h.  Sentences are
 * sorted by falling number of words: sorted sentence s is the caller's sentence order[s]. */
#ifndef HP_RST_TRAIN_H
#define HP_RST_TRAIN_H
#include "disc/net.h"
#include "disc/oracle.h"

/* Dropout masks, a decision a value, or NULL. */
typedef struct hp_rst_masks {
	float **in; /* [layers] [packed rows × layer's input]: of x, then the encoder's */
	float **decoder; /* [layers] [order rows × H], the first one NULL */
	float *label_g1, *label_g2; /* [EDU rows × label_mlp] */
} hp_rst_masks;

typedef struct hp_rst_trace {
	int count;
	int *order; /* [count] */
	size_t *at; /* [count + 1] first word of the caller's sentences */
	const hp_rst_sent **sents; /* sorted */
	hp_rst_plan plan;
	hp_packed packed;
	int words; /* rows of the batch */
	int *edu_row; /* packed row of an EDU's last word */
	hp_rst_masks mask;
	/* encoder, packed rows */
	float **in, **out; /* [layers] masked inputs and outputs [words × 2H] */
	hp_bigru_trace *layer; /* [layers] */
	float *e; /* EDU rows [rows × H]: both directions added */
	/* decoder; states [L × H] each: count start states, then order rows */
	float *state;
	float *fused; /* order rows [total × L × H]: what the cells take as their old states */
	float *fuse_part[HP_SOURCES]; /* states [L × H]: W · state, or NULL */
	float **z; /* [layers] [total × H]: the cells' inputs, masked */
	float **gates; /* [layers] [total × 4H] */
	/* scores, step rows */
	float *d; /* [total × H]: the last layer's states */
	size_t *score_at; /* [count] */
	float *scores; /* [steps × EDUs] a sentence, of which a step uses its span's; after the loss their gradient */
	double *loss; /* [2 × count] structure, then label losses by sentence */
	/* labels */
	float *label_g1_plain, *label_g1, *label_g2_plain, *label_g2; /* EDU rows [rows × label_mlp] */
	float *label_left, *label_right; /* the splits' rows of them [splits × label_mlp] */
	float *label_t, *label_y; /* [splits × K·label_mlp], [splits × K]; after the loss y is its gradient */
} hp_rst_trace;

/* All return HP_FAIL when memory runs out.  T is filled in the order of these calls; everything is in ARENA. */
int hp_rst_batch_make(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, int count,
                      const hp_rst_sent *sents, const hp_rst_dropout *dropout);
int hp_rst_encoder_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, const float *x);
int hp_rst_decoder_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena);
int hp_rst_scores_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena);
void hp_rst_loss_make(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, float scale, hp_rst_loss *loss);
/* Gradients: de [EDU rows × H] and dstate [states × L × H] begin as the scores' part and gather the others'. */
int hp_rst_scores_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, float *de,
                           float *dstate);
int hp_rst_decoder_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, float *de,
                            float *dstate);
/* dx [R × D] in the caller's order, or NULL */
int hp_rst_encoder_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, const float *de,
                            const float *dstate, float *dx);

/* All forward steps. */
int hp_rst_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, int count,
                   const hp_rst_sent *sents, const float *x, const hp_rst_dropout *dropout);

#endif
