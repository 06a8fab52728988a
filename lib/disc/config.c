#include "disc/config.h"

#include <stddef.h>
#include <string.h>

#include "nn/sizes.h"

enum { LARGEST_SIZE = 16384 };

static const hp_size fields[] = {
#define FIELD(name, least, most) {#name, offsetof(hp_rst_config, name), least, most}
	FIELD(input_dim, 1, LARGEST_SIZE), FIELD(hidden, 1, LARGEST_SIZE), FIELD(layers, 1, 64),
	FIELD(label_mlp, 1, LARGEST_SIZE), FIELD(labels, 1, LARGEST_SIZE),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

int hp_rst_config_check(const hp_rst_config *c, const char *name, hp_error *err)
{
	if (hp_sizes_check(fields, FIELDS, c, name, err))
		return HP_FAIL;
	return hp_variant_check(c->fusion, HP_GATE_NONE, c->labels, c->label_mlp, name, err);
}

int hp_rst_config_read(hp_rst_config *c, const hp_safetensors *st, hp_error *err)
{
	hp_gate gate;
	memset(c, 0, sizeof *c);
	if (hp_sizes_read(fields, FIELDS, c, st, err) || hp_variant_read(&c->fusion, &gate, st, err))
		return HP_FAIL;
	if (gate != HP_GATE_NONE)
		return hp_fail(err, "%s: gate `%s` in a discourse model: expected none", hp_safetensors_name(st),
		               hp_gate_name(gate));
	return hp_rst_config_check(c, hp_safetensors_name(st), err);
}

int hp_rst_config_write(const hp_rst_config *c, hp_st_writer *w, hp_error *err)
{
	if (hp_sizes_write(fields, FIELDS, c, w, err))
		return HP_FAIL;
	return hp_variant_write(c->fusion, HP_GATE_NONE, w, err);
}
