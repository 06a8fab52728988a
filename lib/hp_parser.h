/* hp_parser.h: what hp.c, hp_words.c, hp_edus.c, hp_text.c and hp_document.c share.  Private to them. */
#ifndef HP_PARSER_H
#define HP_PARSER_H
#include <stdbool.h>
#include "base/arena.h"
#include "base/pool.h"
#include "model/language.h"
#include "model/model.h"
#include "hp.h"
#include "pointer/parse.h"
#include "tag/model.h"
#include "text/edus.h"

enum { HP_MAX_WORDS = 1000000 }; /* of a sentence */
#define HP_MAX_TEXT ((size_t)1 << 30) /* bytes of a sentence */

struct hp_parser {
	hp_model *model;
	hp_pool *pool; /* NULL: one thread */
	hp_arena *trees; /* what the caller sees, until the next call that parses */
	hp_arena *work; /* one group of sentences */
	int beam, nbest;
	/* Opened by hp_open_text or hp_open_document: */
	struct hp_tok_model *tokenizer; /* NULL: by hp_open */
	hp_tag_model *tagger; /* NULL: there is none */
	hp_text_sentence *sentence; /* [sentences] of the last text; what it points to is in the arena of trees */
	size_t sentence_capacity;
	int sentences;
	/* Opened by hp_open_document: */
	hp_tag_model *segmenter; /* NULL: by another */
	hp_parser *words; /* of the sentences' dependency trees; NULL: none are needed */
	hp_text_edu *edu; /* of the last text */
	size_t edu_capacity;
	hp_document document;
};

/* Sentences that are computed together: those that come, up to the limits of HP_BATCH_... */
typedef struct hp_group {
	int count;
	size_t rows, bytes; /* positions or words; of text */
	hp_sample sample[HP_BATCH_SENTENCES];
	hp_tokens tokens[HP_BATCH_SENTENCES];
	hp_parsed out;
} hp_group;

/* A sentence of the caller's, checked. */
typedef struct hp_text {
	hp_sentence words; /* owned; what it points to is the caller's or in the arena */
	hp_edus edus; /* if there are any */
	const int32_t *fixed; /* as in hp_sample, the caller's */
	int sents; /* likewise */
	const int32_t *sent_end, *paragraph;
	size_t bytes;
} hp_text;

/* A tree among those of a group. */
typedef struct hp_result {
	int results; /* heads, the root's among them, or splits */
	size_t at; /* the first one */
	float score;
} hp_result;

/* What differs between words and EDUs. */
typedef struct hp_kind {
	bool rst; /* the task of the model */
	/* Checks sentence I of the caller's; arrays in ARENA. */
	int (*read)(hp_arena *arena, const void *sentences, int i, hp_text *out, hp_error *err);
	/* The numbers of the sentence that G has just counted. */
	int (*number)(hp_parser *p, const hp_text *text, hp_group *g, hp_error *err);
	/* Makes a tree as the caller sees it, in p->trees, NEXT being the sentence's next best one.  NULL: out of memory. */
	const void *(*tell)(hp_parser *p, const hp_parsed *from, const hp_result *tree, const void *next);
} hp_kind;

/* A call that parses. */
typedef struct hp_call {
	const hp_kind *kind;
	const char *function; /* its name */
	bool single; /* of one sentence: messages do not number it */
	int count;
	const void *sentences; /* [count] hp_batch_words or hp_batch_edus */
	void *trees; /* [count] pointers to hp_tree or hp_edu_tree: set, or all NULL after failure */
} hp_call;

int hp_run(hp_parser *p, const hp_call *c, hp_error *err) HP_USE_RESULT;
int hp_run_groups(hp_parser *p, const hp_call *c, hp_error *err) HP_USE_RESULT; /* after all checks */
/* Of words that were checked. */
int hp_edus_number(hp_parser *p, const hp_text *text, hp_group *g, hp_error *err) HP_USE_RESULT;
const void *hp_edus_tell(hp_parser *p, const hp_parsed *from, const hp_result *tree, const void *next);
int hp_words_number(hp_parser *p, const hp_text *text, hp_group *g, hp_error *err) HP_USE_RESULT;
const void *hp_words_tell(hp_parser *p, const hp_parsed *from, const hp_result *tree, const void *next);

/* ---- texts ---- */

/* Opens tokeniser and, if there is one, tagger for P, which has a parser. */
typedef int hp_text_opener(hp_parser *p, const hp_language *l, hp_error *err);
hp_text_opener hp_text_open_models;
/* The models of a language, a DISCOURSE parser's or a dependency parser's, the others by OPEN.  FUNCTION is the caller's name. */
int hp_text_open(const char *function, const char *language, bool discourse, hp_text_opener *open, hp_parser **out,
                 hp_error *err) HP_USE_RESULT;
/* The text's sentences in P, with tags, and with trees by BY, which may be P, or NULL: without. */
int hp_text_read(hp_parser *p, hp_parser *by, const char *text, size_t size, hp_error *err) HP_USE_RESULT;
/* The words of a sentence as models see them: WORD [words], with HEAD and DEPREL if it has a tree; what they need is in ARENA. */
int hp_text_view(const hp_text_sentence *in, hp_word *word, hp_arena *arena, hp_error *err) HP_USE_RESULT;

/* Sentences that go together, as a tagger or a segmenter sees them. */
typedef struct hp_text_group {
	int first, count, rows; /* its number in the text, how many, their words */
	const hp_sentence *sentence[HP_BATCH_SENTENCES];
	hp_tokens tokens[HP_BATCH_SENTENCES];
} hp_text_group;
typedef int hp_text_compute(hp_parser *p, const hp_tagging *how, const hp_text_group *g, hp_error *err);
/* Calls COMPUTE for all sentences of the text, with model M; p->work is emptied before each group. */
int hp_text_compute_all(hp_parser *p, const hp_tag_model *m, hp_text_compute *compute, hp_error *err) HP_USE_RESULT;

int hp_fail_null(hp_error *err, const char *function, const char *argument); /* "FUNCTION: ARGUMENT is NULL" */
/* Whether the SIZE bytes at S are UTF-8 without tabs (unless TABS) and line feeds: NULL, or what is wrong, as "is not
 * UTF-8". */
const char *hp_text_fault(const char *s, size_t size, bool tabs);

#endif
