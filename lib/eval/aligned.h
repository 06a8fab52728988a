/* aligned.h: a gold file and systems' outputs for it, read side by side, a sentence at a time.
 *
 * The words must be the same ones in the same sentences (the blanks inside a FORM apart), and every file's trees must
 * be trees.  Blocks of comments only, multiword-token lines and empty nodes are passed over. */
#ifndef HP_ALIGNED_H
#define HP_ALIGNED_H
#include <stdint.h>
#include <sys/types.h>
#include "text/conllu.h"

enum { HP_ALIGNED_FILES = 3 }; /* at most: gold and two systems */

typedef struct hp_tree {
	const char *name; /* the file, for messages */
	hp_sentence s;
	int32_t *heads; /* [words + 1]; heads[0] = 0 */
	int capacity; /* private: of heads */
} hp_tree;

typedef struct hp_aligned hp_aligned;

/* IN[0] is the gold standard; all are borrowed. */
int hp_aligned_new(hp_input *const *in, int files, int max_words, hp_aligned **out, hp_error *err) HP_USE_RESULT;
void hp_aligned_destroy(hp_aligned *a); /* accepts NULL */
/* Returns 1, 0 when all files end together, or HP_FAIL with a line that names both places where two files part. */
int hp_aligned_next(hp_aligned *a, hp_error *err) HP_USE_RESULT;
const hp_tree *hp_aligned_tree(const hp_aligned *a, int file); /* what was read last; valid until the next call */
int64_t hp_aligned_sentences(const hp_aligned *a); /* so far */

/* A space separator (Unicode Zs) of at most SIZE bytes at S: its length, or 0.  As such are not part of a token. */
int hp_space_length(const char *s, size_t size);
bool hp_forms_equal(const char *a, size_t a_size, const char *b, size_t b_size); /* space separators apart */
/* Bytes of S to show in a message: cut after at most 40, between characters. */
int hp_shown(const char *s, size_t size);

#endif
