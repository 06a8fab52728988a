/* parsed.c: what must hold of whatever the filters write. */
#include "parsed.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include "pointer/splits.h"
#include "io/stream.h"
#include "rst/dis.h"
#include "rst/spans.h"
#include "text/conllu.h"

const char *parsed_model_path(parsed_model model)
{
	static const char *const name[] = {"models/tiny.safetensors", "models/no-tags.safetensors",
	                                   "models/discourse.safetensors", "models/layers.safetensors",
	                                   "models/documents.safetensors"};
	static char *path[PARSED_MODELS];

	if (!path[model])
		path[model] = fuzz_beside(name[model]);
	return path[model];
}

/* ---- streams ---- */

static void check_finite(const hp_safetensors *record, const char *name, float most)
{
	const hp_tensor *t = hp_safetensors_find(record, name);

	demand(t && t->dtype == HP_F32);
	for (int64_t i = 0; i < t->count; i++)
		demand(isfinite(((const float *)t->data)[i]) && ((const float *)t->data)[i] <= most);
}

static void check_heads(const int32_t *heads, int n)
{
	int roots = 0;

	demand(n > 1 && heads[0] == 0);
	for (int w = 1; w < n; w++) {
		int steps = 0;

		roots += heads[w] == 0;
		for (int at = w; at != 0; at = heads[at])
			demand(heads[at] >= 0 && heads[at] < n && ++steps < n);
	}
	demand(roots == 1);
}

static void check_splits(const hp_tensor *splits)
{
	int edus = (int)splits->shape[0] + 1, *scratch = calloc((size_t)edus, sizeof(int));

	demand(scratch && splits->dtype == HP_I32 && splits->rank == 2 && splits->shape[1] == 3);
	demand(hp_splits_ok(edus, splits->data, scratch));
	free(scratch);
}

/* What the stage itself has made; what it passed on may be anything. */
static void check_record(const hp_safetensors *record, char stage, parsed_model model)
{
	const hp_tensor *t;

	if (stage == 'e' && hp_safetensors_find(record, "x"))
		check_finite(record, "x", INFINITY);
	if (stage == 'n' && hp_safetensors_find(record, "init"))
		check_finite(record, "init", INFINITY), check_finite(record, "h", INFINITY);
	if (stage != 'd' || !hp_safetensors_find(record, "h"))
		return;
	check_finite(record, "logp", 0);
	t = hp_safetensors_find(record, parsed_rst(model) ? "splits" : "heads");
	demand(t);
	if (parsed_rst(model))
		check_splits(t);
	else
		check_heads(t->data, (int)t->count), check_finite(record, "d", INFINITY);
}

void parsed_stream(const char *data, size_t size, char stage, parsed_model model, int status)
{
	hp_stream_reader *reader;
	hp_safetensors *record;
	hp_record_kind kind;
	hp_error err = {""};
	hp_input *in;
	bool failed = false;

	demand(hp_input_from_memory(data, size, "out", &in, NULL) == 0 && hp_stream_reader_new(in, &reader, NULL) == 0);
	while (demand(hp_stream_read(reader, &kind, &record, &err) == 0), kind != HP_RECORD_END) {
		if (kind == HP_RECORD_SENTENCE)
			check_record(record, stage, model);
		if (kind == HP_RECORD_LAST)
			failed |= hp_record_error(record) != NULL;
		hp_safetensors_close(record);
	}
	demand(!failed || status == 1);
	hp_stream_reader_destroy(reader);
	hp_input_close(in);
}

/* ---- text ---- */

/* NAME=VALUE in the SIZE bytes at MISC is a probability, where it is there. */
static void check_probability(const char *misc, size_t size, const char *name)
{
	const char *at = memmem(misc, size, name, strlen(name));

	if (at) {
		double p = strtod(at + strlen(name), NULL);

		demand(p >= 0 && p <= 1);
	}
}

void parsed_conllu(const char *text, size_t size, bool labels, bool scores)
{
	hp_conllu_reader *reader;
	hp_error err = {""};
	int32_t *heads;
	hp_sentence s;
	hp_input *in;
	int status;

	hp_sentence_init(&s);
	demand(hp_input_from_memory(text, size, "out", &in, NULL) == 0);
	demand(hp_conllu_reader_new(in, HP_TEXT_CONLLU, INT_MAX, &reader, NULL) == 0);
	while ((status = hp_conllu_read(reader, &s, &err)) != 0) {
		/* The records of a stream may have different columns, the sentences of a file may not. */
		demand(status == 1 || strstr(err.text, " columns, expected "));
		if (s.words == 0)
			continue; /* remarks */
		heads = calloc((size_t)s.words + 1, sizeof(*heads));
		demand(heads && hp_sentence_tree(&s, "out", heads, &err) == 0);
		for (int w = 0; w < s.words; w++) {
			demand(labels || (s.word[w].len[HP_DEPREL] == 1 && *s.word[w].col[HP_DEPREL] == '_'));
			if (scores)
				check_probability(s.word[w].col[HP_MISC], s.word[w].len[HP_MISC], "ArcProb="),
					check_probability(s.word[w].col[HP_MISC], s.word[w].len[HP_MISC], "LabelProb=");
		}
		free(heads);
	}
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	hp_sentence_free(&s);
}

void parsed_dis(const char *text, size_t size, bool binary)
{
	hp_dis_reader *reader;
	hp_error err = {""};
	hp_rst_tree t;
	hp_input *in;
	int status;

	hp_rst_tree_init(&t);
	demand(hp_input_from_memory(text, size, "out", &in, NULL) == 0 && hp_dis_reader_new(in, &reader, NULL) == 0);
	while ((status = hp_dis_read(reader, &t, &err)) == 1)
		demand(!binary || hp_rst_is_binary(&t));
	demand(status == 0);
	hp_dis_reader_destroy(reader);
	hp_input_close(in);
	hp_rst_tree_free(&t);
}

void parsed_spans(const char *text, size_t size, const char *out, size_t out_size)
{
	hp_dis_reader *reader[2];
	hp_input *in[2];
	hp_rst_tree t[2];
	int status;

	demand(hp_input_from_memory(text, size, "in", &in[0], NULL) == 0);
	demand(hp_input_from_memory(out, out_size, "out", &in[1], NULL) == 0);
	for (int i = 0; i < 2; i++) {
		hp_rst_tree_init(&t[i]);
		demand(hp_dis_reader_new(in[i], &reader[i], NULL) == 0);
		hp_dis_unlabelled(reader[i]);
	}
	while ((status = hp_dis_read(reader[0], &t[0], NULL)) == 1) {
		hp_rst_spans spans;

		demand(hp_dis_read(reader[1], &t[1], NULL) == 1 && t[0].edus == t[1].edus);
		demand(hp_rst_spans_make(&t[1], &spans, NULL) == 0);
		for (int i = 0; i < t[0].nodes; i++)
			demand(hp_rst_spans_find(&spans, t[0].node[i].first, t[0].node[i].last) >= 0);
		hp_rst_spans_free(&spans);
	}
	demand(status == 0 && hp_dis_read(reader[1], &t[1], NULL) == 0);
	for (int i = 0; i < 2; i++) {
		hp_dis_reader_destroy(reader[i]);
		hp_input_close(in[i]);
		hp_rst_tree_free(&t[i]);
	}
}
