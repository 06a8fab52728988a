/* filter.h: what the four filters of parsing share, hp-tag and hp-segment: their options, the batch, and the table of stages and tasks.
 *
 *	source.h       what hands out items: text of four kinds (hp-embed), or the records of a stream
 *	flow.c         the one loop: read, pause, compute, write, flush
 *	record.h       what a record holds: the table of tensors, by which they are checked, taken and written
 *	task-dep.c     the four stages of a dependency model, of a discourse model (task-rst.c); tagging (task-tag.c)
 *
 * A stage computes sentences in batches, for speed, but waits for nobody: when its input pauses, whatever has come is
 * computed, written and flushed.  Results do not depend on how the sentences fell into batches. */
#ifndef FILTER_H
#define FILTER_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/pool.h"
#include "model/coverage.h"
#include "model/model.h"
#include "pointer/splits.h"
#include "elmo/elmo.h"
#include "io/stream.h"
#include "options.h"
#include "record.h"
#include "rst/notation.h"
#include "tag/model.h"
#include "text/edus.h"

enum {
	FILTER_SENTENCES = HP_BATCH_SENTENCES, /* of a batch at most */
	FILTER_ROWS = HP_BATCH_ROWS,
	FILTER_RESULTS = HP_BATCH_RESULTS,
	FILTER_BYTES = HP_BATCH_BYTES,
	FILTER_MAX_WORDS = 1000000, /* the largest --max-words */
	FILTER_EDUS = 1000, /* of a document, without --max-edus */
	FILTER_MAX_EDUS = 100000, /* the largest --max-edus */
	FILTER_MAX_THREADS = 256,
	FILTER_MAX_BEAM = HP_MOST_HYPOTHESES
};

typedef enum filter_stage {
	FILTER_EMBED,
	FILTER_ENCODE,
	FILTER_DECODE,
	FILTER_LABEL,
	FILTER_TAG,
	FILTER_SEGMENT,
	FILTER_STAGES
} filter_stage;

/* A sentence, or a text that passes as it is. */
struct filter_item {
	hp_safetensors *record; /* owned; NULL in hp-embed, which reads text */
	long number; /* in its stream, from 1; hp-embed: 0 */
	int n; /* positions; 0: it passes as it is */
	const char *unparsed; /* why the block could not be read (--keep-going), in the arena or the record; NULL: it was */
	hp_sentence sentence; /* hp-embed, and stages that write text */
	const char
		*begins; /* hp-tag, hp-segment: the document that begins with it, though its text does not say so, or NULL */
	const hp_columns *columns; /* hp-embed: those of the sentence, if they go along with it, or NULL */
	hp_edus edus; /* discourse: their number; hp-embed and stages that write text: all, in the filter's arena */
	const int32_t *fixed; /* hp-embed: what is fixed of the tree, as in hp_sample: [n] or [EDUs]; NULL: nothing */
	const char *text; /* [size] hp-embed: `text` */
	size_t size; /* bytes of `text` */
	int found; /* hp-decode: trees of it */
	int rank; /* of its tree that is being written, 1: the best one; 0: it has but one.  From hp-decode --nbest on */
};

typedef struct filter_batch {
	int items;
	int count; /* sentences among them */
	size_t rows, bytes; /* positions; bytes of text */
	int n[FILTER_SENTENCES]; /* [count] positions of the sentences */
	filter_item item[FILTER_SENTENCES];
	record_column
		column[RECORD_FIELDS]; /* numbers of the sentences, one after another: what came and what was computed */
} filter_batch;

/* A stage of a task: what it needs and makes, in the order of messages and in that of the record. */
typedef struct filter_step {
	record_need need[6]; /* the last one is RECORD_NONE, */
	record_field make[7]; /* here, too */
	int (*compute)(filter *f, hp_error *err); /* all sentences of the batch, from columns to columns */
	int (*print)(filter *f, filter_item *item, hp_error *err); /* as text the sentence at which the columns are */
} filter_step;

typedef struct filter_task {
	int root; /* 1: position 0 is the root; 0: there is none */
	int64_t (*size)(const filter *f, const filter_item *item, record_size what); /* ROWS, BYTES and EDUS are known */
	/* Before a record's tensors are taken: refuses the model or the text, reads the latter. */
	int (*begin)(filter *f, filter_item *item, hp_error *err);
	filter_step step[FILTER_STAGES];
} filter_task;
extern const filter_task filter_dep, filter_rst, filter_tag, filter_segment;

/* Rows of options (options.h) for rhetorical trees in another notation than .dis; FIELD, of the program's INTO, is an
 * hp_rst_notation. */
/* clang-format off */
#define FILTER_NOTATIONS(field) \
	{0, "brackets", NULL, INTO(field), .min = HP_RST_BRACKETS, \
	 .help = "discourse: a line a tree, such as\n(1:Satellite=Contrast:4,5:Nucleus=span:6)"}, \
	{0, "rs3", NULL, INTO(field), .min = HP_RST_RS3, .help = "discourse: the XML of rstWeb and RSTTool, of one tree"}, \
	{0, "json", NULL, INTO(field), .min = HP_RST_JSON, .help = "discourse: JSON, a line a tree"}, \
	{0, "rels", NULL, INTO(field), .min = HP_RST_RELS, .help = "discourse: a table of the relations between EDUs"}
