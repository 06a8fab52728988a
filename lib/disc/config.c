#include "disc/config.h"

#include <stddef.h>
#include <string.h>

#include "nn/sizes.h"

enum { LARGEST_SIZE = 16384, LARGEST_VOCABULARY = 100000000, LARGEST_LAYERS = 64 };

static const hp_size fields[] = {
/* clang-format off */
#define FIELD(name, least, most) {#name, offsetof(hp_rst_config, name), least, most}
	/* clang-format on */
	FIELD(input_dim, 1, LARGEST_SIZE), FIELD(hidden, 1, LARGEST_SIZE), FIELD(layers, 1, 64),
	FIELD(label_mlp, 1, LARGEST_SIZE), FIELD(labels, 1, LARGEST_SIZE),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const hp_size word_fields[] = {
/* clang-format off */
#define FIELD(name, least, most) {#name, offsetof(hp_rst_config, embedding.name), least, most}
	/* clang-format on */
	FIELD(words, 1, LARGEST_VOCABULARY), FIELD(word_dim, 1, LARGEST_SIZE),     FIELD(chars, 1, LARGEST_VOCABULARY),
	FIELD(char_dim, 1, LARGEST_SIZE),    FIELD(char_filters, 1, LARGEST_SIZE), FIELD(char_window, 1, 64),
	FIELD(tags, 0, LARGEST_SIZE),        FIELD(pos_dim, 0, LARGEST_SIZE),
#undef FIELD
};
static const hp_size stream_fields[] = {
	{"stream_layers", offsetof(hp_rst_config, stream_layers), 1, LARGEST_LAYERS},
};

/* The table of the input's sizes. */
static const hp_size *input_fields(hp_rst_input input, int *count)
{
	*count =
		input == HP_RST_INPUT_WORDS ? (int)(sizeof word_fields / sizeof *word_fields) : input == HP_RST_INPUT_STREAM;
	return input == HP_RST_INPUT_WORDS ? word_fields : stream_fields;
}

int hp_rst_config_check(const hp_rst_config *c, const char *name, hp_error *err)
{
	int count;
	const hp_size *table = input_fields(c->input, &count);
	if (hp_sizes_check(fields, FIELDS, c, name, err) || hp_sizes_check(table, count, c, name, err))
		return HP_FAIL;
	if (c->input == HP_RST_INPUT_WORDS && c->embedding.pos_dim && c->embedding.tags < 1)
		return hp_fail(err, "%s: tags is 0: expected at least 1 where pos_dim is not 0", name);
	if (c->input == HP_RST_INPUT_WORDS && hp_embedding_dim(&c->embedding) != c->input_dim)
		return hp_fail(err, "%s: input_dim is %d: expected word_dim + char_filters + pos_dim = %d", name, c->input_dim,
		               hp_embedding_dim(&c->embedding));
	return hp_variant_check(c->fusion, HP_GATE_NONE, c->labels, c->label_mlp, name, err);
}

static const char *const inputs[] = {NULL, "words", "stream"};

static int read_input(hp_rst_config *c, const hp_safetensors *st, hp_error *err)
{
	const char *input = hp_safetensors_meta(st, "input");
	int count;
	for (int i = HP_RST_INPUT_WORDS; input && i <= HP_RST_INPUT_STREAM; i++)
		if (!strcmp(input, inputs[i]))
			c->input = (hp_rst_input)i;
	if (input && !c->input)
		return hp_fail(err, "%s: metadata `input` is %s: expected words or stream", hp_safetensors_name(st), input);
	const hp_size *table = input_fields(c->input, &count);
	return hp_sizes_read(table, count, c, st, err);
}

int hp_rst_config_read(hp_rst_config *c, const hp_safetensors *st, hp_error *err)
{
	hp_gate gate;
	memset(c, 0, sizeof *c);
	if (read_input(c, st, err) || hp_sizes_read(fields, FIELDS, c, st, err) ||
	    hp_variant_read(&c->fusion, &gate, st, err))
		return HP_FAIL;
	if (gate != HP_GATE_NONE)
		return hp_fail(err, "%s: gate `%s` in a discourse model: expected none", hp_safetensors_name(st),
		               hp_gate_name(gate));
	return hp_rst_config_check(c, hp_safetensors_name(st), err);
}

int hp_rst_config_write(const hp_rst_config *c, hp_st_writer *w, hp_error *err)
{
	int count;
	const hp_size *table = input_fields(c->input, &count);
	if (c->input && hp_st_writer_meta(w, "input", inputs[c->input], err))
		return HP_FAIL;
	if (hp_sizes_write(table, count, c, w, err) || hp_sizes_write(fields, FIELDS, c, w, err))
		return HP_FAIL;
	return hp_variant_write(c->fusion, HP_GATE_NONE, w, err);
}
