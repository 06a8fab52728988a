/* pool.c: runs the tasks of one job after another.
 *
 * A job is dispatched for every time step of a recurrent network, so waking must be cheap: workers and caller spin
 * for a moment before they sleep, and a worker that is still asleep is never waited for.  One 64-bit word, the
 * ticket, holds the job's number and how many of its tasks are left to take.  A task is taken by compare-and-swap;
 * that it succeeds proves that the job was not over, so what was read of the job just before is not of another. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define SPIN_NANOSECONDS 100000
#define CACHE_LINE 64
/* Bytes of a worker's stack: tasks pack matrices there; ulimit -s may ask for less, or for much more. */
#define STACK ((size_t)2 << 20)

struct hp_pool {
	_Alignas(CACHE_LINE) _Atomic uint64_t ticket; /* job number << 32 | tasks left to take */
	/* Written only while no task of any job is left to take. */
	_Atomic(hp_task_fn *) fn;
	_Atomic(void *) arg;
	_Atomic int tasks;
	_Alignas(CACHE_LINE) _Atomic int done; /* tasks of this job that have returned */
	_Alignas(CACHE_LINE) _Atomic int sleepers; /* workers in cond_wait, or about to be */
	_Atomic bool caller_sleeps;
	_Atomic bool stop;
	pthread_mutex_t mutex;
	pthread_cond_t start, finish;
	int threads; /* the caller included */
	bool spin;
	pthread_t worker[];
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static int64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint32_t job_of(uint64_t ticket)
{
	return (uint32_t)(ticket >> 32);
}

static bool job_changed(hp_pool *pool, uint32_t job)
{
	return job_of(atomic_load(&pool->ticket)) != job || atomic_load(&pool->stop);
}

static bool job_finished(hp_pool *pool, uint32_t tasks)
{
	return (uint32_t)atomic_load(&pool->done) == tasks;
}

/* Spins until READY holds or the moment is over; whether it holds. */
static bool spin_until(hp_pool *pool, bool (*ready)(hp_pool *, uint32_t), uint32_t value)
{
	int64_t end;

	if (ready(pool, value))
		return true;
	if (!pool->spin)
		return false;
	end = nanoseconds() + SPIN_NANOSECONDS;
	do {
		for (int i = 0; i < 32; i++) {
			if (ready(pool, value))
				return true;
			relax();
		}
	} while (nanoseconds() < end);
	return false;
}

/* Takes and runs tasks of JOB until none is left. */
static void work(hp_pool *pool, uint32_t job)
{
	uint64_t ticket = atomic_load(&pool->ticket);

	while (job_of(ticket) == job) {
		hp_task_fn *fn = atomic_load_explicit(&pool->fn, memory_order_relaxed);
		void *arg = atomic_load_explicit(&pool->arg, memory_order_relaxed);
		int tasks = atomic_load_explicit(&pool->tasks, memory_order_relaxed);
		int left = (int)(uint32_t)ticket;

		if (left == 0)
			return;
		if (!atomic_compare_exchange_weak(&pool->ticket, &ticket, ticket - 1))
			continue;
		fn(arg, tasks - left);
		if (atomic_fetch_add(&pool->done, 1) + 1 == tasks && atomic_load(&pool->caller_sleeps)) {
			pthread_mutex_lock(&pool->mutex);
			pthread_cond_signal(&pool->finish);
			pthread_mutex_unlock(&pool->mutex);
		}
		ticket = atomic_load(&pool->ticket);
	}
}

static void sleep_until_job(hp_pool *pool, uint32_t job)
{
	pthread_mutex_lock(&pool->mutex);
	atomic_fetch_add(&pool->sleepers, 1);
	while (!job_changed(pool, job))
		pthread_cond_wait(&pool->start, &pool->mutex);
	atomic_fetch_sub(&pool->sleepers, 1);
	pthread_mutex_unlock(&pool->mutex);
}

static void *worker_main(void *arg)
{
	hp_pool *pool = arg;
	uint32_t job = 0;

	for (;;) {
		if (!spin_until(pool, job_changed, job))
			sleep_until_job(pool, job);
		if (atomic_load(&pool->stop))
			return NULL;
		job = job_of(atomic_load(&pool->ticket));
		work(pool, job);
	}
}

int hp_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Spinning pays only if everyone has a processor to spin on. */
static bool may_spin(int threads)
{
	return hp_processors() >= threads;
}

static void stop_workers(hp_pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	atomic_store(&pool->stop, true);
	pthread_cond_broadcast(&pool->start);
	pthread_mutex_unlock(&pool->mutex);
	for (int i = 0; i < pool->threads - 1; i++)
		pthread_join(pool->worker[i], NULL);
}

/* Workers take no signals: those are for the program's own thread. */
static bool start_workers(hp_pool *pool, int workers)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	bool ok;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	ok = pthread_attr_setstacksize(&attributes, STACK) == 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (int i = 0; ok && i < workers; i++) {
		ok = pthread_create(&pool->worker[i], &attributes, worker_main, pool) == 0;
		pool->threads += ok;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return ok;
}

hp_pool *hp_pool_new(int threads)
{
	hp_pool *pool;
	size_t size;

	if (threads < 1)
		return NULL;
	size = sizeof(*pool) + (size_t)(threads - 1) * sizeof(pthread_t);
	pool = aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
	if (!pool)
		return NULL;
	atomic_init(&pool->ticket, 0);
	atomic_init(&pool->fn, NULL);
	atomic_init(&pool->arg, NULL);
	atomic_init(&pool->tasks, 0);
	atomic_init(&pool->done, 0);
	atomic_init(&pool->sleepers, 0);
	atomic_init(&pool->caller_sleeps, false);
	atomic_init(&pool->stop, false);
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->start, NULL);
	pthread_cond_init(&pool->finish, NULL);
	pool->threads = 1;
	pool->spin = may_spin(threads);
	if (!start_workers(pool, threads - 1)) {
		hp_pool_destroy(pool);
		return NULL;
	}
	return pool;
}

