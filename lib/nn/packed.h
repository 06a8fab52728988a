/* packed.h: batches of sentences for recurrent layers.
 *
 * Batches are packed time-major: sentences sorted by falling length, all sentences' first positions, then all second
 * ones, ...: row offset[t] + b is position t of sentence b, and no row is padding. */
#ifndef HP_PACKED_H
#define HP_PACKED_H
#include <stdbool.h>
#include "base/arena.h"
#include "base/error.h"

typedef struct hp_packed {
	int count; /* sentences */
	int steps; /* positions of the longest */
	const int *active; /* [steps] sentences that have position t: falling */
	const int *offset; /* [steps + 1] */
} hp_packed;

/* ORDER [count]: the sentences by falling length, stable. */
void hp_sort_lengths(int count, const int *lengths, int *order);
/* Lengths sorted in falling order -> packing, in ARENA (whose failure flag is to be asked). */
hp_packed hp_pack(hp_arena *arena, int count, const int *lengths);
/* Packed rows from the caller's, which are sentence by sentence (ORDER[b]'s first is row AT[ORDER[b]]), and back. */
void hp_pack_rows(const hp_packed *p, const int *order, const size_t *at, size_t width, const float *rows,
                  float *packed);
void hp_unpack_rows(const hp_packed *p, const int *order, const size_t *at, size_t width, const float *packed,
                    float *rows);

/* For parsing: calls WORK for some hundred sentences of similar lengths at a time, which bounds the memory.  ORDER names
 * the COUNT sentences, LENGTHS are theirs and fall, sentence s begins at row AT[s] of the caller's; what WORK takes from SCRATCH
 * is free again behind it.  HP_FAIL: out of memory, or WORK returned something but 0. */
typedef int hp_group_work(void *arg, hp_arena *scratch, int count, const int *order, const int *lengths,
                          const size_t *at);
int hp_each_group(hp_arena *scratch, int count, const int *lengths, hp_group_work *work, void *arg);

/* Direction 0 of a layer goes forward, 1 backward: in step i of its walk it is at position hp_walk_at(p, d, i).
 * hp_walk_next: the position WAY (1 or -1) steps of the walk from T, -1: none. */
int hp_walk_at(const hp_packed *p, int direction, int i);
int hp_walk_next(const hp_packed *p, int direction, int t, int way);
int hp_packed_both(const hp_packed *p, int t, int u); /* sentences that have both positions; U may be -1 */

#endif
