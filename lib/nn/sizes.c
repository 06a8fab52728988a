#include "nn/sizes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int value_of(const hp_size *s, const void *config)
{
	return *(const int *)(const void *)((const char *)config + s->offset);
}

int hp_sizes_check(const hp_size *table, int count, const void *config, const char *name, hp_error *err)
{
	for (int i = 0; i < count; i++) {
		int value = value_of(&table[i], config);
		if (value < table[i].least || value > table[i].most)
			return hp_fail(err, "%s: %s is %d: expected %d to %d", name, table[i].name, value, table[i].least,
			               table[i].most);
	}
	return 0;
}

int hp_sizes_read(const hp_size *table, int count, void *config, const hp_safetensors *st, hp_error *err)
{
	for (int i = 0; i < count; i++) {
		const char *text = hp_safetensors_meta(st, table[i].name);
		char *end;
		errno = 0;
		long value = text ? strtol(text, &end, 10) : 0;
		if (!text || *text < '0' || *text > '9' || *end || errno || value > 1000000000)
			return hp_fail(err, "%s: metadata `%s` is %s: expected a whole number", hp_safetensors_name(st),
			               table[i].name, text ? text : "absent");
		*(int *)(void *)((char *)config + table[i].offset) = (int)value;
	}
	return 0;
}

int hp_sizes_write(const hp_size *table, int count, const void *config, hp_st_writer *w, hp_error *err)
{
	for (int i = 0; i < count; i++) {
		char text[16];
		snprintf(text, sizeof text, "%d", value_of(&table[i], config));
		if (hp_st_writer_meta(w, table[i].name, text, err))
			return HP_FAIL;
	}
	return 0;
}

int hp_variant_check(hp_fusion fusion, hp_gate gate, int labels, int label_mlp, const char *name, hp_error *err)
{
	if ((int64_t)labels * label_mlp > 1 << 24)
		return hp_fail(err, "%s: labels × label_mlp is %d × %d: expected at most 16777216", name, labels, label_mlp);
	if (gate != HP_GATE_NONE && fusion == HP_FUSION_T)
		return hp_fail(err, "%s: gate `%s` with fusion T: expected none", name, hp_gate_name(gate));
	if (gate == HP_GATE_SGATE && fusion != HP_FUSION_PST)
		return hp_fail(err, "%s: gate sgate with fusion %s: expected gate none or gate, or fusion PST", name,
		               hp_fusion_name(fusion));
	return 0;
}

int hp_variant_read(hp_fusion *fusion, hp_gate *gate, const hp_safetensors *st, hp_error *err)
{
	const char *name = hp_safetensors_name(st);
	const char *f = hp_safetensors_meta(st, "fusion"), *g = hp_safetensors_meta(st, "gate");
	if (!f || hp_fusion_parse(f, fusion))
		return hp_fail(err, "%s: metadata `fusion` is %s: expected T, P, PS or PST", name, f ? f : "absent");
	if (!g || hp_gate_parse(g, gate))
		return hp_fail(err, "%s: metadata `gate` is %s: expected none, gate or sgate", name, g ? g : "absent");
	return 0;
}

int hp_variant_write(hp_fusion fusion, hp_gate gate, hp_st_writer *w, hp_error *err)
{
	if (hp_st_writer_meta(w, "fusion", hp_fusion_name(fusion), err))
		return HP_FAIL;
	return hp_st_writer_meta(w, "gate", hp_gate_name(gate), err);
}
