/* fuzz_init.c: an image as the model that a training starts from.  It is refused with a message, or training goes on and
 * what it saves is a model. */
#include "fuzz.h"

#include <string.h>
#include "model/model.h"
#include "train/trainer.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

static void train(hp_trainer *t, const char *output)
{
	hp_error err = {""};
	hp_model *model;
	hp_tried tried;

	if (hp_trainer_epochs(t, 1, &err) != 0 || hp_trainer_step(t, &err) != 0 ||
	    hp_trainer_evaluate(t, &tried, &err) != 0) {
		fuzz_refused(&err);
		return;
	}
	demand(tried.dev.percent[1] >= 0 && tried.dev.percent[1] <= tried.dev.percent[0] && tried.dev.percent[0] <= 100);
	demand(hp_model_open(output, "dep", HP_STAGE_EMBED | HP_STAGE_ENCODE | HP_STAGE_DECODE | HP_STAGE_LABEL, &model,
	                     &err) == 0);
	hp_model_close(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const bank[] = {fuzz_bank(), NULL};
	hp_trainer_setup setup = {.train = {.trees = bank},
	                          .dev = {.trees = bank},
	                          .version = "fuzz",
	                          .seed = 3,
	                          .output = fuzz_path("model.safetensors"),
	                          .max_words = 100,
	                          .threads = 1};
	hp_error err = {""};
	hp_trainer *t;

	hp_hyper_init(&setup.hyper);
	setup.init = fuzz_file("init.safetensors", data, size);
	if (hp_trainer_new(&setup, &t, &err) == 0) {
		train(t, setup.output);
		hp_trainer_destroy(t);
	} else {
		fuzz_refused(&err);
	}
	return 0;
}
