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

/* A float whose upper half is given, as BF16 is. */
static float float_of_upper(uint16_t upper)
{
	uint32_t bits = (uint32_t)upper << 16;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void widen(const hp_tensor *tensor, int64_t first, int64_t count, float *out)
{
	const uint16_t *half = (const uint16_t *)tensor->data + first;
	const double *wide = (const double *)tensor->data + first;

	if (tensor->dtype == HP_F16) {
		hp_halves_to_floats((size_t)count, half, out);
	} else if (tensor->dtype == HP_BF16) {
		for (int64_t i = 0; i < count; i++)
			out[i] = float_of_upper(half[i]);
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
	case HP_F8_E4M3:
		for (int64_t i = 0; i < count; i++)
			out[i] = hp_e4m3_to_float(((const uint8_t *)tensor->data)[first + i]);
		return 0;
	default:
		return HP_FAIL;
	}
}
