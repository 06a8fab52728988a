/* sentence_builder.h: a sentence being built line by line, whether from an input or from memory.  Private to lib/text. */
#ifndef HP_SENTENCE_BUILDER_H
#define HP_SENTENCE_BUILDER_H
#include "text/conllu.h"

/* A longer line, or a longer block that is refused already, is not kept in memory: see hp_builder_line. */
#define HP_LINE_LIMIT ((size_t)64 << 20)

typedef struct hp_builder {
	hp_sentence s;
	const char *name; /* of the file; borrowed */
	int max_words;
	int id; /* of the last word */
	int empty; /* of the last empty node after it: 1 for 5.1 */
	int range_end; /* last word of the last multiword token */
	long range_line, last_line;
	int columns; /* of the rows so far, 0: none; CoNLL-2009 has as many in each row of a sentence */
	bool named; /* the block names its columns */
	bool failed; /* the text is refused: lines are still collected, but no longer looked at */
	hp_error err; /* why */
} hp_builder;

/* Empties the block, whose memory stays.  COLUMNS: of what came before, may be NULL.  MAX_WORDS < 1: no limit. */
void hp_builder_start(hp_builder *b, const hp_columns *columns, const char *name, int max_words);
/* Cuts what is no part of a line: byte-order marks before it, carriage returns after it. */
void hp_builder_trim(const char **line, size_t *size);
/* Adds one line, trimmed and not empty.  HP_FAIL only if the block cannot be collected to its end (B->err): out of
 * memory, over 1 GiB, or refused already and over HP_LINE_LIMIT.  So a giant "sentence" does not fill the memory. */
int hp_builder_line(hp_builder *b, const char *line, size_t size, long number) HP_USE_RESULT;
/* Makes the block of one line of tokens separated by blanks, with a comment "# sent_id = ID" unless ID is 0.  As
 * hp_builder_line. */
int hp_builder_tokens(hp_builder *b, const char *line, size_t size, long number, long id) HP_USE_RESULT;
/* Adds one line that is no row, but an EDU of at least a word, or the id before the first: not looked at. */
int hp_builder_raw(hp_builder *b, const char *line, size_t size, long number) HP_USE_RESULT;
/* The last line was added. */
void hp_builder_end(hp_builder *b);

/* Whether LINE, of text with these columns (count 0: not known), is no row. */
bool hp_is_comment(const hp_columns *c, const char *line, size_t size);
/* Splits a row into its columns; returns how many there are. */
int hp_split_row(const hp_columns *c, const char *line, size_t size, hp_word *w);

#endif
