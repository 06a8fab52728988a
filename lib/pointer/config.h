/* config.h: sizes and variant of a pointer network (DESIGN section 4), for dependency trees and for rhetorical ones. */
#ifndef HP_CONFIG_H
#define HP_CONFIG_H
#include "base/error.h"
#include "base/task.h"
#include "io/safetensors.h"
#include "nn/cell.h"
#include "nn/embedding.h"
#include "pointer/fusion.h"

/* The stages of parsing: a network may have the parameters of some of them only. */
enum { HP_STAGE_EMBED = 1, HP_STAGE_ENCODE = 2, HP_STAGE_DECODE = 4, HP_STAGE_LABEL = 8, HP_STAGE_ALL = 15 };

/* What stands for a word.  Its parameters are the network's too: */
typedef enum hp_word_input {
	HP_INPUT_NONE, /* x is made elsewhere: no parameters */
	HP_INPUT_WORDS, /* embed.*, charcnn.* */
	HP_INPUT_STREAM /* made elsewhere; of several layers: mix.weights [stream_layers], mix.scale [1] */
} hp_word_input;

enum { HP_TAGGINGS = 4 }; /* UPOS, XPOS, FEATS and DEPREL */

/* What the encoder learns beside parsing (auxiliary.c): of a dependency network arcs and tags, of a rhetorical one splits. */
typedef struct hp_auxiliary_tasks {
	float arcs, tags; /* weights of the losses; 0: not learnt */
	int values[HP_TAGGINGS]; /* of the tags: how many there are */
	float splits; /* likewise */
} hp_auxiliary_tasks;

enum { HP_MOST_HYPOTHESES = 1000 }; /* of a beam */

typedef struct hp_net_config {
	hp_task task;
	int members; /* networks that share what stands for the words, and whose probabilities are averaged (members.h); 0: one */
	int own_embeddings; /* HP_INPUT_WORDS, with members: 1: they do not share it */
	hp_word_input input; /* dep: HP_INPUT_WORDS */
	hp_embedding_sizes embedding; /* HP_INPUT_WORDS */
	int stream_layers; /* HP_INPUT_STREAM */
	int input_dim; /* rst: D, of what stands for a word */
	int hidden, layers; /* of each direction of the encoder; rst: of the decoder too */
	int document_layers; /* rst: over a document's EDUs; 0: a network for sentences */
	int decoder_hidden, decoder_input; /* dep */
	int arc_mlp; /* dep */
	int split_mlp; /* rst: 0: the score of a split is the dot product of state and unit; else biaffine, by MLPs of this size of
	                  the state and of the units on both sides */
	int reach; /* rst with split_mlp: 1: the search asks the boundaries for the spans that they split as well (reach.h) */
	int label_halves; /* rst: 1: the label classifier reads more of each half of a split than its last EDU (halves.h) */
	int label_mlp, labels;
	hp_fusion fusion;
	hp_gate gate; /* dep */
	int heads; /* dep: 1: the search asks the words for their heads as well (heads.h) */
	hp_auxiliary_tasks auxiliary;
} hp_net_config;

/* Of an EDU, for the document layers: whether a sentence ends with it, and whether a paragraph does. */
enum { HP_END_MARKS = 2 };

/* Widths that follow from a configuration, by the letters that comments use. */
typedef struct hp_shape {
	size_t M; /* members; all other widths are those of one of them */
	size_t D; /* what stands for a word */
	size_t X; /* ... of all members: D, which they share, or M·D side by side */
	size_t H; /* the encoder, each direction */
	size_t W; /* a unit, which is what is pointed to: dep: a position, 2 H; rst: an EDU, H */
	size_t E; /* what the document layers read of an EDU: its last and its first word, what ends with it */
	size_t I; /* the decoder's input */
	size_t Q; /* the decoder */
	size_t L; /* layers of the decoder */
	size_t P; /* vectors of a decoder's state [P × Q]: dep: hidden state and cell; rst: the layers' hidden states */
	size_t B; /* what is pointed to: dep: a unit; rst: a unit, or the two on both sides of a split */
	size_t A; /* what it and a state are compared by: dep: arc_mlp; rst: split_mlp, or Q */
	size_t G; /* what the label classifier reads of a pair's left one: dep: a state; rst: of a half */
	size_t R; /* ... of its right one: dep: a unit; rst: of a half */
} hp_shape;

hp_shape hp_config_shape(const hp_net_config *c);
hp_cell_kind hp_config_cell(const hp_net_config *c);

/* Refuses sizes out of range, an input_dim other than the embedding's, gate without fusion, SGate without PST, a label
 * classifier of more than 2^24 columns.  NAME begins the message: the file, or what the configuration is for. */
int hp_config_check(const hp_net_config *c, const char *name, hp_error *err) HP_USE_RESULT;
/* From and to __metadata__: the keys are the field names; fusion and gate by name; rst's "input" is "words" or
 * "stream", or absent. */
int hp_config_read(hp_net_config *c, hp_task task, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_config_write(const hp_net_config *c, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

#endif
