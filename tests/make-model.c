/* make-model: writes a tiny dependency model with random parameters, the same for the same arguments, for tests that
 * must not depend on the model that is installed.
 *
 *	make-model [-s SEED] [-m KEY=VALUE]... [-d NAME]... [-t NAME=TEXT]... [-w NAME=FACTOR]... [-H] OUT
 *
 * -m sets metadata after the network is made (so that sizes can be made to lie), -d leaves out a metadata key or a
 * tensor, -t replaces a vocabulary by TEXT (whose "," become newlines), -w
 * multiplies a parameter by FACTOR, -H stores F16, -p makes a model
 * without tags, -a one whose words are asked for their heads, -r a discourse model (input words), -D one for documents, -e a segmenter that looks at trees, -L N one that reads streams of N layers of 6 numbers, -E N an ELMo
 * model of N layers (and that of the characters) of 6 numbers, whose tensors -t makes a row shorter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/rng.h"
#include "pointer/net.h"
#include "tag/net.h"
#include "text/clues.h"

enum { MAX_EDITS = 16 };

static const char words[] = "<root>\n<unk>\nthe\nThe\ndog\nbarks\n.\nShe\nreads\na\nbook\ncaf\xc3\xa9";
static const char chars[] = "<root>\n<unk>\na\nb\nc\nd\ne\nf\ng\nh\ni\nk\nl\nm\nn\no\nr\ns\nt\nu\nT\nS\n.\n\xc3\xa9";
static const char tags[] = "<root>\n<unk>\nDET\nNOUN\nVERB\nPRON\nPUNCT";
static const char clues[] = "<root>\n<unk>\nuDET\nuVERB\nxXVERB\nrroot\nrdep\nhVERB>1\nhVERB<1\nbd1 VERB<\nedep VERB<";
static const char relations[] = "Elaboration_NS\nContrast_NN\nAttribution_SN\nJoint_NN";
static const char labels[] = "nsubj\nroot\ndet\npunct\nobj";

typedef struct edits {
	const char *meta[MAX_EDITS], *drop[MAX_EDITS], *text[MAX_EDITS], *weight[MAX_EDITS];
	int metas, drops, texts, weights;
	bool half, no_tags, heads, rst, documents, segment;
	int layers; /* of streams */
	int elmo; /* layers of an ELMo model */
	long seed;
} edits;

static hp_error err;

static void check(int result)
{
	if (result == 0)
		return;
	fprintf(stderr, "make-model: %s\n", err.text);
	exit(1);
}

