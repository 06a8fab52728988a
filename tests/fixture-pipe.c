/* fixture-pipe: makes of a conformance fixture what the filters need to be held against the reference.
 *
 *	fixture-pipe FIXTURE FOLDER
 *
 * writes FOLDER/model.safetensors with the fixture's parameters, FOLDER/stream with its embeddings as somebody else's
 * program would send them, and FOLDER/beam1 and beam4: a line "number head label" for each word of the reference's
 * trees, an empty line after each sentence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "pointer/config.h"
#include "io/stream.h"

static hp_error err;
static hp_arena *arena;

static void check(int result)
{
	if (result == 0)
		return;
	fprintf(stderr, "fixture-pipe: %s\n", err.text);
	exit(1);
}

static FILE *create(const char *folder, const char *name)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		exit(1);
	}
	return out;
}

/* COUNT entries: the two that are reserved if RESERVED, then PREFIX0, PREFIX1, ... */
static void add_vocab(hp_st_writer *w, const char *name, bool reserved, const char *prefix, int count)
{
	char *text = HP_NEW(arena, char, 24 * (size_t)count);
	size_t size = 0;

	for (int i = 0; i < count; i++) {
		size += (size_t)sprintf(text + size, "%s", i > 0 ? "\n" : "");
		if (reserved && i < 2)
			size += (size_t)sprintf(text + size, "%s", i == 0 ? "<root>" : "<unk>");
		else
			size += (size_t)sprintf(text + size, "%s%d", prefix, i);
	}
	int64_t shape = (int64_t)size;
	check(hp_st_writer_tensor(w, name, HP_U8, 1, &shape, text, &err));
}

static void write_model(const hp_safetensors *fixture, const hp_net_config *c, const char *folder)
{
	hp_st_writer *w = hp_st_writer_new();
	char path[4096];

	check(hp_config_write(c, w, &err));
	check(hp_st_writer_meta(w, "task", "dep", &err));
	check(hp_st_writer_meta(w, "model_id", "fixture", &err));
	check(hp_st_writer_meta(w, "pos", c->embedding.pos_dim > 0 ? "upos" : "none", &err));
	for (int i = 0; i < hp_safetensors_count(fixture); i++) {
		const hp_tensor *t = hp_safetensors_at(fixture, i);

		if (strncmp(t->name, "param/", 6) == 0)
			check(hp_st_writer_tensor(w, t->name + 6, t->dtype, t->rank, t->shape, t->data, &err));
	}
	add_vocab(w, "vocab.word", true, "w", c->embedding.words);
	add_vocab(w, "vocab.char", true, "c", c->embedding.chars);
	if (c->embedding.pos_dim > 0)
		add_vocab(w, "vocab.tag", true, "t", c->embedding.tags);
	add_vocab(w, "vocab.label", false, "l", c->labels);
	snprintf(path, sizeof(path), "%s/model.safetensors", folder);
	check(hp_st_writer_save(w, path, &err));
	hp_st_writer_destroy(w);
}

static const hp_tensor *part(const hp_safetensors *fixture, int sentence, const char *name)
{
	char full[64];

	snprintf(full, sizeof(full), "%d/%s", sentence, name);
	return hp_safetensors_find(fixture, full);
}

static void write_stream(const hp_safetensors *fixture, const char *folder)
{
	FILE *out = create(folder, "stream");
	hp_stream_writer *w;
	const hp_tensor *x;

	check(hp_stream_writer_new(out, "stream", &w, &err));
	check(hp_stream_write_first(w, 0, NULL, NULL, &err));
	for (int s = 0; (x = part(fixture, s, "out/x")) != NULL; s++) {
		char *text = HP_NEW(arena, char, 64 * (size_t)x->shape[0]);
		size_t size = 0;

		for (int i = 1; i < (int)x->shape[0]; i++)
			size += (size_t)sprintf(text + size, "%d\tw\t_\t_\t_\t_\t_\t_\t_\t_\n", i);
		int64_t shape = (int64_t)size;
		check(hp_st_writer_tensor(hp_stream_record(w), "x", x->dtype, x->rank, x->shape, x->data, &err));
		check(hp_st_writer_tensor(hp_stream_record(w), "text", HP_U8, 1, &shape, text, &err));
		check(hp_stream_write_record(w, NULL, NULL, &err));
	}
	check(hp_stream_write_last(w, NULL, NULL, &err));
	hp_stream_writer_destroy(w);
	fclose(out);
}

static void write_trees(const hp_safetensors *fixture, const char *folder, const char *beam)
{
	FILE *out = create(folder, beam);
	char heads[32], labels[32];
	const hp_tensor *h;

	snprintf(heads, sizeof(heads), "out/%s.heads", beam);
	snprintf(labels, sizeof(labels), "out/%s.labels", beam);
	for (int s = 0; (h = part(fixture, s, heads)) != NULL; s++) {
		const hp_tensor *l = part(fixture, s, labels);
		int64_t n = h->count;
		int32_t *head = HP_NEW(arena, int32_t, n), *label = HP_NEW(arena, int32_t, n);

		memcpy(head, h->data, h->bytes);
		memcpy(label, l->data, l->bytes);
		for (int64_t i = 1; i < n; i++)
			fprintf(out, "%d %d l%d\n", (int)i, head[i], label[i]);
		fputc('\n', out);
	}
	fclose(out);
}

int main(int argc, char **argv)
{
	hp_safetensors *fixture;
	hp_net_config config;

	if (argc != 3)
		return 2;
	arena = hp_arena_new();
	check(hp_safetensors_open(argv[1], &fixture, &err));
	check(hp_config_read(&config, HP_TASK_DEP, fixture, &err));
	write_model(fixture, &config, argv[2]);
	write_stream(fixture, argv[2]);
	write_trees(fixture, argv[2], "beam1");
	write_trees(fixture, argv[2], "beam4");
	hp_safetensors_close(fixture);
	hp_arena_destroy(arena);
	return 0;
}
