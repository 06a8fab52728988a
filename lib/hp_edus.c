/* hp_edus.c: elementary discourse units in, rhetorical trees out. */
#include "hp_parser.h"

#include <math.h>
#include <string.h>

#include "base/blank.h"
#include "rst/tree.h"

/* TAGS of EDU I, from 0, whose tokens are WORD [tokens]. */
static int take_tags(const char *tags, int i, hp_word *word, int tokens, hp_error *err)
{
	size_t size = strlen(tags);
	const char *p = tags, *end = tags + size, *fault = hp_text_fault(tags, size, true);
	int found = 0;

	if (fault || size > HP_MAX_TEXT)
		return hp_fail(err, "EDU:%d: a text of tags that %s", i + 1, fault != NULL ? fault : "is too long");
	for (;; found++) {
		while (p < end && hp_is_white(*p))
			p++;
		const char *tag = p;
		while (p < end && !hp_is_white(*p))
			p++;
		if (p == tag)
			break;
		if (found >= tokens)
			continue;
		/* The model looks at one of the two. */
		word[found].col[HP_UPOS] = word[found].col[HP_XPOS] = tag;
		word[found].len[HP_UPOS] = word[found].len[HP_XPOS] = (uint32_t)(p - tag);
	}
	if (found != tokens)
		return hp_fail(err, "EDU:%d: %d token%s, but %d tag%s", i + 1, tokens, hp_plural(tokens), found,
		               hp_plural(found));
	return 0;
}

static int check_texts(const hp_batch_edus *in, size_t *bytes, hp_error *err)
{
	if (in->edus < 1 || in->edus > HP_MAX_WORDS)
		return hp_fail(err, "a sentence of %d EDUs, expected 1 to %d", in->edus, HP_MAX_WORDS);
	if (!in->texts)
		return hp_fail(err, "texts is NULL");
	*bytes = 0;
	for (int i = 0; i < in->edus; i++) {
		if (!in->texts[i] || strchr(in->texts[i], '\n'))
			return hp_fail(err, "EDU:%d: %s", i + 1, !in->texts[i] ? "no text" : "a newline");
		*bytes += strlen(in->texts[i]);
		if (*bytes > HP_MAX_TEXT)
			return hp_fail(err, "a sentence of more than %zu MiB", HP_MAX_TEXT >> 20);
	}
	return 0;
}

static int check_sentences(const hp_batch_edus *in, hp_error *err)
{
	int last = -1;

	if (in->sents < 0 || (in->sents > 0 && !in->sent_end))
		return hp_fail(err, in->sents < 0 ? "a document of %d sentences, expected 0 or more" : "sent_end is NULL",
		               in->sents);
	for (int i = 0; i < in->sents; last = in->sent_end[i++])
		if (in->sent_end[i] <= last || in->sent_end[i] >= in->edus)
			return hp_fail(err, "sentence:%d: ends with EDU %ld, from 0, expected one from %d to %d", i + 1,
			               (long)in->sent_end[i], last + 1, in->edus - 1);
	if (in->sents > 0 && last != in->edus - 1)
		return hp_fail(err, "the last sentence ends with EDU %d, from 0, expected %d", last, in->edus - 1);
	for (int i = 0; in->sents > 0 && in->paragraph && i < in->edus; i++)
		if (in->paragraph[i] != 0 && in->paragraph[i] != 1)
			return hp_fail(err, "EDU:%d: paragraph is %ld, expected 0 or 1", i + 1, (long)in->paragraph[i]);
	return 0;
}

