/* test_elmo.c: random ELMo models against the same computed by plain loops in double precision; neighbours, threads and
 * pieces make no difference; what is no model is refused. */
#include <math.h>
#include <unistd.h>

#include "base/rng.h"
#include "elmo/elmo.h"
#include "io/safetensors.h"
#include "unit.h"

enum { GROUPS = 3, TENSORS = 64, CHARACTERS = 261 };

typedef struct tensor {
	char name[64];
	int rank;
	int64_t shape[4];
	float *data;
	hp_dtype dtype;
} tensor;

typedef struct plain {
	int longest, dim, width[GROUPS], number[GROUPS], F, highways, P, H, layers;
	bool tanh, skip;
	float clip[2]; /* 0: none */
	int clipped[2]; /* how often */
	tensor t[TENSORS];
	int count;
	hp_rng rng;
	char path[64];
} plain;

/* ---- a random model ---- */

static void add(plain *m, double size, const char *name, int rank, int64_t a, int64_t b, int64_t c)
{
	tensor *t = &m->t[m->count++];
	size_t n = (size_t)(a * (rank > 1 ? b : 1) * (rank > 2 ? c : 1));

	assert_true(m->count <= TENSORS);
	*t = (tensor){.rank = rank, .shape = {a, b, c}, .dtype = HP_F32, .data = malloc(n * sizeof(float))};
	snprintf(t->name, sizeof(t->name), "%s", name);
	for (size_t i = 0; i < n; i++)
		t->data[i] = (float)(size * hp_rng_normal(&m->rng));
}

static tensor *get(plain *m, const char *name)
{
	for (int i = 0; i < m->count; i++) {
		if (strcmp(m->t[i].name, name) == 0)
			return &m->t[i];
	}
	fail_msg("no tensor %s", name);
	return NULL;
}

HP_PRINTF(2, 3) static const float *weights(plain *m, const char *format, ...)
{
	char name[64];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return get(m, name)->data;
}

static void fill(plain *m)
{
	char name[96];

	hp_rng_seed(&m->rng, 7, (uint64_t)m->layers);
	add(m, 1, "char.embed", 2, CHARACTERS, m->dim, 0);
	for (int i = 0; i < GROUPS; i++) {
		snprintf(name, sizeof(name), "cnn.%d.weight", i);
		add(m, 0.3, name, 3, m->number[i], m->width[i], m->dim);
		snprintf(name, sizeof(name), "cnn.%d.bias", i);
		add(m, 0.3, name, 1, m->number[i], 0, 0);
		m->F += m->number[i];
	}
	for (int i = 0; i < 2 * m->highways; i++) {
		snprintf(name, sizeof(name), "highway.%d.%s.weight", i / 2, i % 2 ? "carry" : "transform");
		add(m, 1 / sqrt(m->F), name, 2, m->F, m->F, 0);
		snprintf(name, sizeof(name), "highway.%d.%s.bias", i / 2, i % 2 ? "carry" : "transform");
		add(m, 0.3, name, 1, m->F, 0, 0);
	}
	add(m, 1 / sqrt(m->F), "projection.weight", 2, m->P, m->F, 0);
	add(m, 0.3, "projection.bias", 1, m->P, 0, 0);
	for (int i = 0; i < 2 * m->layers; i++) {
		const char *way = i % 2 ? "backward" : "forward";
		snprintf(name, sizeof(name), "lstm.%d.%s.input", i / 2, way);
		add(m, 2 / sqrt(m->P), name, 2, 4 * m->H, m->P, 0);
		snprintf(name, sizeof(name), "lstm.%d.%s.state", i / 2, way);
		add(m, 2 / sqrt(m->P), name, 2, 4 * m->H, m->P, 0);
		snprintf(name, sizeof(name), "lstm.%d.%s.bias", i / 2, way);
		add(m, 0.3, name, 1, 4 * m->H, 0, 0);
		snprintf(name, sizeof(name), "lstm.%d.%s.projection", i / 2, way);
		add(m, 1 / sqrt(m->H), name, 2, m->P, m->H, 0);
	}
	add(m, 0, "lstm.clip", 1, 2, 0, 0);
	memcpy(m->t[m->count - 1].data, m->clip, sizeof(m->clip));
}

