/* rising.h: looking for a number among numbers that rise. */
#ifndef HP_RISING_H
#define HP_RISING_H
#include <stdint.h>

/* The first place from FROM to TO, which counts as one, whose number is not less than VALUE; numbers may be equal. */
int hp_rising_find(const int32_t *number, int from, int to, int32_t value);

#endif
