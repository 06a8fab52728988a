/* data.c: reading the treebanks of a training. */
#include "train/data.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"

static uint64_t hash_vectors(uint64_t h, const hp_vectors *v)
{
	size_t size;
	int n = hp_vocab_count(v->words);

	for (int i = 0; i < n; i++) {
		const char *word = hp_vocab_at(v->words, i, &size);
		h = hp_hash(h, word, size + 1);
	}
	return hp_hash(h, v->values, (size_t)n * (size_t)v->dim * sizeof *v->values);
}

typedef struct reading {
	hp_trainer *t;
	hp_bank_read *read;
	hp_train_data *d;
} reading;

/* One of the three treebanks; one of rhetorical trees has embeddings as those of TRAIN. */
static int read_bank(const reading *r, const hp_bank_files *files, hp_treebank *out, hp_error *err)
{
	const hp_trainer_setup *s = r->t->setup;
	const hp_treebank *train = &r->d->train_bank;

	if (r->read(files, &r->t->hyper, s->max_words, out, err) != 0)
		return HP_FAIL;
	if (out->layers != train->layers || out->dim != train->dim)
		return hp_fail(err, "%s: `x` has %d layers of %d numbers a word, but in %s %d of %d", files->streams[0],
		               out->layers, out->dim, s->train.streams[0], train->layers, train->dim);
	return 0;
}

static int read_banks(const reading *r, hp_error *err)
{
	hp_trainer *t = r->t;
	const hp_trainer_setup *s = t->setup;
	hp_treebank *train = &r->d->train_bank, *dev = &r->d->dev_bank, *test = &r->d->test_bank;

	if (read_bank(r, &s->train, train, err) != 0)
		return HP_FAIL;
	if ((s->dev.trees ? read_bank(r, &s->dev, dev, err)
	                  : hp_treebank_hold_out(train, s->train.trees[0], s->seed, dev, err)) != 0 ||
	    (s->test.trees && read_bank(r, &s->test, test, err) != 0))
		return HP_FAIL;
	t->train = hp_treebank_facts(train);
	t->dev = hp_treebank_facts(dev);
	t->test = hp_treebank_facts(test);
	return hp_treebank_shared(dev, train, &t->dev.known, err) != 0
	           ? HP_FAIL
	           : hp_treebank_shared(test, train, &t->test.known, err);
}

/* The positions by which sentences form batches. */
static int tell_rows(hp_trainer *t, hp_train_data *d, hp_error *err)
{
	d->rows = calloc((size_t)d->train.count + 1, sizeof *d->rows);
	if (!d->rows)
		return hp_fail_memory(err);
	for (int i = 0; i < d->train.count; i++)
		d->rows[i] = d->train.sample[i].rows;
	t->items = d->train.count;
	t->rows = d->rows;
	return 0;
}

int hp_train_data_read(hp_trainer *t, hp_bank_read *read, hp_train_data *d, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	const hp_treebank *train = &d->train_bank, *dev = &d->dev_bank;
	hp_lexicon *lex = &d->lexicon;

	if (s->init && hp_from_model_open(s->init, &d->init, err) != 0)
		return HP_FAIL;
	if (read_banks(&(reading){t, read, d}, err) != 0)
		return HP_FAIL;
	hp_hyper_derive(&t->hyper, t->train.count, t->train.words, &s->length);
	if (d->init && hp_from_model_hyper(d->init, &t->hyper, err) != 0)
		return HP_FAIL;
	t->data_hash = hp_hash(hp_hash(HP_HASH_START, &train->hash, sizeof train->hash), &dev->hash, sizeof dev->hash);
	if (hp_lexicon_build(train, &t->hyper, lex, err) != 0 ||
	    (s->vectors && hp_lexicon_read_vectors(lex, s->vectors, &t->hyper, &t->vectors_skipped, err) != 0) ||
	    (d->init && hp_from_model_lexicon(d->init, lex, err) != 0) ||
	    hp_corpus_number(lex, train, &d->train, err) != 0 || hp_corpus_number(lex, dev, &d->dev, err) != 0)
		return HP_FAIL;
	if (s->vectors)
		t->data_hash = hash_vectors(t->data_hash, &lex->vectors);
	return tell_rows(t, d, err);
}

void hp_train_data_free(hp_train_data *d)
{
	hp_from_model_close(d->init);
	free(d->rows);
	hp_corpus_free(&d->train);
	hp_corpus_free(&d->dev);
	hp_treebank_free(&d->test_bank);
	hp_treebank_free(&d->dev_bank);
	hp_treebank_free(&d->train_bank);
	hp_lexicon_free(&d->lexicon);
	memset(d, 0, sizeof *d);
}

void hp_train_data_start(const hp_train_data *d, const hp_params *params)
{
	const hp_lexicon *lex = &d->lexicon;

	for (int i = 0; lex->vector_of && i < params->count; i++) {
		const hp_param *p = &params->item[i];
		size_t dim = (size_t)p->shape[1];

		if (strcmp(hp_param_role(p), "embed.word") != 0)
			continue;
		for (int w = HP_ID_UNKNOWN; w < hp_vocab_count(lex->words); w++)
			if (w == HP_ID_UNKNOWN || lex->vector_of[w] >= 0)
				memset(p->value + (size_t)w * dim, 0, dim * sizeof *p->value);
	}
}
