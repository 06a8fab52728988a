/* embed-model.c: hp-embed's models: a parser's, ELMo's or both; whether they are for the input, and know the texts. */
#include "cli.h"
#include "filter.h"

enum { MANY_TAGS = 100 }; /* of which at least one should be known */

/* Whether the model (may be NULL) reads what ELMo writes. */
static int check_stream_model(const hp_elmo *e, const hp_model *m, hp_error *err)
{
	const hp_net_config *c = m != NULL ? &m->config : NULL;
	int layers = hp_elmo_layers(e) + 1, width = hp_elmo_width(e);

	if (!m)
		return 0;
	if (!m->rst)
		return hp_fail(err, "--elmo is for discourse models, but %s is for the task %s", m->path, m->task);
	if (c->input != HP_INPUT_STREAM)
		return hp_fail(err, "--elmo: %s has embeddings of its own, expected a model that was trained on a stream",
		               m->path);
	if (c->stream_layers != layers || c->input_dim != width)
		return hp_fail(err, "--elmo: %d layers of %d numbers a word, but %s reads %d of %d", layers, width, m->path,
		               c->stream_layers, c->input_dim);
	return 0;
}

/* Whether the model takes such input. */
static int check_input(filter *f, const hp_elmo *elmo, hp_error *err)
{
	static const char *const names[] = {"", "conllu", "tokens", "edus", "dis"};
	const hp_model *m = f->model;
	int input = f->embed.input;

	if (f->embed.constraints && (elmo || m->rst) && input == INPUT_DEFAULT)
		return hp_fail(err, "--constraints with EDU text, expected --input=conllu or --input=dis for the task rst");
	if (elmo && m && !m->rst && !f->model_name) {
		/* HP_MODEL is meant for other commands. */
		hp_model_close(f->model);
		f->model = NULL;
		return 0;
	}
	if (elmo)
		return check_stream_model(elmo, m, err);
	if (m->rst && m->config.input != HP_INPUT_WORDS)
		return hp_fail(err,
		               "%s: a model that takes its embeddings from a stream of another program: "
		               "expected --elmo, or such a stream given to hp-encode(1)",
		               m->path);
	if (!m->rst && f->embed.max_edus > 0)
		return hp_fail(err, "--max-edus is for discourse models, but %s is for the task %s", m->path, m->task);
	if (m->rst ? input == INPUT_TOKENS : input >= INPUT_EDUS)
		return hp_fail(err, "--input=%s is for %s models, but %s is for the task %s", names[input],
		               m->rst ? "dependency" : "discourse", m->path, m->task);
	return 0;
}

static int open_fitting(filter *f, hp_elmo *elmo, hp_error *err)
{
	const char *kind = elmo || f->embed.input >= INPUT_EDUS ? "rst" : "dep";
	if (f->embed.carry && hp_elmo_lanes_new(elmo, f->embed.lanes > 0 ? f->embed.lanes : 1, &f->embed.carried, err) != 0)
		return HP_FAIL;
	if ((!elmo || f->chosen) && hp_model_open(f->model_name, kind, HP_STAGE_EMBED, &f->model, err) != 0)
		return HP_FAIL;
	return filter_check_model(f, err) != 0 ? HP_FAIL : check_input(f, elmo, err);
}

int embed_open(filter *f, hp_error *err)
{
	hp_elmo *elmo = NULL;

	if (f->embed.elmo_path && hp_elmo_open(f->embed.elmo_path, f->pool, &elmo, err) != 0)
		return HP_FAIL;
	if (open_fitting(f, elmo, err) != 0) {
		hp_elmo_close(elmo);
		return HP_FAIL;
	}
	f->embed.elmo = elmo;
	if (f->embed.max_words == 0)
		f->embed.max_words = f->model && f->model->config.document_layers ? 50000 : 20000;
	return 0;
}

/* A few unseen tags are fine, but a text of them is parsed no better than words without tags; so with words. */
void embed_tell(const filter *f)
{
	const char *path = f->tagging.model ? f->tagging.model->path : f->model ? f->model->path : NULL;
	bool edus = f->model && f->model->rst && f->embed.input != INPUT_CONLLU;
	const char *splitter = edus ? "hp-parse --tokenize does it, and --input=text, for plain text, finds the EDUs too"
	                            : "hp-parse --input=text does it";
	hp_error what;

	if (path && hp_coverage_check(&f->embed.coverage, path, splitter, &what) != 0)
		cli_fail(&what);
	if (f->model && f->embed.tags >= MANY_TAGS && f->embed.known_tags == 0)
		cli_error("none of the tags is one of %s, which was trained on %s", f->model->path,
		          f->model->pos == HP_POS_UPOS ? "UPOS" : "XPOS");
}
