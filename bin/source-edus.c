/* source-edus.c: items from text for discourse models: a sentence as EDUs, from three kinds of text. */
#include <string.h>

#include "cli.h"
#include "source.h"
#include "text/marks.h"

/* A sentence of SIZE bytes has at most (SIZE + 1) / 2 tokens. */
int source_most_words(size_t size)
{
	size_t most = (size + 1) / 2;

	return most < FILTER_ROWS ? (int)most : FILTER_ROWS;
}

/* ITEM, whose EDUs and words are there, has TEXT (edus.h); all is in the filter's arena. */
static void take_words(source *s, filter_item *item, const char *text, size_t size)
{
	item->text = text;
	item->size = size;
	item->n = item->sentence.words;
	hp_masked_add(&s->masked, &item->sentence);
}

/* LINE: where ITEM begins. */
static int check_size(const source *s, const filter_item *item, long line, hp_error *err)
{
	int edus = item->edus.edus, most = s->f->embed.max_edus;

	return !s->documents || edus <= most ? 0
	                                     : hp_fail_at(err, hp_input_name(s->in), line,
	                                                  "a document of %d EDUs, more than %d (--max-edus)", edus, most);
}

int source_take_lines(source *s, filter_item *item, const char *text, size_t size, hp_edus_source from, hp_error *err)
{
	from.name = hp_input_name(s->in);
	from.max_words = s->f->embed.max_words;
	if (hp_edus_parse(text, size, from, s->f->arena, &item->edus, &item->sentence, err) != 0)
		return HP_FAIL;
	take_words(s, item, text, size);
	return check_size(s, item, from.line, err);
}

/* ---- from EDUs ---- */

static int open_edus(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_EDUS, err);
}

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

int source_check_edus(const source *s, hp_error *err)
{
	const char *end = s->next.sentence.text + s->next.sentence.size;
	long number = s->next.sentence.line;

	for (const char *p = s->next.sentence.text; p < end; number++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		if (check_edu(s, p, (size_t)((stop ? stop : end) - p), number, err) != 0)
			return HP_FAIL;
		p = stop != NULL ? stop + 1 : end;
	}
	return 0;
}

static int read_edus(source *s, hp_error *err)
{
	int got = source_read_block(s, err);

	s->next.n = source_most_words(s->next.size);
	return got > 0 && source_check_edus(s, err) != 0 ? HP_FAIL : got;
}

static int take_edus(source *s, filter_item *item, hp_error *err)
{
	size_t size = s->next.size;
	char *text;

	if (s->next.unparsed)
		return source_keep_block(s, item, err); /* passes as it is */
	text = HP_NEW(s->f->arena, char, size + 1);
	if (!text)
		return hp_fail_memory(err);
	memcpy(text, s->next.sentence.text, size);
	return source_take_lines(s, item, text, size, (hp_edus_source){.line = s->next.sentence.line, .step = 1}, err);
}

const source_kind source_edus = {.open = open_edus,
                                 .read = read_edus,
                                 .take = take_edus,
                                 .ready = source_blocks_ready,
                                 .goes_on = source_blocks_go_on,
                                 .finish = source_tell_masked,
                                 .close = source_close_blocks};

/* ---- from CoNLL-U ---- */

static int open_marked(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_CONLLU, err);
}

