/* test_checksum.c: the checksum of a file is what hp-model(5) says, and no damage passes it by. */
#include <unistd.h>

#include "io/checksum.h"
#include "unit.h"

static const float x[] = {1, 2, 3, 4};
static const char text[] = "a text of thirty-seven bytes, no more";

static void add_tensor(hp_st_writer *w, bool is_text)
{
	const int64_t shape[] = {2, 2}, size = sizeof(text) - 1;
	hp_error err;

	if (is_text)
		assert_int_equal(hp_st_writer_tensor(w, "text", HP_U8, 1, &size, text, &err), 0);
	else
		assert_int_equal(hp_st_writer_tensor(w, "x", HP_F32, 2, shape, x, &err), 0);
}

/* The checksum of two pairs and two tensors, of which BACKWARDS are the last ones first. */
static void save(const char *path, bool backwards, char sum[17])
{
	hp_st_writer *w = hp_st_writer_new();
	hp_safetensors *st;
	hp_error err;
	bool has;

	for (int i = 0; i < 2; i++) {
		bool second = (i == 1) != backwards;

		assert_int_equal(hp_st_writer_meta(w, second ? "pos" : "model_id", second ? "" : "m1", &err), 0);
		add_tensor(w, second);
	}
	for (int again = 0; again < 2; again++)
		assert_int_equal(hp_st_writer_save(w, path, &err), 0);
	hp_st_writer_destroy(w);
	assert_int_equal(hp_safetensors_open(path, &st, &err), 0);
	assert_int_equal(hp_safetensors_verify(st, &has, &err), 0);
	assert_true(has);
	assert_int_equal(strlen(hp_safetensors_meta(st, "checksum")), 16);
	strcpy(sum, hp_safetensors_meta(st, "checksum"));
	hp_safetensors_close(st);
}

/* Worked out by another program after the description in hp-model(5). */
TEST(value)
{
	char path[] = "/tmp/hp-test-XXXXXX", sum[17];

	close(mkstemp(path));
	save(path, false, sum);
	assert_string_equal(sum, "fe5274e9ca79feb2");
	save(path, true, sum);
	assert_string_equal(sum, "fe5274e9ca79feb2");
	unlink(path);
}

TEST(damage)
{
	char path[] = "/tmp/hp-test-XXXXXX", sum[17], message[128];
	unsigned char image[1024];
	hp_error err;
	FILE *f;

	close(mkstemp(path));
	save(path, false, sum);
	f = fopen(path, "rb");
	size_t size = fread(image, 1, sizeof(image), f);
	fclose(f);
	for (size_t i = 0; i < 8 * size; i++) {
		hp_safetensors *st = NULL;
		bool has = false;

		image[i / 8] ^= (unsigned char)(1 << i % 8);
		if (hp_safetensors_parse(image, size, "f", &st, &err) == 0 && hp_safetensors_verify(st, &has, &err) == 0 && has)
			fail_msg("bit %zu of byte %zu is not noticed", i % 8, i / 8);
		hp_safetensors_close(st);
		image[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	image[size - 1] = '!';
	hp_safetensors *st;
	assert_int_equal(hp_safetensors_parse(image, size, "f", &st, &err), 0);
	assert_int_equal(hp_safetensors_verify(st, NULL, &err), HP_FAIL);
	snprintf(message, sizeof(message), ", expected %s", sum);
	assert_non_null(strstr(err.text, "f: damaged: its contents come to the checksum "));
	assert_non_null(strstr(err.text, message));
	hp_safetensors_close(st);
	unlink(path);
}

static uint64_t sum_of(const unsigned char *data, size_t size)
{
	return hp_checksum_tensor(&(hp_tensor){.name = "t", .dtype = HP_U8, .data = data, .bytes = size});
}

/* What is the same when two words change at once, as two signs. */
TEST(two_changes)
{
	unsigned char data[256] = {0};
	uint64_t before = sum_of(data, sizeof(data));

	for (size_t i = 7; i < sizeof(data); i += 8)
		for (size_t k = i + 8; k < sizeof(data); k += 8) {
			data[i] = data[k] = 0x80;
			assert_true(sum_of(data, sizeof(data)) != before);
			data[i] = data[k] = 0;
		}
	for (size_t size = 0; size < sizeof(data); size++) /* zeros, but another number of them */
		assert_true(sum_of(data, size) != before);
}
