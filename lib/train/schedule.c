/* schedule.c: learning rate and length of training. */
#include "train/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hp_schedule_init(hp_schedule *s)
{
	memset(s, 0, sizeof *s);
	s->factor = 1;
}

void hp_schedule_free(hp_schedule *s)
{
	free(s->guess);
	hp_schedule_init(s);
}

int hp_schedule_guess(hp_schedule *s, int64_t step, int64_t total, hp_error *err)
{
	if (s->count && s->guess[s->count - 1].step == step)
		s->count--;
	if (s->count && s->guess[s->count - 1].step > step)
		return hp_fail(err, "plan: batch %" PRId64 " comes after batch %" PRId64, step, s->guess[s->count - 1].step);
	if (s->count == s->capacity) {
		int capacity = s->capacity ? 2 * s->capacity : 16;
		hp_guess *guess = realloc(s->guess, (size_t)capacity * sizeof *guess);
		if (!guess)
			return hp_fail_memory(err);
		s->guess = guess;
		s->capacity = capacity;
	}
	s->guess[s->count++] = (hp_guess){step, total};
	return 0;
}

int64_t hp_schedule_total(const hp_schedule *s, int64_t step)
{
	int64_t total = 0;

	for (int i = 0; i < s->count && s->guess[i].step <= step; i++)
		total = s->guess[i].total;
	return total;
}

void hp_schedule_evaluated(hp_schedule *s, const hp_hyper *h, bool better)
{
	s->misses = better ? 0 : s->misses + 1;
	if (h->schedule == HP_SCHEDULE_PLATEAU && s->misses >= h->patience) {
		s->factor *= h->decay;
		s->misses = 0;
	}
}

/* How far training has come, 0 to 1. */
static double progress(const hp_schedule *s, int64_t step)
{
	int64_t total = hp_schedule_total(s, step);

	if (total <= 0)
		return 0;
	return step >= total ? 1 : (double)step / (double)total;
}

float hp_schedule_rate(const hp_schedule *s, const hp_hyper *h, int64_t step)
{
	double rate = h->learning_rate, p = progress(s, step);
	double left = p <= h->hold || h->hold >= 1 ? 1 : (1 - p) / (1 - (double)h->hold);

	if (step < h->warmup)
		rate *= (double)(step + 1) / h->warmup;
	switch ((hp_schedule_kind)h->schedule) {
	case HP_SCHEDULE_LINEAR:
		rate *= left;
		break;
	case HP_SCHEDULE_COSINE:
		rate *= 0.5 - 0.5 * cos(M_PI * left);
		break;
	case HP_SCHEDULE_PLATEAU:
		rate *= s->factor;
		break;
	case HP_SCHEDULE_CONSTANT:
		break;
	}
	return (float)rate;
}

char *hp_schedule_text(const hp_schedule *s, int64_t from, int64_t to)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *comma = "";

	if (!out)
		return NULL;
	for (int i = 0; i < s->count; i++) {
		const hp_guess *g = &s->guess[i];
		if (g->step < from || g->step > to)
			continue;
		fprintf(out, "%s%" PRId64 ":%" PRId64, comma, g->step, g->total);
		comma = ",";
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static int whole(const char **s, int64_t *out)
{
	char *end;
	long long value;

	if (**s < '0' || **s > '9')
		return HP_FAIL;
	errno = 0;
	value = strtoll(*s, &end, 10);
	if (errno || value > INT64_C(1000000000000))
		return HP_FAIL;
	*out = value;
	*s = end;
	return 0;
}

int hp_schedule_parse(hp_schedule *s, const char *text, hp_error *err)
{
	const char *at = text;
	int64_t step, total;

	s->count = 0;
	while (*at) {
		if (whole(&at, &step) != 0 || *at++ != ':' || whole(&at, &total) != 0 || (*at && (*at != ',' || at[1] == '\0')))
			return hp_fail(err, "plan '%s' is not BATCH:TOTAL,BATCH:TOTAL...", text);
		if (*at == ',')
			at++;
		if (hp_schedule_guess(s, step, total, err) != 0)
			return HP_FAIL;
	}
	return 0;
}
