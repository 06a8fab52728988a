#include "dep/config.h"

#include <stddef.h>
#include <string.h>

#include "nn/sizes.h"

enum { LARGEST_VOCABULARY = 100000000, LARGEST_SIZE = 16384 };

static const hp_size fields[] = {
/* clang-format off */
#define FIELD(name, least, most) {#name, offsetof(hp_dep_config, name), least, most}
	/* clang-format on */
	FIELD(words, 1, LARGEST_VOCABULARY),    FIELD(word_dim, 1, LARGEST_SIZE),
	FIELD(chars, 1, LARGEST_VOCABULARY),    FIELD(char_dim, 1, LARGEST_SIZE),
	FIELD(char_filters, 1, LARGEST_SIZE),   FIELD(char_window, 1, 64),
	FIELD(tags, 0, LARGEST_SIZE),           FIELD(pos_dim, 0, LARGEST_SIZE),
	FIELD(hidden, 1, LARGEST_SIZE),         FIELD(layers, 1, 64),
	FIELD(decoder_hidden, 1, LARGEST_SIZE), FIELD(decoder_input, 1, LARGEST_SIZE),
	FIELD(arc_mlp, 1, LARGEST_SIZE),        FIELD(label_mlp, 1, LARGEST_SIZE),
	FIELD(labels, 1, LARGEST_SIZE),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

int hp_dep_input_dim(const hp_dep_config *c)
{
	return c->word_dim + c->char_filters + c->pos_dim;
}

int hp_dep_config_check(const hp_dep_config *c, const char *name, hp_error *err)
{
	if (hp_sizes_check(fields, FIELDS, c, name, err))
		return HP_FAIL;
	if (c->pos_dim && c->tags < 1)
		return hp_fail(err, "%s: tags is %d: expected at least 1 where pos_dim is not 0", name, c->tags);
	return hp_variant_check(c->fusion, c->gate, c->labels, c->label_mlp, name, err);
}

int hp_dep_config_read(hp_dep_config *c, const hp_safetensors *st, hp_error *err)
{
	memset(c, 0, sizeof *c);
	if (hp_sizes_read(fields, FIELDS, c, st, err) || hp_variant_read(&c->fusion, &c->gate, st, err))
		return HP_FAIL;
	return hp_dep_config_check(c, hp_safetensors_name(st), err);
}

int hp_dep_config_write(const hp_dep_config *c, hp_st_writer *w, hp_error *err)
{
	if (hp_sizes_write(fields, FIELDS, c, w, err))
		return HP_FAIL;
	return hp_variant_write(c->fusion, c->gate, w, err);
}
