/* net.h: the tokeniser's network: what ends behind each sign of a text.
 *
 * A sign's vector is that of its character and that of its kind, added.  Layers of bidirectional LSTMs read them, and a
 * softmax chooses a class for each sign.  Parameters: embed.char, embed.kind, encoder.LAYER.fwd... and .bwd..., out. */
#ifndef HP_TOKENIZE_NET_H
#define HP_TOKENIZE_NET_H
#include "base/pool.h"
#include "nn/cell.h"
#include "tokenize/signs.h"

typedef enum hp_tok_class {
	HP_TOK_INSIDE, /* no token ends here */
	HP_TOK_TOKEN,
	HP_TOK_SENTENCE, /* and its last token */
	HP_TOK_MULTI, /* a multiword token */
	HP_TOK_SENTENCE_MULTI,
	HP_TOK_CLASSES
} hp_tok_class;

enum { HP_TOK_LAYERS = 20, HP_TOK_WIDEST = 10000 }; /* at most */

typedef struct hp_tok_sizes {
	int chars; /* of the vocabulary; 0 is an unknown one */
	int dim, hidden, layers;
} hp_tok_sizes;

typedef struct hp_tok_net {
	hp_tok_sizes c;
	hp_params params;
	hp_param *chr, *kind; /* [chars × dim], [HP_SIGN_KINDS × dim] */
	hp_cell cell[HP_TOK_LAYERS][2];
	hp_affine out;
} hp_tok_net;

/* Declares and finds the parameters; their values come from hp_tok_net_init or hp_params_load. */
int hp_tok_net_make(hp_tok_net *net, const hp_tok_sizes *c, hp_error *err) HP_USE_RESULT;
void hp_tok_net_free(hp_tok_net *net); /* accepts a zeroed one */
void hp_tok_net_init(hp_tok_net *net, uint64_t seed); /* random values; parameters are allocated */

/* Signs in a row, read together: a paragraph or a part of one. */
typedef struct hp_tok_window {
	int count;
	const int32_t *chr; /* [count] rows of embed.char */
	const uint8_t *kind; /* [count] */
	const int8_t *gold; /* [count] classes, -1: none is asked for (training) */
} hp_tok_window;

typedef struct hp_tok_loss { /* sums */
	double inside, end; /* natural logarithm: of signs within tokens, of tokens' last ones */
	int64_t signs, tokens; /* that have a class; tokens that end */
} hp_tok_loss;

typedef struct hp_tok_training {
	hp_tok_net *net;
	hp_pool *pool;
	hp_arena *arena; /* emptied by the caller */
	float drop; /* rate of dropout: of what each layer reads, of states, of what the softmax reads */
	hp_rng *rng;
} hp_tok_training;

/* Adds to the gradients those of the windows' mean loss a sign, and to LOSS its sums.  HP_FAIL: out of memory. */
int hp_tok_learn(const hp_tok_training *t, int count, const hp_tok_window *windows, hp_tok_loss *loss,
                 hp_error *err) HP_USE_RESULT;

/* ---- tokenising ---- */

typedef struct hp_tok_runner hp_tok_runner; /* a network ready to read; borrows it */
int hp_tok_runner_new(const hp_tok_net *net, hp_tok_runner **out, hp_error *err) HP_USE_RESULT;
void hp_tok_runner_destroy(hp_tok_runner *r); /* accepts NULL */
/* The log-probabilities of the classes of each sign, [count × HP_TOK_CLASSES], to SCORE of each window.  A window's do not
 * depend on its neighbours, nor on POOL. */
int hp_tok_run(hp_tok_runner *r, hp_pool *pool, hp_arena *scratch, int count, const hp_tok_window *windows,
               float *const *score, hp_error *err) HP_USE_RESULT;

#endif
