/* tokenizer.c: a small random tokeniser. */
#include "tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "io/sniff.h"
#include "rst/documents.h"

static hp_vocab *vocab(const char *const *line)
{
	hp_vocab *v = hp_vocab_new();
	for (; v && *line; line++)
		if (hp_vocab_add(v, *line, strlen(*line)) < 0)
			abort();
	return v;
}

hp_tok_model *tokenizer_random(uint64_t seed, bool spaces)
{
	static const char *const chars[] = {"a", "b", "d", "e", "n", "o",  "t",    "u",
	                                    "'", ".", ",", "A", "é", "中", "🙂", NULL};
	static const char *const table[] = {"don't\tdo\tn't", "Du\tDe\tle", NULL};
	static const char *const sure[] = {"bend", NULL}; /* of which nothing else is known */
	static const char *const endings[] = {"'t\t\t't", "ármelo\tar\tme\tlo", NULL};
	hp_tok_model *m = calloc(1, sizeof *m);
	hp_tok_sizes c = {.chars = 16, .dim = 5, .hidden = 6, .layers = 2};
	if (!m || hp_tok_alphabet_new(vocab(chars), "chars", &m->alphabet, NULL) ||
	    hp_expander_new(vocab(table), vocab(endings), vocab(sure), "words", &m->expander, NULL) ||
	    hp_tok_net_make(&m->net, &c, NULL) || hp_params_alloc(&m->net.params, true, NULL))
		abort();
	hp_tok_net_init(&m->net, seed);
	for (size_t i = 0; i < m->net.params.total; i++)
		m->net.params.values[i] *= 3; /* so that it is sure of something */
	if (hp_tok_runner_new(&m->net, &m->runner, NULL))
		abort();
	m->spaces = spaces;
	return m;
}

void tokenizer_close(hp_tok_model *m)
{
	hp_tok_model_close(m);
}

static void take(hp_splitter *s, hp_tok_writer *w)
{
	hp_split_sentence sentence;
	int got;
	while ((got = hp_splitter_next(s, &sentence, NULL)) > 0)
		hp_tok_write(w, &sentence);
	if (got < 0)
		abort();
}

char *tokenizer_run(const hp_tok_model *m, const tokenizer_how *how, const char *text, size_t size, size_t *got,
                    int *status, hp_error *err)
{
	char *out = NULL;
	hp_splitter *s;
	hp_tok_writer w = {.out = open_memstream(&out, got), .document = "text", .ranges = how->ranges};
	if (!w.out || hp_splitter_new(m, how->pool, how->by, how->max_words ? how->max_words : 1000, &s, NULL))
		abort();
	hp_splitter_begin(s, "text");
	*status = 0;
	for (size_t at = 0, part; at < size && *status == 0; at += part) {
		part = how->piece && how->piece < size - at ? how->piece : size - at;
		*status = hp_splitter_add(s, text + at, part, err);
		if (*status == 0 && how->pause && hp_splitter_pause(s, false, err))
			abort();
		take(s, &w);
	}
	hp_error late;
	if (hp_splitter_pause(s, true, &late) && *status == 0) {
		*status = HP_FAIL;
		*err = late;
	}
	take(s, &w);
	hp_splitter_destroy(s);
	if (fclose(w.out))
		abort();
	return out;
}

char *tokenizer_undo(const char *conllu, size_t size, size_t *got)
{
	char *out = NULL;
	FILE *f = open_memstream(&out, got);
	hp_tok_undo u = {0};
	hp_input *in;
	hp_conllu_reader *reader;
	hp_sentence s;
	hp_error err;
	hp_sentence_init(&s);
	if (!f || hp_input_from_memory(conllu, size, "conllu", &in, NULL) ||
	    hp_conllu_reader_new(in, HP_TEXT_CONLLU, 0, &reader, NULL))
		abort();
	int more;
	while ((more = hp_conllu_read(reader, &s, &err)) > 0)
		if (hp_tok_undo_sentence(&u, &s, f, NULL))
			abort();
	if (more < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	hp_tok_undo_end(&u, f);
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	hp_sentence_free(&s);
	if (fclose(f))
		abort();
	return out;
}

static int tokenize_blocks(hp_tok_edus *edus, hp_input *in, hp_error *err)
{
	hp_conllu_reader *reader;
	hp_sentence block;
	int status = 0;

	hp_sentence_init(&block);
	if (hp_conllu_reader_new(in, HP_TEXT_EDUS, 0, &reader, err))
		abort();
	while (status == 0 && (status = hp_conllu_read(reader, &block, err)) > 0)
		status = hp_tok_edus_write(edus, &block, "text", err);
	hp_conllu_reader_destroy(reader);
	hp_sentence_free(&block);
	return status;
}

static int tokenize_trees(hp_tok_edus *edus, hp_input *in, hp_error *err)
{
	hp_rst_documents *docs = NULL;
	hp_rst_tree tree;
	int status = hp_rst_documents_new(in, NULL, &docs, err);

	hp_rst_tree_init(&tree);
	while (status == 0 && (status = hp_rst_documents_next(docs, &tree, err)) > 0)
		status = hp_tok_edus_write_tree(edus, &tree, "text", err);
	hp_rst_documents_destroy(docs);
	hp_rst_tree_free(&tree);
	return status;
}

char *tokenizer_edus(const hp_tok_model *m, int max_words, const char *text, size_t size, size_t *got, int *status,
                     hp_error *err)
{
	char *out = NULL;
	hp_tok_writer w = {.out = open_memstream(&out, got)};
	hp_tok_edus edus = {.writer = &w, .max_words = max_words};
	hp_input *in = NULL;
	bool trees;

	if (!w.out || hp_splitter_new(m, NULL, HP_SPLIT_BLOCKS, max_words, &edus.splitter, NULL))
		abort();
	*status = hp_input_from_memory(text, size, "text", &in, err);
	if (*status == 0)
		*status = hp_sniff_root(in, &trees, err);
	hp_tok_edus_begin(&edus);
	if (*status == 0)
		*status = (trees ? tokenize_trees : tokenize_blocks)(&edus, in, err);
	hp_splitter_destroy(edus.splitter);
	hp_tok_edus_free(&edus);
	hp_input_close(in);
	if (fclose(w.out))
		abort();
	return out;
}
