/* corpus.c: a treebank of made-up words, for measuring where no real one is at hand.  Lengths of sentences and words and the
 * frequencies of words follow the training part of UD English EWT 2.3 (16.3 words a sentence); always the same bytes. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

enum { TYPES = 20000, TAGS = 17, LABELS = 49 };

/* Quantiles in equal steps: lengths of sentences; lengths of distinct words. */
static const int sentence_quantiles[] = {1,  1,  2,  3,  3,  4,  5,  6,  7,  8,  9,  10, 11, 11, 12, 13, 14,
                                         15, 16, 17, 18, 19, 20, 21, 23, 24, 26, 28, 30, 33, 37, 44, 159};
static const int word_quantiles[] = {1, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 11, 20};

/* The longest are rare: the last step is bent to the mean. */
static int draw(hp_rng *rng, const int *quantiles, int steps)
{
	float u = hp_rng_uniform(rng) * (float)steps;
	int i = (int)u < steps ? (int)u : steps - 1;
	float part = u - (float)i;

	if (i == steps - 1)
		part = powf(part, 11);
	return quantiles[i] + (int)(part * (float)(quantiles[i + 1] - quantiles[i]) + 0.5f);
}

/* The word of RANK (0 is the most frequent) into OUT.  Frequent words are short. */
static int spell(int rank, char *out)
{
	static const char consonants[] = "tnsrhldcmfpgwybvkxjqz", vowels[] = "eaoiu";
	hp_rng rng;

	hp_rng_seed(&rng, 2, (uint64_t)rank);
	int length = draw(&rng, word_quantiles, sizeof(word_quantiles) / sizeof(*word_quantiles) - 1);
	if (rank < 300)
		length = rank < 30 ? 1 + rank % 3 : 2 + rank % 4;
	for (int i = 0; i < length; i++) {
		uint64_t skew = hp_rng_below(&rng, 21);
		out[i] = (i + rank) % 2 ? vowels[hp_rng_below(&rng, 5)] : consonants[hp_rng_below(&rng, skew + 1)];
	}
	if (rank % 6 == 5)
		out[0] = (char)(out[0] - 'a' + 'A');
	return length;
}

/* A projective tree over LO..HI, whose top is attached to HEAD; arcs are mostly short. */
static void grow(hp_rng *rng, int lo, int hi, int head, int *heads)
{
	int top = lo + (int)hp_rng_below(rng, (uint64_t)(hi - lo + 1));

	heads[top] = head;
	for (int side = 0; side < 2; side++) {
		int from = side ? top + 1 : lo, to = side ? hi : top - 1;
		while (from <= to) {
			int size = 1 + (int)hp_rng_below(rng, 1 + hp_rng_below(rng, (uint64_t)(to - from + 1)));
			grow(rng, from, from + size - 1, top, heads);
			from += size;
		}
	}
}

int bench_corpus(const bench_options *o)
{
	hp_rng rng;
	int heads[BENCH_MAX_LENGTH + 1];
	char word[32];

	hp_rng_seed(&rng, 1, 0);
	for (int s = 0; s < o->sentences; s++) {
		int n = o->length;

		if (n == 0)
			n = draw(&rng, sentence_quantiles, sizeof(sentence_quantiles) / sizeof(*sentence_quantiles) - 1);
		grow(&rng, 1, n, 0, heads);
		for (int i = 1; i <= n; i++) {
			/* Zipf's law, its head flattened: rank + 3 is log-uniform. */
			int rank = (int)(3 * expf(hp_rng_uniform(&rng) * logf((TYPES + 3) / 3.0f))) - 3;
			int length = spell(rank, word);
			printf("%d\t%.*s\t_\tT%02d\t_\t_\t%d\t", i, length, word, rank % TAGS, heads[i]);
			if (heads[i] == 0)
				printf("root\t_\t_\n");
			else
				printf("r%02d\t_\t_\n", (int)hp_rng_below(&rng, 1 + hp_rng_below(&rng, LABELS - 1)));
		}
		putchar('\n');
	}
	return 0;
}
