/* threads: several threads open parsers of their own, parse with them by turns, and get what a single thread gets.
 *
 *	threads SEED DEP-MODEL RST-MODEL */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/rng.h"
#include "hp.h"

enum { THREADS = 6, PARSERS = 6, ROUNDS = 4, WORDS = 5, EDUS = 4, KINDS = 8 };

static const char *const forms[WORDS] = {"She", "reads", "a", "book", "."};
static const char *const texts[EDUS] = {"When the dog barks ,", "she", "reads a book", "."};
static const char *models[2];

/* What a parser of KIND (bits: discourse, beam, 8-bit integers) finds. */
typedef struct found {
	int32_t head[WORDS + 1];
	int split[EDUS - 1][3];
	float score;
} found;

static found expected[KINDS];

static bool fail(const char *what, const hp_error *err)
{
	fprintf(stderr, "threads: %s: %s\n", what, err->text);
	return false;
}

static bool open_parser(int kind, hp_parser **out)
{
	hp_error err = {""};

	if (hp_open(models[kind & 1], out, &err) != 0)
		return fail("hp_open", &err);
	if (((kind & 2) && hp_set_beam(*out, 3, &err) != 0) || ((kind & 4) && hp_set_int8(*out, &err) != 0))
		return fail("hp_set", &err);
	return true;
}

static bool parse(int kind, hp_parser *parser, found *out)
{
	const hp_edu_tree *edus;
	const hp_tree *tree;
	hp_error err = {""};

	memset(out, 0, sizeof(*out));
	if (kind & 1) {
		if (hp_parse_edus(parser, EDUS, texts, &edus, &err) != 0)
			return fail("hp_parse_edus", &err);
		for (int i = 0; i < EDUS - 1; i++)
			memcpy(out->split[i], &edus->split[i], sizeof(out->split[i]));
		out->score = edus->score;
	} else {
		if (hp_parse(parser, WORDS, forms, NULL, &tree, &err) != 0)
			return fail("hp_parse", &err);
		memcpy(out->head, tree->heads, sizeof(out->head));
		out->score = tree->score;
	}
	return true;
}

static bool work(hp_rng *rng)
{
	hp_parser *parser[PARSERS] = {NULL};
	bool good = true;
	found now;

	for (int i = 0; i < PARSERS; i++)
		good = good && open_parser(i, &parser[i]);
	for (int k = 0; k < ROUNDS * PARSERS && good; k++) {
		int i = (int)hp_rng_below(rng, PARSERS);

		good = parse(i, parser[i], &now);
		if (good && memcmp(&now, &expected[i], sizeof(now)) != 0) {
			fprintf(stderr, "threads: a parser of kind %d finds another tree\n", i);
			good = false;
		}
		if (good && hp_rng_below(rng, 8) == 0) { /* a new one */
			hp_close(parser[i]);
			parser[i] = NULL;
			good = open_parser(i, &parser[i]);
		}
	}
	for (int i = 0; i < PARSERS; i++)
		hp_close(parser[i]);
	return good;
}

static void *run(void *rng)
{
	return work(rng) ? rng : NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	hp_rng rng[THREADS];
	hp_parser *parser;
	bool good = true;
	void *result;

	if (argc != 4)
		return 2;
	models[0] = argv[2];
	models[1] = argv[3];
	for (int kind = 0; kind < PARSERS; kind++) {
		if (!open_parser(kind, &parser) || !parse(kind, parser, &expected[kind]))
			return 1;
		hp_close(parser);
	}
	for (int i = 0; i < THREADS; i++) {
		hp_rng_seed(&rng[i], strtoull(argv[1], NULL, 10), (uint64_t)i);
		if (pthread_create(&thread[i], NULL, run, &rng[i]) != 0)
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		good &= pthread_join(thread[i], &result) == 0 && result != NULL;
	return good ? 0 : 1;
}
