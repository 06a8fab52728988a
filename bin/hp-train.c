/* hp-train: treebank in, model out. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "cli.h"
#include "model/model.h"
#include "train.h"

/* ---- signals ---- */

static volatile sig_atomic_t stop_signal;
static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPS = sizeof stops / sizeof *stops };

static void on_signal(int number);

/* Those that were caught have again the effect that they had before. */
static void leave_signals(void)
{
	struct sigaction action;

	for (int i = 0; i < STOPS; i++)
		if (sigaction(stops[i], NULL, &action) == 0 && action.sa_handler == on_signal)
			signal(stops[i], SIG_DFL);
}

/* The first signal asks to stop after the batch; a second one, the same or another, kills. */
static void on_signal(int number)
{
	stop_signal = number;
	leave_signals();
}

/* Not SIGHUP under nohup.  SIGPIPE is no reason to stop: progress that nobody reads any more. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;

	for (int i = 0; i < STOPS; i++)
		sigaddset(&action.sa_mask, stops[i]);
	for (int i = 0; i < STOPS; i++)
		if (stops[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN)
			sigaction(stops[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- a run ---- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Brings progress.seconds up to date; returns what was added. */
static double tick(train_run *r)
{
	double before = r->clock;

	r->clock = now();
	r->t->progress.seconds += r->clock - before;
	return r->clock - before;
}

/* The log's row and the line on standard error after an epoch. */
static int report(train_run *r, const hp_tried *tried, hp_error *err)
{
	hp_progress *p = &r->t->progress;
	struct rusage usage;
	char *plan = hp_schedule_text(&r->t->schedule, p->logged, p->step);
	hp_train_row row = {.epoch = p->epoch + 1,
	                    .batches = p->step,
	                    .loss = p->epoch_loss,
	                    .tried = tried,
	                    .learning_rate = hp_schedule_rate(&r->t->schedule, &r->t->hyper, p->step - 1),
	                    .words_per_second = train_words_per_second(r),
	                    .seconds = p->seconds,
	                    .precision = hp_trainer_precision(r->t),
	                    .plan = plan};
	int status = 0;

	getrusage(RUSAGE_SELF, &usage);
	row.peak_memory = usage.ru_maxrss;
	if (!plan)
		return hp_fail_memory(err);
	train_show_epoch(r, &row);
	if (r->log)
		status = hp_train_log_add(r->log, &row, err);
	p->logged = p->step + 1;
	p->log_size = hp_train_log_size(r->log);
	free(plan);
	return status;
}

static int evaluate(train_run *r, hp_tried *tried, hp_error *err)
{
	if (hp_trainer_evaluate(r->t, tried, err) != 0)
		return HP_FAIL;
	hp_time_limit_evaluation(&r->time_limit, tick(r));
	return 0;
}

static int save_checkpoint(train_run *r, hp_error *err)
{
	r->saved = r->t->progress.seconds;
	return r->o->checkpoint ? hp_checkpoint_save(r->t, r->o->checkpoint, err) : 0;
}

/* Tells, once, of a training that is over soon after its warm-up.  Averages begin gently and need no such care. */
static void warn_short(train_run *r)
{
	const hp_hyper *h = &r->t->hyper;
	int64_t total = hp_schedule_total(&r->t->schedule, INT64_MAX);

	if (r->warned || r->o->quiet || total <= 0 || total >= 10 * (int64_t)h->warmup || h->warmup <= 1)
		return;
	r->warned = true;
	train_clear_bar(r);
	cli_error("%lld batches are few for a warm-up of %d: --set warmup=%d is better%s", (long long)total, h->warmup,
	          total < 50 ? 1 : (int)(total / 25), h->batch > 8 ? ", and more batches are: --set batch=8" : "");
}

/* Tells, once, of a training that comes apart. */
static void warn_divergence(train_run *r)
{
	if (r->told_divergence || r->o->quiet || !r->t->divergence.met)
		return;
	r->told_divergence = true;
	train_clear_bar(r);
	cli_error(
		"batch %lld: the training comes apart: gradients and losses have grown many-fold; the best model so far stays, "
		"but a smaller learning_rate or more drop_mlp would make a better one",
		(long long)r->t->progress.step);
}

/* One batch and whatever is due after it. */
static int advance(train_run *r, hp_error *err)
{
	hp_trainer *t = r->t;
	hp_tried tried;
	double seconds;
	bool due;

	if (hp_trainer_step(t, err) != 0)
		return HP_FAIL;
	warn_divergence(r);
	seconds = tick(r);
	t->progress.epoch_seconds += seconds;
	hp_time_limit_batch(&r->time_limit, seconds);
	if (r->o->minutes > 0 && hp_time_limit_guess(&r->time_limit, t, err) != 0)
		return HP_FAIL;
	if (r->o->minutes > 0)
		warn_short(r);
	train_draw_bar(r);
	due = hp_trainer_due(t);
	if (due && evaluate(r, &tried, err) != 0)
		return HP_FAIL;
	if ((due || hp_trainer_epoch_ended(t)) && report(r, due ? &tried : NULL, err) != 0)
		return HP_FAIL;
	hp_trainer_next_epoch(t);
	if (r->o->every >= 0 && t->progress.seconds - r->saved >= 60 * r->o->every)
		return save_checkpoint(r, err);
	return 0;
}

