/* starve.c: a library for LD_PRELOAD that lets allocations fail.
 *
 *	STARVE_AT=N      the N-th allocation of the process fails
 *	STARVE_FOR=K     and the K - 1 after it (1; 0: all)
 *	STARVE_COUNT=FILE  at the end, the number of allocations there were
 *
 * Those before main do not count, nor do those of OpenBLAS and of the Fortran library that it brings: while it is being
 * loaded, want of memory makes the one exit and the other recurse without end. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static atomic_long count;
static atomic_int ready;
static long first, length;
static char early[65536]; /* dlsym itself may allocate */
static size_t early_used;

static int fails(const void *caller)
{
	Dl_info from;
	long n;

	if (!atomic_load(&ready))
		return 0;
	if (dladdr(caller, &from) != 0 && from.dli_fname &&
	    (strstr(from.dli_fname, "openblas") || strstr(from.dli_fname, "libgfortran")))
		return 0;
	n = atomic_fetch_add(&count, 1) + 1;
	if (first == 0 || n < first || (length > 0 && n >= first + length))
		return 0;
	errno = ENOMEM;
	return 1;
}

static void report(void)
{
	const char *path = getenv("STARVE_COUNT");
	long n = atomic_load(&count);
	FILE *f;

	atomic_store(&ready, 0);
	if (path && (f = fopen(path, "w"))) {
		fprintf(f, "%ld\n", n);
		fclose(f);
	}
}

static void *find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("STARVE_AT"), *much = getenv("STARVE_FOR");
	void *symbol;

#define FIND(name) (symbol = find(#name), memcpy(&real_##name, &symbol, sizeof(symbol)))
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(posix_memalign);
	FIND(aligned_alloc);
	first = at != NULL ? atol(at) : 0;
	length = much != NULL ? atol(much) : 1;
	atexit(report);
	atomic_store(&ready, 1);
}

static void *early_alloc(size_t size)
{
	void *out = early + early_used;

	early_used += (size + 15) & ~(size_t)15;
	return early_used <= sizeof(early) ? out : NULL;
}

void *malloc(size_t size)
{
	if (!real_malloc)
		return early_alloc(size);
	return fails(__builtin_return_address(0)) ? NULL : real_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	if (!real_calloc)
		return early_alloc(n * size);
	return fails(__builtin_return_address(0)) ? NULL : real_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	if (!real_realloc)
		return early_alloc(size);
	if (size == 0)
		return real_realloc(old, size);
	return fails(__builtin_return_address(0)) ? NULL : real_realloc(old, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	return fails(__builtin_return_address(0)) ? ENOMEM : real_posix_memalign(out, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : real_aligned_alloc(alignment, size);
}

void free(void *p)
{
	static void (*real_free)(void *);
	void *symbol;

	if (p >= (void *)early && p < (void *)(early + sizeof(early)))
		return;
	if (!real_free) {
		symbol = find("free");
		memcpy(&real_free, &symbol, sizeof(symbol));
	}
	real_free(p);
}
