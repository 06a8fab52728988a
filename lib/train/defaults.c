/* defaults.c: hyper-parameters that follow from the size of the data and the length of the training. */
#include "train/defaults.h"

#include <math.h>

/* What --time is taken to be worth: a guess, so that the same command has the same hyper-parameters on any machine. */
static double words_a_minute(hp_task task)
{
	return task == HP_TASK_DEP ? 180e3 : 600e3;
}

static double between(double low, double value, double high)
{
	return value < low ? low : value > high ? high : value;
}

static bool has_rule(hp_task task)
{
	return task != HP_TASK_RST;
}

bool hp_hyper_derivable(const hp_hyper *h)
{
	return !h->exact && has_rule(h->task);
}

int hp_default_epochs(hp_task task, int64_t words)
{
	if (task == HP_TASK_TOKENIZE)
		return (int)between(40, 8e5 / (double)words, 400);
	if (!has_rule(task))
		return 40;
	return (int)between(20, 3e6 / (double)words, 100);
}

static void derive(hp_hyper *h, const char *key, double value)
{
	int index = hp_hyper_find(key);
	char text[HP_HYPER_TEXT];

	snprintf(text, sizeof text, "%.4g", value);
	if (!(h->given >> index & 1) && hp_hyper_of_task(h->task, index) && hp_hyper_adopt(h, index, text, NULL) == 0)
		h->derived |= (uint64_t)1 << index;
}

/* The size of a dependency parser's layers by the words that it is going to see: larger ones learn more of the same data, but
 * take longer to begin. */
static int layer_size(double words)
{
	return words < 2e6 ? 200 : words < 6e6 ? 300 : 400;
}

/* Larger layers learn by smaller steps: of 400, with 0.002 and little dropout, gradients grow beyond all bounds after some 3,500
 * batches of English EWT 2.3; with 0.001 LAS on dev is higher than with 0.0014. */
static double rate_of(int hidden)
{
	return hidden > 200 ? 0.4 / hidden : 0.002;
}

/* The paper's third, which tables of hyper-parameters have, wants hundreds of epochs: nobody waits for them here. */
static void derive_dropout(hp_hyper *h)
{
	static const char *const keys[] = {"drop_embeddings", "drop_lstm_hidden", "drop_lstm_layers", "drop_mlp"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		derive(h, keys[i], hp_task_tags(h->task) ? 0.2 : 0.1);
}

void hp_hyper_derive(hp_hyper *h, int sentences, int64_t words, const hp_length *length)
{
	double epochs, batches;

	if (!hp_hyper_derivable(h))
		return;
	if (length->minutes > 0)
		epochs = length->minutes * words_a_minute(h->task) / (double)words;
	else
		epochs = length->epochs ? length->epochs : hp_default_epochs(h->task, words);
	if (h->task == HP_TASK_TOKENIZE) {
		derive(h, "batch", floor(between(4, epochs * sentences / 10000, 64)));
		/* Of the 200 characters of a window three or two sentences are two. */
		batches = epochs * ceil(0.6 * sentences / h->batch);
		derive(h, "warmup", floor(between(1, batches / 25, 50)));
		return;
	}
	derive(h, "batch", floor(between(4, epochs * sentences / 6000, 32)));
	batches = fmax(1, epochs * ceil((double)sentences / h->batch));
	derive(h, "warmup", floor(between(1, batches / 25, 200)));
	derive(h, "ema", between(0.9, 1 - 20 / batches, 0.998));
	derive(h, "eval_every", floor(between(1, epochs / 15, 5)));
	derive_dropout(h);
	if (hp_task_tags(h->task))
		return;
	derive(h, "hidden", layer_size(epochs * (double)words));
	derive(h, "learning_rate", rate_of(h->hidden));
	derive(h, "decoder_hidden", h->hidden);
	derive(h, "arc_mlp", h->hidden);
}
