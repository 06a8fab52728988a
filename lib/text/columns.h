/* columns.h: which column of a row is which, in the five formats of the CoNLL family that are read:
 *
 *	CoNLL-U       ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
 *	CoNLL-X       the same ten, of which the last two are called PHEAD and PDEPREL (the projective tree)
 *	              or eight: without these two
 *	CoNLL-2009    ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED...: 13 and more
 *	CoNLL-U Plus  whatever a line "# global.columns = ID FORM ..." names
 */
#ifndef HP_COLUMNS_H
#define HP_COLUMNS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* What the programs look at, in the order of CoNLL-U. */
enum { HP_ID, HP_FORM, HP_LEMMA, HP_UPOS, HP_XPOS, HP_FEATS, HP_HEAD, HP_DEPREL, HP_DEPS, HP_MISC, HP_COLUMNS };
/* Beside these: the tag of CoNLL-2009, by hand and by a tagger, and the tree of a parser. */
enum { HP_POS = HP_COLUMNS, HP_PPOS, HP_PHEAD, HP_PDEPREL, HP_COLUMN_NAMES };
enum { HP_MOST_COLUMNS = 256, HP_COLUMNS_TEXT = 3 * 1024 }; /* with names; bytes of hp_columns_text */

typedef struct hp_columns {
	int count; /* of a row; 0: not known yet */
	bool plain; /* the ten of CoNLL-U */
	bool more; /* CoNLL-2009: COUNT at least, as many in each row of a sentence */
	bool named; /* by a line, LINE (0: by no line of the text) */
	long line;
	int16_t at[HP_COLUMN_NAMES]; /* which column, from 0, has what the index says; -1: none */
} hp_columns;

/* Those of a row of COUNT columns where nothing is said; false if no format has so many. */
bool hp_columns_guess(int count, hp_columns *out);
/* From their NAMES, separated by blanks; CPOSTAG, POSTAG and FEAT are other names of UPOS, XPOS and FEATS.  A name that is
 * not known is a column that is not looked at.  WHERE and LINE (0: none) are for messages: no ID, no FORM, a name twice. */
int hp_columns_parse(const char *names, size_t size, const char *where, long line, hp_columns *out,
                     hp_error *err) HP_USE_RESULT;
/* Whether rows of both are read in the same way. */
bool hp_columns_same(const hp_columns *a, const hp_columns *b);
/* The names as text; "_" for those that are not looked at. */
void hp_columns_text(const hp_columns *c, char out[HP_COLUMNS_TEXT]);
/* The names in a line "# global.columns = NAMES", or NULL if LINE is no such line. */
const char *hp_columns_names(const char *line, size_t size);

#endif
