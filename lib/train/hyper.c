/* hyper.c: the table of hyper-parameters. */
#include "train/hyper.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/nearest.h"

typedef enum kind { WHOLE, REAL, PAIR, CHOICE } kind;

typedef struct entry {
	int tasks; /* a bit for each */
	const char *layer, *row; /* as in the paper's appendix */
	const char *key;
	kind kind;
	size_t offset;
	double min, max;
	const char *choices; /* names separated by blanks */
	const char *initial;
} entry;

/* clang-format off */
#define W(tasks, layer, row, key, min, max, initial) \
	{ tasks, layer, row, #key, WHOLE, offsetof(hp_hyper, key), min, max, NULL, initial }
/* clang-format on */
/* clang-format off */
#define R(tasks, layer, row, key, min, max, initial) \
	{ tasks, layer, row, #key, REAL, offsetof(hp_hyper, key), min, max, NULL, initial }
/* clang-format on */
/* clang-format off */
#define C(tasks, layer, row, key, choices, initial) \
	{ tasks, layer, row, #key, CHOICE, offsetof(hp_hyper, key), 0, 0, choices, initial }
/* clang-format on */

/* Whose they are. */
enum { DEP = 1 << HP_TASK_DEP, RST = 1 << HP_TASK_RST, TOK = 1 << HP_TASK_TOKENIZE };
enum { SEG = 1 << HP_TASK_SEGMENT, TAG = 1 << HP_TASK_TAG | SEG }; /* TAG: the same network */
enum { PARSING = DEP | RST, ALL = ~0 };

static const entry table[] = {
	W(PARSING | TAG, "CNN", "window size", char_window, 1, 64, "3"), /* characters a filter sees */
	W(PARSING | TAG, "CNN", "number of filters", char_filters, 1, 10000, "100"), /* size of a word's character vector */
	W(PARSING | TAG, "Embeddings", "word size", word_dim, 1, 10000, "100"), /* must be that of --vectors */
	W(PARSING | TOK | TAG, "Embeddings", "character size", char_dim, 1, 10000,
      "100"), /* size of a character's vector */
	W(PARSING | SEG, "Embeddings", "POS size", pos_dim, 1, 10000,
      "100"), /* size of a tag's vector (without effect with pos=none) */
	/* networks that share the embeddings and decide together, by the mean of their probabilities */
	W(PARSING | TAG, "Network", "members", members, 1, HP_MOST_MEMBERS, "1"),
	W(PARSING | TAG, "Network", "own embeddings", own_embeddings, 0, 1, "0"), /* 1: members do not share them */
	W(PARSING | TOK | TAG, "LSTM", "encoder layers", layers, 1, 20, "3"), /* layers of the bidirectional encoder */
	W(PARSING | TOK | TAG, "LSTM", "encoder size", hidden, 1, 10000, "512"), /* hidden units of each direction */
	/* over the EDUs of a document, behind the encoder; 0: trees of single sentences */
	W(RST, "LSTM", "document layers", document_layers, 0, 20, "0"),
	W(DEP, "LSTM", "decoder layers", decoder_layers, 1, 1, "1"),
	W(DEP, "LSTM", "decoder size", decoder_hidden, 1, 10000, "512"), /* hidden units of the decoder */
	W(DEP, "LSTM", "decoder input size", decoder_input, 1, 10000, "256"), /* size of the decoder's input */
	W(DEP, "MLP", "arc MLP size", arc_mlp, 1, 10000, "512"), /* size of the pointer's two projections */
	W(RST, "MLP", "split MLP size", split_mlp, 0, 10000,
      "0"), /* of state and EDUs on both sides of a split; 0: the dot product of state and EDU */
	W(RST, "MLP", "label halves", label_halves, 0, 1,
      "0"), /* 1: the label classifier reads of each half of a split the first EDU and the mean of all, too */
	W(PARSING, "MLP", "label MLP size", label_mlp, 1, 10000,
      "128"), /* size of the label classifier's two projections */
	C(PARSING, "Decoder", "fusion", fusion, "T P PS PST",
      "PST"), /* decoder states that are fused; T: stack-pointer baseline */
	C(DEP, "Decoder", "gate", gate, "none gate sgate", "sgate"), /* how they are fused */
	/* 1: parsing does not ask the words for their heads, though they learn to tell (auxiliary arcs) */
	W(DEP, "Decoder", "decoder alone", decoder_alone, 0, 1, "0"),
	W(PARSING, "Decoder", "beam", beam, 1, HP_MOST_HYPOTHESES,
      "1"), /* hypotheses kept at each step, on dev and later, unless --beam says otherwise */
	R(DEP | TAG, "Dropout", "embeddings", drop_embeddings, 0, 0.99, "0.33"), /* whole word, character and POS vectors */
	R(DEP | TAG, "Dropout", "LSTM hidden states", drop_lstm_hidden, 0, 0.99,
      "0.33"), /* recurrent states, fused state (Eq. 8) */
	/* inputs of the layers, encoder and decoder output */
	R(DEP | TOK | TAG, "Dropout", "LSTM layers", drop_lstm_layers, 0, 0.99, "0.33"),
	R(DEP, "Dropout", "MLP", drop_mlp, 0, 0.99, "0.33"), /* outputs of the MLPs */
	R(RST, "Dropout", "input", drop_input, 0, 0.99, "0.5"), /* values of the words' embeddings */
	R(RST, "Dropout", "encoder", drop_encoder, 0, 0.99, "0.4"), /* inputs of the encoder's layers but the first */
	R(RST, "Dropout", "decoder", drop_decoder, 0, 0.99, "0.6"), /* inputs of the decoder's layers but the first */
	R(RST, "Dropout", "classifier", drop_classifier, 0, 0.99,
      "0.5"), /* outputs of the label classifier's projections */
	C(ALL, "Learning", "Optimizer", optimizer, "Adam", "Adam"),
	R(ALL, "Learning", "initial learning rate", learning_rate, 0, 10, "0.001"), /* the largest one, after the warm-up */
	/* Adam's decay of the averages */
	{ALL, "Learning", "(beta1, beta2)", "betas", PAIR, offsetof(hp_hyper, betas), 0, 0.999999, NULL, "(0.9, 0.9)"},
	R(ALL, "Learning", "epsilon", epsilon, 1e-12, 1, "1e-08"), /* Adam's smallest divisor */
	R(ALL, "Learning", "decay rate", decay, 0.01, 1, "0.75"), /* factor of the schedule plateau */
	R(ALL, "Learning", "gradient clipping", clip, 0, 1e6, "5"), /* largest norm of a batch's gradient; 0: any */
	R(ALL, "Learning", "L2 regularization strength", l2, 0, 1, "0"), /* times the value is added to the gradient */
	W(ALL, "Learning", "minibatch size", batch, 1, 100000, "32"), /* sentences */
	W(ALL, "Learning", "minibatch words", batch_words, 1, 1000000, "4000"), /* at most, unless one sentence has more */
	C(ALL, "Learning", "schedule", schedule, "constant linear cosine plateau", "linear"), /* of the learning rate */
	W(ALL, "Learning", "warm-up batches", warmup, 0, 1000000, "200"), /* in which the learning rate rises from zero */
	R(ALL, "Learning", "hold", hold, 0, 1, "0.4"), /* part of the training before linear or cosine decay */
	W(ALL, "Learning", "patience", patience, 1, 1000, "3"), /* evaluations without a better one before plateau decays */
	/* on the dev set; the last batch is always followed by one */
	W(ALL, "Learning", "epochs between evaluations", eval_every, 1, 1000000, "1"),
	R(ALL, "Learning", "moving average", ema, 0, 0.99999,
      "0.998"), /* of the parameters, which is what is saved; 0: none */
	/* weight of finding each word's head at once as a further task of the encoder */
	R(DEP, "Learning", "auxiliary arcs", auxiliary_arcs, 0, 100, "1"),
	/* weight of naming each word's UPOS, XPOS, FEATS and DEPREL as a further task of the encoder */
	R(DEP, "Learning", "auxiliary tags", auxiliary_tags, 0, 100, "0.25"),
	/* weight of finding at once the span that is split at each boundary between EDUs; with split MLP size */
	R(RST, "Learning", "auxiliary splits", auxiliary_splits, 0, 100, "0"),
	/* share of the probability that the loss spreads over all values of a column */
	R(TAG, "Learning", "label smoothing", label_smoothing, 0, 0.9, "0"),
	C(PARSING, "Input", "POS column", pos, "none upos xpos tree",
      "upos"), /* where tags come from; tree: UPOS and places in dependency trees */
	C(PARSING | TAG, "Input", "lower case", lower, "no yes", "yes"), /* words are looked up in lower case */
	/* a word seen c times becomes unknown with probability rate / (rate + c) */
	R(PARSING | TAG, "Input", "unknown word rate", unknown_rate, 0, 1000, "1"),
	R(PARSING | SEG, "Input", "tag drop", tag_drop, 0, 1, "0.1"), /* share of sentences whose tags are all hidden */
	R(PARSING | SEG, "Input", "tag noise", tag_noise, 0, 1, "0.01"), /* share of single tags that are hidden */
	C(SEG, "Input", "trees", trees, "no yes", "no"), /* heads and relations of dependency trees are looked at */
	W(PARSING | TOK | TAG, "Input", "character threshold", char_min, 1, 1000000,
      "2"), /* rarer characters are unknown */
	/* words that only the vectors have: the first so many are kept; 0: all */
	W(PARSING | TAG, "Input", "vector limit", vector_limit, 0, 100000000, "0"),
	W(TOK, "Input", "window", window, 16, 1000000, "400"), /* characters of a paragraph that are learnt at once */
	R(TOK, "Input", "character drop", char_drop, 0, 1, "0.01"), /* share of characters that become unknown ones */
	R(TOK, "Input", "letter case", recase, 0, 1,
      "0.06"), /* share of windows whose letters are all small, or all large */
	R(TOK, "Input", "line breaks", rewrap, 0, 1, "0.3"), /* share of windows whose lines are broken anew */
	C(ALL, "Output", "half precision", store_half, "no yes", "no"), /* store F16 instead of F32 */
	C(PARSING | TAG, "Output", "bytes", store_bytes, "no yes", "no"), /* store matrices as F8, a byte a number */
};

enum { ENTRIES = sizeof table / sizeof *table };
_Static_assert(ENTRIES <= 64, "a bit for each row");

/* What makes embeddings of words: without effect where they come from elsewhere. */
static const char *const only_words[] = {"word_dim", "char_dim",     "char_filters", "char_window", "char_min",
                                         "lower",    "unknown_rate", "vector_limit", NULL};
/* Not noted in discourse models without tags, which are then the same as before there were any. */
static const char *const only_tags[] = {"pos", "pos_dim", "tag_drop", "tag_noise", NULL};
/* Initial values of a task where they are others than the table's. */
static const struct {
	hp_task task;
	const char *key, *initial;
} initial[] = {
	{HP_TASK_RST, "layers", "5"},
	{HP_TASK_RST, "hidden", "64"},
	{HP_TASK_RST, "label_mlp", "64"},
	{HP_TASK_RST, "batch", "64"},
	{HP_TASK_RST, "betas", "(0.9, 0.95)"},
	{HP_TASK_RST, "l2", "0.0005"},
	{HP_TASK_RST, "schedule", "constant"},
	{HP_TASK_RST, "warmup", "0"},
	{HP_TASK_RST, "ema", "0"},
	{HP_TASK_RST, "pos", "none"},
	{HP_TASK_TAG, "layers", "2"},
	{HP_TASK_TAG, "hidden", "256"},
	{HP_TASK_TAG, "pos", "none"},
	{HP_TASK_SEGMENT, "layers", "2"},
	{HP_TASK_SEGMENT, "hidden", "200"},
	{HP_TASK_SEGMENT, "char_dim", "50"},
	{HP_TASK_SEGMENT, "char_filters", "50"},
	{HP_TASK_SEGMENT, "pos_dim", "30"},
	{HP_TASK_SEGMENT, "pos", "none"},
	{HP_TASK_TOKENIZE, "layers", "2"},
	{HP_TASK_TOKENIZE, "hidden", "64"},
	{HP_TASK_TOKENIZE, "char_dim", "32"},
	{HP_TASK_TOKENIZE, "drop_lstm_layers", "0.2"},
	{HP_TASK_TOKENIZE, "learning_rate", "0.003"},
	{HP_TASK_TOKENIZE, "betas", "(0.9, 0.98)"},
	{HP_TASK_TOKENIZE, "clip", "1"},
	{HP_TASK_TOKENIZE, "batch", "64"},
	{HP_TASK_TOKENIZE, "batch_words", "12800"},
	{HP_TASK_TOKENIZE, "schedule", "cosine"},
	{HP_TASK_TOKENIZE, "hold", "0"},
	{HP_TASK_TOKENIZE, "warmup", "50"},
	{HP_TASK_TOKENIZE, "char_min", "3"},
	{HP_TASK_TOKENIZE, "store_half", "yes"},
};
enum { INITIALS = sizeof initial / sizeof *initial };

static const hp_fusion fusions[] = {HP_FUSION_T, HP_FUSION_P, HP_FUSION_PS, HP_FUSION_PST};
static const hp_gate gates[] = {HP_GATE_NONE, HP_GATE_GATE, HP_GATE_SGATE};

static const entry *find(const char *key)
{
	for (int i = 0; i < ENTRIES; i++)
		if (strcmp(table[i].key, key) == 0)
			return &table[i];
	return NULL;
}

static bool among(const char *const *list, const char *key)
{
	while (*list && strcmp(*list, key) != 0)
		list++;
	return *list != NULL;
}

static bool applies(hp_task task, const entry *e)
{
	return e->tasks >> task & 1;
}

bool hp_hyper_optional(int index)
{
	static const char *const optional[] = {"members",         "own_embeddings",   "beam",
	                                       "document_layers", "split_mlp",        "label_halves",
	                                       "decoder_alone",   "auxiliary_splits", NULL};

	return among(optional, table[index].key);
}

bool hp_hyper_applies(const hp_hyper *h, int index)
{
	const entry *e = &table[index];
	bool no_tags = h->task == HP_TASK_RST && !h->pos;

	if (hp_hyper_optional(index) && *(const int *)((const char *)h + e->offset) == atoi(e->initial))
		return false; /* not noted: models are the same as before there were such networks */
	return applies(h->task, e) && !(h->stream && among(only_words, e->key)) && !(no_tags && among(only_tags, e->key));
}

/* The number at *S in E's range; moves *S behind it. */
static int real(const entry *e, const char **s, double *out)
{
	char *end;

	errno = 0;
	*out = strtod(*s, &end);
	if (end == *s || errno == ERANGE || !(*out >= e->min && *out <= e->max))
		return HP_FAIL;
	*s = end;
	return 0;
}

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* "(0.9, 0.9)", the brackets may be missing. */
static int pair(const entry *e, const char *s, float out[2])
{
	double a, b;
	bool bracket = *s == '(';

	s = blanks(s + bracket);
	if (real(e, &s, &a) != 0)
		return HP_FAIL;
	s = blanks(s);
	if (*s != ',')
		return HP_FAIL;
	s = blanks(s + 1);
	if (real(e, &s, &b) != 0)
		return HP_FAIL;
	s = blanks(s);
	if (bracket && *s++ != ')')
		return HP_FAIL;
	out[0] = (float)a;
	out[1] = (float)b;
	return *blanks(s) == '\0' ? 0 : HP_FAIL;
}

/* The INDEX-th name of a blank-separated list; its length in *SIZE, 0 behind the last. */
static const char *choice(const char *list, int index, size_t *size)
{
	while (index-- > 0) {
		list += strcspn(list, " ");
		list = blanks(list);
	}
	*size = strcspn(list, " ");
	return list;
}

static int choose(const entry *e, const char *value, int *out)
{
	size_t size;

	for (int i = 0;; i++) {
		const char *name = choice(e->choices, i, &size);
		if (size == 0)
			return HP_FAIL;
		if (strncasecmp(name, value, size) == 0 && value[size] == '\0') {
			*out = i;
			return 0;
		}
	}
}

/* Strictly: the whole of VALUE, in range. */
static int assign(hp_hyper *h, const entry *e, const char *value)
{
	void *field = (char *)h + e->offset;
	double number;

	switch (e->kind) {
	case CHOICE:
		return choose(e, value, field);
	case PAIR:
		return pair(e, value, field);
	case WHOLE:
		if (value[strspn(value, "0123456789")] != '\0')
			return HP_FAIL;
		break;
	case REAL:
		break;
	}
	if (real(e, &value, &number) != 0 || *value != '\0')
		return HP_FAIL;
	if (e->kind == WHOLE)
		*(int *)field = (int)number;
	else
		*(float *)field = (float)number;
	return 0;
}

void hp_hyper_init_task(hp_hyper *h, hp_task task)
{
	memset(h, 0, sizeof *h);
	for (int i = 0; i < ENTRIES; i++)
		(void)assign(h, &table[i], table[i].initial); /* a test checks that none is refused */
	for (int i = 0; i < INITIALS; i++) {
		const entry *e = initial[i].task == task ? find(initial[i].key) : NULL;
		if (e)
			(void)assign(h, e, initial[i].initial);
	}
	h->task = task;
}

void hp_hyper_init(hp_hyper *h)
{
	hp_hyper_init_task(h, HP_TASK_DEP);
}

static int bad_value(const entry *e, const char *value, hp_error *err)
{
	switch (e->kind) {
	case CHOICE:
		return hp_fail(err, "%s: '%s' is not one of: %s", e->key, value, e->choices);
	case PAIR:
		return hp_fail(err, "%s: '%s' is not two numbers from %g to %g such as (0.9, 0.9)", e->key, value, e->min,
		               e->max);
	case WHOLE:
		return hp_fail(err, "%s: '%s' is not a whole number from %.0f to %.0f", e->key, value, e->min, e->max);
	default:
		return hp_fail(err, "%s: '%s' is not a number from %g to %g", e->key, value, e->min, e->max);
	}
}

static int bad_key(const hp_hyper *h, const char *key, hp_error *err)
{
	const char *keys[ENTRIES], *nearest;
	int n = 0;

	for (int i = 0; i < ENTRIES; i++)
		if (applies(h->task, &table[i]))
			keys[n++] = table[i].key;
	nearest = hp_nearest(key, keys, n);
	return nearest
	           ? hp_fail(err, "no hyper-parameter is called '%s': did you mean '%s'?", key, nearest)
	           : hp_fail(err, "no hyper-parameter is called '%s'; hp-train --print-hyper shows what they are called",
	                     key);
}

int hp_hyper_set(hp_hyper *h, const char *key, const char *value, hp_error *err)
{
	const entry *e = find(key);

	if (!e)
		return bad_key(h, key, err);
	if (!applies(h->task, e))
		return hp_fail(err, "%s: not a hyper-parameter of the task %s", key, hp_task_name(h->task));
	if (assign(h, e, value) != 0)
		return bad_value(e, value, err);
	h->given |= (uint64_t)1 << (e - table);
	return 0;
}

int hp_hyper_adopt(hp_hyper *h, int index, const char *value, hp_error *err)
{
	const entry *e = &table[index];

	return h->given >> index & 1 || assign(h, e, value) == 0 ? 0 : bad_value(e, value, err);
}

/* ---- text ---- */

/* The shortest decimal that reads back as VALUE. */
static void real_text(float value, char *out, size_t capacity)
{
	for (int digits = 1; digits <= 9; digits++) {
		snprintf(out, capacity, "%.*g", digits, value);
		if (strtof(out, NULL) == value)
			return;
	}
}

void hp_hyper_text(const hp_hyper *h, int index, char text[HP_HYPER_TEXT])
{
	const entry *e = &table[index];
	const void *field = (const char *)h + e->offset;
	const char *name;
	char a[20], b[20];
	size_t size;

	switch (e->kind) {
	case WHOLE:
		snprintf(text, HP_HYPER_TEXT, "%d", *(const int *)field);
		break;
	case REAL:
		real_text(*(const float *)field, text, HP_HYPER_TEXT);
		break;
	case PAIR:
		real_text(((const float *)field)[0], a, sizeof a);
		real_text(((const float *)field)[1], b, sizeof b);
		snprintf(text, HP_HYPER_TEXT, "(%s, %s)", a, b);
		break;
	case CHOICE:
		name = choice(e->choices, *(const int *)field, &size);
		snprintf(text, HP_HYPER_TEXT, "%.*s", (int)size, name);
		break;
	}
}

int hp_hyper_find(const char *key)
{
	const entry *e = find(key);

	return e ? (int)(e - table) : -1;
}

bool hp_hyper_of_task(hp_task task, int index)
{
	return applies(task, &table[index]);
}

const char *hp_hyper_layer(int index)
{
	return table[index].layer;
}

const char *hp_hyper_row(int index)
{
	return table[index].row;
}

int hp_hyper_count(void)
{
	return ENTRIES;
}

const char *hp_hyper_key(int index)
{
	return table[index].key;
}

const char *hp_hyper_initial(int index)
{
	return table[index].initial;
}

void hp_hyper_config(const hp_hyper *h, hp_net_config *config)
{
	hp_embedding_sizes *e = &config->embedding;

	config->task = h->task;
	config->input = HP_INPUT_WORDS;
	e->word_dim = h->word_dim;
	e->char_dim = h->char_dim;
	e->char_filters = h->char_filters;
	e->char_window = h->char_window;
	e->pos_dim = h->pos ? h->pos_dim : 0;
	config->members = h->members > 1 ? h->members : 0;
	config->own_embeddings = h->own_embeddings;
	config->hidden = h->hidden;
	config->layers = h->layers;
	config->label_mlp = h->label_mlp;
	config->fusion = fusions[h->fusion];
	if (h->task == HP_TASK_RST) {
		config->document_layers = h->document_layers;
		config->split_mlp = h->split_mlp;
		config->label_halves = h->label_halves;
		config->auxiliary.splits = h->auxiliary_splits;
		config->reach = h->auxiliary_splits > 0;
		config->input_dim = hp_embedding_dim(e);
		return;
	}
	config->decoder_hidden = h->decoder_hidden;
	config->decoder_input = h->decoder_input;
	config->arc_mlp = h->arc_mlp;
	config->gate = h->fusion ? gates[h->gate] : HP_GATE_NONE;
	config->heads = h->auxiliary_arcs > 0 && !h->decoder_alone;
	config->auxiliary.arcs = h->auxiliary_arcs;
	config->auxiliary.tags = h->auxiliary_tags;
}
