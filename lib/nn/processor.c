/* processor.c: asks the processor what it has, and the system for the tiles. */
#include "nn/processor.h"

#if defined(__x86_64__) && defined(__GNUC__) && defined(__linux__) && !defined(HP_NO_CLONES)
#include <cpuid.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	TILE = 1 << 24,
	TILE_BF16 = 1 << 22,
	TILE_INT8 = 1 << 25
}; /* of EDX, leaf 7 of cpuid; GCC 12 knows their names */

static bool tiles_granted(void)
{
	enum { REQUEST = 0x1023, TILE_DATA = 18 }; /* ARCH_REQ_XCOMP_PERM: granted as often as it is asked for */
	return syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
}

static int ask(void)
{
	int dot = HP_AVX512_BF16 | (__builtin_cpu_is("intel") ? 0 : HP_FAST_AVX512_BF16);
	unsigned eax, ebx, ecx, edx = 0;
	if (!__builtin_cpu_supports("avx512bf16") || !__builtin_cpu_supports("avx512bw") ||
	    !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq"))
		return 0;
	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(edx & TILE) || !tiles_granted())
		return dot;
	return dot | (edx & TILE_BF16 ? HP_AMX_BF16 : 0) | (edx & TILE_INT8 ? HP_AMX_INT8 : 0);
}

bool hp_processor_has(hp_instructions what)
{
	enum { ASKED = 1 << 30 };
	static _Atomic int once; /* ASKED, and what there is: the same whichever thread is first */
	int all = atomic_load_explicit(&once, memory_order_relaxed);
	if (!all) {
		all = ask() | ASKED;
		atomic_store_explicit(&once, all, memory_order_relaxed);
	}
	return (all & (int)what) != 0;
}
#else
bool hp_processor_has(hp_instructions what)
{
	(void)what;
	return false;
}
#endif
