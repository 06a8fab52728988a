/* aligned_edus.h: a gold file of rhetorical trees and systems' trees for the same EDUs, a sentence at a time.
 *
 * The EDUs must have the same characters, white space apart.  Systems' trees may stand in any order, and there may be
 * more of them than gold ones: those with the same characters belong together, and among several of them those with the
 * same id.  Where the files have the same order nothing is kept but the trees that are read; else, those of a system
 * that are not asked for yet (waiting.h).  Trees of one EDU are read over and counted. */
#ifndef HP_ALIGNED_EDUS_H
#define HP_ALIGNED_EDUS_H
#include <stdbool.h>
#include <stdint.h>
#include "io/input.h"
#include "rst/tree.h"

typedef struct hp_aligned_edus hp_aligned_edus;

/* IN[0] is the gold standard; all are borrowed.  FILES is at most HP_EVAL_FILES.  Trees are binarised unless
 * KEEP_NARY. */
int hp_aligned_edus_new(hp_input *const *in, int files, bool keep_nary, hp_aligned_edus **out,
                        hp_error *err) HP_USE_RESULT;
/* From now on EDUs need not be the same, trees of one EDU come as well, and the nodes' FIRST and LAST count characters
 * without white space, from 0, in place of EDUs. */
void hp_aligned_edus_end_to_end(hp_aligned_edus *a);
void hp_aligned_edus_destroy(hp_aligned_edus *a); /* accepts NULL */
void hp_aligned_edus_on_warning(hp_aligned_edus *a, hp_warn *warn, void *arg); /* as hp_dis_on_warning */
/* The next trees of several EDUs.  Returns 1, 0 when the gold file ends, or HP_FAIL with a line that names the gold tree
 * that a system lacks, and where the two files part. */
int hp_aligned_edus_next(hp_aligned_edus *a, hp_error *err) HP_USE_RESULT;
/* What was read last, its relations as RST-Parseval wants them; valid until the next call. */
const hp_rst_tree *hp_aligned_edus_tree(const hp_aligned_edus *a, int file);
int64_t hp_aligned_edus_single(const hp_aligned_edus *a); /* of one EDU, so far */
/* So far: trees of a system, of several EDUs, that the parser passed on as they were.  Nothing in them is right: their nodes'
 * FIRST is -1. */
int64_t hp_aligned_edus_unparsed(const hp_aligned_edus *a, int file);
/* At the end: how many trees of a system are not in the gold file. */
int64_t hp_aligned_edus_left(const hp_aligned_edus *a, int file);

#endif
