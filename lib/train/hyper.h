/* hyper.h: the hyper-parameters of training: one table gives their names, ranges and initial values; a CSV file
 * whose rows read like the table in the paper's appendix, or single settings, change them. */
#ifndef HP_HYPER_H
#define HP_HYPER_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "pointer/config.h"

typedef enum hp_schedule_kind {
	HP_SCHEDULE_CONSTANT,
	HP_SCHEDULE_LINEAR, /* constant up to `hold` of the training, then linearly to zero */
	HP_SCHEDULE_COSINE, /* the same with a half cosine */
	HP_SCHEDULE_PLATEAU /* the paper's: times `decay` when dev has not improved for `patience` evaluations */
} hp_schedule_kind;

typedef struct hp_hyper {
	hp_task task; /* not in the table: what it is for */
	bool stream; /* not in the table: embeddings come from elsewhere */
	int char_window, char_filters;
	int members, own_embeddings, layers, hidden, document_layers, split_mlp, label_halves, decoder_layers,
		decoder_hidden, decoder_input;
	int arc_mlp, label_mlp;
	int word_dim, char_dim, pos_dim;
	int beam;
	int decoder_alone;
	int fusion, gate; /* index in the table's list of names; see hp_hyper_config */
	float drop_embeddings, drop_lstm_hidden, drop_lstm_layers, drop_mlp;
	float drop_input, drop_encoder, drop_decoder, drop_classifier; /* task rst */
	int optimizer; /* Adam is the only one */
	float learning_rate, betas[2], epsilon, decay, clip, l2;
	int batch, batch_words; /* sentences; words at most, unless a single sentence has more */
	int schedule; /* hp_schedule_kind */
	int warmup; /* batches */
	float hold;
	int patience;
	int eval_every; /* epochs */
	float ema; /* 0: none */
	int pos; /* hp_pos_column */
	int lower;
	float unknown_rate; /* a word or character seen c times is replaced with probability rate / (rate + c) */
	float tag_drop, tag_noise; /* probability for a sentence's tags all together; for a single tag */
	float auxiliary_arcs, auxiliary_tags, auxiliary_splits; /* weights of the encoder's tasks beside parsing */
	float label_smoothing; /* tasks tag and segment */
	int trees; /* task segment: those of dependencies are looked at */
	int char_min; /* characters seen less often are unknown */
	int vector_limit; /* of the vectors' words that training does not have, the first so many are kept; 0: all */
	int store_half; /* the model file holds F16 */
	int store_bytes; /* and its matrices F8_E4M3 */
	int window; /* task tokenize: signs that are learnt at once */
	float char_drop, recase, rewrap; /* likewise: probabilities, see the table */
	/* not in the table: */
	uint64_t given, derived; /* bit of each row that was set since; that follows from the data (defaults.h) */
	bool exact; /* nothing is to be derived: a table was read, or a training goes on */
} hp_hyper;

void hp_hyper_init(hp_hyper *h); /* the initial values for dependency parsing */
void hp_hyper_init_task(hp_hyper *h, hp_task task);
/* Sets the one called KEY.  An unknown key or a bad value is refused; the message names key and range. */
int hp_hyper_set(hp_hyper *h, const char *key, const char *value, hp_error *err) HP_USE_RESULT;
/* Reads rows Layer,Hyper-parameter,Value,Key.  The first row may be that heading, in letters of any case; rows that
 * begin with # are comments.  Refused with file and line: unknown or repeated keys, bad values, rows of another width. */
int hp_hyper_read(hp_hyper *h, const char *path, hp_error *err) HP_USE_RESULT;
/* The whole table as such a CSV file. */
int hp_hyper_write(const hp_hyper *h, FILE *out, hp_error *err) HP_USE_RESULT;
/* The sizes, the variant and the weights of the auxiliary tasks of a network that reads words; how many words, characters,
 * tags and labels there are stays as it is. */
void hp_hyper_config(const hp_hyper *h, hp_net_config *config);

/* Sets the one with this number if it was not set before; afterwards it still counts as not set. */
int hp_hyper_adopt(hp_hyper *h, int index, const char *value, hp_error *err) HP_USE_RESULT;

/* The table by number, for metadata and comparison. */
int hp_hyper_count(void);
bool hp_hyper_applies(const hp_hyper *h, int index); /* to the task (the others cannot be set) and the input */
/* Whether it is of a part that not all networks of its task have: those without have its initial value, and do not note it. */
bool hp_hyper_optional(int index);
const char *hp_hyper_initial(int index);
int hp_hyper_find(const char *key); /* -1: there is none */
bool hp_hyper_of_task(hp_task task, int index); /* whatever the input */
const char *hp_hyper_layer(int index), *hp_hyper_row(int index); /* as in the paper's appendix */
const char *hp_hyper_key(int index);
#define HP_HYPER_TEXT 48
void hp_hyper_text(const hp_hyper *h, int index, char text[HP_HYPER_TEXT]); /* the value, as hp_hyper_set takes it */

#endif