static int lines(const char *text)
{
	int n = 1;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

/* VALUE of NAME=VALUE in LIST, or NULL. */
static const char *edit(const char *const *list, int count, const char *name)
{
	size_t size = strlen(name);

	for (int i = 0; i < count; i++)
		if (strncmp(list[i], name, size) == 0 && list[i][size] == '=')
			return list[i] + size + 1;
	return NULL;
}

static bool dropped(const edits *e, const char *name)
{
	for (int i = 0; i < e->drops; i++)
		if (strcmp(e->drop[i], name) == 0)
			return true;
	return false;
}

static void add_meta(hp_st_writer *w, const edits *e, const char *key, const char *value)
{
	const char *other = edit(e->meta, e->metas, key);

	if (!dropped(e, key))
		check(hp_st_writer_meta(w, key, other != NULL ? other : value, &err));
}

static void add_number(hp_st_writer *w, const edits *e, const char *key, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", value);
	add_meta(w, e, key, text);
}

/* NAME and the seed are the id. */
static void add_task(hp_st_writer *w, const edits *e, const char *name, const char *task)
{
	char id[32];

	snprintf(id, sizeof(id), "%s-%ld", name, e->seed);
	add_meta(w, e, "model_id", id);
	add_meta(w, e, "task", task);
	add_meta(w, e, "beam", "1"); /* what is absent means; so -m can say another */
}

static hp_embedding_sizes embedding_sizes(const edits *e)
{
	return (hp_embedding_sizes){lines(words), 6, lines(chars), 5, 4, 3, lines(tags), e->no_tags ? 0 : 3, 0};
}

static void add_embedding(hp_st_writer *w, const edits *e)
{
	hp_embedding_sizes c = embedding_sizes(e);

	add_meta(w, e, "pos", c.pos_dim > 0 ? "upos" : "none");
	add_meta(w, e, "lower", "0");
	add_number(w, e, "words", c.words);
	add_number(w, e, "word_dim", c.word_dim);
	add_number(w, e, "chars", c.chars);
	add_number(w, e, "char_dim", c.char_dim);
	add_number(w, e, "char_filters", c.char_filters);
	add_number(w, e, "char_window", c.char_window);
	add_number(w, e, "tags", c.tags);
	add_number(w, e, "pos_dim", c.pos_dim);
}

/* Copies: the network may go before the file is written. */
static void add_params(hp_st_writer *w, const edits *e, const hp_params *p, hp_arena *arena)
{
	for (int i = 0; i < p->count; i++) {
		const hp_param *item = &p->item[i];
		int64_t shape[3] = {item->shape[0], item->shape[1], item->shape[2]};
		uint16_t *half = HP_NEW(arena, uint16_t, item->count);
		float *copy = HP_NEW(arena, float, item->count);

		if (dropped(e, item->name) || !half || !copy)
			continue;
		const char *factor = edit(e->weight, e->weights, item->name);
		for (size_t k = 0; k < item->count; k++) {
			copy[k] = factor != NULL ? item->value[k] * strtof(factor, NULL) : item->value[k];
			half[k] = hp_float_to_half(copy[k]);
		}
		if (e->half)
			check(hp_st_writer_tensor(w, item->name, HP_F16, item->rank, shape, half, &err));
		else
			check(hp_st_writer_tensor(w, item->name, HP_F32, item->rank, shape, copy, &err));
	}
}

static void add_text(hp_st_writer *w, const edits *e, const char *name, const char *text, hp_arena *arena)
{
	const char *other = edit(e->text, e->texts, name);
	size_t size = strlen(other ? other : text);
	int64_t shape = (int64_t)size;
	char *copy = HP_NEW(arena, char, size + 1);

	if (dropped(e, name) || !copy)
		return;
	memcpy(copy, other != NULL ? other : text, size);
	for (size_t i = 0; other != NULL && i < size; i++)
		if (copy[i] == ',')
			copy[i] = '\n';
	check(hp_st_writer_tensor(w, name, HP_U8, 1, &shape, copy, &err));
}

static void add_vocabs(hp_st_writer *w, const edits *e, hp_arena *arena)
{
	add_text(w, e, "vocab.word", words, arena);
	add_text(w, e, "vocab.char", chars, arena);
	if (!e->no_tags)
		add_text(w, e, "vocab.tag", tags, arena);
}

static void add_dep(hp_st_writer *w, const edits *e, hp_arena *arena)
{
	hp_net_config c = {.task = HP_TASK_DEP,
	                   .input = HP_INPUT_WORDS,
	                   .embedding = embedding_sizes(e),
	                   .hidden = 8,
	                   .layers = 2,
	                   .decoder_hidden = 10,
	                   .decoder_input = 7,
	                   .arc_mlp = 9,
	                   .label_mlp = 5,
	                   .labels = lines(labels),
	                   .fusion = HP_FUSION_PST,
	                   .gate = HP_GATE_SGATE,
	                   .heads = e->heads};
	hp_net *net;

	add_task(w, e, "tiny", "dep");
	add_embedding(w, e);
	add_number(w, e, "hidden", c.hidden);
	add_number(w, e, "layers", c.layers);
	add_number(w, e, "decoder_hidden", c.decoder_hidden);
	add_number(w, e, "decoder_input", c.decoder_input);
	add_number(w, e, "arc_mlp", c.arc_mlp);
	add_number(w, e, "label_mlp", c.label_mlp);
	add_number(w, e, "labels", c.labels);
	if (c.heads)
		add_number(w, e, "heads", c.heads);
	add_meta(w, e, "fusion", hp_fusion_name(c.fusion));
	add_meta(w, e, "gate", hp_gate_name(c.gate));
	check(hp_net_new(&c, false, &net, &err));
	hp_net_init(net, (uint64_t)e->seed);
	add_params(w, e, &net->params, arena);
	hp_net_destroy(net);
	add_vocabs(w, e, arena);
	add_text(w, e, "vocab.label", labels, arena);
}

static void add_rst(hp_st_writer *w, const edits *e, hp_arena *arena)
{
	hp_net_config c = {.task = HP_TASK_RST,
	                   .input_dim = 6,
	                   .hidden = 8,
	                   .layers = 2,
	                   .document_layers = e->documents,
	                   .label_mlp = 5,
	                   .labels = lines(relations),
	                   .fusion = HP_FUSION_PST,
	                   .input = HP_INPUT_STREAM,
	                   .stream_layers = e->layers};
	hp_net *net;

	if (e->layers == 0) {
		c.input = HP_INPUT_WORDS;
		c.embedding = embedding_sizes(e);
		c.input_dim = hp_embedding_dim(&c.embedding);
	}
	add_task(w, e, "disc", "rst");
	add_meta(w, e, "input", e->layers == 0 ? "words" : "stream");
	if (e->layers == 0)
		add_embedding(w, e);
	else
		add_number(w, e, "stream_layers", c.stream_layers);
	add_number(w, e, "input_dim", c.input_dim);
	add_number(w, e, "hidden", c.hidden);
	add_number(w, e, "layers", c.layers);
	if (e->documents)
		add_number(w, e, "document_layers", c.document_layers);
	add_number(w, e, "label_mlp", c.label_mlp);
	add_number(w, e, "labels", c.labels);
	add_meta(w, e, "fusion", hp_fusion_name(c.fusion));
	add_meta(w, e, "gate", "none");
	check(hp_net_new(&c, false, &net, &err));
	hp_net_init(net, (uint64_t)e->seed);
	add_params(w, e, &net->params, arena);
	hp_net_destroy(net);
	if (e->layers == 0)
		add_vocabs(w, e, arena);
	add_text(w, e, "vocab.label", relations, arena);
}

typedef struct putting {
	hp_st_writer *w;
	const edits *e;
} putting;

static int put_meta(void *arg, const char *key, const char *value, hp_error *unused)
{
	const putting *p = arg;

	(void)unused;
	add_meta(p->w, p->e, key, value);
	return 0;
}

static void add_segmenter(hp_st_writer *w, const edits *e, hp_arena *arena)
{
	hp_tag_config c = {
		.task = HP_TASK_SEGMENT, .embedding = embedding_sizes(e), .hidden = 8, .layers = 2, .values = {2}};
	hp_tag_net *net;

	c.embedding.tags = lines(clues);
	c.embedding.pos_dim = 3;
	c.embedding.tags_each = HP_CLUES;
	add_task(w, e, "units", "segment");
	add_meta(w, e, "lower", "0");
	check(hp_tag_config_write(&c, put_meta, &(putting){w, e}, &err));
	check(hp_tag_net_new(&c, &net, &err));
	hp_tag_net_init(net, (uint64_t)e->seed);
	add_params(w, e, &net->params, arena);
	hp_tag_net_destroy(net);
	add_text(w, e, "vocab.word", words, arena);
	add_text(w, e, "vocab.char", chars, arena);
	add_text(w, e, "vocab.tag", clues, arena);
}

/* A random tensor [A × B × C]; B, C 0: of fewer dimensions. */
static void add_random(hp_st_writer *w, const edits *e, hp_rng *rng, hp_arena *arena, const char *name, int a, int b,
                       int c)
{
	int64_t shape[] = {edit(e->text, e->texts, name) != NULL ? a - 1 : a, b, c};
	size_t count = (size_t)a * (size_t)(b > 0 ? b : 1) * (size_t)(c > 0 ? c : 1);
	float *value = HP_NEW(arena, float, count);

	if (dropped(e, name) || !value)
		return;
	for (size_t i = 0; i < count; i++)
		value[i] = 0.5f * (float)hp_rng_normal(rng);
	check(hp_st_writer_tensor(w, name, HP_F32, 1 + (b > 0) + (c > 0), shape, value, &err));
}

static void add_elmo_layer(hp_st_writer *w, const edits *e, hp_rng *rng, hp_arena *arena, int layer,
                           const char *direction)
{
	enum { P = 3, H = 5 };
	static const struct {
		const char *name;
		int rows, columns;
	} part[] = {{"input", 4 * H, P}, {"state", 4 * H, P}, {"bias", 4 * H, 0}, {"projection", P, H}};
	char name[64];

	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		snprintf(name, sizeof(name), "lstm.%d.%s.%s", layer, direction, part[i].name);
		add_random(w, e, rng, arena, name, part[i].rows, part[i].columns, 0);
	}
}

