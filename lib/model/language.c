/* language.c: which models go together. */
#include "model/language.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

/* Refuses a parser of other trees; *TAGS: it asks for tags. */
static int check_parser(const char *path, bool *tags, hp_error *err)
{
	hp_safetensors *file;
	int status = 0;

	if (hp_safetensors_open(path, &file, err) != 0)
		return HP_FAIL;
	const char *task = hp_safetensors_meta(file, "task"), *pos = hp_safetensors_meta(file, "pos");
	*tags = pos && strcmp(pos, "none") != 0;
	if (!task || strcmp(task, "dep") != 0)
		status =
			hp_fail(err, "raw text is for dependency models, but %s is for the task %s", path, task ? task : "(none)");
	hp_safetensors_close(file);
	return status;
}

/* A model of KIND beside the parser; WHAT is its name for people. */
static int find_other(const char *name, const char *kind, const char *what, const hp_language *l, char **out,
                      hp_error *err)
{
	hp_error why;

	*out = hp_model_find_with(name, kind, &why);
	if (!*out)
		return hp_fail(err, "raw text needs a %s: %.900s", what, why.text);
	if (strcmp(*out, l->parser) != 0)
		return 0;
	free(*out);
	*out = NULL;
	return hp_fail(
		err,
		"raw text needs a %s, and none goes with %s, as X-%s.safetensors goes with X-dep.safetensors: expected "
		"such names, or those of a language, such as en",
		what, l->parser, kind);
}

static int find_all(const char *name, hp_language *l, hp_error *err)
{
	bool tags;

	l->parser = hp_model_find_with(name, "dep", err);
	if (!l->parser || check_parser(l->parser, &tags, err) != 0 ||
	    find_other(name, "tok", "tokeniser", l, &l->tokenizer, err) != 0)
		return HP_FAIL;
	return find_other(name, "tag", "tagger", l, &l->tagger, err) != 0 && tags ? HP_FAIL : 0;
}

int hp_language_find(const char *name, hp_language *out, hp_error *err)
{
	*out = (hp_language){.parser = NULL};
	if (!name)
		name = hp_model_environment();
	if (!name)
		name = HP_DEFAULT_MODEL;
	if (find_all(name, out, err) == 0)
		return 0;
	hp_language_free(out);
	return HP_FAIL;
}

void hp_language_free(hp_language *l)
{
	free(l->tokenizer);
	free(l->tagger);
	free(l->parser);
	*l = (hp_language){.parser = NULL};
}
