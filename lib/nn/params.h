/* params.h: the named parameters of a network, all values in one block, all gradients in another. */
#ifndef HP_PARAMS_H
#define HP_PARAMS_H
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/rng.h"
#include "io/safetensors.h"
#include "nn/matrix.h"

typedef struct hp_param {
	char name[48]; /* as in the reference, such as "encoder.0.fwd.w_ih" */
	uint64_t hash; /* of the name */
	int role; /* where in the name that begins which says what it is for: behind the prefix */
	int rank;
	int shape[3]; /* row-major, [out, in] for matrices */
	size_t count;
	size_t offset; /* of its first value in the blocks */
	float *value; /* NULL where there is HALF */
	const uint16_t *half; /* its values as floats of 16 bits, where hp_params_open found them, or in the copies */
	float *grad; /* NULL where no gradients are kept */
	struct hp_int8 *int8; /* the matrix rounded for parsing (int8.h), or NULL */
	struct hp_digits *digits; /* where it is multiplied in digits (digits.h), else NULL */
	struct hp_bf16 *bf16; /* and for training in BF16 (bf16.h), or NULL */
} hp_param;

/* y = W x + b; B may be NULL where that is said */
typedef struct hp_affine {
	hp_param *w, *b;
} hp_affine;

/* A parameter and its gradient as matrices [out × in]; of a rank above 2 the leading dimensions make OUT. */
static inline hp_matrix hp_param_values(const hp_param *p)
{
	int in = p->shape[p->rank - 1];
	return (hp_matrix){p->value, (int)(p->count / (size_t)in), in, in, p->bf16, NULL};
}

static inline hp_matrix hp_param_grads(const hp_param *p)
{
	int in = p->shape[p->rank - 1];
	return (hp_matrix){p->grad, (int)(p->count / (size_t)in), in, in, p->bf16, NULL};
}

enum { HP_MOST_MEMBERS = 16 }; /* networks of one kind that share the embeddings */

typedef struct hp_params {
	int count;
	hp_param *item;
	char prefix[24]; /* stands before the names that are declared, or looked for; mostly empty */
	size_t total; /* values of all parameters, padding included */
	float *values; /* [total] */
	float *grads; /* [total] or NULL */
	uint16_t *copies; /* of matrices that the model has in a byte a number, as floats of 16 bits; or NULL */
	void *rounded; /* all that items' INT8 point to, side by side in huge pages; or NULL */
	bool rounded_alone; /* the halves that they were made of are gone: there is nothing to round again */
	void *split; /* the same of DIGITS */
} hp_params;

/* Declares parameter p->prefix + NAME; then hp_params_alloc makes the (zeroed) blocks for all.  Each starts at a multiple of 64 bytes. */
int hp_params_declare(hp_params *p, hp_error *err, const char *name, int rank, ...) HP_USE_RESULT;
int hp_params_alloc(hp_params *p, bool grads, hp_error *err) HP_USE_RESULT;
void hp_params_free(hp_params *p);
hp_param *hp_params_find(const hp_params *p, const char *name); /* p->prefix + NAME; NULL if absent */
/* The names that follow are those of a member's own parameters: HP_MEMBER and "M." stand before them, but for the first one's, M 0. */
void hp_params_of_member(hp_params *p, int m);
#define HP_MEMBER "member."
/* So is parameter NAME of member M called; cut off where SIZE is too small. */
void hp_member_name(char *out, size_t size, int m, const char *name);
/* What a parameter is called without the prefix that it was declared with. */
static inline const char *hp_param_role(const hp_param *p)
{
	return p->name + p->role;
}
/* Copies every parameter from tensor PREFIX+name (F32 or F16), bound by name and shape; makes the block of values if
 * there is none yet.  Values that are not finite, or beyond HP_LARGEST, are refused. */
int hp_params_load(hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err) HP_USE_RESULT;
/* For parsing: as hp_params_load, but an F16 matrix that is only multiplied with (hp_param_multiplies) is left where it
 * lies in ST, which must outlive P. */
int hp_params_open(hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err) HP_USE_RESULT;
/* Whether parsing uses it in hp_param_product alone: matrices, but for the embeddings'. */
bool hp_param_multiplies(const hp_param *p);
/* Fails if ST has another tensor PREFIX+name (vocabularies are none): the network is not that of the file. */
int hp_params_only(const hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err) HP_USE_RESULT;
/* Adds every parameter to W as F32 (borrowed: keep P until W is written). */
int hp_params_store(const hp_params *p, hp_st_writer *w, const char *prefix, hp_error *err) HP_USE_RESULT;

/* NAME.w [out × in] and NAME.b [out] */
int hp_params_declare_affine(hp_params *p, hp_error *err, const char *name, int out, int in) HP_USE_RESULT;
hp_affine hp_params_find_affine(const hp_params *p, const char *name);
/* Uniform in ± sqrt(6 / (in + out)) (Glorot and Bengio 2010); OUT: rows of the matrix, or of one gate's part of it. */
void hp_param_init_uniform(hp_param *p, hp_rng *rng, int out);

#endif
