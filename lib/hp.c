/* hp.c: opens and closes a parser, and parses batches of sentences: of words (hp_words.c), EDUs (hp_edus.c) or a text
 * (hp_text.c, hp_document.c). */
#include "hp_parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "nn/vmath.h"
#include "tag/model.h"
#include "tokenize/model.h"

enum { MAX_BEAM = HP_MOST_HYPOTHESES, MAX_THREADS = 256 };

int hp_fail_null(hp_error *err, const char *function, const char *argument)
{
	return hp_fail(err, "%s: %s is NULL", function, argument);
}

static int open_model(hp_parser *p, const char *model, hp_error *err)
{
	p->nbest = 1;
	p->trees = hp_arena_new();
	p->work = hp_arena_new();
	if (!p->trees || !p->work)
		return hp_fail_memory(err);
	if (hp_model_open(model, "dep", HP_STAGE_ALL, &p->model, err) != 0 || hp_model_split(p->model, err) != 0)
		return HP_FAIL;
	p->beam = p->model->beam;
	if (p->model->rst && p->model->config.input != HP_INPUT_WORDS)
		return hp_fail(err, "%s: a discourse model for the embeddings of another program: it cannot read words",
		               p->model->path);
	return 0;
}

int hp_open(const char *model, hp_parser **out, hp_error *err)
{
	hp_parser *p;

	if (!out)
		return hp_fail_null(err, "hp_open", "out");
	*out = NULL;
	if (model && *model == '\0')
		return hp_fail(err, "hp_open: the name of the model is empty, expected a name, or NULL for the default");
	p = calloc(1, sizeof(*p));
	if (!p)
		return hp_fail_memory(err);
	if (open_model(p, model, err) != 0) {
		hp_close(p);
		return HP_FAIL;
	}
	*out = p;
	return 0;
}

void hp_close(hp_parser *parser)
{
	if (!parser)
		return;
	hp_model_close(parser->model);
	hp_tok_model_close(parser->tokenizer);
	hp_tag_model_close(parser->tagger);
	hp_tag_model_close(parser->segmenter);
	hp_close(parser->words);
	free(parser->sentence);
	free(parser->edu);
	hp_pool_destroy(parser->pool);
	hp_arena_destroy(parser->trees);
	hp_arena_destroy(parser->work);
	free(parser);
}

int hp_set_beam(hp_parser *parser, int beam, hp_error *err)
{
	if (!parser)
		return hp_fail_null(err, "hp_set_beam", "parser");
	if (beam < 1 || beam > MAX_BEAM)
		return hp_fail(err, "a beam of %d, expected 1 to %d", beam, MAX_BEAM);
	parser->beam = beam;
	return 0;
}

int hp_set_nbest(hp_parser *parser, int trees, hp_error *err)
{
	if (!parser)
		return hp_fail_null(err, "hp_set_nbest", "parser");
	if (trees < 1 || trees > MAX_BEAM)
		return hp_fail(err, "%d trees of a sentence, expected 1 to %d", trees, MAX_BEAM);
	parser->nbest = trees;
	return 0;
}

int hp_set_threads(hp_parser *parser, int threads, hp_error *err)
{
	hp_pool *pool = NULL;

	if (!parser)
		return hp_fail_null(err, "hp_set_threads", "parser");
	if (threads < 1 || threads > MAX_THREADS)
		return hp_fail(err, "%d threads, expected 1 to %d", threads, MAX_THREADS);
	if (threads > 1 && !(pool = hp_pool_new(threads)))
		return hp_fail(err, "cannot make %d threads", threads);
	hp_pool_destroy(parser->pool);
	parser->pool = pool;
	return parser->words ? hp_set_threads(parser->words, threads, err) : 0;
}

int hp_set_int8(hp_parser *parser, hp_error *err)
{
	if (!parser)
		return hp_fail_null(err, "hp_set_int8", "parser");
	if ((parser->tagger && hp_tag_model_round(parser->tagger, err) != 0) ||
	    (parser->segmenter && hp_tag_model_round(parser->segmenter, err) != 0) ||
	    (parser->words && hp_set_int8(parser->words, err) != 0))
		return HP_FAIL;
	return hp_model_round(parser->model, err);
}

/* ---- sentences ---- */

static int begin(hp_parser *p, const hp_call *c, hp_error *err)
{
	bool rst = c->kind->rst;

	if (!p)
		return hp_fail_null(err, c->function, "parser");
	if (rst && !p->model->rst)
		return hp_fail(err, "%s: a dependency model (task dep), expected a discourse model", p->model->path);
	if (!rst && p->model->rst)
		return hp_fail(err, "%s: a discourse model (task rst), expected a dependency model", p->model->path);
	hp_arena_reset(p->trees);
	if (c->count < 0)
		return hp_fail(err, "a batch of %d sentences, expected 0 or more", c->count);
	if (c->count > 0 && (!c->sentences || !c->trees))
		return hp_fail_null(err, c->function, !c->sentences ? "sentences" : "trees");
	return 0;
}

