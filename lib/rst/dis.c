/* dis.c: reads an input tree by tree; what is in a tree is dis_parse.c's business. */
#include "rst/dis.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/grow.h"
#include "io/sniff.h"
#include "rst/dis_parse.h"

#define TREE_LIMIT ((size_t)64 << 20)

struct hp_dis_reader {
	hp_input *in;
	hp_dis_scan scan;
	char *data; /* what was taken from the input: the last block, the one being collected, what follows */
	size_t start, at, size, capacity; /* the block begins at start and was scanned up to at */
	size_t line_at; /* where the line that is being scanned begins */
	size_t notes_at; /* where the comments and blank lines right before it begin */
	size_t last_start, last_size; /* the block read last */
	long line, last_line; /* of the first byte of the block, of the last block */
	bool done, end, unfinished;
	bool begun; /* a block was read */
	bool unlabelled; /* relations may be missing */
	hp_warn *warn; /* NULL: nobody is told */
	void *warn_arg;
	bool broken; /* ERR says why */
	hp_error err;
};

int hp_dis_reader_new(hp_input *in, hp_dis_reader **out, hp_error *err)
{
	hp_dis_reader *r = calloc(1, sizeof(*r));

	*out = r;
	if (!r)
		return hp_fail_memory(err);
	r->in = in;
	r->line = 1;
	hp_dis_scan_start(&r->scan);
	return 0;
}

void hp_dis_reader_destroy(hp_dis_reader *r)
{
	if (!r)
		return;
	free(r->data);
	free(r);
}

void hp_dis_unlabelled(hp_dis_reader *r)
{
	r->unlabelled = true;
}

void hp_dis_on_warning(hp_dis_reader *r, hp_warn *warn, void *arg)
{
	r->warn = warn;
	r->warn_arg = arg;
}

bool hp_dis_broken(const hp_dis_reader *r)
{
	return r->broken;
}

const char *hp_dis_text(const hp_dis_reader *r, size_t *size, long *line)
{
	*size = r->last_size;
	if (line)
		*line = r->last_line;
	return r->last_size > 0 ? r->data + r->last_start : "";
}

/* The line is complete: it may belong to what comes next. */
static void end_line(hp_dis_reader *r)
{
	const char *p = r->data + r->line_at, *end = r->data + r->at;

	while (p < end && hp_is_white(*p))
		p++;
	if (p < end && *p != '#')
		r->notes_at = r->at;
	r->line_at = r->at;
}

/* Scans what is buffered until the block is complete. */
static void scan(hp_dis_reader *r)
{
	while (r->at < r->size && !r->done) {
		char c = r->data[r->at++];

		switch (hp_dis_scan_byte(&r->scan, c)) {
		case HP_DIS_GO_ON:
			break;
		case HP_DIS_DONE:
			r->done = true;
			break;
		case HP_DIS_NEW_ROOT:
			r->at = r->notes_at;
			r->done = r->unfinished = true;
			break;
		}
		if (c == '\n')
			end_line(r);
	}
}

/* Drops what lies before the block.  Not while the last block may still be asked for. */
static void compact(hp_dis_reader *r)
{
	memmove(r->data, r->data + r->start, r->size - r->start);
	r->size -= r->start;
	r->at -= r->start;
	r->line_at -= r->start;
	r->notes_at -= r->start;
	r->start = 0;
	r->last_start = r->last_size = 0;
}

/* Whether what cannot be read, from the beginning on, is something else altogether. */
static int check_kind(hp_dis_reader *r, const char *text, size_t size)
{
	return r->begun ? 0 : hp_sniff(text, size, hp_input_name(r->in), "rhetorical trees", &r->err);
}

static int append(hp_dis_reader *r, const char *bytes, size_t size)
{
	if (r->start > 0)
		compact(r);
	if (r->size > TREE_LIMIT && check_kind(r, r->data, r->size) != 0)
		return HP_FAIL;
	if (r->size > TREE_LIMIT)
		return hp_fail_at(
			&r->err, hp_input_name(r->in), r->line, "%s of more than %zu MiB",
			r->scan.place == HP_DIS_BETWEEN || r->scan.place == HP_DIS_COMMENT ? "comments and blank lines" : "a tree",
			TREE_LIMIT >> 20);
	if (!hp_grow(&r->data, &r->capacity, r->size + size, 1))
		return hp_fail_memory(&r->err);
	memcpy(r->data + r->size, bytes, size);
	r->size += size;
	return 0;
}

/* Collects a block, to its end or (without WAIT) as far as the input has arrived. */
static int collect(hp_dis_reader *r, bool wait)
{
	scan(r);
	while (!r->done && !r->end) {
		const char *data;
		size_t size;

		if (hp_input_gather(r->in, 1, wait, &data, &size, &r->err) != 0)
			return HP_FAIL;
		if (size > 0) {
			if (append(r, data, size) != 0)
				return HP_FAIL;
			hp_input_skip(r->in, size);
			scan(r);
		} else if (hp_input_eof_seen(r->in)) {
			r->end = true;
		} else {
			return 0;
		}
	}
	return 0;
}

/* Hands out the block and makes ready for the next one. */
static void next_block(hp_dis_reader *r)
{
	r->last_start = r->start;
	r->last_size = r->at - r->start;
	r->last_line = r->line;
	for (size_t i = r->start; i < r->at; i++)
		r->line += r->data[i] == '\n';
	r->start = r->line_at = r->notes_at = r->at;
	r->done = false;
	hp_dis_scan_start(&r->scan);
}

int hp_dis_read(hp_dis_reader *r, hp_rst_tree *t, hp_error *err)
{
	hp_dis_block block = {.name = hp_input_name(r->in), .unlabelled = r->unlabelled};
	int status;

	if (!r->broken && collect(r, true) != 0)
		r->broken = true;
	if (r->broken) {
		if (err)
			*err = r->err;
		return HP_FAIL;
	}
	block.unfinished = r->unfinished;
	r->unfinished = false;
	next_block(r);
	block.text = hp_dis_text(r, &block.size, &block.line);
	status = hp_dis_parse_block(&block, t, err);
	if (status == 1 && block.warnings > 0 && r->warn)
		r->warn(r->warn_arg, &block.warning);
	if (status == HP_FAIL && check_kind(r, block.text, block.size) != 0) {
		r->broken = true;
		if (err)
			*err = r->err;
	}
	r->begun = true;
	return status;
}

int hp_dis_ready(hp_dis_reader *r, bool *ready, hp_error *err)
{
	(void)err; /* hp_dis_read reports what goes wrong here */
	if (!r->broken && collect(r, false) != 0)
		r->broken = true;
	*ready = r->done || r->end || r->broken;
	return 0;
}
