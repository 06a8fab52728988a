/* discourse-embed.c: hp-embed for a discourse model: EDUs of a sentence, from three kinds of text. */
#include "discourse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "nn/vmath.h"
#include "rst/dis.h"
#include "text/masked.h"

/* Words of a batch with ELMo at most, but for a longer sentence: a word may have some thousand numbers in each layer. */
enum { ELMO_ROWS = 2048 };

typedef struct source {
	filter *f;
	const discourse_text *how;
	hp_input *in;
	hp_conllu_reader *reader; /* EDUs, CoNLL-U */
	hp_dis_reader *trees;
	hp_sentence block; /* what was read last */
	hp_rst_tree tree;
	hp_masked masked; /* of the file */
	long sentences, marks; /* CoNLL-U: sentences with words, words that are marked as an EDU's first */
} source;

/* ---- a batch ---- */

/* Numbers of a word in all layers, and how many layers there are: 0 if `x` is not in layers. */
static size_t numbers_of(const source *s, int *layers)
{
	const hp_elmo *e = s->how->elmo;

	*layers = e != NULL ? hp_elmo_layers(e) + 1 : 0;
	return e != NULL ? (size_t)*layers * (size_t)hp_elmo_width(e) : (size_t)s->f->model->rst_config.input_dim;
}

/* By the model's own embeddings: X [rows × input_dim]. */
static int compute_own(filter *f, float *x, hp_error *err)
{
	const filter_batch *b = &f->batch;
	hp_tokens *tokens = HP_NEW(f->arena, hp_tokens, b->count);
	int index = 0;

	if (!tokens)
		return hp_fail_memory(err);
	for (int i = 0; i < b->items; i++) {
		const hp_sentence *words = &b->item[i].sentence;

		if (b->item[i].n == 0)
			continue;
		if (hp_model_tokens(f->model, f->arena, words, &tokens[index], err) != 0)
			return HP_FAIL;
		hp_coverage_add(&f->coverage, words, tokens[index].words, tokens[index].chars, tokens[index].char_lengths);
		index++;
	}
	return hp_rst_embed(f->model->rst_net, f->pool, f->arena, b->count, tokens, NULL, x, err);
}

/* By ELMo: X of each sentence [layers × words × width], one after another. */
static int compute_elmo(const source *s, float *x, hp_error *err)
{
	filter *f = s->f;
	const filter_batch *b = &f->batch;
	hp_elmo_sentence *sentences = HP_NEW(f->arena, hp_elmo_sentence, b->count);
	hp_elmo_word *words = HP_NEW(f->arena, hp_elmo_word, b->rows);
	int index = 0, layers;
	size_t numbers = numbers_of(s, &layers);

	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	for (int i = 0; i < b->items; i++) {
		const filter_item *item = &b->item[i];

		if (item->n == 0)
			continue;
		sentences[index++] = (hp_elmo_sentence){item->n, words, x};
		for (int k = 0; k < item->n; k++) {
			const hp_word *word = &item->sentence.word[k];
			*words++ = (hp_elmo_word){word->col[HP_FORM], word->len[HP_FORM]};
		}
		x += (size_t)item->n * numbers;
	}
	return hp_elmo_run(s->how->elmo, f->pool, f->arena, s->how->lanes, b->count, sentences, err);
}

static int write_item(const source *s, const filter_item *item, const float *x, hp_error *err)
{
	filter *f = s->f;
	int layers;
	size_t numbers = numbers_of(s, &layers);
	const int64_t flat[] = {item->n, (int64_t)numbers}, ends_shape[] = {item->edus.edus},
				  text_shape[] = {(int64_t)item->size};
	const int64_t deep[] = {layers, item->n, layers > 0 ? (int64_t)numbers / layers : 0};
	hp_st_writer *w = hp_stream_record(f->out);

	if (item->unparsed && hp_st_writer_meta(w, "unparsed", item->unparsed, err) != 0)
		return HP_FAIL;
	if (item->n > 0 && !hp_vec_within((size_t)item->n * numbers, x, HP_LARGEST))
		return hp_fail(err, "%s: `x` comes to a value that is not finite or beyond %g", hp_input_name(s->in),
		               (double)HP_LARGEST);
	if (item->n > 0 &&
	    (hp_st_writer_tensor(w, "x", HP_F32, layers > 0 ? 3 : 2, layers > 0 ? deep : flat, x, err) != 0 ||
	     hp_st_writer_tensor(w, "ends", HP_I32, 1, ends_shape, item->edus.ends, err) != 0))
		return HP_FAIL;
	if (hp_st_writer_tensor(w, "text", HP_U8, 1, text_shape, item->lines, err) != 0)
		return HP_FAIL;
	return hp_stream_write_record(f->out, NULL, NULL, err);
}

