/* join.c: the tensors of several models as those of one. */
#include "train/join.h"

#include <stdlib.h>
#include <string.h>

#include "io/checksum.h"
#include "model/model.h"
#include "nn/vmath.h"
#include "tag/model.h"
#include "tokenize/model.h"
#include "train/join_names.h"
#include "train/store.h"

typedef struct joining {
	const hp_join *j;
	bool mean; /* of one model, too */
	hp_safetensors **st; /* [j->count] */
	int *members; /* [j->count] */
	int all_members;
	hp_joint_names names; /* unless it is a mean */
	bool half, bytes; /* of the result */
	hp_storing *out;
	hp_arena *arena; /* of numbers, until they are stored */
} joining;

static const char *name_of(const joining *g, int i)
{
	return hp_safetensors_name(g->st[i]);
}

/* HP_TASKS: of one that is not known. */
static hp_task task_of(const hp_safetensors *st)
{
	int task = 0;

	while (task < HP_TASKS && strcmp(hp_safetensors_meta(st, "task"), hp_task_name((hp_task)task)) != 0)
		task++;
	return (hp_task)task;
}

/* ---- metadata ---- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_one_of(const char *key, const char *const *keys)
{
	while (*keys && strcmp(key, *keys) != 0)
		keys++;
	return *keys != NULL;
}

/* What is said of a file, or found with it, and not true of the result. */
static bool is_dropped(const joining *g, const char *key)
{
	static const char *const written[] = {"hptools",          "model_id",          HP_CHECKSUM_KEY,
	                                      "train.store_half", "train.store_bytes", NULL};
	static const char *const counted[] = {"members", "own_embeddings", "train.members", "train.own_embeddings", NULL};

	return is_one_of(key, written) || begins(key, "dev.") || (!g->mean && is_one_of(key, counted)) ||
	       (!g->mean && hp_joint_names_size(g->st[0], key));
}

/* What is kept if all say the same, and need not be. */
static bool is_note(const char *key)
{
	static const char *const notes[] = {"beam", "joined", "averaged", NULL};

	return is_one_of(key, notes) || begins(key, "train.");
}

/* Whether all models say VALUE of KEY. */
static bool all_say(const joining *g, const char *key, const char *value)
{
	for (int i = 0; i < g->j->count; i++) {
		const char *its = hp_safetensors_meta(g->st[i], key);
		if (!its || strcmp(its, value) != 0)
			return false;
	}
	return true;
}

/* Whether KEY, of model OTHER, has there the value that the first one has. */
static int check_key(const joining *g, int other, const char *key, hp_error *err)
{
	const char *ours = hp_safetensors_meta(g->st[0], key), *its = hp_safetensors_meta(g->st[other], key);

	if (is_dropped(g, key) || is_note(key) || (ours && its && strcmp(ours, its) == 0))
		return 0;
	return hp_fail(err, "%s: a model whose %s is %s: expected %s, as in %s", name_of(g, other), key,
	               its ? its : "absent", ours ? ours : "none", name_of(g, 0));
}

static int check_keys(const joining *g, int other, hp_error *err)
{
	const int both[] = {0, other};
	const char *key, *value;

	if (check_key(g, other, "task", err) != 0)
		return HP_FAIL;
	for (int k = 0; k < 2; k++) {
		const hp_safetensors *st = g->st[both[k]];
		for (int i = 0; i < hp_safetensors_meta_count(st); i++) {
			hp_safetensors_meta_at(st, i, &key, &value);
			if (check_key(g, other, key, err) != 0)
				return HP_FAIL;
		}
	}
	return 0;
}

/* The ids of the models, as the result notes them. */
static int add_ids(const joining *g, hp_error *err)
{
	size_t size = 1;
	int status;

	if (g->j->count == 1)
		return 0;
	for (int i = 0; i < g->j->count; i++)
		size += strlen(hp_safetensors_meta(g->st[i], "model_id")) + 1;
	char *text = calloc(size, 1);
	if (!text)
		return hp_fail_memory(err);
	for (int i = 0; i < g->j->count; i++) {
		strcat(text, i ? " " : "");
		strcat(text, hp_safetensors_meta(g->st[i], "model_id"));
	}
	status = hp_storing_meta(g->out, g->mean ? "averaged" : "joined", text, err);
	free(text);
	return status;
}

static int add_number(const joining *g, const char *key, int number, hp_error *err)
{
	char text[16];

	snprintf(text, sizeof text, "%d", number);
	return hp_storing_meta(g->out, key, text, err);
}