static void destroy(plain *m)
{
	for (int i = 0; i < m->count; i++)
		free(m->t[i].data);
	unlink(m->path);
	free(m);
}

/* Saves the model with the value VALUE for KEY of the metadata (NULL: without that key). */
static void save_with(plain *m, const char *key, const char *value)
{
	char longest[16];
	const char *meta[][2] = {{"hp_elmo", "1"},
	                         {"max_characters", longest},
	                         {"activation", m->tanh ? "tanh" : "relu"},
	                         {"skip", m->skip ? "1" : "0"},
	                         {"elmo_id", "tiny"}};
	hp_st_writer *w = hp_st_writer_new();

	snprintf(longest, sizeof(longest), "%d", m->longest);
	for (size_t i = 0; i < sizeof(meta) / sizeof(*meta); i++) {
		const char *v = strcmp(meta[i][0], key) == 0 ? value : meta[i][1];
		if (v)
			assert_int_equal(hp_st_writer_meta(w, meta[i][0], v, NULL), 0);
	}
	for (int i = 0; i < m->count; i++)
		assert_int_equal(
			hp_st_writer_tensor(w, m->t[i].name, m->t[i].dtype, m->t[i].rank, m->t[i].shape, m->t[i].data, NULL), 0);
	assert_int_equal(hp_st_writer_save(w, m->path, NULL), 0);
	hp_st_writer_destroy(w);
}

static plain *start(const plain *sizes)
{
	plain *m = malloc(sizeof(*m));

	*m = *sizes;
	snprintf(m->path, sizeof(m->path), "/tmp/test_elmo.XXXXXX");
	close(mkstemp(m->path));
	fill(m);
	save_with(m, "", NULL);
	return m;
}

/* More units, columns and filters than one block has. */
static const plain clipping = {.longest = 12,
                               .dim = 3,
                               .width = {1, 3, 7},
                               .number = {5, 260, 8},
                               .highways = 2,
                               .P = 136,
                               .H = 270,
                               .layers = 2,
                               .skip = true,
                               .clip = {0.9f, 0.5f}};
static const plain other = {.longest = 9,
                            .dim = 4,
                            .width = {2, 9, 1},
                            .number = {6, 3, 8},
                            .highways = 0,
                            .P = 7,
                            .H = 5,
                            .layers = 3,
                            .tanh = true};
static const plain one_layer = {.longest = 50,
                                .dim = 2,
                                .width = {1, 2, 3},
                                .number = {16, 16, 16},
                                .highways = 1,
                                .P = 16,
                                .H = 32,
                                .layers = 1,
                                .skip = true,
                                .clip = {0, 0.4f}};

/* ---- the same, plainly ---- */

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double dot(int n, const float *w, const double *x)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (double)w[i] * x[i];
	return sum;
}

/* MARK: the character of a boundary, or -1. */
static void plain_word(plain *m, const hp_elmo_word *word, int mark, double *y)
{
	int c[64], n = 0;
	double x[512], next[512];

	for (int i = 0; i < m->longest; i++)
		c[i] = 260;
	c[n++] = 258;
	if (mark < 0 && word->size == 3 && memcmp(word->text, "<S>", 3) == 0)
		mark = 256;
	if (mark < 0 && word->size == 4 && memcmp(word->text, "</S>", 4) == 0)
		mark = 257;
	if (mark >= 0)
		c[n++] = mark;
	else
		for (size_t i = 0; i < word->size && (int)i < m->longest - 2; i++)
			c[n++] = (unsigned char)word->text[i];
	c[n] = 259;
	n = 0;
	for (int g = 0; g < GROUPS; g++) {
		const float *w = weights(m, "cnn.%d.weight", g), *b = weights(m, "cnn.%d.bias", g),
					*embed = weights(m, "char.embed");
		for (int f = 0; f < m->number[g]; f++) {
			double top = -INFINITY;
			for (int from = 0; from + m->width[g] <= m->longest; from++) {
				double sum = b[f];
				for (int k = 0; k < m->width[g]; k++)
					for (int e = 0; e < m->dim; e++)
						sum += (double)w[(f * m->width[g] + k) * m->dim + e] * embed[c[from + k] * m->dim + e];
				top = fmax(top, sum);
			}
			x[n++] = m->tanh ? tanh(top) : fmax(top, 0);
		}
	}
	for (int h = 0; h < m->highways; h++) {
		for (int f = 0; f < n; f++) {
			double t = weights(m, "highway.%d.transform.bias", h)[f] +
			           dot(n, weights(m, "highway.%d.transform.weight", h) + f * n, x);
			double g = sigmoid(weights(m, "highway.%d.carry.bias", h)[f] +
			                   dot(n, weights(m, "highway.%d.carry.weight", h) + f * n, x));
			next[f] = g * fmax(t, 0) + (1 - g) * x[f];
		}
		memcpy(x, next, sizeof(x));
	}
	for (int p = 0; p < m->P; p++)
		y[p] = weights(m, "projection.bias")[p] + dot(n, weights(m, "projection.weight") + p * n, x);
}

