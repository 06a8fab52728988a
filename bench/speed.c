/* speed.c: training and parsing in memory, at full size, with random parameters. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "nn/adam.h"
#include "nn/bf16.h"
#include "nn/digits.h"
#include "nn/gemm.h"
#include "nn/int8.h"
#include "pointer/parse.h"

typedef struct speed {
	const bench_options *o;
	bench_text text;
	bench_plan plan;
	hp_net_config config;
	hp_net *net;
	hp_pool *pool;
	hp_arena *arena;
	hp_adam adam;
	uint64_t step; /* training steps made */
} speed;

static void speed_open(speed *s, const bench_options *o, bool grads)
{
	hp_error err;

	*s = (speed){.o = o, .pool = bench_need(hp_pool_new(o->threads)), .arena = bench_need(hp_arena_new())};
	bench_check(hp_gemm_open(o->threads, &err), &err);
	bench_text_read(o->argv[0], &s->text);
	bench_plan_make(&s->text, o->batch, o->sentences, &s->plan);
	s->config = bench_full_size(&s->text, o);
	bench_check(hp_config_check(&s->config, "bench", &err), &err);
	bench_check(hp_net_new(&s->config, grads, &s->net, &err), &err);
	hp_net_init(s->net, 1);
}

static void speed_close(speed *s)
{
	hp_net_destroy(s->net);
	hp_arena_destroy(s->arena);
	hp_pool_destroy(s->pool);
	bench_plan_free(&s->plan);
	bench_text_free(&s->text);
}

/* The network's view of COUNT sentences, in the arena. */
static hp_sentences sentences_of(speed *s, int count, const bench_sent *sents)
{
	hp_sample *sample = bench_need(HP_NEW(s->arena, hp_sample, (size_t)count));
	hp_tokens *tokens = bench_need(HP_NEW(s->arena, hp_tokens, (size_t)count));

	for (int i = 0; i < count; i++) {
		sample[i] = sents[i].sample;
		tokens[i] = sents[i].tokens;
	}
	return (hp_sentences){.count = count, .sample = sample, .tokens = tokens};
}

static void train_batch(speed *s, int count, const bench_sent *sents)
{
	float rate = (float)s->o->dropout;
	hp_dropout dropout = {.word = rate,
	                      .character = rate,
	                      .pos = rate,
	                      .lstm_hidden = rate,
	                      .lstm_layers = rate,
	                      .mlp = rate,
	                      .seed = 1,
	                      .batch = s->step++};
	hp_sentences in = sentences_of(s, count, sents);
	hp_loss loss;
	hp_error err;

	if (s->o->bf16)
		bench_check(hp_params_copy_bf16(s->pool, &s->net->params, &err), &err);
	bench_check(hp_train(s->net, s->pool, s->arena, &in, rate > 0 ? &dropout : NULL, 1.0f / (float)count, &loss, &err),
	            &err);
	if (!isfinite(hp_adam_step(&s->adam, &s->net->params, 1e-3f, s->pool)))
		bench_die("the gradient is not finite");
	hp_arena_reset(s->arena);
}

static void parse_batch(speed *s, int count, const bench_sent *sents)
{
	const hp_parsing how = {.net = s->net, .special = {-1, -1, NULL}, .beam = s->o->beam, .pool = s->pool};
	hp_sentences in = sentences_of(s, count, sents);
	hp_parsed out;
	hp_error err;

	bench_check(hp_parse_sentences(&how, s->arena, &in, &out, &err), &err);
	hp_arena_reset(s->arena);
}

/* Processor time of all threads, seconds: says more than wall time when other work disturbs. */
static double cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The most memory that the process ever had, KiB. */
static long peak_memory(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss;
}

/* Visits batches in turn, for o->seconds or once each, after one that warms up; prints what came of it.  FLOPS NULL: not
 * counted. */
static void visit(speed *s, const char *what, void (*work)(speed *, int, const bench_sent *),
                  double (*flops)(const hp_net_config *, int))
{
	const bench_plan *p = &s->plan;
	int64_t words = 0;
	double sum = 0, start, wall, cpu;
	long memory = peak_memory();
	int done = 0, large = 0;

	/* The batch with the longest sentences: so all memory has been touched. */
	for (int i = 1; i < p->batches; i++)
		if (p->sent[p->first[i]].tokens.n > p->sent[p->first[large]].tokens.n)
			large = i;
	work(s, p->first[large + 1] - p->first[large], p->sent + p->first[large]);
	start = bench_now();
	cpu = cpu_now();
	do {
		int i = done++ % p->batches, count = p->first[i + 1] - p->first[i];
		const bench_sent *sents = p->sent + p->first[i];

		work(s, count, sents);
		for (int k = 0; k < count; k++) {
			words += sents[k].tokens.n - 1;
			sum += flops != NULL ? flops(&s->config, sents[k].tokens.n) : 0;
		}
		wall = bench_now() - start;
	} while (s->o->seconds > 0 ? wall < s->o->seconds : done < p->batches);
	cpu = cpu_now() - cpu;
	printf("what=%s words_per_s=%.1f gflops=%.1f words=%lld seconds=%.3f batches=%d words_per_cpu_s=%.1f threads=%d"
	       " kib=%ld\n",
	       what, (double)words / wall, sum / wall / 1e9, (long long)words, wall, done, (double)words / cpu,
	       s->o->threads, peak_memory() - memory);
}

int bench_train(const bench_options *o)
{
	speed s;
	hp_error err;

	if (o->bf16 && !hp_bf16_possible())
		bench_die("this processor has no products of BF16 numbers");
	speed_open(&s, o, true);
	bench_check(hp_adam_init(&s.adam, &s.net->params, false, &err), &err);
	s.adam.beta1 = s.adam.beta2 = 0.9f;
	s.adam.epsilon = 1e-4f;
	s.adam.clip = 5;
	visit(&s, "train", train_batch, hp_train_flops);
	hp_adam_free(&s.adam);
	speed_close(&s);
	return 0;
}

int bench_parse(const bench_options *o)
{
	speed s;
	hp_error err;

	speed_open(&s, o, false);
	bench_check(hp_net_prepare(s.net, HP_STAGE_ALL, &err), &err);
	bench_check((o->int8 ? hp_params_round : hp_params_split)(&s.net->params, &err), &err);
	visit(&s, "parse", parse_batch, o->beam == 1 ? hp_parse_flops : NULL);
	speed_close(&s);
	return 0;
}
