/* schedule.h: the learning rate of every batch, and when training ends.
 *
 * The rate depends on the number of batches made, on the number they are going to be, and (plateau) on how dev went.
 * A training limited by time does not know its number of batches: it guesses, and corrects the guess as it goes.
 * Every guess is recorded, (from batch STEP on, TOTAL batches), so that the same training can be repeated without a
 * clock. */
#ifndef HP_SCHEDULE_H
#define HP_SCHEDULE_H
#include "train/hyper.h"

typedef struct hp_guess {
	int64_t step, total;
} hp_guess;

typedef struct hp_schedule {
	int count, capacity;
	hp_guess *guess; /* by rising step */
	float factor; /* plateau: what the learning rate was brought down to */
	int misses; /* evaluations in a row without a better one */
} hp_schedule;

void hp_schedule_init(hp_schedule *s);
void hp_schedule_free(hp_schedule *s); /* frees the contents */
/* From STEP on the training is taken to have TOTAL batches.  STEP must not fall; the same STEP replaces. */
int hp_schedule_guess(hp_schedule *s, int64_t step, int64_t total, hp_error *err) HP_USE_RESULT;
int64_t hp_schedule_total(const hp_schedule *s, int64_t step); /* 0: not known yet */
/* After an evaluation. */
void hp_schedule_evaluated(hp_schedule *s, const hp_hyper *h, bool better);
/* Of the batch after STEP batches. */
float hp_schedule_rate(const hp_schedule *s, const hp_hyper *h, int64_t step);
/* "STEP:TOTAL,STEP:TOTAL..." of the guesses FROM <= step <= TO; malloc'ed, NULL when out of memory. */
char *hp_schedule_text(const hp_schedule *s, int64_t from, int64_t to);
int hp_schedule_parse(hp_schedule *s, const char *text, hp_error *err) HP_USE_RESULT;

#endif
