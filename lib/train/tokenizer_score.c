/* tokenizer_score.c: what a tokeniser makes of a treebank's text, compared with the treebank. */
#include <string.h>
#include "eval/tally.h"
#include "tokenize/decide.h"
#include "tokenize/splitter.h"
#include "train/tokenizer.h"

enum { PART = 1 << 16 }; /* bytes */
enum { TOKENS, WORDS, SENTENCES, MEASURED };

typedef struct gold_token {
	size_t from, to; /* bytes */
	int line; /* of a multiword token, else -1 */
	bool ends; /* a sentence */
} gold_token;

typedef struct matching {
	const hp_tok_gold *gold;
	int sign; /* the gold text's next */
	int multi; /* the next of its multiword tokens */
	gold_token token; /* its current one */
	bool left; /* there is one */
	size_t begun; /* where its sentence begins */
	size_t at; /* bytes of the system's text so far */
	hp_tally tally[MEASURED];
} matching;

/* Gold's next token. */
static void next_gold(matching *m)
{
	const hp_tok_gold *g = m->gold;
	gold_token *t = &m->token;

	while (m->sign < g->text.count && hp_sign_is_white(&g->text.sign[m->sign]))
		m->sign++;
	m->left = m->sign < g->text.count;
	if (!m->left)
		return;
	t->from = g->text.sign[m->sign].at;
	while (g->gold[m->sign] <= HP_TOK_INSIDE)
		m->sign++;
	hp_tok_class c = (hp_tok_class)g->gold[m->sign];
	t->to = hp_sign_end(&g->text, m->sign++);
	t->line = hp_tok_is_multi(c) ? g->multi_line[m->multi++] : -1;
	t->ends = hp_tok_ends_sentence(c);
}

/* Words of the gold token, the token itself where it is one. */
static int gold_words(const matching *m, hp_piece words[HP_MOST_WORDS + 1])
{
	const hp_tok_gold *g = m->gold;
	size_t size;
	int n = 0;

	words[0] = (hp_piece){g->text.text + m->token.from, m->token.to - m->token.from};
	if (m->token.line < 0)
		return 1;
	const char *at = hp_vocab_at(g->lines, m->token.line, &size), *end = at + size;
	for (at += strcspn(at, "\t") + 1; at < end && n < HP_MOST_WORDS; n++) {
		words[n] = (hp_piece){at, strcspn(at, "\t")};
		at += words[n].size + 1;
	}
	return n;
}

/* The longest common subsequence, as the CoNLL 2018 scorer aligns words of multiword tokens. */
static int common(int n, const hp_piece *a, int m, const hp_piece *b)
{
	int best[HP_MOST_WORDS + 2] = {0};

	for (int i = 0; i < n; i++) {
		int corner = 0;
		for (int k = 0; k < m; k++) {
			bool same = a[i].size == b[k].size && memcmp(a[i].text, b[k].text, a[i].size) == 0;
			int above = best[k + 1], here = same ? corner + 1 : above > best[k] ? above : best[k];
			corner = above;
			best[k + 1] = here;
		}
	}
	return best[m];
}

/* Gold's tokens before byte TO are done with. */
static void pass_gold(matching *m, size_t to)
{
	hp_piece words[HP_MOST_WORDS + 1];

	while (m->left && m->token.to < to) {
		m->tally[TOKENS].gold++;
		m->tally[WORDS].gold += gold_words(m, words);
		m->tally[SENTENCES].gold += m->token.ends;
		if (m->token.ends)
			m->begun = SIZE_MAX;
		next_gold(m);
		if (m->begun == SIZE_MAX)
			m->begun = m->token.from;
	}
}

static void match(matching *m, const hp_split_sentence *s)
{
	size_t begun = SIZE_MAX;

	m->at += s->before.size;
	for (int i = 0; i < s->tokens; i++) {
		const hp_token *t = &s->token[i];
		size_t from = m->at, to = from + t->text.size;
		hp_piece words[HP_MOST_WORDS + 1];
		begun = i == 0 ? from : begun;
		m->at = to + t->space.size;
		m->tally[TOKENS].system++;
		m->tally[WORDS].system += t->words ? t->words : 1;
		pass_gold(m, to);
		if (!m->left || m->token.to != to)
			continue;
		if (m->token.from == from) {
			m->tally[TOKENS].correct++;
			m->tally[WORDS].correct +=
				common(gold_words(m, words), words, t->words ? t->words : 1, t->words ? t->word : &t->text);
		}
		m->tally[SENTENCES].correct += i == s->tokens - 1 && m->token.ends && m->begun == begun;
	}
	m->tally[SENTENCES].system += s->tokens > 0;
}

/* ---- a text ---- */

static int match_all(matching *m, hp_splitter *splitter, hp_error *err)
{
	hp_split_sentence s;
	int got;

	while ((got = hp_splitter_next(splitter, &s, err)) > 0)
		match(m, &s);
	return got;
}

static int split(matching *m, hp_splitter *splitter, hp_error *err)
{
	const hp_signs *text = &m->gold->text;

	hp_splitter_begin(splitter, "the text of a treebank");
	for (size_t at = 0; at < text->size; at += PART) {
		size_t size = text->size - at < PART ? text->size - at : PART;
		if (hp_splitter_add(splitter, text->text + at, size, err) != 0 || match_all(m, splitter, err) != 0)
			return HP_FAIL;
	}
	return hp_splitter_pause(splitter, true, err) != 0 ? HP_FAIL : match_all(m, splitter, err);
}

static int score(const hp_trainer *t, const hp_tok_model *model, const hp_tok_gold *gold, hp_score *out, hp_error *err)
{
	matching m = {.gold = gold};
	hp_tally all = {0};
	hp_splitter *splitter = NULL;
	int status = hp_splitter_new(model, t->pool, HP_SPLIT_TEXT, t->setup->max_words, &splitter, err);

	next_gold(&m);
	m.begun = m.token.from;
	if (status == 0)
		status = split(&m, splitter, err);
	hp_splitter_destroy(splitter);
	if (status != 0)
		return HP_FAIL;
	pass_gold(&m, SIZE_MAX);
	*out = (hp_score){.words = m.tally[WORDS].gold};
	for (int i = 0; i < MEASURED; i++) {
		out->percent[i] = 100 * hp_tally_value(&m.tally[i], HP_F1);
		hp_tally_add(&all, &m.tally[i], 1);
	}
	out->percent[MEASURED] = 100 * hp_tally_value(&all, HP_F1);
	return 0;
}

int hp_tokenizer_score_dev(hp_trainer *t, hp_score *out, hp_error *err)
{
	const hp_tokenizer *w = t->work;
	hp_tok_model model = {.alphabet = w->alphabet, .expander = w->expander, .spaces = w->train.spaces};

	if (hp_tok_runner_new(&w->net, &model.runner, err) != 0)
		return HP_FAIL;
	int status = score(t, &model, &w->dev, out, err);
	hp_tok_runner_destroy(model.runner);
	return status;
}

int hp_tokenizer_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err)
{
	const hp_tokenizer *w = t->work;
	hp_tok_model *model;

	if (hp_tok_model_open(path, &model, err) != 0)
		return HP_FAIL;
	int status = score(t, model, &w->test, out, err);
	hp_tok_model_close(model);
	return status;
}
