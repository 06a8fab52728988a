/* aligned_words.h: a gold file and systems' outputs for it, read side by side, a sentence at a time.
 *
 * The words must be the same ones in the same sentences (the blanks inside a FORM apart), and every file's trees must
 * be trees.  Blocks of comments only, multiword-token lines and empty nodes are passed over. */
#ifndef HP_ALIGNED_WORDS_H
#define HP_ALIGNED_WORDS_H
#include <stdint.h>
#include <sys/types.h>
#include "eval/tally.h"
#include "text/conllu.h"

enum { HP_NO_HEAD = -1 };

/* A system's sentence that the parser passed on as it was (HP_UNPARSED) has no heads and no relations, whatever its rows say:
 * its HEADs are HP_NO_HEAD, its DEPRELs hp_no_column. */
typedef struct hp_dependencies {
	const char *name; /* the file, for messages */
	hp_sentence s;
	int32_t *heads; /* [words + 1]; heads[0] = 0 */
	size_t capacity; /* private: of heads */
} hp_dependencies;

typedef struct hp_aligned_words hp_aligned_words;

/* IN[0] is the gold standard; all are borrowed. */
int hp_aligned_words_new(hp_input *const *in, int files, int max_words, hp_aligned_words **out,
                         hp_error *err) HP_USE_RESULT;
void hp_aligned_words_destroy(hp_aligned_words *a); /* accepts NULL */
/* Returns 1, 0 when all files end together, or HP_FAIL with a line that names both places where two files part. */
int hp_aligned_words_next(hp_aligned_words *a, hp_error *err) HP_USE_RESULT;
const hp_dependencies *hp_aligned_words_tree(const hp_aligned_words *a,
                                             int file); /* what was read last; valid until the next call */

int64_t hp_aligned_words_unparsed(const hp_aligned_words *a, int file); /* sentences of a system so far */

#endif
