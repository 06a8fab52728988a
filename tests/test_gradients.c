/* Finite differences against every layer's backward function: for each array a layer's loss depends on, the derivative
 * along random directions.  The loss is a fixed random weighting of the layer's outputs, summed in double precision. */
#include <math.h>

#include "networks.h"
#include "gradient.h"
#include "nn/biaffine.h"
#include "nn/charcnn.h"
#include "nn/dropout.h"
#include "pointer/fusion.h"
#include "nn/gemm.h"
#include "nn/linear.h"
#include "nn/birnn.h"
#include "unit.h"

/* A parameter [ROWS × COLS], of rank 1 if COLS is 0. */
static hp_param random_param(int rows, int cols, float limit)
{
	size_t count = (size_t)rows * (size_t)(cols ? cols : 1);
	return (hp_param){.rank = cols ? 2 : 1,
	                  .shape = {rows, cols},
	                  .count = count,
	                  .value = random_floats(count, limit),
	                  .grad = zeros(count)};
}

static void check_param(const char *what, double (*loss)(void *), void *arg, const hp_param *p)
{
	check_gradient(what, loss, arg, p->value, p->grad, p->count);
}

static void free_param(hp_param *p)
{
	free(p->value);
	free(p->grad);
}

/* ---- linear.c ---- */

enum { IN = 5, OUT = 9, EXAMPLES = 7 };

typedef struct mlp_case {
	float *x, *mask, *weights, *plain, *y;
	hp_param w, b;
	int owner[EXAMPLES];
} mlp_case;

static double mlp_loss(void *arg)
{
	mlp_case *c = arg;
	hp_mlp_forward(NULL, hp_matrix_of(c->x, EXAMPLES, IN), (hp_affine){&c->w, &c->b}, (hp_mask){c->mask, c->owner},
	               hp_matrix_of(c->plain, EXAMPLES, OUT), hp_matrix_of(c->y, EXAMPLES, OUT));
	return weighted(EXAMPLES * OUT, c->y, c->weights);
}

