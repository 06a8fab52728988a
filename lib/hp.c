/* hp.c: opens and closes a parser, and what parsing words (hp_words.c) and EDUs (hp_edus.c) have in common. */
#include "hp_parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { MAX_BEAM = 1000, MAX_THREADS = 256 };

int hp_fail_null(hp_error *err, const char *function, const char *argument)
{
	return hp_fail(err, "%s: %s is NULL", function, argument);
}

static int open_model(hp_parser *p, const char *model, hp_error *err)
{
	p->beam = 1;
	p->trees = hp_arena_new();
	p->work = hp_arena_new();
	if (!p->trees || !p->work)
		return hp_fail_memory(err);
	if (hp_model_open(model, HP_STAGE_ALL, &p->model, err) != 0)
		return HP_FAIL;
	if (p->model->rst && p->model->rst_config.input != HP_RST_INPUT_WORDS)
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
	return 0;
}

int hp_set_int8(hp_parser *parser, hp_error *err)
{
	if (!parser)
		return hp_fail_null(err, "hp_set_int8", "parser");
	return hp_model_round(parser->model, err);
}

int hp_begin(hp_parser *parser, const char *function, bool rst, hp_error *err)
{
	if (!parser)
		return hp_fail_null(err, function, "parser");
	if (rst && !parser->model->rst)
		return hp_fail(err, "%s: a dependency model (task dep), expected a discourse model", parser->model->path);
	if (!rst && parser->model->rst)
		return hp_fail(err, "%s: a discourse model (task rst), expected a dependency model", parser->model->path);
	hp_arena_reset(parser->trees);
	return 0;
}

int hp_begin_batch(hp_parser *parser, const char *function, bool rst, int count, const void *sentences,
                   const void *trees, hp_error *err)
{
	if (hp_begin(parser, function, rst, err) != 0)
		return HP_FAIL;
	if (count < 0)
		return hp_fail(err, "a batch of %d sentences, expected 0 or more", count);
	if (count > 0 && (!sentences || !trees))
		return hp_fail_null(err, function, !sentences ? "sentences" : "trees");
	return 0;
}

bool hp_group_takes(hp_group *g, int n, size_t bytes)
{
	if (g->count > 0 &&
	    (g->count == HP_BATCH_SENTENCES || g->rows + (size_t)n > HP_BATCH_ROWS || g->bytes + bytes > HP_BATCH_BYTES))
		return false;
	g->count++;
	g->rows += (size_t)n;
	g->bytes += bytes;
	return true;
}

const char *hp_text_fault(const char *s, size_t size, bool tabs)
{
	if (memchr(s, '\n', size))
		return "holds a line feed";
	if (!tabs && memchr(s, '\t', size))
		return "holds a tab";
	return hp_utf8_valid_prefix(s, size) != size ? "is not UTF-8" : NULL;
}

int hp_fail_scores(int number, hp_error *err)
{
	hp_error why;

	hp_fail(&why, "a score comes to a value that is not finite or beyond %g: the model's weights are too large",
	        (double)HP_LARGEST);
	return hp_blame(number, &why, err);
}

int hp_blame(int number, const hp_error *why, hp_error *err)
{
	return number > 0 ? hp_fail(err, "sentence %d: %s", number, why->text) : hp_fail(err, "%s", why->text);
}
