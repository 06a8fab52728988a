/* model.c: a full-size model of random numbers, so that the programs themselves can be measured. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_vocab(hp_st_writer *w, const char *name, const hp_vocab *v, char **text)
{
	size_t size;
	hp_error err;

	*text = bench_need(hp_vocab_text(v, &size));
	int64_t shape = (int64_t)size;
	bench_check(hp_st_writer_tensor(w, name, HP_U8, 1, &shape, *text, &err), &err);
}

int bench_model(const bench_options *o)
{
	static const char *const meta[][2] = {{"model_id", "bench"}, {"task", "dep"}, {"pos", "upos"}, {"lower", "0"}};
	bench_text t;
	hp_net *net;
	hp_error err;
	char *text[4];
	hp_st_writer *w = bench_need(hp_st_writer_new());

	if (!o->output)
		bench_die("model: expected --output=FILE");
	bench_text_read(o->argv[0], &t);
	hp_net_config c = bench_full_size(&t, o);
	bench_check(hp_net_new(&c, false, &net, &err), &err);
	hp_net_init(net, 1);
	for (size_t i = 0; i < sizeof(meta) / sizeof(*meta); i++)
		bench_check(hp_st_writer_meta(w, meta[i][0], meta[i][1], &err), &err);
	bench_check(hp_config_write(&c, w, &err), &err);
	bench_check(hp_params_store(&net->params, w, "", &err), &err);
	add_vocab(w, "vocab.word", t.word, &text[0]);
	add_vocab(w, "vocab.char", t.chr, &text[1]);
	add_vocab(w, "vocab.tag", t.tag, &text[2]);
	add_vocab(w, "vocab.label", t.label, &text[3]);
	bench_check(hp_st_writer_save(w, o->output, &err), &err);
	hp_st_writer_destroy(w);
	for (int i = 0; i < 4; i++)
		free(text[i]);
	hp_net_destroy(net);
	bench_text_free(&t);
	return 0;
}
