/* fuzz_join.c: an image as a model that is joined with itself, in each way.  It is refused with a message, or what comes out
 * is a model as well as it was one. */
#include "fuzz.h"

#include "model/model.h"
#include "train/join.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

static bool opens(const char *path)
{
	enum { ALL = HP_STAGE_EMBED | HP_STAGE_ENCODE | HP_STAGE_DECODE | HP_STAGE_LABEL };
	hp_model *model;
	hp_error err = {""};
	bool open = hp_model_open(path, "dep", ALL, &model, &err) == 0;

	if (open)
		hp_model_close(model);
	return open;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *from = fuzz_file("model.safetensors", data, size), *to = fuzz_path("joined.safetensors");
	const char *const paths[] = {from, from};
	bool good = opens(from);

	for (int way = 0; way < 8; way++) {
		const hp_join join = {.count = way & 1 ? 2 : 1,
		                      .paths = paths,
		                      .mean = way & 2,
		                      .half = way & 4,
		                      .bytes = way & 4,
		                      .version = "fuzz"};
		hp_error err = {""};
		FILE *out = fopen(to, "w");
		int status = hp_join_models(&join, out, to, &err);
		fclose(out);
		if (status != 0)
			fuzz_refused(&err);
		else
			demand(!good || opens(to));
	}
	return 0;
}
