/* epoch.h: which sentences form which batch, and where in the training we are. */
#ifndef HP_EPOCH_H
#define HP_EPOCH_H
#include <stdint.h>
#include "base/error.h"

/* Every random choice of training comes from hp_rng_seed(seed, HP_STREAM(purpose, epoch, batch)), so that training
 * can be taken up at any batch. */
enum { HP_PURPOSE_ORDER = 1, HP_PURPOSE_HIDE = 2 };
#define HP_STREAM(purpose, epoch, batch) ((uint64_t)(purpose) << 56 | (uint64_t)(epoch) << 28 | (uint64_t)(batch))

typedef struct hp_epoch {
	int batches;
	int *first; /* [batches + 1] into ORDER */
	int *order; /* [count] sentences, batch by batch */
} hp_epoch;

/* The batches of EPOCH (from 0) of COUNT sentences, which have ROWS [count] positions: sentences are shuffled, sorted by length within pools of 100 batches, cut into
 * batches of at most BATCH sentences and (unless it is one) MAX_POSITIONS positions, and the batches shuffled. */
int hp_epoch_make(int count, const int *rows, int batch, int max_positions, uint64_t seed, int epoch, hp_epoch *out,
                  hp_error *err) HP_USE_RESULT;
void hp_epoch_free(hp_epoch *e); /* frees the contents; accepts a zeroed one */

#endif