static int read_edus(hp_arena *arena, const void *sentences, int sentence, hp_text *out, hp_error *err)
{
	const hp_batch_edus *in = (const hp_batch_edus *)sentences + sentence;
	hp_edus *edus = &out->edus;

	if (check_texts(in, &out->bytes, err) != 0 || check_sentences(in, err) != 0 ||
	    hp_edus_take(in->edus, in->texts, (hp_edus_source){"EDU", 1, 1, HP_MAX_WORDS}, arena, edus, &out->words, err) !=
	        0)
		return HP_FAIL;
	for (int i = 0; in->tags != NULL && i < in->edus; i++) {
		int from = i > 0 ? edus->ends[i - 1] + 1 : 0;

		if (in->tags[i] && take_tags(in->tags[i], i, out->words.word + from, edus->ends[i] + 1 - from, err) != 0)
			return HP_FAIL;
	}
	out->fixed = in->fixed;
	out->sents = in->sents;
	out->sent_end = in->sent_end;
	out->paragraph = in->sents > 0 ? in->paragraph : NULL;
	return 0;
}

int hp_edus_number(hp_parser *p, const hp_text *text, hp_group *g, hp_error *err)
{
	int i = g->count - 1;

	g->sample[i] = (hp_sample){.rows = text->words.words,
	                           .units = text->edus.edus,
	                           .ends = text->edus.ends,
	                           .fixed = text->fixed,
	                           .sents = text->sents,
	                           .sent_end = text->sent_end,
	                           .paragraph = text->paragraph};
	return hp_model_tokens(p->model, p->work, &text->words, &g->tokens[i], err);
}

/* Row I of the structure as the caller sees it. */
static int tell_split(hp_parser *p, const hp_parsed *from, size_t i, hp_edu_split *out)
{
	static const char *const names[] = {[HP_RST_NS] = "NS", [HP_RST_SN] = "SN", [HP_RST_NN] = "NN"};
	const char *label = hp_vocab_at(p->model->labels, from->labels[i], NULL);
	const int32_t *split = from->trees.tree + 3 * i;
	hp_rst_nuclearity nuclearity = HP_RST_NN;
	size_t size = 0;

	(void)hp_rst_label_parts(label, &size, &nuclearity); /* hp_model_open has seen to it */
	char *relation = HP_NEW(p->trees, char, size + 1);
	if (!relation)
		return HP_FAIL;
	memcpy(relation, label, size);
	relation[size] = '\0';
	*out = (hp_edu_split){.first = split[0],
	                      .mid = split[1],
	                      .last = split[2],
	                      .nuclearity = names[nuclearity],
	                      .relation = relation,
	                      .split_prob = expf(from->trees.logp[i]),
	                      .label_prob = expf(from->label_logp[i])};
	return 0;
}

const void *hp_edus_tell(hp_parser *p, const hp_parsed *from, const hp_result *tree, const void *next)
{
	hp_edu_split *split = HP_NEW(p->trees, hp_edu_split, (size_t)tree->results + 1);
	hp_edu_tree *out = HP_NEW(p->trees, hp_edu_tree, 1);

	if (hp_arena_failed(p->trees))
		return NULL;
	for (int i = 0; i < tree->results; i++)
		if (tell_split(p, from, tree->at + (size_t)i, &split[i]) != 0)
			return NULL;
	*out = (hp_edu_tree){tree->results + 1, split, tree->score, next};
	return out;
}

static const hp_kind edus_kind = {true, read_edus, hp_edus_number, hp_edus_tell};

int hp_parse_edus(hp_parser *parser, int edus, const char *const *texts, const hp_edu_tree **tree, hp_error *err)
{
	const hp_batch_edus in = {.edus = edus, .texts = texts};

	if (!tree)
		return hp_fail_null(err, "hp_parse_edus", "tree");
	return hp_run(parser, &(hp_call){&edus_kind, "hp_parse_edus", true, 1, &in, tree}, err);
}

int hp_parse_edus_batch(hp_parser *parser, int count, const hp_batch_edus *sentences, const hp_edu_tree **trees,
                        hp_error *err)
{
	return hp_run(parser, &(hp_call){&edus_kind, "hp_parse_edus_batch", false, count, sentences, trees}, err);
}
