/* test_join.c: networks taken out of one of several members, each written as a model, and joined again: the same parameters. */
#include <unistd.h>

#include "members.h"
#include "random.h"
#include "pointer/net.h"
#include "train/join.h"
#include "unit.h"

enum { MEMBERS = 3, FILES = MEMBERS + 1 };

static char folder[] = "/tmp/test_join.XXXXXX", path[FILES][64];
static const char ordinary[] = "<root>\n<unk>\na\nb\nc", labels[] = "X_NS\nY_SN\nZ_NN";
static hp_error err;

static const struct kind {
	const char *name;
	hp_net_config config; /* of one member */
} kinds[] = {
	{"dependencies",
     {.task = HP_TASK_DEP,
      .input = HP_INPUT_WORDS,
      .embedding = {5, 3, 5, 2, 2, 3, 5, 2, 0},
      .hidden = 3,
      .layers = 2,
      .decoder_hidden = 4,
      .decoder_input = 3,
      .arc_mlp = 3,
      .label_mlp = 2,
      .labels = 3,
      .fusion = HP_FUSION_PST,
      .gate = HP_GATE_SGATE,
      .heads = 1}},
	{"documents",
     {.task = HP_TASK_RST,
      .input = HP_INPUT_WORDS,
      .embedding = {5, 3, 5, 2, 2, 3, 5, 2, 0},
      .input_dim = 7,
      .hidden = 3,
      .layers = 1,
      .document_layers = 1,
      .split_mlp = 2,
      .reach = 1,
      .label_halves = 1,
      .label_mlp = 2,
      .labels = 3,
      .fusion = HP_FUSION_P}},
};

static hp_net *make(hp_net_config config, int members, bool own)
{
	hp_net *net;

	config.members = members > 1 ? members : 0;
	config.own_embeddings = own;
	assert_int_equal(hp_net_new(&config, false, &net, &err), 0);
	for (int i = 0; i < net->params.count; i++)
		fill(net->params.item[i].value, net->params.item[i].count, 1);
	return net;
}

static void add_vocab(hp_st_writer *w, const char *name, const char *text)
{
	const int64_t size = (int64_t)strlen(text);

	assert_int_equal(hp_st_writer_tensor(w, name, HP_U8, 1, &size, text, &err), 0);
}

/* NAMES and RELATIONS may stand in another order than those of other models. */
static void write_named(const hp_net *net, const char *words, const char *relations, const char *to)
{
	hp_st_writer *w = hp_st_writer_new();

	assert_int_equal(hp_config_write(&net->c, w, &err), 0);
	assert_int_equal(hp_st_writer_meta(w, "task", hp_task_name(net->c.task), &err), 0);
	assert_int_equal(hp_st_writer_meta(w, "model_id", to, &err), 0);
	assert_int_equal(hp_st_writer_meta(w, "pos", "upos", &err), 0);
	assert_int_equal(hp_params_store(&net->params, w, "", &err), 0);
	add_vocab(w, "vocab.word", words);
	add_vocab(w, "vocab.char", ordinary);
	add_vocab(w, "vocab.tag", ordinary);
	add_vocab(w, "vocab.label", relations);
	assert_int_equal(hp_st_writer_save(w, to, &err), 0);
	hp_st_writer_destroy(w);
}

static void write_model(const hp_net *net, const char *to)
{
	write_named(net, ordinary, labels, to);
}

