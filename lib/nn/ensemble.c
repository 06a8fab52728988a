/* ensemble.c: training the members of a network in turn, or side by side. */
#include "nn/ensemble.h"

void hp_member_arenas_free(hp_member_arenas *a)
{
	for (int m = 0; m < HP_MOST_MEMBERS; m++)
		hp_arena_destroy(a->of[m]);
}

static int train_in_turn(const hp_members_step *s, hp_pool *pool, hp_arena *scratch)
{
	int status = 0;
	for (int m = 0; m < s->members && !status; m++) {
		hp_arena_mark mark = hp_arena_save(scratch);
		status = s->run(s->arg, m, pool, scratch) || s->finish(s->arg, m, pool) ? HP_FAIL : 0;
		hp_arena_restore(scratch, mark);
	}
	return status;
}

static void run_task(void *arg, int m)
{
	hp_members_step *s = arg;
	s->status[m] = s->run(s->arg, m, NULL, s->arenas->of[m]);
}

static int train_together(hp_members_step *s, hp_pool *pool)
{
	int status = 0;
	for (int m = 0; m < s->members; m++)
		if (!s->arenas->of[m] && !(s->arenas->of[m] = hp_arena_new()))
			return HP_FAIL;
	hp_pool_run(pool, s->members, run_task, s);
	for (int m = 0; m < s->members && !status; m++)
		status = s->status[m] || s->finish(s->arg, m, pool) ? HP_FAIL : 0;
	for (int m = 0; m < s->members; m++)
		hp_arena_reset(s->arenas->of[m]);
	return status;
}

int hp_members_train(hp_members_step *s, hp_pool *pool, hp_arena *scratch)
{
	bool together = s->members > 1 && hp_pool_threads(pool) <= s->members;
	return together ? train_together(s, pool) : train_in_turn(s, pool, scratch);
}
