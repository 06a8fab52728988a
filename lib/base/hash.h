/* hash.h: FNV-1a, 64 bits, to recognise data and models again (not against malice). */
#ifndef HP_HASH_H
#define HP_HASH_H
#include <stddef.h>
#include <stdint.h>

#define HP_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hp_hash(uint64_t so_far, const void *data, size_t size);

#endif