static int run_batch(const source *s, hp_error *err)
{
	filter *f = s->f;
	filter_batch *b = &f->batch;
	int layers, result = 0;
	size_t numbers = numbers_of(s, &layers);
	float *x = HP_NEW(f->arena, float, b->rows * numbers);

	if (!x)
		result = hp_fail_memory(err);
	else if (b->count > 0)
		result = layers > 0 ? compute_elmo(s, x, err) : compute_own(f, x, err);
	for (int i = 0; i < b->items && result == 0; i++) {
		result = write_item(s, &b->item[i], x, err);
		x += (size_t)b->item[i].n * numbers;
	}
	filter_batch_clear(f);
	return result;
}

/* A place in the batch for a sentence whose text has SIZE bytes, and so at most (SIZE + 1) / 2 tokens. */
static int make_room(const source *s, size_t size, filter_item **item, hp_error *err)
{
	filter *f = s->f;
	size_t most = (size + 1) / 2;
	bool over = s->how->elmo != NULL && f->batch.items > 0 && f->batch.rows + most > ELMO_ROWS;

	if ((over || !filter_batch_takes(f, most < FILTER_ROWS ? (int)most : FILTER_ROWS, size)) && run_batch(s, err) != 0)
		return HP_FAIL;
	*item = filter_batch_next(f);
	(*item)->n = 0;
	(*item)->unparsed = NULL;
	(*item)->edus = (hp_edus){.edus = 0};
	return 0;
}

/* Adds ITEM, whose EDUs and words are there, with its LINES (edus.h); all is in the filter's arena. */
static void add_item(source *s, filter_item *item, const char *lines, size_t size)
{
	item->lines = lines;
	item->size = size;
	item->n = item->sentence.words;
	hp_masked_add(&s->masked, &item->sentence);
	filter_batch_add(s->f, item->n, size);
}

/* Adds a sentence of LINES, which are in the filter's arena. */
static int add_lines(source *s, filter_item *item, const char *lines, size_t size, long line, hp_error *err)
{
	if (hp_edus_parse(lines, size, (hp_edus_source){hp_input_name(s->in), line, 1, s->how->max_words}, s->f->arena,
	                  &item->edus, &item->sentence, err) != 0)
		return HP_FAIL;
	add_item(s, item, lines, size);
	return 0;
}

/* Adds a text that passes as it is; UNPARSED: why it was not parsed, or NULL. */
static int add_text(source *s, const char *text, size_t size, const hp_error *unparsed, hp_error *err)
{
	filter_item *item;

	if (size == 0)
		return 0;
	if (make_room(s, size, &item, err) != 0)
		return HP_FAIL;
	char *copy = HP_NEW(s->f->arena, char, size);
	item->unparsed = unparsed != NULL ? hp_arena_text(s->f->arena, unparsed->text) : NULL;
	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	memcpy(copy, text, size);
	item->lines = copy;
	item->size = size;
	filter_batch_add(s->f, 0, size);
	return 0;
}

/* ---- from EDUs ---- */

/* Other kinds of input by mistake: LINE number NUMBER. */
static int check_edu(const source *s, const char *line, size_t size, long number, hp_error *err)
{
	const char *name = hp_input_name(s->in);
	enum { FEWEST = 8 }; /* columns of a format that is read */
	int tabs = 0;

	for (size_t i = 0; i < size; i++)
		tabs += line[i] == '\t';
	if (tabs + 1 == HP_COLUMNS && *line >= '0' && *line <= '9')
		return hp_fail_at(err, name, number, "ten columns, expected an EDU a line: CoNLL-U needs --input=conllu");
	if ((tabs + 1 >= FEWEST && *line >= '0' && *line <= '9') || hp_columns_names(line, size))
		return hp_fail_at(err, name, number,
		                  "columns, expected an EDU a line: CoNLL-U and the like need --input=conllu");
	if (memmem(line, size, "_!", 2))
		return hp_fail_at(err, name, number, "\"_!\", expected an EDU without it: .dis trees need --input=dis");
	return 0;
}

static int check_edus(const source *s, hp_error *err)
{
	const char *end = s->block.text + s->block.size;
	long number = s->block.line;

	for (const char *p = s->block.text; p < end; number++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		if (check_edu(s, p, (size_t)((stop ? stop : end) - p), number, err) != 0)
			return HP_FAIL;
		p = stop != NULL ? stop + 1 : end;
	}
	return 0;
}

static int add_edus(source *s, hp_error *err)
{
	filter_item *item;

	if (check_edus(s, err) != 0 || make_room(s, s->block.size, &item, err) != 0)
		return HP_FAIL;
	char *lines = HP_NEW(s->f->arena, char, s->block.size + 1);
	if (!lines)
		return hp_fail_memory(err);
	memcpy(lines, s->block.text, s->block.size);
	return add_lines(s, item, lines, s->block.size, s->block.line, err);
}