static int train(train_run *r, hp_error *err)
{
	int status = 0;

	r->clock = now();
	r->saved = r->t->progress.seconds;
	r->shown = r->saved - 1;
	while (status == 0 && !stop_signal && !hp_trainer_done(r->t))
		status = advance(r, err);
	if (status == 0)
		status = save_checkpoint(r, err);
	if (status == 0)
		train_show_end(r, stop_signal != 0);
	return status;
}

/* ---- the test set ---- */

static int test_model(const train_run *r, const char *path, int64_t batches, const char *best, hp_error *err)
{
	char text[HP_SCORE_TEXT];
	hp_score test;

	if (r->t->task->test(r->t, path, &test, err) != 0)
		return HP_FAIL;
	hp_score_text(r->t->task, &test, text);
	printf("%s: test %s\n", path, text);
	return r->log ? hp_train_log_test(r->log, batches, &test, best, err) : 0;
}

/* What was written is scored, not what is in memory. */
static int test_models(const train_run *r, hp_error *err)
{
	const hp_trainer_setup *s = r->t->setup;
	const hp_progress *p = &r->t->progress;

	if (!s->test.trees || stop_signal)
		return 0;
	leave_signals();
	if (test_model(r, s->output, p->best_step, r->t->task->two_models ? "span" : "", err) != 0)
		return HP_FAIL;
	return s->output_relation ? test_model(r, s->output_relation, p->relation_step, "relation", err) : 0;
}

/* ---- start ---- */

/* As many batches as --time lets one expect, of which a training that goes on knows how fast it was.  It makes one at least,
 * for the end is told by the row after it; one that had ended before goes on only if there is more time than then. */
static int guess_length(train_run *r, hp_error *err)
{
	hp_trainer *t = r->t;
	hp_progress *p = &t->progress;
	double limit = 60 * r->o->minutes, before = p->limit;
	int64_t total;

	hp_time_limit_init(&r->time_limit, limit);
	p->limit = limit;
	if (p->step == 0 || p->seconds <= 0 || (hp_trainer_done(t) && (limit <= before || limit <= p->seconds)))
		return 0;
	total = (int64_t)ceil((double)p->step * limit / p->seconds);
	return hp_schedule_guess(&t->schedule, p->step, total > p->step ? total : p->step + 1, err);
}

/* How long the training shall be. */
static int choose_length(train_run *r, hp_error *err)
{
	hp_trainer *t = r->t;
	int epochs = r->o->setup.length.epochs;

	if (r->o->plan) {
		if (hp_schedule_parse(&t->schedule, r->o->plan, err) != 0)
			return HP_FAIL;
		return hp_schedule_total(&t->schedule, INT64_MAX) > 0 ? 0 : hp_fail(err, "plan '%s' has no end", r->o->plan);
	}
	if (r->o->minutes > 0)
		return guess_length(r, err);
	if (epochs == 0 && t->schedule.count > 0)
		return 0; /* as the checkpoint says */
	return hp_trainer_epochs(t, epochs ? epochs : hp_default_epochs(t->hyper.task, t->train.words), err);
}

/* The same; a guess that takes the place of one that the log has already comes into the next row. */
static int set_length(train_run *r, hp_error *err)
{
	const hp_schedule *schedule = &r->t->schedule;
	hp_progress *p = &r->t->progress;
	int64_t before = hp_schedule_total(schedule, p->step);

	if (choose_length(r, err) != 0)
		return HP_FAIL;
	if (hp_schedule_total(schedule, p->step) != before && p->logged > p->step)
		p->logged = p->step;
	return 0;
}

/* Sentences may well be in two treebanks, such as "Yes ."; half of them are a mistake. */
static void warn_known(const char *bank, int known, int count)
{
	if (known > 0 && known >= count - known)
		cli_error("%s: %d of %d sentences are in the training data too: its scores promise too much", bank, known,
		          count);
}

static void tell_skipped(const char *path, const hp_vectors_skipped *s)
{
	if (s->missing > 0)
		cli_error("%s: %ld vector%s fewer than its first line says: is it cut off?", path, s->missing,
		          hp_plural(s->missing));
	if (s->bytes + s->nameless == 0)
		return;
	cli_error("%s: left out: %ld vector%s whose word is not UTF-8, %ld without a word", path, s->bytes,
	          hp_plural(s->bytes), s->nameless);
}

/* The file, or what names them all. */
static const char *name_of(const hp_bank_files *files, const char *option)
{
	return files->trees[1] ? option : files->trees[0];
}

static void warn_masked(const hp_bank_files *files, const char *option, const hp_masked *m)
{
	hp_error what;

	if (files->trees && hp_masked_check(m, name_of(files, option), &what) != 0)
		cli_fail(&what);
}

