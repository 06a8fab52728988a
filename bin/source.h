/* source.h: where the items come from that a filter computes. */
#ifndef SOURCE_H
#define SOURCE_H
#include "filter.h"
#include "rst/dis.h"
#include "text/masked.h"

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

struct source {
	filter *f;
	const source_kind *kind;
	hp_input *in;
	filter_item next; /* what was read last: texts by blocks into its sentence */
	/* text */
	hp_conllu_reader *reader;
	bool other; /* its columns are not those of the files before */
	hp_dis_reader *trees;
	hp_rst_tree tree;
	hp_masked masked; /* of the file */
	long sentences, marks; /* EDUs marked in CoNLL-U: sentences with words, words that are an EDU's first */
	/* stream */
	hp_stream_reader *stream;
	long number; /* of its sentences so far */
};

extern const source_kind source_stream; /* records */
extern const source_kind source_sentences; /* CoNLL-U, or a sentence a line, for dependencies and tags */
extern const source_kind source_edus; /* discourse: an EDU a line */
extern const source_kind source_marked; /* CoNLL-U with EDUs marked in MISC */
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

#endif