/* ---- from CoNLL-U ---- */

static bool has_attribute(const hp_word *w, const char *name, const char *value)
{
	const char *p = w->col[HP_MISC], *end = p + w->len[HP_MISC];
	size_t n = strlen(name), v = strlen(value);

	while (p < end) {
		const char *stop = memchr(p, '|', (size_t)(end - p));
		size_t size = (size_t)((stop ? stop : end) - p);

		if (size >= n + v && memcmp(p, name, n) == 0 && memcmp(p + n, value, v) == 0 && (v == 0 || size == n + v))
			return true;
		p = stop != NULL ? stop + 1 : end;
	}
	return false;
}

/* Whether W begins an EDU: as GUM, DISRPT's two ways say it. */
static bool is_marked(const hp_word *w)
{
	return has_attribute(w, "Discourse=", "") || has_attribute(w, "Seg=", "B-seg") ||
	       has_attribute(w, "BeginSeg=", "Yes");
}

/* BEGINS[i]: whether word i + 1 does, or a multiword token right before it, whose first word it is. */
static void find_beginnings(const hp_sentence *b, bool *begins)
{
	hp_rows rows = hp_sentence_rows(b);
	bool before = false; /* the row before is a multiword token that is marked */
	hp_word row;

	for (int word = 0; word < b->words && hp_rows_next(&rows, &row);) {
		bool marked = is_marked(&row);

		if (memchr(row.col[HP_ID], '.', row.len[HP_ID])) {
			before = false;
		} else if (memchr(row.col[HP_ID], '-', row.len[HP_ID])) {
			before = marked;
		} else {
			begins[word++] = marked || before;
			before = false;
		}
	}
}

/* "# sent_id = ID" among the comments; its line, or NULL. */
static const char *id_line(const hp_sentence *b, size_t *size)
{
	size_t n = strlen(HP_EDUS_ID);
	const char *end = b->text + b->size;

	for (const char *p = b->text; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		*size = (size_t)((stop ? stop : end) - p);
		if (*size > n && memcmp(p, HP_EDUS_ID, n) == 0)
			return p;
		p = stop != NULL ? stop + 1 : end;
	}
	return NULL;
}

/* The words' tags, as far as the model wants them.  A FORM of blanks only has made no word. */
static int add_tags(const source *s, filter_item *item, hp_error *err)
{
	const hp_sentence *b = &s->block;
	const hp_model *m = s->f->model;
	int column = m != NULL ? hp_tag_column(m->pos) : 0;

	if (!m || m->pos == HP_POS_NONE || item->n != b->words)
		return 0;
	char *copy = HP_NEW(s->f->arena, char, b->size);
	if (!copy)
		return hp_fail_memory(err);
	memcpy(copy, b->text, b->size);
	for (int i = 0; i < b->words; i++) {
		const char *tag = b->word[i].col[column];
		item->sentence.word[i].col[column] = tag == hp_no_column ? tag : copy + (tag - b->text);
		item->sentence.word[i].len[column] = b->word[i].len[column];
	}
	return 0;
}

static int add_conllu(source *s, hp_error *err)
{
	const hp_sentence *b = &s->block;
	filter_item *item;
	size_t id;
	const char *comment = id_line(b, &id);

	if (b->words == 0)
		return add_text(s, b->text, b->size, NULL, err);
	if (make_room(s, b->size, &item, err) != 0)
		return HP_FAIL;
	/* Never longer than the rows. */
	char *lines = HP_NEW(s->f->arena, char, b->size + 1), *at = lines;
	bool *begins = HP_NEW(s->f->arena, bool, b->words);
	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	find_beginnings(b, begins);
	if (comment) {
		at = mempcpy(at, comment, id);
		*at++ = '\n';
	} else if (memchr(b->word[0].col[HP_FORM], '#', b->word[0].len[HP_FORM])) {
		*at++ = ' '; /* no id, whatever follows */
	}
	s->sentences++;
	for (int i = 0; i < b->words; i++) {
		const hp_word *w = &b->word[i];

		if (memmem(w->col[HP_FORM], w->len[HP_FORM], "_!", 2)) /* here, where the line is known */
			return hp_fail_at(err, hp_input_name(s->in), w->line, "\"_!\" in a FORM, which .dis notation cannot hold");
		s->marks += begins[i];
		if (i > 0)
			*at++ = begins[i] ? '\n' : ' ';
		for (uint32_t k = 0; k < w->len[HP_FORM]; k++) /* a blank inside a token would make two of it */
			if (w->col[HP_FORM][k] != ' ')
				*at++ = w->col[HP_FORM][k];
	}
	*at++ = '\n';
	if (add_lines(s, item, lines, (size_t)(at - lines), b->line, err) != 0)
		return HP_FAIL;
	return add_tags(s, item, err);
}

