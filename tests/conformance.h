/* conformance.h: comparing libhp with fixture files of the reference (README there; DESIGN section 5). */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H
#include "pointer/config.h"

typedef struct check {
	const hp_safetensors *st;
	const char *what; /* "one by one", "all at once", ...: how the sentences were run */
	int failures, comparisons;
	double worst_value, worst_grad; /* largest differences seen, relative to the largest entry of their tensors */
	char first[256]; /* the first failure */
} check;

enum { VALUE, GRADIENT };

void check_fail(check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* COUNT numbers against tensor NAME of the fixture (F32): within 1e-4 (1e-3 for gradients) of its largest entry. */
void check_floats(check *c, const char *name, int kind, const float *got, size_t count);
/* COUNT whole numbers against tensor NAME (I32), exactly. */
void check_ints(check *c, const char *name, const int32_t *got, size_t count);
const int32_t *fixture_ints(check *c, const char *name, size_t *count); /* NULL and a failure if absent */

void check_net(check *c, hp_task task); /* one fixture, whole */

#endif