static int read_marked(source *s, hp_error *err)
{
	int got = source_read_block(s, err);

	s->next.n = source_most_words(s->next.size);
	return got;
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
static int take_tags(const source *s, filter_item *item, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
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

char *source_mark_lines(source *s, size_t *size, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	size_t id;
	const char *comment = id_line(b, &id);
	/* Never longer than the rows. */
	char *lines = HP_NEW(s->f->arena, char, b->size + 1), *at = lines;
	bool *begins = HP_NEW(s->f->arena, bool, b->words);

	if (hp_arena_failed(s->f->arena)) {
		(void)hp_fail_memory(err);
		return NULL;
	}
	hp_marks_read(b, begins);
	if (comment) {
		at = mempcpy(at, comment, id);
		*at++ = '\n';
	} else if (memchr(b->word[0].col[HP_FORM], '#', b->word[0].len[HP_FORM])) {
		*at++ = ' '; /* no id, whatever follows */
	}
	s->sentences++;
	for (int i = 0; i < b->words; i++) {
		const hp_word *w = &b->word[i];

		if (memmem(w->col[HP_FORM], w->len[HP_FORM], "_!", 2)) { /* here, where the line is known */
			(void)hp_fail_at(err, hp_input_name(s->in), w->line, "\"_!\" in a FORM, which .dis notation cannot hold");
			return NULL;
		}
		s->marks += begins[i];
		if (i > 0)
			*at++ = begins[i] ? '\n' : ' ';
		for (uint32_t k = 0; k < w->len[HP_FORM]; k++) /* a blank inside a token would make two of it */
			if (w->col[HP_FORM][k] != ' ')
				*at++ = w->col[HP_FORM][k];
	}
	*at++ = '\n';
	*size = (size_t)(at - lines);
	return lines;
}

static int take_marked(source *s, filter_item *item, hp_error *err)
{
	size_t size;
	const char *text;

	if (s->next.unparsed || s->next.sentence.words == 0)
		return source_keep_block(s, item, err); /* passes as it is */
	text = source_mark_lines(s, &size, err);
	if (!text ||
	    source_take_lines(s, item, text, size, (hp_edus_source){.line = s->next.sentence.line, .step = 1}, err) != 0)
		return HP_FAIL;
	return take_tags(s, item, err);
}

void source_finish_marked(source *s)
{
	source_tell_masked(s);
	if (s->sentences > 0 && s->marks == 0)
		cli_error("%s: no word is marked as the first one of an EDU (Discourse=, Seg=B-seg or BeginSeg=Yes in MISC): "
		          "every sentence is taken for one EDU",
		          hp_input_name(s->in));
}

const source_kind source_marked = {.open = open_marked,
                                   .read = read_marked,
                                   .take = take_marked,
                                   .ready = source_blocks_ready,
                                   .goes_on = source_blocks_go_on,
                                   .finish = source_finish_marked,
                                   .close = source_close_blocks};

/* ---- from trees ---- */

static int open_dis(source *s, hp_error *err)
{
	hp_rst_tree_init(&s->tree);
	if (hp_dis_reader_new(s->in, &s->trees, err) != 0)
		return HP_FAIL;
	hp_dis_unlabelled(s->trees);
	hp_dis_on_warning(s->trees, cli_warn, NULL);
	return 0;
}

static int read_dis(source *s, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	int got = hp_dis_read(s->trees, &s->tree, err);

	s->next = (filter_item){.n = 0};
	if (got > 0) {
		s->next.size = t->id ? strlen(HP_EDUS_ID) + strlen(t->id) + 1 : 0;
		for (int i = 0; i < t->edus; i++)
			s->next.size += t->edu[i].size + 1;
		s->next.n = source_most_words(s->next.size);
	}
	return got;
}

static bool dis_goes_on(source *s)
{
	s->next.text = hp_dis_text(s->trees, &s->next.size, NULL);
	return !hp_dis_broken(s->trees);
}

/* What is no tree passes as it is. */
static int take_no_tree(source *s, filter_item *item, hp_error *err)
{
	char *copy = HP_NEW(s->f->arena, char, s->next.size);

	item->unparsed = hp_arena_text(s->f->arena, s->next.unparsed);
	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	item->text = memcpy(copy, s->next.text, s->next.size);
	item->size = s->next.size;
	return 0;
}

/* Those of a document, for a model that knows documents; else the tree is one sentence, which is told at the end. */
static int take_sentences(const source *s, filter_item *item, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	int32_t *ends = HP_NEW(s->f->arena, int32_t, t->sents + 1);

	if (!ends)
		return hp_fail_memory(err);
	item->edus.document = true;
	item->edus.sents = t->sents;
	item->edus.sent_end = ends;
	for (int i = 0; i < t->sents; i++)
		ends[i] = t->sent_end[i];
	return 0;
}

static int take_dis(source *s, filter_item *item, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	const hp_edus_source from = {hp_input_name(s->in), t->line, 0, s->f->embed.max_words};
	hp_arena *arena = s->f->arena;
	const char **text, *lines;
	size_t size;

	if (s->next.unparsed)
		return take_no_tree(s, item, err);
	text = HP_NEW(arena, const char *, t->edus);
	if (!text)
		return hp_fail_memory(err);
	for (int i = 0; i < t->edus; i++)
		text[i] = t->edu[i].text;
	if (hp_edus_take(t->edus, text, from, arena, &item->edus, &item->sentence, err) != 0 ||
	    check_size(s, item, t->line, err) != 0)
		return HP_FAIL;
	item->edus.id = t->id;
	s->joined += t->sents > 1 && !s->documents;
	if (t->document && t->id && s->documents && take_sentences(s, item, err) != 0)
		return HP_FAIL;
	lines = hp_edus_lines(&item->edus, arena, &size);
	if (!lines)
		return hp_fail_memory(err);
	take_words(s, item, lines, size);
	return 0;
}

static void finish_dis(source *s)
{
	source_tell_masked(s);
	if (s->joined > 0)
		cli_error("%s: %ld document%s of several sentences, each parsed as if it were one sentence: model %s is for "
		          "sentences, expected one that was trained with document_layers",
		          hp_input_name(s->in), s->joined, hp_plural(s->joined), s->f->model ? s->f->model->id : "(none)");
}

static int dis_ready(source *s, bool *ready, hp_error *err)
{
	return hp_dis_ready(s->trees, ready, err);
}

static void close_dis(source *s)
{
	hp_dis_reader_destroy(s->trees);
	hp_rst_tree_free(&s->tree);
}

const source_kind source_dis = {.open = open_dis,
                                .read = read_dis,
                                .take = take_dis,
                                .ready = dis_ready,
                                .goes_on = dis_goes_on,
                                .finish = finish_dis,
                                .close = close_dis};
