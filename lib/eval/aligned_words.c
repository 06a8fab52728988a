/* aligned_words.c: reads dependency trees side by side. */
#include "eval/aligned_words.h"

#include <stdlib.h>
#include <string.h>
#include "eval/apart.h"
#include "base/grow.h"
#include "base/utf8.h"
#include "text/comments.h"

struct file {
	hp_conllu_reader *reader;
	hp_dependencies tree;
	long last_line; /* of the last word read, for the message about a file that ends too soon */
	bool system;
	int64_t unparsed;
};

struct hp_aligned_words {
	int files;
	bool any; /* a sentence has been read */
	struct file file[HP_EVAL_FILES];
};

int hp_aligned_words_new(hp_input *const *in, int files, int max_words, hp_aligned_words **out, hp_error *err)
{
	hp_aligned_words *a = calloc(1, sizeof *a);

	*out = NULL;
	if (!a)
		return hp_fail_memory(err);
	a->files = files;
	for (int i = 0; i < files; i++) {
		struct file *f = &a->file[i];

		hp_sentence_init(&f->tree.s);
		f->last_line = 1;
		f->system = i > 0;
		f->tree.name = hp_input_name(in[i]);
		if (hp_conllu_reader_new(in[i], HP_TEXT_CONLLU, max_words, &f->reader, err)) {
			hp_aligned_words_destroy(a);
			return HP_FAIL;
		}
	}
	*out = a;
	return 0;
}

void hp_aligned_words_destroy(hp_aligned_words *a)
{
	if (!a)
		return;
	for (int i = 0; i < a->files; i++) {
		struct file *f = &a->file[i];

		hp_conllu_reader_destroy(f->reader);
		hp_sentence_free(&f->tree.s);
		free(f->tree.heads);
	}
	free(a);
}

const hp_dependencies *hp_aligned_words_tree(const hp_aligned_words *a, int file)
{
	return &a->file[file].tree;
}

int64_t hp_aligned_words_unparsed(const hp_aligned_words *a, int file)
{
	return a->file[file].unparsed;
}

static void lose_tree(hp_dependencies *t)
{
	for (int i = 0; i < t->s.words; i++) {
		t->heads[i + 1] = HP_NO_HEAD;
		t->s.word[i].col[HP_DEPREL] = hp_no_column;
		t->s.word[i].len[HP_DEPREL] = 1;
	}
}

/* The next sentence that has words.  Returns 1, 0 or HP_FAIL. */
static int read_tree(struct file *f, hp_error *err)
{
	hp_dependencies *t = &f->tree;
	int got;

	do {
		got = hp_conllu_read(f->reader, &t->s, err);
		if (got <= 0)
			return got;
	} while (!t->s.words);
	if (!hp_grow(&t->heads, &t->capacity, (size_t)t->s.words + 1, sizeof *t->heads))
		return hp_fail_memory(err);
	f->last_line = t->s.word[t->s.words - 1].line;
	if (f->system && hp_is_unparsed(&t->s)) {
		f->unparsed++;
		lose_tree(t);
		return 1;
	}
	return hp_sentence_tree(&t->s, t->name, t->heads, err) ? HP_FAIL : 1;
}

static int check_words(const hp_dependencies *gold, const hp_dependencies *system, hp_error *err)
{
	int common = gold->s.words < system->s.words ? gold->s.words : system->s.words;

	for (int i = 0; i < common; i++) {
		const hp_word *g = &gold->s.word[i], *s = &system->s.word[i];

		if (!hp_utf8_same(g->col[HP_FORM], g->len[HP_FORM], s->col[HP_FORM], s->len[HP_FORM]))
			return hp_fail_apart(err, "word", (hp_passage){gold->name, g->line, g->col[HP_FORM], g->len[HP_FORM]},
			                     (hp_passage){system->name, s->line, s->col[HP_FORM], s->len[HP_FORM]});
	}
	if (gold->s.words != system->s.words)
		return hp_fail_at(err, gold->name, gold->s.word[0].line,
		                  "a sentence of %d word%s does not align with one of %d at %s:%ld", gold->s.words,
		                  hp_plural(gold->s.words), system->s.words, system->name, system->s.word[0].line);
	return 0;
}

int hp_aligned_words_next(hp_aligned_words *a, hp_error *err)
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
		if (!first != !got && !a->any)
			return hp_fail(err, "%s: no sentences", first ? f->tree.name : gold->tree.name);
		if (first && !got)
			return hp_fail_at(err, gold->tree.name, gold->tree.s.word[0].line,
			                  "a sentence without counterpart: the last one ends at %s:%ld", f->tree.name,
			                  f->last_line);
		if (!first && got)
			return hp_fail_at(err, gold->tree.name, gold->last_line,
			                  "the last sentence ends here, but one more begins at %s:%ld", f->tree.name,
			                  f->tree.s.word[0].line);
		if (first && check_words(&gold->tree, &f->tree, err))
			return HP_FAIL;
	}
	a->any = a->any || first;
	return first;
}
