#include "eval/rst_aligned.h"

#include <stdlib.h>
#include <string.h>
#include "eval/aligned.h"
#include "eval/parseval.h"
#include "rst/dis.h"

struct file {
	hp_dis_reader *reader;
	const char *name;
	hp_rst_tree tree; /* as it was read */
	hp_rst_tree binary; /* unused with keep_nary */
	long last_line; /* of the last EDU read, for the message about a file that ends too soon */
};

struct hp_rst_aligned {
	int files;
	bool keep_nary;
	int64_t sentences, single;
	struct file file[HP_ALIGNED_FILES];
};

int hp_rst_aligned_new(hp_input *const *in, int files, bool keep_nary, hp_rst_aligned **out, hp_error *err)
{
	hp_rst_aligned *a = calloc(1, sizeof *a);

	*out = NULL;
	if (!a)
		return hp_fail_memory(err);
	a->files = files;
	a->keep_nary = keep_nary;
	for (int i = 0; i < files; i++) {
		struct file *f = &a->file[i];

		hp_rst_tree_init(&f->tree);
		hp_rst_tree_init(&f->binary);
		f->name = hp_input_name(in[i]);
		f->last_line = 1;
	}
	for (int i = 0; i < files; i++)
		if (hp_dis_reader_new(in[i], &a->file[i].reader, err)) {
			hp_rst_aligned_destroy(a);
			return HP_FAIL;
		}
	*out = a;
	return 0;
}

void hp_rst_aligned_destroy(hp_rst_aligned *a)
{
	if (!a)
		return;
	for (int i = 0; i < a->files; i++) {
		struct file *f = &a->file[i];

		hp_dis_reader_destroy(f->reader);
		hp_rst_tree_free(&f->tree);
		hp_rst_tree_free(&f->binary);
	}
	free(a);
}

const hp_rst_tree *hp_rst_aligned_tree(const hp_rst_aligned *a, int file)
{
	return a->keep_nary ? &a->file[file].tree : &a->file[file].binary;
}

int64_t hp_rst_aligned_sentences(const hp_rst_aligned *a)
{
	return a->sentences;
}

int64_t hp_rst_aligned_single(const hp_rst_aligned *a)
{
	return a->single;
}

static long line_of(const struct file *f, int edu)
{
	long line = edu < f->tree.edus ? f->tree.edu[edu].line : 0;

	return line ? line : f->tree.line;
}

static int read_tree(struct file *f, hp_error *err)
{
	int got;

	do
		got = hp_dis_read(f->reader, &f->tree, err);
	while (got > 0 && !f->tree.edus);
	if (got > 0)
		f->last_line = line_of(f, f->tree.edus - 1);
	return got;
}

static int check_edus(const struct file *gold, const struct file *system, hp_error *err)
{
	int common = gold->tree.edus < system->tree.edus ? gold->tree.edus : system->tree.edus;

	for (int i = 0; i < common; i++) {
		const hp_rst_edu *g = &gold->tree.edu[i], *s = &system->tree.edu[i];

		if (!hp_forms_equal(g->text, g->size, s->text, s->size))
			return hp_fail_at(err, gold->name, line_of(gold, i),
			                  "EDU '%.*s' does not align with '%.*s' at %s:%ld",
			                  hp_shown(g->text, g->size), g->text, hp_shown(s->text, s->size), s->text,
			                  system->name, line_of(system, i));
	}
	if (gold->tree.edus != system->tree.edus)
		return hp_fail_at(err, gold->name, line_of(gold, 0),
		                  "a sentence of %d EDUs does not align with one of %d at %s:%ld", gold->tree.edus,
		                  system->tree.edus, system->name, line_of(system, 0));
	return 0;
}

/* Reads a tree of every file.  Returns 1, 0 or HP_FAIL. */
static int read_trees(hp_rst_aligned *a, hp_error *err)
{
	const struct file *gold = &a->file[0];
	int first = read_tree(&a->file[0], err);

	if (first < 0)
		return HP_FAIL;
	for (int i = 1; i < a->files; i++) {
		struct file *f = &a->file[i];
		int got = read_tree(f, err);

		if (got < 0)
			return HP_FAIL;
		if (!first != !got && !a->sentences)
			return hp_fail(err, "%s: no sentences", first ? f->name : gold->name);
		if (first && !got)
			return hp_fail_at(err, gold->name, line_of(gold, 0),
			                  "a sentence without counterpart: the last one ends at %s:%ld", f->name,
			                  f->last_line);
		if (!first && got)
			return hp_fail_at(err, gold->name, gold->last_line,
			                  "the last sentence ends here, but one more begins at %s:%ld", f->name,
			                  line_of(f, 0));
		if (first && check_edus(gold, f, err))
			return HP_FAIL;
	}
	return first;
}

static int binarise(struct file *f, hp_error *err)
{
	hp_rst_binary *b;
	int status = hp_rst_binary_new(&f->tree, &b, err);

	if (status)
		return HP_FAIL;
	status = hp_rst_binary_tree(b, &f->binary, err);
	hp_rst_binary_destroy(b);
	return status;
}

int hp_rst_aligned_next(hp_rst_aligned *a, hp_error *err)
{
	int got;

	while ((got = read_trees(a, err)) > 0 && a->file[0].tree.edus == 1)
		a->single++;
	if (got <= 0)
		return got;
	for (int i = 0; i < a->files; i++) {
		if (a->keep_nary)
			hp_rst_name_nuclei(&a->file[i].tree);
		else if (binarise(&a->file[i], err))
			return HP_FAIL;
	}
	a->sentences++;
	return 1;
}

/* ---- what a file holds ---- */

enum { SNIFFED = 1 << 20 };

/* The first character of the first line that is no comment and not blank, or '\0' if it is not among these bytes. */
static char first_character(const char *s, const char *end)
{
	if (end - s >= 3 && !memcmp(s, "\xef\xbb\xbf", 3))
		s += 3;
	while (s < end) {
		const char *newline;

		while (s < end && strchr(" \t\r\n", *s) && *s)
			s++;
		if (s == end || *s != '#')
			break;
		newline = memchr(s, '\n', end - s);
		s = newline ? newline : end;
	}
	return s < end ? *s : '\0';
}

int hp_input_is_dis(hp_input *in, bool *is_dis, hp_error *err)
{
	*is_dis = false;
	for (size_t want = 64;; want *= 2) {
		const char *data;
		size_t size;
		char c;

		if (hp_input_peek(in, want, &data, &size, err))
			return HP_FAIL;
		c = first_character(data, data + size);
		*is_dis = c == '(';
		if (c || size < want || want >= SNIFFED)
			return 0;
		if (size > want)
			want = size;
	}
}
