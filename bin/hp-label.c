/* hp-label: trees in, CoNLL-U with labels out. */
#include "filter.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "discourse.h"

static const char help[] =
	"Usage: hp-label [OPTION]... [FILE]...\n"
	"Label the arcs of the trees of hp-decode, from FILEs or standard input, and\n"
	"write CoNLL-U (discourse models: .dis trees): the last stage of\n"
	"hp-embed | hp-encode | hp-decode | hp-label.\n"
	"\n"
	"  -s, --scores       put the probabilities of arc and label into MISC, as\n"
	"                     ArcProb= and LabelProb=; discourse: into comments before\n"
	"                     the tree, SplitProb= and LabelProb= of each split; and the\n"
	"                     logarithm of the tree's into a comment # score =\n"
	"      --brackets     discourse: a line a tree, such as\n"
	"                     (1:Satellite=Contrast:4,5:Nucleus=span:6)\n" FILTER_INT8_HELP FILTER_HELP;

enum { OPT_BRACKETS = 256 };

typedef struct label_data {
	filter_floats h, d, arc; /* [rows × 2H], [rows × Q], [rows] (with --scores, where the stream has it) */
	int32_t *heads; /* [capacity], rows of the batch used */
	size_t heads_capacity;
	bool has_arc[FILTER_SENTENCES];
	const int32_t *labels; /* [rows] */
	float *logp; /* [rows] */
} label_data;

static int label_check(filter *f, filter_item *item, hp_error *err)
{
	if (f->brackets)
		return hp_fail(err, "--brackets is for discourse models, but %s is for the task %s", f->model->path,
		               f->model->task);
	return filter_count(f, item, "h", "hp-encode", err);
}

/* What keeps heads[0..n) from being a tree with one child of the root, or NULL: every word's chain of heads must end
 * in 0.  SEEN [n] is for work. */
static const char *tree_fault(const int32_t *heads, int n, int32_t *seen)
{
	int roots = 0;

	if (heads[0] != 0)
		return "`heads` does not begin with 0";
	for (int w = 1; w < n; w++) {
		if (heads[w] < 0 || heads[w] >= n)
			return "`heads` has a head beyond the sentence";
		roots += heads[w] == 0;
		seen[w] = 0;
	}
	if (roots != 1)
		return "`heads` is no tree: expected one child of the root";
	seen[0] = -1;
	for (int w = 1; w < n; w++) {
		int at = w;

		for (; seen[at] == 0; at = heads[at])
			seen[at] = w;
		if (seen[at] == w)
			return "`heads` is no tree: it has a cycle";
	}
	return NULL;
}

static int load_heads(filter *f, const filter_item *item, const hp_tensor *tensor, hp_error *err)
{
	label_data *data = f->data;
	size_t n = (size_t)item->n, need = f->batch.rows + n;
	const char *fault;

	if (need > data->heads_capacity) {
		int32_t *grown = realloc(data->heads, 2 * need * sizeof(*grown));

		if (!grown)
			return hp_fail_memory(err);
		data->heads = grown;
		data->heads_capacity = 2 * need;
	}
	memcpy(data->heads + f->batch.rows, tensor->data, n * sizeof(int32_t));
	int32_t *seen = HP_NEW(f->arena, int32_t, n);
	if (!seen)
		return hp_fail_memory(err);
	fault = tree_fault(data->heads + f->batch.rows, item->n, seen);
	return fault != NULL ? filter_bad(f, item, err, "%s", fault) : 0;
}

/* `logp` of the sentence that will be number batch.count; zeros where the stream has none. */
static int load_arc(filter *f, const filter_item *item, hp_error *err)
{
	label_data *data = f->data;
	const int64_t shape[] = {item->n};
	const hp_tensor *logp;

	if (filter_find(f, item, "logp", HP_F32, 1, shape, &logp, err) != 0)
		return HP_FAIL;
	data->has_arc[f->batch.count] = logp != NULL;
	data->arc.used = f->batch.rows;
	if (logp)
		return filter_append(f, item, logp, &data->arc, err);
	return 0;
}

