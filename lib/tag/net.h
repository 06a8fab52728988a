/* net.h: the network of taggers and segmenters: layers of bidirectional LSTMs over what stands for the words, and for each
 * column of tags a softmax over its values.  A segmenter has one column, whether a word begins a discourse unit, and clues
 * (text/clues.h) beside words and characters.
 *
 *	words, characters --embedding--> x [D] --layers--> h [2H] --output--> scores of all columns' values, side by side */
#ifndef HP_TAG_NET_H
#define HP_TAG_NET_H
#include "base/task.h"
#include "nn/cell.h"
#include "nn/embedding.h"
#include "nn/ensemble.h"

enum { HP_TAG_COLUMNS = 4 };

typedef struct hp_tag_config {
	hp_task task; /* HP_TASK_TAG or HP_TASK_SEGMENT */
	int members; /* networks whose probabilities are averaged; 0: one */
	int own_embeddings; /* with members: 1: they do not share them */
	hp_embedding_sizes embedding; /* tags: a segmenter's clues */
	int hidden, layers; /* of each direction */
	int values[HP_TAG_COLUMNS]; /* of each column; 0: it is not learnt; a segmenter has the first one, of two */
} hp_tag_config;

typedef struct hp_tag_member {
	hp_embedding embedding; /* of all, or the member's own */
	hp_cell (*encoder)[2]; /* [layers] */
	hp_affine output; /* [values of all columns × 2H] */
} hp_tag_member;

typedef struct hp_tag_net {
	hp_tag_config c;
	hp_params params;
	int members; /* at least 1 */
	hp_tag_member *member; /* [members] */
	hp_member_arenas arenas;
} hp_tag_net;

int hp_tag_outputs(const hp_tag_config *c); /* values of all columns */
/* Refuses sizes out of range.  NAME begins the message: the file, or what the configuration is for. */
int hp_tag_config_check(const hp_tag_config *c, const char *name, hp_error *err) HP_USE_RESULT;
/* From and to __metadata__ but for the task; the keys are the fields' names, those of columns "upos", "xpos", "feats" and
 * "scripts"; a segmenter's column is "marks". */
int hp_tag_config_read(hp_tag_config *c, hp_task task, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
typedef int hp_tag_put(void *arg, const char *key, const char *value, hp_error *err);
int hp_tag_config_write(const hp_tag_config *c, hp_tag_put *put, void *arg, hp_error *err) HP_USE_RESULT;

/* For training: parameters are zero until initialised. */
int hp_tag_net_new(const hp_tag_config *c, hp_tag_net **out, hp_error *err) HP_USE_RESULT;
void hp_tag_net_init(hp_tag_net *net, uint64_t seed); /* random values */
/* For tagging only: the parameters are those of ST, which must outlive it; it is prepared. */
int hp_tag_net_open(const hp_tag_config *c, const hp_safetensors *st, hp_tag_net **out, hp_error *err) HP_USE_RESULT;
int hp_tag_net_prepare(hp_tag_net *net,
                       hp_error *err) HP_USE_RESULT; /* before tagging, after parameters were changed */
int hp_tag_net_embeddings(const hp_tag_net *net); /* the first so many members' are different ones */
void hp_tag_net_destroy(hp_tag_net *net); /* accepts NULL */

/* ---- tagging ---- */

/* Scores [R × values of all columns] of COUNT sentences' tokens, R in all; of several members log-probabilities.  VECTORS as in hp_embedding_look_up.  A
 * sentence's scores do not depend on its neighbours.  SCRATCH is left as it was. */
int hp_tag_scores(const hp_tag_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_tokens *tokens,
                  const float *vectors, float *scores, hp_error *err) HP_USE_RESULT;

/* ---- training ---- */

typedef struct hp_tag_dropout { /* rates in [0, 1); masks are the same in all steps of a sentence */
	float word, character, tags; /* a word's whole vector */
	float hidden; /* recurrent states */
	float layers; /* inputs of layers and output */
	uint64_t seed, batch; /* the masks depend on these two and the member only */
} hp_tag_dropout;

typedef struct hp_tag_batch {
	int count;
	const hp_tokens *tokens; /* [count] */
	const int32_t *const *const *gold; /* [count][HP_TAG_COLUMNS][n] value of each word; -1: not known */
	const float *vectors; /* or NULL */
	float smoothing; /* share of the probability that the loss spreads over all values */
} hp_tag_batch;

/* Forward and backward: adds SCALE × gradient to the parameters' grads.  LOSS [HP_TAG_COLUMNS]: sums over the words and
 * the members, natural logarithm; each member has masks of its own.  DROPOUT NULL: none.  The result does not depend on POOL.  SCRATCH is left as it was. */
int hp_tag_train(hp_tag_net *net, hp_pool *pool, hp_arena *scratch, const hp_tag_batch *batch,
                 const hp_tag_dropout *dropout, float scale, double *loss, hp_error *err) HP_USE_RESULT;

#endif
