#include "dep/config.h"


#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct field {
	const char *name;
	size_t offset;
	int least;
} fields[] = {
#define FIELD(name, least) {#name, offsetof(hp_dep_config, name), least}
	FIELD(words, 1),  FIELD(word_dim, 1),      FIELD(chars, 1),         FIELD(char_dim, 1), FIELD(char_filters, 1),
	FIELD(char_window, 1), FIELD(tags, 0),     FIELD(pos_dim, 0),       FIELD(hidden, 1),   FIELD(layers, 1),
	FIELD(decoder_hidden, 1), FIELD(decoder_input, 1), FIELD(arc_mlp, 1), FIELD(label_mlp, 1), FIELD(labels, 1),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields, LARGEST_VOCABULARY = 100000000, LARGEST_SIZE = 16384 };

static const struct {
	hp_fusion fusion;
	const char *name;
} fusions[] = {{HP_FUSION_T, "T"}, {HP_FUSION_P, "P"}, {HP_FUSION_PS, "PS"}, {HP_FUSION_PST, "PST"}};
static const char *const gates[] = {"none", "gate", "sgate"};

static int *field_of(hp_dep_config *c, const struct field *f)
{
	return (int *)(void *)((char *)c + f->offset);
}

int hp_dep_input_dim(const hp_dep_config *c)
{
	return c->word_dim + c->char_filters + c->pos_dim;
}

const char *hp_fusion_name(hp_fusion f)
{
	for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++)
		if (fusions[i].fusion == f)
			return fusions[i].name;
	return "?";
}

const char *hp_gate_name(hp_gate g)
{
	return gates[g];
}

int hp_fusion_parse(const char *s, hp_fusion *out)
{
	for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++)
		if (!strcasecmp(fusions[i].name, s)) {
			*out = fusions[i].fusion;
			return 0;
		}
	return HP_FAIL;
}

int hp_gate_parse(const char *s, hp_gate *out)
{
	for (int i = 0; i < 3; i++)
		if (!strcasecmp(gates[i], s)) {
			*out = (hp_gate)i;
			return 0;
		}
	return HP_FAIL;
}

int hp_dep_config_check(const hp_dep_config *c, const char *name, hp_error *err)
{
	for (int i = 0; i < FIELDS; i++) {
		int value = *field_of((hp_dep_config *)c, &fields[i]);
		bool table = !strcmp(fields[i].name, "words") || !strcmp(fields[i].name, "chars");
		int most = table ? LARGEST_VOCABULARY : LARGEST_SIZE;
		if (value < fields[i].least || value > most)
			return hp_fail(err, "%s: %s is %d: expected %d to %d", name, fields[i].name, value, fields[i].least, most);
	}
	if (c->pos_dim && c->tags < 1)
		return hp_fail(err, "%s: tags is %d: expected at least 1 where pos_dim is not 0", name, c->tags);
	if (c->layers > 64)
		return hp_fail(err, "%s: layers is %d: expected 1 to 64", name, c->layers);
	if (c->char_window > 64)
		return hp_fail(err, "%s: char_window is %d: expected 1 to 64", name, c->char_window);
	if ((int64_t)c->labels * c->label_mlp > 1 << 24)
		return hp_fail(err, "%s: labels × label_mlp is %d × %d: expected at most 16777216", name, c->labels, c->label_mlp);
	if (c->gate != HP_GATE_NONE && c->fusion == HP_FUSION_T)
		return hp_fail(err, "%s: gate `%s` with fusion T: expected none", name, gates[c->gate]);
	if (c->gate == HP_GATE_SGATE && c->fusion != HP_FUSION_PST)
		return hp_fail(err, "%s: gate sgate with fusion %s: expected fusion PST", name, hp_fusion_name(c->fusion));
	return 0;
}

int hp_dep_config_read(hp_dep_config *c, const hp_safetensors *st, hp_error *err)
{
	const char *name = hp_safetensors_name(st);
	memset(c, 0, sizeof *c);
	for (int i = 0; i < FIELDS; i++) {
		const char *text = hp_safetensors_meta(st, fields[i].name);
		char *end;
		errno = 0;
		long value = text ? strtol(text, &end, 10) : 0;
		if (!text || *text < '0' || *text > '9' || *end || errno || value > LARGEST_VOCABULARY)
			return hp_fail(err, "%s: metadata `%s` is %s: expected a whole number", name, fields[i].name,
			               text ? text : "absent");
		*field_of(c, &fields[i]) = (int)value;
	}
	const char *fusion = hp_safetensors_meta(st, "fusion"), *gate = hp_safetensors_meta(st, "gate");
	if (!fusion || hp_fusion_parse(fusion, &c->fusion))
		return hp_fail(err, "%s: metadata `fusion` is %s: expected T, P, PS or PST", name, fusion ? fusion : "absent");
	if (!gate || hp_gate_parse(gate, &c->gate))
		return hp_fail(err, "%s: metadata `gate` is %s: expected none, gate or sgate", name, gate ? gate : "absent");
	return hp_dep_config_check(c, name, err);
}

int hp_dep_config_write(const hp_dep_config *c, hp_st_writer *w, hp_error *err)
{
	for (int i = 0; i < FIELDS; i++) {
		char text[16];
		snprintf(text, sizeof text, "%d", *field_of((hp_dep_config *)c, &fields[i]));
		if (hp_st_writer_meta(w, fields[i].name, text, err))
			return HP_FAIL;
	}
	if (hp_st_writer_meta(w, "fusion", hp_fusion_name(c->fusion), err))
		return HP_FAIL;
	return hp_st_writer_meta(w, "gate", hp_gate_name(c->gate), err);
}
