/* image.h: within libhp, a safetensors image whose data comes after its header was read. */
#ifndef HP_IMAGE_H
#define HP_IMAGE_H
#include "io/safetensors.h"

#define HP_MAX_HEADER ((size_t)100000000)
#define HP_MAX_RECORD_HEADER ((size_t)1000000) /* in a stream, where each record has one */

/* *SIZE: 8 + header length, from the first 8 bytes; refused if that length is beyond MOST. */
int hp_image_header_size(const void *image, size_t most, const char *name, size_t *size, hp_error *err) HP_USE_RESULT;
/* Checks everything that can be checked without the data.  HEADER_SIZE is what hp_image_header_size said, *LENGTH the
 * whole image's.  The header's bytes are not needed afterwards. */
int hp_image_parse_header(const void *image, size_t header_size, const char *name, hp_safetensors **out, size_t *length,
                          hp_error *err) HP_USE_RESULT;
/* Gives the result its data, all that follows the header.  OWNED, from malloc, is freed with it on success; may be NULL. */
int hp_image_attach(hp_safetensors *st, const void *data, void *owned, hp_error *err) HP_USE_RESULT;

#endif
