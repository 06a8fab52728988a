/* cell.h: recurrent cells: LSTM (Hochreiter and Schmidhuber 1997; gates in the order input, forget, candidate, output,
 * one bias) and GRU (Cho et al. 2014; reset, update, candidate, two biases, the reset gate scales W_hn h + b_hn), as in
 * the reference.
 *
 * A cell has HIDDEN units H and a state of PARTS vectors of H: LSTM's hidden state and cell, GRU's hidden state alone.
 * A row of gates has four vectors of H.  GRU's are r, z, n and W_hn h + b_hn, which is no activation but needed on the
 * way back.  On the way back the gradients before the activations stand in the same places: W_ih's are the first
 * GATES, W_hh's too, but GRU's third is the fourth of the row. */
#ifndef HP_CELL_H
#define HP_CELL_H
#include "base/arena.h"
#include "base/pool.h"
#include "nn/gemm.h"
#include "nn/params.h"

typedef enum hp_cell_kind { HP_LSTM, HP_GRU } hp_cell_kind;

typedef struct hp_cell {
	hp_cell_kind kind;
	int in, hidden;
	hp_param *w_ih, *w_hh; /* [GATES·H × in], [GATES·H × H] */
	hp_param *b_ih, *b_hh; /* [GATES·H]; LSTM: one bias, b_ih */
} hp_cell;

int hp_cell_parts(hp_cell_kind kind); /* 2, 1 */
int hp_cell_gates(hp_cell_kind kind); /* 4, 3: rows of the matrices, in H */

/* Parameters NAME.w_ih, NAME.w_hh and NAME.b, or NAME.b_ih and NAME.b_hh. */
int hp_cell_declare(hp_params *p, hp_error *err, hp_cell_kind kind, const char *name, int hidden, int in) HP_USE_RESULT;
hp_cell hp_cell_find(const hp_params *p, hp_cell_kind kind, const char *name);

/* ---- rows ----  of N units, H */

/* LSTM: A [4 × n] holds the gates before their activations and gets them after; C_PREV may be NULL (zero).
 * c = σ(f) c_prev + σ(i) tanh(g); tc = tanh(c); h = σ(o) tc. */
void hp_lstm_forward(int n, float *a, const float *c_prev, float *c, float *tc, float *h);
/* A: activated gates, replaced by the gradient before activation.  DC: gradient of c (from later steps), replaced by
 * that of c_prev. */
void hp_lstm_backward(int n, float *a, const float *c_prev, const float *tc, const float *dh, float *dc);
/* GRU: A [4 × n]: W_ih x + b_ih (+ W_hh h + b_hh for r and z), and W_hn h + b_hn; r, z and n get their
 * activations.  n = tanh(a_n + r (W_hn h + b_hn)); h_new = (1 - z) n + z h.  H_PREV NULL: zero. */
void hp_gru_forward(int n, float *a, const float *h_prev, float *h);
/* A becomes the gradients before the activations.  DH: gradient of the new state, replaced by what reaches the old one
 * directly: the part through W_hh is the caller's. */
void hp_gru_backward(int n, float *a, const float *h_prev, float *dh);

/* In parsing: one row from the products INPUT = W_ih x and RECURRENT = W_hh h [GATES × H].  STATE [PARTS × H] becomes the
 * new one, OUT [H] its hidden part. */
void hp_cell_row(const hp_cell *cell, const float *input, const float *recurrent, float *state, float *out);

/* ---- products of training ----  M rows: X [m × in], H and DH [m × H], A [m × 4H] gates or their gradients. */

/* A = the biases and W_ih x of every gate; first the one, then the other. */
void hp_cell_biases(hp_pool *pool, const hp_cell *cell, hp_matrix a);
void hp_cell_input(hp_pool *pool, const hp_cell *cell, hp_matrix x, hp_matrix a);
enum { HP_CELL_JOBS = 2 };
/* The products that add W_HH h to A; W_HH: the cell's, or its copy (hp_gemm_pack).  Returns how many there are; they are
 * independent. */
int hp_cell_recurrent(const hp_cell *cell, hp_matrix w_hh, hp_matrix h, hp_matrix a, hp_product jobs[HP_CELL_JOBS]);
/* The gradient that reaches h through W_hh, from the gradients in A: LSTM's is all there is and set, GRU's is added to
 * DH.  Returns how many products there are; to be done one after the other. */
int hp_cell_recurrent_backward(const hp_cell *cell, hp_matrix w_hh, hp_matrix a, hp_matrix dh,
                               hp_product jobs[HP_CELL_JOBS]);
/* From the gradients A: those of weights and biases, added, and DX [m × in] (may be none), set or, with ADD, added
 * to.  H: what W_hh was multiplied with.  HP_FAIL: SCRATCH has no 4 H floats. */
int hp_cell_weights_backward(hp_pool *pool, hp_arena *scratch, const hp_cell *cell, hp_matrix x, hp_matrix h,
                             hp_matrix a, hp_matrix dx, bool add);

#endif