static void add_elmo(hp_st_writer *w, const edits *e, hp_arena *arena)
{
	static const float clip[] = {3, 0.5f};
	static const struct {
		const char *name;
		int a, b, c;
	} tensor[] = {{"char.embed", 261, 4, 0},
	              {"cnn.0.weight", 4, 1, 4},
	              {"cnn.0.bias", 4, 0, 0},
	              {"cnn.1.weight", 5, 2, 4},
	              {"cnn.1.bias", 5, 0, 0},
	              {"highway.0.transform.weight", 9, 9, 0},
	              {"highway.0.transform.bias", 9, 0, 0},
	              {"highway.0.carry.weight", 9, 9, 0},
	              {"highway.0.carry.bias", 9, 0, 0},
	              {"projection.weight", 3, 9, 0},
	              {"projection.bias", 3, 0, 0}};
	char id[32];
	hp_rng rng;

	hp_rng_seed(&rng, (uint64_t)e->seed, 0);
	snprintf(id, sizeof(id), "elmo-%ld", e->seed);
	add_meta(w, e, "hp_elmo", "1");
	add_meta(w, e, "elmo_id", id);
	add_meta(w, e, "max_characters", "12");
	add_meta(w, e, "activation", "relu");
	add_meta(w, e, "skip", "1");
	for (size_t i = 0; i < sizeof(tensor) / sizeof(tensor[0]); i++)
		add_random(w, e, &rng, arena, tensor[i].name, tensor[i].a, tensor[i].b, tensor[i].c);
	for (int i = 0; i < e->elmo; i++) {
		add_elmo_layer(w, e, &rng, arena, i, "forward");
		add_elmo_layer(w, e, &rng, arena, i, "backward");
	}
	check(hp_st_writer_tensor(w, "lstm.clip", HP_F32, 1, (int64_t[]){2}, clip, &err));
}