static int add_metadata(const joining *g, hp_error *err)
{
	const char *key, *value;

	for (int i = 0; i < hp_safetensors_meta_count(g->st[0]); i++) {
		hp_safetensors_meta_at(g->st[0], i, &key, &value);
		bool replaced = g->j->count > 1 && strcmp(key, g->mean ? "averaged" : "joined") == 0;
		if (!replaced && !is_dropped(g, key) && all_say(g, key, value) && hp_storing_meta(g->out, key, value, err) != 0)
			return HP_FAIL;
	}
	for (int v = 0; v < HP_NAMES; v++) {
		const hp_vocab *all = g->names.of[v].all;
		key = hp_joint_names_key((hp_by_name)v);
		if (all && key && add_number(g, key, hp_vocab_count(all), err) != 0)
			return HP_FAIL;
	}
	if (!g->mean &&
	    (add_number(g, "members", g->all_members, err) != 0 || add_number(g, "own_embeddings", 1, err) != 0))
		return HP_FAIL;
	return hp_storing_meta(g->out, "hptools", g->j->version, err) != 0 ? HP_FAIL : add_ids(g, err);
}

static void set_sizes(const joining *g, hp_embedding_sizes *e)
{
	e->words = hp_vocab_count(g->names.of[HP_BY_WORD].all);
	e->chars = hp_vocab_count(g->names.of[HP_BY_CHAR].all);
	if (g->names.of[HP_BY_TAG].all)
		e->tags = hp_vocab_count(g->names.of[HP_BY_TAG].all);
}

static int check_tagger(const joining *g, hp_task task, const char *name, hp_error *err)
{
	hp_tag_config c;

	if (hp_tag_config_read(&c, task, g->st[0], err) != 0)
		return HP_FAIL;
	c.members = g->all_members;
	c.own_embeddings = 1;
	set_sizes(g, &c.embedding);
	return hp_tag_config_check(&c, name, err);
}

static int check_parser(const joining *g, hp_task task, const char *name, hp_error *err)
{
	hp_net_config c;

	if (hp_config_read(&c, task, g->st[0], err) != 0)
		return HP_FAIL;
	c.members = g->all_members;
	c.own_embeddings = 1;
	set_sizes(g, &c.embedding);
	return hp_config_check(&c, name, err);
}

/* Whether the sizes that come out are still those of a network. */
static int check_result(const joining *g, const char *name, hp_error *err)
{
	hp_task task = task_of(g->st[0]);

	return (hp_task_tags(task) ? check_tagger : check_parser)(g, task, name, err);
}

/* ---- tensors ---- */

static bool is_float(const hp_tensor *t)
{
	return t->dtype == HP_F32 || t->dtype == HP_F16 || t->dtype == HP_F8_E4M3 || t->dtype == HP_BF16 ||
	       t->dtype == HP_F64;
}

/* Of a tensor of model I that is not of floats, as vocabularies are: whether model OTHER has the same. */
static int check_same(const joining *g, int i, int other, const hp_tensor *t, hp_error *err)
{
	const hp_tensor *its = hp_safetensors_find(g->st[other], t->name);

	if (its && its->dtype == t->dtype && its->bytes == t->bytes && memcmp(its->data, t->data, t->bytes) == 0)
		return 0;
	return hp_fail(err, "%s: tensor `%s` is not that of %s: expected models that were trained on the same data",
	               name_of(g, other), t->name, name_of(g, i));
}

/* What a number of a tensor may be at most where it will be. */
static float most(const joining *g, int rank)
{
	return g->bytes && rank > 1 ? HP_LARGEST_E4M3 : g->half ? HP_LARGEST_HALF : HP_LARGEST;
}

/* The numbers of tensor NAME of model I, which has this SHAPE; NULL: ERR says why. */
static float *numbers_of(const joining *g, int i, const char *name, int rank, const int64_t *shape, hp_error *err)
{
	const hp_tensor *t;

	if (hp_safetensors_need(g->st[i], name, rank, shape, &t, err) != 0)
		return NULL;
	float *numbers = HP_NEW(g->arena, float, (size_t)t->count + 1);
	if (!numbers)
		(void)hp_fail_memory(err);
	else if (hp_tensor_to_float(t, 0, t->count, numbers) != 0)
		(void)hp_fail(err, "%s: tensor `%s` has type %s: expected floats", name_of(g, i), name,
		              hp_dtype_name(t->dtype));
	else if (!hp_vec_within((size_t)t->count, numbers, most(g, rank)))
		(void)hp_fail(err, "%s: tensor `%s` holds a value that is not finite or beyond %g", name_of(g, i), name,
		              (double)most(g, rank));
	else
		return numbers;
	return NULL;
}

/* Stores NUMBERS, which are in g->arena, and empties that: only floats that stay such are borrowed until the end. */
static int store(const joining *g, const char *name, int rank, const int64_t *shape, const float *numbers, size_t count,
                 hp_error *err)
{
	int status = hp_storing_floats(g->out, name, rank, shape, numbers, count, err);

	if (g->half)
		hp_arena_reset(g->arena);
	return status;
}

