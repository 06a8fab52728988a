/* source.h: where the items come from that a filter computes. */
#ifndef SOURCE_H
#define SOURCE_H
#include "filter.h"
#include "rst/dis.h"
#include "text/masked.h"
#include "text/spans.h"

typedef struct source source;

/* What READ has done. */
enum { SOURCE_END, SOURCE_ITEM, SOURCE_NOTHING /* no item, but more may come */ };

typedef struct source_kind {
	int (*open)(source *s, hp_error *err);
	/* What comes next into s->next, with n and size as far as they are known: at most so many.  HP_FAIL: trouble. */
	int (*read)(source *s, hp_error *err);
	int (*take)(source *s, filter_item *item, hp_error *err); /* the same into the batch's ITEM */
	int (*ready)(source *s, bool *ready, hp_error *err); /* whether READ would return without waiting */
	/* After trouble with a text (NULL: nothing goes on after trouble): whether there is more that can be read.  S->next is then
	 * what passes unparsed. */
	bool (*goes_on)(source *s);
	void (*finish)(source *s); /* tells what is strange about the whole text; may be NULL */
	void (*close)(source *s);
} source_kind;

/* Where in a document that is being read something ends. */
typedef struct source_place {
	size_t size, tags; /* bytes before it */
	int edus;
	long next; /* the file's line behind it */
} source_place;

/* A document that is being read: source-documents.c. */
typedef struct source_document {
	char *text, *tags; /* lines of EDUs (edus.h); the words' tags, a tab behind each */
	int32_t *held; /* [end.edus] --constraints: how many fixed spans hold the boundary behind each EDU */
	size_t capacity, tags_capacity, held_capacity;
	long line; /* the file's, of its first line */
	source_place end; /* of what has been read */
	source_place paragraph; /* of the last paragraph that is complete; size 0: there is none */
	source_place part; /* what is handed out; size 0: nothing */
	size_t heading; /* bytes of the line with its name, but for the number of a part */
	int number; /* parts that were handed out before */
	bool open; /* more sentences may come */
	bool waits; /* the next block has been read: it belongs to what comes then */
	bool refused; /* it could not be read: WHY */
	hp_error why;
} source_document;

/* What is told when all has been read. */
typedef struct source_counts {
	long sentences, marks; /* sentences of EDUs; words that are marked in CoNLL-U as an EDU's first */
	long spans; /* sentences that hp-segment divides anew, in which spans of EDUs are fixed */
	long documents; /* that begin */
	long joined; /* documents of several sentences that are parsed as one */
	long alone; /* sentences that stand in no document, for a model that knows documents */
	long endless; /* documents of which it is not known where sentences end, but several seem to */
	long comments, comment_line; /* lines like comments that are EDUs; the first one */
	long cut, parts; /* documents that were too long, their parts */
	long words, placed; /* of CoNLL-U for a model that reads tags; those that have a place in a dependency tree */
} source_counts;

struct source {
	filter *f;
	const source_kind *kind;
	hp_input *in;
	filter_item next; /* what was read last: texts by blocks into its sentence */
	/* text */
	hp_conllu_reader *reader;
	bool other; /* its columns are not those of the files before */
	hp_masked masked; /* of the file */
	bool ends_document; /* with the next sentence, unless that begins one, the document of the file before is left */
	bool documents; /* the model knows them */
	hp_spans spans; /* --constraints: of EDUs in CoNLL-U */
	source_document document;
	source_counts count;
	/* trees */
	hp_dis_reader *trees;
	hp_rst_tree tree;
	int32_t *held; /* [tree.edus] --constraints: how many nodes hold the boundary behind each EDU */
	size_t held_capacity;
	int from, to, part; /* the EDUs of its part that was read last; parts before */
	/* stream */
	hp_stream_reader *stream;
	long number; /* of its sentences so far */
};

extern const source_kind source_stream; /* records */
extern const source_kind source_sentences; /* CoNLL-U, or a sentence a line, for dependencies and tags */
extern const source_kind source_edus; /* discourse: an EDU a line */
extern const source_kind source_marked; /* CoNLL-U with EDUs marked in MISC */
extern const source_kind source_edu_documents, source_marked_documents; /* both, for models that know documents */
extern const source_kind source_dis; /* .dis trees */

/* For the kinds that read text by blocks: */
int source_open_blocks(source *s, hp_text_kind kind, hp_error *err) HP_USE_RESULT;
int source_read_block(source *s, hp_error *err) HP_USE_RESULT; /* 1, 0 at the end, HP_FAIL */
int source_blocks_ready(source *s, bool *ready, hp_error *err) HP_USE_RESULT;
bool source_blocks_go_on(source *s);
/* ITEM gets what was read, by exchange with its old memory, and why it could not be parsed. */
int source_keep_block(source *s, filter_item *item, hp_error *err) HP_USE_RESULT;
void source_tell_masked(source *s);
void source_close_blocks(source *s);

/* For the kinds that make EDUs: */
int source_most_edus(const source *s); /* of a document; */
bool source_cuts(const source *s); /* whether one of more is cut */
/* Refuses ITEM, which begins in LINE, with more EDUs. */
int source_check_size(const source *s, const filter_item *item, long line, hp_error *err) HP_USE_RESULT;
/* ITEM, whose EDUs and words are there, has TEXT (edus.h); all is in the filter's arena. */
void source_take_words(source *s, filter_item *item, const char *text, size_t size);
/* ITEM gets a copy of TEXT, which passes as it is, and why. */
int source_pass(source *s, filter_item *item, const char *text, size_t size, hp_error *err) HP_USE_RESULT;
void source_tell_counts(source *s); /* and masked texts */
int source_most_words(size_t size); /* that so many bytes may have */
/* ITEM gets TEXT (edus.h), which is in the filter's arena; of FROM line and step. */
int source_take_lines(source *s, filter_item *item, const char *text, size_t size, hp_edus_source from,
                      hp_error *err) HP_USE_RESULT;
int source_check_edus(source *s, hp_error *err) HP_USE_RESULT; /* the block is no other kind of text */
/* The tags of the block's words as the model reads them: [words] in the filter's arena, or pointing into the block; NULL: none. */
typedef struct source_tag {
	const char *text;
	size_t size;
} source_tag;
int source_read_tags(source *s, source_tag **out, hp_error *err) HP_USE_RESULT;
/* The block's words as lines, an EDU a line, in the filter's arena; NULL after failure. */
char *source_mark_lines(source *s, size_t *size, hp_error *err);
/* The spans that the block fixes: *HELD [EDUs], in the filter's arena, as hp_spans_take has it. */
int source_read_spans(source *s, int32_t **held, hp_error *err) HP_USE_RESULT;
/* HELD [EDUs] is fixed for ITEM, unless it says nothing. */
int source_fix(const source *s, filter_item *item, const int32_t *held, hp_error *err) HP_USE_RESULT;
void source_finish_marked(source *s); /* the same, and text without marks */

#endif
