/* test_schedule.c: learning rate, length of training, batches, gradients that grow. */
#include <math.h>

#include "train/divergence.h"
#include "train/time_limit.h"
#include "train/epoch.h"
#include "train/schedule.h"
#include "unit.h"

static void setup(hp_hyper *h, hp_schedule *s)
{
	hp_hyper_init(h);
	h->learning_rate = 1;
	h->warmup = 4;
	h->hold = 0.5f;
	hp_schedule_init(s);
}

static void assert_near(double a, double b)
{
	assert_true(a - b < 1e-6 && b - a < 1e-6);
}

TEST(linear)
{
	hp_schedule s;
	hp_hyper h;

	setup(&h, &s);
	h.schedule = HP_SCHEDULE_LINEAR;
	assert_int_equal(hp_schedule_guess(&s, 0, 100, NULL), 0);
	assert_near(hp_schedule_rate(&s, &h, 0), 0.25);
	assert_near(hp_schedule_rate(&s, &h, 3), 1);
	assert_near(hp_schedule_rate(&s, &h, 50), 1);
	assert_near(hp_schedule_rate(&s, &h, 75), 0.5);
	assert_near(hp_schedule_rate(&s, &h, 99), 0.02);
	assert_near(hp_schedule_rate(&s, &h, 100), 0);
	assert_near(hp_schedule_rate(&s, &h, 1000), 0);
	hp_schedule_free(&s);
}

/* Before its first guess the length is not known: the rate stays, and there is no end. */
TEST(late_guess)
{
	hp_schedule s;
	hp_hyper h;

	setup(&h, &s);
	h.schedule = HP_SCHEDULE_LINEAR;
	assert_int_equal(hp_schedule_parse(&s, "60:100", NULL), 0);
	assert_int_equal(hp_schedule_total(&s, 59), 0);
	assert_near(hp_schedule_rate(&s, &h, 59), 1);
	assert_near(hp_schedule_rate(&s, &h, 60), 0.8);
	hp_schedule_free(&s);
}

TEST(cosine)
{
	hp_schedule s;
	hp_hyper h;

	setup(&h, &s);
	h.schedule = HP_SCHEDULE_COSINE;
	assert_int_equal(hp_schedule_guess(&s, 0, 100, NULL), 0);
	assert_near(hp_schedule_rate(&s, &h, 50), 1);
	assert_near(hp_schedule_rate(&s, &h, 75), 0.5);
	assert_near(hp_schedule_rate(&s, &h, 100), 0);
	h.schedule = HP_SCHEDULE_CONSTANT;
	assert_near(hp_schedule_rate(&s, &h, 99), 1);
	hp_schedule_free(&s);
}

TEST(plateau)
{
	hp_schedule s;
	hp_hyper h;

	setup(&h, &s);
	h.schedule = HP_SCHEDULE_PLATEAU;
	h.patience = 2;
	h.decay = 0.75f;
	hp_schedule_evaluated(&s, &h, true);
	hp_schedule_evaluated(&s, &h, false);
	assert_near(hp_schedule_rate(&s, &h, 10), 1);
	hp_schedule_evaluated(&s, &h, true);
	hp_schedule_evaluated(&s, &h, false);
	assert_near(hp_schedule_rate(&s, &h, 10), 1);
	hp_schedule_evaluated(&s, &h, false);
	assert_near(hp_schedule_rate(&s, &h, 10), 0.75);
	hp_schedule_evaluated(&s, &h, false);
	hp_schedule_evaluated(&s, &h, false);
	assert_near(hp_schedule_rate(&s, &h, 10), 0.5625);
}

/* The batch, from 1, at which a training is told of whose gradients were of norm 1, and whose losses were 1, until BEFORE, and are
 * of NORM and LOSS from then on; 0: never. */
static int told(int before, double norm, double loss)
{
	hp_divergence d = {0};

	for (int i = 1; i <= 3000; i++) {
		hp_divergence_follow(&d, i > before ? norm : 1, i > before ? loss : 1);
		if (d.met)
			return i;
	}
	return 0;
}

