/* fuzz_conllu.c: whatever is read can be written and read again, and then is the same; nothing crashes. */
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"
#include "text/conllu.h"

enum { MAX_WORDS = 50 };

/* The words are among the rows, in their order. */
static void check_rows(const hp_sentence *s)
{
	int words = 0;
	hp_word row;

	for (hp_rows r = hp_sentence_rows(s); hp_rows_next(&r, &row);) {
		if (memchr(row.col[HP_ID], '-', row.len[HP_ID]) || memchr(row.col[HP_ID], '.', row.len[HP_ID]))
			continue;
		demand(words < s->words);
		for (int c = 0; c < HP_COLUMNS; c++)
			demand(row.col[c] == s->word[words].col[c] && row.len[c] == s->word[words].len[c]);
		words++;
	}
	demand(words == s->words);
}

/* New heads change HEAD, DEPREL, DEPS and MISC of words and nothing else. */
static void check_rewritten(const hp_sentence *s, const char *text, size_t size)
{
	hp_sentence again;

	hp_sentence_init(&again);
	demand(hp_sentence_parse(&again, &s->columns, text, size, "again", s->line, MAX_WORDS, NULL) == 0);
	demand(again.words == s->words);
	for (int i = 0; i < s->words; i++) {
		for (int c = 0; c < HP_HEAD; c++) {
			demand(again.word[i].len[c] == s->word[i].len[c]);
			demand(memcmp(again.word[i].col[c], s->word[i].col[c], s->word[i].len[c]) == 0);
		}
		demand(again.word[i].len[HP_DEPS] == 1 && *again.word[i].col[HP_DEPS] == '_');
	}
	hp_sentence_free(&again);
}

static void rewrite(const hp_sentence *s, const int32_t *heads)
{
	float prob[MAX_WORDS + 1] = {0};
	const hp_found_tree tree = {heads, NULL, prob, prob, prob, 1};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	demand(out && hp_sentence_write(s, &tree, out, NULL) == 0);
	fclose(out);
	check_rewritten(s, text, size);
	free(text);
}

/* Reads to the end as with --keep-going; returns the blocks as written. */
static char *pass(const uint8_t *data, size_t size, hp_text_kind kind, size_t *length, int *good)
{
	int32_t heads[MAX_WORDS + 1] = {0};
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	hp_conllu_reader *reader;
	hp_sentence s;
	hp_input *in = NULL;
	hp_error err;
	bool ready;
	int status;

	*good = 0;
	hp_sentence_init(&s);
	demand(out && hp_input_from_memory(data, size, "fuzz", &in, NULL) == 0);
	demand(hp_conllu_reader_new(in, kind, MAX_WORDS, &reader, NULL) == 0);
	while (demand(hp_conllu_ready(reader, &ready, NULL) == 0 && ready),
	       (status = hp_conllu_read(reader, &s, &err)) != 0) {
		if (hp_conllu_broken(reader)) /* another kind of file, or bad gzip data */
			break;
		demand(s.words <= MAX_WORDS && s.size > 0);
		demand(status == 1 ? true : err.text[0] != '\0' && s.words == 0);
		demand(hp_sentence_write(&s, NULL, out, NULL) == 0);
		if (status != 1)
			continue;
		++*good;
		check_rows(&s);
		if (hp_sentence_needs_tree(&s, "fuzz", &err) != 0)
			continue;
		if (hp_sentence_tree(&s, "fuzz", heads, &err) != 0)
			memset(heads, 0, sizeof(heads));
		rewrite(&s, heads);
	}
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	hp_sentence_free(&s);
	fclose(out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t once_size, twice_size;
	int once_good, twice_good;
	char *once = pass(data, size, HP_TEXT_CONLLU, &once_size, &once_good);
	char *twice = pass((const uint8_t *)once, once_size, HP_TEXT_CONLLU, &twice_size, &twice_good);

	demand(once_good == twice_good && once_size == twice_size && memcmp(once, twice, once_size) == 0);
	free(once);
	free(twice);
	once = pass(data, size, HP_TEXT_TOKENS, &once_size, &once_good);
	twice = pass((const uint8_t *)once, once_size, HP_TEXT_CONLLU, &twice_size, &twice_good);
	/* Rows of CoNLL-U are refused among tokens, but good once they have been written as such. */
	demand(once_good <= twice_good && once_size == twice_size && memcmp(once, twice, once_size) == 0);
	free(once);
	free(twice);
	return 0;
}
