/* aligned_edus.c: finds for each gold tree those of the systems. */
#include "eval/aligned_edus.h"

#include <stdlib.h>
#include <string.h>
#include "eval/apart.h"
#include "base/utf8.h"
#include "eval/tally.h"
#include "eval/waiting.h"
#include "rst/dis.h"

struct file {
	hp_dis_reader *reader;
	const char *name;
	hp_rst_tree tree; /* as it was read */
	hp_rst_tree binary; /* unused with keep_nary */
	char *characters; /* of the tree */
	long last_line; /* of the last EDU read, for the message about a file that ends too soon */
	bool any; /* a tree has been read */
	/* systems only */
	hp_waiting *waiting; /* trees before the one that belongs to the last gold tree */
	long paired; /* line of that one */
	int64_t unparsed;
	int64_t left; /* at the end: trees that are not in the gold file */
};

struct hp_aligned_edus {
	int files;
	bool keep_nary, end_to_end;
	int64_t single; /* sentences of one EDU */
	struct file file[HP_EVAL_FILES];
};

int hp_aligned_edus_new(hp_input *const *in, int files, bool keep_nary, hp_aligned_edus **out, hp_error *err)
{
	hp_aligned_edus *a = calloc(1, sizeof *a);

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
	for (int i = 0; i < files; i++) {
		struct file *f = &a->file[i];
		int status = hp_dis_reader_new(in[i], &f->reader, err);

		if (!status && !(f->waiting = hp_waiting_new(f->name)))
			status = hp_fail_memory(err);
		if (status) {
			hp_aligned_edus_destroy(a);
			return HP_FAIL;
		}
	}
	*out = a;
	return 0;
}

void hp_aligned_edus_destroy(hp_aligned_edus *a)
{
	if (!a)
		return;
	for (int i = 0; i < a->files; i++) {
		struct file *f = &a->file[i];

		hp_dis_reader_destroy(f->reader);
		hp_rst_tree_free(&f->tree);
		hp_rst_tree_free(&f->binary);
		hp_waiting_destroy(f->waiting);
		free(f->characters);
	}
	free(a);
}

void hp_aligned_edus_on_warning(hp_aligned_edus *a, hp_warn *warn, void *arg)
{
	for (int i = 0; i < a->files; i++)
		hp_dis_on_warning(a->file[i].reader, warn, arg);
}

void hp_aligned_edus_end_to_end(hp_aligned_edus *a)
{
	a->end_to_end = true;
}

const hp_rst_tree *hp_aligned_edus_tree(const hp_aligned_edus *a, int file)
{
	return a->keep_nary ? &a->file[file].tree : &a->file[file].binary;
}

int64_t hp_aligned_edus_single(const hp_aligned_edus *a)
{
	return a->single;
}

int64_t hp_aligned_edus_unparsed(const hp_aligned_edus *a, int file)
{
	return a->file[file].unparsed;
}

int64_t hp_aligned_edus_left(const hp_aligned_edus *a, int file)
{
	return a->file[file].left;
}

static long line_of(const struct file *f, int edu)
{
	long line = edu < f->tree.edus ? f->tree.edu[edu].line : 0;

	return line ? line : f->tree.line;
}

/* Copies an EDU's characters, white space apart; returns where they end. */
static char *copy_characters(const hp_rst_edu *edu, char *to)
{
	const char *p = edu->text, *end = p + edu->size;

	while (p < end) {
		bool ascii = (unsigned char)*p < 0x80;
		int space = ascii ? *p == ' ' : hp_utf8_white(p, (size_t)(end - p));

		if (space > 0)
			p += space;
		else
			*to++ = *p++;
	}
	return to;
}

/* What T is found by: the characters of its EDUs, one after another.  NULL: out of memory. */
static char *characters_of(const hp_rst_tree *t)
{
	size_t size = 0;
	char *characters, *to;

	for (int i = 0; i < t->edus; i++)
		size += t->edu[i].size;
	characters = malloc(size + 1);
	if (!characters)
		return NULL;
	to = characters;
	for (int i = 0; i < t->edus; i++)
		to = copy_characters(&t->edu[i], to);
	*to = '\0';
	return characters;
}

/* Makes the nodes of T those of characters. */
static int count_characters(hp_rst_tree *t, hp_error *err)
{
	char *characters = characters_of(t), *to = characters;
	int32_t *start = calloc((size_t)t->edus + 1, sizeof *start);
	int status = characters && start ? 0 : hp_fail_memory(err);

	for (int i = 0; i < t->edus && !status; i++) {
		to = copy_characters(&t->edu[i], to);
		start[i + 1] = (int32_t)(to - characters);
	}
	for (int i = 0; i < t->nodes && !status; i++) {
		t->node[i].first = start[t->node[i].first];
		t->node[i].last = start[t->node[i].last + 1] - 1;
	}
	free(characters);
	free(start);
	return status;
}

static int read_tree(struct file *f, hp_error *err)
{
	int got;

	do
		got = hp_dis_read(f->reader, &f->tree, err);
	while (got > 0 && !f->tree.edus);
	if (got <= 0)
		return got;
	f->any = true;
	f->last_line = line_of(f, f->tree.edus - 1);
	free(f->characters);
	f->characters = characters_of(&f->tree);
	return f->characters ? got : hp_fail_memory(err);
}

