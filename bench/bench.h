/* bench.h: what the parts of the measuring program share.  Results go to standard output as one line of NAME=VALUE. */
#ifndef BENCH_H
#define BENCH_H
#include <stdint.h>
#include "base/arena.h"
#include "pointer/train.h"
#include "text/vocab.h"

enum { BENCH_MAX_LENGTH = 1000 }; /* words of a sentence that is made up */

/* Options of all subcommands. */
typedef struct bench_options {
	int threads, batch, sentences, length, beam, times;
	double seconds; /* 0: once through */
	double dropout;
	hp_fusion fusion;
	hp_gate gate;
	bool int8; /* parse: with rounded matrices */
	bool bf16; /* train: products in BF16 */
	const char *output;
	int argc; /* what comes after the options */
	char **argv;
} bench_options;

typedef struct bench_sent {
	hp_sample sample;
	hp_tokens tokens;
} bench_sent;

/* Sentences of a CoNLL-U file, numbered by its own words, characters, tags and labels. */
typedef struct bench_text {
	int count;
	bench_sent *sent; /* [count] */
	int64_t words;
	hp_vocab *word, *chr, *tag, *label;
	hp_arena *arena;
} bench_text;

/* Sentences in batches that both parsers visit in the same order (see peer.py, split_batches). */
typedef struct bench_plan {
	int batches;
	int *first; /* [batches + 1] into SENT */
	bench_sent *sent;
} bench_plan;

void bench_die(const char *fmt, ...) HP_PRINTF(1, 2) __attribute__((noreturn));
void bench_check(int result, const hp_error *err); /* dies of a failure */
void *bench_need(void *memory); /* dies of NULL */
double bench_now(void); /* seconds */

void bench_text_read(const char *path, bench_text *t);
void bench_text_free(bench_text *t);
/* The first LIMIT sentences. */
void bench_plan_make(const bench_text *t, int batch, int limit, bench_plan *p);
void bench_plan_free(bench_plan *p);
/* Prints a line of what one thread and o->threads do in a second, 1e9 operations: the best of many runs, each for
 * o->seconds (0: 0.2) in all, since anything slower was disturbed.  STATE [o->threads]: what each thread hands to RUN, which makes
 * OPERATIONS. */
typedef struct bench_rate {
	const char *type, *how; /* "f32", "bf16" or "int8"; by which instruction, or of which shape */
	double operations;
	void (*run)(void *state);
	void **state;
} bench_rate;
void bench_rate_print(const bench_options *o, const bench_rate *r);
int bench_processor(const bench_options *o);
int bench_openblas(const bench_options *o);
int bench_onednn(const bench_options *o); /* prints nothing where configure found none */
int bench_ours(const bench_options *o);

hp_net_config bench_full_size(const bench_text *t, const bench_options *o);

int bench_peak(const bench_options *o);
int bench_train(const bench_options *o);
int bench_parse(const bench_options *o);
int bench_model(const bench_options *o);
int bench_corpus(const bench_options *o);
int bench_count(const bench_options *o);
int bench_pipe(const bench_options *o);

#endif
