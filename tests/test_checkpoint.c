/* test_checkpoint.c: a training that is interrupted anywhere and taken up again ends with the same bytes. */
#include <math.h>
#include <unistd.h>

#include "train/trainer.h"
#include "unit.h"

static char dir[] = "/tmp/test_checkpoint.XXXXXX", treebank[64], output[64], checkpoint[64];

/* Sixteen sentences: a word and its chain of dependants. */
HOOK(begin)
{
	FILE *f;

	assert_non_null(mkdtemp(dir));
	snprintf(treebank, sizeof treebank, "%s/bank", dir);
	snprintf(output, sizeof output, "%s/model", dir);
	snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint", dir);
	f = fopen(treebank, "w");
	assert_non_null(f);
	for (int s = 0; s < 16; s++) {
		for (int w = 1; w <= 2 + s % 5; w++)
			fprintf(f, "%d\tw%d\t_\tT%d\t_\t_\t%d\t%s\t_\t_\n", w, (s * w) % 7, w % 2, w - 1, w == 1 ? "root" : "dep");
		fputc('\n', f);
	}
	assert_int_equal(fclose(f), 0);
}

HOOK(end)
{
	unlink(treebank);
	unlink(output);
	unlink(checkpoint);
	assert_int_equal(rmdir(dir), 0);
}

static hp_trainer_setup make_setup(void)
{
	static const char *const bank[] = {treebank, NULL};
	hp_trainer_setup s = {.train = {.trees = bank},
	                      .dev = {.trees = bank},
	                      .output = output,
	                      .version = "test",
	                      .seed = 3,
	                      .max_words = 100,
	                      .threads = 1};

	hp_hyper_init(&s.hyper);
	s.hyper.hidden = s.hyper.decoder_hidden = s.hyper.decoder_input = 6;
	s.hyper.arc_mlp = s.hyper.label_mlp = 5;
	s.hyper.word_dim = s.hyper.char_dim = s.hyper.pos_dim = s.hyper.char_filters = 4;
	s.hyper.layers = 2;
	s.hyper.batch = 3;
	s.hyper.warmup = 2;
	s.hyper.ema = 0.9f;
	s.hyper.exact = true;
	return s;
}

static hp_trainer *start(const hp_trainer_setup *s, bool resume)
{
	hp_error err = {""};
	hp_trainer *t = NULL;

	if (hp_trainer_new(s, &t, &err) != 0 || (resume && hp_checkpoint_load(t, checkpoint, &err) != 0) ||
	    hp_trainer_epochs(t, 3, &err) != 0)
		fail_msg("%s", err.text);
	return t;
}

/* Until STEPS batches were made or all. */
static void run(hp_trainer *t, int64_t steps)
{
	hp_error err = {""};
	hp_tried tried;

	while (!hp_trainer_done(t) && t->progress.step < steps) {
		if (hp_trainer_step(t, &err) != 0 || (hp_trainer_due(t) && hp_trainer_evaluate(t, &tried, &err) != 0))
			fail_msg("%s", err.text);
		hp_trainer_next_epoch(t);
	}
}

static char *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	char *data = malloc(1 << 20);

	assert_non_null(f);
	assert_non_null(data);
	*size = fread(data, 1, 1 << 20, f);
	fclose(f);
	return data;
}

TEST(resume_is_exact)
{
	hp_trainer_setup s = make_setup();
	hp_trainer *whole = start(&s, false), *part;
	size_t size, bytes, resumed_size;
	char *model, *resumed;

	run(whole, 1000);
	model = slurp(output, &size);
	bytes = whole->params->total * sizeof(float);
	assert_true(whole->progress.step >= 18);
	for (int64_t stop = 0; stop < whole->progress.step; stop += 5) {
		unlink(output);
		part = start(&s, false);
		run(part, stop);
		assert_int_equal(hp_checkpoint_save(part, checkpoint, NULL), 0);
		hp_trainer_destroy(part);
		s.threads = 2; /* and with other threads */
		part = start(&s, true);
		s.threads = 1;
		assert_int_equal(part->progress.step, stop);
		run(part, 1000);
		assert_int_equal(part->progress.step, whole->progress.step);
		assert_memory_equal(part->params->values, whole->params->values, bytes);
		assert_memory_equal(part->adam.average, whole->adam.average, bytes);
		assert_true(part->progress.best_last == whole->progress.best_last);
		resumed = slurp(output, &resumed_size);
		assert_int_equal(resumed_size, size);
		assert_memory_equal(resumed, model, size);
		free(resumed);
		hp_trainer_destroy(part);
	}
	free(model);
	hp_trainer_destroy(whole);
}

static void assert_refused(const hp_trainer_setup *s, const char *why)
{
	hp_error err = {""};
	hp_trainer *t;

	assert_int_equal(hp_trainer_new(s, &t, &err), 0);
	assert_int_equal(hp_checkpoint_load(t, checkpoint, &err), HP_FAIL);
	assert_non_null(strstr(err.text, why));
	hp_trainer_destroy(t);
}

TEST(other_trainings_are_refused)
{
	hp_trainer_setup s = make_setup(), other;
	hp_trainer *t = start(&s, false);
	FILE *f;

	run(t, 10);
	assert_int_equal(hp_checkpoint_save(t, checkpoint, NULL), 0);
	hp_trainer_destroy(t);
	other = s;
	other.seed = 4;
	assert_refused(&other, "seed 3, not 4");
	other = s;
	other.hyper.hidden = 7;
	assert_refused(&other, "hidden=6, not 7");
	unlink(output);
	assert_refused(&s, "the best model so far should be in");
	f = fopen(treebank, "a");
	assert_non_null(f);
	fputs("1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n", f);
	fclose(f);
	assert_refused(&s, "another treebank, stream, tags, vectors or --init");
	assert_int_equal(truncate(checkpoint, 5000), 0);
	assert_refused(&s, "checkpoint");
}

