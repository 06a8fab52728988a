/* waiting.h: rhetorical trees of one file that were read before it was their turn, as long as nobody has asked for
 * them.  They are found by their characters, white space apart, and of those with the same characters by their id. */
#ifndef HP_WAITING_H
#define HP_WAITING_H
#include <stdint.h>
#include "rst/dis.h"

typedef struct hp_waiting hp_waiting;

/* NAME: of the file, for messages; borrowed.  NULL: out of memory. */
hp_waiting *hp_waiting_new(const char *name);
void hp_waiting_destroy(hp_waiting *w); /* accepts NULL */
/* Adds what READER has just read: T, whose characters these are. */
int hp_waiting_add(hp_waiting *w, const hp_dis_reader *reader, const hp_rst_tree *t, const char *characters,
                   hp_error *err) HP_USE_RESULT;
/* Takes out, into T, the first tree that has CHARACTERS and ID.  An id that is not known, here or there, fits any; ANY:
 * so does every other.  Returns 1, 0 if there is none, or HP_FAIL. */
int hp_waiting_take(hp_waiting *w, const char *characters, const char *id, bool any, hp_rst_tree *t,
                    hp_error *err) HP_USE_RESULT;
/* Shows, in T, the first tree with ID, or with ID NULL the first one that begins after LINE.  Returns as above. */
int hp_waiting_show(const hp_waiting *w, const char *id, long line, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;
int64_t hp_waiting_count(const hp_waiting *w);

#endif
