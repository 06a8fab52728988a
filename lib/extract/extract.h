/* extract.h: the sentence-level trees of a document, or its own tree with its sentences. */
#ifndef HP_EXTRACT_H
#define HP_EXTRACT_H
#include <stdint.h>
#include <stdio.h>
#include "extract/align.h"
#include "rst/tree.h"

typedef struct hp_extract_options {
	bool nary; /* leave nodes of more than two children as they are */
	int min_edus; /* write trees of at least so many */
	bool documents; /* write the document's tree */
} hp_extract_options;

/* All sums go on from document to document. */
typedef struct hp_extract_counts {
	int64_t documents, edus, sentences;
	int64_t single; /* sentences of one EDU */
	int64_t several; /* of more */
	int64_t complete; /* of those: with a subtree that spans exactly their EDUs */
	int64_t no_subtree; /* the others */
	int64_t crossed; /* sentences that share an EDU with another one; not in single and several */
	int64_t written;
	/* with documents: */
	int64_t forests; /* documents of several trees, */
	int64_t trees_left, edus_left; /* and what of those is not in the largest */
} hp_extract_counts;

typedef struct hp_extract_output {
	FILE *trees; /* NULL: only counts */
	FILE *conllu; /* NULL: none; the sentences of the trees that are written, under the same names, which are */
	const hp_sentence_file *source; /* the sentences FROM, FROM + 1, ... of this file */
	int from;
} hp_extract_output;

/* Writes every sentence's subtree, with the id DOCUMENT-K for the K-th sentence; or the document's tree, of a forest the
 * largest, with DOCUMENT as its id and the ends of its sentences.  There, sentences that end in the same EDU are one, and
 * EDUs of no sentence are one of their own. */
int hp_extract(const hp_rst_tree *t, const char *document, const hp_extent *sentence, int sentences,
               const hp_extract_options *options, hp_extract_counts *counts, const hp_extract_output *out,
               hp_error *err) HP_USE_RESULT;

#endif