static int add_mean(const joining *g, const hp_tensor *t, hp_error *err)
{
	float *mean = numbers_of(g, 0, t->name, t->rank, t->shape, err);

	if (!mean)
		return HP_FAIL;
	for (int i = 1; i < g->j->count; i++) {
		hp_arena_mark mark = hp_arena_save(g->arena);
		const float *more = numbers_of(g, i, t->name, t->rank, t->shape, err);
		if (!more)
			return HP_FAIL;
		for (int64_t k = 0; k < t->count; k++)
			mean[k] += more[k];
		hp_arena_restore(g->arena, mark);
	}
	for (int64_t k = 0; k < t->count; k++)
		mean[k] /= (float)g->j->count;
	return store(g, t->name, t->rank, t->shape, mean, (size_t)t->count, err);
}

/* Parameter T of member OWN of model I, which is that of its first member if they share it, for the result's member ALL. */
static int add_member(const joining *g, int i, int own, int all, const hp_tensor *t, hp_error *err)
{
	char its[128], name[128];
	int64_t shape[HP_MAX_RANK];
	size_t count = (size_t)t->count;
	hp_by_name by = hp_joint_names_find(&g->names, t->name);

	hp_member_name(its, sizeof its, own, t->name);
	hp_member_name(name, sizeof name, all, t->name);
	memcpy(shape, t->shape, sizeof shape);
	if (by != HP_BY_NO_NAME)
		shape[0] = hp_vocab_count(g->names.of[by].own[i]);
	const float *numbers = numbers_of(g, i, hp_safetensors_find(g->st[i], its) ? its : t->name, t->rank, shape, err);
	if (numbers && by != HP_BY_NO_NAME) {
		size_t width = count / (size_t)t->shape[0];
		numbers = hp_joint_rows(&g->names, i, by, numbers, width, g->arena);
		if (!numbers)
			return hp_fail_memory(err);
		shape[0] = hp_vocab_count(g->names.of[by].all);
		count = (size_t)shape[0] * width;
	}
	return numbers ? store(g, name, t->rank, shape, numbers, count, err) : HP_FAIL;
}

static int add_members(const joining *g, hp_error *err)
{
	int all = 0;

	for (int i = 0; i < g->j->count; i++)
		for (int own = 0; own < g->members[i]; own++, all++)
			for (int k = 0; k < hp_safetensors_count(g->st[0]); k++) {
				const hp_tensor *t = hp_safetensors_at(g->st[0], k);
				if (is_float(t) && !begins(t->name, HP_MEMBER) && add_member(g, i, own, all, t, err) != 0)
					return HP_FAIL;
			}
	return 0;
}

/* What all members have in common, or the means. */
static int add_shared(const joining *g, const hp_tensor *t, hp_error *err)
{
	hp_by_name by = hp_joint_names_find(&g->names, t->name);

	if (is_float(t))
		return g->mean ? add_mean(g, t, err) : 0;
	return by != HP_BY_NO_NAME ? hp_storing_vocab(g->out, t->name, g->names.of[by].all, err)
	                           : hp_storing_tensor(g->out, t, err);
}

static int add_tensors(const joining *g, hp_error *err)
{
	if (!g->mean && add_members(g, err) != 0)
		return HP_FAIL;
	for (int k = 0; k < hp_safetensors_count(g->st[0]); k++)
		if (add_shared(g, hp_safetensors_at(g->st[0], k), err) != 0)
			return HP_FAIL;
	return 0;
}