/* What is odd about the data. */
static void tell_data(const train_run *r)
{
	const hp_trainer_setup *s = &r->o->setup;
	const hp_trainer *t = r->t;

	warn_masked(&s->train, "--train", &t->train.masked);
	warn_masked(&s->dev, "--dev", &t->dev.masked);
	warn_masked(&s->test, "--test", &t->test.masked);
	if (t->train.open && !r->o->quiet)
		cli_error("%s: %" PRId64 " %s without a relation (\"_\"), of which only the place in the tree is learnt",
		          name_of(&s->train, "--train"), t->train.open, t->task->item);
	if (!r->o->quiet)
		tell_skipped(s->vectors, &t->vectors_skipped);
	if (!s->dev.trees && !r->o->quiet)
		fprintf(stderr, "held out as dev: %d of %d sentences\n", t->dev.count, t->train.count + t->dev.count);
	if (t->dev.no_labels)
		cli_error("%s: no relation that the training data has", s->dev.trees ? s->dev.trees[0] : "dev");
}

static int start(train_run *r, hp_error *err)
{
	const train_options *o = r->o;
	struct stat info;

	if (train_check_files(o, err) != 0)
		return HP_FAIL;
	if (o->checkpoint && hp_file_hold(o->checkpoint, &r->held, err) != 0)
		return HP_FAIL;
	/* Hours of work, perhaps; /dev/null and the like are none. */
	if (o->checkpoint && !o->resume && stat(o->checkpoint, &info) == 0 && S_ISREG(info.st_mode))
		return hp_fail(err, "%s: this checkpoint is there already, expected --resume to go on from it, or another file",
		               o->checkpoint);
	if (hp_trainer_new(&o->setup, &r->t, err) != 0)
		return HP_FAIL;
	tell_data(r);
	train_show_derived(r);
	if (o->resume && access(o->checkpoint, F_OK) == 0 && hp_checkpoint_load(r->t, o->checkpoint, err) != 0)
		return HP_FAIL;
	if (o->log && hp_train_log_open(o->log, r->t->task, r->t->progress.log_size, &r->log, err) != 0)
		return HP_FAIL;
	if (set_length(r, err) != 0)
		return HP_FAIL;
	warn_known(o->setup.dev.trees ? "--dev" : "held out as dev", r->t->dev.known, r->t->dev.count);
	r->warned = r->t->progress.step > 0; /* when it began */
	warn_short(r);
	warn_known("--test", r->t->test.known, r->t->test.count);
	return 0;
}

/* --init names a file or, where there is none, an installed model. */
static int find_init(train_options *o, char **found, hp_error *err)
{
	const char *init = o->setup.init;

	if (!init || strchr(init, '/') || access(init, F_OK) == 0)
		return 0;
	o->setup.init = *found = hp_model_find(init, hp_task_name(o->setup.hyper.task), err);
	return *found ? 0 : HP_FAIL;
}

/* A training that goes on has the hyper-parameters that it began with, unless they are set. */
static int keep_hyper(train_options *o, hp_error *err)
{
	bool there = o->resume && access(o->checkpoint, F_OK) == 0;

	return there ? hp_checkpoint_hyper(o->checkpoint, &o->setup.hyper, err) : 0;
}

static int run_training(train_options *o)
{
	train_run r = {.o = o, .bar = !o->quiet && isatty(STDERR_FILENO)};
	char *init = NULL;
	hp_error err;
	int status = find_init(o, &init, &err) == 0 && keep_hyper(o, &err) == 0 ? start(&r, &err) : HP_FAIL;

	if (status == 0) {
		catch_signals();
		status = train(&r, &err);
	}
	if (status == 0)
		status = test_models(&r, &err);
	if (status != 0)
		train_clear_bar(&r);
	if (hp_train_log_close(r.log, status == 0 ? &err : NULL) != 0)
		status = HP_FAIL;
	hp_trainer_destroy(r.t);
	hp_file_release(r.held);
	free(init);
	if (status != 0)
		return cli_fail(&err);
	return cli_finish(stop_signal ? 128 + stop_signal : CLI_OK);
}

/* As they follow from the treebank, where there is one. */
static int print_table(const hp_trainer_setup *s)
{
	hp_hyper h = s->hyper;
	hp_treebank bank;
	hp_error err;

	if (s->train.trees && hp_hyper_derivable(&h)) {
		if ((h.task == HP_TASK_SEGMENT ? hp_treebank_read_units(&s->train, h.trees, s->max_words, &bank, &err)
		                               : hp_treebank_read_words(&s->train, s->max_words, &bank, &err)) != 0)
			return cli_fail(&err);
		hp_hyper_derive(&h, bank.count, bank.words, &s->length);
		hp_treebank_free(&bank);
	}
	return hp_hyper_write(&h, stdout, &err) == 0 ? cli_finish(CLI_OK) : cli_fail(&err);
}

int main(int argc, char **argv)
{
	train_options o;
	int status;

	cli_start("hp-train");
	status = train_options_parse(&o, argc, argv);
	if (status == CLI_GO_ON)
		status = o.print ? print_table(&o.setup) : run_training(&o);
	train_options_free(&o);
	return status;
}
