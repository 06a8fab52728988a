/* fuzz_dis.c: any bytes as trees in .dis notation.  What is read can be written, reads the same again, becomes binary
 * and is found again in its list of splits; an error always says something. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"
#include "extract/align.h"
#include "rst/binarize.h"
#include "rst/dis.h"

static char *written(const hp_rst_tree *t, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	demand(out && hp_dis_write(t, out, NULL) == 0 && fclose(out) == 0);
	return text;
}

static void check_again(const hp_rst_tree *t)
{
	size_t size, again_size;
	char *text = written(t, &size), *again_text;
	hp_rst_tree again;
	hp_error err = {""};

	hp_rst_tree_init(&again);
	demand(hp_dis_parse(&again, text, size, "again", 1, &err) == 0);
	demand(again.edus == t->edus && again.nodes == t->nodes);
	for (int i = 0; i < t->edus; i++)
		demand(again.edu[i].size == t->edu[i].size && memcmp(again.edu[i].text, t->edu[i].text, t->edu[i].size) == 0);
	again_text = written(&again, &again_size);
	demand(again_size == size && memcmp(text, again_text, size) == 0);
	hp_rst_tree_free(&again);
	free(text);
	free(again_text);
}

static void check_binary(const hp_rst_tree *t)
{
	hp_rst_tree binary, back;
	hp_rst_binary *b;

	hp_rst_tree_init(&binary);
	hp_rst_tree_init(&back);
	demand(hp_rst_binarize(t, &binary, NULL) == 0 && hp_rst_is_binary(&binary));
	demand(binary.edus == t->edus && binary.nodes == 2 * t->edus - 1);
	check_again(&binary);
	demand(hp_rst_binary_new(t, &b, NULL) == 0 && hp_rst_binary_tree(b, &back, NULL) == 0);
	demand(back.nodes == binary.nodes);
	for (int i = 0; i < back.nodes; i++) {
		demand(back.node[i].first == binary.node[i].first && back.node[i].last == binary.node[i].last);
		demand(back.node[i].role == binary.node[i].role && back.node[i].size == binary.node[i].size);
	}
	hp_rst_binary_destroy(b);
	hp_rst_tree_free(&binary);
	hp_rst_tree_free(&back);
}

static void check_sentences(const hp_rst_tree *t)
{
	hp_extent *extent;
	int count, next = 0;

	demand(hp_align_by_marks(t, &extent, &count, NULL) == 0);
	for (int i = 0; i < count; i++) {
		demand(extent[i].first == next && extent[i].last >= next);
		next = extent[i].last + 1;
	}
	demand(next == t->edus);
	free(extent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	hp_dis_reader *r = NULL;
	hp_rst_tree t;
	hp_input *in;

	hp_rst_tree_init(&t);
	demand(hp_input_from_memory(data, size, "fuzz", &in, NULL) == 0 && hp_dis_reader_new(in, &r, NULL) == 0);
	for (int status; (status = hp_dis_read(r, &t, &err)) != 0;) {
		if (status == 1) {
			check_again(&t);
			check_binary(&t);
			check_sentences(&t);
		} else {
			demand(err.text[0] != '\0' && t.edus == 0);
			if (hp_dis_broken(r))
				break;
		}
	}
	hp_dis_reader_destroy(r);
	hp_input_close(in);
	hp_rst_tree_free(&t);
	return 0;
}
