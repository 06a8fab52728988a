/* rst_bank.c: reading a whole treebank of rhetorical trees. */
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/rising.h"
#include "base/rng.h"
#include "extract/align.h"
#include "rst/dis.h"
#include "text/edus.h"
#include "text/place.h"
#include "train/embeddings.h"
#include "train/treebank.h"

static int grow(hp_treebank *t, int capacity, hp_error *err)
{
	hp_sentence *sent = realloc(t->sent, (size_t)capacity * sizeof *sent);
	hp_rst_binary **tree = realloc(t->tree, (size_t)capacity * sizeof *tree);
	int32_t **ends = realloc(t->ends, (size_t)capacity * sizeof *ends);
	float **x = realloc(t->x, (size_t)capacity * sizeof *x);

	if (sent)
		t->sent = sent;
	if (tree)
		t->tree = tree;
	if (ends)
		t->ends = ends;
	if (x)
		t->x = x;
	if (!sent || !tree || !ends || !x)
		return hp_fail_memory(err);
	t->capacity = capacity;
	return 0;
}

typedef struct reading {
	hp_treebank *t;
	const char *name; /* of the file of trees */
	hp_embeddings *stream; /* NULL: none */
	hp_sentence_file tags; /* name NULL: none */
	int column; /* of the tags */
	bool places; /* in dependency trees come with them */
	int next; /* sentence of them */
	int max_words;
} reading;

/* X [layers × words × dim] of a sentence goes into the hash, too. */
static int read_x(reading *r, long line, const hp_edus *edus, float **x, hp_error *err)
{
	size_t words = (size_t)edus->ends[edus->edus - 1] + 1;

	*x = NULL;
	if (!r->stream)
		return 0;
	if (hp_embeddings_next(r->stream, r->name, line, edus, x, err) != 0)
		return HP_FAIL;
	r->t->layers = hp_embeddings_layers(r->stream);
	r->t->dim = hp_embeddings_dim(r->stream);
	r->t->hash = hp_hash(r->t->hash, *x, (size_t)r->t->layers * words * (size_t)r->t->dim * sizeof **x);
	return 0;
}

/* The words' tags. */
typedef struct tagging {
	const int32_t *token; /* [tokens] of the file of tags, which the words are from: they rise */
	int tokens;
	const hp_edus *edus;
} tagging;

/* The EDU that token TOKEN is in, the first one if it is cut; HP_PLACE_UNKNOWN: the tree does not have it. */
static int unit_of(const tagging *t, int32_t token)
{
	int place = hp_rising_find(t->token, 0, t->tokens, token);

	return place < t->tokens && t->token[place] == token ? hp_edus_of(t->edus, place) : HP_PLACE_UNKNOWN;
}

/* Word I's tag, with its place in the tree. */
static int set_place(reading *r, const tagging *t, int i, hp_word *w, hp_error *err)
{
	const hp_token *from = &r->tags.token[t->token[i]];
	size_t size;
	hp_place place = {.tag = r->tags.text + from->tag,
	                  .relation = r->tags.text + from->relation,
	                  .tag_size = from->tag_size,
	                  .relation_size = from->relation_size,
	                  .unit = hp_edus_of(t->edus, i),
	                  .head = from->head < 0 ? from->head : unit_of(t, from->head)};

	w->col[r->column] = hp_place_text(&place, r->t->arena, &size);
	w->len[r->column] = (uint32_t)size;
	return w->col[r->column] ? 0 : hp_fail_memory(err);
}

static int set_tags(reading *r, hp_sentence *s, long line, const tagging *t, hp_error *err)
{
	if (s->words != t->tokens)
		return hp_fail_at(err, r->name, line, "a tree with an EDU of unusual blanks only, which has no tag");
	for (int i = 0; i < s->words; i++) {
		const hp_token *from = &r->tags.token[t->token[i]];
		hp_word *w = &s->word[i];

		w->col[r->column] = r->tags.text + from->tag;
		w->len[r->column] = (uint32_t)from->tag_size;
		if (r->places && set_place(r, t, i, w, err) != 0)
			return HP_FAIL;
		r->t->hash =
			hp_hash(hp_hash(r->t->hash, w->col[HP_FORM], w->len[HP_FORM]), w->col[r->column], w->len[r->column]);
	}
	return 0;
}

