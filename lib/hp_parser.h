/* hp_parser.h: what hp.c, hp_words.c and hp_edus.c share.  Private to them. */
#ifndef HP_PARSER_H
#define HP_PARSER_H
#include <stdbool.h>
#include "base/arena.h"
#include "base/pool.h"
#include "dep/model.h"
#include "hp.h"

enum { HP_MAX_WORDS = 1000000 }; /* of a sentence */
#define HP_MAX_TEXT ((size_t)1 << 30) /* bytes of a sentence */

struct hp_parser {
	hp_model *model;
	hp_pool *pool; /* NULL: one thread */
	hp_arena *trees; /* what the caller sees, until the next call that parses */
	hp_arena *work; /* one group of sentences */
	int beam;
};

/* The sentences that are computed together: those that come, up to the limits of HP_BATCH_... */
typedef struct hp_group {
	int count;
	size_t rows, bytes;
} hp_group;

/* Whether a sentence of N positions and BYTES of text still goes with the group; if so, it is counted. */
bool hp_group_takes(hp_group *g, int n, size_t bytes);
/* What every call that parses does first, once it has set the caller's trees to NULL: checks PARSER, and that its model is
 * for the task RST or not; empties the arena of trees.  FUNCTION is the call's name. */
int hp_begin(hp_parser *parser, const char *function, bool rst, hp_error *err) HP_USE_RESULT;
/* The same for a batch, whose arguments these are. */
int hp_begin_batch(hp_parser *parser, const char *function, bool rst, int count, const void *sentences,
                   const void *trees, hp_error *err) HP_USE_RESULT;
int hp_fail_null(hp_error *err, const char *function, const char *argument); /* "FUNCTION: ARGUMENT is NULL" */
/* Whether the SIZE bytes at S are UTF-8 without tabs (unless TABS) and line feeds: NULL, or what is wrong, as "is not
 * UTF-8". */
const char *hp_text_fault(const char *s, size_t size, bool tabs);
/* Fails with WHY, which sentence NUMBER (from 1; 0: the only one) is to blame for. */
int hp_blame(int number, const hp_error *why, hp_error *err);
/* Fails because scores of sentence NUMBER are not finite, or absurd. */
int hp_fail_scores(int number, hp_error *err);

#endif