/* Whether model OTHER has those tensors of model I that are neither floats nor joined by name. */
static int check_tensors(const joining *g, int i, int other, hp_error *err)
{
	for (int k = 0; k < hp_safetensors_count(g->st[i]); k++) {
		const hp_tensor *t = hp_safetensors_at(g->st[i], k);
		if (!is_float(t) && hp_joint_names_find(&g->names, t->name) == HP_BY_NO_NAME &&
		    check_same(g, i, other, t, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* Sets how floats are stored: unless it was asked for, as they are where they are most precise. */
static void choose_types(joining *g)
{
	bool asked = g->j->half || g->j->bytes;

	g->bytes = asked ? g->j->bytes : true;
	g->half = true;
	for (int i = 0; i < g->j->count && !asked; i++)
		for (int k = 0; k < hp_safetensors_count(g->st[i]); k++) {
			const hp_tensor *t = hp_safetensors_at(g->st[i], k);
			g->half &= !is_float(t) || t->dtype == HP_F16 || t->dtype == HP_F8_E4M3;
			g->bytes &= !is_float(t) || t->rank < 2 || t->dtype == HP_F8_E4M3;
		}
	g->bytes &= g->half;
}

/* ---- models ---- */

/* Opens the model at PATH, of which ST says what it is for, as those do that use it, and closes it. */
static int try_out(const char *path, const hp_safetensors *st, hp_error *err)
{
	enum { ALL = HP_STAGE_EMBED | HP_STAGE_ENCODE | HP_STAGE_DECODE | HP_STAGE_LABEL };
	hp_model *parser;
	hp_tag_model *tagger;
	hp_tok_model *tokenizer;
	hp_task task = task_of(st);
	int status;

	switch (task) {
	case HP_TASK_TOKENIZE:
		if ((status = hp_tok_model_open(path, &tokenizer, err)) == 0)
			hp_tok_model_close(tokenizer);
		return status;
	case HP_TASK_TAG:
	case HP_TASK_SEGMENT:
		if ((status = hp_tag_model_open(path, task, &tagger, err)) == 0)
			hp_tag_model_close(tagger);
		return status;
	default:
		if ((status = hp_model_open(path, hp_safetensors_meta(st, "task"), ALL, &parser, err)) == 0)
			hp_model_close(parser);
		return status;
	}
}

/* Whether such models can decide together: their members read words by embeddings of their own. */
static bool can_join(const hp_safetensors *st)
{
	const char *input = hp_safetensors_meta(st, "input");
	hp_task task = task_of(st);

	return task == HP_TASK_RST ? input && strcmp(input, "words") == 0 : task != HP_TASK_TOKENIZE;
}

static int open_model(joining *g, int i, hp_error *err)
{
	if (hp_safetensors_open(g->j->paths[i], &g->st[i], err) != 0 || hp_safetensors_verify(g->st[i], NULL, err) != 0)
		return HP_FAIL;
	const hp_safetensors *st = g->st[i];
	const char *task = hp_safetensors_meta(st, "task"), *members = hp_safetensors_meta(st, "members");
	if (!task || !hp_safetensors_meta(st, "model_id"))
		return hp_fail(err, "%s: no '%s' in the metadata: not a model of hp-train", name_of(g, i),
		               task ? "model_id" : "task");
	char *path = hp_model_file(g->j->paths[i]);
	if (!path)
		return hp_fail_memory(err);
	int status = try_out(path, st, err);
	free(path);
	if (status != 0)
		return HP_FAIL;
	if (!g->mean && !can_join(st))
		return hp_fail(err, "%s: a model for the task '%s'%s: expected models that embed words (or --mean)",
		               name_of(g, i), task, task_of(st) == HP_TASK_RST ? " of streams" : "");
	g->members[i] = members ? (int)strtol(members, NULL, 10) : 1;
	g->all_members += g->members[i];
	if (!g->mean && g->all_members > HP_MOST_MEMBERS)
		return hp_fail(err, "%s: member %d of all: expected at most %d", name_of(g, i), g->all_members,
		               HP_MOST_MEMBERS);
	return 0;
}

static int check_models(joining *g, const char *name, hp_error *err)
{
	for (int i = 0; i < g->j->count; i++)
		if (open_model(g, i, err) != 0 || check_keys(g, i, err) != 0)
			return HP_FAIL;
	if (!g->mean && (hp_joint_names_read(&g->names, g->j->count, g->st, err) != 0 || check_result(g, name, err) != 0))
		return HP_FAIL;
	for (int i = 1; i < g->j->count; i++)
		if (check_tensors(g, 0, i, err) != 0 || check_tensors(g, i, 0, err) != 0)
			return HP_FAIL;
	return 0;
}

static int join(joining *g, FILE *out, const char *name, hp_error *err)
{
	if (check_models(g, name, err) != 0)
		return HP_FAIL;
	choose_types(g);
	if (hp_storing_new(g->half, g->bytes, &g->out, err) != 0 || add_metadata(g, err) != 0 || add_tensors(g, err) != 0)
		return HP_FAIL;
	return hp_storing_write(g->out, g->j->id, out, name, err);
}

int hp_join_models(const hp_join *j, FILE *out, const char *name, hp_error *err)
{
	joining g = {.j = j,
	             .mean = j->mean || j->count == 1,
	             .st = calloc((size_t)j->count, sizeof *g.st),
	             .members = calloc((size_t)j->count, sizeof *g.members),
	             .arena = hp_arena_new()};
	int status = g.st && g.members && g.arena ? join(&g, out, name, err) : hp_fail_memory(err);

	hp_storing_destroy(g.out);
	hp_arena_destroy(g.arena);
	hp_joint_names_free(&g.names);
	for (int i = 0; g.st && i < j->count; i++)
		hp_safetensors_close(g.st[i]);
	free(g.st);
	free(g.members);
	return status;
}