static double clipped(plain *m, int which, double x)
{
	if (m->clip[which] == 0 || fabs(x) <= m->clip[which])
		return x;
	m->clipped[which]++;
	return x > 0 ? m->clip[which] : -m->clip[which];
}

/* One step: H [P] and C [H] become the next ones. */
static void plain_step(plain *m, int layer, const char *way, const double *x, double *h, double *c)
{
	const float *input = weights(m, "lstm.%d.%s.input", layer, way),
				*state = weights(m, "lstm.%d.%s.state", layer, way);
	const float *bias = weights(m, "lstm.%d.%s.bias", layer, way);
	double a[4], *cells = malloc((size_t)m->H * sizeof(double));

	for (int u = 0; u < m->H; u++) {
		for (int g = 0; g < 4; g++) {
			int r = g * m->H + u;
			a[g] = bias[r] + dot(m->P, input + r * m->P, x) + dot(m->P, state + r * m->P, h);
		}
		c[u] = clipped(m, 0, sigmoid(a[1]) * c[u] + sigmoid(a[0]) * tanh(a[2]));
		cells[u] = sigmoid(a[3]) * tanh(c[u]);
	}
	for (int p = 0; p < m->P; p++)
		h[p] = clipped(m, 1, dot(m->H, weights(m, "lstm.%d.%s.projection", layer, way) + p * m->H, cells));
	free(cells);
}

/* STATES [layers × 2 × (P + H)] are carried on.  OUT as hp_elmo_run has it. */
static void plain_sentence(plain *m, const hp_elmo_sentence *s, double *states, double *out)
{
	int n = s->count + 2, P = m->P;
	double *x[2], *y[2];

	for (int d = 0; d < 2; d++) {
		x[d] = malloc((size_t)(n * P) * sizeof(double));
		y[d] = malloc((size_t)(n * P) * sizeof(double));
		for (int t = 0; t < n; t++)
			plain_word(m, t > 0 && t < n - 1 ? &s->words[t - 1] : NULL,
			           t == 0       ? 256
			           : t == n - 1 ? 257
			                        : -1,
			           x[d] + t * P);
	}
	for (int layer = -1; layer < m->layers; layer++) {
		for (int d = 0; d < 2; d++) {
			double *h = states + (layer * 2 + d) * (P + m->H), *from = x[d];
			for (int i = 0; i < n && layer >= 0; i++) {
				int t = d ? n - 1 - i : i;
				plain_step(m, layer, d ? "backward" : "forward", x[d] + t * P, h, h + P);
				for (int p = 0; p < P; p++)
					y[d][t * P + p] = h[p] + (m->skip && layer > 0 ? x[d][t * P + p] : 0);
			}
			if (layer >= 0) {
				x[d] = y[d];
				y[d] = from;
			}
			for (int t = 1; t < n - 1; t++)
				memcpy(out + ((layer + 1) * s->count + t - 1) * 2 * P + d * P, x[d] + t * P,
				       (size_t)P * sizeof(double));
		}
	}
	for (int d = 0; d < 2; d++) {
		free(x[d]);
		free(y[d]);
	}
}

