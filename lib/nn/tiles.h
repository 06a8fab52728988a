/* tiles.h: what Intel's tile registers are told of their shapes, by _tile_loadconfig. */
#ifndef HP_TILES_H
#define HP_TILES_H
#include <stdint.h>

typedef struct hp_tile_shapes {
	uint8_t palette, start, reserved[14]; /* PALETTE is 1 */
	uint16_t bytes[16]; /* of a row of each register; there are 8 */
	uint8_t rows[16];
} hp_tile_shapes;

#endif