/* After K of them the average of the logarithms is log(x) (1 - 0.95^K) of the last 20, and (1 - 0.999^K) of the last 1,000. */
TEST(gradients_that_grow)
{
	/* 3 (0.4596 - 0.0119) = 1.343 after 12, 1.421 after 13: log 4 is 1.386, log 1.5 0.405 */
	assert_int_equal(told(1000, exp(3), exp(3)), 1013);
	/* 0.8 (0.5123 - 0.0139) = 0.3987 after 14, 0.8 (0.5367 - 0.0149) = 0.4174 after 15 */
	assert_int_equal(told(1000, exp(3), exp(0.8)), 1015);
	assert_int_equal(told(1000, exp(9), exp(0.4)), 0);
	assert_int_equal(told(1000, exp(1.3), exp(9)), 0);
	assert_int_equal(told(1000, exp(-9), exp(-9)), 0);
	assert_int_equal(told(1000, 1, 1), 0);
	assert_int_equal(told(270, exp(9), exp(9)), 301); /* nothing is said before */
	assert_int_equal(told(0, exp(9), exp(9)), 0);
	assert_int_equal(told(1000, INFINITY, exp(9)), 0);
	assert_int_equal(told(1000, NAN, NAN), 0);
	assert_int_equal(told(1000, 0, 0), 0);
}

/* Before the first guess nothing decays; later guesses count from their batch on. */
TEST(guesses)
{
	hp_schedule s, again;
	char *text;
	hp_hyper h;
	hp_error err;

	setup(&h, &s);
	h.schedule = HP_SCHEDULE_LINEAR;
	assert_int_equal(hp_schedule_guess(&s, 20, 100, NULL), 0);
	assert_int_equal(hp_schedule_guess(&s, 60, 999, NULL), 0);
	assert_int_equal(hp_schedule_guess(&s, 60, 120, NULL), 0);
	assert_int_equal(hp_schedule_guess(&s, 59, 120, &err), HP_FAIL);
	assert_int_equal(hp_schedule_total(&s, 19), 0);
	assert_int_equal(hp_schedule_total(&s, 59), 100);
	assert_int_equal(hp_schedule_total(&s, 60), 120);
	assert_near(hp_schedule_rate(&s, &h, 19), 1);
	assert_near(hp_schedule_rate(&s, &h, 55), 0.9);
	assert_near(hp_schedule_rate(&s, &h, 60), 1);
	text = hp_schedule_text(&s, 0, 1000);
	assert_string_equal(text, "20:100,60:120");
	hp_schedule_init(&again);
	assert_int_equal(hp_schedule_parse(&again, text, &err), 0);
	assert_int_equal(hp_schedule_total(&again, 60), 120);
	free(text);
	text = hp_schedule_text(&s, 21, 60);
	assert_string_equal(text, "60:120");
	free(text);
	hp_schedule_free(&s);
	hp_schedule_free(&again);
}

TEST(plan_text_is_strict)
{
	static const char *const bad[] = {
		"x", "1", "1:", "1:2,3", "1:2;3:4", "-1:2", "1:-2", "1:2,0:5", "1:99999999999999999999", " 1:2", "0:5,", ","};
	hp_schedule s;
	hp_error err;

	hp_schedule_init(&s);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(hp_schedule_parse(&s, bad[i], &err), HP_FAIL);
	hp_schedule_free(&s);
}

/* ---- batches ---- */

enum { SENTENCES = 1000 };

static void make_rows(int rows[SENTENCES])
{
	for (int i = 0; i < SENTENCES; i++)
		rows[i] = 2 + i * 7 % 50;
	rows[500] = 5000;
}

TEST(epoch_has_every_sentence_once)
{
	int rows[SENTENCES];
	bool seen[SENTENCES] = {false};
	hp_epoch e;

	make_rows(rows);
	assert_int_equal(hp_epoch_make(SENTENCES, rows, 8, 200, 1, 0, &e, NULL), 0);
	assert_int_equal(e.first[0], 0);
	assert_int_equal(e.first[e.batches], SENTENCES);
	for (int b = 0; b < e.batches; b++) {
		int count = e.first[b + 1] - e.first[b], positions = 0;
		assert_in_range(count, 1, 8);
		for (int i = e.first[b]; i < e.first[b + 1]; i++) {
			assert_false(seen[e.order[i]]);
			seen[e.order[i]] = true;
			positions += rows[e.order[i]];
		}
		assert_true(positions <= 200 || count == 1);
	}
	hp_epoch_free(&e);
}

