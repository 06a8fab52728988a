/* tree.h: rhetorical structure trees, of whole documents and of single sentences.
 *
 * hp_rst_tree is the general tree, with any number of children a node.  hp_rst_binary is a binary tree as the parser sees
 * it: a list of splits.  EDUs (elementary discourse units) count from 0 in memory and from 1 in
 * files. */
#ifndef HP_RST_TREE_H
#define HP_RST_TREE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"

/* What a node is to its parent. */
typedef enum hp_rst_role { HP_RST_ROOT, HP_RST_NUCLEUS, HP_RST_SATELLITE } hp_rst_role;

typedef struct hp_rst_edu {
	const char *text; /* tokens separated by single blanks, UTF-8; never NULL, never holds a newline */
	size_t size; /* bytes of it */
	bool paragraph; /* a paragraph ends after it (RST-DT's <P>) */
	bool apart; /* so does one of a forest's trees */
	long line; /* in the file, from 1; 0: unknown */
} hp_rst_edu;

/* Nodes stand in preorder, so loops need no recursion: a node's subtree is node[i] ... node[i + size - 1], its first
 * child is i + 1, the child after child c is c + node[c].size, as long as that is below i + size.  A node of size 1
 * is a leaf: one EDU.  A forest, which only .rs3 makes, has several trees one after another, in the order of the text:
 * node[0], node[node[0].size], and so on. */
typedef struct hp_rst_node {
	int32_t parent; /* -1 for a root; node[0] is one */
	int32_t size; /* nodes of the subtree, itself included */
	int32_t first, last; /* its EDUs, from 0 */
	hp_rst_role role; /* HP_RST_ROOT for roots only */
	const char *relation; /* to the parent; "span" for a nucleus that has satellites; "" for the root; never NULL */
	long line;
} hp_rst_node;

/* What .rs4 says besides the tree.  EDUs are a node's: where a node of the file has satellites, those of its own content.
 * ATTRIBUTES are the element's others, in XML, with a blank before each. */
typedef struct hp_rst_edge {
	int32_t first, last; /* EDUs of its source */
	int32_t to_first, to_last; /* ... of its target */
	const char *relation, *attributes;
} hp_rst_edge;

typedef struct hp_rst_signal {
	int32_t edge; /* the secondary edge that it is a signal of; -1: it is one of */
	int32_t first, last; /* the node of these EDUs and its relation */
	const char *attributes;
} hp_rst_signal;

typedef struct hp_rst_extras {
	int edges, signals, types;
	hp_rst_edge *edge; /* [edges] */
	hp_rst_signal *signal; /* [signals] */
	const char **type; /* [types] attributes of the kinds of signals */
} hp_rst_extras;

/* Nodes of .rs3 that were taken apart, for EDUs of other trees stand between theirs. */
typedef struct hp_rst_gaps {
	int nodes;
	int32_t first, last; /* where the shortest of them begins and ends */
} hp_rst_gaps;

/* All memory belongs to the tree and is reused by whoever fills it; strings live until then. */
typedef struct hp_rst_tree {
	const char *id; /* "DOCUMENT-SENTENCE" or the like; NULL: unknown */
	bool document; /* of a whole document, whose name ID is */
	int nbest; /* "# nbest =" stands before it (.dis, brackets): its rank among the best trees; 0: it is alone */
	const char *score; /* and "# score =": a number as it stood there; NULL: none */
	bool unparsed; /* "# unparsed =" stands before it (.dis): it is not the parser's */
	long line; /* where it begins in its file */
	int edus; /* 0: empty */
	hp_rst_edu *edu; /* [edus] */
	int sents; /* sentences of a document; 0: where they end is not known */
	const int32_t *sent_end; /* [sents] the last EDU of each, from 0; rising, the last one is edus - 1 */
	int nodes;
	hp_rst_node *node; /* [nodes] */
	int secedges, signals; /* of .rs4: how many secondary edges and signals there were, */
	hp_rst_extras extras; /* and those whose nodes are in the tree, as it was read; no other function copies them */
	hp_rst_gaps gaps; /* as it was read */
	/* private */
	hp_arena *arena; /* strings */
	size_t edu_capacity, node_capacity;
} hp_rst_tree;

