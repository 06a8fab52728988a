/* fuzz_checkpoint.c: an image as the checkpoint of a training.  It is refused with a message, or training goes on from
 * it; what was read and is written again is read as the same. */
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include "train/trainer.h"

static const char *bank[2];
static hp_trainer_setup setup;
static char *base; /* a checkpoint as it is written */
static size_t base_size;

static hp_trainer *start(void)
{
	hp_trainer *t;

	demand(hp_trainer_new(&setup, &t, NULL) == 0);
	return t;
}

static void step(hp_trainer *t)
{
	hp_error err = {""};
	hp_tried tried;

	if (hp_trainer_step(t, &err) != 0) {
		fuzz_refused(&err);
		return;
	}
	if (!hp_trainer_due(t))
		return;
	if (hp_trainer_evaluate(t, &tried, &err) != 0)
		fuzz_refused(&err);
	else
		demand(tried.dev.percent[0] >= 0 && tried.dev.percent[0] <= 100 && tried.dev.percent[1] >= 0 &&
		       tried.dev.percent[1] <= tried.dev.percent[0]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	hp_trainer *t;
	hp_error err = {""};

	(void)argc;
	(void)argv;
	bank[0] = fuzz_bank();
	setup = (hp_trainer_setup){.train = {.trees = bank},
	                           .dev = {.trees = bank},
	                           .version = "fuzz",
	                           .seed = 3,
	                           .output = fuzz_path("model.safetensors"),
	                           .max_words = 100,
	                           .threads = 1};
	hp_hyper_init(&setup.hyper);
	setup.hyper.hidden = setup.hyper.decoder_hidden = setup.hyper.decoder_input = 3;
	setup.hyper.arc_mlp = setup.hyper.label_mlp = 3;
	setup.hyper.word_dim = setup.hyper.char_dim = setup.hyper.pos_dim = setup.hyper.char_filters = 2;
	setup.hyper.layers = 1;
	setup.hyper.batch = 2;
	setup.hyper.exact = true;
	setup.hyper.ema = 0.9f;
	t = start();
	demand(hp_trainer_epochs(t, 3, NULL) == 0);
	for (int i = 0; i < 3; i++) {
		step(t);
		hp_trainer_next_epoch(t);
	}
	demand(hp_checkpoint_save(t, fuzz_path("base"), &err) == 0);
	hp_trainer_destroy(t);
	base = fuzz_read(fuzz_path("base"), &base_size);
	return 0;
}

/* Whatever is no image becomes the checkpoint as it was. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	if (size < 8 || (seed % 32 == 0 && base_size <= max_size)) {
		if (base_size > max_size)
			return 0;
		memcpy(data, base, base_size);
		size = base_size;
	}
	return fuzz_mutate_image(data, size, max_size, seed);
}

static char *saved(const hp_trainer *t, size_t *size)
{
	hp_error err = {""};

	demand(hp_checkpoint_save(t, fuzz_path("again"), &err) == 0);
	return fuzz_read(fuzz_path("again"), size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_trainer *t = start(), *twice;
	hp_error err = {""};

	if (hp_checkpoint_load(t, fuzz_file("checkpoint", data, size), &err) == 0) {
		size_t first_size, second_size;
		char *first = saved(t, &first_size), *second;

		twice = start();
		demand(hp_checkpoint_load(twice, fuzz_path("again"), &err) == 0);
		second = saved(twice, &second_size);
		demand(first_size == second_size && memcmp(first, second, first_size) == 0);
		hp_trainer_destroy(twice);
		free(first);
		free(second);
		/* hp-train says so itself where there is nothing left to do. */
		if (hp_trainer_epochs(t, 3, &err) != 0)
			fuzz_refused(&err);
		else if (!hp_trainer_done(t))
			step(t);
	} else {
		fuzz_refused(&err);
	}
	hp_trainer_destroy(t);
	return 0;
}
