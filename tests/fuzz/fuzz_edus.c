/* fuzz_edus.c: lines of EDUs, or trees of them; what was read comes back the same when it is written and read again, and a tokeniser of random
 * weights, to which they are raw text, finds as many, and nothing but their characters. */
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"
#include "../tokenizer.h"
#include "text/edus.h"

enum { MAX_WORDS = 50 };

/* How often WHAT stands in TEXT. */
static int count(const char *text, const char *what)
{
	int n = 0;

	for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

/* EDUS: how many there are; -1: nobody knows. */
static void tokenize(const char *lines, size_t size, int edus)
{
	static hp_tok_model *model[2];
	int spaces = size % 2, status;
	size_t got;
	hp_error err;

	if (!model[spaces])
		model[spaces] = tokenizer_random((uint64_t)spaces, spaces);
	char *conllu = tokenizer_edus(model[spaces], MAX_WORDS, lines, size, &got, &status, &err);
	if (status != 0)
		fuzz_refused(&err);
	demand(status != 0 || edus < 0 || count(conllu, "\tSeg=B-seg") == edus);
	/* What comes out is what hp-embed reads: each sentence, and each EDU, has words. */
	demand(count(conllu, "\n# text = ") <= count(conllu, "\tSeg=B-seg"));
	free(conllu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_arena *arena = hp_arena_new();
	hp_edus one, two;
	hp_sentence words;
	size_t length;
	int edus = -1;

	demand(arena);
	hp_sentence_init(&words);
	if (hp_edus_parse((const char *)data, size, (hp_edus_source){"input", 1, 1, MAX_WORDS}, arena, &one, &words,
	                  NULL) == 0) {
		/* A mark of the order of bytes may be a line without text; a second document is one; behind comments a tree
		 * may begin. */
		if (!memmem(data, size, "\xef\xbb\xbf", 3) && !memmem(data, size, "\n# newdoc", 9) &&
		    !memmem(data, size, "Root", 4))
			edus = one.edus;
		demand(words.words == one.ends[one.edus - 1] + 1 && words.words <= MAX_WORDS);
		char *lines = hp_edus_lines(&one, arena, &length);
		demand(lines &&
		       hp_edus_parse(lines, length, (hp_edus_source){"again", 1, 1, MAX_WORDS}, arena, &two, NULL, NULL) == 0);
		demand(two.edus == one.edus && (!one.id) == (!two.id));
		demand(!one.id || strcmp(one.id, two.id) == 0);
		demand(one.document == two.document && one.sents == two.sents && (one.sents == 0 || one.document));
		for (int i = 0; i < one.sents; i++)
			demand(one.sent_end[i] == two.sent_end[i] && (i == 0 || one.sent_end[i] > one.sent_end[i - 1]));
		demand(one.sents == 0 || one.sent_end[one.sents - 1] == one.edus - 1);
		for (int i = 0; i < one.edus; i++)
			demand(one.ends[i] == two.ends[i] && strcmp(one.text[i], two.text[i]) == 0);
		demand(hp_edus_take(one.edus, one.text, (hp_edus_source){"taken", 1, 1, MAX_WORDS}, arena, &two, NULL, NULL) ==
		       0);
		demand(!two.id && two.edus == one.edus && strcmp(one.text[0], two.text[0]) == 0);
	}
	tokenize((const char *)data, size, edus);
	hp_sentence_free(&words);
	hp_arena_destroy(arena);
	return 0;
}
