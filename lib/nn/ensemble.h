/* ensemble.h: networks of several members, which are of one kind and share the embeddings, in training.  What they say
 * together is hp_vec_ensemble's (vmath.h). */
#ifndef HP_ENSEMBLE_H
#define HP_ENSEMBLE_H
#include "base/arena.h"
#include "base/pool.h"
#include "nn/params.h"

/* How many there are, of a configuration's number: 0: one. */
static inline int hp_members(int members)
{
	return members ? members : 1;
}

/* What members that are trained side by side have for themselves, from one step to the next. */
typedef struct hp_member_arenas {
	hp_arena *of[HP_MOST_MEMBERS]; /* NULL before */
} hp_member_arenas;

void hp_member_arenas_free(hp_member_arenas *a);

/* A training step of MEMBERS networks.  Of member M, RUN does all but what is the others' too, the embeddings' gradient, and
 * FINISH the rest. */
typedef struct hp_members_step {
	int members;
	int (*run)(void *arg, int m, hp_pool *pool, hp_arena *arena);
	int (*finish)(void *arg, int m, hp_pool *pool);
	void *arg;
	int status[HP_MOST_MEMBERS]; /* of RUN */
	hp_member_arenas *arenas;
} hp_members_step;

/* One after another, each by all threads, or, where there are no more threads than members, side by side, each by one: the same
 * numbers, and less waiting.  FINISH comes in the order of the members.  HP_FAIL: one of them has failed, or out of memory.
 * SCRATCH is left as it was. */
int hp_members_train(hp_members_step *s, hp_pool *pool, hp_arena *scratch);

/* Of the masks of member M. */
static inline uint64_t hp_member_seed(uint64_t seed, int m)
{
	return seed + ((uint64_t)m << 32);
}

#endif
