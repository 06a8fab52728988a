/* blas.c: opens OpenBLAS at run time, and lets it have its memory while there is some. */
#include "nn/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef HP_OPENBLAS
#define HP_OPENBLAS "libopenblas.so.0" /* configure knows better */
#endif
#define MEGABYTE ((size_t)1 << 20)

/* The library with what it needs itself takes 40 MB of addresses; a product borrows one of its buffers, which are of
 * 128 MB on PCs. */
static const size_t library_size = 48 * MEGABYTE;
#if defined(__x86_64__) || defined(__aarch64__)
static const size_t buffer_size = 129 * MEGABYTE;
#else
static const size_t buffer_size = 257 * MEGABYTE;
#endif
enum { MOST_BUFFERS = 128 }; /* OpenBLAS has a place for so many; a thread that finds none of them free gets more */

typedef void *buffer_take(int position);
typedef void buffer_give(void *buffer);

static struct {
	pthread_mutex_t lock;
	_Atomic(hp_sgemm *) sgemm;
	buffer_take *take; /* the two may be absent */
	buffer_give *give;
	int buffers; /* that are there for good */
} blas = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int try_memory(size_t size, hp_error *err)
{
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED)
		return hp_fail_memory(err);
	munmap(data, size);
	return 0;
}

static int open_library(hp_sgemm **sgemm, hp_error *err)
{
	/* Its own threads, which would start at once, make results depend on their number. */
	if (try_memory(library_size + buffer_size, err) || setenv("OPENBLAS_NUM_THREADS", "1", 1))
		return hp_fail_memory(err);
	void *library = dlopen(HP_OPENBLAS, RTLD_NOW | RTLD_LOCAL); /* stays open, as its threads would demand */
	if (!library)
		return hp_fail(err, "OpenBLAS, which makes matrix products, cannot be opened: %s", dlerror());
	*sgemm = (hp_sgemm *)dlsym(library, "cblas_sgemm");
	if (!*sgemm)
		return hp_fail(err, "%s has no function cblas_sgemm: expected OpenBLAS", HP_OPENBLAS);
	void (*set_threads)(int) = (void (*)(int))dlsym(library, "openblas_set_num_threads");
	if (set_threads)
		set_threads(1); /* where somebody else had opened it before */
	blas.take = (buffer_take *)dlsym(library, "blas_memory_alloc");
	blas.give = (buffer_give *)dlsym(library, "blas_memory_free");
	return 0;
}

/* So many at once that later products find one.  A buffer that was given back is kept by OpenBLAS. */
static int reserve_buffers(int count, hp_error *err)
{
	void *buffer[MOST_BUFFERS] = {0};
	int taken = 0, status = 0;
	if (count > MOST_BUFFERS)
		count = MOST_BUFFERS;
	if (count <= blas.buffers || !blas.take || !blas.give)
		return 0;
	for (; taken < count && status == 0; taken++) {
		if (taken >= blas.buffers)
			status = try_memory(buffer_size, err);
		if (status == 0 && !(buffer[taken] = blas.take(0)))
			status = hp_fail_memory(err);
	}
	if (status == 0)
		blas.buffers = count;
	for (; taken > 0; taken--)
		if (buffer[taken - 1])
			blas.give(buffer[taken - 1]);
	return status;
}

int hp_blas_open(int threads, hp_error *err)
{
	pthread_mutex_lock(&blas.lock);
	hp_sgemm *sgemm = atomic_load(&blas.sgemm);
	int status = sgemm ? 0 : open_library(&sgemm, err);
	if (status == 0)
		status = reserve_buffers(threads, err);
	if (status == 0)
		atomic_store(&blas.sgemm, sgemm);
	pthread_mutex_unlock(&blas.lock);
	return status;
}

hp_sgemm *hp_blas_sgemm(void)
{
	return atomic_load_explicit(&blas.sgemm, memory_order_acquire);
}
