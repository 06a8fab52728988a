/* text.c: the sentences that are measured with, and their batches. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/conllu.h"
#include "base/utf8.h"

static hp_vocab *new_vocab(bool reserved)
{
	hp_vocab *v = bench_need(hp_vocab_new());

	if (reserved) {
		hp_vocab_add(v, HP_ROOT_NAME, strlen(HP_ROOT_NAME));
		hp_vocab_add(v, HP_UNKNOWN_NAME, strlen(HP_UNKNOWN_NAME));
	}
	return v;
}

static int32_t number(hp_vocab *v, const char *s, size_t size)
{
	int id = hp_vocab_add(v, s, size);

	if (id < 0)
		bench_die("out of memory");
	return id;
}

static int32_t number_chars(hp_vocab *v, const char *s, size_t size, int32_t *out)
{
	int32_t count = 0, code;

	for (size_t i = 0; i < size;) {
		int length = hp_utf8_decode(s + i, size - i, &code);
		out[count++] = number(v, s + i, length > 0 ? (size_t)length : 1);
		i += length > 0 ? (size_t)length : 1;
	}
	return count;
}

static void add_sentence(bench_text *t, const hp_sentence *s, const char *name, bench_sent *out)
{
	size_t n = (size_t)s->words + 1, bytes = 1;
	hp_error err;

	for (int i = 0; i < s->words; i++)
		bytes += s->word[i].len[HP_FORM];
	int32_t *words = bench_need(HP_NEW0(t->arena, int32_t, n)), *pos = bench_need(HP_NEW0(t->arena, int32_t, n));
	int32_t *chars = bench_need(HP_NEW0(t->arena, int32_t, bytes)),
	                            *lengths = bench_need(HP_NEW0(t->arena, int32_t, n));
	int32_t *heads = bench_need(HP_NEW0(t->arena, int32_t, n)), *labels = bench_need(HP_NEW0(t->arena, int32_t, n));
	int32_t used = lengths[0] = 1;

	bench_check(hp_sentence_tree(s, name, heads, &err), &err);
	for (int i = 0; i < s->words; i++) {
		const hp_word *w = &s->word[i];

		words[i + 1] = number(t->word, w->col[HP_FORM], w->len[HP_FORM]);
		pos[i + 1] = number(t->tag, w->col[HP_UPOS], w->len[HP_UPOS]);
		labels[i + 1] = number(t->label, w->col[HP_DEPREL], w->len[HP_DEPREL]);
		lengths[i + 1] = number_chars(t->chr, w->col[HP_FORM], w->len[HP_FORM], chars + used);
		used += lengths[i + 1];
	}
	out->sample = (hp_sample){.rows = (int)n, .units = (int)n, .tree = heads, .labels = labels};
	out->tokens = (hp_tokens){.n = (int)n, .words = words, .pos = pos, .chars = chars, .char_lengths = lengths};
}

void bench_text_read(const char *path, bench_text *t)
{
	hp_input *in;
	hp_conllu_reader *reader;
	hp_sentence s;
	hp_error err;
	int capacity = 0, result;

	*t = (bench_text){.word = new_vocab(true),
	                  .chr = new_vocab(true),
	                  .tag = new_vocab(true),
	                  .label = new_vocab(false),
	                  .arena = bench_need(hp_arena_new())};
	bench_check(hp_input_open(path, &in, &err), &err);
	bench_check(hp_conllu_reader_new(in, HP_TEXT_CONLLU, 20000, &reader, &err), &err);
	hp_sentence_init(&s);
	while ((result = hp_conllu_read(reader, &s, &err)) == 1) {
		if (s.words == 0)
			continue;
		if (t->count == capacity) {
			capacity = capacity ? 2 * capacity : 1024;
			t->sent = bench_need(realloc(t->sent, (size_t)capacity * sizeof(*t->sent)));
		}
		add_sentence(t, &s, path, &t->sent[t->count++]);
		t->words += s.words;
	}
	bench_check(result, &err);
	if (t->count == 0)
		bench_die("%s: no sentences", path);
	hp_sentence_free(&s);
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
}

void bench_text_free(bench_text *t)
{
	hp_vocab_destroy(t->word);
	hp_vocab_destroy(t->chr);
	hp_vocab_destroy(t->tag);
	hp_vocab_destroy(t->label);
	hp_arena_destroy(t->arena);
	free(t->sent);
}

/* ---- batches ---- */

static int by_length(const void *a, const void *b)
{
	const bench_sent *x = *(const bench_sent *const *)a, *y = *(const bench_sent *const *)b;

	int n = x->tokens.n, m = y->tokens.n;

	return n != m ? (n > m) - (n < m) : (x > y) - (x < y);
}

static int gcd(int a, int b)
{
	return b == 0 ? a : gcd(b, a % b);
}

void bench_plan_make(const bench_text *t, int batch, int limit, bench_plan *p)
{
	int count = t->count < limit ? t->count : limit;
	const bench_sent **sorted = bench_need(malloc((size_t)count * sizeof(*sorted)));

	p->batches = (count + batch - 1) / batch;
	p->first = bench_need(malloc(((size_t)p->batches + 1) * sizeof(*p->first)));
	p->sent = bench_need(malloc((size_t)count * sizeof(*p->sent)));
	for (int i = 0; i < count; i++)
		sorted[i] = &t->sent[i];
	qsort(sorted, (size_t)count, sizeof(*sorted), by_length);
	/* The batches in an order that mixes lengths: a stride of about the golden section. */
	int stride = (int)(p->batches * 0.618) > 1 ? (int)(p->batches * 0.618) : 1, used = 0;
	while (gcd(stride, p->batches) != 1)
		stride++;
	for (int i = 0; i < p->batches; i++) {
		int from = (int)((int64_t)i * stride % p->batches) * batch;

		p->first[i] = used;
		for (int k = from; k < from + batch && k < count; k++)
			p->sent[used++] = *sorted[k];
	}
	p->first[p->batches] = used;
	free(sorted);
}

void bench_plan_free(bench_plan *p)
{
	free(p->first);
	free(p->sent);
}

hp_net_config bench_full_size(const bench_text *t, const bench_options *o)
{
	return (hp_net_config){.task = HP_TASK_DEP,
	                       .input = HP_INPUT_WORDS,
	                       .embedding.words = hp_vocab_count(t->word),
	                       .embedding.word_dim = 100,
	                       .embedding.chars = hp_vocab_count(t->chr),
	                       .embedding.char_dim = 100,
	                       .embedding.char_filters = 100,
	                       .embedding.char_window = 3,
	                       .embedding.tags = hp_vocab_count(t->tag),
	                       .embedding.pos_dim = 100,
	                       .hidden = 512,
	                       .layers = 3,
	                       .decoder_hidden = 512,
	                       .decoder_input = 256,
	                       .arc_mlp = 512,
	                       .label_mlp = 128,
	                       .labels = hp_vocab_count(t->label),
	                       .fusion = o->fusion,
	                       .gate = o->gate};
}

int bench_count(const bench_options *o)
{
	bench_text t;

	bench_text_read(o->argv[0], &t);
	printf("sentences=%d words=%lld forms=%d labels=%d\n", t.count, (long long)t.words, hp_vocab_count(t.word) - 2,
	       hp_vocab_count(t.label));
	bench_text_free(&t);
	return 0;
}