static int check_edus(const struct file *gold, const struct file *system, hp_error *err)
{
	int common = gold->tree.edus < system->tree.edus ? gold->tree.edus : system->tree.edus;

	for (int i = 0; i < common; i++) {
		const hp_rst_edu *g = &gold->tree.edu[i], *s = &system->tree.edu[i];

		if (!hp_utf8_same(g->text, g->size, s->text, s->size))
			return hp_fail_apart(err, "EDU", (hp_passage){gold->name, line_of(gold, i), g->text, g->size},
			                     (hp_passage){system->name, line_of(system, i), s->text, s->size});
	}
	if (gold->tree.edus != system->tree.edus)
		return hp_fail_at(err, gold->name, line_of(gold, 0),
		                  "a sentence of %d EDUs does not align with one of %d at %s:%ld", gold->tree.edus,
		                  system->tree.edus, system->name, line_of(system, 0));
	return 0;
}

/* Whether the tree read last is the gold one's: an id that is not known fits any. */
static bool belongs(const struct file *gold, const struct file *f)
{
	const char *a = gold->tree.id, *b = f->tree.id;

	return !strcmp(gold->characters, f->characters) && (!a || !b || !strcmp(a, b));
}

/* Makes F->tree the one that belongs to the gold tree.  Returns 1, 0 if there is none, or HP_FAIL.  An id decides between
 * trees of the same characters, but does not part what is the same: other programs may count sentences otherwise. */
static int find_partner(const struct file *gold, struct file *f, hp_error *err)
{
	int got = hp_waiting_take(f->waiting, gold->characters, gold->tree.id, false, &f->tree, err);

	while (!got && (got = read_tree(f, err)) > 0 && !belongs(gold, f))
		got = hp_waiting_add(f->waiting, f->reader, &f->tree, f->characters, err);
	if (!got)
		got = hp_waiting_take(f->waiting, gold->characters, gold->tree.id, true, &f->tree, err);
	if (got > 0)
		f->paired = f->tree.line;
	return got;
}

/* Why F has no tree for the gold one, of which other trees are told that by id or place should be the same. */
static int no_partner(const hp_aligned_edus *a, struct file *f, hp_error *err)
{
	const struct file *gold = &a->file[0];
	const char *id = gold->tree.id;
	int got;

	if (a->end_to_end)
		return hp_fail_at(err, gold->name, line_of(gold, 0), "no tree of the text that begins with '%.*s' in %s",
		                  hp_utf8_shown(gold->tree.edu[0].text, gold->tree.edu[0].size), gold->tree.edu[0].text,
		                  f->name);
	got = id ? hp_waiting_show(f->waiting, id, 0, &f->tree, err) : 0;

	if (got > 0)
		return check_edus(gold, f, err);
	if (!got)
		got = hp_waiting_show(f->waiting, NULL, f->paired, &f->tree, err);
	if (got < 0)
		return HP_FAIL;
	if (got && !(id && f->tree.id))
		return check_edus(gold, f, err);
	if (id && hp_waiting_count(f->waiting) > 0)
		return hp_fail_at(err, gold->name, line_of(gold, 0), "sentence '%.*s' has no counterpart in %s",
		                  hp_utf8_shown(id, strlen(id)), id, f->name);
	return hp_fail_at(err, gold->name, line_of(gold, 0), "a sentence without counterpart: the last one ends at %s:%ld",
	                  f->name, f->last_line);
}

/* Reads F to its end. */
static int count_left(struct file *f, hp_error *err)
{
	int got;

	f->left = hp_waiting_count(f->waiting);
	while ((got = read_tree(f, err)) > 0)
		f->left++;
	return got;
}

/* The text is the same: there is another way to score. */
static int name_end_to_end(hp_error *err)
{
	static const char advice[] = "; hp-eval --end-to-end scores other EDUs of the same text";
	size_t size = err ? strlen(err->text) : 0;

	if (err && sizeof err->text - size >= sizeof advice)
		memcpy(err->text + size, advice, sizeof advice);
	return HP_FAIL;
}

/* Finds a tree of every file.  Returns 1, 0 or HP_FAIL. */
static int read_trees(hp_aligned_edus *a, hp_error *err)
{
	const struct file *gold = &a->file[0];
	int first = read_tree(&a->file[0], err);

	if (first < 0 || (!first && !gold->any))
		return first;
	for (int i = 1; i < a->files; i++) {
		struct file *f = &a->file[i];
		int got = first ? find_partner(gold, f, err) : count_left(f, err);

		if (got < 0)
			return HP_FAIL;
		if (first && !got)
			return f->any ? no_partner(a, f, err) : hp_fail(err, "%s: no sentences", f->name);
		if (first && !a->end_to_end && check_edus(gold, f, err))
			return name_end_to_end(err);
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

/* T's nodes are over no EDUs that nodes of a gold tree are over. */
static void lose_nodes(hp_rst_tree *t)
{
	for (int i = 0; i < t->nodes; i++)
		t->node[i].first = -1;
}

int hp_aligned_edus_next(hp_aligned_edus *a, hp_error *err)
{
	int got;

	while ((got = read_trees(a, err)) > 0 && a->file[0].tree.edus == 1 && !a->end_to_end)
		a->single++;
	if (got <= 0)
		return got;
	for (int i = 0; i < a->files; i++) {
		if (a->keep_nary)
			hp_rst_name_nuclei(&a->file[i].tree);
		else if (binarise(&a->file[i], err))
			return HP_FAIL;
		hp_rst_tree *t = a->keep_nary ? &a->file[i].tree : &a->file[i].binary;
		if (a->end_to_end && count_characters(t, err))
			return HP_FAIL;
		if (i > 0 && a->file[i].tree.unparsed) {
			a->file[i].unparsed++;
			lose_nodes(t);
		}
	}
	return 1;
}
