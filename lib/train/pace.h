/* pace.h: how many batches a training limited by time is going to make. */
#ifndef HP_PACE_H
#define HP_PACE_H
#include "train/trainer.h"

typedef struct hp_pace {
	double limit; /* seconds of work in all, those before a checkpoint included */
	double batch_sum, batch_weight; /* seconds of the last batches, older ones counting ever less */
	int64_t batches; /* seen so far, after a checkpoint was read anew */
	double evaluation; /* seconds the last evaluation took */
	double next; /* when to guess again: seconds */
} hp_pace;

void hp_pace_init(hp_pace *p, double limit);
void hp_pace_batch(hp_pace *p, double seconds); /* a batch took so long */
void hp_pace_evaluation(hp_pace *p, double seconds);
/* After a batch: guesses again, if it is time to, how many batches the training will have; ends it when there is no
 * time for another. */
int hp_pace_guess(hp_pace *p, hp_trainer *t, hp_error *err) HP_USE_RESULT;

#endif
