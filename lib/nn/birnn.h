/* birnn.h: a bidirectional recurrent layer of LSTM or GRU cells, on packed batches. */
#ifndef HP_BIRNN_H
#define HP_BIRNN_H
#include "nn/cell.h"
#include "nn/packed.h"

/* What a layer remembers for its backward pass, by direction (0 forward, 1 backward); R rows. */
typedef struct hp_birnn_trace {
	hp_matrix gates[2]; /* [R × 4H] */
	hp_matrix before[2]; /* [R × H] the recurrence's input: the state before, times its dropout mask */
	hp_matrix cells[2], tanh_cells[2]; /* [R × H] LSTM */
} hp_birnn_trace;

typedef struct hp_birnn {
	const hp_packed *p;
	hp_cell cell[2];
	const float *mask[2]; /* recurrent dropout [count × H] (LSTM only), or NULL */
} hp_birnn;

/* x [R × in] -> out [R × 2H].  FINAL[2] (may be NULL): the last states [count × H] of each direction; LSTM: cells.
 * HP_FAIL: ARENA, which keeps T, has no room. */
int hp_birnn_forward(hp_pool *pool, hp_arena *arena, const hp_birnn *layer, hp_matrix x, hp_matrix out,
                     hp_birnn_trace *t, float *const final[2]);
/* dout [R × 2H]; carry[2] [count × H]: gradient of the last states, overwritten; dx [R × in] or none; T is used up.
 * HP_FAIL: SCRATCH has no room. */
int hp_birnn_backward(hp_pool *pool, hp_arena *scratch, const hp_birnn *layer, hp_matrix x, hp_birnn_trace *t,
                      hp_matrix dout, float *const carry[2], hp_matrix dx);

/* For parsing: one direction of a layer.  With X [R × in], INPUT is room for some positions' W_ih x: COUNT rows or more,
 * [. × GATES·H]; without X it has them all, [R × GATES·H], without biases.  OUT [R × H]: its half of the layer's output;
 * STATE [count × PARTS·H]: the last states of all sentences.  A sentence's rows do not depend on others'.  HP_FAIL: SCRATCH
 * has no room. */
typedef struct hp_birnn_direction {
	const hp_packed *p;
	const hp_cell *cell;
	int direction;
	hp_matrix x, input, out, state;
} hp_birnn_direction;
int hp_birnn_run(hp_pool *pool, hp_arena *scratch, const hp_birnn_direction *d);

#endif
