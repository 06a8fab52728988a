/* checksum.h: 64 bits by which damage is noticed (not malice), as fast as memory is read.
 *
 * A change of no more than one aligned word of eight bytes is always noticed, any other all but always. */
#ifndef HP_CHECKSUM_H
#define HP_CHECKSUM_H
#include <stddef.h>
#include <stdint.h>
#include "io/safetensors.h"

/* The checksums of a metadata pair and of a tensor with its name, type, shape and values.  A file's checksum is the
 * sum of those of all tensors and of all pairs but HP_CHECKSUM_KEY, in whatever order they stand. */
uint64_t hp_checksum_meta(const char *key, const char *value);
uint64_t hp_checksum_tensor(const hp_tensor *tensor);

#define HP_CHECKSUM_KEY "checksum" /* the metadata that holds it: 16 hexadecimal digits */

#endif
