/* extract.c: the sentence-level trees of a document. */
#include "extract/extract.h"

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

/* What is done with each sentence of a document. */
typedef struct job {
	const hp_rst_tree *t;
	const char *document;
	const char *begins; /* DOCUMENT, if the next sentence that is written begins it */
	const hp_extract_options *options;
	const hp_extract_output *out;
	hp_rst_tree subtree, binary;
} job;

static int write_tree(job *j, int node, const char *id, hp_error *err)
{
	if (hp_rst_subtree(j->t, node, id, &j->subtree, err) != 0)
		return HP_FAIL;
	if (j->options->nary)
		return hp_dis_write(&j->subtree, j->out->trees, err);
	if (hp_rst_binarize(&j->subtree, &j->binary, err) != 0)
		return HP_FAIL;
	return hp_dis_write(&j->binary, j->out->trees, err);
}

/* Sentence I of the document, which node NODE spans. */
static int write_sentence(job *j, int i, int node, hp_error *err)
{
	char *id;
	int status;

	if (asprintf(&id, "%s-%d", j->document, i + 1) < 0)
		return hp_fail_memory(err);
	status = write_tree(j, node, id, err);
	if (status == 0 && j->out->conllu)
		status = hp_sentence_file_write(j->out->source, j->out->from + i, id, j->begins, j->out->conllu, err);
	j->begins = NULL;
	free(id);
	return status;
}

static void count(const hp_extent *s, bool found, hp_extract_counts *counts)
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

int hp_extract(const hp_rst_tree *t, const char *document, const hp_extent *sentence, int sentences,
               const hp_extract_options *options, hp_extract_counts *counts, const hp_extract_output *out,
               hp_error *err)
{
	job j = {.t = t, .document = document, .begins = document, .options = options, .out = out};
	int32_t *last_of = calloc(2 * (size_t)t->edus + 1, sizeof(*last_of)), *node_of;
	int status = 0;

	if (!last_of)
		return hp_fail_memory(err);
	node_of = last_of + t->edus;
	for (int e = 0; e < t->edus; e++)
		last_of[e] = -1;
	for (int i = 0; i < sentences; i++) {
		if (!sentence[i].crossed && sentence[i].first >= 0)
			last_of[sentence[i].first] = sentence[i].last;
	}
	find_nodes(t, last_of, node_of);
	counts->documents++;
	counts->edus += t->edus;
	hp_rst_tree_init(&j.subtree);
	hp_rst_tree_init(&j.binary);
	for (int i = 0; i < sentences && status == 0; i++) {
		const hp_extent *s = &sentence[i];
		int32_t node;

		if (s->first < 0) /* empty */
			continue;
		node = s->crossed ? -1 : node_of[s->first];
		count(s, node >= 0, counts);
		if (node < 0 || !out->trees || s->last - s->first + 1 < options->min_edus)
			continue;
		counts->written++;
		status = write_sentence(&j, i, node, err);
	}
	hp_rst_tree_free(&j.subtree);
	hp_rst_tree_free(&j.binary);
	free(last_of);
	return status;
}
