/* decoder.h: the decoder in training, as decode.c and decode_backward.c see it, and parts of its matrices. */
#ifndef HP_DECODER_H
#define HP_DECODER_H
#include "pointer/train.h"

enum { ROWS = 2, UNITS = 128 }; /* of one task */

typedef struct decoder {
	const hp_net *net;
	const hp_levels *p;
	const hp_masks *mask;
	hp_decode_trace *t;
	hp_pool *pool;
	hp_matrix unit; /* unit rows [. × W] */
	/* weights, as every level reads them fastest */
	hp_matrix *w_hh; /* [layers] */
	hp_matrix fuse[HP_SOURCES], gate[HP_SOURCES];
	int P, Q; /* of a state */
	int count; /* sentences, start states */
	int from, rows, kept; /* the level: order rows from ... from + rows - 1, those that are kept first */
	int layer;
	hp_product *jobs; /* of a group */
	/* backward */
	hp_matrix dd; /* [step rows × Q]: the gradient of what the pointer and the labels took of the states */
	hp_matrix dstate, dfused, dz; /* [states × P·Q], [widest level × P·Q], [widest level × Q] */
	hp_matrix dpart[HP_SOURCES], dgate[HP_SOURCES]; /* [states × P·Q] or none */
	hp_matrix dgate_sum, dproduct[HP_SOURCES]; /* SGate: [total × P·Q], [widest level × P·Q] */
} decoder;

static inline void set_level(decoder *a, int level)
{
	a->from = a->p->level_at[level];
	a->rows = a->p->level_at[level + 1] - a->from;
	a->kept = a->p->level_kept[level];
}

static inline int tasks_of(int size, int each)
{
	return (size + each - 1) / each;
}

/* A row's last row of its task, in the level. */
static inline int task_end(const decoder *a, int task)
{
	int end = (task + 1) * ROWS;
	return a->from + (end < a->rows ? end : a->rows);
}

/* The level's rows of a matrix of order rows. */
static inline hp_matrix level_of(const decoder *a, hp_matrix m)
{
	return hp_some_rows(m, a->from, a->rows);
}

/* A matrix [. × P·Q] without gaps as its vectors of Q, one below the other. */
static inline hp_matrix vectors_of(const decoder *a, hp_matrix m)
{
	return hp_matrix_of(m.data, m.rows * a->P, a->Q);
}

/* A layer's hidden state in a matrix of states [. × P·Q], or the gates' inputs W_hh · [. × Q]. */
static inline hp_matrix layer_of(const decoder *a, hp_matrix m, int layer)
{
	return hp_some_columns(m, layer * a->Q, a->Q);
}

/* HP_FAIL: T's arena has no room. */
int hp_decoder_start(decoder *a, hp_trace *t);
int hp_decoder_pack(decoder *a, hp_arena *arena, bool turned); /* as hp_gemm_pack */

#endif