static void add_edit(const char **list, int *count, const char *text)
{
	if (*count < MAX_EDITS)
		list[(*count)++] = text;
}

int main(int argc, char **argv)
{
	hp_st_writer *w = hp_st_writer_new();
	hp_arena *arena = hp_arena_new();
	edits e = {.seed = 1};
	int option;

	while ((option = getopt(argc, argv, "s:m:d:t:w:HparDeL:E:")) != -1) {
		switch (option) {
		case 's':
			e.seed = atol(optarg);
			break;
		case 'm':
			add_edit(e.meta, &e.metas, optarg);
			break;
		case 'd':
			add_edit(e.drop, &e.drops, optarg);
			break;
		case 't':
			add_edit(e.text, &e.texts, optarg);
			break;
		case 'w':
			add_edit(e.weight, &e.weights, optarg);
			break;
		case 'H':
			e.half = true;
			break;
		case 'p':
			e.no_tags = true;
			break;
		case 'a':
			e.heads = true;
			break;
		case 'r':
			e.rst = true;
			break;
		case 'D':
			e.rst = e.documents = true;
			break;
		case 'e':
			e.segment = true;
			break;
		case 'L':
			e.rst = true;
			e.layers = atoi(optarg);
			break;
		case 'E':
			e.elmo = atoi(optarg);
			break;
		default:
			return 2;
		}
	}
	if (optind != argc - 1)
		return 2;
	if (!w || !arena)
		return 1;
	(e.elmo > 0 ? add_elmo : e.rst ? add_rst : e.segment ? add_segmenter : add_dep)(w, &e, arena);
	check(hp_st_writer_save(w, argv[optind], &err));
	hp_st_writer_destroy(w);
	hp_arena_destroy(arena);
	return 0;
}