/* Within a batch lengths are alike: that is what sorting is for. */
TEST(epoch_is_bucketed)
{
	int rows[SENTENCES];
	int64_t words = 0, padded = 0;
	hp_epoch e;

	make_rows(rows);
	assert_int_equal(hp_epoch_make(SENTENCES, rows, 8, 1000, 1, 0, &e, NULL), 0);
	for (int b = 0; b < e.batches; b++) {
		int longest = 0;
		for (int i = e.first[b]; i < e.first[b + 1]; i++) {
			words += rows[e.order[i]];
			longest = rows[e.order[i]] > longest ? rows[e.order[i]] : longest;
		}
		padded += (int64_t)longest * (e.first[b + 1] - e.first[b]);
	}
	assert_true((double)words / (double)padded > 0.95);
	hp_epoch_free(&e);
}

TEST(epoch_depends_on_seed_and_number)
{
	int rows[SENTENCES];
	hp_epoch a, b, other_seed, other_epoch;
	size_t bytes = SENTENCES * sizeof *a.order;

	make_rows(rows);
	assert_int_equal(hp_epoch_make(SENTENCES, rows, 8, 1000, 1, 3, &a, NULL), 0);
	assert_int_equal(hp_epoch_make(SENTENCES, rows, 8, 1000, 1, 3, &b, NULL), 0);
	assert_int_equal(hp_epoch_make(SENTENCES, rows, 8, 1000, 2, 3, &other_seed, NULL), 0);
	assert_int_equal(hp_epoch_make(SENTENCES, rows, 8, 1000, 1, 4, &other_epoch, NULL), 0);
	assert_memory_equal(a.order, b.order, bytes);
	assert_memory_not_equal(a.order, other_seed.order, bytes);
	assert_memory_not_equal(a.order, other_epoch.order, bytes);
	hp_epoch_free(&a);
	hp_epoch_free(&b);
	hp_epoch_free(&other_seed);
	hp_epoch_free(&other_epoch);
}

/* ---- time ---- */

/* A made-up training: batches of a second, evaluations of 5 seconds each 50 batches, 600 seconds. */
TEST(pace_ends_in_time)
{
	hp_trainer t;
	hp_time_limit pace;

	memset(&t, 0, sizeof t);
	hp_hyper_init(&t.hyper);
	hp_schedule_init(&t.schedule);
	t.train.words = 1000;
	t.dev.words = 100;
	t.current.batches = 50;
	hp_time_limit_init(&pace, 600);
	while (!hp_trainer_done(&t)) {
		assert_true(t.progress.step < 1000);
		t.progress.step++;
		t.progress.seconds += 1;
		hp_time_limit_batch(&pace, 1);
		assert_int_equal(hp_time_limit_guess(&pace, &t, NULL), 0);
		if (t.progress.step % 50 == 0) {
			t.progress.seconds += 5;
			hp_time_limit_evaluation(&pace, 5);
		}
	}
	/* 600 = batches + 5 for each 50 and 5 at the end: about 541. */
	assert_in_range(t.progress.step, 530, 550);
	assert_true(t.progress.seconds + 5 <= 601);
	assert_true(t.schedule.count < 60);
	hp_schedule_free(&t.schedule);
}

/* After a resumption nothing is concluded from the first few batches, which may be long or short. */
TEST(pace_waits_for_a_sample)
{
	hp_trainer t;
	hp_time_limit pace;

	memset(&t, 0, sizeof t);
	hp_hyper_init(&t.hyper);
	hp_schedule_init(&t.schedule);
	t.train.words = 1000;
	t.dev.words = 1;
	t.current.batches = 50;
	t.progress.step = 100;
	t.progress.seconds = 100;
	assert_int_equal(hp_schedule_guess(&t.schedule, 100, 600, NULL), 0);
	hp_time_limit_init(&pace, 600);
	for (int i = 1; i < 20; i++) {
		t.progress.step++;
		hp_time_limit_batch(&pace, 10);
		assert_int_equal(hp_time_limit_guess(&pace, &t, NULL), 0);
		assert_int_equal(hp_schedule_total(&t.schedule, t.progress.step), 600);
	}
	t.progress.step++;
	hp_time_limit_batch(&pace, 10);
	assert_int_equal(hp_time_limit_guess(&pace, &t, NULL), 0);
	assert_in_range(hp_schedule_total(&t.schedule, t.progress.step), 165, 172); /* 120 + (600 - 100) / 10 */
	hp_schedule_free(&t.schedule);
}
