/* hp-decode: encoder states in, trees out. */
#include "filter.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "discourse.h"

static const char help[] =
	"Usage: hp-decode [OPTION]... [FILE]...\n"
	"Find the trees with the hierarchical pointer decoder, given the states of\n"
	"hp-encode, from FILEs or standard input: the third stage of\n"
	"hp-embed | hp-encode | hp-decode | hp-label.\n"
	"\n"
	"  -b, --beam=N       keep N hypotheses at each step (default 1); one tree is\n"
	"                     written: the best of those at the end\n"
	"  -t, --text         end the pipe: write CoNLL-U with heads, without labels\n"
	"                     (discourse: .dis trees without relations); the default when\n"
	"                     the output is a terminal\n"
	"  -s, --scores       with --text: the probability of each arc as ArcProb= in\n"
	"                     MISC, of each split as SplitProb= in a comment, and the\n"
	"                     logarithm of the tree's in a comment # score = (the stream\n"
	"                     has them always, as `logp` and `score`)\n" FILTER_INT8_HELP FILTER_HELP;

typedef struct decode_data {
	filter_floats h, init; /* [rows × 2H], [sentences × 2 × Q] */
	const int32_t *heads; /* [rows] */
	const float *d; /* [rows × Q] */
	float *logp, *score; /* [rows], [sentences] */
} decode_data;

static int decode_check(filter *f, filter_item *item, hp_error *err)
{
	return filter_count(f, item, "h", "hp-encode", err);
}

static int decode_load(filter *f, filter_item *item, hp_error *err)
{
	decode_data *data = f->data;
	const int64_t h_shape[] = {item->n, 2 * f->model->config.hidden};
	const int64_t init_shape[] = {2, f->model->config.decoder_hidden};
	const hp_tensor *h, *init;

	if (f->text && filter_parse_text(f, item, err) != 0)
		return HP_FAIL;
	if (item->n == 0)
		return 0;
	if (filter_need(f, item, "h", HP_F32, 2, h_shape, "hp-encode", &h, err) != 0 ||
	    filter_need(f, item, "init", HP_F32, 2, init_shape, "hp-encode", &init, err) != 0 ||
	    filter_append(f, item, h, &data->h, err) != 0)
		return HP_FAIL;
	return filter_append(f, item, init, &data->init, err);
}

static int decode_compute(filter *f, hp_error *err)
{
	decode_data *data = f->data;
	const filter_batch *b = &f->batch;
	int32_t *heads = HP_NEW(f->arena, int32_t, b->rows);
	float *d = f->text ? NULL : HP_NEW(f->arena, float, b->rows * (size_t)f->model->config.decoder_hidden);

	data->heads = heads;
	data->d = d;
	data->logp = HP_NEW(f->arena, float, b->rows);
	data->score = f->text && !f->scores ? NULL : HP_NEW(f->arena, float, b->count);
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	data->h.used = data->init.used = 0;
	return hp_dep_decode(f->model->net, f->pool, f->arena, b->count, b->n, data->h.data, data->init.data, f->beam,
	                     heads, d, data->logp, data->score, err);
}

static int decode_write(filter *f, filter_item *item, int index, size_t row, hp_error *err)
{
	const decode_data *data = f->data;
	const int32_t *heads = data->heads + row;
	float *logp = data->logp + row;
	size_t width = (size_t)f->model->config.decoder_hidden;
	const int64_t shape[] = {item->n, (int64_t)width};

	if (filter_check(f, item, "`logp`", (size_t)item->n, logp, err) != 0 ||
	    (data->score && filter_check(f, item, "`score`", 1, data->score + index, err) != 0))
		return HP_FAIL;
	if (f->text) {
		for (int i = 0; f->scores && i < item->n; i++)
			logp[i] = expf(logp[i]);
		return hp_sentence_write(&item->sentence, heads, NULL, f->scores ? logp : NULL, NULL,
		                         f->scores ? data->score + index : NULL, stdout, err);
	}
	hp_st_writer *w = hp_stream_record(f->out);
	if (filter_result(f, item, "d", 2, shape, data->d + row * width, err) != 0 ||
	    hp_st_writer_tensor(w, "logp", HP_F32, 1, shape, logp, err) != 0 ||
	    hp_st_writer_tensor(w, "score", HP_F32, 0, NULL, data->score + index, err) != 0 ||
	    hp_st_writer_tensor(w, "heads", HP_I32, 1, shape, heads, err) != 0)
		return HP_FAIL;
	return hp_stream_write_record(f->out, item->record, NULL, err);
}

static int decode_option(filter *f, int option, const char *argument)
{
	long value;

	switch (option) {
	case 'b':
		if (cli_whole("--beam", argument, 1, FILTER_MAX_BEAM, &value) != CLI_OK)
			return CLI_USAGE;
		f->beam = (int)value;
		return -1;
	case 't':
		f->text = true;
		return -1;
	case 's':
		f->scores = true;
		return -1;
	default:
		return filter_option(f, option, argument, help);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"beam", required_argument, NULL, 'b'},
	                                        {"text", no_argument, NULL, 't'},
	                                        {"scores", no_argument, NULL, 's'},
	                                        FILTER_INT8_OPTION,
	                                        FILTER_LONG_OPTIONS,
	                                        {NULL, 0, NULL, 0}};
	static const filter_stage stage = {"decode",    HP_STAGE_DECODE, NULL,         decode_check,
	                                   decode_load, decode_compute,  decode_write, &discourse_decode};
	decode_data data = {.h = {NULL, 0, 0}};
	filter f;
	int option, status;

	filter_init(&f, "hp-decode", &stage, &data);
	while ((option = cli_option(argc, argv, "b:ts" FILTER_SHORT_OPTIONS, options)) != -1)
		if ((status = decode_option(&f, option, optarg)) >= 0)
			return status;
	if (!f.output && isatty(STDOUT_FILENO))
		f.text = true;
	status = filter_run(&f, argc - optind, argv + optind);
	free(data.h.data);
	free(data.init.data);
	return status;
}