/* ---- sentences ---- */

typedef struct text {
	int count;
	hp_elmo_sentence *sentences;
	float *out;
	size_t size; /* of out */
	size_t *at;
	hp_elmo_word *words;
} text;

static const char *const forms[] = {"a",
                                    "word",
                                    "words",
                                    "incomprehensibilities",
                                    "\xe2\x80\xa2",
                                    ("Stra\xc3\x9f"
                                     "e"),
                                    ".",
                                    "",
                                    "\xff\xfe",
                                    "of",
                                    "<S>",
                                    "</S>",
                                    "<s>"};

/* COUNT sentences of lengths LENGTHS[i % KINDS], words from the list above in a changing order. */
static void make_text(text *x, const plain *m, int count, int kinds, const int *lengths)
{
	size_t words = 0, at = 0;

	*x = (text){.count = count,
	            .sentences = calloc((size_t)count, sizeof(hp_elmo_sentence)),
	            .at = calloc((size_t)count, sizeof(size_t))};
	for (int i = 0; i < count; i++)
		words += (size_t)lengths[i % kinds];
	x->size = words * (size_t)(m->layers + 1) * 2 * (size_t)m->P;
	x->out = calloc(x->size, sizeof(float));
	x->words = calloc(words, sizeof(hp_elmo_word));
	for (size_t i = 0; i < words; i++) {
		const char *form = forms[(i * i + i / 13) % 13];
		x->words[i] = (hp_elmo_word){form, strlen(form)};
	}
	for (int i = 0; i < count; i++) {
		int n = lengths[i % kinds];
		x->at[i] = at * (size_t)(m->layers + 1) * 2 * (size_t)m->P;
		x->sentences[i] = (hp_elmo_sentence){n, x->words + at, x->out + x->at[i]};
		at += (size_t)n;
	}
}

static void free_text(text *x)
{
	free(x->sentences);
	free(x->out);
	free(x->at);
	free(x->words);
}

