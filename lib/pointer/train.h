/* train.h: a training step, and what its forward pass leaves for the loss and the backward pass.
 *
 * Rows: "packed" rows of x are time-major (packed.h), unit, step, pair and order rows are those of levels.h.  Sentences are
 * sorted by falling number of rows: sorted sentence s is the caller's sentence order[s]. */
#ifndef HP_TRAIN_H
#define HP_TRAIN_H
#include "nn/birnn.h"
#include "pointer/levels.h"
#include "pointer/parse.h"

/* Dropout rates in [0, 1).  Dependency networks drop the same units in all steps of a sentence; the others decide value by
 * value. */
typedef struct hp_dropout {
	/* dep: */
	float word, character, pos; /* a position's whole vector */
	float lstm_hidden; /* recurrent state of the encoder and h'' (Eq. 8) */
	float lstm_layers; /* encoder layers' inputs, h, decoder's output */
	float mlp; /* MLPs' outputs */
	/* rst: */
	float input; /* of x */
	float encoder, decoder; /* inputs of their layers but the first */
	float classifier; /* outputs of the label classifier's MLPs */
	uint64_t seed, batch; /* the masks depend on these two and the member only */
} hp_dropout;

typedef struct hp_loss {
	double structure, label; /* sums over the sentences and the members, natural logarithm */
	int64_t pairs, steps; /* arcs of words, or splits; pointer decisions */
	double auxiliary; /* sum of the auxiliary tasks' losses, each times its weight */
} hp_loss;

/* Forward and backward of a batch with gold trees, teacher forced; each member by itself, with masks of its own.  Adds SCALE × gradient of (structure + label +
 * auxiliary loss) to the parameters' grads, and sets in->dx.  DROPOUT NULL: none.  The result depends on the batch, not
 * on POOL.  SCRATCH is left as it was. */
int hp_train(hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const hp_dropout *dropout,
             float scale, hp_loss *loss, hp_error *err) HP_USE_RESULT;

/* ---- inside ---- */

/* dropout.c: masks, or NULL; a row a sentence (by_sentence), else a row a row of what they mask. */
typedef struct hp_masks {
	bool by_sentence;
	float *word, *chr, *pos; /* [packed rows]: of whole vectors */
	float **in; /* [layers] [. × layer's input] */
	float *(*state)[2]; /* [layers][2] [count × H] */
	float **document; /* [document_layers] [document rows × layer's input] */
	float *unit; /* [count × W] */
	float *fused; /* [count × Q]: on h'' (Eq. 8) */
	float **decoder; /* [L] [order rows × Q]: on the inputs of its layers, the first one NULL */
	float *out; /* [count × Q]: on the decoder's output */
	float *pointer_g1, *pointer_g2; /* [count × A] */
	float *label_g1, *label_g2; /* [. × label_mlp] */
} hp_masks;

/* batch.c */
typedef struct hp_batch {
	int count;
	int *order; /* [count] */
	size_t *at; /* [count + 1] first row of the caller's sentences */
	const hp_sample **sample; /* sorted */
	int *row_at; /* [count + 1] first row of sorted sentences */
	/* What the layers over words read (pieces.h), by falling number of rows: */
	hp_packed packed;
	int *piece; /* [packed.count] the caller's */
	size_t *piece_at; /* by the caller's piece: its first row */
	int rows; /* of x */
	int *packed_row; /* of a row, sentence by sentence as sorted */
	int *packed_owner; /* [rows] sentence of a packed row */
	int *unit_row; /* packed row of a unit row */
	hp_levels levels;
	/* What the document layers read, by falling number of units: */
	hp_packed document;
	int *document_sentence; /* [count] sorted sentence */
	int *document_row; /* packed row of a unit row */
	int *unit_start; /* of a unit row: the words' packed row of its first word */
	hp_masks mask;
} hp_batch;

typedef struct hp_embed_trace {
	hp_matrix x; /* packed rows [rows × D] */
	hp_embedding_trace embedding; /* of tokens */
} hp_embed_trace;

typedef struct hp_layers_trace {
	hp_matrix *in; /* [layers] masked inputs [rows × layer's input] */
	hp_birnn_trace *layer; /* [layers] */
	hp_matrix out; /* of the last layer [rows × 2H] */
} hp_layers_trace;

typedef struct hp_encode_trace {
	hp_layers_trace words, document;
	hp_matrix bridge_in; /* [count × 2H] */
	hp_matrix unit; /* unit rows [rows × W], after dropout */
} hp_encode_trace;

