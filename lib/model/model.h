/* model.h: a model file: where it is found, its metadata, vocabularies and the network in it (hp-model(5)). */
#ifndef HP_MODEL_H
#define HP_MODEL_H
#include "pointer/parse.h"
#include "text/conllu.h"
#include "text/vocab.h"

/* What is parsed together, in the filters and in libhp. */
enum {
	HP_BATCH_SENTENCES = 128, /* at most: enough for products of many rows; the next stage need not wait long */
	HP_BATCH_ROWS = 2048, /* positions at most; a longer sentence is a batch of its own */
	HP_BATCH_RESULTS = 8 * HP_BATCH_ROWS, /* positions times trees that are wanted of each sentence, likewise */
	HP_BATCH_BYTES = 4 << 20 /* of text at most, likewise */
};

/* HP_POS_TREE: UPOS, with the word's place in the dependency tree (text/place.h). */
typedef enum hp_pos_column { HP_POS_NONE, HP_POS_UPOS, HP_POS_XPOS, HP_POS_TREE } hp_pos_column;

typedef struct hp_model {
	hp_safetensors *file; /* mapped; embedding rows are read where they lie */
	char *path; /* absolute */
	const char *id; /* metadata "model_id" */
	const char *task; /* "dep" or "rst" */
	bool rst; /* the latter: a discourse model */
	hp_net_config config;
	hp_pos_column pos; /* metadata "pos": upos, xpos, tree, none */
	bool lower; /* metadata "lower" "1": words are looked up in lower case */
	int beam; /* metadata "beam": hypotheses that parsing keeps if it is not told how many; absent: 1 */
	hp_vocab *words, *chars, *tags, *labels; /* tensors "vocab.word" ...; only those the stages need, else NULL (input
	                                            stream: labels only).  In words, chars and tags numbers 0 and 1 are HP_ID_ROOT and HP_ID_UNKNOWN */
	hp_special_labels special; /* "root" and "_" among the labels; the nuclearities of a discourse model's */
	int8_t *nuclearity; /* [labels] of a discourse model */
	hp_net *net; /* prepared for the stages asked for */
} hp_model;

#define HP_DEFAULT_MODEL "en"
const char *hp_model_environment(void); /* the value of HP_MODEL; NULL if there is none, or an empty one */
/* The absolute path of a model, malloc'ed; NULL after failure.  NAME: a path if it holds a '/' or ends in .safetensors
 * (NAME, or else NAME-KIND.safetensors), else NAME.safetensors or NAME-KIND.safetensors in the folders of HP_MODEL_PATH, in
 * the one beside the program (base/installed.h) and in the installed one (HP_MODEL_DIR).  NULL: the environment's HP_MODEL as
 * below, else "en".  KIND: "dep", "rst", "tok", "tag" or "edu", so that models of one language can be named together.
 * Where a tokeniser, tagger or segmenter is looked for and HP_MODEL names a parser of which no language can be told: "en". */
char *hp_model_find(const char *name, const char *kind, hp_error *err) HP_USE_RESULT;
/* What hp_model_find takes for the file at PATH, whatever that is called: malloc'ed, NULL: out of memory. */
char *hp_model_file(const char *path);
/* The same as hp_model_find, but NAME may name a model of another kind: X-dep and DIR/X-dep.safetensors stand for X-KIND and
 * DIR/X-KIND.safetensors.  X-dep and X-rst do not stand for each other, but for _beside they do. */
char *hp_model_find_with(const char *name, const char *kind, hp_error *err) HP_USE_RESULT;
char *hp_model_find_beside(const char *name, const char *kind, hp_error *err) HP_USE_RESULT;
/* Finds, maps and prepares a parser's model, NAME and KIND as for hp_model_find.
 * STAGES as for hp_net_prepare; only what they need is read. */
int hp_model_open(const char *name, const char *kind, int stages, hp_model **out, hp_error *err) HP_USE_RESULT;
/* Gives the matrices of the stages that were asked for rounded copies to parse with (nn/int8.h). */
int hp_model_round(hp_model *model, hp_error *err) HP_USE_RESULT;
/* Copies in digits (nn/digits.h), for floats as fast as the processor can. */
int hp_model_split(hp_model *model, hp_error *err) HP_USE_RESULT;
void hp_model_close(hp_model *model); /* accepts NULL */
/* The vocabulary of EXPECTED strings in the tensor NAME; RESERVED: of words, characters or tags, whose first two entries are. */
int hp_model_vocab(const hp_safetensors *file, const char *name, int expected, hp_vocab **out,
                   hp_error *err) HP_USE_RESULT;
int hp_model_reserved_vocab(const hp_safetensors *file, const char *name, int expected, hp_vocab **out,
                            hp_error *err) HP_USE_RESULT;
hp_special_labels hp_find_special_labels(const hp_vocab *labels);
/* The nuclearities (hp_rst_nuclearity) of labels that have one, malloc'ed; NULL: out of memory. */
int8_t *hp_label_nuclearities(const hp_vocab *labels);

/* What words are looked up in. */
typedef struct hp_look_up {
	const hp_vocab *words, *chars, *tags; /* TAGS NULL: there are none */
	int column; /* of the tags, HP_UPOS or HP_XPOS */
	bool lower; /* words are looked up in lower case */
	int root; /* 1: position 0 is the root; 0: there is none */
	int clues; /* a token's tags are its first so many clues (text/clues.h); 0: it has one, that of the COLUMN */
	bool places; /* tags are followed by places in the tree (text/place.h) */
} hp_look_up;
/* A word's number: as it is, else by its NFC key, else in lower case (only so if LOWER), else the same with quotation marks,
 * apostrophes and dashes as typed; else HP_ID_UNKNOWN. */
int hp_look_up_word(const hp_look_up *how, const char *form, size_t size);
/* The numbers of a sentence's words, characters and tags, in ARENA.  Does not read HEAD, DEPREL and DEPS. */
int hp_look_up_tokens(const hp_look_up *how, hp_arena *arena, const hp_sentence *s, hp_tokens *out,
                      hp_error *err) HP_USE_RESULT;
hp_look_up hp_model_look_up(const hp_model *model); /* a dependency model's sentences begin with the root */
/* The same by the model's. */
int hp_model_tokens(const hp_model *model, hp_arena *arena, const hp_sentence *s, hp_tokens *out,
                    hp_error *err) HP_USE_RESULT;
int hp_tag_column(hp_pos_column pos); /* HP_UPOS or HP_XPOS */
const char *hp_pos_name(hp_pos_column pos); /* as in the metadata */

#endif
