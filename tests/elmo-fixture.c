/* elmo-fixture MODEL EXPECTED: the published ELMo test model against the outputs published with it, the way its own tests
 * compare them: states carried over each list of sentences, top layer; and the character network alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "elmo/elmo.h"
#include "io/safetensors.h"

enum { LISTS = 3, SENTENCES = 10, WORDS = 1000 };

static int fail(const char *what)
{
	fprintf(stderr, "elmo-fixture: %s\n", what);
	return 1;
}

/* The words of a text, of lines if LINES [SENTENCES + 1] is not NULL: where each begins. */
static int split(const hp_tensor *text, hp_elmo_word *words, int *lines)
{
	const char *p = text->data, *end = p + text->bytes;
	int n = 0, line = 0;

	if (lines)
		lines[0] = 0;
	while (p < end && n < WORDS) {
		size_t size = 0;
		while (p + size < end && p[size] != ' ' && p[size] != '\n')
			size++;
		words[n++] = (hp_elmo_word){p, size};
		p += size;
		if (lines && p < end && *p == '\n' && line < SENTENCES)
			lines[++line] = n;
		p++;
	}
	return n;
}

/* 1e-6 + 1e-5 of what is expected; *WORST is the largest share of that. */
static int agree(int n, const float *x, const float *expected, double *worst)
{
	for (int i = 0; i < n; i++) {
		double off = fabs((double)x[i] - expected[i]), share = off / (1e-6 + 1e-5 * fabs((double)expected[i]));
		if (!(share <= 1)) {
			fprintf(stderr, "elmo-fixture: number %d of %d is %.9g, expected %.9g\n", i, n, (double)x[i],
			        (double)expected[i]);
			return 1;
		}
		*worst = share > *worst ? share : *worst;
	}
	return 0;
}

static const hp_tensor *need(const hp_safetensors *file, const char *name, int k)
{
	char full[32];

	snprintf(full, sizeof(full), name, k);
	const hp_tensor *t = hp_safetensors_find(file, full);
	if (!t)
		exit(fail(full));
	return t;
}

static int check_words(const hp_elmo *e, hp_arena *arena, const hp_safetensors *expected, double *worst)
{
	static hp_elmo_word words[WORDS];
	const hp_tensor *want = need(expected, "words", 0);
	int n = split(need(expected, "vocab", 0), words, NULL), width = hp_elmo_width(e), half = width / 2;
	float *out = HP_NEW(arena, float, (size_t)(hp_elmo_layers(e) + 1) * WORDS * (size_t)width);
	hp_error err;

	if (n != 458 || want->count != n * half)
		return fail("another number of words");
	if (hp_elmo_run(e, NULL, arena, NULL, 1, &(hp_elmo_sentence){n, words, out}, &err) != 0)
		return fail(err.text);
	for (int i = 1; i < n; i++) /* layer 0 has the characters' vector twice */
		memmove(out + i * half, out + i * width, (size_t)half * sizeof *out);
	return agree(n * half, out, want->data, worst);
}

/* Batch i is sentence i of each list, so list k is what lane k carries. */
static int check_lists(const hp_elmo *e, hp_arena *arena, const hp_safetensors *expected, double *worst)
{
	static hp_elmo_word words[LISTS][WORDS];
	int lines[LISTS][SENTENCES + 1], width = hp_elmo_width(e), layers = hp_elmo_layers(e);
	hp_elmo_sentence s[SENTENCES * LISTS];
	hp_elmo_lanes *lanes;
	hp_error err;

	for (int k = 0; k < LISTS; k++) {
		int n = split(need(expected, "text.%d", k), words[k], lines[k]);
		if (need(expected, "top.%d", k)->count != n * width || lines[k][SENTENCES] != n)
			return fail("another number of words");
		for (int i = 0; i < SENTENCES; i++) {
			int count = lines[k][i + 1] - lines[k][i];
			float *out = HP_NEW(arena, float, (size_t)(layers + 1) * (size_t)count * (size_t)width);
			s[i * LISTS + k] = (hp_elmo_sentence){count, words[k] + lines[k][i], out};
		}
	}
	if (hp_elmo_lanes_new(e, LISTS, &lanes, &err) != 0 ||
	    hp_elmo_run(e, NULL, arena, lanes, LISTS * SENTENCES, s, &err) != 0)
		return fail(err.text);
	hp_elmo_lanes_destroy(lanes);
	for (int i = 0; i < LISTS * SENTENCES; i++) {
		const float *want = need(expected, "top.%d", i % LISTS)->data;
		const float *top = s[i].out + (size_t)layers * (size_t)s[i].count * (size_t)width;
		if (agree(s[i].count * width, top, want + (size_t)lines[i % LISTS][i / LISTS] * (size_t)width, worst) != 0)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	hp_arena *arena = hp_arena_new();
	hp_safetensors *expected;
	hp_elmo *e;
	hp_error err;
	double words = 0, lists = 0;

	if (argc != 3)
		return 2;
	if (hp_elmo_open(argv[1], NULL, &e, &err) != 0 || hp_safetensors_open(argv[2], &expected, &err) != 0)
		return fail(err.text);
	int status = check_words(e, arena, expected, &words) | check_lists(e, arena, expected, &lists);
	printf("largest differences, of what is allowed: words %.2f, sentences %.2f\n", words, lists);
	hp_safetensors_close(expected);
	hp_elmo_close(e);
	hp_arena_destroy(arena);
	return status;
}
