/* language.c: which models go together. */
#include "model/language.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "text/clues.h"

/* What a model's file says of itself. */
typedef struct about {
	bool dep, rst, segment; /* its task */
	bool tags, trees; /* it asks for */
} about;

static int look(const char *path, about *w, hp_error *err)
{
	hp_safetensors *file;

	if (hp_safetensors_open(path, &file, err) != 0)
		return HP_FAIL;
	const char *task = hp_safetensors_meta(file, "task"), *pos = hp_safetensors_meta(file, "pos"),
			   *clues = hp_safetensors_meta(file, "tags_each");
	*w = (about){.dep = task && strcmp(task, "dep") == 0,
	             .rst = task && strcmp(task, "rst") == 0,
	             .segment = task && strcmp(task, "segment") == 0,
	             .tags = pos && strcmp(pos, "none") != 0,
	             .trees = pos && strcmp(pos, "tree") == 0};
	w->tags |= w->segment;
	w->trees |= w->segment && clues && atoi(clues) > HP_TAG_CLUES;
	hp_safetensors_close(file);
	return 0;
}

/* Refuses a model for another task than is EXPECTED, which is named. */
static int check(bool expected, const char *path, const char *name, hp_error *err)
{
	return expected ? 0 : hp_fail(err, "raw text needs a %s, but %s is none", name, path);
}

/* A model of KIND that goes with the parser; NAME is what the parser is called, WHAT what KIND is for people. */
static int find_other(const char *name, const char *kind, const char *what, const hp_language *l, char **out,
                      hp_error *err)
{
	hp_error why;

	*out = hp_model_find_beside(name, kind, &why);
	if (!*out)
		return hp_fail(err, "raw text needs a %s: %.900s", what, why.text);
	if (strcmp(*out, l->parser) != 0)
		return 0;
	free(*out);
	*out = NULL;
	return hp_fail(
		err,
		"raw text needs a %s, and none goes with %s, as X-%s.safetensors goes with X-%s.safetensors: expected "
		"such names, or those of a language, such as en",
		what, l->parser, kind, l->segmenter || strcmp(kind, "edu") == 0 ? "rst" : "dep");
}

/* The dependency parser whose trees others ask for; TAGS: whether any asks for those. */
static int find_trees(const char *name, hp_language *l, bool *tags, hp_error *err)
{
	static const char what[] = "dependency parser as well";
	about dep;

	if (find_other(name, "dep", what, l, &l->trees, err) != 0 || look(l->trees, &dep, err) != 0 ||
	    check(dep.dep, l->trees, what, err) != 0)
		return HP_FAIL;
	*tags |= dep.tags;
	return 0;
}

/* The segmenter; to what the PARSER asks for it adds its own. */
static int find_segmenter(const char *name, hp_language *l, about *parser, hp_error *err)
{
	about edu;

	if (find_other(name, "edu", "segmenter", l, &l->segmenter, err) != 0 || look(l->segmenter, &edu, err) != 0 ||
	    check(edu.segment, l->segmenter, "segmenter", err) != 0)
		return HP_FAIL;
	parser->tags |= edu.tags;
	parser->trees |= edu.trees;
	return 0;
}

static int find_all(const char *name, const char *kind, hp_language_text text, hp_language *l, hp_error *err)
{
	about parser;

	l->parser = hp_model_find_with(name, kind, err);
	if (!l->parser || look(l->parser, &parser, err) != 0)
		return HP_FAIL;
	if (!parser.dep && text == HP_LANGUAGE_SENTENCES)
		return hp_fail(err, "raw text is for dependency models, but %s is none", l->parser);
	if (!parser.rst && text == HP_LANGUAGE_EDUS)
		return hp_fail(err, "EDUs are for discourse models, but %s is none", l->parser);
	if ((!parser.dep && check(parser.rst, l->parser, "parser", err) != 0) ||
	    (parser.rst && text == HP_LANGUAGE_ANY && find_segmenter(name, l, &parser, err) != 0) ||
	    (parser.rst && parser.trees && find_trees(name, l, &parser.tags, err) != 0) ||
	    find_other(name, "tok", "tokeniser", l, &l->tokenizer, err) != 0)
		return HP_FAIL;
	return find_other(name, "tag", "tagger", l, &l->tagger, err) != 0 && parser.tags ? HP_FAIL : 0;
}

/* What NAME stands for. */
static const char *named(const char *name)
{
	if (!name)
		name = hp_model_environment();
	return name ? name : HP_DEFAULT_MODEL;
}

int hp_language_find(const char *name, const char *kind, hp_language_text text, hp_language *out, hp_error *err)
{
	*out = (hp_language){.parser = NULL};
	if (find_all(named(name), kind, text, out, err) == 0)
		return 0;
	hp_language_free(out);
	return HP_FAIL;
}

int hp_language_find_segmenter(const char *name, const char *kind, hp_language *out, hp_error *err)
{
	about parser, edu;
	hp_error none;
	int status = HP_FAIL;

	*out = (hp_language){.parser = hp_model_find_with(named(name), kind, err)};
	if (out->parser && look(out->parser, &parser, err) == 0)
		status = 0;
	if (status == 0 && parser.rst && find_other(named(name), "edu", "segmenter", out, &out->segmenter, &none) == 0)
		status = look(out->segmenter, &edu, err) != 0 ? HP_FAIL : check(edu.segment, out->segmenter, "segmenter", err);
	if (status != 0)
		hp_language_free(out);
	return status;
}

void hp_language_free(hp_language *l)
{
	free(l->tokenizer);
	free(l->tagger);
	free(l->parser);
	free(l->segmenter);
	free(l->trees);
	*l = (hp_language){.parser = NULL};
}
