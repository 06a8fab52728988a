/* conformance FILE...: runs libhp on fixture files of the reference and prints a line a file.  Exit status 0 only if
 * every value, gradient and tree agrees. */
#include "conformance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/gemm.h"

void check_fail(check *c, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	if (!c->failures++) {
		int n = snprintf(c->first, sizeof c->first, "%s: ", c->what);
		vsnprintf(c->first + n, sizeof c->first - (size_t)n, fmt, args);
	}
	va_end(args);
}

static const hp_tensor *find(check *c, const char *name, hp_dtype type, size_t count)
{
	const hp_tensor *t = hp_safetensors_find(c->st, name);
	if (!t || t->dtype != type || (size_t)t->count != count) {
		check_fail(c, "%s: expected in the fixture with %zu values of type %s", name, count, hp_dtype_name(type));
		return NULL;
	}
	return t;
}

void check_floats(check *c, const char *name, int kind, const float *got, size_t count)
{
	const hp_tensor *t = find(c, name, HP_F32, count);
	float *want = malloc((count + 1) * sizeof(float));
	if (!t || !want || hp_tensor_to_float(t, 0, t->count, want)) {
		free(want);
		return;
	}
	double largest = 0, worst = 0;
	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, fabs((double)want[i]));
	for (size_t i = 0; i < count; i++) {
		double d = fabs((double)got[i] - (double)want[i]);
		worst = d > worst || isnan(d) ? d : worst;
	}
	/* a gradient may be all zero: then so must ours be, but for rounding */
	double relative = worst / fmax(largest, kind == GRADIENT ? 1e-3 : 1e-6);
	double *seen = kind == GRADIENT ? &c->worst_grad : &c->worst_value;
	*seen = fmax(*seen, relative);
	c->comparisons++;
	if (!(relative <= (kind == GRADIENT ? 1e-3 : 1e-4)))
		check_fail(c, "%s: differs by %.3g, largest entry %.3g", name, worst, largest);
	free(want);
}

const int32_t *fixture_ints(check *c, const char *name, size_t *count)
{
	const hp_tensor *t = hp_safetensors_find(c->st, name);
	if (!t || t->dtype != HP_I32) {
		check_fail(c, "%s: expected in the fixture, of type I32", name);
		return NULL;
	}
	*count = (size_t)t->count;
	return t->data;
}

void check_ints(check *c, const char *name, const int32_t *got, size_t count)
{
	const hp_tensor *t = find(c, name, HP_I32, count);
	c->comparisons++;
	if (t && memcmp(t->data, got, count * sizeof *got))
		check_fail(c, "%s: differs", name);
}

static int run(const char *path)
{
	hp_error err;
	hp_safetensors *st;
	if (hp_safetensors_open(path, &st, &err)) {
		printf("%s: FAILED: %s\n", path, err.text);
		return 1;
	}
	check c = {.st = st, .what = "fixture"};
	const char *task = hp_safetensors_meta(st, "task");
	if (task && !strcmp(task, "dep"))
		check_net(&c, HP_TASK_DEP);
	else if (task && !strcmp(task, "rst"))
		check_net(&c, HP_TASK_RST);
	else
		check_fail(&c, "task is %s: expected dep or rst", task ? task : "absent");
	if (c.failures)
		printf("%s: FAILED: %d of %d comparisons; first: %s\n", path, c.failures, c.comparisons, c.first);
	else
		printf("%s: ok: %d comparisons, values within %.1e, gradients within %.1e\n", path, c.comparisons,
		       c.worst_value, c.worst_grad);
	hp_safetensors_close(st);
	return c.failures != 0;
}

int main(int argc, char **argv)
{
	int bad = 0;
	if (argc < 2) {
		fprintf(stderr, "usage: conformance FILE...\n");
		return 2;
	}
	hp_error err;
	if (hp_gemm_open(2, &err)) {
		fprintf(stderr, "conformance: %s\n", err.text);
		return 1;
	}
	for (int i = 1; i < argc; i++)
		bad |= run(argv[i]);
	return bad;
}
