/* config.c: one table of sizes: their limits, and their way from and to a model's metadata. */
#include "pointer/config.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/ensemble.h"
#include "pointer/halves.h"

enum { LARGEST_VOCABULARY = 100000000, LARGEST_SIZE = 16384, LARGEST_LAYERS = 64, LARGEST_LABELLER = 1 << 24 };

/* Which networks have a size. */
enum { BOTH, DEP, RST, WORDS, STREAM, MEMBERS, OWN, HEADS, DOCUMENT, SPLIT, REACH, HALVES };

static const struct size {
	const char *name; /* the metadata's key */
	int who;
	size_t offset; /* of the int in the configuration */
	int least, most;
} sizes[] = {
	{"words", WORDS, offsetof(hp_net_config, embedding.words), 1, LARGEST_VOCABULARY},
	{"word_dim", WORDS, offsetof(hp_net_config, embedding.word_dim), 1, LARGEST_SIZE},
	{"chars", WORDS, offsetof(hp_net_config, embedding.chars), 1, LARGEST_VOCABULARY},
	{"char_dim", WORDS, offsetof(hp_net_config, embedding.char_dim), 1, LARGEST_SIZE},
	{"char_filters", WORDS, offsetof(hp_net_config, embedding.char_filters), 1, LARGEST_SIZE},
	{"char_window", WORDS, offsetof(hp_net_config, embedding.char_window), 1, 64},
	{"tags", WORDS, offsetof(hp_net_config, embedding.tags), 0, LARGEST_SIZE},
	{"pos_dim", WORDS, offsetof(hp_net_config, embedding.pos_dim), 0, LARGEST_SIZE},
	{"stream_layers", STREAM, offsetof(hp_net_config, stream_layers), 1, LARGEST_LAYERS},
	{"members", MEMBERS, offsetof(hp_net_config, members), 2, HP_MOST_MEMBERS},
	{"own_embeddings", OWN, offsetof(hp_net_config, own_embeddings), 1, 1},
	{"input_dim", RST, offsetof(hp_net_config, input_dim), 1, LARGEST_SIZE},
	{"hidden", BOTH, offsetof(hp_net_config, hidden), 1, LARGEST_SIZE},
	{"layers", BOTH, offsetof(hp_net_config, layers), 1, LARGEST_LAYERS},
	{"document_layers", DOCUMENT, offsetof(hp_net_config, document_layers), 1, LARGEST_LAYERS},
	{"decoder_hidden", DEP, offsetof(hp_net_config, decoder_hidden), 1, LARGEST_SIZE},
	{"decoder_input", DEP, offsetof(hp_net_config, decoder_input), 1, LARGEST_SIZE},
	{"arc_mlp", DEP, offsetof(hp_net_config, arc_mlp), 1, LARGEST_SIZE},
	{"heads", HEADS, offsetof(hp_net_config, heads), 1, 1},
	{"split_mlp", SPLIT, offsetof(hp_net_config, split_mlp), 1, LARGEST_SIZE},
	{"reach", REACH, offsetof(hp_net_config, reach), 1, 1},
	{"label_halves", HALVES, offsetof(hp_net_config, label_halves), 1, 1},
	{"label_mlp", BOTH, offsetof(hp_net_config, label_mlp), 1, LARGEST_SIZE},
	{"labels", BOTH, offsetof(hp_net_config, labels), 1, LARGEST_SIZE},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static bool has(const hp_net_config *c, const struct size *s)
{
	switch (s->who) {
	case DEP:
		return c->task == HP_TASK_DEP;
	case RST:
		return c->task == HP_TASK_RST;
	case WORDS:
		return c->input == HP_INPUT_WORDS;
	case STREAM:
		return c->input == HP_INPUT_STREAM;
	case MEMBERS:
		return c->members != 0;
	case OWN:
		return c->own_embeddings != 0;
	case HEADS:
		return c->heads != 0;
	case DOCUMENT:
		return c->document_layers != 0;
	case SPLIT:
		return c->split_mlp != 0;
	case REACH:
		return c->reach != 0;
	case HALVES:
		return c->label_halves != 0;
	default:
		return true;
	}
}

static int *place_of(hp_net_config *c, const struct size *s)
{
	return (int *)(void *)((char *)c + s->offset);
}

hp_shape hp_config_shape(const hp_net_config *c)
{
	size_t H = (size_t)c->hidden, members = (size_t)hp_members(c->members);
	size_t D = (size_t)(c->task == HP_TASK_RST ? c->input_dim : hp_embedding_dim(&c->embedding));
	size_t X = c->own_embeddings ? members * D : D;
	if (c->task == HP_TASK_RST)
		return (hp_shape){.M = members,
		                  .D = D,
		                  .X = X,
		                  .H = H,
		                  .W = H,
		                  .E = 2 * H + HP_END_MARKS,
		                  .I = H,
		                  .Q = H,
		                  .L = (size_t)c->layers,
		                  .P = (size_t)c->layers,
		                  .B = c->split_mlp ? 2 * H : H,
		                  .A = c->split_mlp ? (size_t)c->split_mlp : H,
		                  .G = (c->label_halves ? HP_HALF_PARTS : 1) * H,
		                  .R = (c->label_halves ? HP_HALF_PARTS : 1) * H};
	return (hp_shape){.M = members,
	                  .D = D,
	                  .X = X,
	                  .H = H,
	                  .W = 2 * H,
	                  .I = (size_t)c->decoder_input,
	                  .Q = (size_t)c->decoder_hidden,
	                  .L = 1,
	                  .P = 2,
	                  .B = 2 * H,
	                  .A = (size_t)c->arc_mlp,
	                  .G = (size_t)c->decoder_hidden,
	                  .R = 2 * H};
}

hp_cell_kind hp_config_cell(const hp_net_config *c)
{
	return c->task == HP_TASK_DEP ? HP_LSTM : HP_GRU;
}

static int check_variant(const hp_net_config *c, const char *name, hp_error *err)
{
	if (c->own_embeddings && (!c->members || c->input != HP_INPUT_WORDS))
		return hp_fail(err, "%s: own_embeddings is 1: expected several members, which embed words", name);
	if ((int64_t)c->labels * c->label_mlp > LARGEST_LABELLER)
		return hp_fail(err, "%s: labels × label_mlp is %d × %d: expected at most %d", name, c->labels, c->label_mlp,
		               LARGEST_LABELLER);
	if (c->reach && !c->split_mlp)
		return hp_fail(err, "%s: reach, of auxiliary_splits, without split_mlp: expected a size for it, or neither",
		               name);
	if (c->gate != HP_GATE_NONE && c->fusion == HP_FUSION_T)
		return hp_fail(err, "%s: gate `%s` with fusion T: expected none", name, hp_gate_name(c->gate));
	if (c->gate == HP_GATE_SGATE && c->fusion != HP_FUSION_PST)
		return hp_fail(err, "%s: gate sgate with fusion %s: expected gate none or gate, or fusion PST", name,
		               hp_fusion_name(c->fusion));
	return 0;
}

int hp_config_check(const hp_net_config *c, const char *name, hp_error *err)
{
	hp_net_config copy = *c;
	for (int i = 0; i < SIZES; i++) {
		int value = *place_of(&copy, &sizes[i]);
		bool fits = !has(c, &sizes[i]) || (value >= sizes[i].least && value <= sizes[i].most);
		if (!fits)
			return hp_fail_range(err, name, sizes[i].name, value, sizes[i].least, sizes[i].most);
	}
	if (c->input == HP_INPUT_WORDS && c->embedding.pos_dim && c->embedding.tags < 1)
		return hp_fail(err, "%s: tags is 0: expected at least 1 where pos_dim is not 0", name);
	if (c->task == HP_TASK_RST && c->input == HP_INPUT_WORDS && hp_embedding_dim(&c->embedding) != c->input_dim)
		return hp_fail(err, "%s: input_dim is %d: expected word_dim + char_filters + pos_dim = %d", name, c->input_dim,
		               hp_embedding_dim(&c->embedding));
	return check_variant(c, name, err);
}

/* ---- metadata ---- */

static const char *const inputs[] = {NULL, "words", "stream"};

static int read_input(hp_net_config *c, const hp_safetensors *st, hp_error *err)
{
	const char *input = hp_safetensors_meta(st, "input");
	for (int i = HP_INPUT_WORDS; input && i <= HP_INPUT_STREAM; i++)
		if (!strcmp(input, inputs[i]))
			c->input = (hp_word_input)i;
	if (input && !c->input)
		return hp_fail(err, "%s: metadata `input` is %s: expected words or stream", hp_safetensors_name(st), input);
	return 0;
}

static int read_size(hp_net_config *c, const struct size *s, const hp_safetensors *st, hp_error *err)
{
	const char *text = hp_safetensors_meta(st, s->name);
	char *end;
	errno = 0;
	long value = text ? strtol(text, &end, 10) : 0;
	if (!text || *text < '0' || *text > '9' || *end || errno || value > 1000000000)
		return hp_fail(err, "%s: metadata `%s` is %s: expected a whole number", hp_safetensors_name(st), s->name,
		               text ? text : "absent");
	if (value == 0 && s->least > 0) /* a part that is not there has no number either */
		return hp_fail_range(err, hp_safetensors_name(st), s->name, 0, s->least, s->most);
	*place_of(c, s) = (int)value;
	return 0;
}

static int read_variant(hp_net_config *c, const hp_safetensors *st, hp_error *err)
{
	const char *name = hp_safetensors_name(st);
	const char *f = hp_safetensors_meta(st, "fusion"), *g = hp_safetensors_meta(st, "gate");
	if (!f || hp_fusion_parse(f, &c->fusion))
		return hp_fail(err, "%s: metadata `fusion` is %s: expected T, P, PS or PST", name, f ? f : "absent");
	if (!g || hp_gate_parse(g, &c->gate))
		return hp_fail(err, "%s: metadata `gate` is %s: expected none, gate or sgate", name, g ? g : "absent");
	if (c->task == HP_TASK_RST && c->gate != HP_GATE_NONE)
		return hp_fail(err, "%s: gate `%s` in a discourse model: expected none", name, hp_gate_name(c->gate));
	return 0;
}

int hp_config_read(hp_net_config *c, hp_task task, const hp_safetensors *st, hp_error *err)
{
	*c = (hp_net_config){.task = task, .input = task == HP_TASK_DEP ? HP_INPUT_WORDS : HP_INPUT_NONE};
	if (task == HP_TASK_RST && read_input(c, st, err))
		return HP_FAIL;
	for (int i = 0; i < SIZES; i++) /* those that not all networks have */
		if (sizes[i].who == MEMBERS || sizes[i].who == OWN || (sizes[i].who == HEADS && task == HP_TASK_DEP) ||
		    (sizes[i].who >= DOCUMENT && task == HP_TASK_RST))
			*place_of(c, &sizes[i]) = hp_safetensors_meta(st, sizes[i].name) != NULL;
	for (int i = 0; i < SIZES; i++)
		if (has(c, &sizes[i]) && read_size(c, &sizes[i], st, err))
			return HP_FAIL;
	return read_variant(c, st, err) ? HP_FAIL : hp_config_check(c, hp_safetensors_name(st), err);
}

int hp_config_write(const hp_net_config *c, hp_st_writer *w, hp_error *err)
{
	hp_net_config copy = *c;
	if (c->task == HP_TASK_RST && c->input && hp_st_writer_meta(w, "input", inputs[c->input], err))
		return HP_FAIL;
	for (int i = 0; i < SIZES; i++) {
		char text[16];
		snprintf(text, sizeof text, "%d", *place_of(&copy, &sizes[i]));
		if (has(c, &sizes[i]) && hp_st_writer_meta(w, sizes[i].name, text, err))
			return HP_FAIL;
	}
	if (hp_st_writer_meta(w, "fusion", hp_fusion_name(c->fusion), err))
		return HP_FAIL;
	return hp_st_writer_meta(w, "gate", hp_gate_name(c->gate), err);
}
