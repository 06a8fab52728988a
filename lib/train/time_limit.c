/* time_limit.c: fitting a training to a time. */
#include "train/time_limit.h"

#include <math.h>

/* Batches differ in length, so that many must be averaged, but the machine may get busier or idler. */
#define FORGET 0.9975
enum { FIRST_BATCHES = 20 };

void hp_time_limit_init(hp_time_limit *p, double limit)
{
	*p = (hp_time_limit){.limit = limit};
}

void hp_time_limit_batch(hp_time_limit *p, double seconds)
{
	p->batch_sum = FORGET * p->batch_sum + seconds;
	p->batch_weight = FORGET * p->batch_weight + 1;
	p->batches++;
}

void hp_time_limit_evaluation(hp_time_limit *p, double seconds)
{
	p->evaluation = seconds;
}

/* Seconds an evaluation takes; before the first one parsing is taken to be four times as fast as training. */
static double evaluation(const hp_time_limit *p, const hp_trainer *t, double batch)
{
	double words_per_batch = (double)t->train.words / t->current.batches;

	return p->evaluation > 0 ? p->evaluation : batch / words_per_batch * (double)t->dev.words / 4;
}

int hp_time_limit_guess(hp_time_limit *p, hp_trainer *t, hp_error *err)
{
	const hp_progress *done = &t->progress;
	int64_t now = hp_schedule_total(&t->schedule, done->step), total;
	double batch, last, left;

	if (p->batch_weight == 0 || t->current.batches == 0)
		return 0;
	batch = p->batch_sum / p->batch_weight;
	last = evaluation(p, t, batch);
	left = p->limit - done->seconds - last;
	if (left < batch / 2)
		return hp_schedule_guess(&t->schedule, done->step, done->step, err);
	if (done->seconds < p->next || p->batches < FIRST_BATCHES)
		return 0;
	p->next = done->seconds + p->limit / 100;
	total = done->step + (int64_t)ceil(left / (batch + last / t->hyper.eval_every / t->current.batches));
	/* Corrections of next to nothing would only make the plan long; the nearer the end, the more exact it gets. */
	if (now > done->step && fabs((double)(total - now)) < 0.02 * (double)(now - done->step))
		return 0;
	return hp_schedule_guess(&t->schedule, done->step, total, err);
}
