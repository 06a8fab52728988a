/* fuzz_rs3.c: any bytes as .rs3.  Trees that are read are sound and can be written and read as .dis. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"
#include "rst/dis.h"
#include "rst/rs3.h"

static void check(const hp_rst_tree *t)
{
	hp_rst_tree again;
	hp_rst_binary *b;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	demand(out && hp_dis_write(t, out, NULL) == 0 && fclose(out) == 0);
	hp_rst_tree_init(&again);
	demand(hp_dis_parse(&again, text, size, "again", 1, NULL) == 0);
	demand(again.edus == t->edus && again.nodes == t->nodes);
	for (int i = 0; i < t->nodes; i++) {
		demand(again.node[i].parent == t->node[i].parent && again.node[i].first == t->node[i].first);
		demand(strcmp(again.node[i].relation, t->node[i].relation) == 0 && again.node[i].role == t->node[i].role);
	}
	for (int e = 0; e < t->edus; e++) {
		demand(again.edu[e].size == t->edu[e].size);
		demand(memcmp(again.edu[e].text, t->edu[e].text, t->edu[e].size) == 0);
	}
	demand(hp_rst_binary_new(&again, &b, NULL) == 0 && b->edus == t->edus);
	hp_rst_binary_destroy(b);
	hp_rst_tree_free(&again);
	free(text);
}

/* The trees of a forest cover the text one after another. */
static void check_all(const hp_rst_tree *t)
{
	int32_t next = 0;
	hp_rst_tree one;

	hp_rst_tree_init(&one);
	for (int i = 0; i < t->nodes; i += t->node[i].size) {
		demand(t->node[i].parent == -1 && t->node[i].role == HP_RST_ROOT && t->node[i].first == next);
		next = t->node[i].last + 1;
		demand(hp_rst_subtree(t, i, NULL, &one, NULL) == 0);
		check(&one);
	}
	demand(next == t->edus);
	hp_rst_tree_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	hp_rst_tree t;
	hp_input *in;

	hp_rst_tree_init(&t);
	demand(hp_input_from_memory(data, size, "fuzz", &in, NULL) == 0);
	if (hp_rs3_read(in, &t, &err) == 0)
		check_all(&t);
	else
		demand(err.text[0] != '\0' && t.edus == 0);
	hp_input_close(in);
	hp_rst_tree_free(&t);
	return 0;
}
