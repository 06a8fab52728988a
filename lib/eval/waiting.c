/* waiting.c: trees that wait, as the text that they were read from: a fraction of a tree's memory. */
#include "eval/waiting.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>
#include <utlist.h>

struct entry {
	struct entry *prev, *next; /* in the order of the file */
	struct entry *prev_same, *next_same; /* of the same characters */
	char *id; /* NULL: unknown */
	long line; /* of the tree */
	char *text; /* with the comments before it */
	size_t size;
	long text_line;
};

/* All trees of the same characters. */
struct queue {
	UT_hash_handle hh;
	char *characters;
	struct entry *entries;
};

struct hp_waiting {
	const char *name;
	int64_t count;
	struct entry *entries;
	struct queue *queues;
};

hp_waiting *hp_waiting_new(const char *name)
{
	hp_waiting *w = calloc(1, sizeof *w);

	if (w)
		w->name = name;
	return w;
}

static void free_entry(struct entry *e)
{
	free(e->id);
	free(e->text);
	free(e);
}

static void free_queue(struct queue *q)
{
	free(q->characters);
	free(q);
}

void hp_waiting_destroy(hp_waiting *w)
{
	struct entry *next;
	struct queue *q, *next_queue;

	if (!w)
		return;
	for (struct entry *e = w->entries; e; e = next) {
		next = e->next;
		free_entry(e);
	}
	HASH_ITER(hh, w->queues, q, next_queue)
	{
		HASH_DEL(w->queues, q);
		free_queue(q);
	}
	free(w);
}

int64_t hp_waiting_count(const hp_waiting *w)
{
	return w->count;
}

/* ---- in ---- */

static struct queue *queue_of(const hp_waiting *w, const char *characters)
{
	struct queue *q;

	HASH_FIND_STR(w->queues, characters, q);
	return q;
}

static struct queue *add_queue(hp_waiting *w, const char *characters)
{
	struct queue *q = calloc(1, sizeof *q);

	if (!q)
		return NULL;
	q->characters = strdup(characters);
	if (q->characters)
		HASH_ADD_KEYPTR(hh, w->queues, q->characters, strlen(q->characters), q);
	if (!q->characters || !q->hh.tbl) {
		free_queue(q);
		return NULL;
	}
	return q;
}

static struct entry *make_entry(const hp_dis_reader *reader, const hp_rst_tree *t)
{
	struct entry *e = calloc(1, sizeof *e);
	const char *text;

	if (!e)
		return NULL;
	text = hp_dis_text(reader, &e->size, &e->text_line);
	e->line = t->line;
	e->text = malloc(e->size + 1);
	e->id = t->id ? strdup(t->id) : NULL;
	if (!e->text || (t->id && !e->id)) {
		free_entry(e);
		return NULL;
	}
	memcpy(e->text, text, e->size);
	return e;
}

int hp_waiting_add(hp_waiting *w, const hp_dis_reader *reader, const hp_rst_tree *t, const char *characters,
                   hp_error *err)
{
	struct entry *e = make_entry(reader, t);
	struct queue *q = e ? queue_of(w, characters) : NULL;

	if (e && !q)
		q = add_queue(w, characters);
	if (!q) {
		if (e)
			free_entry(e);
		return hp_fail_memory(err);
	}
	DL_APPEND(w->entries, e);
	DL_APPEND2(q->entries, e, prev_same, next_same);
	w->count++;
	return 0;
}

/* ---- out ---- */

static int read_entry(const hp_waiting *w, const struct entry *e, hp_rst_tree *t, hp_error *err)
{
	return hp_dis_parse(t, e->text, e->size, w->name, e->text_line, err) ? HP_FAIL : 1;
}

int hp_waiting_take(hp_waiting *w, const char *characters, const char *id, bool any, hp_rst_tree *t, hp_error *err)
{
	struct queue *q = queue_of(w, characters);
	struct entry *e = q ? q->entries : NULL;
	int status;

	while (e && !any && id && e->id && strcmp(e->id, id))
		e = e->next_same;
	if (!e)
		return 0;
	DL_DELETE(w->entries, e);
	DL_DELETE2(q->entries, e, prev_same, next_same);
	if (!q->entries) {
		HASH_DEL(w->queues, q);
		free_queue(q);
	}
	w->count--;
	status = read_entry(w, e, t, err);
	free_entry(e);
	return status;
}

int hp_waiting_show(const hp_waiting *w, const char *id, long line, hp_rst_tree *t, hp_error *err)
{
	const struct entry *e;

	DL_FOREACH(w->entries, e)
	if (id ? e->id && !strcmp(e->id, id) : e->line > line)
		return read_entry(w, e, t, err);
	return 0;
}
