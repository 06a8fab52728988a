/* bilm.h: the layers of projected LSTMs, on packed batches (nn/packed.h).  Private to lib/elmo. */
#ifndef HP_ELMO_BILM_H
#define HP_ELMO_BILM_H
#include "elmo/weights.h"
#include "nn/packed.h"

/* Work of a batch; of each direction. */
typedef struct hp_elmo_walk {
	const hp_elmo *e;
	const hp_packed *p;
	int layer;
	const float *x[2]; /* [R × P] input */
	float *y[2]; /* [R × P] output, the same */
	/* States of the sentences in packed order: those before the layer become those after it. */
	float *h[2], *c[2]; /* [count × P], [count × H] */
	/* private */
	float *gates[2]; /* [rows of some steps × 4H] what the input gives to them */
	float *part[2]; /* [count × 4H] what the state gives to them in this step */
	float *cell[2]; /* [count × H] before the projection */
	float *projected[2]; /* [count × P] */
	int step, from[2]; /* of the walk; the first row in gates */
} hp_elmo_walk;

/* Everything but x and y from ARENA (whose failure flag is to be asked). */
void hp_elmo_walk_alloc(hp_elmo_walk *w, hp_arena *arena, const hp_elmo *e, const hp_packed *p);
void hp_elmo_layer(hp_elmo_walk *w, hp_pool *pool);

#endif
