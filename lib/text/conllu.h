/* conllu.h: CoNLL-U and its relations (columns.h), one sentence at a time.  DESIGN section 3. */
#ifndef HP_CONLLU_H
#define HP_CONLLU_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "io/input.h"
#include "text/columns.h"

typedef struct hp_word {
	const char
		*col[HP_COLUMNS]; /* into the sentence's text, not terminated; hp_no_column, a "_": not among its columns */
	uint32_t len[HP_COLUMNS];
	long line; /* in the file, from 1 */
} hp_word;
extern const char hp_no_column[];

typedef struct hp_sentence {
	char *text; /* the block as read: LF line ends, no byte-order mark, newline after each line, no blank line */
	size_t size;
	long line; /* of the first line of the block in the file, from 1 */
	hp_columns columns; /* of its rows, and of the next sentence's; count 0: there are no rows yet */
	int words; /* syntactic words (integer ids); 0: a block of comments only */
	hp_word *word; /* [words]; word i+1 of the sentence is word[i] */
	/* private */
	size_t rows_at; /* where rows may begin: after a line in the block that names the columns */
	long rows_line; /* in the file */
	size_t text_capacity, word_capacity;
} hp_sentence;

void hp_sentence_init(hp_sentence *s);
void hp_sentence_free(hp_sentence *s); /* frees the contents */

typedef struct hp_conllu_reader hp_conllu_reader;
typedef enum hp_text_kind { HP_TEXT_CONLLU, HP_TEXT_TOKENS, HP_TEXT_EDUS } hp_text_kind;
/* Borrows IN.  With HP_TEXT_CONLLU the first rows, or a line "# global.columns", tell the columns of all that follow, up
 * to another such line.
 * With HP_TEXT_TOKENS every line is a sentence of tokens separated by blanks and comes out as rows of ten columns, of
 * which all but ID and FORM are "_", after a comment "# text = " with the line; lines of blanks are skipped.
 * With HP_TEXT_EDUS a sentence is all lines up to one of blanks, as they are: no words are made (see edus.h).
 * MAX_WORDS < 1: no limit. */
int hp_conllu_reader_new(hp_input *in, hp_text_kind kind, int max_words, hp_conllu_reader **out,
                         hp_error *err) HP_USE_RESULT;
void hp_conllu_reader_destroy(hp_conllu_reader *r); /* accepts NULL */
/* With HP_TEXT_TOKENS: adds 1 to *COUNT, borrowed, for each sentence, which has its number in "# sent_id = ". */
void hp_conllu_count(hp_conllu_reader *r, long *count);
/* The next sentence into S (reused).  Returns 1, 0 at the end, HP_FAIL on trouble with the text: then S->text holds
 * the whole offending block (normalised as far as possible), S->words is 0 (so that hp_sentence_write passes it on as
 * it is), and reading can go on after it (--keep-going) unless hp_conllu_broken says that the input itself failed,
 * that it is another kind of file altogether (io/sniff.h), or that the block is too large to be kept: over 1 GiB, over
 * 64 MiB if it is refused, or with a line over 64 MiB. */
int hp_conllu_read(hp_conllu_reader *r, hp_sentence *s, hp_error *err) HP_USE_RESULT;
bool hp_conllu_broken(const hp_conllu_reader *r);
/* Whether hp_conllu_read would return without waiting. */
int hp_conllu_ready(hp_conllu_reader *r, bool *ready, hp_error *err) HP_USE_RESULT;
/* One block that is in memory already, such as the stream's `text`.  COLUMNS: as hp_sentence has them after reading what
 * came before; NULL: nothing did. */
int hp_sentence_parse(hp_sentence *s, const hp_columns *columns, const char *text, size_t size, const char *name,
                      long line, int max_words, hp_error *err) HP_USE_RESULT;

/* All rows, multiword tokens and empty nodes among them, with all their columns:
 *	hp_rows r = hp_sentence_rows(s);
 *	while (hp_rows_next(&r, &row)) ... */
typedef struct hp_rows {
	const hp_sentence *s;
	const char *next;
	long line;
} hp_rows;
hp_rows hp_sentence_rows(const hp_sentence *s);
bool hp_rows_next(hp_rows *r, hp_word *row);
bool hp_row_id_has(const hp_word *row, char c); /* '-': it is a multiword token; '.': an empty node */

/* The number in HEAD, from 0 to WORDS; false: there is another thing. */
bool hp_word_head(const hp_word *w, int words, int32_t *head);

/* Fails if there is no column HEAD or DEPREL for a tree. */
int hp_sentence_needs_tree(const hp_sentence *s, const char *name, hp_error *err) HP_USE_RESULT;

/* Reads HEAD and DEPREL, which must be there, and checks them: integers 0..words, exactly one root, no cycle, no empty
 * DEPREL.  HEADS is [words + 1]; heads[0] = 0. */
int hp_sentence_tree(const hp_sentence *s, const char *name, int32_t *heads, hp_error *err) HP_USE_RESULT;

/* A tree that a parser found for a sentence.  Numbers by word: [words + 1], those of the root before. */
typedef struct hp_found_tree {
	const int32_t *heads;
	const char *const *labels; /* NULL: all "_" */
	const float *arc_prob, *label_prob; /* NULL: none */
	const float *score; /* NULL or NAN: none */
	int rank; /* among the best of the sentence, from 1; 0: it is alone */
} hp_found_tree;

/* The comment lines "# nbest = 2", unless RANK is 0, and "# score = -1.2345", unless SCORE is NULL or NAN: the number as
 * printf's "%.4f" in the C locale has it, but a zero without a sign. */
void hp_score_write(FILE *out, int rank, const float *score);
/* The beginning of a comment before a block: its tree is not the parser's; the rest says why. */
#define HP_UNPARSED "# unparsed = "
/* Bytes of the lines that begin so at the beginning of TEXT, mostly 0. */
size_t hp_unparsed_size(const char *text, size_t size);
/* Writes the block with new HEAD and DEPREL, DEPS "_", all else unchanged, and one blank line.  PHEAD and PDEPREL of
 * CoNLL-2009 become as HEAD and DEPREL.  Without a column MISC there are no probabilities: they go there as ArcProb= and
 * LabelProb= with 4 digits.  Rank and score go into comments (hp_score_write), the last ones before the first row.
 * What was there of these four belongs to an earlier tree and is dropped, and so are first lines that begin with
 * HP_UNPARSED.  TREE NULL: the block as it is.  In a CoNLL-X row, where DEPS is PHEAD, a bare
 * number, and MISC is PDEPREL, no attribute, the last column becomes "_", too. */
int hp_sentence_write(const hp_sentence *s, const hp_found_tree *tree, FILE *out, hp_error *err) HP_USE_RESULT;

#endif