/* Takes over TREE on success. */
static int add(reading *r, hp_rst_binary *tree, const int32_t *token, int tokens, hp_error *err)
{
	hp_treebank *t = r->t;
	hp_sentence s;
	hp_edus edus;
	float *x;

	if (t->count == t->capacity && grow(t, t->capacity ? 2 * t->capacity : 256, err) != 0)
		return HP_FAIL;
	hp_sentence_init(&s);
	if (hp_edus_take(tree->edus, tree->text, (hp_edus_source){r->name, tree->line, 0, r->max_words}, t->arena, &edus,
	                 &s, err) != 0 ||
	    read_x(r, tree->line, &edus, &x, err) != 0 ||
	    (token && set_tags(r, &s, tree->line, &(tagging){token, tokens, &edus}, err) != 0)) {
		hp_sentence_free(&s);
		return HP_FAIL;
	}
	t->words += s.words;
	hp_masked_add(&t->masked, &s);
	for (int i = 0; i < tree->edus - 1; i++)
		t->open += hp_label_is_open(tree->label[i], strlen(tree->label[i]));
	t->sent[t->count] = s;
	t->ends[t->count] = edus.ends;
	t->x[t->count] = x;
	t->tree[t->count++] = tree;
	return 0;
}

/* A tree of one EDU is left out, and so is its sentence in the stream. */
static int skip(reading *r, const hp_rst_tree *tree, hp_error *err)
{
	const char *text = tree->edu[0].text;
	hp_arena *arena;
	hp_edus edus;
	float *x = NULL;

	if (!r->stream)
		return 0;
	arena = hp_arena_new();
	int status = arena ? hp_edus_take(1, &text, (hp_edus_source){r->name, tree->line, 0, 0}, arena, &edus, NULL, err)
	                   : hp_fail_memory(err);
	if (status == 0)
		status = read_x(r, tree->line, &edus, &x, err);
	free(x);
	hp_arena_destroy(arena);
	return status;
}

/* With tags, TREE gets the tokens that have them. */
static int take(reading *r, hp_rst_tree *tree, hp_error *err)
{
	hp_rst_binary *binary;
	const int32_t *token = NULL;
	int tokens = 0;

	if (tree->edus < 2)
		return skip(r, tree, err);
	if (r->tags.name && hp_align_next(tree, r->name, &r->tags, &r->next, &token, &tokens, err) != 0)
		return HP_FAIL;
	if (hp_rst_binary_new(tree, &binary, err) != 0)
		return HP_FAIL;
	if (add(r, binary, token, tokens, err) == 0)
		return 0;
	hp_rst_binary_destroy(binary);
	return HP_FAIL;
}

static int read_all(reading *r, hp_dis_reader *reader, hp_error *err)
{
	hp_rst_tree tree;
	int got;

	hp_rst_tree_init(&tree);
	while ((got = hp_dis_read(reader, &tree, err)) == 1) {
		size_t size;
		const char *text = hp_dis_text(reader, &size, NULL);

		r->t->hash = hp_hash(r->t->hash, text, size);
		if (take(r, &tree, err) != 0) {
			got = HP_FAIL;
			break;
		}
	}
	hp_rst_tree_free(&tree);
	if (got != 0)
		return HP_FAIL;
	return r->stream ? hp_embeddings_end(r->stream, r->name, err) : 0;
}