TEST(mlp)
{
	mlp_case c = {random_floats(35, 1),
	              zeros(27),
	              random_floats(63, 1),
	              zeros(63),
	              zeros(63),
	              random_param(OUT, IN, 0.5f),
	              random_param(OUT, 0, 0.5f),
	              {0, 0, 1, 1, 1, 2, 2}};
	hp_dropout_mask(&gradient_rng, 0.33f, 27, c.mask);
	float *dx = zeros(35), *dy = zeros(63);
	mlp_loss(&c);
	memcpy(dy, c.weights, 63 * sizeof(float));
	hp_mlp_backward(NULL, hp_matrix_of(c.x, EXAMPLES, IN), (hp_affine){&c.w, &c.b}, (hp_mask){c.mask, c.owner},
	                hp_matrix_of(c.plain, EXAMPLES, OUT), hp_matrix_of(dy, EXAMPLES, OUT),
	                hp_matrix_of(dx, EXAMPLES, IN), false);
	check_gradient("mlp x", mlp_loss, &c, c.x, dx, 35);
	check_param("mlp w", mlp_loss, &c, &c.w);
	check_param("mlp b", mlp_loss, &c, &c.b);
	free_param(&c.w);
	free_param(&c.b);
	float *all[] = {c.x, c.mask, c.weights, c.plain, c.y, dx, dy};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

typedef struct linear_case {
	float *x, *weights, *y;
	hp_param w, b;
} linear_case;

static double linear_loss(void *arg)
{
	linear_case *c = arg;
	hp_linear_forward(NULL, hp_matrix_of(c->x, 4, 6), (hp_affine){&c->w, &c->b}, hp_matrix_of(c->y, 4, 3));
	return weighted(12, c->y, c->weights);
}

/* Gradients are added where the caller asks for it. */
TEST(linear)
{
	linear_case c = {random_floats(24, 1), random_floats(12, 1), zeros(12), random_param(3, 6, 1),
	                 random_param(3, 0, 1)};
	float *dx = zeros(24);
	hp_matrix x = hp_matrix_of(c.x, 4, 6), dy = hp_matrix_of(c.weights, 4, 3);
	linear_loss(&c);
	hp_linear_backward(NULL, x, (hp_affine){&c.w, &c.b}, dy, hp_matrix_of(dx, 4, 6), true);
	check_gradient("linear x", linear_loss, &c, c.x, dx, 24);
	check_param("linear w", linear_loss, &c, &c.w);
	check_param("linear b", linear_loss, &c, &c.b);
	hp_linear_backward(NULL, x, (hp_affine){&c.w, &c.b}, dy, hp_matrix_of(dx, 4, 6), true);
	for (int i = 0; i < 24; i++)
		dx[i] *= 0.5f;
	check_gradient("linear x, added twice", linear_loss, &c, c.x, dx, 24);
	free_param(&c.w);
	free_param(&c.b);
	float *all[] = {c.x, c.weights, c.y, dx};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* ---- birnn.c ---- */

enum { RNN_IN = 6, RNN_COUNT = 4, RNN_ROWS = 15 };
static const int rnn_lengths[RNN_COUNT] = {6, 4, 4, 1};

typedef struct rnn_case {
	hp_arena *arena;
	hp_packed p;
	hp_params params;
	hp_birnn layer;
	hp_birnn_trace trace;
	size_t hidden;
	float *x, *mask[2], *out, *weights, *final[2], *final_weights[2];
} rnn_case;

static double rnn_loss(void *arg)
{
	rnn_case *c = arg;
	assert_int_equal(hp_birnn_forward(NULL, c->arena, &c->layer, hp_matrix_of(c->x, RNN_ROWS, RNN_IN),
	                                  hp_matrix_of(c->out, RNN_ROWS, 2 * (int)c->hidden), &c->trace, c->final),
	                 0);
	double sum = weighted(RNN_ROWS * 2 * c->hidden, c->out, c->weights);
	for (int d = 0; d < 2; d++)
		sum += weighted(RNN_COUNT * c->hidden, c->final[d], c->final_weights[d]);
	return sum;
}

static void make_rnn(rnn_case *c, hp_cell_kind kind, int hidden)
{
	static const char *const names[2] = {"fwd", "bwd"};
	size_t H = (size_t)hidden, states = RNN_COUNT * H;
	hp_error err;
	*c = (rnn_case){.arena = hp_arena_new(), .hidden = H};
	c->p = hp_pack(c->arena, RNN_COUNT, rnn_lengths);
	c->layer.p = &c->p;
	for (int d = 0; d < 2; d++)
		assert_int_equal(hp_cell_declare(&c->params, &err, kind, names[d], hidden, RNN_IN), 0);
	assert_int_equal(hp_params_alloc(&c->params, true, &err), 0);
	for (int i = 0; i < c->params.count; i++) {
		float *v = random_floats(c->params.item[i].count, i % 2 ? 0.2f : 0.4f);
		memcpy(c->params.item[i].value, v, c->params.item[i].count * sizeof *v);
		free(v);
	}
	c->x = random_floats(RNN_ROWS * RNN_IN, 1);
	c->weights = random_floats(RNN_ROWS * 2 * H, 1);
	c->out = zeros(RNN_ROWS * 2 * H);
	for (int d = 0; d < 2; d++) {
		c->layer.cell[d] = hp_cell_find(&c->params, kind, names[d]);
		c->mask[d] = zeros(states);
		hp_dropout_mask(&gradient_rng, 0.33f, states, c->mask[d]);
		c->layer.mask[d] = kind == HP_LSTM ? c->mask[d] : NULL;
		c->final_weights[d] = random_floats(states, 1);
		c->final[d] = zeros(states);
	}
}

static void check_birnn(hp_cell_kind kind, int hidden)
{
	rnn_case c;
	make_rnn(&c, kind, hidden);
	size_t states = RNN_COUNT * c.hidden;
	float *carry[2] = {zeros(states), zeros(states)}, *dx = zeros(RNN_ROWS * RNN_IN);
	rnn_loss(&c);
	for (int d = 0; d < 2; d++)
		memcpy(carry[d], c.final_weights[d], states * sizeof(float));
	assert_int_equal(hp_birnn_backward(NULL, c.arena, &c.layer, hp_matrix_of(c.x, RNN_ROWS, RNN_IN), &c.trace,
	                                   hp_matrix_of(c.weights, RNN_ROWS, 2 * hidden), carry,
	                                   hp_matrix_of(dx, RNN_ROWS, RNN_IN)),
	                 0);
	check_gradient("x", rnn_loss, &c, c.x, dx, RNN_ROWS * RNN_IN);
	for (int i = 0; i < c.params.count; i++) {
		hp_param *p = &c.params.item[i];
		check_gradient(p->name, rnn_loss, &c, p->value, p->grad, p->count);
	}
	float *all[] = {c.x,        c.weights,  c.out,    c.mask[0],          c.mask[1],          dx,
	                c.final[0], c.final[1], carry[0], c.final_weights[0], c.final_weights[1], carry[1]};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	hp_params_free(&c.params);
	hp_arena_destroy(c.arena);
}

/* Sizes that one block of units holds, that two share unevenly, and one that is a unit more than two even ones. */
TEST(birnn)
{
	static const int sizes[] = {5, 20, 33};
	for (int kind = HP_LSTM; kind <= HP_GRU; kind++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			check_birnn((hp_cell_kind)kind, sizes[i]);
}

/* ---- charcnn.c ---- */

typedef struct cnn_case {
	hp_charcnn c;
	float *embed, *w, *b, *table, *y, *weights;
	int32_t best[3 * 40];
} cnn_case;

static const int32_t cnn_chars[] = {3, 1, 2, 2, 0, 4, 4, 1};
static const int32_t *const cnn_words[] = {cnn_chars, cnn_chars + 1, cnn_chars + 3};
static const int32_t cnn_lengths[] = {1, 2, 5};

static double cnn_loss(void *arg)
{
	cnn_case *c = arg;
	hp_charcnn_table(NULL, &c->c, c->table);
	for (int i = 0; i < 3; i++)
		hp_charcnn_word(&c->c, c->table, cnn_words[i], cnn_lengths[i], c->y + i * 40, c->best + i * 40);
	return weighted(120, c->y, c->weights);
}

TEST(charcnn)
{
	cnn_case c = {{5, 4, 3, 40, NULL, NULL, NULL},
	              random_floats(20, 1),
	              random_floats(480, 0.5f),
	              random_floats(40, 0.3f),
	              zeros(600),
	              zeros(120),
	              random_floats(120, 1),
	              {0}};
	c.c.embed = c.embed;
	c.c.w = c.w;
	c.c.b = c.b;
	float *dtable = zeros(600), *dembed = zeros(20), *dw = zeros(480), *db = zeros(40);
	cnn_loss(&c);
	hp_charcnn_words words = {cnn_words, cnn_lengths, c.best};
	hp_charcnn_backward(NULL, &c.c, &words, hp_matrix_of(c.y, 3, 40), hp_matrix_of(c.weights, 3, 40), dtable, db);
	hp_charcnn_table_backward(NULL, &c.c, dtable, dembed, dw);
	check_gradient("charcnn embed", cnn_loss, &c, c.embed, dembed, 20);
	check_gradient("charcnn w", cnn_loss, &c, c.w, dw, 480);
	check_gradient("charcnn b", cnn_loss, &c, c.b, db, 40);
	float *all[] = {c.embed, c.w, c.b, c.table, c.y, c.weights, dtable, dembed, dw, db};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* ---- fusion.c ---- */

typedef struct fuse_case {
	float *part[3], *gate_part[3], *b, *t, *g, *u, *weights;
} fuse_case;

static double fuse_loss(void *arg)
{
	fuse_case *c = arg;
	hp_fuse(33, 3, (const float *const *)c->part, (const float *const *)c->gate_part, c->b, c->t, c->g, c->u);
	return weighted(33, c->u, c->weights);
}

TEST(fusion)
{
	fuse_case c = {{random_floats(33, 1), NULL, random_floats(33, 1)},
	               {random_floats(33, 1), random_floats(33, 1), NULL},
	               random_floats(33, 1),
	               zeros(33),
	               zeros(33),
	               zeros(33),
	               random_floats(33, 1)};
	float *dpart = zeros(33), *dgate = zeros(33);
	fuse_loss(&c);
	hp_fuse_backward(33, c.t, c.g, c.weights, dpart, dgate);
	check_gradient("fusion part", fuse_loss, &c, c.part[2], dpart, 33);
	check_gradient("fusion gate part", fuse_loss, &c, c.gate_part[1], dgate, 33);
	check_gradient("fusion gate b", fuse_loss, &c, c.b, dgate, 33);
	float *b = c.b;
	c.b = NULL; /* without a gate */
	fuse_loss(&c);
	hp_fuse_backward(33, c.t, NULL, c.weights, dpart, NULL);
	check_gradient("fusion part, no gate", fuse_loss, &c, c.part[0], dpart, 33);
	float *all[] = {c.part[0], c.part[2], c.gate_part[0], c.gate_part[1], b, c.t, c.g, c.u, c.weights, dpart, dgate};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* ---- biaffine.c ---- */

enum { ARC = 10, STEPS = 3 + 7, POSITIONS = 2 + 4 };
static const int pointer_n[2] = {2, 4}, pointer_at[2] = {0, 2}, pointer_steps[2] = {3, 7}, pointer_step_at[2] = {0, 3};
static const size_t pointer_score_at[2] = {0, 6};
static const int pointer_targets[STEPS] = {1, 1, 0, 2, 1, 1, 3, 3, 2, 0};
enum { SCORES = 6 + 28 };

typedef struct pointer_case {
	hp_matrix g1, q, g2;
	hp_param w, v;
	float *scores;
} pointer_case;

static hp_matrix random_matrix(int rows, int cols)
{
	return hp_matrix_of(random_floats((size_t)(rows * cols), 1), rows, cols);
}

static hp_matrix zero_matrix(int rows, int cols)
{
	return hp_matrix_of(zeros((size_t)(rows * cols)), rows, cols);
}

static const hp_pointer_batch pointer_batch = {
	2, pointer_n, pointer_at, pointer_steps, pointer_step_at, pointer_score_at};

static double pointer_loss(void *arg)
{
	pointer_case *c = arg;
	double loss = 0;
	hp_pointer_query(NULL, c->g1, &c->w, &c->v, c->q);
	hp_pointer_scores(NULL, &pointer_batch, c->q, c->g2, c->scores);
	for (int s = 0, r = 0; s < 2; s++)
		for (int i = 0; i < pointer_steps[s]; i++, r++)
			loss += hp_softmax_loss(pointer_n[s], c->scores + pointer_score_at[s] + (size_t)(i * pointer_n[s]),
			                        pointer_targets[r], 1.0f);
	return loss;
}

TEST(pointer)
{
	pointer_case c = {random_matrix(STEPS, ARC),    zero_matrix(STEPS, ARC),    random_matrix(POSITIONS, ARC),
	                  random_param(ARC, ARC, 0.5f), random_param(ARC, 0, 0.5f), zeros(SCORES)};
	hp_matrix dq = zero_matrix(STEPS, ARC), dg1 = zero_matrix(STEPS, ARC), dg2 = zero_matrix(POSITIONS, ARC);
	pointer_loss(&c); /* leaves the scores' gradient */
	hp_pointer_scores_backward(NULL, &pointer_batch, c.q, c.g2, c.scores, dq, dg2);
	hp_pointer_query_backward(NULL, c.g1, &c.w, &c.v, dq, dg1);
	check_gradient("pointer g1", pointer_loss, &c, c.g1.data, dg1.data, STEPS * ARC);
	check_gradient("pointer g2", pointer_loss, &c, c.g2.data, dg2.data, POSITIONS * ARC);
	check_param("pointer w", pointer_loss, &c, &c.w);
	check_param("pointer v", pointer_loss, &c, &c.v);
	free_param(&c.w);
	free_param(&c.v);
	float *all[] = {c.g1.data, c.q.data, c.g2.data, c.scores, dq.data, dg1.data, dg2.data};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

enum { LABELS = 4, LABEL = 6, ARCS = 5 };

typedef struct label_case {
	hp_param w, u, v, b;
	hp_matrix g1, g2, t, y;
} label_case;

static double label_loss(void *arg)
{
	label_case *c = arg;
	hp_label_weights weights = {&c->w, &c->u, &c->v, &c->b};
	double loss = 0;
	hp_label_forward(NULL, &weights, c->g1, c->g2, c->t, c->y);
	for (int i = 0; i < ARCS; i++)
		loss += hp_softmax_loss(LABELS, hp_row(c->y, i), i % LABELS, 1.0f);
	return loss;
}

TEST(label)
{
	label_case c = {random_param(LABELS * LABEL, LABEL, 0.5f),
	                random_param(LABELS, LABEL, 0.5f),
	                random_param(LABELS, LABEL, 0.5f),
	                random_param(LABELS, 0, 0.5f),
	                random_matrix(ARCS, LABEL),
	                random_matrix(ARCS, LABEL),
	                zero_matrix(ARCS, LABELS * LABEL),
	                zero_matrix(ARCS, LABELS)};
	hp_label_weights weights = {&c.w, &c.u, &c.v, &c.b};
	hp_matrix dg1 = zero_matrix(ARCS, LABEL), dg2 = zero_matrix(ARCS, LABEL);
	label_loss(&c);
	hp_label_backward(NULL, &weights, c.g1, c.g2, c.t, c.y, dg1, dg2);
	check_gradient("label g1", label_loss, &c, c.g1.data, dg1.data, ARCS * LABEL);
	check_gradient("label g2", label_loss, &c, c.g2.data, dg2.data, ARCS * LABEL);
	check_param("label w", label_loss, &c, &c.w);
	check_param("label u", label_loss, &c, &c.u);
	check_param("label v", label_loss, &c, &c.v);
	check_param("label b", label_loss, &c, &c.b);
	hp_param *params[] = {&c.w, &c.u, &c.v, &c.b};
	for (int i = 0; i < 4; i++)
		free_param(params[i]);
	float *all[] = {c.g1.data, c.g2.data, c.t.data, c.y.data, dg1.data, dg2.data};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* ---- the whole network, dropout included ---- */

static const int32_t words_a[] = {0, 3, 4, 5, 3, 2}, words_b[] = {0, 6, 1}, tags_a[] = {0, 2, 3, 2, 1, 3},
					 tags_b[] = {0, 1, 2};
static const int32_t vectors_a[] = {-1, 0, 1, -1, 0, 2}, vectors_b[] = {-1, 2, -1};
static const int32_t chars_a[] = {0, 2, 3, 4, 2, 2, 5, 3, 3}, lengths_a[] = {1, 2, 1, 1, 3, 1};
static const int32_t chars_b[] = {0, 4, 4, 5}, lengths_b[] = {1, 1, 2};
static const int32_t heads_a[] = {0, 3, 1, 0, 5, 3}, heads_b[] = {0, 0, 1}; /* A is projective, left and right arcs */
static const int32_t labels_a[] = {0, 1, 2, 0, 3, 1}, labels_b[] = {0, 0, 2};
static const int32_t open_a[] = {0, -1, 2, 0, 3, -1}, open_b[] = {0, -1, -1}; /* -1: not known */

typedef struct net_case {
	hp_dep_net *net;
	hp_arena *arena;
	hp_dep_sent sents[2];
	float *vectors;
	hp_dep_dropout dropout;
} net_case;

static double net_loss(void *arg)
{
	net_case *c = arg;
	hp_dep_loss loss;
	hp_error err;
	assert_int_equal(hp_dep_train(c->net, NULL, c->arena, 2, c->sents, c->vectors, &c->dropout, 0.0f, &loss, &err), 0);
	return loss.structure + loss.label + loss.auxiliary;
}

static void check_labelled(int members, int own_embeddings, hp_fusion fusion, hp_gate gate,
                           hp_auxiliary_tasks auxiliary, const int32_t *a, const int32_t *b)
{
	hp_dep_config config = {.members = members,
	                        .own_embeddings = own_embeddings,
	                        .embedding = {7, 5, 6, 4, 6, 3, 4, 3, 1},
	                        .hidden = 8,
	                        .layers = 2,
	                        .decoder_hidden = 10,
	                        .decoder_input = 7,
	                        .arc_mlp = 9,
	                        .label_mlp = 5,
	                        .labels = 4,
	                        .fusion = fusion,
	                        .gate = gate,
	                        .auxiliary = auxiliary};
	net_case c = {.arena = hp_arena_new(), .vectors = random_floats(15, 0.5f)};
	hp_error err;
	c.dropout = (hp_dep_dropout){0.2f, 0.2f, 0.2f, 0.33f, 0.33f, 0.33f, 7, 3};
	c.sents[0] =
		(hp_dep_sent){3, words_b, vectors_b, tags_b, chars_b, lengths_b, heads_b, b, {tags_b, NULL, tags_b, b}};
	c.sents[1] = (hp_dep_sent){6, words_a, vectors_a, tags_a, chars_a, lengths_a, heads_a, a, {tags_a, NULL, NULL, a}};
	assert_int_equal(hp_dep_net_new(&config, true, &c.net, &err), 0);
	hp_params *p = hp_dep_params(c.net);
	for (int i = 0; i < p->count; i++)
		for (size_t j = 0; j < p->item[i].count; j++)
			p->item[i].value[j] = 0.4f * hp_rng_normal(&gradient_rng);
	hp_dep_loss loss;
	assert_int_equal(hp_dep_train(c.net, NULL, c.arena, 2, c.sents, c.vectors, &c.dropout, 1.0f, &loss, &err), 0);
	assert_int_equal(loss.arcs, 7);
	assert_int_equal(loss.steps, 16);
	for (int i = 0; i < p->count; i++) {
		float *g = malloc((p->item[i].count + 1) * sizeof *g); /* net_loss adds zeros to the net's own */
		memcpy(g, p->item[i].grad, p->item[i].count * sizeof *g);
		check_gradient(p->item[i].name, net_loss, &c, p->item[i].value, g, p->item[i].count);
		free(g);
	}
	free(c.vectors);
	hp_dep_net_destroy(c.net);
	hp_arena_destroy(c.arena);
}

static void check_network(hp_fusion fusion, hp_gate gate, hp_auxiliary_tasks auxiliary)
{
	check_labelled(0, 0, fusion, gate, auxiliary, labels_a, labels_b);
}

TEST(open_labels)
{
	check_labelled(0, 0, HP_FUSION_PST, HP_GATE_GATE, (hp_auxiliary_tasks){0, 0, {0}, 0}, open_a, open_b);
	check_labelled(0, 0, HP_FUSION_PS, HP_GATE_GATE, (hp_auxiliary_tasks){0.7f, 1.5f, {4, 0, 5, 4}, 0}, open_a, open_b);
}

/* What is left of the loss is that of the others. */
TEST(softmax_loss)
{
	float scores[] = {1, 2, 3}, none[] = {1, 2, 3};
	double sum = exp(1) + exp(2) + exp(3);
	assert_float_equal(hp_softmax_loss(3, scores, 1, 0.5f), log(sum) - 2, 1e-6);
	assert_float_equal(scores[0], 0.5 * exp(1) / sum, 1e-6);
	assert_float_equal(scores[1], 0.5 * (exp(2) / sum - 1), 1e-6);
	assert_true(hp_softmax_loss(3, none, -1, 0.5f) == 0);
	for (int i = 0; i < 3; i++)
		assert_true(none[i] == 0);
}

TEST(network)
{
	const hp_auxiliary_tasks none = {0, 0, {0}, 0};
	check_network(HP_FUSION_T, HP_GATE_NONE, none);
	check_network(HP_FUSION_P, HP_GATE_NONE, none);
	check_network(HP_FUSION_P, HP_GATE_GATE, none);
	check_network(HP_FUSION_PS, HP_GATE_NONE, none);
	check_network(HP_FUSION_PS, HP_GATE_GATE, none);
	check_network(HP_FUSION_PST, HP_GATE_NONE, none);
	check_network(HP_FUSION_PST, HP_GATE_GATE, none);
	check_network(HP_FUSION_PST, HP_GATE_SGATE, none);
	check_network(HP_FUSION_T, HP_GATE_NONE, (hp_auxiliary_tasks){0.7f, 0, {0}, 0});
	check_network(HP_FUSION_PS, HP_GATE_GATE, (hp_auxiliary_tasks){0.7f, 1.5f, {4, 0, 5, 4}, 0});
}

/* Each member's own parameters, and the embeddings, which they share or not. */
TEST(members)
{
	const hp_auxiliary_tasks tasks = {0.7f, 1.5f, {4, 0, 5, 4}, 0};
	check_labelled(2, 0, HP_FUSION_PST, HP_GATE_SGATE, tasks, labels_a, labels_b);
	check_labelled(3, 0, HP_FUSION_P, HP_GATE_GATE, (hp_auxiliary_tasks){0, 0, {0}, 0}, open_a, open_b);
	check_labelled(2, 1, HP_FUSION_PST, HP_GATE_GATE, tasks, labels_a, labels_b);
}

HOOK(before)
{
	hp_rng_seed(&gradient_rng, 1, 1);
}

HOOK(begin)
{
	hp_error err;
	assert_int_equal(hp_gemm_open(3, &err), 0);
}