static hp_safetensors *join_models(const hp_join *join)
{
	FILE *out = fopen(path[MEMBERS], "w");
	hp_safetensors *st;

	assert_non_null(out);
	assert_int_equal(hp_join_models(join, out, path[MEMBERS], &err), 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(hp_safetensors_open(path[MEMBERS], &st, &err), 0);
	return st;
}

/* The first COUNT files make a model whose network is that of OTHER, value for value. */
static void check_joined(int count, const hp_net *other)
{
	const char *const paths[] = {path[0], path[1], path[2]};
	const hp_join join = {.count = count, .paths = paths, .version = "1"};
	hp_net_config config;
	hp_safetensors *st;

	st = join_models(&join);
	assert_int_equal(hp_config_read(&config, other->c.task, st, &err), 0);
	assert_int_equal(config.members, other->c.members);
	assert_int_equal(config.own_embeddings, other->c.own_embeddings);
	assert_int_equal(hp_params_only(&other->params, st, "", &err), 0);
	for (int i = 0; i < other->params.count; i++) {
		const hp_param *p = &other->params.item[i];
		const hp_tensor *t = hp_safetensors_find(st, p->name);
		assert_non_null(t);
		assert_int_equal(t->dtype, HP_F32);
		assert_int_equal(t->bytes, p->count * sizeof(float));
		assert_memory_equal(t->data, p->value, t->bytes);
	}
	hp_safetensors_close(st);
}

static void take_apart(const struct kind *k, const hp_net *whole)
{
	for (int m = 0; m < MEMBERS; m++) {
		hp_net *single = make(k->config, 1, false);
		take_member(&single->params, &whole->params, m);
		write_model(single, path[m]);
		hp_net_destroy(single);
	}
}

/* A network of MEMBERS + MORE members with embeddings of their own: those of WHOLE, and LAST. */
static hp_net *put_together(const struct kind *k, const hp_net *whole, const hp_net *last)
{
	hp_net *all = make(k->config, MEMBERS + (last != NULL), true);
	char prefix[24];

	snprintf(prefix, sizeof prefix, "member.%d.", MEMBERS);
	for (int i = 0; i < all->params.count; i++) {
		hp_param *p = &all->params.item[i];
		bool is_last = strncmp(p->name, prefix, strlen(prefix)) == 0;
		const hp_params *params = is_last ? &last->params : &whole->params;
		const hp_param *from = hp_params_find(params, is_last ? hp_param_role(p) : p->name);
		if (!from) /* shared */
			from = hp_params_find(params, hp_param_role(p));
		assert_non_null(from);
		memcpy(p->value, from->value, p->count * sizeof *p->value);
	}
	return all;
}

static void check_kind(const struct kind *k)
{
	for (int own = 0; own < 2; own++) {
		hp_net *whole = make(k->config, MEMBERS, own), *more = make(k->config, 1, false);
		hp_net *all = put_together(k, whole, NULL), *with_more = put_together(k, whole, more);

		take_apart(k, whole);
		check_joined(MEMBERS, all);
		write_model(whole, path[0]);
		check_joined(1, whole); /* as it was */
		write_model(more, path[1]);
		check_joined(2, with_more);
		hp_net_destroy(whole);
		hp_net_destroy(more);
		hp_net_destroy(all);
		hp_net_destroy(with_more);
	}
}

CASES(kinds, check_kind)

/* Row K of parameter NAME of the joined model is row OF[K] of NET's PARAM. */
static void check_rows(const hp_safetensors *st, const char *name, int rows, const hp_net *net, const char *param,
                       const int *of)
{
	const hp_tensor *t = hp_safetensors_find(st, name);
	const hp_param *p = hp_params_find(&net->params, param);
	size_t width = p->count / (size_t)p->shape[0];

	assert_int_equal(t->shape[0], rows);
	for (size_t k = 0; k < (size_t)rows; k++)
		assert_memory_equal((const float *)t->data + k * width, p->value + (size_t)of[k] * width,
		                    width * sizeof(float));
}

static void check_text(const hp_safetensors *st, const char *name, const char *text)
{
	const hp_tensor *t = hp_safetensors_find(st, name);

	assert_int_equal(t->bytes, strlen(text));
	assert_memory_equal(t->data, text, t->bytes);
}

/* Each member knows all words; those that only the other one has are to it what they would be in a text: "A" is its "a", or it is
 * unknown.  Relations go by their names, too. */
TEST(names)
{
	enum { WORDS = 7, LABELS = 3 };
	static const int words[2][WORDS] = {{0, 1, 2, 3, 4, 2, 1}, {0, 1, 2, 1, 3, 4, 5}}, swapped[LABELS] = {2, 0, 1};
	const char *const paths[] = {path[0], path[1]};
	const hp_join join = {.count = 2, .paths = paths, .version = "1"};
	hp_net_config more = kinds[0].config;
	more.embedding.words++;
	hp_net *net[] = {make(kinds[0].config, 1, false), make(more, 1, false)};

	write_model(net[0], path[0]);
	write_named(net[1], "<root>\n<unk>\na\nc\nA\nd", "Y_SN\nZ_NN\nX_NS", path[1]);
	hp_safetensors *st = join_models(&join);
	check_text(st, "vocab.word", "<root>\n<unk>\na\nb\nc\nA\nd");
	check_text(st, "vocab.label", labels);
	assert_string_equal(hp_safetensors_meta(st, "words"), "7");
	assert_string_equal(hp_safetensors_meta(st, "chars"), "5");
	check_rows(st, "embed.word", WORDS, net[0], "embed.word", words[0]);
	check_rows(st, "member.1.embed.word", WORDS, net[1], "embed.word", words[1]);
	check_rows(st, "member.1.label.w", LABELS, net[1], "label.w", swapped);
	check_rows(st, "member.1.label.u", LABELS, net[1], "label.u", swapped);
	check_rows(st, "member.1.label.v", LABELS, net[1], "label.v", swapped);
	check_rows(st, "member.1.label.b", LABELS, net[1], "label.b", swapped);
	hp_safetensors_close(st);
	hp_net_destroy(net[0]);
	hp_net_destroy(net[1]);
}

HOOK(begin)
{
	hp_rng_seed(&rng, 1, 1);
	assert_non_null(mkdtemp(folder));
	for (int i = 0; i < FILES; i++)
		snprintf(path[i], sizeof path[i], "%s/%d", folder, i);
}

HOOK(end)
{
	shell("rm -r '%s'", folder);
}
