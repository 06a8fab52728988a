/* test.c: the scores of a finished model on a test set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/model.h"
#include "train/trainer.h"

/* The trainer's lexicon with the vocabularies of MODEL, whose words' vectors are whole. */
static hp_lexicon lexicon_of(const hp_trainer *t, const hp_model *model)
{
	hp_lexicon lex = t->lexicon;

	if (model->words) {
		lex.words = model->words;
		lex.chars = model->chars;
		lex.tags = model->tags;
	}
	lex.labels = model->labels;
	lex.vector_of = NULL;
	memset(&lex.vectors, 0, sizeof lex.vectors);
	memset(&lex.tagging, 0, sizeof lex.tagging);
	return lex;
}

static int score(hp_trainer *t, hp_model *model, hp_score *out, hp_error *err)
{
	hp_lexicon lex = lexicon_of(t, model);
	hp_corpus test;
	int status = hp_corpus_number(&lex, &t->test_bank, &test, err);

	if (status != 0)
		return HP_FAIL;
	const hp_scoring scoring = {
		.task = t->task, .net = model->net, .pool = t->pool, .scratch = t->scratch, .labels = model->labels};
	status = hp_score_corpus(&scoring, &test, out, err);
	hp_arena_reset(t->scratch);
	hp_corpus_free(&test);
	return status;
}

int hp_trainer_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err)
{
	hp_model *model = NULL;
	char *name;
	int status = HP_FAIL;

	if (asprintf(&name, "%s%s", strchr(path, '/') ? "" : "./", path) < 0)
		return hp_fail_memory(err);
	if (hp_model_open(name, "dep", HP_STAGE_ALL, &model, err) == 0)
		status = score(t, model, out, err);
	hp_model_close(model);
	free(name);
	return status;
}
