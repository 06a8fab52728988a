/* train-show.c: what hp-train tells on standard error: the bar, a line an epoch, the end. */
#include <stdio.h>
#include <stdlib.h>
#include "train.h"

double train_words_per_second(const train_run *r)
{
	const hp_progress *p = &r->t->progress;

	return p->epoch_seconds > 0 ? (double)p->epoch_loss.words / p->epoch_seconds : 0;
}

void train_clear_bar(const train_run *r)
{
	if (r->bar)
		fputs("\r\033[K", stderr);
}

void train_draw_bar(train_run *r)
{
	enum { WIDTH = 24 };
	const hp_progress *p = &r->t->progress;
	int64_t total = hp_schedule_total(&r->t->schedule, p->step);
	double share = total > 0 ? (double)p->step / (double)total : 0, left;
	char bar[WIDTH + 1];

	if (!r->bar || p->seconds - r->shown < 0.2)
		return;
	r->shown = p->seconds;
	for (int i = 0; i < WIDTH; i++)
		bar[i] = (i + 0.5) / WIDTH < share ? '#' : '.';
	bar[WIDTH] = '\0';
	if (r->o->minutes > 0)
		left = r->o->minutes * 60 - p->seconds;
	else
		left = share > 0 ? p->seconds * (1 - share) / share : 0;
	left = left > 0 ? left : 0;
	fprintf(stderr, "\repoch %d [%s] %3.0f%%  %.0f words/s  loss %.4f  %d:%02d:%02d left\033[K", p->epoch + 1, bar,
	        100 * share, train_words_per_second(r), p->loss, (int)(left / 3600), (int)(left / 60) % 60, (int)left % 60);
}

void train_show_derived(const train_run *r)
{
	const hp_trainer *t = r->t;
	char text[HP_HYPER_TEXT];

	if (r->o->quiet || !t->hyper.derived)
		return;
	fprintf(stderr, "for %d sentences, %lld words:", t->train.count, (long long)t->train.words);
	for (int i = 0; i < hp_hyper_count(); i++) {
		if (!(t->hyper.derived >> i & 1))
			continue;
		hp_hyper_text(&t->hyper, i, text);
		fprintf(stderr, " %s=%s", hp_hyper_key(i), text);
	}
	fputc('\n', stderr);
}

void train_show_epoch(const train_run *r, const hp_train_row *row)
{
	double words = row->loss.words ? (double)row->loss.words : 1;

	if (r->o->quiet)
		return;
	train_clear_bar(r);
	fprintf(stderr, "epoch %d: loss %.4f, %.0f words/s, %.0f s", row->epoch,
	        (row->loss.part[0] + row->loss.part[1]) / words, row->words_per_second, row->seconds);
	if (row->tried) {
		const hp_tried *tried = row->tried;
		char text[HP_SCORE_TEXT];

		hp_score_text(r->t->task, &tried->dev, text);
		fprintf(stderr, ", dev %s", text);
		if (tried->without_tags.words)
			fprintf(stderr, " (without tags %.2f)", tried->without_tags.percent[r->t->task->scores - 1]);
		if (tried->better)
			fprintf(stderr, r->t->task->two_models ? ", best so far (%s)" : ", best so far", hp_tried_name(tried));
	}
	fputc('\n', stderr);
}

void train_show_end(const train_run *r, bool stopped)
{
	const hp_train_task *task = r->t->task;
	const hp_progress *p = &r->t->progress;
	char *plan;

	if (r->o->quiet)
		return;
	train_clear_bar(r);
	if (stopped)
		fprintf(stderr, "stopped after %lld batches%s%s\n", (long long)p->step,
		        p->best_last < 0 ? ", before there was a model" : "",
		        r->o->checkpoint ? "; --resume goes on" : "; nothing to go on from without --checkpoint");
	if (p->best_last >= 0 && task->two_models)
		fprintf(stderr, "best: dev Span %.2f after batch %lld, Relation %.2f after %lld, %.0f s\n", p->best_first,
		        (long long)p->best_step, p->best_last, (long long)p->relation_step, p->seconds);
	else if (p->best_last >= 0) {
		fputs("best: dev ", stderr);
		if (p->best_first >= 0)
			fprintf(stderr, "%s %.2f ", task->score[0], p->best_first);
		fprintf(stderr, "%s %.2f after batch %lld, %.0f s\n", task->score[task->scores - 1], p->best_last,
		        (long long)p->best_step, p->seconds);
	}
	plan = hp_schedule_text(&r->t->schedule, 0, INT64_MAX);
	if (plan && r->o->minutes > 0 && !stopped)
		fprintf(stderr, "to repeat this training use --plan=%s beside --time\n", plan);
	free(plan);
}