/* clang-format on */

/* hp-embed: what is read, and how. */
typedef enum filter_input { INPUT_DEFAULT, INPUT_CONLLU, INPUT_TOKENS, INPUT_EDUS, INPUT_DIS } filter_input;
typedef struct filter_embed {
	int input; /* filter_input */
	bool keep_going, constraints;
	int max_words; /* 0: not given; then as embed_open says */
	int max_edus; /* of a document for a model that knows documents: longer ones are cut; 0: FILTER_EDUS, and refused */
	const char *elmo_path; /* NULL: embeddings of the model */
	bool carry;
	int lanes; /* 0: not given */
	hp_elmo *elmo;
	hp_elmo_lanes *carried; /* NULL: ELMo's states are reset for each sentence */
	long sentences; /* of tokens, so far */
	hp_columns columns; /* dependencies: of the rows so far; count 0: none yet */
	hp_coverage coverage; /* what the model knows of all texts */
	int64_t tags, known_tags; /* dependencies: of the words, "_" not counted */
} filter_embed;

/* hp-tag and hp-segment: their model, and what of the batch's words is still to be written. */
typedef struct filter_tagging {
	bool keep, edus; /* edus: hp-segment writes EDU text */
	bool quiet; /* of hp-embed as well */
	bool in_document; /* a document has begun, and goes on in the next file unless one begins there */
	hp_tag_model *model;
	const hp_new_value *next; /* hp-tag: values */
	const float *next_prob; /* hp-segment: of beginning an EDU */
} filter_tagging;

struct filter {
	const char *program; /* "hp-encode" */
	filter_stage stage;
	/* options */
	const char *model_name; /* -m, or NULL: HP_MODEL or the default; not owned */
	bool chosen; /* the model, by -m or HP_MODEL */
	const char *output; /* -o, or NULL */
	int threads;
	bool int8; /* --int8: not hp-embed */
	bool text; /* ends the pipe: writes CoNLL-U or .dis trees instead of a stream */
	int beam, nbest; /* hp-decode; 0: not given; beam: the model's then */
	bool scores; /* hp-decode, hp-label */
	int notation; /* hp-label of a discourse model: hp_rst_notation */
	filter_embed embed; /* hp-tag, hp-segment: input, keep_going, max_words, coverage */
	filter_tagging tagging;

	int status; /* exit status so far */
	int64_t written; /* rhetorical trees so far */
	bool incomplete; /* a stream that was read ended in an error */
	hp_model *model;
	hp_pool *pool;
	hp_arena *arena; /* emptied after each batch */
	hp_stream_writer *out; /* NULL: text */
	bool begun; /* the first record is written, the last is not */
	filter_batch batch;
	const char *input; /* name of what is being read, for messages */
	hp_safetensors *first; /* first record of the stream being read */
};

/* ---- options ---- */
void filter_init(filter *f, const char *program, filter_stage stage);
/* Takes the options of OWN and the shared ones.  CLI_GO_ON, or the status to exit with. */
int filter_options(filter *f, int argc, char **argv, const char *usage, const option_row *own,
                   const option_pair *pairs);

/* ---- the life of a filter ---- */
/* Reads all FILES (COUNT 0: standard input) through the stage.  Returns the exit status. */
int filter_run(filter *f, int count, char **files);
int filter_begin(filter *f, hp_error *err) HP_USE_RESULT; /* writes the first record; the model (may be NULL) is open */
int filter_check_model(const filter *f, hp_error *err) HP_USE_RESULT; /* the model that was opened is not the output */
/* And closes the one before; NAME and KIND as for hp_model_find. */
int filter_open_model(filter *f, const char *name, const char *kind, hp_error *err) HP_USE_RESULT;
const filter_task *filter_task_of(const filter *f); /* of the model that is open, or of ELMo alone */
int filter_trees(const filter *f); /* of a sentence at most */
const filter_step *filter_step_of(const filter *f); /* what the stage does for it */
bool filter_said_already(const filter *f, const char *said); /* an upstream's error, where we would say it */

/* ---- hp-embed's models: embed-model.c ---- */
int embed_open(filter *f,
               hp_error *err) HP_USE_RESULT; /* the model and, with --elmo, the language model; both fit the input */
int tag_open(filter *f, hp_error *err) HP_USE_RESULT; /* hp-tag's and hp-segment's: task-tag.c */
bool filter_tags(const filter *f); /* it is one of these */
void embed_tell(const filter *f); /* that the model knows next to nothing of the texts */

/* ---- flow.c ---- */
/* stages.c: what a task's steps compute. */
int stage_embed(filter *f, hp_error *err) HP_USE_RESULT;
int stage_encode(filter *f, hp_error *err) HP_USE_RESULT;
int stage_decode(filter *f, hp_error *err) HP_USE_RESULT;
int stage_label(filter *f, hp_error *err) HP_USE_RESULT;

int flow_run_batch(filter *f, hp_error *err) HP_USE_RESULT; /* computes and writes what has been collected */
void flow_clear(filter *f); /* forgets it */
int flow_file(filter *f, const char *path, hp_error *err) HP_USE_RESULT; /* all of it, through the stage */

#endif