static hp_elmo *opened(plain *m, hp_pool *pool)
{
	hp_elmo *e;
	hp_error err;

	if (hp_elmo_open(m->path, pool, &e, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(hp_elmo_layers(e), m->layers);
	assert_int_equal(hp_elmo_width(e), 2 * m->P);
	assert_string_equal(hp_elmo_id(e), "tiny");
	return e;
}

static void run(const hp_elmo *e, hp_pool *pool, hp_elmo_lanes *lanes, int count, const hp_elmo_sentence *sentences)
{
	hp_arena *arena = hp_arena_new();
	hp_error err;

	if (hp_elmo_run(e, pool, arena, lanes, count, sentences, &err) != 0)
		fail_msg("%s", err.text);
	hp_arena_destroy(arena);
}

static void near(size_t n, const float *x, const double *expected, const char *what)
{
	for (size_t i = 0; i < n; i++) {
		if (!(fabs(x[i] - expected[i]) <= 1e-5))
			fail_msg("%s: number %zu is %.9g, expected %.9g", what, i, x[i], expected[i]);
	}
}

/* LANES 0: states are reset. */
static void compare(plain *m, int lanes, int count, int kinds, const int *lengths)
{
	size_t size = (size_t)(m->layers * 2 * (m->P + m->H)) * sizeof(double);
	char *states = calloc((size_t)(lanes + 1), size);
	hp_elmo *e = opened(m, NULL);
	hp_elmo_lanes *carry = NULL;
	text x;

	make_text(&x, m, count, kinds, lengths);
	if (lanes)
		assert_int_equal(hp_elmo_lanes_new(e, lanes, &carry, NULL), 0);
	run(e, NULL, carry, count, x.sentences);
	for (int i = 0; i < count; i++) {
		size_t n = (size_t)(m->layers + 1) * (size_t)x.sentences[i].count * 2 * (size_t)m->P;
		double *expected = malloc(n * sizeof(double));
		if (!lanes)
			memset(states, 0, size);
		plain_sentence(m, &x.sentences[i], (double *)(states + (lanes ? (size_t)(i % lanes) * size : 0)), expected);
		near(n, x.sentences[i].out, expected, "a sentence");
		free(expected);
	}
	hp_elmo_lanes_destroy(carry);
	hp_elmo_close(e);
	free_text(&x);
	free(states);
}

TEST(values)
{
	static const int few[] = {3, 1, 5}, more[] = {4, 10, 1, 7, 7};
	plain *m = start(&clipping);

	compare(m, 0, 3, 3, few);
	assert_true(m->clipped[0] > 100 && m->clipped[1] > 100); /* or the test would say nothing of it */
	destroy(m);
	m = start(&other);
	compare(m, 0, 80, 5, more);
	destroy(m);
	m = start(&one_layer);
	compare(m, 0, 70, 5, more);
	assert_true(m->clipped[0] == 0 && m->clipped[1] > 0);
	destroy(m);
}

TEST(carried)
{
	static const int lengths[] = {3, 1, 5, 2};
	plain *m = start(&clipping);

	compare(m, 2, 5, 4, lengths);
	destroy(m);
	m = start(&other);
	compare(m, 1, 6, 4, lengths);
	compare(m, 3, 100, 4, lengths);
	compare(m, 70, 150, 4, lengths);
	destroy(m);
}

TEST(words)
{
	static const int lengths[] = {300};
	plain *m = start(&clipping);
	hp_elmo *e = opened(m, NULL);
	double *expected = malloc((size_t)m->P * sizeof(double));
	char unlike[200][16];
	text x;

	make_text(&x, m, 1, 1, lengths);
	for (int i = 0; i < 200; i++) { /* more different words than are computed at once */
		snprintf(unlike[i], sizeof(unlike[i]), "%d", i * 7 % 200);
		x.words[i + 50] = (hp_elmo_word){unlike[i], strlen(unlike[i])};
	}
	x.words[2] = (hp_elmo_word){NULL, 0};
	run(e, NULL, NULL, 1, x.sentences);
	for (int i = 0; i < 300; i++) {
		plain_word(m, &x.words[i], -1, expected);
		for (int half = 0; half < 2; half++) /* layer 0 has it twice */
			near((size_t)m->P, x.out + (2 * i + half) * m->P, expected, "a word");
	}
	free_text(&x);
	free(expected);
	hp_elmo_close(e);
	destroy(m);
}

/* Alone, in batches of any cut, with any number of threads, in the company of a long one: the same bytes. */
static void neighbours(const plain *sizes, int count, bool carry)
{
	static const int lengths[] = {4, 10, 1, 7, 300, 7, 33};
	plain *m = start(sizes);
	hp_pool *pool = hp_pool_new(3);
	hp_elmo *e = opened(m, pool);
	hp_elmo_lanes *lanes = NULL;
	text x;

	make_text(&x, m, count, 7, lengths);
	if (carry)
		assert_int_equal(hp_elmo_lanes_new(e, 5, &lanes, NULL), 0);
	run(e, pool, lanes, count, x.sentences);
	float *first = malloc(x.size * sizeof(float));
	memcpy(first, x.out, x.size * sizeof(float));
	for (int piece = 1; piece <= 17; piece += 4) {
		memset(x.out, 0, x.size * sizeof(float));
		if (carry) {
			hp_elmo_lanes_destroy(lanes);
			assert_int_equal(hp_elmo_lanes_new(e, 5, &lanes, NULL), 0);
		}
		for (int i = 0; i < count; i += piece)
			run(e, piece == 5 ? pool : NULL, lanes, count - i < piece ? count - i : piece, x.sentences + i);
		assert_memory_equal(first, x.out, x.size * sizeof(float));
	}
	free(first);
	free_text(&x);
	hp_elmo_lanes_destroy(lanes);
	hp_elmo_close(e);
	hp_pool_destroy(pool);
	destroy(m);
}

TEST(neighbours)
{
	neighbours(&clipping, 9, false);
	neighbours(&clipping, 9, true);
	neighbours(&other, 75, false);
	neighbours(&other, 75, true);
	neighbours(&one_layer, 75, true);
}

/* ---- what is no model ---- */

static void refused(plain *m, const char *reason)
{
	hp_elmo *e;
	hp_error err = {""};

	assert_int_equal(hp_elmo_open(m->path, NULL, &e, &err), HP_FAIL);
	assert_null(e);
	if (strncmp(err.text, m->path, strlen(m->path)) != 0 || !strstr(err.text, reason))
		fail_msg("'%s', expected '%s: ...%s...'", err.text, m->path, reason);
}

TEST(metadata)
{
	static const char *const bad[][3] = {
		{"hp_elmo", NULL, "no 'hp_elmo' in the metadata"},
		{"hp_elmo", "2", "of version '2'"},
		{"elmo_id", NULL, "no 'elmo_id'"},
		{"activation", "elu", "activation is 'elu', expected relu or tanh"},
		{"skip", "yes", "skip is 'yes', expected 0 or 1"},
		{"max_characters", "3", "is '3', expected 4 to 1000"},
		{"max_characters", "1001", "is '1001'"},
		{"max_characters", "9x", "is '9x'"},
		{"max_characters", "", "no 'max_characters'"},
		{"elmo_id", "", "no 'elmo_id'"},
		{"max_characters", "99999999999999999999", "expected 4 to 1000"},
		{"max_characters", " 9", "is ' 9'"},
		{"max_characters", "8", "filters of width 9, expected at most max_characters, 8"}};
	plain *m = start(&other);

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		save_with(m, bad[i][0], bad[i][1]);
		refused(m, bad[i][2]);
	}
	destroy(m);
}

TEST(tensors)
{
	plain *m = start(&one_layer);
	hp_elmo *e;

	for (int i = 0; i < m->count; i++) {
		tensor *t = &m->t[i], whole = *t;
		t->name[0] = 'X'; /* another name: missing */
		save_with(m, "", NULL);
		refused(m, "");
		*t = whole;
		t->rank++;
		t->shape[t->rank - 1] = 1;
		save_with(m, "", NULL);
		refused(m, t->name);
		*t = whole;
		t->dtype = HP_I32;
		save_with(m, "", NULL);
		refused(m, "is I32, expected F32");
		*t = whole;
		t->shape[0] = 0;
		save_with(m, "", NULL);
		refused(m, t->name);
		*t = whole;
		float old = t->data[1];
		t->data[1] = NAN;
		save_with(m, "", NULL);
		refused(m, "not finite or beyond 1e+09");
		t->data[1] = old;
		if (t->shape[0] > 2) { /* a row less */
			t->shape[0]--;
			save_with(m, "", NULL);
			refused(m, "");
			*t = whole;
		}
	}
	add(m, 1, "lstm.2.forward.projection", 1, 3, 0, 0); /* there is no layer 1 */
	save_with(m, "", NULL);
	refused(m, "expected");
	free(m->t[--m->count].data);
	get(m, "lstm.clip")->data[0] = -1;
	save_with(m, "", NULL);
	refused(m, "'lstm.clip' is negative");
	get(m, "lstm.clip")->data[0] = 0;
	save_with(m, "", NULL);
	assert_int_equal(hp_elmo_open(m->path, NULL, &e, NULL), 0);
	hp_elmo_close(e);
	hp_elmo_close(NULL);
	unlink(m->path);
	refused(m, "No such file");
	destroy(m);
}

TEST(arguments)
{
	plain *m = start(&other);
	hp_elmo *e = opened(m, NULL);
	hp_elmo_sentence empty = {0};
	hp_elmo_lanes *lanes;
	hp_error err;

	assert_int_equal(hp_elmo_run(e, NULL, NULL, NULL, 1, &empty, &err), HP_FAIL);
	assert_string_equal(err.text, "a sentence of 0 words, expected 1 to 10000000");
	assert_int_equal(hp_elmo_run(e, NULL, NULL, NULL, 0, NULL, &err), 0);
	assert_int_equal(hp_elmo_lanes_new(e, 0, &lanes, &err), HP_FAIL);
	assert_string_equal(err.text, "0 lanes, expected 1 to 100000");
	hp_elmo_lanes_destroy(NULL);
	hp_elmo_close(e);
	destroy(m);
}
