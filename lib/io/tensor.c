/* tensor.c: types of tensors and what their values are as floats. */
#include "io/safetensors.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors data is used where it lies, which takes a little-endian machine"
#endif

static const struct {
	const char *name;
	size_t bits;
} types[] = {
	[HP_BOOL] = {"BOOL", 8},
	[HP_U8] = {"U8", 8},
	[HP_I8] = {"I8", 8},
	[HP_I16] = {"I16", 16},
	[HP_U16] = {"U16", 16},
	[HP_F16] = {"F16", 16},
	[HP_BF16] = {"BF16", 16},
	[HP_I32] = {"I32", 32},
	[HP_U32] = {"U32", 32},
	[HP_F32] = {"F32", 32},
	[HP_F64] = {"F64", 64},
	[HP_I64] = {"I64", 64},
	[HP_U64] = {"U64", 64},
	[HP_F8_E4M3] = {"F8_E4M3", 8},
	[HP_F8_E5M2] = {"F8_E5M2", 8},
	[HP_F8_E8M0] = {"F8_E8M0", 8},
	[HP_F8_E4M3FNUZ] = {"F8_E4M3FNUZ", 8},
	[HP_F8_E5M2FNUZ] = {"F8_E5M2FNUZ", 8},
	[HP_F6_E2M3] = {"F6_E2M3", 6},
	[HP_F6_E3M2] = {"F6_E3M2", 6},
	[HP_F4] = {"F4", 4},
	[HP_C64] = {"C64", 64},
};

size_t hp_dtype_bits(hp_dtype dtype)
{
	return types[dtype].bits;
}

size_t hp_dtype_alignment(hp_dtype dtype)
{
	return types[dtype].bits < 8 ? 1 : types[dtype].bits / 8;
}

bool hp_dtype_bytes(hp_dtype dtype, int64_t count, size_t *bytes)
{
	size_t bits = types[dtype].bits, rest = (size_t)count % 8 * bits;

	/* Eight values of any type fill whole bytes. */
	return !__builtin_mul_overflow((size_t)count / 8, bits, bytes) &&
	       !__builtin_add_overflow(*bytes, rest / 8, bytes) && rest % 8 == 0;
}

const char *hp_dtype_name(hp_dtype dtype)
{
	return types[dtype].name;
}

int hp_dtype_from_name(const char *name, hp_dtype *dtype)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(types[i].name, name) == 0) {
			*dtype = (hp_dtype)i;
			return 0;
		}
	}
	return HP_FAIL;
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Without branches, so that loops over it are vectorised.  The exponent's bias goes from 15 to 127.  A subnormal half
 * is read with the implicit 1 that it lacks, which is taken off again. */
static inline float half_to_float(uint16_t half)
{
	uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
	uint32_t normal = magnitude + (112u << 23);
	uint32_t subnormal = bits_of(float_of(magnitude + (113u << 23)) - 0x1p-14f);
	uint32_t special = magnitude | 0x7f800000u;
	uint32_t exponent = half & 0x7c00;
	uint32_t bits = exponent == 0 ? subnormal : exponent == 0x7c00 ? special : normal;

	return float_of(bits | (uint32_t)(half & 0x8000) << 16);
}

float hp_half_to_float(uint16_t half)
{
	return half_to_float(half);
}

uint16_t hp_float_to_half(float value)
{
	uint32_t bits = bits_of(value);
	uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
	uint32_t magnitude = bits & 0x7fffffff;

	if (magnitude > 0x7f800000) /* NaN: keeps its upper bits, stays quiet */
		return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
	if (magnitude >= bits_of(65520.0f)) /* halfway between the largest half and the next would-be one */
		return sign | 0x7c00;
	if (magnitude < bits_of(0x1p-14f)) {
		/* A sum with 2^-1 has its last bit where the subnormal's is: the addition does the rounding. */
		return (uint16_t)(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
	}
	magnitude -= 112u << 23;
	magnitude += 0xfff + (magnitude >> 13 & 1);
	return (uint16_t)(sign | magnitude >> 13);
}

static void widen(const hp_tensor *tensor, int64_t first, int64_t count, float *out)
{
	const uint16_t *half = (const uint16_t *)tensor->data + first;
	const double *wide = (const double *)tensor->data + first;

	if (tensor->dtype == HP_F16) {
		for (int64_t i = 0; i < count; i++)
			out[i] = half_to_float(half[i]);
	} else if (tensor->dtype == HP_BF16) {
		for (int64_t i = 0; i < count; i++)
			out[i] = float_of((uint32_t)half[i] << 16);
	} else {
		for (int64_t i = 0; i < count; i++)
			out[i] = (float)wide[i];
	}
}

int hp_tensor_to_float(const hp_tensor *tensor, int64_t first, int64_t count, float *out)
{
	if (first < 0 || count < 0 || first > tensor->count || count > tensor->count - first)
		return HP_FAIL;
	switch (tensor->dtype) {
	case HP_F32:
		if (count > 0)
			memcpy(out, (const float *)tensor->data + first, count * sizeof(float));
		return 0;
	case HP_F16:
	case HP_BF16:
	case HP_F64:
		if (count > 0)
			widen(tensor, first, count, out);
		return 0;
	default:
		return HP_FAIL;
	}
}
