/* test_pool.c: every task runs exactly once, however threads and jobs fall together. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/pool.h"
#include "unit.h"

enum { MOST = 100 };

/* Not atomic on purpose: a task that ran twice, or a run that returned too early, is a data race for tsan. */
static int counts[MOST];

static void count(void *arg, int task)
{
	counts[task] += *(int *)arg;
}

static void rest(long microseconds)
{
	struct timespec t = {0, microseconds * 1000};

	nanosleep(&t, NULL);
}

static void run_many(int threads, int rounds)
{
	hp_pool *pool = hp_pool_new(threads);

	assert_non_null(pool);
	assert_int_equal(hp_pool_threads(pool), threads);
	for (int round = 1; round <= rounds; round++) {
		int tasks = round * 7 % (MOST + 1);

		memset(counts, 0, sizeof(counts));
		hp_pool_run(pool, tasks, count, &round);
		for (int i = 0; i < MOST; i++)
			assert_int_equal(counts[i], i < tasks ? round : 0);
		if (round % 500 == 0)
			rest(1000); /* long enough for workers to fall asleep */
	}
	hp_pool_destroy(pool);
}

TEST(once_each)
{
	run_many(1, 1000);
	run_many(2, 5000);
	run_many(3, 3000);
	run_many(8, 2000); /* more than there are processors: nobody spins */
}

TEST(no_pool)
{
	int one = 1;

	memset(counts, 0, sizeof(counts));
	assert_int_equal(hp_pool_threads(NULL), 1);
	hp_pool_run(NULL, 5, count, &one);
	hp_pool_run(NULL, 0, count, &one);
	for (int i = 0; i < MOST; i++)
		assert_int_equal(counts[i], i < 5);
	hp_pool_destroy(NULL);
	assert_null(hp_pool_new(0));
}

/* Two tasks that wait for each other finish only if two threads run them. */
static void meet(void *arg, int task)
{
	atomic_int *arrived = arg;
	time_t end = time(NULL) + 20;

	(void)task;
	atomic_fetch_add(arrived, 1);
	while (atomic_load(arrived) < 2 && time(NULL) < end)
		rest(100);
}

TEST(in_parallel)
{
	hp_pool *pool = hp_pool_new(2);

	for (int i = 0; i < 20; i++) {
		atomic_int arrived = 0;

		hp_pool_run(pool, 2, meet, &arrived);
		assert_int_equal(atomic_load(&arrived), 2);
		rest(i % 2 * 2000);
	}
	hp_pool_destroy(pool);
}

/* The caller goes to sleep while a worker is still busy, and is woken. */
static void uneven(void *arg, int task)
{
	pthread_t *caller = arg;

	if (!pthread_equal(*caller, pthread_self()))
		rest(3000);
	counts[task]++;
}

TEST(caller_waits)
{
	hp_pool *pool = hp_pool_new(2);
	pthread_t self = pthread_self();

	for (int round = 0; round < 30; round++) {
		memset(counts, 0, sizeof(counts));
		hp_pool_run(pool, 4, uneven, &self);
		for (int i = 0; i < 4; i++)
			assert_int_equal(counts[i], 1);
	}
	hp_pool_destroy(pool);
}

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

TEST(idle_costs_nothing)
{
	hp_pool *pool = hp_pool_new(2);
	int one = 1;
	double before;

	hp_pool_run(pool, 2, count, &one);
	before = processor_seconds();
	rest(500000);
	assert_true(processor_seconds() - before < 0.1);
	hp_pool_destroy(pool);
}
