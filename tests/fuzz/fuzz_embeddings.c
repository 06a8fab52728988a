/* fuzz_embeddings.c: trees and, behind a byte 0x1e, a stream with the embeddings of their words, as hp-train
 * --train-stream takes them.  What is read has a finite vector for every word. */
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include "pointer/splits.h"
#include "train/treebank.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	const uint8_t *end = size > 0 ? memchr(data, 0x1e, size) : NULL;
	size_t trees = end != NULL ? (size_t)(end - data) + 1 : 0;

	if (trees == 0 || seed % 16 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	return trees + fuzz_mutate_stream(data + trees, size - trees, max_size - trees, seed);
}

static void check(const hp_treebank *t)
{
	demand(t->count > 0 && t->layers > 0 && t->dim > 0);
	for (int i = 0; i < t->count; i++) {
		size_t count = (size_t)t->layers * (size_t)t->sent[i].words * (size_t)t->dim;

		demand(hp_ends_ok(t->sent[i].words, t->tree[i]->edus, t->ends[i]));
		for (size_t k = 0; k < count; k++)
			demand(isfinite(t->x[i][k]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	fuzz_piece piece[2];
	hp_treebank t, dev;
	const char *trees[2] = {NULL}, *stream[2] = {NULL};

	fuzz_split(data, size, piece, 2);
	trees[0] = fuzz_file("trees.dis", piece[0].data, piece[0].size);
	stream[0] = fuzz_file("stream", piece[1].data, piece[1].size);
	if (hp_treebank_read_rst(&(hp_bank_files){.trees = trees, .streams = stream}, 0, 100, &t, &err) != 0) {
		fuzz_refused(&err);
		return 0;
	}
	check(&t);
	if (hp_treebank_hold_out(&t, "trees.dis", 1, &dev, &err) == 0) {
		check(&dev);
		hp_treebank_free(&dev);
	} else {
		fuzz_refused(&err);
	}
	hp_treebank_free(&t);
	return 0;
}