/* The same checkpoint, but metadata KEY is VALUE, or the first number of tensor KEY is NUMBER. */
static void change(const char *key, const char *value, float number)
{
	hp_st_writer *w = hp_st_writer_new();
	hp_safetensors *st;
	float *data = NULL;

	assert_non_null(w);
	assert_int_equal(hp_safetensors_open(checkpoint, &st, NULL), 0);
	for (int i = 0; i < hp_safetensors_meta_count(st); i++) {
		const char *name, *old;

		hp_safetensors_meta_at(st, i, &name, &old); /* "checksum" is brought up to date */
		assert_int_equal(hp_st_writer_meta(w, name, strcmp(name, key) == 0 ? value : old, NULL), 0);
	}
	for (int i = 0; i < hp_safetensors_count(st); i++) {
		const hp_tensor *tensor = hp_safetensors_at(st, i);
		const void *from = tensor->data;

		if (strcmp(tensor->name, key) == 0) {
			from = data = malloc(tensor->bytes);
			assert_non_null(data);
			memcpy(data, tensor->data, tensor->bytes);
			data[0] = number;
		}
		assert_int_equal(hp_st_writer_tensor(w, tensor->name, tensor->dtype, tensor->rank, tensor->shape, from, NULL),
		                 0);
	}
	assert_int_equal(hp_st_writer_save(w, checkpoint, NULL), 0);
	hp_safetensors_close(st);
	hp_st_writer_destroy(w);
	free(data);
}

/* Every number of a checkpoint is one that a training can go on with. */
TEST(impossible_numbers_are_refused)
{
	static const struct {
		const char *key, *value;
		float number;
	} bad[] = {
		{"progress.epoch", "2147483647", 0},
		{"progress.step", "9223372036854775807", 0},
		{"adam.steps", "9223372036854775807", 0},
		{"schedule.misses", "2147483647", 0},
		{"schedule.factor", "nan", 0},
		{"schedule.factor", "1e300", 0},
		{"schedule.factor", "-0.5", 0},
		{"progress.seconds", "nan", 0},
		{"progress.best_las", "inf", 0},
		{"values", NULL, NAN},
		{"m", NULL, INFINITY},
		{"v", NULL, NAN},
		{"v", NULL, -1},
		{"average", NULL, NAN},
	};
	hp_trainer_setup s = make_setup();
	hp_trainer *t = start(&s, false);

	run(t, 10);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char why[64];

		assert_int_equal(hp_checkpoint_save(t, checkpoint, NULL), 0);
		change(bad[i].key, bad[i].value, bad[i].number);
		snprintf(why, sizeof why, bad[i].value ? "metadata %s is '%s'" : "tensor %s holds", bad[i].key, bad[i].value);
		assert_refused(&s, why);
	}
	t->progress.loss = NAN; /* after a batch with a loss that is none */
	assert_int_equal(hp_checkpoint_save(t, checkpoint, NULL), 0);
	hp_trainer_destroy(start(&s, true));
	hp_trainer_destroy(t);
}

/* Wherever a byte has changed: refused, and the trainer is not asked to go on. */
TEST(damage_is_refused)
{
	hp_trainer_setup s = make_setup();
	hp_trainer *t = start(&s, false);
	hp_error err = {""};
	size_t size;
	char *image;

	run(t, 10);
	assert_int_equal(hp_checkpoint_save(t, checkpoint, NULL), 0);
	hp_trainer_destroy(t);
	image = slurp(checkpoint, &size);
	for (size_t i = 3; i < size; i += size / 150) {
		FILE *f = fopen(checkpoint, "r+");

		assert_non_null(f);
		fseek(f, (long)i, SEEK_SET);
		fputc(image[i] ^ 1 << i % 7, f);
		fclose(f);
		assert_int_equal(hp_trainer_new(&s, &t, &err), 0);
		if (hp_checkpoint_load(t, checkpoint, &err) == 0)
			fail_msg("a change of byte %zu is not noticed", i);
		hp_trainer_destroy(t);
		f = fopen(checkpoint, "r+");
		assert_non_null(f);
		fseek(f, (long)i, SEEK_SET);
		fputc(image[i], f);
		fclose(f);
	}
	t = start(&s, true);
	hp_trainer_destroy(t);
	free(image);
	/* One of the time before checkpoints had a checksum. */
	change("hp_checkpoint", "1", 0);
	assert_refused(&s, "not a checkpoint of this hp-train (metadata hp_checkpoint 2 expected)");
}

/* The best model so far, damaged. */
TEST(damaged_output_is_refused)
{
	hp_trainer_setup s = make_setup();
	hp_trainer *t = start(&s, false);
	FILE *f;

	run(t, 10);
	assert_int_equal(hp_checkpoint_save(t, checkpoint, NULL), 0);
	hp_trainer_destroy(t);
	f = fopen(output, "r+");
	assert_non_null(f);
	fseek(f, -1, SEEK_END);
	fputc('!', f);
	fclose(f);
	assert_refused(&s, "damaged: its contents come to the checksum ");
}
