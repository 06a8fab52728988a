/* test_safetensors.c: what is valid is read as it was meant, everything else is refused with its reason. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/safetensors.h"
#include "unit.h"

/* An image from JSON text and SIZE bytes of data (0, 1, 2, ...); the caller's to free. */
static char *image_of(const char *json, size_t data, size_t *size)
{
	uint64_t length = strlen(json);
	char *image;

	*size = 8 + length + data;
	image = malloc(*size);
	memcpy(image, &length, 8);
	memcpy(image + 8, json, length);
	for (size_t i = 0; i < data; i++)
		image[8 + length + i] = (char)i;
	return image;
}

static const char two[] = "{\"b\":{\"dtype\":\"I32\",\"shape\":[2,3],\"data_offsets\":[5,29]},"
						  "\"__metadata__\":{\"k\":\"v \\u00e9\",\"empty\":\"\"},"
						  "\"a\":{\"dtype\":\"U8\",\"shape\":[5],\"data_offsets\":[0,5]},"
						  "\"s\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[29,37]}}  ";

TEST(read)
{
	size_t size, length;
	char *image = image_of(two, 37, &size);
	hp_safetensors *st;
	const hp_tensor *t;
	const char *key, *value;
	hp_error err;

	assert_int_equal(hp_safetensors_parse(image, size, "mem", &st, &err), 0);
	assert_string_equal(hp_safetensors_name(st), "mem");
	assert_int_equal(hp_safetensors_count(st), 3);
	assert_string_equal(hp_safetensors_at(st, 0)->name, "a"); /* in order of offsets, not of the header */
	t = hp_safetensors_at(st, 1);
	assert_string_equal(t->name, "b");
	assert_int_equal(t->dtype, HP_I32);
	assert_int_equal(t->rank, 2);
	assert_int_equal(t->shape[0], 2);
	assert_int_equal(t->shape[1], 3);
	assert_int_equal(t->count, 6);
	assert_int_equal(t->bytes, 24);
	assert_int_equal((uintptr_t)t->data % 4, 0); /* though at offset 5 */
	assert_int_equal(((const int32_t *)t->data)[0], 0x08070605);
	assert_int_equal(((const int32_t *)t->data)[5], 0x1c1b1a19);
	t = hp_safetensors_find(st, "s");
	assert_int_equal(t->rank, 0);
	assert_int_equal(t->count, 1);
	assert_int_equal((uintptr_t)t->data % 8, 0);
	assert_null(hp_safetensors_find(st, "c"));
	assert_null(hp_safetensors_find(st, "__metadata__"));
	assert_string_equal(hp_safetensors_meta(st, "k"), "v \xc3\xa9");
	assert_null(hp_safetensors_meta(st, "a"));
	assert_int_equal(hp_safetensors_meta_count(st), 2);
	hp_safetensors_meta_at(st, 1, &key, &value);
	assert_string_equal(key, "empty");
	assert_string_equal(value, "");
	hp_safetensors_close(st);
	hp_safetensors_close(NULL);
	assert_int_equal(hp_safetensors_header_size(image, HP_MAX_HEADER, "mem", &length, &err), 0);
	assert_int_equal(length, size - 37);
	assert_int_equal(hp_safetensors_begin(image, length, "mem", &st, &length, &err), 0);
	assert_int_equal(length, size);
	hp_safetensors_close(st);
	free(image);
}

TEST(no_tensors)
{
	static const char *const headers[] = {"{}", "{\"__metadata__\":{}}", "{\"__metadata__\":{\"a\":\"b\"}}    "};
	hp_error err;

	for (int i = 0; i < 3; i++) {
		hp_safetensors *st;
		size_t size;
		char *image = image_of(headers[i], 0, &size);

		assert_int_equal(hp_safetensors_parse(image, size, "m", &st, &err), 0);
		assert_int_equal(hp_safetensors_count(st), 0);
		assert_int_equal(hp_safetensors_meta_count(st), i == 2);
		hp_safetensors_close(st);
		free(image);
	}
}

