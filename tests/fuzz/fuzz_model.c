/* fuzz_model.c: an image as a model file.  It is refused with a message, or it parses: what comes out is a tree with
 * one root whose probabilities are some, also with a beam and with rounded matrices. */
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include "hp.h"
#include "io/safetensors.h"

enum { WORDS = 5, EDUS = 4 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

static void check_probability(float p)
{
	demand(p >= 0 && p <= 1);
}

static void check_tree(const hp_tree *t)
{
	int roots = 0;

	demand(t->words == WORDS && t->heads[0] == 0 && strcmp(t->labels[0], "_") == 0);
	demand(isfinite(t->score) && t->score <= 0);
	for (int w = 1; w <= WORDS; w++) {
		int at = w, steps = 0;

		roots += t->heads[w] == 0;
		for (; at != 0; at = t->heads[at])
			demand(t->heads[at] >= 0 && t->heads[at] <= WORDS && ++steps <= WORDS);
		demand(t->labels[w] && t->labels[w][0] != '\0');
		check_probability(t->arc_prob[w]);
		check_probability(t->label_prob[w]);
	}
	demand(roots == 1);
}

/* The splits in the order told, by a stack of spans that are still to come. */
static void check_edus(const hp_edu_tree *t)
{
	int first[EDUS + 1] = {0}, last[EDUS + 1] = {EDUS - 1}, open = 1;

	demand(t->edus == EDUS && isfinite(t->score) && t->score <= 0);
	for (int i = 0; i < EDUS - 1; i++) {
		const hp_edu_split *s = &t->split[i];

		while (open > 0 && first[open - 1] == last[open - 1])
			open--;
		demand(open-- > 0 && s->first == first[open] && s->last == last[open] && s->mid >= s->first &&
		       s->mid < s->last);
		first[open] = s->mid + 1, last[open++] = s->last;
		first[open] = s->first, last[open++] = s->mid;
		demand(strcmp(s->nuclearity, "NS") == 0 || strcmp(s->nuclearity, "SN") == 0 ||
		       strcmp(s->nuclearity, "NN") == 0);
		demand(s->relation[0] != '\0');
		check_probability(s->split_prob);
		check_probability(s->label_prob);
	}
}

/* Whether it parses. */
static bool parse(hp_parser *parser, hp_error *err)
{
	static const char *const forms[WORDS] = {"She", "reads", "caf\xc3\xa9", "caf\x65\xcc\x81s", "."};
	static const char *const tags[WORDS] = {"PRON", NULL, "NOUN", "?", "PUNCT"};
	static const char *const texts[EDUS] = {"When the dog barks ,", "she", "reads a book", "."};
	const hp_edu_tree *edus;
	const hp_tree *tree;

	if (hp_parse(parser, WORDS, forms, tags, &tree, err) == 0)
		check_tree(tree);
	else if (fuzz_refused(err), hp_parse_edus(parser, EDUS, texts, &edus, err) == 0)
		check_edus(edus);
	else
		return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	hp_parser *parser;

	if (hp_open(fuzz_file("model.safetensors", data, size), &parser, &err) != 0) {
		fuzz_refused(&err);
		return 0;
	}
	if (!parse(parser, &err))
		fuzz_refused(&err);
	demand(hp_set_beam(parser, 3, NULL) == 0);
	if (!parse(parser, &err))
		fuzz_refused(&err);
	demand(hp_set_int8(parser, NULL) == 0);
	if (!parse(parser, &err))
		fuzz_refused(&err);
	hp_close(parser);
	return 0;
}