/* ---- from trees ---- */

static int add_tree(source *s, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	size_t size = t->id != NULL ? strlen(HP_EDUS_ID) + strlen(t->id) + 1 : 0;
	filter_item *item;

	for (int i = 0; i < t->edus; i++)
		size += t->edu[i].size + 1;
	if (make_room(s, size, &item, err) != 0)
		return HP_FAIL;
	const char **text = HP_NEW(s->f->arena, const char *, t->edus);
	if (!text)
		return hp_fail_memory(err);
	for (int i = 0; i < t->edus; i++)
		text[i] = t->edu[i].text;
	if (hp_edus_take(t->edus, text, (hp_edus_source){hp_input_name(s->in), t->line, 0, s->how->max_words}, s->f->arena,
	                 &item->edus, &item->sentence, err) != 0)
		return HP_FAIL;
	const char *lines = hp_edus_lines(t->id, t->edus, text, s->f->arena, &size);
	if (!lines)
		return hp_fail_memory(err);
	add_item(s, item, lines, size);
	return 0;
}

/* ---- reading ---- */

/* 1, 0 at the end, HP_FAIL. */
static int read_one(source *s, hp_error *err)
{
	if (s->trees)
		return hp_dis_read(s->trees, &s->tree, err);
	return hp_conllu_read(s->reader, &s->block, err);
}

static int add_one(source *s, hp_error *err)
{
	switch (s->how->kind) {
	case DISCOURSE_DIS:
		return add_tree(s, err);
	case DISCOURSE_CONLLU:
		return add_conllu(s, err);
	default:
		return add_edus(s, err);
	}
}

/* After trouble with the text: passes it on, if that is wanted and possible. */
static int go_on(source *s, hp_error *err)
{
	bool broken = s->trees != NULL ? hp_dis_broken(s->trees) : hp_conllu_broken(s->reader);
	const char *text = s->block.text;
	size_t size = s->block.size;

	if (!s->how->keep_going || broken || ferror(stdout))
		return HP_FAIL;
	const hp_error why = *err;
	s->f->status = cli_fail(&why);
	if (s->trees)
		text = hp_dis_text(s->trees, &size, NULL);
	return add_text(s, text, size, &why, err);
}

static int pause_or_go_on(source *s, hp_error *err)
{
	bool ready;
	int waited = 0, result;

	do {
		result = s->trees != NULL ? hp_dis_ready(s->trees, &ready, err) : hp_conllu_ready(s->reader, &ready, err);
		if (result != 0)
			return HP_FAIL;
	} while (!ready && filter_wait(s->in, &waited));
	if (ready)
		return 0;
	return run_batch(s, err) != 0 ? HP_FAIL : hp_stream_flush(s->f->out, err);
}

static int read_all(source *s, hp_error *err)
{
	for (;;) {
		int got = read_one(s, err);

		if (got == 0)
			return 0;
		if ((got < 0 || add_one(s, err) != 0) && go_on(s, err) != 0)
			return HP_FAIL;
		if (pause_or_go_on(s, err) != 0)
			return HP_FAIL;
	}
}

int discourse_embed(filter *f, const char *path, const discourse_text *how, hp_error *err)
{
	source s = {.f = f, .how = how};
	hp_error late;
	int result = hp_input_open(path, &s.in, err);

	hp_sentence_init(&s.block);
	hp_rst_tree_init(&s.tree);
	if (result == 0)
		result = how->kind == DISCOURSE_DIS
		             ? hp_dis_reader_new(s.in, &s.trees, err)
		             : hp_conllu_reader_new(s.in, how->kind == DISCOURSE_EDUS ? HP_TEXT_EDUS : HP_TEXT_CONLLU,
		                                    how->max_words, &s.reader, err);
	if (result == 0 && s.trees) {
		hp_dis_unlabelled(s.trees);
		hp_dis_on_warning(s.trees, cli_warn, NULL);
	}
	if (result == 0)
		result = read_all(&s, err);
	/* What came before trouble goes out first. */
	if (!ferror(stdout) && run_batch(&s, &late) != 0) {
		*err = late;
		result = HP_FAIL;
	}
	if (result == 0 && hp_masked_check(&s.masked, hp_input_name(s.in), &late) != 0)
		cli_fail(&late);
	if (result == 0 && s.sentences > 0 && s.marks == 0)
		cli_error("%s: no word is marked as the first one of an EDU (Discourse=, Seg=B-seg or BeginSeg=Yes in MISC): "
		          "every sentence is taken for one EDU",
		          hp_input_name(s.in));
	hp_dis_reader_destroy(s.trees);
	hp_conllu_reader_destroy(s.reader);
	hp_sentence_free(&s.block);
	hp_rst_tree_free(&s.tree);
	hp_input_close(s.in);
	return result;
}