void hp_pool_destroy(hp_pool *pool)
{
	if (!pool)
		return;
	stop_workers(pool);
	pthread_cond_destroy(&pool->finish);
	pthread_cond_destroy(&pool->start);
	pthread_mutex_destroy(&pool->mutex);
	free(pool);
}

int hp_pool_threads(const hp_pool *pool)
{
	return pool ? pool->threads : 1;
}

static void publish(hp_pool *pool, int tasks, hp_task_fn *fn, void *arg)
{
	uint32_t job = job_of(atomic_load(&pool->ticket)) + 1;

	atomic_store_explicit(&pool->fn, fn, memory_order_relaxed);
	atomic_store_explicit(&pool->arg, arg, memory_order_relaxed);
	atomic_store_explicit(&pool->tasks, tasks, memory_order_relaxed);
	atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
	atomic_store(&pool->ticket, (uint64_t)job << 32 | (uint32_t)tasks);
	if (atomic_load(&pool->sleepers) > 0) {
		pthread_mutex_lock(&pool->mutex);
		pthread_cond_broadcast(&pool->start);
		pthread_mutex_unlock(&pool->mutex);
	}
}

static void wait_for_tasks(hp_pool *pool, uint32_t tasks)
{
	if (spin_until(pool, job_finished, tasks))
		return;
	pthread_mutex_lock(&pool->mutex);
	atomic_store(&pool->caller_sleeps, true);
	while (!job_finished(pool, tasks))
		pthread_cond_wait(&pool->finish, &pool->mutex);
	atomic_store(&pool->caller_sleeps, false);
	pthread_mutex_unlock(&pool->mutex);
}

void hp_pool_run(hp_pool *pool, int tasks, hp_task_fn *fn, void *arg)
{
	if (!pool || pool->threads == 1 || tasks <= 1) {
		for (int task = 0; task < tasks; task++)
			fn(arg, task);
		return;
	}
	publish(pool, tasks, fn, arg);
	work(pool, job_of(atomic_load(&pool->ticket)));
	wait_for_tasks(pool, (uint32_t)tasks);
}