/* Fails with WHY, which sentence I, from 0, is to blame for. */
static int blame(const hp_call *c, int i, const hp_error *why, hp_error *err)
{
	return c->single ? hp_fail(err, "%s", why->text) : hp_fail(err, "sentence %d: %s", i + 1, why->text);
}

/* Whether a sentence of N positions and BYTES of text still goes with the group; if so, it is counted. */
static bool group_takes(const hp_parser *p, hp_group *g, int n, size_t bytes)
{
	size_t rows = g->rows + (size_t)n;

	if (g->count > 0 && (g->count == HP_BATCH_SENTENCES || rows > HP_BATCH_ROWS ||
	                     rows * (size_t)p->nbest > HP_BATCH_RESULTS || g->bytes + bytes > HP_BATCH_BYTES))
		return false;
	g->count++;
	g->rows += (size_t)n;
	g->bytes += bytes;
	return true;
}

/* Sentence I of the caller's as numbers, if the group takes it: returns 1, else 0, or HP_FAIL. */
static int take_sentence(hp_parser *p, const hp_call *c, int i, hp_group *g, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(p->work);
	hp_text text = {.bytes = 0};
	hp_error why;
	int status;

	hp_sentence_init(&text.words);
	if (c->kind->read(p->work, c->sentences, i, &text, &why) != 0) {
		status = blame(c, i, &why, err);
	} else if (!group_takes(p, g, text.words.words + !c->kind->rst, text.bytes)) {
		hp_arena_restore(p->work, mark);
		status = 0;
	} else {
		status = c->kind->number(p, &text, g, err) != 0 ? HP_FAIL : 1;
	}
	hp_sentence_free(&text.words);
	return status;
}

/* Whether all numbers of sentence I, whose rows of structure begin at AT, are sensible. */
static bool is_sensible(const hp_parsed *out, int i, size_t at)
{
	int found = out->trees.found[i];
	size_t rows = (size_t)(found * out->results[i]);
	bool sensible = hp_vec_within(rows, out->trees.logp + at, HP_LARGEST) &&
	                hp_vec_within((size_t)found, &out->trees.score[i * out->most], HP_LARGEST);

	for (size_t k = at; k < at + rows; k++)
		sensible = sensible && (out->labels[k] < 0 || hp_vec_within(1, &out->label_logp[k], HP_LARGEST));
	return sensible;
}

/* Sets *BEST to the best tree of sentence I, whose rows of structure begin at AT. */
static int tell(hp_parser *p, const hp_kind *kind, const hp_parsed *out, int i, size_t at, const void **best)
{
	const void *next = NULL;

	for (int k = out->trees.found[i] - 1; k >= 0; k--) {
		const hp_result tree = {out->results[i], at + (size_t)(k * out->results[i]),
		                        out->trees.score[i * out->most + k]};

		next = kind->tell(p, out, &tree, next);
		if (!next)
			return HP_FAIL;
	}
	*best = next;
	return 0;
}

/* Sentences from FIRST on, as many as go together: returns how many were parsed, or HP_FAIL. */
static int parse_group(hp_parser *p, const hp_call *c, int first, hp_error *err)
{
	const hp_model *m = p->model;
	const hp_parsing how = {m->net, m->special, p->beam, p->pool, p->nbest};
	hp_group g = {.count = 0};
	hp_sentences in = {.sample = g.sample, .tokens = g.tokens};
	int status = 1;
	size_t at = 0;

	hp_arena_reset(p->work);
	for (int i = first; i < c->count && status == 1; i++)
		status = take_sentence(p, c, i, &g, err);
	in.count = g.count;
	if (status < 0 || hp_parse_sentences(&how, p->work, &in, &g.out, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < g.count; at += (size_t)g.out.most * (size_t)g.out.results[i++]) {
		hp_error why;

		if (!is_sensible(&g.out, i, at)) {
			hp_fail(&why, "a score comes to a value that is not finite or beyond %g: the model's weights are too large",
			        (double)HP_LARGEST);
			return blame(c, first + i, &why, err);
		}
		if (tell(p, c->kind, &g.out, i, at, (const void **)c->trees + first + i) != 0)
			return hp_fail_memory(err);
	}
	return g.count;
}

int hp_run(hp_parser *p, const hp_call *c, hp_error *err)
{
	size_t room = c->trees && c->count > 0 ? (size_t)c->count * sizeof(void *) : 0;

	if (room > 0)
		memset(c->trees, 0, room); /* pointers, all NULL */
	return begin(p, c, err) != 0 ? HP_FAIL : hp_run_groups(p, c, err);
}

int hp_run_groups(hp_parser *p, const hp_call *c, hp_error *err)
{
	int done = 0;

	while (done < c->count) {
		int parsed = parse_group(p, c, done, err);

		if (parsed < 0) {
			memset(c->trees, 0, (size_t)c->count * sizeof(void *));
			return HP_FAIL;
		}
		done += parsed;
	}
	return 0;
}

const char *hp_text_fault(const char *s, size_t size, bool tabs)
{
	if (memchr(s, '\n', size))
		return "holds a line feed";
	if (!tabs && memchr(s, '\t', size))
		return "holds a tab";
	return hp_utf8_valid_prefix(s, size) != size ? "is not UTF-8" : NULL;
}
