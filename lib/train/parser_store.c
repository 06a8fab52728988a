/* parser_store.c: what the model file of a parser holds. */
#include <stdio.h>
#include <string.h>
#include "train/parser.h"
#include "train/store_words.h"

/* ---- file ---- */

static int add_params(hp_storing *s, const hp_parser *parser, const hp_vocab *words, hp_error *err)
{
	const hp_params *params = &parser->net->params;

	for (int i = 0; i < params->count; i++) {
		const hp_param *p = &params->item[i];
		if (hp_auxiliary_param(p) || (hp_heads_param(p) && !parser->net->c.heads))
			continue;
		if (strcmp(hp_param_role(p), "embed.word") == 0 ? hp_storing_words(s, &parser->data.lexicon, p, words, err) != 0
		                                                : hp_storing_param(s, p, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* WORDS NULL: the model does not embed words itself. */
static int add_vocabs(hp_storing *s, const hp_lexicon *lex, const hp_vocab *words, hp_error *err)
{
	if (words &&
	    (hp_storing_vocab(s, "vocab.word", words, err) != 0 || hp_storing_vocab(s, "vocab.char", lex->chars, err) != 0))
		return HP_FAIL;
	if (hp_storing_vocab(s, "vocab.label", lex->labels, err) != 0)
		return HP_FAIL;
	return !words || lex->pos == HP_POS_NONE ? 0 : hp_storing_vocab(s, "vocab.tag", lex->tags, err);
}

static int write_config(const hp_storing *s, const hp_net *net, const hp_vocab *words, hp_error *err)
{
	hp_net_config config = net->c;

	config.embedding.words = hp_vocab_count(words);
	return hp_config_write(&config, hp_storing_writer(s), err);
}

static int add_all(hp_storing *s, const hp_parser *p, int beam, const hp_vocab *words, const hp_store_notes *notes,
                   hp_error *err)
{
	char text[16];
	const hp_net *net = p->net;
	const hp_lexicon *lex = &p->data.lexicon;
	bool embeds = net->c.input == HP_INPUT_WORDS;

	if (write_config(s, net, words, err) != 0 || hp_storing_meta(s, "task", hp_task_name(net->c.task), err) != 0)
		return HP_FAIL;
	if (embeds && (hp_storing_meta(s, "pos", hp_pos_name(lex->pos), err) != 0 ||
	               hp_storing_meta(s, "lower", lex->lower ? "1" : "0", err) != 0))
		return HP_FAIL;
	snprintf(text, sizeof text, "%d", beam);
	if (beam > 1 && hp_storing_meta(s, "beam", text, err) != 0)
		return HP_FAIL;
	if (hp_storing_notes(s, notes, err) != 0 || add_params(s, p, words, err) != 0)
		return HP_FAIL;
	return add_vocabs(s, lex, embeds ? words : NULL, err);
}

int hp_parser_store(const hp_trainer *t, const char *path, const hp_store_notes *notes, hp_error *err)
{
	const hp_parser *p = t->work;
	hp_storing *s = NULL;
	hp_vocab *words = hp_lexicon_all_words(&p->data.lexicon);
	int status = words ? hp_storing_new(t->hyper.store_half, t->hyper.store_bytes, &s, err) : hp_fail_memory(err);

	if (status == 0)
		status = add_all(s, p, t->hyper.beam, words, notes, err);
	if (status == 0)
		status = hp_storing_save(s, notes->id, path, err);
	hp_storing_destroy(s);
	hp_vocab_destroy(words);
	return status;
}
