/* units_bank.c: the sentences of rhetorical trees, with marks where their elementary discourse units begin. */
#include <stdlib.h>
#include <string.h>
#include "rst/dis.h"
#include "train/treebank.h"

typedef struct reading {
	hp_treebank *t;
	const char *name; /* of the file */
	int max_words;
} reading;

/* The tokens of an EDU as rows of CoNLL-U, the first of them with a mark; WORDS stand before it. */
static int put_rows(const hp_rst_edu *edu, int words, FILE *out)
{
	const char *p = edu->text, *end = p + edu->size;

	for (bool first = true; p < end; first = false) {
		const char *blank = memchr(p, ' ', (size_t)(end - p)), *stop = blank ? blank : end;

		fprintf(out, "%d\t%.*s\t_\t_\t_\t_\t_\t_\t_\t%s\n", ++words, (int)(stop - p), p, first ? "Seg=B-seg" : "_");
		p = blank ? blank + 1 : end;
	}
	return words;
}

/* EDUs FIRST ... LAST. */
static int add_sentence(const reading *r, const hp_rst_tree *tree, int first, int last, hp_error *err)
{
	char *text = NULL;
	size_t size = 0;
	int words = 0, status;
	FILE *out = open_memstream(&text, &size);
	hp_sentence s;

	if (!out)
		return hp_fail_memory(err);
	for (int i = first; i <= last; i++)
		words = put_rows(&tree->edu[i], words, out);
	if (fclose(out) != 0 || !text) {
		free(text);
		return hp_fail_memory(err);
	}
	hp_sentence_init(&s);
	status = hp_sentence_parse(&s, NULL, text, size, r->name, tree->edu[first].line, r->max_words, err);
	if (status == 0)
		status = hp_treebank_add(r->t, &s, r->name, err);
	hp_sentence_free(&s);
	free(text);
	return status;
}

static int add_tree(const reading *r, const hp_rst_tree *tree, hp_error *err)
{
	int first = 0;

	if (tree->edus == 0)
		return 0;
	if (tree->sents == 0)
		return tree->document ? hp_fail_at(err, r->name, tree->line,
		                                   "a document whose sentences are not known, expected # sent_ends ="
		                                   " (rst-extract --documents)")
		                      : add_sentence(r, tree, 0, tree->edus - 1, err);
	for (int i = 0; i < tree->sents; i++) {
		if (add_sentence(r, tree, first, tree->sent_end[i], err) != 0)
			return HP_FAIL;
		first = tree->sent_end[i] + 1;
	}
	return 0;
}

int hp_treebank_add_units(hp_treebank *t, const hp_bank_files *files, hp_input *in, int max_words, hp_error *err)
{
	const reading r = {t, hp_input_name(in), max_words};
	hp_dis_reader *reader = NULL;
	hp_rst_tree tree;
	int got = hp_dis_reader_new(in, &reader, err);

	hp_rst_tree_init(&tree);
	if (got == 0) {
		hp_dis_unlabelled(reader);
		hp_dis_on_warning(reader, files->warn, files->warn_arg);
	}
	while (got == 0 && (got = hp_dis_read(reader, &tree, err)) == 1)
		got = add_tree(&r, &tree, err);
	hp_rst_tree_free(&tree);
	hp_dis_reader_destroy(reader);
	return got == 0 ? 0 : HP_FAIL;
}
