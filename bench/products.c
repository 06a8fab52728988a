/* products.c: matrix products of training's shapes by each library, single-threaded ones side by side, as hp_gemm makes them. */
#include "bench.h"

#include <cblas.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_DNNL
#include <oneapi/dnnl/dnnl.h>
#endif

#include "nn/bf16.h"
#include "nn/gemm.h"
#include "nn/int8.h"

/* Gates of 800 words from a recurrent layer's states, from both directions' states below, and the gradient of the former's
 * weights. */
static const struct shape {
	const char *name;
	int m, n, k;
} shapes[] = {{"800x2048x512", 800, 2048, 512}, {"800x2048x1024", 800, 2048, 1024}, {"2048x512x800", 2048, 512, 800}};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes) };

typedef struct product {
	const struct shape *shape; /* C [m × n] = A [m × k] · B */
	void *a, *b, *c;
	/* ours: */
	hp_params params; /* the weights */
	bool gradient; /* C is their gradient, Aᵀ · B; else it is A · Wᵀ */
#ifdef HAVE_DNNL
	dnnl_primitive_t primitive;
	dnnl_stream_t stream;
	dnnl_exec_arg_t arg[3];
#endif
} product;

/* Memory whose bytes make small numbers of any type. */
static void *fill(size_t size)
{
	void *data = bench_need(aligned_alloc(64, (size + 63) / 64 * 64));

	return memset(data, 0x3c, size);
}

static void unmake(product *p)
{
	free(p->a);
	free(p->b);
	free(p->c);
	hp_params_free(&p->params);
#ifdef HAVE_DNNL
	dnnl_primitive_destroy(p->primitive);
	dnnl_stream_destroy(p->stream);
	for (int i = 0; i < 3; i++)
		dnnl_memory_destroy(p->arg[i].memory);
#endif
}

/* Measures each shape; MAKE prepares what a thread needs. */
static void measure(const bench_options *o, const char *type, void (*make)(product *, const char *type),
                    void (*run)(void *))
{
	product *p = bench_need(calloc((size_t)o->threads, sizeof(*p)));
	void **state = bench_need(calloc((size_t)o->threads, sizeof(*state)));

	for (const struct shape *s = shapes; s < shapes + SHAPES; s++) {
		for (int i = 0; i < o->threads; i++) {
			p[i] = (product){.shape = s};
			make(&p[i], type);
			state[i] = &p[i];
		}
		bench_rate_print(o, &(bench_rate){type, s->name, 2. * s->m * s->n * s->k, run, state});
		for (int i = 0; i < o->threads; i++)
			unmake(&p[i]);
	}
	free(state);
	free(p);
}

static void make_f32(product *p, const char *type)
{
	const struct shape *s = p->shape;

	(void)type;
	p->a = fill((size_t)s->m * s->k * sizeof(float));
	p->b = fill((size_t)s->k * s->n * sizeof(float));
	p->c = fill((size_t)s->m * s->n * sizeof(float));
}

/* ---- OpenBLAS ---- */

static void run_openblas(void *state)
{
	product *p = state;
	const struct shape *s = p->shape;

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s->m, s->n, s->k, 1, p->a, s->k, p->b, s->n, 0, p->c, s->n);
}

int bench_openblas(const bench_options *o)
{
	openblas_set_num_threads(1);
	measure(o, "f32", make_f32, run_openblas);
	return 0;
}

/* ---- oneDNN ---- */

#ifdef HAVE_DNNL
static void check(dnnl_status_t status)
{
	if (status != dnnl_success)
		bench_die("oneDNN fails with status %d", (int)status);
}

/* In the calling thread: Debian's oneDNN has threads of OpenMP. */
static void one_thread(void)
{
	void (*set)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "omp_set_num_threads");

	if (set)
		set(1);
}

static dnnl_exec_arg_t argument(int which, const dnnl_memory_desc_t *desc, dnnl_engine_t engine, void **data)
{
	dnnl_memory_t memory;

	*data = fill(dnnl_memory_desc_get_size(desc));
	check(dnnl_memory_create(&memory, desc, engine, *data));
	return (dnnl_exec_arg_t){which, memory};
}

