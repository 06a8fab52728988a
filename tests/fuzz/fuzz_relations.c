/* fuzz_relations.c: a map of relations and, behind a byte 0x1e, trees it is applied to.  Classes are names; the trees
 * can be written and read. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include "rst/dis.h"
#include "rst/relations.h"

static void check_tree(const hp_rst_tree *t)
{
	hp_error err = {""};
	hp_rst_tree again;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	demand(out && hp_dis_write(t, out, NULL) == 0 && fclose(out) == 0);
	hp_rst_tree_init(&again);
	demand(hp_dis_parse(&again, text, size, "again", 1, &err) == 0 && again.nodes == t->nodes);
	for (int i = 1; i < t->nodes; i++)
		demand(strcmp(t->node[i].relation, again.node[i].relation) == 0);
	hp_rst_tree_free(&again);
	free(text);
}

static void apply(const hp_relations *r, const fuzz_piece *trees)
{
	hp_error err = {""};
	hp_dis_reader *reader;
	hp_rst_tree t;
	hp_input *in;

	hp_rst_tree_init(&t);
	demand(hp_input_from_memory(trees->data, trees->size, "trees", &in, NULL) == 0);
	demand(hp_dis_reader_new(in, &reader, NULL) == 0);
	while (hp_dis_read(reader, &t, &err) == 1) {
		for (int i = 1; i < t.nodes; i++) {
			const char *class = hp_relations_find(r, t.node[i].relation);

			demand(!class || hp_rst_is_name(class, strlen(class)));
		}
		if (hp_relations_apply(r, &t, "trees", &err) == 0)
			check_tree(&t);
		else
			fuzz_refused(&err);
	}
	hp_dis_reader_destroy(reader);
	hp_input_close(in);
	hp_rst_tree_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	fuzz_piece piece[2];
	hp_relations *r;

	fuzz_split(data, size, piece, 2);
	if (hp_relations_read(fuzz_file("map.csv", piece[0].data, piece[0].size), &r, &err) != 0) {
		fuzz_refused(&err);
		return 0;
	}
	apply(r, &piece[1]);
	hp_relations_destroy(r);
	return 0;
}
