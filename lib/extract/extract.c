/* extract.c: the sentence-level trees of a document, or its own. */
#include "extract/extract.h"

#include <stdlib.h>
#include <string.h>
#include "rst/binarize.h"
#include "rst/build.h"
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

/* j->subtree */
static int write_tree(job *j, hp_error *err)
{
	if (j->options->nary)
		return hp_dis_write(&j->subtree, j->out->trees, err);
	if (hp_rst_binarize(&j->subtree, &j->binary, err) != 0)
		return HP_FAIL;
	return hp_dis_write(&j->binary, j->out->trees, err);
}

static int write_conllu(job *j, int i, const char *id, hp_error *err)
{
	const hp_extract_output *out = j->out;
	const char *begins = j->begins;

	j->begins = NULL;
	return out->conllu ? hp_sentence_file_write(out->source, out->from + i, id, begins, out->conllu, err) : 0;
}

/* Sentence I of the document, which node NODE spans. */
static int write_sentence(job *j, int i, int node, hp_error *err)
{
	char *id;
	int status;

	if (asprintf(&id, "%s-%d", j->document, i + 1) < 0)
		return hp_fail_memory(err);
	status = hp_rst_subtree(j->t, node, id, &j->subtree, err);
	if (status == 0)
		status = write_tree(j, err);
	if (status == 0)
		status = write_conllu(j, i, id, err);
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

/* The sentences whose EDUs have their nodes in NODE_OF. */
static int write_sentences(job *j, const hp_extent *sentence, int sentences, const int32_t *node_of,
                           hp_extract_counts *counts, hp_error *err)
{
	int status = 0;

	for (int i = 0; i < sentences && status == 0; i++) {
		const hp_extent *s = &sentence[i];
		int32_t node;

		if (s->first < 0) /* empty */
			continue;
		node = s->crossed ? -1 : node_of[s->first];
		count(s, node >= 0, counts);
		if (node < 0 || j->options->documents || !j->out->trees || s->last - s->first + 1 < j->options->min_edus)
			continue;
		counts->written++;
		status = write_sentence(j, i, node, err);
	}
	return status;
}

/* Gives j->subtree, which begins with EDU FIRST of the document, its sentences.  END [its EDUs] is scratch. */
static int set_sentences(job *j, const hp_extent *sentence, int sentences, int32_t first, int32_t *end, hp_error *err)
{
	int32_t edus = j->subtree.edus;
	int sents = 0;

	memset(end, 0, (size_t)edus * sizeof(*end));
	for (int i = 0; i < sentences; i++) {
		int32_t from = sentence[i].first - first, to = sentence[i].last - first;

		if (sentence[i].first >= 0 && to >= 0 && to < edus)
			end[to] = 1;
		if (sentence[i].first >= 0 && !sentence[i].crossed && from > 0 && from <= edus)
			end[from - 1] = 1;
	}
	end[edus - 1] = 1;
	for (int32_t e = 0; e < edus; e++) {
		if (end[e])
			end[sents++] = e;
	}
	return hp_rst_set_sentences(&j->subtree, sents, end, err);
}

/* The CoNLL-U of the sentences within EDUs FIRST ... LAST. */
static int write_words(job *j, const hp_extent *sentence, int sentences, int32_t first, int32_t last, hp_error *err)
{
	int status = 0;

	for (int i = 0; i < sentences && status == 0; i++) {
		char *id;

		if (sentence[i].first < first || sentence[i].last > last)
			continue;
		if (asprintf(&id, "%s-%d", j->document, i + 1) < 0)
			return hp_fail_memory(err);
		status = write_conllu(j, i, id, err);
		free(id);
	}
	return status;
}

/* SCRATCH [EDUs]. */
static int write_document(job *j, const hp_extent *sentence, int sentences, int32_t *scratch, hp_extract_counts *counts,
                          hp_error *err)
{
	const hp_rst_tree *t = j->t;
	int root = hp_rst_largest(t), edus = t->node[root].last - t->node[root].first + 1;

	counts->forests += edus < t->edus;
	for (int i = 0; i < t->nodes; i += t->node[i].size)
		counts->trees_left += i != root;
	counts->edus_left += t->edus - edus;
	if (!j->out->trees || edus < j->options->min_edus)
		return 0;
	counts->written++;
	if (hp_rst_subtree(t, root, j->document, &j->subtree, err) != 0)
		return HP_FAIL;
	j->subtree.document = true;
	if (set_sentences(j, sentence, sentences, t->node[root].first, scratch, err) != 0 || write_tree(j, err) != 0)
		return HP_FAIL;
	return j->out->conllu ? write_words(j, sentence, sentences, t->node[root].first, t->node[root].last, err) : 0;
}

int hp_extract(const hp_rst_tree *t, const char *document, const hp_extent *sentence, int sentences,
               const hp_extract_options *options, hp_extract_counts *counts, const hp_extract_output *out,
               hp_error *err)
{
	job j = {.t = t, .document = document, .begins = document, .options = options, .out = out};
	int32_t *last_of = calloc(2 * (size_t)t->edus + 1, sizeof(*last_of)), *node_of;
	int status;

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
	status = write_sentences(&j, sentence, sentences, node_of, counts, err);
	if (status == 0 && options->documents)
		status = write_document(&j, sentence, sentences, last_of, counts, err);
	hp_rst_tree_free(&j.subtree);
	hp_rst_tree_free(&j.binary);
	free(last_of);
	return status;
}