/* B in the order that the library likes best: weights are packed once for many products. */
static void make_onednn(product *p, const char *type)
{
	static dnnl_engine_t engine;
	const struct shape *s = p->shape;
	dnnl_data_type_t a = *type == 'f' ? dnnl_f32 : *type == 'b' ? dnnl_bf16 : dnnl_u8;
	dnnl_data_type_t b = *type == 'i' ? dnnl_s8 : a, c = *type == 'i' ? dnnl_s32 : dnnl_f32;
	dnnl_memory_desc_t of_a, of_b, of_c;
	dnnl_matmul_desc_t desc;
	dnnl_primitive_desc_t how;

	one_thread();
	if (!engine)
		check(dnnl_engine_create(&engine, dnnl_cpu, 0));
	check(dnnl_stream_create(&p->stream, engine, dnnl_stream_default_flags));
	check(dnnl_memory_desc_init_by_tag(&of_a, 2, (dnnl_dims_t){s->m, s->k}, a, dnnl_ab));
	check(dnnl_memory_desc_init_by_tag(&of_b, 2, (dnnl_dims_t){s->k, s->n}, b, dnnl_format_tag_any));
	check(dnnl_memory_desc_init_by_tag(&of_c, 2, (dnnl_dims_t){s->m, s->n}, c, dnnl_ab));
	check(dnnl_matmul_desc_init(&desc, &of_a, &of_b, NULL, &of_c));
	check(dnnl_primitive_desc_create(&how, &desc, NULL, engine, NULL));
	check(dnnl_primitive_create(&p->primitive, how));
	p->arg[0] = argument(DNNL_ARG_SRC, &of_a, engine, &p->a);
	p->arg[1] = argument(DNNL_ARG_WEIGHTS, dnnl_primitive_desc_query_md(how, dnnl_query_weights_md, 0), engine, &p->b);
	p->arg[2] = argument(DNNL_ARG_DST, &of_c, engine, &p->c);
	check(dnnl_primitive_desc_destroy(how));
}

static void run_onednn(void *state)
{
	product *p = state;

	one_thread();
	check(dnnl_primitive_execute(p->primitive, p->stream, 3, p->arg));
	check(dnnl_stream_wait(p->stream));
}

int bench_onednn(const bench_options *o)
{
	static const char *const types[] = {"f32", "bf16", "int8"};

	for (int i = 0; i < 3; i++)
		measure(o, types[i], make_onednn, run_onednn);
	return 0;
}
#else
int bench_onednn(const bench_options *o)
{
	(void)o;
	return 0;
}
#endif

/* ---- ours: products as training makes them, rounding included; with int8 as parsing does ---- */

static void make_ours(product *p, const char *type)
{
	const struct shape *s = p->shape;
	hp_error err;

	p->gradient = *type != 'i' && s == &shapes[SHAPES - 1];
	p->a = fill((size_t)s->m * s->k * sizeof(float));
	p->b = fill((size_t)s->k * s->n * sizeof(float));
	p->c = fill((size_t)s->m * s->n * sizeof(float));
	bench_check(hp_params_declare(&p->params, &err, "w", 2, p->gradient ? s->m : s->n, p->gradient ? s->n : s->k),
	            &err);
	bench_check(hp_params_alloc(&p->params, p->gradient, &err), &err);
	memset(p->params.values, 0x3c, p->params.total * sizeof(float));
	if (*type == 'i')
		bench_check(hp_params_round(&p->params, &err), &err);
	if (*type == 'b')
		bench_check(hp_params_copy_bf16(NULL, &p->params, &err), &err);
}

static void run_ours(void *state)
{
	product *p = state;
	const struct shape *s = p->shape;
	const hp_param *w = p->params.item;

	if (p->gradient)
		hp_gemm_serial(&(hp_product){.c = hp_param_grads(w),
		                             .a = hp_matrix_of(p->a, s->k, s->m),
		                             .b = hp_matrix_of(p->b, s->k, s->n),
		                             .ta = true});
	else
		hp_gemm_serial(&(hp_product){.c = hp_matrix_of(p->c, s->m, s->n),
		                             .a = hp_matrix_of(p->a, s->m, s->k),
		                             .b = hp_param_values(w),
		                             .tb = true});
}

static void run_int8(void *state)
{
	product *p = state;
	const struct shape *s = p->shape;

	hp_param_product(NULL, hp_matrix_of(p->a, s->m, s->k), p->params.item, hp_matrix_of(p->c, s->m, s->n));
}

int bench_ours(const bench_options *o)
{
	hp_error err;

	bench_check(hp_gemm_open(o->threads, &err), &err);
	measure(o, "f32", make_ours, run_ours);
	if (hp_bf16_possible())
		measure(o, "bf16", make_ours, run_ours);
	measure(o, "int8", make_ours, run_int8);
	return 0;
}