typedef struct hp_decode_trace {
	hp_matrix state; /* [states × P·Q] */
	hp_matrix source; /* dep: unit rows [rows × I]: W_src · unit */
	hp_matrix *z; /* [L] order rows [total × layer's input]: the cells' inputs, masked */
	hp_matrix *gates; /* [L] [total × 4Q] */
	hp_matrix tanh_cell; /* LSTM: [total × Q] */
	hp_matrix fused, tanh_fused, gate; /* [total × P·Q]: h'', h', g; without a gate h'' is h' */
	hp_matrix hidden_in; /* [total × P·Q or Q]: what W_hh is multiplied with: fused, after dropout */
	hp_matrix product[HP_SOURCES]; /* SGate: [total × P·Q] d_previous · d_parent, d_previous · d_sibling */
	hp_matrix fuse_part[HP_SOURCES], gate_part[HP_SOURCES]; /* [states × P·Q]: W · state, or none */
	hp_matrix gate_sum; /* SGate: [total × P·Q] */
} hp_decode_trace;

typedef struct hp_point_trace {
	hp_matrix d; /* step rows [total × Q], the last layer's hidden states, after dropout */
	hp_matrix g1_plain, g1, q; /* [total × A]; without MLPs q is d */
	hp_matrix place; /* [. × B] what is pointed to: the units, or each with the next one beside it */
	hp_matrix g2_plain, g2; /* unit rows [rows × A]; without MLPs g2 is the units */
	size_t *score_at; /* [count + 1] */
	float *
		scores; /* [steps × units] a sentence, of which a step uses those to choose from; after the loss their gradient */
} hp_point_trace;

typedef struct hp_label_trace {
	hp_matrix left, right; /* [. × G], [. × R] what the classifier reads of pairs: a row a pair, or all units */
	const int *left_owner; /* mask rows of the left ones, or NULL */
	hp_matrix g1_plain, g1, g2_plain, g2; /* of LEFT, of RIGHT [. × label_mlp] */
	hp_matrix pair_g1, pair_g2; /* the pairs' rows of them [pairs × label_mlp] */
	hp_matrix t, y; /* [pairs × K·label_mlp], [pairs × K]; after the loss y is its gradient */
} hp_label_trace;

typedef struct hp_trace {
	const hp_net *net;
	hp_pool *pool;
	hp_arena *arena; /* everything is in it */
	hp_batch batch;
	hp_embed_trace embed;
	hp_encode_trace encode;
	hp_decode_trace decode;
	hp_point_trace point;
	hp_label_trace label;
	double *loss; /* [2 × count] structure, then label losses by sentence */
} hp_trace;

/* All return HP_FAIL when memory runs out.  T is filled in the order of these calls. */
int hp_batch_make(hp_trace *t, const hp_sentences *in, const hp_dropout *dropout);
int hp_masks_draw(hp_trace *t, const hp_dropout *dropout);
int hp_embed_forward(hp_trace *t, const hp_sentences *in);
int hp_encode_forward(hp_trace *t);
int hp_decode_forward(hp_trace *t);
int hp_point_forward(hp_trace *t);
int hp_label_forward_pairs(hp_trace *t);
/* All of these, and the losses, which replaces scores by gradients. */
int hp_forward(hp_trace *t, const hp_sentences *in, const hp_dropout *dropout);
void hp_losses(hp_trace *t, float scale, hp_loss *loss);
/* Gradients: du [unit rows × W] and dd [step rows × Q] are set by the pointer and added to by the others; dstate [states ×
 * P·Q] begins as dd's; dx [rows × D] (may be none) are packed rows. */
int hp_point_backward(hp_trace *t, hp_matrix du, hp_matrix dd);
int hp_label_backward_pairs(hp_trace *t, hp_matrix du, hp_matrix dd);
/* Forward, loss and backward of the auxiliary tasks; adds to *LOSS. */
int hp_auxiliary(hp_trace *t, float scale, hp_matrix du, double *loss);
int hp_decode_backward(hp_trace *t, hp_matrix dd, hp_matrix du, hp_matrix dstate);
int hp_encode_backward(hp_trace *t, hp_matrix du, hp_matrix dstate, hp_matrix dx);
int hp_embed_backward(hp_trace *t, const hp_sentences *in, hp_matrix dx);

#endif
