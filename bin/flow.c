/* flow.c: the loop of every filter: items are read into a batch until it is full or the input pauses; then the batch is
 * computed, written and flushed. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "source.h"
#include "unparsed.h"

/* ---- the batch ---- */

void flow_clear(filter *f)
{
	filter_batch *b = &f->batch;

	for (int i = 0; i < b->items; i++) {
		filter_item *item = &b->item[i];

		hp_safetensors_close(item->record);
		item->record = NULL;
		/* A giant sentence is not kept for the rest of the day. */
		if (item->sentence.text_capacity > FILTER_BYTES / FILTER_SENTENCES) {
			hp_sentence_free(&item->sentence);
			hp_sentence_init(&item->sentence);
		}
	}
	for (int i = 0; i < RECORD_FIELDS; i++)
		b->column[i].used = b->column[i].at = 0;
	b->items = b->count = 0;
	b->rows = b->bytes = 0;
	if (f->arena)
		hp_arena_reset(f->arena);
}

/* The tree that a block which passes unparsed may hold must not be taken for one of ours. */
static int print_text(const filter *f, const filter_item *item, hp_error *err)
{
	const hp_tensor *text = item->record ? hp_safetensors_find(item->record, "text") : NULL;
	const char *bytes = text ? text->data : item->text;
	size_t size = text ? text->bytes : item->size;
	char why[sizeof(err->text)];

	if (size == 0 || (item->record && !text) || !hp_rst_notation_place((hp_rst_notation)f->notation).remarks)
		return 0;
	size_t skip = 0;

	if (item->unparsed)
		hp_escape(why, sizeof(why), item->unparsed);
	if (item->unparsed && filter_task_of(f) == &filter_rst) {
		unparsed_write_discourse(bytes, size, why, stdout);
		return ferror(stdout) ? hp_fail_errno(err, cli_output_name()) : 0;
	}
	if (text && item->unparsed && unparsed_tree(bytes, size, hp_safetensors_meta(item->record, "columns"))) {
		printf("%s%s\n", HP_UNPARSED, why);
		skip = hp_unparsed_size(bytes, size);
	}
	fwrite(bytes + skip, 1, size - skip, stdout);
	fputs(bytes[size - 1] == '\n' ? "\n" : "\n\n", stdout);
	return ferror(stdout) ? hp_fail_errno(err, cli_output_name()) : 0;
}

static int write_item(filter *f, filter_item *item, hp_error *err)
{
	if (item->unparsed)
		f->status = CLI_FAILED;
	if (item->n > 0 && record_check_made(f, item, err) != 0)
		return HP_FAIL;
	if (f->out)
		return record_write(f, item, err);
	if (item->begins)
		printf("# newdoc id = %s\n", item->begins);
	return item->n > 0 ? filter_step_of(f)->print(f, item, err) : print_text(f, item, err);
}

/* A sentence, once for each of its trees. */
static int write_trees(filter *f, filter_item *item, hp_error *err)
{
	int most = filter_trees(f);

	for (int k = 0; k < most; k++) {
		if (f->nbest > 0)
			item->rank = k + 1;
		if ((k == 0 || k < item->found) && write_item(f, item, err) != 0)
			return HP_FAIL;
		record_next(f, item, k == most - 1);
	}
	return 0;
}

int flow_run_batch(filter *f, hp_error *err)
{
	filter_batch *b = &f->batch;
	int result = 0;

	if (b->count > 0 && (record_make(f, err) != 0 || filter_step_of(f)->compute(f, err) != 0))
		result = HP_FAIL;
	for (int i = 0; i < b->items && result == 0; i++)
		result = b->item[i].n > 0 ? write_trees(f, &b->item[i], err) : write_item(f, &b->item[i], err);
	flow_clear(f);
	return result;
}

/* A free item, once N positions and BYTES of text find room. */
static int make_room(filter *f, int n, size_t bytes, filter_item **item, hp_error *err)
{
	const filter_batch *b = &f->batch;
	size_t rows = b->rows + (size_t)n;
	bool room = b->items == 0 || (b->items < FILTER_SENTENCES && rows <= FILTER_ROWS &&
	                              rows * (size_t)filter_trees(f) <= FILTER_RESULTS && b->bytes + bytes <= FILTER_BYTES);

	if (!room && flow_run_batch(f, err) != 0)
		return HP_FAIL;
	filter_item *free_one = &f->batch.item[b->items];
	*free_one = (filter_item){.sentence = free_one->sentence};
	*item = free_one;
	return 0;
}

