/* pool.h: a fixed team of threads.
 *
 * What a task computes must depend on its number only, never on the thread or on how many threads there are:
 * that is what makes results the same for every -j. */
#ifndef HP_POOL_H
#define HP_POOL_H

typedef struct hp_pool hp_pool;
typedef void hp_task_fn(void *arg, int task);

int hp_processors(void); /* on which the program may run, at least 1 */
hp_pool *hp_pool_new(int threads); /* the caller counts as one; NULL when threads cannot be made */
void hp_pool_destroy(hp_pool *pool); /* accepts NULL */
int hp_pool_threads(const hp_pool *pool); /* 1 for NULL */
/* Runs fn(arg, 0) ... fn(arg, tasks - 1), returns when all are done.  POOL may be NULL: all in the caller.
 * Not to be called from within a task. */
void hp_pool_run(hp_pool *pool, int tasks, hp_task_fn *fn, void *arg);

#endif
