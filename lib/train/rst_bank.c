/* rst_bank.c: reading a whole treebank of rhetorical trees. */
#include <stdlib.h>
#include <string.h>
#include "base/rng.h"
#include "rst/dis.h"
#include "text/edus.h"
#include "train/hash.h"
#include "train/treebank.h"

static int grow(hp_treebank *t, int capacity, hp_error *err)
{
	hp_sentence *sent = realloc(t->sent, (size_t)capacity * sizeof *sent);
	hp_rst_binary **tree = realloc(t->tree, (size_t)capacity * sizeof *tree);
	int32_t **ends = realloc(t->ends, (size_t)capacity * sizeof *ends);

	if (sent)
		t->sent = sent;
	if (tree)
		t->tree = tree;
	if (ends)
		t->ends = ends;
	if (!sent || !tree || !ends)
		return hp_fail_memory(err);
	t->capacity = capacity;
	return 0;
}

/* Takes over TREE on success. */
static int add(hp_treebank *t, hp_rst_binary *tree, const char *name, int max_words, hp_error *err)
{
	size_t size;
	char *lines = hp_edus_lines(NULL, tree->edus, tree->text, t->arena, &size);
	hp_sentence s;
	hp_edus edus;

	if (!lines)
		return hp_fail_memory(err);
	if (t->count == t->capacity && grow(t, t->capacity ? 2 * t->capacity : 256, err) != 0)
		return HP_FAIL;
	hp_sentence_init(&s);
	if (hp_edus_parse(lines, size, name, tree->line, max_words, t->arena, &edus, &s, err) != 0) {
		hp_sentence_free(&s);
		return HP_FAIL;
	}
	t->words += s.words;
	t->sent[t->count] = s;
	t->ends[t->count] = edus.ends;
	t->tree[t->count++] = tree;
	return 0;
}

static int read_all(hp_treebank *t, hp_input *in, hp_dis_reader *reader, int max_words, hp_error *err)
{
	hp_rst_tree tree;
	int got;

	hp_rst_tree_init(&tree);
	while ((got = hp_dis_read(reader, &tree, err)) == 1) {
		hp_rst_binary *binary;
		size_t size;
		const char *text = hp_dis_text(reader, &size, NULL);

		t->hash = hp_hash(t->hash, text, size);
		if (tree.edus < 2)
			continue;
		if (hp_rst_binary_new(&tree, &binary, err) != 0) {
			got = HP_FAIL;
			break;
		}
		if (add(t, binary, hp_input_name(in), max_words, err) != 0) {
			hp_rst_binary_destroy(binary);
			got = HP_FAIL;
			break;
		}
	}
	hp_rst_tree_free(&tree);
	return got;
}

int hp_treebank_read_rst(const char *path, int max_words, hp_treebank *out, hp_error *err)
{
	hp_dis_reader *reader = NULL;
	hp_input *in = NULL;
	int status = HP_FAIL;

	memset(out, 0, sizeof *out);
	out->hash = HP_HASH_START;
	out->arena = hp_arena_new();
	if (!out->arena)
		return hp_fail_memory(err);
	if (hp_input_open(path, &in, err) == 0 && hp_dis_reader_new(in, &reader, err) == 0)
		status = read_all(out, in, reader, max_words, err);
	if (status == 0 && out->count == 0)
		status = hp_fail(err, "%s: no sentences of several EDUs", hp_input_name(in));
	hp_dis_reader_destroy(reader);
	hp_input_close(in);
	if (status != 0)
		hp_treebank_free(out);
	return status;
}

static void move(hp_treebank *from, int i, hp_treebank *to, int at)
{
	to->sent[at] = from->sent[i];
	to->tree[at] = from->tree[i];
	to->ends[at] = from->ends[i];
}

int hp_treebank_hold_out(hp_treebank *t, uint64_t seed, hp_treebank *dev, hp_error *err)
{
	enum { HOLD_OUT = 3 }; /* the stream of random numbers: none of training's (plan.h) */
	int held = t->count / 10 > 0 ? t->count / 10 : 1, kept = 0, left = t->count;
	hp_rng rng;

	memset(dev, 0, sizeof *dev);
	dev->hash = t->hash;
	if (t->count < 2)
		return hp_fail(err, "a single sentence of several EDUs, of which none can be held out as dev");
	if (grow(dev, held, err) != 0) {
		hp_treebank_free(dev);
		return HP_FAIL;
	}
	hp_rng_seed(&rng, seed, (uint64_t)HOLD_OUT << 56);
	for (int i = 0; i < t->count; i++, left--) {
		/* Each choice of so many is equally likely. */
		if (hp_rng_below(&rng, (uint64_t)left) < (uint64_t)(held - dev->count)) {
			move(t, i, dev, dev->count++);
			dev->words += dev->sent[dev->count - 1].words;
		} else {
			move(t, i, t, kept++);
		}
	}
	t->count = kept;
	t->words -= dev->words;
	return 0;
}