TEST(empty_tensors)
{
	size_t size;
	char *image = image_of("{\"z\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
	                       "\"y\":{\"dtype\":\"F32\",\"shape\":[0,7],\"data_offsets\":[0,0]},"
	                       "\"x\":{\"dtype\":\"F64\",\"shape\":[0],\"data_offsets\":[4,4]}}",
	                       4, &size);
	hp_safetensors *st;
	hp_error err;

	assert_int_equal(hp_safetensors_parse(image, size, "m", &st, &err), 0);
	assert_int_equal(hp_safetensors_count(st), 3);
	assert_int_equal(hp_safetensors_find(st, "y")->count, 0);
	assert_int_equal(hp_safetensors_find(st, "x")->bytes, 0);
	hp_safetensors_close(st);
	free(image);
}

/* Every way to be wrong, with a piece of the message. */
#define T(type, shape, from, to) \
	"{\"t\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":[" #from "," #to "]}}"
#define U(name, from, to, n) "\"" name "\":{\"dtype\":\"U8\",\"shape\":[" #n "],\"data_offsets\":[" #from "," #to "]}"

static const struct refused {
	const char *why, *json;
	size_t data;
} refused[] = {
	{"does not begin with '{'", "", 0},
	{"does not begin with '{'", " {}", 0},
	{"does not begin with '{'", "[]", 0},
	{"header, byte", "{", 0},
	{"header, byte", "{} x", 0},
	{"header, byte", "{\"a\xff\":1}", 0},
	{"header, byte", "{\"a\\u0000b\":1}", 0},
	{"belongs to no tensor", "{}", 1},
	{"duplicate", "{" U("a", 0, 1, 1) "," U("a", 0, 1, 1) "}", 1},
	{"duplicate", "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1},
	{"duplicate", "{\"__metadata__\":{},\"__metadata__\":{}}", 0},
	{"duplicate", "{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0},
	{"header: __metadata__ has a duplicate 'b'", "{\"__metadata__\":{\"b\":\"1\",\"a\":\"\",\"\\u0062\":\"1\"}}", 0},
	{"header: duplicate tensor 'b'", "{" U("b", 0, 1, 1) "," U("a", 1, 2, 1) "," U("b", 2, 3, 1) "}", 3},
	{"header, byte 39: duplicate key", "{\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"shape\":[1],\"data_offsets\":[0,1]}}",
     1},
	{"is not an object", "{\"__metadata__\":[]}", 0},
	{"'k' is not a string", "{\"__metadata__\":{\"k\":1}}", 0},
	{"'k' is not a string", "{\"__metadata__\":{\"k\":null}}", 0},
	{"'k' is not a string", "{\"__metadata__\":{\"k\":{\"k\":\"v\"}}}", 0},
	{"'t' is not described by an object", "{\"t\":3}", 0},
	{"dtype missing", "{\"t\":{}}", 0},
	{"dtype 'F31'", T("F31", "[1]", 0, 4), 4},
	{"dtype 'f32'", T("f32", "[1]", 0, 4), 4},
	{"dtype missing", "{\"t\":{\"dtype\":7,\"shape\":[1],\"data_offsets\":[0,4]}}", 4},
	{"shape is not an array", "{\"t\":{\"dtype\":\"U8\",\"data_offsets\":[0,4]}}", 4},
	{"data_offsets is not two", "{\"t\":{\"dtype\":\"U8\",\"shape\":[4]}}", 4},
	{"data_offsets is not two", "{\"t\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4,8]}}", 4},
	{"data_offsets is not two", "{\"t\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4.0]}}", 4},
	{"shape is not an array", T("U8", "4", 0, 4), 4},
	{"else than whole numbers", T("U8", "[-4]", 0, 4), 4},
	{"else than whole numbers", T("U8", "[4.0]", 0, 4), 4},
	{"else than whole numbers", T("U8", "[\"4\"]", 0, 4), 4},
	{"9 dimensions", T("U8", "[1,1,1,1,1,1,1,1,4]", 0, 4), 4},
	{"header, byte", T("U8", "[99999999999999999999]", 0, 4), 4},
	{"too large", T("U8", "[4294967296,4294967296]", 0, 0), 0}, /* wraps to 0 */
	{"its shape and type take another number", T("F64", "[2305843009213693952]", 0, 0), 0}, /* bytes wrap to 0 */
	{"its shape and type take another number", T("F4", "[3]", 0, 2), 2},
	{"its shape and type take another number", T("F4", "[3]", 0, 1), 1},
	{"its shape and type take another number", T("F6_E3M2", "[2]", 0, 2), 2},
	{"its shape and type take another number", T("F4", "[8]", 0, 8), 8},
	{"its shape and type take another number", T("F32", "[1]", 0, 5), 5},
	{"its shape and type take another number", T("F32", "[2]", 0, 4), 4},
	{"expected 0 or more", T("U8", "[4]", -4, 0), 4},
	{"in order", T("U8", "[4]", 4, 0), 4},
	{"a hole", T("U8", "[4]", 1, 5), 5},
	{"a hole", T("U8", "[0]", 9223372036854775807, 9223372036854775807), 0},
	{"a hole", "{" U("a", 0, 2, 2) "," U("b", 3, 4, 1) "}", 4},
	{"an overlap", "{" U("a", 0, 2, 2) "," U("b", 1, 3, 2) "}", 3},
	{"an overlap", "{" U("a", 0, 2, 2) "," U("b", 0, 2, 2) "}", 2},
	{"an overlap", "{" U("a", 0, 2, 2) "," U("b", 1, 1, 0) "}", 2},
	{"cut off after", T("U8", "[4]", 0, 4), 3},
	{"belongs to no tensor", T("U8", "[4]", 0, 4), 5},
	{"cut off after", T("U8", "[9000000000000000000]", 0, 9000000000000000000), 5},
};

static void check_refused(const struct refused *c)
{
	size_t size;
	char *image = image_of(c->json, c->data, &size);
	hp_safetensors *st = (hp_safetensors *)"";
	hp_error err = {""};

	if (hp_safetensors_parse(image, size, "FILE", &st, &err) == 0)
		fail_msg("accepted: %s", c->json);
	assert_null(st);
	if (strncmp(err.text, "FILE: ", 6) != 0 || !strstr(err.text, c->why))
		fail_msg("%s: '%s', expected '%s'", c->json, err.text, c->why);
	free(image);
}

CASES(refused, check_refused)

/* Cut at every byte: refused, and nothing past the end is touched (each piece is in memory of its own). */
TEST(truncated)
{
	size_t size;
	char *image = image_of(two, 37, &size);

	for (size_t cut = 0; cut < size; cut++) {
		char *piece = malloc(cut ? cut : 1);
		hp_safetensors *st;
		hp_error err;

		memcpy(piece, image, cut);
		assert_int_equal(hp_safetensors_parse(piece, cut, "m", &st, &err), HP_FAIL);
		assert_non_null(strstr(err.text, "m: cut off after"));
		free(piece);
	}
	free(image);
}

TEST(header_limit)
{
	char image[16] = "";
	uint64_t lengths[] = {100000001, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63};
	hp_safetensors *st;
	size_t length;
	hp_error err;

	for (int i = 0; i < 4; i++) {
		memcpy(image, &lengths[i], 8);
		assert_int_equal(hp_safetensors_parse(image, 16, "m", &st, &err), HP_FAIL);
		assert_non_null(strstr(err.text, "expected at most 100000000"));
		assert_int_equal(hp_safetensors_header_size(image, HP_MAX_HEADER, "m", &length, &err), HP_FAIL);
	}
	lengths[0] = 100000000; /* allowed, so it is only the rest that lacks */
	memcpy(image, lengths, 8);
	assert_int_equal(hp_safetensors_parse(image, 16, "m", &st, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "cut off after 16 bytes, expected a header of 100000008"));
}

/* Control characters are JSON's to escape and legal in names; messages show them escaped. */
TEST(odd_names)
{
	size_t size;
	char *image = image_of("{\"a\\n\\u001b[31m\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 2, &size);
	const int64_t three = 3;
	const hp_tensor *t;
	hp_safetensors *st;
	hp_error err;

	assert_int_equal(hp_safetensors_parse(image, size, "m", &st, &err), 0);
	assert_non_null(hp_safetensors_find(st, "a\n\x1b[31m"));
	assert_int_equal(hp_safetensors_need(st, "a\n\x1b[31m", 1, &three, &t, &err), HP_FAIL);
	assert_string_equal(err.text, "m: tensor 'a\\x0A\\x1B[31m' has shape [2], expected [3]");
	hp_safetensors_close(st);
	free(image);
}

TEST(need)
{
	size_t size;
	char *image = image_of(two, 37, &size);
	const int64_t exact[] = {2, 3}, any[] = {-1, 3}, wrong[] = {-1, 4};
	const hp_tensor *t;
	hp_safetensors *st;
	hp_error err;

	assert_int_equal(hp_safetensors_parse(image, size, "m", &st, &err), 0);
	assert_int_equal(hp_safetensors_need(st, "b", 2, exact, &t, &err), 0);
	assert_string_equal(t->name, "b");
	assert_int_equal(hp_safetensors_need(st, "b", 2, any, &t, &err), 0);
	assert_int_equal(hp_safetensors_need(st, "s", 0, NULL, &t, &err), 0);
	assert_int_equal(hp_safetensors_need(st, "b", 2, wrong, &t, &err), HP_FAIL);
	assert_null(t);
	assert_string_equal(err.text, "m: tensor 'b' has shape [2, 3], expected [?, 4]");
	assert_int_equal(hp_safetensors_need(st, "b", 1, exact, &t, &err), HP_FAIL);
	assert_string_equal(err.text, "m: tensor 'b' has shape [2, 3], expected [2]");
	assert_int_equal(hp_safetensors_need(st, "q", 2, exact, &t, &err), HP_FAIL);
	assert_string_equal(err.text, "m: no tensor 'q', expected one of shape [2, 3]");
	hp_safetensors_close(st);
	free(image);
}

/* The value of a half by its definition. */
static double half_value(unsigned bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double fraction = bits & 0x3ff;
	double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);

	return bits & 0x8000 ? -value : value;
}

TEST(halves)
{
	for (unsigned bits = 0; bits < 0x10000; bits++) {
		float value = hp_half_to_float((uint16_t)bits);

		if ((bits & 0x7c00) == 0x7c00) {
			if (bits & 0x3ff)
				assert_true(isnan(value) && isnan(hp_half_to_float(hp_float_to_half(value))));
			else
				assert_true(isinf(value) && !signbit(value) == !(bits & 0x8000));
			continue;
		}
		assert_true((double)value == half_value(bits) && !signbit(value) == !(bits & 0x8000));
		assert_int_equal(hp_float_to_half(value), bits);
	}
	/* Many at once: the same, whatever their number. */
	uint16_t half[0x7c00];
	float many[0x7c00 + 1];

	for (unsigned bits = 0; bits < 0x7c00; bits++)
		half[bits] = (uint16_t)(bits | (bits % 3 ? 0x8000 : 0));
	for (size_t n = 0x7c00; n > 0; n = n > 40 ? 40 : n - 1) {
		many[n] = 1;
		hp_halves_to_floats(n, half + 0x7c00 - n, many);
		for (size_t i = 0; i < n; i++) {
			float one = hp_half_to_float(half[0x7c00 - n + i]);

			assert_memory_equal(&many[i], &one, sizeof(one));
		}
		assert_true(many[n] == 1);
	}
}

/* Around the middle between any two neighbours: down, to the even one, up.  Above the largest comes infinity. */
/* The value of a byte by the definition of F8_E4M3, sign left out. */
static double e4m3_value(unsigned bits)
{
	unsigned exponent = bits >> 3, mantissa = bits & 7;
	return exponent ? (1 + mantissa / 8.0) * pow(2, (int)exponent - 7) : mantissa / 8.0 * pow(2, -6);
}

/* All values, and what lies between them: the nearer one, of two as near the even one. */
TEST(bytes)
{
	for (unsigned bits = 0; bits < 0x7f; bits++) {
		float value = hp_e4m3_to_float((uint8_t)bits);
		assert_true((double)value == e4m3_value(bits));
		assert_true(hp_e4m3_to_float((uint8_t)(bits | 0x80)) == -value);
		assert_int_equal(hp_float_to_e4m3(value), bits);
		assert_int_equal(hp_float_to_e4m3(-value), bits | 0x80);
		if (bits == 0x7e)
			break;
		float middle = (float)((e4m3_value(bits) + e4m3_value(bits + 1)) / 2);
		assert_int_equal(hp_float_to_e4m3(nextafterf(middle, 0)), bits);
		assert_int_equal(hp_float_to_e4m3(middle), bits % 2 ? bits + 1 : bits);
		assert_int_equal(hp_float_to_e4m3(nextafterf(middle, INFINITY)), bits + 1);
	}
	/* All of them as halves: the same numbers. */
	uint8_t byte[256];
	uint16_t half[256];
	for (unsigned i = 0; i < 256; i++)
		byte[i] = (uint8_t)i;
	hp_e4m3_to_halves(256, byte, half);
	for (unsigned i = 0; i < 256; i++)
		assert_true((i & 0x7f) == 0x7f ? isnan(hp_half_to_float(half[i]))
		                               : hp_half_to_float(half[i]) == hp_e4m3_to_float((uint8_t)i));
	assert_true(hp_e4m3_to_float(0x7e) == 448);
	assert_int_equal(hp_float_to_e4m3(1e30f), 0x7e);
	assert_int_equal(hp_float_to_e4m3(-INFINITY), 0xfe);
	assert_int_equal(hp_float_to_e4m3(NAN) & 0x7f, 0x7f);
	assert_true(isnan(hp_e4m3_to_float(0x7f)) && isnan(hp_e4m3_to_float(0xff)));
}

TEST(half_rounding)
{
	for (unsigned bits = 0; bits < 0x7c00; bits++) {
		double next = bits + 1 == 0x7c00 ? 65536.0 : half_value(bits + 1);
		float middle = (float)((half_value(bits) + next) / 2);

		assert_int_equal(hp_float_to_half(nextafterf(middle, 0)), bits);
		assert_int_equal(hp_float_to_half(middle), bits % 2 ? bits + 1 : bits);
		assert_int_equal(hp_float_to_half(nextafterf(middle, INFINITY)), bits + 1);
		assert_int_equal(hp_float_to_half(-middle), 0x8000 | (bits % 2 ? bits + 1 : bits));
	}
	assert_int_equal(hp_float_to_half(1e30f), 0x7c00);
	assert_int_equal(hp_float_to_half(-INFINITY), 0xfc00);
	assert_int_equal(hp_float_to_half(1e-40f), 0);
}

TEST(to_float)
{
	const uint16_t halves[] = {0x3c00, 0xc000, 0x3555}, brains[] = {0x3f80, 0xc000, 0x4049};
	const double doubles[] = {1, -2, 0.1};
	hp_tensor t = {.rank = 1, .shape = {3}, .count = 3};
	float out[3];

	t.dtype = HP_F16, t.data = halves;
	assert_int_equal(hp_tensor_to_float(&t, 0, 3, out), 0);
	assert_true(out[0] == 1.0f && out[1] == -2.0f && out[2] == 0.333251953125f);
	t.dtype = HP_BF16, t.data = brains;
	assert_int_equal(hp_tensor_to_float(&t, 1, 2, out), 0);
	assert_true(out[0] == -2.0f && out[1] == 3.140625f);
	t.dtype = HP_F64, t.data = doubles;
	assert_int_equal(hp_tensor_to_float(&t, 2, 1, out), 0);
	assert_true(out[0] == 0.1f);
	assert_int_equal(hp_tensor_to_float(&t, 3, 0, out), 0);
	assert_int_equal(hp_tensor_to_float(&t, 2, 2, out), HP_FAIL);
	assert_int_equal(hp_tensor_to_float(&t, -1, 1, out), HP_FAIL);
	assert_int_equal(hp_tensor_to_float(&t, 1, INT64_MAX, out), HP_FAIL);
	t.dtype = HP_I64;
	assert_int_equal(hp_tensor_to_float(&t, 0, 1, out), HP_FAIL);
}

/* What WRITE makes of a writer's contents, read again. */
static hp_safetensors *written(hp_st_writer *w, int (*write)(hp_st_writer *, FILE *, const char *, hp_error *),
                               size_t *size)
{
	char *image;
	FILE *f = open_memstream(&image, size);
	hp_safetensors *st;
	hp_error err;
	size_t header, length;

	assert_int_equal(write(w, f, "mem", &err), 0);
	fclose(f);
	assert_int_equal(hp_safetensors_header_size(image, HP_MAX_HEADER, "mem", &header, &err), 0);
	assert_int_equal(hp_safetensors_begin(image, header, "mem", &st, &length, &err), 0);
	assert_int_equal(hp_safetensors_attach(st, image + header, image, &err), 0);
	assert_int_equal(length, *size);
	return st;
}

TEST(write)
{
	const char odd[] = "quote\" back\\ tab\t bell\x07 gr\xc3\xbc\xc3\x9f";
	const float x[] = {1.5f, -2.5f, 3.5f};
	const int64_t three = 3, five[] = {5, 1};
	hp_st_writer *w = hp_st_writer_new();
	hp_safetensors *st;
	hp_error err;
	size_t size;

	for (int round = 0; round < 2; round++) { /* the second after clear */
		assert_int_equal(hp_st_writer_meta(w, "key", odd, &err), 0);
		assert_int_equal(hp_st_writer_meta(w, odd, "", &err), 0);
		assert_int_equal(hp_st_writer_meta(w, "key", "again", &err), HP_FAIL);
		assert_string_equal(err.text, "metadata 'key' was added twice");
		assert_int_equal(hp_st_writer_tensor(w, "text", HP_U8, 2, five, "abcde", &err), 0);
		assert_int_equal(hp_st_writer_tensor(w, odd, HP_F32, 1, &three, x, &err), 0);
		assert_int_equal(hp_st_writer_tensor(w, "text", HP_U8, 2, five, "abcde", &err), HP_FAIL);
		assert_string_equal(err.text, "tensor 'text' was added twice");
		assert_true(hp_st_writer_has_tensor(w, "text") && !hp_st_writer_has_tensor(w, "key"));
		assert_true(hp_st_writer_has_meta(w, "key") && !hp_st_writer_has_meta(w, "text"));
		st = written(w, hp_st_writer_write, &size);
		assert_int_equal(size % 8, 0);
		assert_string_equal(hp_safetensors_at(st, 0)->name, "text"); /* in the order added */
		assert_memory_equal(hp_safetensors_find(st, "text")->data, "abcde", 5);
		assert_memory_equal(hp_safetensors_find(st, odd)->data, x, sizeof(x));
		assert_string_equal(hp_safetensors_meta(st, "key"), odd);
		assert_string_equal(hp_safetensors_meta(st, odd), "");
		hp_safetensors_close(st);
		hp_st_writer_clear(w);
	}
	hp_st_writer_destroy(w);
	hp_st_writer_destroy(NULL);
}

/* Records are multiples of 8 bytes, models' data begins at one of 64, whatever the names' lengths. */
TEST(padding)
{
	hp_st_writer *w = hp_st_writer_new();
	char name[80] = "";
	hp_error err;

	for (int i = 1; i < 70; i++) {
		int64_t n = i % 11;
		hp_safetensors *st;
		size_t size;

		name[i - 1] = 'n';
		assert_int_equal(hp_st_writer_tensor(w, name, HP_U8, 1, &n, "0123456789ab", &err), 0);
		st = written(w, hp_st_writer_write, &size);
		assert_int_equal(size % 8, 0);
		hp_safetensors_close(st);
		st = written(w, hp_st_writer_write_model, &size);
		assert_int_equal((size - (size_t)n) % 64, 0);
		hp_safetensors_close(st);
		hp_st_writer_clear(w);
	}
	hp_st_writer_destroy(w);
}

TEST(align)
{
	static const struct {
		const char *name;
		hp_dtype dtype;
	} added[] = {{"u8", HP_U8},     {"f16", HP_F16},      {"i64", HP_I64},       {"f32", HP_F32},
	             {"bool", HP_BOOL}, {"second u8", HP_U8}, {"second f32", HP_F32}};
	static const char *const expected[] = {"i64", "f32", "second f32", "f16", "bool", "u8", "second u8"};
	const uint64_t zero = 0;
	const int64_t one = 1;
	hp_st_writer *w = hp_st_writer_new();
	hp_safetensors *st;
	hp_error err;
	size_t size;

	for (int i = 0; i < 7; i++)
		assert_int_equal(hp_st_writer_tensor(w, added[i].name, added[i].dtype, 1, &one, &zero, &err), 0);
	hp_st_writer_align(w);
	st = written(w, hp_st_writer_write, &size);
	for (int i = 0; i < 7; i++)
		assert_string_equal(hp_safetensors_at(st, i)->name, expected[i]);
	hp_safetensors_close(st);
	hp_st_writer_destroy(w);
}

TEST(writer_refuses)
{
	const int64_t negative = -1, huge[] = {INT64_MAX, 2}, many = (int64_t)1 << 61, nine[9] = {0};
	hp_st_writer *w = hp_st_writer_new();
	FILE *full = fopen("/dev/full", "w");
	hp_error err;

	assert_int_equal(hp_st_writer_meta(w, "bad\xff", "v", &err), HP_FAIL);
	assert_string_equal(err.text, "metadata 'bad\\xFF' is not valid UTF-8");
	assert_int_equal(hp_st_writer_meta(w, "k", "bad\xff", &err), HP_FAIL);
	assert_int_equal(hp_st_writer_tensor(w, "bad\xff", HP_U8, 0, NULL, "", &err), HP_FAIL);
	assert_int_equal(hp_st_writer_tensor(w, "__metadata__", HP_U8, 0, NULL, "", &err), HP_FAIL);
	assert_int_equal(hp_st_writer_tensor(w, "t", HP_U8, 1, &negative, "", &err), HP_FAIL);
	assert_int_equal(hp_st_writer_tensor(w, "t", HP_U8, 2, huge, "", &err), HP_FAIL);
	assert_int_equal(hp_st_writer_tensor(w, "t", HP_F64, 1, &many, "", &err), HP_FAIL);
	assert_int_equal(hp_st_writer_tensor(w, "t", HP_U8, 9, nine, "", &err), HP_FAIL);
	assert_false(hp_st_writer_has_tensor(w, "t"));
	setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(hp_st_writer_write(w, full, "out", &err), HP_FAIL);
	assert_string_equal(err.text, "out: No space left on device");
	fclose(full);
	hp_st_writer_destroy(w);
}

TEST(save_and_open)
{
	char path[] = "/tmp/hp-test-XXXXXX";
	const int64_t two_by[] = {2, 2};
	const float x[] = {1, 2, 3, 4};
	hp_st_writer *w = hp_st_writer_new();
	char message[128];
	hp_safetensors *st;
	hp_error err;

	close(mkstemp(path));
	snprintf(message, sizeof(message), "%s: cut off after 0 bytes, expected a header length of 8 bytes", path);
	assert_int_equal(hp_safetensors_open(path, &st, &err), HP_FAIL); /* an empty file */
	assert_string_equal(err.text, message);
	assert_int_equal(hp_st_writer_meta(w, "model_id", "m1", &err), 0);
	assert_int_equal(hp_st_writer_tensor(w, "x", HP_F32, 2, two_by, x, &err), 0);
	assert_int_equal(hp_st_writer_save(w, path, &err), 0);
	assert_int_equal(hp_safetensors_open(path, &st, &err), 0);
	assert_string_equal(hp_safetensors_name(st), path);
	assert_string_equal(hp_safetensors_meta(st, "model_id"), "m1");
	assert_memory_equal(hp_safetensors_find(st, "x")->data, x, sizeof(x));
	assert_int_equal((uintptr_t)hp_safetensors_find(st, "x")->data % 64, 0);
	hp_safetensors_forget(st);
	assert_memory_equal(hp_safetensors_find(st, "x")->data, x, sizeof(x));
	hp_safetensors_close(st);
	assert_int_equal(truncate(path, 100), 0);
	assert_int_equal(hp_safetensors_open(path, &st, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "cut off after 100 bytes"));
	unlink(path);
	assert_int_equal(hp_safetensors_open(path, &st, &err), HP_FAIL);
	assert_non_null(strstr(err.text, ": No such file or directory"));
	assert_int_equal(hp_safetensors_open("/tmp", &st, &err), HP_FAIL);
	assert_string_equal(err.text, "/tmp: Is a directory");
	assert_int_equal(hp_safetensors_open("/dev/null", &st, &err), HP_FAIL);
	assert_string_equal(err.text, "/dev/null: not a regular file, so it cannot be mapped");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(hp_safetensors_open(path, &st, &err), HP_FAIL); /* nobody waits for a writer */
	assert_non_null(strstr(err.text, ": not a regular file, so it cannot be mapped"));
	unlink(path);
	hp_st_writer_destroy(w);
}

/* The types and widths of the format's reference reader. */
static const struct dtypes {
	const char *name;
	hp_dtype dtype;
	size_t bits;
} dtypes[] = {
	{"BOOL", HP_BOOL, 8},
	{"U8", HP_U8, 8},
	{"I8", HP_I8, 8},
	{"I16", HP_I16, 16},
	{"U16", HP_U16, 16},
	{"F16", HP_F16, 16},
	{"BF16", HP_BF16, 16},
	{"I32", HP_I32, 32},
	{"U32", HP_U32, 32},
	{"F32", HP_F32, 32},
	{"F64", HP_F64, 64},
	{"I64", HP_I64, 64},
	{"U64", HP_U64, 64},
	{"F8_E4M3", HP_F8_E4M3, 8},
	{"F8_E5M2", HP_F8_E5M2, 8},
	{"F8_E8M0", HP_F8_E8M0, 8},
	{"F8_E4M3FNUZ", HP_F8_E4M3FNUZ, 8},
	{"F8_E5M2FNUZ", HP_F8_E5M2FNUZ, 8},
	{"F6_E2M3", HP_F6_E2M3, 6},
	{"F6_E3M2", HP_F6_E3M2, 6},
	{"F4", HP_F4, 4},
	{"C64", HP_C64, 64},
};

static void check_dtype(const struct dtypes *c)
{
	hp_dtype dtype;
	size_t bytes;

	assert_int_equal(hp_dtype_from_name(c->name, &dtype), 0);
	assert_int_equal(dtype, c->dtype);
	assert_string_equal(hp_dtype_name(dtype), c->name);
	assert_int_equal(hp_dtype_bits(dtype), c->bits);
	for (int64_t n = 0; n < 20; n++) {
		bool whole = (uint64_t)n * c->bits % 8 == 0;

		assert_int_equal(hp_dtype_bytes(dtype, n, &bytes), whole);
		assert_true(!whole || bytes == (uint64_t)n * c->bits / 8);
	}
	assert_int_equal(hp_dtype_bytes(dtype, INT64_MAX - 7, &bytes), c->bits <= 16);
}

CASES(dtypes, check_dtype)

TEST(unknown_dtype)
{
	hp_dtype dtype;

	assert_int_equal(hp_dtype_from_name("F4_E2M1", &dtype), HP_FAIL);
}

/* Files that somebody may take for a model. */
static const struct other_files {
	const char *message, *bytes;
	size_t size;
} other_files[] = {
	{"m: gzip data, expected a safetensors file: unpack it first (gunzip)", "\x1F\x8B\x08\0\0\0\0\0\0\3", 10},
	{"m: a zip archive, expected a safetensors file: unpack it first (unzip)", "PK\3\4\x14\0\0\0\0\0", 10},
	{"m: a Git LFS pointer, not the file itself, expected a safetensors file: git lfs pull fetches it",
     "version https://git-lfs.github.com/spec/v1\n", 43},
	{"m: an HDF5 file, expected a safetensors file", "\x89HDF\r\n\x1A\n", 8},
	{"m: a Python pickle, expected a safetensors file", "\x80\2}q\0(X\4\0\0", 10},
	{"m: a tensor stream, expected a model",
     "\x26\0\0\0\0\0\0\0{\"__metadata__\":{\"hp_stream\":\"1\"}}    \2\0\0\0\0\0\0\0{}", 56},
};

static void check_other_file(const struct other_files *c)
{
	hp_safetensors *st;
	hp_error err;

	assert_int_equal(hp_safetensors_parse(c->bytes, c->size, "m", &st, &err), HP_FAIL);
	assert_string_equal(err.text, c->message);
}

CASES(other_files, check_other_file)
