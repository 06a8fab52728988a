/* trainer.c: training batch by batch. */
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nn/bf16.h"
#include "nn/gemm.h"

enum { NOT_FINITE_LIMIT = 20 };

const char *const hp_precision_names[] = {"auto", "f32", "bf16", NULL};

const char *hp_trainer_precision(const hp_trainer *t)
{
	return hp_precision_names[t->precision - HP_PRECISION_AUTO];
}

/* ---- making ---- */

static int choose_precision(hp_trainer *t, hp_error *err)
{
	int said = t->setup->precision;

	if (said <= HP_PRECISION_AUTO)
		said = hp_bf16_faster() ? HP_PRECISION_BF16 : HP_PRECISION_F32;
	t->precision = said;
	return said == HP_PRECISION_F32 || hp_bf16_possible()
	           ? 0
	           : hp_fail(err, "--precision=bf16: this processor has neither AMX-BF16 nor AVX512_BF16; expected f32");
}

static int make_optimizer(hp_trainer *t, hp_error *err)
{
	if (hp_adam_init(&t->adam, t->params, t->hyper.ema > 0, err) != 0)
		return HP_FAIL;
	t->adam.beta1 = t->hyper.betas[0];
	t->adam.beta2 = t->hyper.betas[1];
	t->adam.epsilon = t->hyper.epsilon;
	t->adam.clip = t->hyper.clip;
	t->adam.l2 = t->hyper.l2;
	return 0;
}

int hp_trainer_order(hp_trainer *t, hp_error *err)
{
	hp_epoch_free(&t->current);
	return hp_epoch_make(t->items, t->rows, t->hyper.batch, t->hyper.batch_words, t->setup->seed, t->progress.epoch,
	                     &t->current, err);
}

int hp_trainer_new(const hp_trainer_setup *setup, hp_trainer **out, hp_error *err)
{
	hp_trainer *t = calloc(1, sizeof *t);

	if (!t)
		return hp_fail_memory(err);
	t->setup = setup;
	t->hyper = setup->hyper;
	t->hyper.stream = setup->train.streams != NULL;
	t->task = hp_train_task_of(setup->hyper.task);
	t->progress.best_last = -1;
	t->progress.best_first = t->task->none;
	hp_schedule_init(&t->schedule);
	t->scratch = hp_arena_new();
	t->pool = hp_pool_new(setup->threads);
	if (!t->scratch || !t->pool)
		hp_fail_memory(err);
	else if (choose_precision(t, err) == 0 && hp_gemm_open(setup->threads, err) == 0 && t->task->open(t, err) == 0 &&
	         make_optimizer(t, err) == 0 && hp_trainer_order(t, err) == 0) {
		*out = t;
		return 0;
	}
	hp_trainer_destroy(t);
	return HP_FAIL;
}

void hp_trainer_destroy(hp_trainer *t)
{
	if (!t)
		return;
	t->task->close(t);
	hp_epoch_free(&t->current);
	hp_schedule_free(&t->schedule);
	hp_adam_free(&t->adam);
	hp_pool_destroy(t->pool);
	hp_arena_destroy(t->scratch);
	free(t);
}

/* ---- length ---- */

int hp_trainer_epochs(hp_trainer *t, int epochs, hp_error *err)
{
	int64_t total = 0;

	for (int e = 0; e < epochs; e++) {
		hp_epoch order;
		if (hp_epoch_make(t->items, t->rows, t->hyper.batch, t->hyper.batch_words, t->setup->seed, e, &order, err) != 0)
			return HP_FAIL;
		total += order.batches;
		hp_epoch_free(&order);
	}
	if (hp_schedule_total(&t->schedule, t->progress.step) == total)
		return 0;
	return hp_schedule_guess(&t->schedule, t->progress.step, total, err);
}

bool hp_trainer_done(const hp_trainer *t)
{
	int64_t total = hp_schedule_total(&t->schedule, t->progress.step);

	return total > 0 && t->progress.step >= total;
}

bool hp_trainer_epoch_ended(const hp_trainer *t)
{
	return t->progress.batch >= t->current.batches;
}

bool hp_trainer_due(const hp_trainer *t)
{
	return hp_trainer_done(t) || (hp_trainer_epoch_ended(t) && (t->progress.epoch + 1) % t->hyper.eval_every == 0);
}

void hp_trainer_next_epoch(hp_trainer *t)
{
	hp_progress *p = &t->progress;

	if (!hp_trainer_epoch_ended(t))
		return;
	p->epoch++;
	p->batch = 0;
	p->epoch_seconds = 0;
	memset(&p->epoch_loss, 0, sizeof p->epoch_loss);
	hp_epoch_free(&t->current); /* the next is made when its first batch is asked for */
}

/* ---- a batch ---- */

/* Of the moving average: it is shorter at first. */
static float average_keep(const hp_trainer *t)
{
	double steps = (double)t->progress.step, early = (1 + steps) / (10 + steps);

	return t->hyper.ema < (float)early ? t->hyper.ema : (float)early;
}

static int check_finite(hp_trainer *t, double norm, hp_error *err)
{
	if (isfinite(norm)) {
		t->progress.not_finite = 0;
		return 0;
	}
	if (++t->progress.not_finite < NOT_FINITE_LIMIT)
		return 0;
	return hp_fail(err, "training has diverged: no finite gradient in %d batches in a row; try a smaller learning_rate",
	               NOT_FINITE_LIMIT);
}

int hp_trainer_step(hp_trainer *t, hp_error *err)
{
	hp_progress *p = &t->progress;
	hp_train_loss loss;
	double norm, per_word;
	float rate;

	if (!t->current.order && hp_trainer_order(t, err) != 0)
		return HP_FAIL;
	if (t->precision == HP_PRECISION_BF16 && hp_params_copy_bf16(t->pool, t->params, err) != 0)
		return HP_FAIL;
	const int *sentence = t->current.order + t->current.first[p->batch];
	int count = t->current.first[p->batch + 1] - t->current.first[p->batch];
	int status = t->task->step(t, count, sentence, &loss, err);
	hp_arena_reset(t->scratch);
	if (status != 0)
		return HP_FAIL;
	rate = hp_schedule_rate(&t->schedule, &t->hyper, p->step);
	t->adam.keep = average_keep(t);
	norm = hp_adam_step(&t->adam, t->params, rate, t->pool);
	p->step++;
	p->batch++;
	for (int i = 0; i < HP_LOSSES; i++)
		p->epoch_loss.part[i] += loss.part[i];
	p->epoch_loss.words += loss.words;
	p->epoch_loss.steps += loss.steps;
	per_word = loss.words ? (loss.part[0] + loss.part[1]) / (double)loss.words : 0;
	p->loss = p->step == 1 ? per_word : 0.95 * p->loss + 0.05 * per_word;
	hp_divergence_follow(&t->divergence, norm, per_word);
	return check_finite(t, norm, err);
}