static void add(filter_batch *b, const filter_item *item)
{
	if (item->n > 0)
		b->n[b->count++] = item->n;
	b->rows += (size_t)item->n;
	b->bytes += item->size;
	b->items++;
}

/* ---- the loop ---- */

/* After trouble with a text: passes it on as it is, if that is wanted and possible. */
static int go_on(source *s, hp_error *err)
{
	filter *f = s->f;
	const hp_error why = *err;
	filter_item *item;

	if (!s->kind->goes_on || !f->embed.keep_going || ferror(stdout) || !s->kind->goes_on(s))
		return HP_FAIL;
	f->status = cli_fail(&why);
	if (s->next.size == 0)
		return 0;
	s->next.unparsed = why.text;
	s->next.n = 0;
	if (make_room(f, 0, s->next.size, &item, err) != 0 || s->kind->take(s, item, err) != 0)
		return HP_FAIL;
	add(&f->batch, item);
	return 0;
}

/* Reads one item.  *MORE is false at the end. */
static int read_item(source *s, bool *more, hp_error *err)
{
	filter_item *item;
	int got = s->kind->read(s, err);

	*more = got != SOURCE_END;
	if (got == SOURCE_END || got == SOURCE_NOTHING)
		return 0;
	if (got == HP_FAIL)
		return go_on(s, err);
	if (make_room(s->f, s->next.n, s->next.size, &item, err) != 0)
		return HP_FAIL;
	if (s->kind->take(s, item, err) != 0)
		return go_on(s, err);
	add(&s->f->batch, item);
	return 0;
}

/* Whether something comes in a moment: a writer that is being scheduled just now, or is in the middle of a record, must not
 * cost us our batch.  *WAITED (begin with 0) bounds the sum. */
static bool wait_a_moment(const hp_input *in, int *waited)
{
	enum { MOMENT = 2, LIMIT = 20 }; /* milliseconds */
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};

	if (strcmp(hp_input_name(in), "<stdin>") != 0 || *waited >= LIMIT)
		return false;
	(*waited)++;
	return poll(&fd, 1, MOMENT) > 0;
}

/* Computes what came, unless more is about to come. */
static int pause_or_go_on(source *s, hp_error *err)
{
	filter *f = s->f;
	bool ready;
	int waited = 0;

	do {
		if (s->kind->ready(s, &ready, err) != 0)
			return HP_FAIL;
	} while (!ready && wait_a_moment(s->in, &waited));
	if (ready)
		return 0;
	if (flow_run_batch(f, err) != 0)
		return HP_FAIL;
	if (f->out)
		return hp_stream_flush(f->out, err);
	return fflush(stdout) != 0 ? hp_fail_errno(err, cli_output_name()) : 0;
}

/* Where the items of the filter come from. */
static const source_kind *kind_of(const filter *f, bool documents)
{
	if (filter_tags(f))
		return &source_sentences;
	if (f->stage != FILTER_EMBED)
		return &source_stream;
	if (filter_task_of(f) == &filter_dep)
		return &source_sentences;
	if (f->embed.input == INPUT_DIS)
		return &source_dis;
	if (f->embed.input == INPUT_CONLLU)
		return documents ? &source_marked_documents : &source_marked;
	return documents ? &source_edu_documents : &source_edus;
}

int flow_file(filter *f, const char *path, hp_error *err)
{
	bool documents = f->model && f->model->config.document_layers;
	source s = {.f = f, .kind = kind_of(f, documents), .documents = documents};
	hp_error late;
	bool more = true;
	int result = hp_input_open(path, &s.in, err);

	if (result == 0) {
		f->input = hp_input_name(s.in);
		result = s.kind->open(&s, err);
	}
	while (result == 0 && more) {
		result = read_item(&s, &more, err);
		if (result == 0 && more)
			result = pause_or_go_on(&s, err);
	}
	/* What came before trouble goes out first. */
	if (!ferror(stdout) && flow_run_batch(f, &late) != 0) {
		*err = late;
		result = HP_FAIL;
	}
	if (result == 0 && s.kind->finish)
		s.kind->finish(&s);
	s.kind->close(&s);
	hp_input_close(s.in);
	return result;
}