static int label_load(filter *f, filter_item *item, hp_error *err)
{
	label_data *data = f->data;
	const hp_dep_config *c = &f->model->config;
	const int64_t h_shape[] = {item->n, 2 * c->hidden}, d_shape[] = {item->n, c->decoder_hidden};
	const hp_tensor *h, *d, *heads;

	if (filter_parse_text(f, item, err) != 0)
		return HP_FAIL;
	if (item->n == 0)
		return 0;
	if (filter_need(f, item, "heads", HP_I32, 1, h_shape, "hp-decode", &heads, err) != 0 ||
	    filter_need(f, item, "h", HP_F32, 2, h_shape, "hp-encode", &h, err) != 0 ||
	    filter_need(f, item, "d", HP_F32, 2, d_shape, "hp-decode", &d, err) != 0 ||
	    load_heads(f, item, heads, err) != 0 || filter_append(f, item, h, &data->h, err) != 0 ||
	    filter_append(f, item, d, &data->d, err) != 0)
		return HP_FAIL;
	if (!f->scores)
		return 0;
	return filter_score(f, item, err) != 0 ? HP_FAIL : load_arc(f, item, err);
}

static int label_compute(filter *f, hp_error *err)
{
	label_data *data = f->data;
	const filter_batch *b = &f->batch;
	int32_t *labels = HP_NEW(f->arena, int32_t, b->rows);

	data->labels = labels;
	data->logp = HP_NEW(f->arena, float, b->rows);
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	data->h.used = data->d.used = data->arc.used = 0;
	return hp_dep_label(f->model->net, f->pool, f->arena, b->count, b->n, data->h.data, data->d.data, data->heads,
	                    f->model->special, labels, data->logp, err);
}

static int label_write(filter *f, filter_item *item, int index, size_t row, hp_error *err)
{
	const label_data *data = f->data;
	const char **names = HP_NEW(f->arena, const char *, item->n);
	float *arc = f->scores && data->has_arc[index] ? data->arc.data + row : NULL;
	float *label = f->scores ? data->logp + row : NULL;

	if (!names)
		return hp_fail_memory(err);
	names[0] = NULL;
	for (int i = 1; i < item->n; i++)
		names[i] = hp_vocab_at(f->model->labels, data->labels[row + (size_t)i], NULL);
	for (int i = 0; i < item->n && arc != NULL; i++)
		arc[i] = expf(arc[i]);
	for (int i = 1; i < item->n; i++)
		if (names[i] && filter_check(f, item, "the log-probability of a label", 1, data->logp + row + i, err) != 0)
			return HP_FAIL;
	for (int i = 0; i < item->n && label != NULL; i++)
		label[i] = expf(label[i]);
	return hp_sentence_write(&item->sentence, data->heads + row, names, arc, label, f->scores ? &item->score : NULL,
	                         stdout, err);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"scores", no_argument, NULL, 's'},
	                                        {"brackets", no_argument, NULL, OPT_BRACKETS},
	                                        FILTER_INT8_OPTION,
	                                        FILTER_LONG_OPTIONS,
	                                        {NULL, 0, NULL, 0}};
	static const filter_stage stage = {"label",    HP_STAGE_LABEL, NULL,        label_check,
	                                   label_load, label_compute,  label_write, &discourse_label};
	label_data data = {.h = {NULL, 0, 0}};
	filter f;
	int option, status;

	filter_init(&f, "hp-label", &stage, &data);
	f.text = true;
	while ((option = cli_option(argc, argv, "s" FILTER_SHORT_OPTIONS, options)) != -1) {
		if (option == 's')
			f.scores = true;
		else if (option == OPT_BRACKETS)
			f.brackets = true;
		else if ((status = filter_option(&f, option, optarg, help)) >= 0)
			return status;
	}
	if (f.scores && f.brackets)
		return cli_usage("only one of --scores and --brackets can be given");
	status = filter_run(&f, argc - optind, argv + optind);
	free(data.h.data);
	free(data.d.data);
	free(data.arc.data);
	free(data.heads);
	return status;
}