/* Whether the texts are the same but for white space, and a mark of the order of bytes before them. */
bool hp_rst_same_text(const hp_rst_edu *a, const hp_rst_edu *b);
void hp_rst_tree_init(hp_rst_tree *t);
void hp_rst_tree_free(hp_rst_tree *t); /* frees the contents; twice does no harm */
/* Number of children of node I, and of those the nuclei. */
int hp_rst_children(const hp_rst_tree *t, int i, int *nuclei);
/* The only nucleus of a node with satellites gets the relation "span", whatever the file called it. */
void hp_rst_name_nuclei(hp_rst_tree *t);
bool hp_rst_is_binary(const hp_rst_tree *t); /* every inner node has two children, at least one of them a nucleus */
/* OUT becomes a copy of the subtree of node I of T, whose EDUs count from 0 again.  OUT must be another tree,
 * which hp_rst_tree_init has been called for.  ID may be NULL. */
int hp_rst_subtree(const hp_rst_tree *t, int i, const char *id, hp_rst_tree *out, hp_error *err) HP_USE_RESULT;
int hp_rst_largest(const hp_rst_tree *t); /* the root of a forest's tree of most EDUs, the first one of several */
/* OUT, likewise another tree, becomes a single tree, whose nuclei are the trees of forest T: their relation is RELATION. */
int hp_rst_join(const hp_rst_tree *t, const char *relation, hp_rst_tree *out, hp_error *err) HP_USE_RESULT;
/* HELD [edus]: how many nodes of T hold the boundary behind each EDU inside: this EDU and the next one. */
void hp_rst_held(const hp_rst_tree *t, int32_t *held);

/* One split of a binary tree: EDUs FIRST ... MID on the left, MID + 1 ... LAST on the right.  The same three numbers,
 * from 0, make a row of the stream's tensor `splits`. */
typedef struct hp_rst_split {
	int32_t first, mid, last;
} hp_rst_split;

/* Which half is the nucleus.  The names in labels are "NS", "SN", "NN". */
typedef enum hp_rst_nuclearity { HP_RST_NS, HP_RST_SN, HP_RST_NN } hp_rst_nuclearity;

/* The binary tree of a sentence, or of a document with its sentences.  One block of memory, all strings included. */
typedef struct hp_rst_binary {
	const char *id; /* NULL: unknown */
	bool document; /* as in hp_rst_tree, and so are the sentences: */
	int sents;
	int32_t *sent_end; /* [sents] */
	int32_t *paragraph; /* [edus] 1: a paragraph ends after it, else 0 */
	long line; /* where it begins in its file; 0: unknown */
	int edus; /* >= 1 */
	const char **text; /* [edus]; tokens separated by single blanks, NUL-terminated UTF-8 */
	hp_rst_split *split; /* [edus - 1], top-down, depth-first, left half first */
	const char **label; /* [edus - 1]; class + nuclearity of each split, such as "Elaboration_NS" */
} hp_rst_binary;

/* The binary form of T, binarised by the rules of binarize.h where it is not binary yet; nodes with a single child are
 * passed over.  A label is the relation of the satellite, or of the right nucleus where there are two, followed by "_"
 * and the nuclearity.  *OUT is the caller's to destroy. */
int hp_rst_binary_new(const hp_rst_tree *t, hp_rst_binary **out, hp_error *err) HP_USE_RESULT;
/* From its parts, which are copied: TEXT [edus], SPLIT and LABEL [edus - 1].  Refused: splits that are no tree in the
 * order described, a label without nuclearity, a text that is empty or has other than single blanks.  ID may be NULL. */
int hp_rst_binary_make(const char *id, int edus, const char *const *text, const hp_rst_split *split,
                       const char *const *label, hp_rst_binary **out, hp_error *err) HP_USE_RESULT;
void hp_rst_binary_destroy(hp_rst_binary *b); /* accepts NULL */
/* B as a general tree, whose nodes (2 * edus - 1) carry the role and the relation that RST-Parseval looks at: the
 * nucleus of NS and SN has relation "span", both nuclei of NN have the class. */
int hp_rst_binary_tree(const hp_rst_binary *b, hp_rst_tree *out, hp_error *err) HP_USE_RESULT;
/* Takes "Elaboration_NS" apart; the class is the first *SIZE bytes.  False if LABEL does not end so. */
bool hp_rst_label_parts(const char *label, size_t *size, hp_rst_nuclearity *nuclearity);
/* Whether the SIZE bytes at S can stand after "rel2par": not empty, UTF-8, without blanks, brackets and "_!", and not
 * beginning with "//", which makes a remark. */
bool hp_rst_is_name(const char *s, size_t size);

#endif
