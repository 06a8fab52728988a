/* hp-encode: embeddings in, encoder states out. */
#include "filter.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "discourse.h"

static const char help[] = "Usage: hp-encode [OPTION]... [FILE]...\n"
						   "Run the encoder over the embeddings of hp-embed, from FILEs or standard input:\n"
						   "the second stage of hp-embed | hp-encode | hp-decode | hp-label.\n"
						   "\n" FILTER_INT8_HELP FILTER_HELP;

typedef struct encode_data {
	filter_floats x; /* [rows × D] */
	const float *h; /* [rows × 2H] */
	const float *init; /* [sentences × 2 × Q] */
} encode_data;

static int encode_check(filter *f, filter_item *item, hp_error *err)
{
	return filter_count(f, item, "x", "hp-embed", err);
}

static int encode_load(filter *f, filter_item *item, hp_error *err)
{
	encode_data *data = f->data;
	const int64_t shape[] = {item->n, hp_dep_input_dim(&f->model->config)};
	const hp_tensor *x;

	if (item->n == 0)
		return 0;
	if (filter_need(f, item, "x", HP_F32, 2, shape, "hp-embed", &x, err) != 0)
		return HP_FAIL;
	return filter_append(f, item, x, &data->x, err);
}

static int encode_compute(filter *f, hp_error *err)
{
	encode_data *data = f->data;
	const filter_batch *b = &f->batch;
	const hp_dep_config *c = &f->model->config;
	float *h = HP_NEW(f->arena, float, b->rows * 2 * (size_t)c->hidden);
	float *init = HP_NEW(f->arena, float, (size_t)b->count * 2 * (size_t)c->decoder_hidden);

	data->h = h;
	data->init = init;
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	data->x.used = 0;
	return hp_dep_encode(f->model->net, f->pool, f->arena, b->count, b->n, data->x.data, h, init, err);
}

static int encode_write(filter *f, filter_item *item, int index, size_t row, hp_error *err)
{
	const encode_data *data = f->data;
	const hp_dep_config *c = &f->model->config;
	const int64_t h_shape[] = {item->n, 2 * c->hidden}, init_shape[] = {2, c->decoder_hidden};
	const float *h = data->h + row * 2 * (size_t)c->hidden;
	const float *init = data->init + (size_t)index * 2 * (size_t)c->decoder_hidden;

	if (filter_result(f, item, "h", 2, h_shape, h, err) != 0 ||
	    filter_result(f, item, "init", 2, init_shape, init, err) != 0)
		return HP_FAIL;
	return hp_stream_write_record(f->out, item->record, f->stage->drop, err);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {FILTER_INT8_OPTION, FILTER_LONG_OPTIONS, {NULL, 0, NULL, 0}};
	static const char *const drop[] = {"x", NULL};
	static const filter_stage stage = {"encode",    HP_STAGE_ENCODE, drop,         encode_check,
	                                   encode_load, encode_compute,  encode_write, &discourse_encode};
	encode_data data = {.x = {NULL, 0, 0}};
	filter f;
	int option, status;

	filter_init(&f, "hp-encode", &stage, &data);
	while ((option = cli_option(argc, argv, FILTER_SHORT_OPTIONS, options)) != -1)
		if ((status = filter_option(&f, option, optarg, help)) >= 0)
			return status;
	status = filter_run(&f, argc - optind, argv + optind);
	free(data.x.data);
	return status;
}
