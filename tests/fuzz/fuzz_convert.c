/* fuzz_convert.c: documents' trees, a byte 0x1e, EDUs for brackets.  Trees written as .rs4 or in brackets are the same when
 * they are read again; JSON is JSON, and every row of a table of relations has its columns. */
#include "fuzz.h"

#include <string.h>
#include "io/json.h"
#include "rst/binarize.h"
#include "rst/brackets.h"
#include "rst/documents.h"
#include "rst/notation.h"
#include "rst/rs3.h"

/* A satellite between nuclei may get a node of its own, but the binary tree is one. */
static void check_same(const hp_rst_tree *a, const hp_rst_tree *b)
{
	hp_rst_tree one, other;

	hp_rst_tree_init(&one);
	hp_rst_tree_init(&other);
	demand(hp_rst_binarize(a, &one, NULL) == 0 && hp_rst_binarize(b, &other, NULL) == 0);
	hp_rst_name_nuclei(&one);
	hp_rst_name_nuclei(&other);
	demand(one.edus == other.edus && one.nodes == other.nodes);
	for (int e = 0; e < one.edus; e++)
		demand(one.edu[e].size == other.edu[e].size &&
		       memcmp(one.edu[e].text, other.edu[e].text, one.edu[e].size) == 0);
	for (int i = 0; i < one.nodes; i++) {
		demand(one.node[i].first == other.node[i].first && one.node[i].last == other.node[i].last);
		demand(one.node[i].role == other.node[i].role && strcmp(one.node[i].relation, other.node[i].relation) == 0);
	}
	hp_rst_tree_free(&one);
	hp_rst_tree_free(&other);
}

static void check_xml(const hp_rst_tree *t)
{
	hp_error err = {""};
	hp_rst_tree again;
	hp_input *in;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status = hp_rs3_write(t, true, out, &err);

	demand(fclose(out) == 0);
	hp_rst_tree_init(&again);
	if (status == 0) {
		demand(hp_input_from_memory(text, size, "again", &in, NULL) == 0);
		demand(hp_rs3_read(in, &again, &err) == 0);
		check_same(t, &again);
		demand(again.extras.edges == t->extras.edges && again.extras.signals == t->extras.signals);
		hp_input_close(in);
	}
	demand(status == 0 || err.text[0] != '\0');
	hp_rst_tree_free(&again);
	free(text);
}

static void check_brackets(const hp_rst_tree *t)
{
	char *text[2] = {NULL, NULL};
	size_t size[2];
	FILE *tree = open_memstream(&text[0], &size[0]), *edus = open_memstream(&text[1], &size[1]);
	hp_input *in[2];
	hp_rst_tree again;
	hp_brackets *b;

	demand(hp_brackets_write(t, tree, NULL) == 0 && hp_brackets_write_edus(t, edus, NULL) == 0);
	demand(fclose(tree) == 0 && fclose(edus) == 0);
	for (int k = 0; k < 2; k++)
		demand(hp_input_from_memory(text[k], size[k], "again", &in[k], NULL) == 0);
	hp_rst_tree_init(&again);
	demand(hp_brackets_new(in[0], in[1], &b, NULL) == 0);
	demand(hp_brackets_read(b, &again, NULL) == 1);
	check_same(t, &again);
	demand(again.document == t->document && strcmp(again.id, t->id) == 0);
	demand(hp_brackets_read(b, &again, NULL) == 0);
	hp_brackets_destroy(b);
	hp_rst_tree_free(&again);
	for (int k = 0; k < 2; k++) {
		hp_input_close(in[k]);
		free(text[k]);
	}
}

static void check_tables(const hp_rst_tree *t)
{
	char *text = NULL;
	size_t size, rows = 0, tabs = 0;
	FILE *out = open_memstream(&text, &size);
	hp_json j;

	demand(hp_rst_write(HP_RST_JSON, t, 0, out, NULL) == 0 && fclose(out) == 0);
	char *strings = malloc(size);
	hp_json_begin(&j, text, size, strings);
	hp_json_skip(&j);
	demand(hp_json_end(&j));
	free(strings);
	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	demand(hp_rst_write(HP_RST_RELS, t, 1, out, NULL) == 0 && fclose(out) == 0);
	for (size_t i = 0; i < size; i++) {
		rows += text[i] == '\n';
		tabs += text[i] == '\t';
	}
	demand(tabs == 11 * rows && rows < (size_t)t->edus);
	free(text);
}

/* The trees of a forest are nodes of one. */
static void check_joined(const hp_rst_tree *t)
{
	hp_rst_tree joined;
	int nuclei;

	hp_rst_tree_init(&joined);
	demand(hp_rst_join(t, "joint", &joined, NULL) == 0);
	demand(joined.edus == t->edus && joined.nodes == t->nodes + 1 && joined.node[0].size == joined.nodes);
	demand(hp_rst_children(&joined, 0, &nuclei) == nuclei);
	for (int i = 0; i < t->nodes; i++) {
		const hp_rst_node *a = &t->node[i], *b = &joined.node[i + 1];

		demand(b->first == a->first && b->last == a->last && b->size == a->size && b->parent == a->parent + 1);
		demand(a->parent < 0 ? b->role == HP_RST_NUCLEUS && strcmp(b->relation, "joint") == 0
		                     : b->role == a->role && strcmp(b->relation, a->relation) == 0);
	}
	check_brackets(&joined);
	hp_rst_tree_free(&joined);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_rst_documents *docs = NULL;
	hp_input *in, *edus;
	fuzz_piece piece[2];
	hp_error err = {""};
	hp_rst_tree t;
	int got = HP_FAIL;

	fuzz_split(data, size, piece, 2);
	hp_rst_tree_init(&t);
	demand(hp_input_from_memory(piece[0].data, piece[0].size, "trees", &in, NULL) == 0);
	demand(hp_input_from_memory(piece[1].data, piece[1].size, "edus", &edus, NULL) == 0);
	if (hp_rst_documents_new(in, piece[1].size > 0 ? edus : NULL, &docs, &err) == 0) {
		while ((got = hp_rst_documents_next(docs, &t, &err)) == 1) {
			check_xml(&t);
			check_tables(&t);
			if (t.node[0].size == t.nodes)
				check_brackets(&t);
			else
				check_joined(&t);
		}
	}
	demand(got == 0 || err.text[0] != '\0');
	hp_rst_documents_destroy(docs);
	hp_input_close(edus);
	hp_input_close(in);
	hp_rst_tree_free(&t);
	return 0;
}
