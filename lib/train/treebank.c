/* treebank.c: reading a whole treebank. */
#include "train/treebank.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "io/sniff.h"

void hp_treebank_free(hp_treebank *t)
{
	for (int i = 0; i < t->count; i++)
		hp_sentence_free(&t->sent[i]);
	for (int i = 0; t->tree && i < t->count; i++)
		hp_rst_binary_destroy(t->tree[i]);
	for (int i = 0; t->x && i < t->count; i++)
		free(t->x[i]);
	free(t->tree);
	free(t->x);
	free(t->ends);
	free(t->sent);
	free(t->heads);
	for (int i = 0; i < t->tag_texts; i++)
		free(t->tags[i]);
	free(t->tags);
	hp_arena_destroy(t->arena);
	memset(t, 0, sizeof *t);
}

bool hp_label_is_open(const char *label, size_t size)
{
	static const char splits[] = "__NS__SN__NN";

	if (size == 1)
		return *label == '_';
	for (int i = 0; size == 4 && i < 3; i++)
		if (memcmp(label, splits + 4 * i, 4) == 0)
			return true;
	return false;
}

static int grow(hp_treebank *t, hp_error *err)
{
	int capacity = t->capacity ? 2 * t->capacity : 256;
	hp_sentence *sent = realloc(t->sent, (size_t)capacity * sizeof *sent);
	int32_t **heads;

	if (sent)
		t->sent = sent;
	heads = realloc(t->heads, (size_t)capacity * sizeof *heads);
	if (heads)
		t->heads = heads;
	if (!sent || !heads)
		return hp_fail_memory(err);
	t->capacity = capacity;
	return 0;
}

int hp_treebank_add(hp_treebank *t, hp_sentence *s, const char *name, hp_error *err)
{
	int32_t *heads = HP_NEW(t->arena, int32_t, (size_t)s->words + 1);

	if (!heads)
		return hp_fail_memory(err);
	if (!t->words_only && hp_sentence_tree(s, name, heads, err) != 0)
		return HP_FAIL;
	if (t->count == t->capacity && grow(t, err) != 0)
		return HP_FAIL;
	t->hash = hp_hash(t->hash, s->text, s->size);
	t->words += s->words;
	hp_masked_add(&t->masked, s);
	for (int i = 0; i < s->words && !t->words_only; i++)
		t->open += hp_label_is_open(s->word[i].col[HP_DEPREL], s->word[i].len[HP_DEPREL]);
	t->heads[t->count] = heads;
	t->sent[t->count++] = *s;
	hp_sentence_init(s);
	return 0;
}

static int read_all(hp_treebank *t, hp_input *in, hp_conllu_reader *reader, hp_error *err)
{
	hp_sentence s;
	int got;

	hp_sentence_init(&s);
	while ((got = hp_conllu_read(reader, &s, err)) == 1) {
		if (s.words > 0 && hp_treebank_add(t, &s, hp_input_name(in), err) != 0) {
			got = HP_FAIL;
			break;
		}
	}
	hp_sentence_free(&s);
	return got;
}

int hp_treebank_begin(hp_treebank *t, hp_error *err)
{
	memset(t, 0, sizeof *t);
	t->hash = HP_HASH_START;
	t->arena = hp_arena_new();
	return t->arena ? 0 : hp_fail_memory(err);
}

int hp_treebank_end(hp_treebank *t, int status)
{
	if (status != 0)
		hp_treebank_free(t);
	return status;
}

/* What is read of CoNLL-U, and whether .dis notation is read. */
typedef enum contents { TREES, WORDS, UNITS, UNITS_AND_TREES } contents;

static int refuse_dis(const hp_input *in, contents what, hp_error *err)
{
	const char *name = hp_input_name(in);

	return what == UNITS_AND_TREES
	           ? hp_fail(err, "%s: rhetorical trees, without the dependency trees that trees=yes asks for", name)
	           : hp_fail(err, "%s: rhetorical trees, expected CoNLL-U: they need --task=rst", name);
}

static int read_conllu(hp_treebank *t, hp_input *in, int max_words, hp_error *err)
{
	hp_conllu_reader *reader = NULL;
	int status = hp_conllu_reader_new(in, HP_TEXT_CONLLU, max_words, &reader, err);

	if (status == 0)
		status = read_all(t, in, reader, err);
	hp_conllu_reader_destroy(reader);
	return status;
}

/* The I-th of FILES. */
static int read_file(hp_treebank *t, const hp_bank_files *files, int i, contents what, int max_words, hp_error *err)
{
	hp_input *in = NULL;
	bool dis = false;
	int before = t->count, status = hp_input_open(files->trees[i], &in, err);

	if (status == 0)
		status = hp_sniff_dis(in, &dis, err);
	if (status == 0 && dis && what != UNITS)
		status = refuse_dis(in, what, err);
	if (status == 0)
		status = dis ? hp_treebank_add_units(t, files, in, max_words, err) : read_conllu(t, in, max_words, err);
	if (status == 0 && t->count == before)
		status = hp_fail(err, "%s: no sentences", hp_input_name(in));
	hp_input_close(in);
	return status;
}

static int read_files(const hp_bank_files *files, contents what, int max_words, hp_treebank *out, hp_error *err)
{
	int status = hp_treebank_begin(out, err);

	out->words_only = what != TREES;
	for (int i = 0; files->trees[i] && status == 0; i++)
		status = read_file(out, files, i, what, max_words, err);
	if (status == 0 && out->words_only) {
		free(out->heads);
		out->heads = NULL;
	}
	return hp_treebank_end(out, status);
}

int hp_treebank_read(const hp_bank_files *files, int max_words, hp_treebank *out, hp_error *err)
{
	return read_files(files, TREES, max_words, out, err);
}

int hp_treebank_read_words(const hp_bank_files *files, int max_words, hp_treebank *out, hp_error *err)
{
	return read_files(files, WORDS, max_words, out, err);
}

int hp_treebank_read_units(const hp_bank_files *files, bool trees, int max_words, hp_treebank *out, hp_error *err)
{
	return read_files(files, trees ? UNITS_AND_TREES : UNITS, max_words, out, err);
}

hp_bank_facts hp_treebank_facts(const hp_treebank *t)
{
	return (hp_bank_facts){.count = t->count, .words = t->words, .masked = t->masked, .open = t->open};
}

/* ---- sentences in two treebanks ---- */

static uint64_t hash_words(const hp_sentence *s)
{
	uint64_t h = HP_HASH_START;

	for (int i = 0; i < s->words; i++)
		h = hp_hash(hp_hash(h, s->word[i].col[HP_FORM], s->word[i].len[HP_FORM]), "\t", 1);
	return h;
}

static int by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

int hp_treebank_shared(const hp_treebank *t, const hp_treebank *in, int *count, hp_error *err)
{
	uint64_t *known = malloc((size_t)in->count * sizeof *known + 1);

	*count = 0;
	if (!known)
		return hp_fail_memory(err);
	for (int i = 0; i < in->count; i++)
		known[i] = hash_words(&in->sent[i]);
	qsort(known, (size_t)in->count, sizeof *known, by_value);
	for (int i = 0; i < t->count; i++) {
		uint64_t h = hash_words(&t->sent[i]);
		*count += bsearch(&h, known, (size_t)in->count, sizeof h, by_value) != NULL;
	}
	free(known);
	return 0;
}
