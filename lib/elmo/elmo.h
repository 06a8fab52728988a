/* elmo.h: the bidirectional language model of ELMo (Peters et al. 2018), from a file that elmo-convert makes.
 *
 * A word becomes characters (the bytes of its UTF-8 between marks), these a vector by convolutions, maximum over
 * all positions, highway layers and a projection; sentences, between <S> and </S>, then pass through layers of LSTMs with
 * projections, forward and backward.  The file's tensors are listed in elmo-convert(1).
 *
 * What comes out for a sentence does not depend, to the last bit, on the sentences beside it or on the threads. */
#ifndef HP_ELMO_H
#define HP_ELMO_H
#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/pool.h"

typedef struct hp_elmo hp_elmo;

/* Names, types and shapes of all tensors are checked, and that there is no other.  Weights stay mapped.  POOL (may be
 * NULL) helps to prepare. */
int hp_elmo_open(const char *path, hp_pool *pool, hp_elmo **out, hp_error *err) HP_USE_RESULT;
void hp_elmo_close(hp_elmo *e); /* accepts NULL */
const char *hp_elmo_id(const hp_elmo *e); /* name made from the weights; valid until closed */
int hp_elmo_layers(const hp_elmo *e); /* of LSTMs; there is one output more, the characters' */
int hp_elmo_width(const hp_elmo *e); /* of an output: 2 × projection, forward before backward */

/* A word that is spelled <S> or </S> has the characters of that boundary, as in AllenNLP. */
typedef struct hp_elmo_word {
	const char *text; /* bytes; what is over the model's length of a word is ignored */
	size_t size;
} hp_elmo_word;

typedef struct hp_elmo_sentence {
	int count; /* words, at least 1 */
	const hp_elmo_word *words;
	float *out; /* [layers + 1 × count × width], the caller's; layer 0 has the characters' vector twice */
} hp_elmo_sentence;

/* States that are carried from sentence to sentence: the n-th sentence of a text continues where the (n - lanes)-th
 * ended, in both directions (the backward one, as in AllenNLP, from that sentence's beginning).  Zero at first. */
typedef struct hp_elmo_lanes hp_elmo_lanes;
enum { HP_ELMO_MAX_LANES = 100000 };
int hp_elmo_lanes_new(const hp_elmo *e, int lanes, hp_elmo_lanes **out, hp_error *err) HP_USE_RESULT;
void hp_elmo_lanes_destroy(hp_elmo_lanes *lanes); /* accepts NULL */

/* Sentences in the order of the text; with LANES it may come in any pieces.  LANES NULL: every sentence begins with
 * zero states.  SCRATCH is restored; it gives what some sixty sentences, or one long one, need at once. */
int hp_elmo_run(const hp_elmo *e, hp_pool *pool, hp_arena *scratch, hp_elmo_lanes *lanes, int count,
                const hp_elmo_sentence *sentences, hp_error *err) HP_USE_RESULT;

#endif
