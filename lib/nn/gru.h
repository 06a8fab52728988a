/* gru.h: GRU cells and bidirectional GRU layers (Cho et al. 2014), on packed batches.  As in the reference: gates in the
 * order reset, update, candidate; two biases; the reset gate scales W_hn h + b_hn.
 *
 * A row of gates has four parts of H: r, z, n and W_hn h + b_hn, which is not an activation but needed on the way back.
 * Their gradients before the activations stand in the same places; W_ih's are the first three, W_hh's the first two
 * and the fourth. */
#ifndef HP_GRU_H
#define HP_GRU_H
#include "base/arena.h"
#include "base/pool.h"
#include "nn/gemm.h"
#include "nn/packed.h"
#include "nn/params.h"

/* One row's cell, N units.  A [4 × stride]: W_ih x + b_ih (+ W_hh h + b_hh for r and z), and W_hn h + b_hn; r, z and n
 * get their activations.  n = tanh(a_n + r (W_hn h + b_hn)); h_new = (1 - z) n + z h.  H_PREV NULL: zero. */
void hp_gru_cell(int n, int stride, float *a, const float *h_prev, float *h);
/* A becomes the gradients before the activations.  DH: gradient of the new state, replaced by what reaches the old one
 * directly: the part through W_hh is the caller's. */
void hp_gru_cell_backward(int n, int stride, float *a, const float *h_prev, float *dh);

/* One cell's parameters; gradients are added to. */
typedef struct hp_gru_weights {
	const float *w_ih, *w_hh, *b_ih, *b_hh; /* [3H × D], [3H × H], [3H], [3H] */
	float *dw_ih, *dw_hh, *db_ih, *db_hh;
} hp_gru_weights;

/* Parameters NAME.w_ih, NAME.w_hh, NAME.b_ih, NAME.b_hh */
typedef struct hp_gru_params {
	hp_param *w_ih, *w_hh, *b_ih, *b_hh;
} hp_gru_params;
int hp_gru_declare(hp_params *p, hp_error *err, const char *name, int hidden, int in) HP_USE_RESULT;
hp_gru_params hp_gru_find(const hp_params *p, const char *name);
hp_gru_weights hp_gru_weights_of(const hp_gru_params *p);

/* One row's gates in parsing, A [4H] for hp_gru_cell, from the products INPUT = W_ih x and STATE = W_hh h [3H]. */
void hp_gru_join(int hidden, const float *input, const float *state, const hp_gru_weights *w, float *a);

/* A [m × 4H] = the biases of each part, then r, z and n of the input X [m × in] are added. */
void hp_gru_biases(hp_pool *pool, int m, int hidden, const hp_gru_weights *w, float *a);
void hp_gru_input(hp_pool *pool, int m, int in, int hidden, const float *x, const hp_gru_weights *w, float *a);
/* The products that add W_hh h to A for M rows; LDH: distance of the rows of H; UNIT, UNITS: of which units.  Returns
 * how many products there are; they are independent. */
int hp_gru_recurrent(int m, int hidden, int unit, int units, const float *h, int ldh, const float *w_hh, float *a,
                     hp_gemm_job jobs[3]);
/* The gradient that reaches h through W_hh, from the gradients in A: added to DH.  To be done one after the other. */
void hp_gru_recurrent_backward(int m, int hidden, int unit, int units, const float *a, const float *w_hh, float *dh,
                               int ldh, hp_gemm_job jobs[2]);
/* From the gradients A of M rows: those of weights and biases, added, and DX [m × in], or NULL.  H: the rows' old
 * states.  SUM: room for 4H floats. */
void hp_gru_weights_backward(hp_pool *pool, int m, int in, int hidden, const float *x, const float *h, int ldh,
                             const hp_gru_weights *w, const float *a, float *sum, float *dx, bool add);

/* What a layer remembers for its backward pass, by direction (0 forward, 1 backward); R rows. */
typedef struct hp_bigru_trace {
	float *gates[2]; /* [R × 4H] */
	float *before[2]; /* [R × H] the state before */
} hp_bigru_trace;

int hp_bigru_trace_alloc(hp_bigru_trace *t, hp_arena *arena, int rows, int hidden); /* HP_FAIL: out of memory */

/* x [R × D] -> out [R × 2H].  FINAL[2]: the last states [count × H] of each direction. */
void hp_bigru_forward(hp_pool *pool, const hp_packed *p, int in, int hidden, const float *x, const hp_gru_weights w[2],
                      float *out, hp_bigru_trace *t, float *const final[2]);
/* dout [R × 2H]; dfinal[2] [count × H]: gradient of the last states; dx [R × D] or NULL; T is used up.  SCRATCH gives
 * 2 × count × H + 4 × H floats; HP_FAIL: it could not. */
int hp_bigru_backward(hp_pool *pool, hp_arena *scratch, const hp_packed *p, int in, int hidden, const float *x,
                      const hp_gru_weights w[2], hp_bigru_trace *t, const float *dout, const float *const dfinal[2],
                      float *dx);

#endif