static int open_tags(reading *r, const char *path, hp_error *err)
{
	if (hp_sentence_file_read(path, r->column, &r->tags, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < r->tags.tokens; i++) {
		const hp_token *t = &r->tags.token[i];
		if (t->tag_size > 1 || (t->tag_size == 1 && r->tags.text[t->tag] != '_'))
			return 0;
	}
	return hp_fail(err, "%s: no tags, expected CoNLL-U that has some in column %s", r->tags.name,
	               r->column == HP_XPOS ? "XPOS" : "UPOS");
}

/* What its words point into must live as long as T. */
static int keep_tags(hp_treebank *t, hp_sentence_file *tags, hp_error *err)
{
	char **texts = realloc(t->tags, ((size_t)t->tag_texts + 1) * sizeof *texts);

	if (!texts)
		return hp_fail_memory(err);
	t->tags = texts;
	t->tags[t->tag_texts++] = tags->text;
	tags->text = NULL;
	return 0;
}

/* The I-th of FILES. */
static int read_file(reading *r, const hp_bank_files *files, int i, hp_error *err)
{
	hp_treebank *t = r->t;
	hp_dis_reader *reader = NULL;
	hp_input *in = NULL;
	int before = t->count, layers = t->layers, dim = t->dim, status = HP_FAIL;

	if (hp_input_open(files->trees[i], &in, err) == 0 && hp_dis_reader_new(in, &reader, err) == 0 &&
	    (!files->streams || hp_embeddings_open(files->streams[i], &r->stream, err) == 0) &&
	    (!files->tags || open_tags(r, files->tags[i], err) == 0)) {
		r->name = hp_input_name(in);
		hp_dis_on_warning(reader, files->warn, files->warn_arg);
		status = read_all(r, reader, err);
	}
	if (status == 0 && files->tags)
		status = keep_tags(t, &r->tags, err);
	if (status == 0 && t->count == before)
		status = hp_fail(err, "%s: no sentences of several EDUs", hp_input_name(in));
	if (status == 0 && before > 0 && (t->layers != layers || t->dim != dim))
		status = hp_fail(err, "%s: `x` has %d layers of %d numbers a word, but in %s %d of %d", files->streams[i],
		                 t->layers, t->dim, files->streams[i - 1], layers, dim);
	hp_sentence_file_free(&r->tags);
	hp_embeddings_close(r->stream);
	hp_dis_reader_destroy(reader);
	hp_input_close(in);
	return status;
}

int hp_treebank_read_rst(const hp_bank_files *files, hp_pos_column tags, int max_words, hp_treebank *out, hp_error *err)
{
	int status = hp_treebank_begin(out, err);

	for (int i = 0; files->trees[i] && status == 0; i++) {
		reading r = {.t = out, .column = hp_tag_column(tags), .places = tags == HP_POS_TREE, .max_words = max_words};
		status = read_file(&r, files, i, err);
	}
	return hp_treebank_end(out, status);
}

static void move(hp_treebank *from, int i, hp_treebank *to, int at)
{
	to->sent[at] = from->sent[i];
	to->tree[at] = from->tree[i];
	to->ends[at] = from->ends[i];
	to->x[at] = from->x[i];
}

int hp_treebank_hold_out(hp_treebank *t, const char *name, uint64_t seed, hp_treebank *dev, hp_error *err)
{
	enum { HOLD_OUT = 3 }; /* the stream of random numbers: none of training's (epoch.h) */
	int held = t->count / 10 > 0 ? t->count / 10 : 1, kept = 0, left = t->count;
	hp_rng rng;

	memset(dev, 0, sizeof *dev);
	dev->hash = t->hash;
	dev->layers = t->layers;
	dev->dim = t->dim;
	if (t->count < 2)
		return hp_fail(err, "%s: a single sentence of several EDUs, of which none can be held out as dev", name);
	if (grow(dev, held, err) != 0) {
		hp_treebank_free(dev);
		return HP_FAIL;
	}
	hp_rng_seed(&rng, seed, (uint64_t)HOLD_OUT << 56);
	for (int i = 0; i < t->count; i++, left--) {
		/* Each choice of so many is equally likely. */
		if (hp_rng_below(&rng, (uint64_t)left) < (uint64_t)(held - dev->count)) {
			move(t, i, dev, dev->count++);
			dev->words += dev->sent[dev->count - 1].words;
		} else {
			move(t, i, t, kept++);
		}
	}
	t->count = kept;
	t->words -= dev->words;
	return 0;
}
