/* processor.h: which instructions for products of small numbers this processor has, and the system lets us use. */
#ifndef HP_PROCESSOR_H
#define HP_PROCESSOR_H
#include <stdbool.h>

typedef enum hp_instructions {
	HP_AVX512_BF16 = 1, /* with AVX512F, BW, VL and DQ */
	HP_FAST_AVX512_BF16 = 2, /* the same, where it is faster than floats: not on Intel's processors */
	HP_AMX_BF16 = 4, /* tiles; with HP_AVX512_BF16 */
	HP_AMX_INT8 = 8, /* tiles; with HP_AVX512_BF16 */
} hp_instructions;

/* For any thread.  Linux gives a process the tiles when it asks for them: that happens here, for all its threads. */
bool hp_processor_has(hp_instructions what);

#endif
