/* extract.c: the sentence-level trees of a document. */
#include "rst/extract.h"

#include <stdlib.h>
#include <string.h>
#include "rst/binarize.h"
#include "rst/dis.h"

/* For every EDU that a sentence begins with: the node of that sentence in NODE_OF, the highest one; else -1.  One pass
 * over the tree; LAST_OF [edus] is the last EDU of the sentence that begins with each one, or -1. */
static void find_nodes(const hp_rst_tree *t, const int32_t *last_of, int32_t *node_of)
{
	for (int e = 0; e < t->edus; e++)
		node_of[e] = -1;
	for (int i = 0; i < t->nodes; i++) {
		const hp_rst_node *node = &t->node[i];

		if (last_of[node->first] == node->last && node_of[node->first] < 0)
			node_of[node->first] = i;
	}
}

static int write_tree(const hp_rst_tree *t, int node, const char *id, bool nary, hp_rst_tree scratch[2], FILE *out,
                      hp_error *err)
{
	if (hp_rst_subtree(t, node, id, &scratch[0], err) != 0)
		return HP_FAIL;
	if (nary)
		return hp_dis_write(&scratch[0], out, err);
	if (hp_rst_binarize(&scratch[0], &scratch[1], err) != 0)
		return HP_FAIL;
	return hp_dis_write(&scratch[1], out, err);
}

static void count(const hp_rst_extent *s, bool found, hp_extract_counts *counts)
{
	counts->sentences++;
	if (s->crossed) {
		counts->crossed++;
	} else if (s->first == s->last) {
		counts->single++;
	} else {
		counts->several++;
		counts->complete += found;
		counts->no_subtree += !found;
	}
}

static int each_sentence(const hp_rst_tree *t, const char *document, const hp_rst_extent *sentence, int sentences,
                         const hp_extract_options *options, const int32_t *node_of, hp_extract_counts *counts,
                         const hp_extract_output *out, hp_error *err)
{
	const char *begins = document; /* the next sentence that is written begins the document */
	hp_rst_tree scratch[2];
	int status = 0;

	hp_rst_tree_init(&scratch[0]);
	hp_rst_tree_init(&scratch[1]);
	for (int i = 0; i < sentences && status == 0; i++) {
		const hp_rst_extent *s = &sentence[i];
		int32_t node;
		char *id;

		if (s->first < 0) /* empty */
			continue;
		node = s->crossed ? -1 : node_of[s->first];
		count(s, node >= 0, counts);
		if (node < 0 || !out->trees || s->last - s->first + 1 < options->min_edus)
			continue;
		counts->written++;
		if (asprintf(&id, "%s-%d", document, i + 1) < 0) {
			status = hp_fail_memory(err);
			break;
		}
		status = write_tree(t, node, id, options->nary, scratch, out->trees, err);
		if (status == 0 && out->conllu)
			status = hp_rst_sentences_write(out->source, out->from + i, id, begins, out->conllu, err);
		begins = NULL;
		free(id);
	}
	hp_rst_tree_free(&scratch[0]);
	hp_rst_tree_free(&scratch[1]);
	return status;
}

int hp_extract(const hp_rst_tree *t, const char *document, const hp_rst_extent *sentence, int sentences,
               const hp_extract_options *options, hp_extract_counts *counts, const hp_extract_output *out,
               hp_error *err)
{
	int32_t *last_of = calloc(2 * (size_t)t->edus + 1, sizeof(*last_of));
	int status;

	if (!last_of)
		return hp_fail_memory(err);
	for (int e = 0; e < t->edus; e++)
		last_of[e] = -1;
	for (int i = 0; i < sentences; i++) {
		if (!sentence[i].crossed && sentence[i].first >= 0)
			last_of[sentence[i].first] = sentence[i].last;
	}
	find_nodes(t, last_of, last_of + t->edus);
	counts->documents++;
	counts->edus += t->edus;
	status = each_sentence(t, document, sentence, sentences, options, last_of + t->edus, counts, out, err);
	free(last_of);
	return status;
}
