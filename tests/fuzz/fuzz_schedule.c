/* fuzz_schedule.c: text as the plan of a training.  What is read is written and read as the same; the learning rate is a
 * rate anywhere. */
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include "train/schedule.h"

static char *text_of(const hp_schedule *s)
{
	char *text = hp_schedule_text(s, 0, INT64_MAX);

	demand(text);
	return text;
}

static void check_rates(hp_schedule *s)
{
	hp_hyper h;

	hp_hyper_init(&h);
	for (h.schedule = HP_SCHEDULE_CONSTANT; h.schedule <= HP_SCHEDULE_PLATEAU; h.schedule++) {
		for (int i = 0; i < s->count; i++) {
			const int64_t at[] = {s->guess[i].step, s->guess[i].step + 1, s->guess[i].total, s->guess[i].total + 1};

			demand(s->guess[i].step >= 0 && s->guess[i].total >= 0 &&
			       (i == 0 || s->guess[i].step > s->guess[i - 1].step));
			for (size_t k = 0; k < sizeof(at) / sizeof(at[0]); k++) {
				float rate = hp_schedule_rate(s, &h, at[k]);

				demand(isfinite(rate) && rate >= 0 && rate <= h.learning_rate);
			}
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 1), *once, *twice;
	hp_error err = {""};
	hp_schedule s, again;

	demand(text);
	if (size > 0)
		memcpy(text, data, size);
	hp_schedule_init(&s);
	hp_schedule_init(&again);
	if (hp_schedule_parse(&s, text, &err) != 0) {
		fuzz_refused(&err);
	} else {
		once = text_of(&s);
		demand(hp_schedule_parse(&again, once, &err) == 0);
		twice = text_of(&again);
		demand(strcmp(once, twice) == 0 && s.count == again.count);
		check_rates(&s);
		free(once);
		free(twice);
	}
	hp_schedule_free(&s);
	hp_schedule_free(&again);
	free(text);
	return 0;
}
