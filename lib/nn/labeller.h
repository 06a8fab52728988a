/* labeller.h: the biaffine label classifier in parsing: scores of pairs of rows, some hundreds at a time, which do not
 * depend on the other pairs. */
#ifndef HP_LABELLER_H
#define HP_LABELLER_H
#include "base/arena.h"
#include "nn/biaffine.h"
#include "nn/params.h"

enum { HP_LABELLER_ROWS = 256 }; /* pairs at a time: bounds the memory for their K × L products */

typedef struct hp_labeller {
	hp_pool *pool;
	hp_affine left_mlp, right_mlp; /* label.g1, label.g2 */
	const hp_param *w, *u, *v, *b; /* label.w ... */
	int labels; /* K */
	float *left, *right; /* [HP_LABELLER_ROWS × input]: filled by the caller */
	float *y; /* [HP_LABELLER_ROWS × K]: the scores */
	float *g1, *g2, *t, *part; /* [. × L], [. × L], [. × K·L], [. × K] */
} hp_labeller;

/* Parameters label.g1, label.g2, label.w, label.u, label.v, label.b for K labels, MLPs of L units, and rows of LEFT and
 * RIGHT values. */
int hp_label_declare(hp_params *p, hp_error *err, int labels, int size, int left, int right) HP_USE_RESULT;
/* pool is set; the rest is found in P and made in ARENA.  HP_FAIL: out of memory. */
int hp_labeller_alloc(hp_labeller *a, const hp_params *p, hp_arena *arena);
/* y of the first M <= HP_LABELLER_ROWS pairs */
void hp_labeller_scores(const hp_labeller *a, int m);

#endif
