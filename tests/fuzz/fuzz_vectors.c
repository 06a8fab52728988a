/* fuzz_vectors.c: what is read is finite and complete, and reads the same after it was written as text. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"
#include "text/vectors.h"

static int read_back(const void *data, size_t size, hp_vectors *v)
{
	hp_input *in = NULL;
	hp_error err = {""};
	hp_vectors_skipped skipped;
	int status;

	demand(hp_input_from_memory(data, size, "fuzz", &in, NULL) == 0);
	status = hp_vectors_read(in, 0, NULL, NULL, v, &skipped, &err);
	demand(status == 0 || err.text[0] != '\0');
	hp_input_close(in);
	return status;
}

/* False where text cannot hold the words: a binary file's with a tab at an end or before a number. */
static bool write_text(const hp_vectors *v, FILE *out)
{
	bool plain = true;

	fprintf(out, "%d %d\n", hp_vocab_count(v->words), v->dim);
	for (int i = 0; i < hp_vocab_count(v->words); i++) {
		size_t size;
		const char *word = hp_vocab_at(v->words, i, &size);

		plain = plain && size > 0 && !memchr(word, '\t', size);
		fwrite(word, 1, size, out);
		for (int k = 0; k < v->dim; k++) {
			float value = v->values[(size_t)i * (size_t)v->dim + (size_t)k];

			demand(isfinite(value));
			fprintf(out, " %.9g", (double)value);
		}
		fputc('\n', out);
	}
	return plain;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_vectors v, again;
	char *text = NULL;
	size_t length;
	FILE *out;
	bool plain;

	if (read_back(data, size, &v) != 0)
		return 0;
	out = open_memstream(&text, &length);
	demand(out);
	plain = write_text(&v, out);
	fclose(out);
	if (plain) {
		demand(read_back(text, length, &again) == 0);
		demand(again.dim == v.dim && hp_vocab_count(again.words) == hp_vocab_count(v.words));
		for (int i = 0; i < hp_vocab_count(v.words); i++) {
			size_t one, two;
			const char *word = hp_vocab_at(v.words, i, &one), *same = hp_vocab_at(again.words, i, &two);

			demand(one == two && memcmp(word, same, one) == 0);
		}
		for (size_t i = 0; i < (size_t)hp_vocab_count(v.words) * (size_t)v.dim; i++)
			demand(v.values[i] == again.values[i]);
		hp_vectors_free(&again);
	}
	free(text);
	hp_vectors_free(&v);
	return 0;
}
