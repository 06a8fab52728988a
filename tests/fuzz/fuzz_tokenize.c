/* fuzz_tokenize.c: a byte of options, then a text through a tokeniser of random weights.  What is UTF-8 comes back from the
 * CoNLL-U byte for byte, however it came; what is not is refused behind all that stands before it. */
#include "fuzz.h"

#include <string.h>
#include "../tokenizer.h"
#include "base/utf8.h"

enum { LINES = 1, RANGES = 2, SPACES = 4, PAUSE = 8 }; /* two bits more choose a piece's size, two the most words */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t pieces[] = {0, 1, 5, 64};
	static const int most[] = {1000, 1, 3, 20};
	static hp_tok_model *model[2];
	size_t got, back;
	int status;
	hp_error err;

	if (size == 0)
		return 0;
	int options = *data++, spaces = (options & SPACES) != 0;
	size--;
	if (!model[spaces])
		model[spaces] = tokenizer_random((uint64_t)spaces, spaces);
	tokenizer_how how = {.by = options & LINES ? HP_SPLIT_LINES : HP_SPLIT_TEXT,
	                     .ranges = options & RANGES,
	                     .pause = options & PAUSE,
	                     .piece = pieces[options >> 4 & 3],
	                     .max_words = most[options >> 6]};
	const char *text = (const char *)data, *nul = size ? memchr(text, 0, size) : NULL;
	size_t valid = hp_utf8_valid_prefix(text, nul ? (size_t)(nul - text) : size);
	char *conllu = tokenizer_run(model[spaces], &how, text, size, &got, &status, &err);
	demand((status == 0) == (valid == size));
	if (status != 0)
		fuzz_refused(&err);
	char *undone = tokenizer_undo(conllu, got, &back);
	demand(back == valid && memcmp(undone, text, valid) == 0);
	free(undone);
	if (how.piece && !how.pause && status == 0) {
		size_t again;
		how.piece = 0;
		char *whole = tokenizer_run(model[spaces], &how, text, size, &again, &status, &err);
		demand(again == got && memcmp(whole, conllu, got) == 0);
		free(whole);
	}
	free(conllu);
	return 0;
}
