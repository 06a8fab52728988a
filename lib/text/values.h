/* values.h: writing a sentence with other values in some of its columns. */
#ifndef HP_TEXT_VALUES_H
#define HP_TEXT_VALUES_H
#include "text/conllu.h"

typedef struct hp_new_value { /* of a word in a column */
	const char *text; /* [size] without tabs and newlines; NULL: what is there stays */
	size_t size;
	float prob; /* of being right */
} hp_new_value;

typedef struct hp_new_column {
	int column; /* HP_LEMMA ...; nothing is written if the sentence has no such column */
	const char *key; /* attribute in MISC that gets the probability, with 4 digits, and replaces one of that name */
} hp_new_column;

/* The block with VALUE [words × COUNT] in its COLUMNS [COUNT], all else unchanged, and one blank line.  Probabilities are
 * written if PROBS, but not into CoNLL-X, which has no MISC. */
int hp_sentence_write_values(const hp_sentence *s, int count, const hp_new_column *columns, const hp_new_value *value,
                             bool probs, FILE *out, hp_error *err) HP_USE_RESULT;

/* The value of NAME in the MISC of a row: *SIZE bytes, or NULL. */
const char *hp_misc_find(const hp_word *row, const char *name, size_t *size);
/* The same in what stands behind the value that ends at VALUE_END. */
const char *hp_misc_find_next(const hp_word *row, const char *value_end, const char *name, size_t *size);

/* ---- within lib/text ---- */

/* MISC without the attributes of the names KEY [COUNT]; returns whether anything was left and written. */
bool hp_misc_write_others(FILE *out, const char *misc, size_t size, int count, const char *const *key);
void hp_misc_write_prob(FILE *out, const char *key, float prob); /* "SegProb=0.1234" */
/* SIZE bytes of MISC at TEXT without the attributes of the names KEY [COUNT], but with those whose PROB is not NULL. */
void hp_misc_write(FILE *out, const char *text, size_t size, int count, const char *const *key,
                   const float *const *prob);
/* Whether a row of ten columns is one of CoNLL-X, where DEPS and MISC are PHEAD and PDEPREL.  DEPS is never a bare number and
 * MISC nearly always an attribute: so a number beside something without '=' is CoNLL-X. */
bool hp_row_is_conllx(const hp_word *w);

#endif
