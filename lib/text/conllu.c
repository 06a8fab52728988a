/* conllu.c: reads an input sentence by sentence.
 *
 * The block that is being collected stays in the reader between calls, so that hp_conllu_ready can go on with
 * whatever has arrived, and no byte is looked at twice however slowly the input comes. */
#include "text/conllu.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/grow.h"
#include "io/sniff.h"
#include "text/sentence_builder.h"

struct hp_conllu_reader {
	hp_input *in;
	hp_text_kind kind;
	int max_words;
	hp_columns columns; /* of what came before */
	hp_builder block;
	char *part; /* the beginning of a line whose end has not arrived */
	size_t part_size, part_capacity;
	long line; /* of the last line taken */
	bool begun; /* a line was seen that is not blank */
	long *count; /* of sentences of tokens, or NULL */
	bool done; /* the block is complete */
	bool end; /* nothing more comes */
	bool broken; /* block.err says why */
};

int hp_conllu_reader_new(hp_input *in, hp_text_kind kind, int max_words, hp_conllu_reader **out, hp_error *err)
{
	hp_conllu_reader *r = calloc(1, sizeof(*r));

	*out = r;
	if (!r)
		return hp_fail_memory(err);
	r->in = in;
	r->kind = kind;
	r->max_words = max_words;
	hp_sentence_init(&r->block.s);
	hp_builder_start(&r->block, NULL, hp_input_name(in), max_words);
	return 0;
}

void hp_conllu_count(hp_conllu_reader *r, long *count)
{
	r->count = count;
}

void hp_conllu_reader_destroy(hp_conllu_reader *r)
{
	if (!r)
		return;
	hp_sentence_free(&r->block.s);
	free(r->part);
	free(r);
}

bool hp_conllu_broken(const hp_conllu_reader *r)
{
	return r->broken;
}

static int keep_part(hp_conllu_reader *r, const char *bytes, size_t size)
{
	if (size > HP_LINE_LIMIT - r->part_size)
		return hp_fail_at(&r->block.err, hp_input_name(r->in), r->line + 1, "a line of more than %zu MiB",
		                  HP_LINE_LIMIT >> 20);
	if (!hp_grow(&r->part, &r->part_capacity, r->part_size + size, 1))
		return hp_fail_memory(&r->block.err);
	memcpy(r->part + r->part_size, bytes, size);
	r->part_size += size;
	return 0;
}

static bool is_blank(const char *line, size_t size)
{
	while (size > 0 && hp_is_blank(line[size - 1]))
		size--;
	return size == 0;
}

/* Whether the first line is that of something else altogether. */
static int check_kind(hp_conllu_reader *r, const char *line, size_t size)
{
	static const char *const expected[] = {
		[HP_TEXT_CONLLU] = "CoNLL-U", [HP_TEXT_TOKENS] = "a sentence a line", [HP_TEXT_EDUS] = "an EDU a line"};

	if (r->begun || is_blank(line, size))
		return 0;
	r->begun = true;
	return hp_sniff(line, size, hp_input_name(r->in), expected[r->kind], &r->block.err);
}

static int take_line(hp_conllu_reader *r, const char *line, size_t size)
{
	r->line++;
	hp_builder_trim(&line, &size);
	if (check_kind(r, line, size) != 0)
		return HP_FAIL;
	if (r->kind == HP_TEXT_TOKENS) {
		if (is_blank(line, size))
			return 0;
		r->done = true;
		return hp_builder_tokens(&r->block, line, size, r->line, r->count ? ++*r->count : 0);
	}
	if (r->kind == HP_TEXT_EDUS && !is_blank(line, size))
		return hp_builder_raw(&r->block, line, size, r->line);
	if (r->kind == HP_TEXT_CONLLU && size > 0)
		return hp_builder_line(&r->block, line, size, r->line);
	r->done = r->block.s.size > 0;
	return 0;
}

static int take_part(hp_conllu_reader *r)
{
	size_t size = r->part_size;

	r->part_size = 0;
	return take_line(r, r->part, size);
}

/* Takes lines from DATA until the block is complete; *USED bytes of it are done with. */
static int take_lines(hp_conllu_reader *r, const char *data, size_t size, size_t *used)
{
	const char *p = data, *end = data + size;

	while (p < end && !r->done) {
		const char *stop = memchr(p, '\n', end - p);

		if (!stop || r->part_size > 0) {
			if (keep_part(r, p, (stop ? stop : end) - p) != 0)
				return HP_FAIL;
			if (stop && take_part(r) != 0)
				return HP_FAIL;
		} else if (take_line(r, p, stop - p) != 0) {
			return HP_FAIL;
		}
		p = stop ? stop + 1 : end;
	}
	*used = p - data;
	return 0;
}

static int take_end(hp_conllu_reader *r)
{
	if (r->part_size > 0 && take_part(r) != 0)
		return HP_FAIL;
	if (r->block.s.size > 0)
		r->done = true;
	else
		r->end = true;
	return 0;
}

/* Collects a block, to its end or (without WAIT) as far as the input has arrived. */
static int collect(hp_conllu_reader *r, bool wait)
{
	while (!r->done && !r->end) {
		const char *data;
		size_t size, used;

		if (hp_input_gather(r->in, 1, wait, &data, &size, &r->block.err) != 0)
			return HP_FAIL;
		if (size > 0) {
			if (take_lines(r, data, size, &used) != 0)
				return HP_FAIL;
			hp_input_skip(r->in, used);
		} else if (hp_input_eof_seen(r->in)) {
			if (take_end(r) != 0)
				return HP_FAIL;
		} else {
			return 0;
		}
	}
	return 0;
}

int hp_conllu_read(hp_conllu_reader *r, hp_sentence *s, hp_error *err)
{
	hp_sentence old = *s;
	bool failed;

	s->size = 0;
	s->words = 0;
	if (!r->broken && collect(r, true) != 0)
		r->broken = true;
	if (r->broken) {
		if (err)
			*err = r->block.err;
		return HP_FAIL;
	}
	if (r->end)
		return 0;
	hp_builder_end(&r->block);
	failed = r->block.failed;
	if (failed && err)
		*err = r->block.err;
	/* What a sentence that is refused looks like says nothing about others. */
	if (!failed || r->block.named)
		r->columns = r->block.s.columns;
	*s = r->block.s;
	r->block.s = old; /* its memory serves the next one */
	hp_builder_start(&r->block, &r->columns, hp_input_name(r->in), r->max_words);
	r->done = false;
	return failed ? HP_FAIL : 1;
}

int hp_conllu_ready(hp_conllu_reader *r, bool *ready, hp_error *err)
{
	(void)err; /* hp_conllu_read reports what goes wrong here */
	if (!r->broken && collect(r, false) != 0)
		r->broken = true;
	*ready = r->done || r->end || r->broken;
	return 0;
}
