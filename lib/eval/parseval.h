/* parseval.h: the constituents of a rhetorical tree against those of the gold tree; DESIGN section 6.
 *
 * Two ways of counting.  RST-Parseval (Marcu 2000) looks at every node but the root, EDUs included; the nuclearity of
 * a node is its role in its parent, its relation is the one to its parent: "span" for a nucleus that has satellites.
 * The original Parseval (Morey et al. 2017) looks at every inner node, the root included; the nuclearity of a node is
 * the roles of its children, its relation is the one that joins them.  A binary tree of k EDUs has 2k - 2 nodes of the
 * first and k - 1 of the second kind, so over the same EDUs precision, recall and F1 are one number.  A tree of one
 * EDU has nothing to count. */
#ifndef HP_PARSEVAL_H
#define HP_PARSEVAL_H
#include "eval/breakdown.h"
#include "eval/confusion.h"
#include "eval/tally.h"
#include "rst/tree.h"

enum {
	HP_RST_PARSEVAL_SPAN, /* nodes over the same EDUs */
	HP_RST_PARSEVAL_NUCLEARITY, /* ... with the same nuclearity */
	HP_RST_PARSEVAL_RELATION, /* ... with the same relation, whatever the nuclearity */
	HP_RST_PARSEVAL_FULL, /* ... with both */
	HP_PARSEVAL_SPAN, /* the same for the original Parseval */
	HP_PARSEVAL_NUCLEARITY,
	HP_PARSEVAL_RELATION,
	HP_PARSEVAL_FULL,
	HP_PARSEVAL_UCM, /* trees of several EDUs all of whose spans are right, and none wrong */
	HP_PARSEVAL_LCM, /* ... with nuclearity and relation */
	HP_PARSEVAL_METRICS
};
extern const hp_metric hp_parseval_metrics[HP_PARSEVAL_METRICS];

/* A sentence's scores; both trees have the same number of EDUs, and any number of children a node.  Relations are
 * compared as they stand: those of hp_rst_binary_tree and of hp_rst_name_nuclei are as RST-Parseval wants them.
 * For the original Parseval the relation of a node is that of its satellite, or those of its satellites in their order;
 * that of its last nucleus if it has no satellite. */
void hp_parseval_score(const hp_rst_tree *gold, const hp_rst_tree *system, hp_tally out[HP_PARSEVAL_METRICS]);
/* The same of two sentences as the parser sees them, such as a gold tree and the tree just decoded. */
int hp_parseval_score_binary(const hp_rst_binary *gold, const hp_rst_binary *system, hp_tally out[HP_PARSEVAL_METRICS],
                             hp_error *err) HP_USE_RESULT;

/* ---- end to end: EDUs that need not be the same ---- */
enum {
	HP_END_TO_END_SEG, /* EDUs' ends within the text */
	HP_END_TO_END_SPAN, /* the four of the original Parseval; nodes are over the same characters */
	HP_END_TO_END_NUCLEARITY,
	HP_END_TO_END_RELATION,
	HP_END_TO_END_FULL,
	HP_END_TO_END_METRICS
};
extern const hp_metric hp_end_to_end_metrics[HP_END_TO_END_METRICS];
/* The scores of two trees of the same characters, whose nodes' FIRST and LAST are characters, not EDUs. */
void hp_end_to_end_score(const hp_rst_tree *gold, const hp_rst_tree *system, hp_tally out[HP_END_TO_END_METRICS]);

/* ---- broken down ---- */
typedef enum hp_parseval_by {
	HP_PARSEVAL_BY_EDUS, /* EDUs of the sentence; hp_parseval_metrics */
	HP_PARSEVAL_BY_RELATION, /* of inner nodes; original Parseval's Relation, Full, and Span (by gold relation) */
	HP_PARSEVAL_BY_DEPTH, /* of the gold tree's inner nodes, the root's being 1: which share of them is right, by the
	                         original Parseval */
	HP_PARSEVAL_BYS
} hp_parseval_by;

const char *hp_parseval_by_name(hp_parseval_by by); /* as on the command line and in CSV */
const hp_metric *hp_parseval_by_metrics(hp_parseval_by by, int *metrics);
/* An empty breakdown; with the groups of BINS in their order but for HP_PARSEVAL_BY_RELATION. */
int hp_parseval_by_new(hp_parseval_by by, const hp_bins *bins, hp_breakdown **out, hp_error *err) HP_USE_RESULT;
/* Adds a sentence. */
int hp_parseval_by_add(hp_parseval_by by, const hp_bins *bins, const hp_rst_tree *gold, const hp_rst_tree *system,
                       hp_breakdown *breakdown, hp_error *err) HP_USE_RESULT;

/* ---- what is taken for what ---- */
enum { HP_CONFUSED_RELATION, HP_CONFUSED_NUCLEARITY, HP_PARSEVAL_CONFUSIONS };
/* Empty tables of relations and of nuclearities, "NS", "NN" ...: a letter a child. */
int hp_parseval_confusions(hp_confusion out[HP_PARSEVAL_CONFUSIONS], hp_error *err) HP_USE_RESULT;
/* Adds the inner nodes that both trees have, with the relation and the nuclearity of the original Parseval. */
int hp_parseval_confuse(const hp_rst_tree *gold, const hp_rst_tree *system, hp_confusion out[HP_PARSEVAL_CONFUSIONS],
                        hp_error *err) HP_USE_RESULT;

#endif
