/* halves.h: what the label classifier reads of the halves of a split, with label_halves: each half's first unit, its last
 * one, and the mean of all its units, side by side.  W is the width of a unit; means come from sums of the units before
 * each, so that a half takes the same time whatever its length. */
#ifndef HP_HALVES_H
#define HP_HALVES_H
#include "nn/matrix.h"

enum { HP_HALF_PARTS = 3 };

/* SUMS [(units + 1) × W] of UNIT [units × W]: of all units before each, and of all. */
void hp_halves_sum(hp_matrix unit, double *sums);
/* TO [3 W]: the half of units FIRST ... LAST. */
void hp_half_put(hp_matrix unit, const double *sums, int first, int last, float *to);

/* Backward: D [3 W] of that half is added to DU [units × W] and DSUMS [(units + 1) × W]; in the end the latter to the former. */
void hp_half_back(const float *d, int first, int last, hp_matrix du, double *dsums);
void hp_halves_sum_back(double *dsums, hp_matrix du);

#endif
