/* lstm.h: LSTM cells and bidirectional LSTM layers (Hochreiter and Schmidhuber 1997; gates in the order input,
 * forget, candidate, output, one bias, as in the reference), on packed batches. */
#ifndef HP_LSTM_H
#define HP_LSTM_H
#include "base/arena.h"
#include "base/pool.h"
#include "nn/packed.h"

/* One row's cell, N units.  A [4 × stride] holds the gates before their activations and gets them after; C_PREV may be NULL (zero).
 * c = σ(f) c_prev + σ(i) tanh(g); tc = tanh(c); h = σ(o) tc. */
void hp_lstm_cell(int n, int stride, float *a, const float *c_prev, float *c, float *tc, float *h);
/* A: activated gates, replaced by the gradient before activation.  DC: gradient of c (from later steps), replaced by
 * that of c_prev. */
void hp_lstm_cell_backward(int n, int stride, float *a, const float *c_prev, const float *tc, const float *dh,
                           float *dc);

/* One direction's parameters; gradients are added to. */
typedef struct hp_lstm_weights {
	const float *w_ih, *w_hh, *b; /* [4H × D], [4H × H], [4H] */
	float *dw_ih, *dw_hh, *db;
} hp_lstm_weights;

/* What a layer remembers for its backward pass, by direction (0 forward, 1 backward); R rows. */
typedef struct hp_bilstm_trace {
	float *gates[2]; /* [R × 4H] */
	float *cells[2], *tanh_cells[2]; /* [R × H] */
	float *before[2]; /* [R × H] the recurrence's input: previous state times its dropout mask */
} hp_bilstm_trace;

int hp_bilstm_trace_alloc(hp_bilstm_trace *t, hp_arena *arena, int rows, int hidden); /* HP_FAIL: out of memory */

/* x [R × D] -> out [R × 2H].  MASK[2]: recurrent dropout [count × H] or NULL.  FINAL[2] (may be NULL): the last cell
 * states [count × H] of each direction. */
void hp_bilstm_forward(hp_pool *pool, const hp_packed *p, int in, int hidden, const float *x,
                       const hp_lstm_weights w[2], const float *const mask[2], float *out, hp_bilstm_trace *t,
                       float *const final[2]);
/* dout [R × 2H]; carry[2] [count × H]: gradient of the final cells, overwritten; dx [R × D] or NULL; TRACE is used up.
 * SCRATCH gives 2 × count × H floats; HP_FAIL: it could not. */
int hp_bilstm_backward(hp_pool *pool, hp_arena *scratch, const hp_packed *p, int in, int hidden, const float *x,
                       const hp_lstm_weights w[2], const float *const mask[2], hp_bilstm_trace *t, const float *dout,
                       float *const carry[2], float *dx);

#endif
