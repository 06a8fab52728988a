/* edus.h: a sentence, or a document, as EDUs, a line each: how discourse models take text, and how the stream's `text` holds
 * it.
 *
 *	# sent_id = DOCUMENT-SENTENCE
 *	When the library opened again ,
 *	she returned the maps .
 *
 * The first line may be missing.  Tokens are separated by blanks.  Where it is missing, an EDU that reads like it stands
 * after a blank.  White space is that of .dis notation, and a mark <P> at the end of an EDU, which is no text, ends a
 * paragraph here as well.  A text that ends like that mark has a word joiner behind it, which nobody sees, and those that
 * stand there already become one more.
 *
 * A document begins with its own line instead, and has empty lines between its sentences; their ids are passed over:
 *
 *	# newdoc id = DOCUMENT
 *	When the library opened again ,
 *	she returned the maps .
 *
 *	Nobody had missed them . */
#ifndef HP_EDUS_H
#define HP_EDUS_H
#include "base/arena.h"
#include "text/conllu.h"

#define HP_EDUS_ID "# sent_id = "
#define HP_EDUS_DOCUMENT "# newdoc id = "
#define HP_EDUS_JOINER "\xe2\x81\xa0" /* U+2060 */

typedef struct hp_edus {
	const char *id; /* NULL: unknown */
	bool document; /* of a whole document, whose name ID is */
	int sents; /* sentences of a document; 0: where they end is not known */
	int32_t *sent_end; /* [sents] the last EDU of each, from 0 */
	int edus;
	const char **text; /* [edus] tokens separated by single blanks */
	int32_t *ends; /* [edus] last token of each, from 0 */
	int32_t *paragraph; /* [edus] 1: a paragraph ends after it, else 0; to hp_edus_lines it may be NULL */
} hp_edus;

/* Where EDUs come from, for messages, and how many words a sentence, or a document, may have. */
typedef struct hp_edus_source {
	const char *name; /* of the file */
	long line; /* of the first EDU */
	int step; /* from there to the next one's */
	int max_words; /* < 1: no limit */
} hp_edus_source;

/* From lines as above into OUT, in ARENA, and (unless WORDS is NULL) their tokens into WORDS.  Refused, with name and
 * line: invalid UTF-8, a line of blanks only, no EDU, too many words. */
int hp_edus_parse(const char *lines, size_t size, hp_edus_source from, hp_arena *arena, hp_edus *out,
                  hp_sentence *words, hp_error *err) HP_USE_RESULT;
/* The same from TEXT [EDUS > 0], each an EDU whatever it reads like, without id. */
int hp_edus_take(int edus, const char *const *text, hp_edus_source from, hp_arena *arena, hp_edus *out,
                 hp_sentence *words, hp_error *err) HP_USE_RESULT;
int hp_edus_of(const hp_edus *e, int token); /* the EDU that it is in; EDUS: none */
/* LINE is HEAD, one of the two above, or either of them, and a name. */
bool hp_edus_is_named(const char *line, size_t size, const char *head);
bool hp_edus_is_heading(const char *line, size_t size);
/* Whether LINE can be an EDU; refused: a NUL byte, invalid UTF-8, blanks only. */
int hp_edus_check(const char *line, size_t size, const char *name, long number, hp_error *err) HP_USE_RESULT;
/* What LINE looks like: an EDU; a row of CoNLL-U, of another format of columns; a part of a tree in .dis notation. */
typedef enum hp_edu_look { HP_EDU_TEXT, HP_EDU_CONLLU, HP_EDU_COLUMNS, HP_EDU_TREE } hp_edu_look;
hp_edu_look hp_edus_look(const char *line, size_t size);
/* SIZE without the marks <P> at LINE's end, white space, and the word joiner behind a text; whether there were any marks. */
size_t hp_edus_cut_paragraph(const char *line, size_t size, bool *paragraph);
/* The same of raw text, whose white space is Unicode's. */
size_t hp_edus_cut_raw(const char *line, size_t size, bool *paragraph);
/* What is to be written behind an EDU's TEXT: that word joiner, or nothing. */
const char *hp_edus_guard(const char *text, size_t size);
/* Such lines in ARENA; *SIZE bytes.  NULL: out of memory.  The texts may have blanks of any number. */
char *hp_edus_lines(const hp_edus *e, hp_arena *arena, size_t *size);

#endif
