/* net.h: a pointer network: its parameters by role (DESIGN section 4); those of stages that are not there are NULL. */
#ifndef HP_NET_H
#define HP_NET_H
#include "nn/biaffine.h"
#include "nn/ensemble.h"
#include "pointer/config.h"

struct hp_grammar;

typedef struct hp_net {
	hp_net_config c;
	hp_shape s;
	const struct hp_grammar *grammar;
	hp_params params; /* of all members: the others have none of their own */
	/* [s.M], of which the first is this network.  They have its mixture, and the parameters of its embedding unless each has its
	 * own. */
	struct hp_net **member;
	hp_member_arenas arenas;
	/* embed.c */
	hp_embedding embedding; /* HP_INPUT_WORDS */
	hp_param *mix_weights, *mix_scale; /* HP_INPUT_STREAM of several layers */
	/* encode.c */
	hp_cell (*encoder)[2]; /* [layers] */
	hp_affine bridge; /* dep: [Q × 2H] */
	hp_cell (*document)[2]; /* rst: [document_layers], of hidden H */
	/* decode.c */
	hp_affine src; /* dep: [I × W] */
	hp_cell *decoder; /* [L] */
	hp_param *fuse[HP_SOURCES]; /* [Q × Q], NULL where the variant has none */
	hp_param *gate[HP_SOURCES], *gate_b; /* [Q × Q], [Q] */
	/* point.c; dep: biaffine; rst: dot products, without parameters */
	hp_affine pointer_g1, pointer_g2; /* [A × Q], [A × B]; rst without split_mlp: none of these */
	hp_param *pointer_w, *pointer_v; /* [A × A], [A] */
	/* label.c */
	hp_affine label_g1, label_g2; /* [label_mlp × Q], [label_mlp × W] */
	hp_param *label_w, *label_u, *label_v, *label_b;
	/* heads.c; NULL where it is neither learnt nor asked */
	hp_affine heads_g1, heads_g2; /* [A × W] */
	hp_param *heads_w, *heads_v; /* [A × A], [A] */
	/* reach.c; NULL where it is not asked; of first and last EDU */
	hp_affine reach_g; /* [A × B] */
	struct {
		hp_affine g; /* [A × W] */
		hp_param *w, *v; /* [A × A], [A] */
	} reach[2];
	hp_affine auxiliary_tags; /* auxiliary.c; NULL where the task is not learnt */
} hp_net;

/* Parameters are zero until initialised, loaded or set through net->params. */
int hp_net_new(const hp_net_config *config, bool grads, hp_net **out, hp_error *err) HP_USE_RESULT;
/* A network for parsing only: reads what STAGES (HP_STAGE_...) need from the tensors PREFIX+name of ST, bound by name
 * and shape.  ST must outlive it: embed.word, and matrices of F16, are read where they lie. */
int hp_net_open(const hp_net_config *config, const hp_safetensors *st, const char *prefix, int stages, hp_net **out,
                hp_error *err) HP_USE_RESULT;
void hp_net_destroy(hp_net *net); /* accepts NULL */
void hp_net_init(hp_net *net, uint64_t seed); /* random initial values */
/* Before parsing, after the parameters were set or changed: lays out weights for speed. */
int hp_net_prepare(hp_net *net, int stages, hp_error *err) HP_USE_RESULT;

int hp_net_embeddings(const hp_net *net); /* of how many members those are that x is made of */

/* What is pointed to [. × B], of UNIT [. × W]: each unit, or, one row less, each with the next one beside it. */
hp_matrix hp_places(const hp_net *net, hp_matrix unit);

/* Parameters label.g1, label.g2, label.w, label.u, label.v, label.b for K labels, MLPs of SIZE units, and rows of LEFT and
 * RIGHT values. */
int hp_label_declare(hp_params *p, hp_error *err, int labels, int size, int left, int right) HP_USE_RESULT;
/* Parameters for finding each word's head at once, and where they are bound. */
int hp_heads_declare(hp_params *p, const hp_net_config *c, int stages, hp_error *err);
void hp_heads_bind(hp_net *net, const hp_params *p);
bool hp_heads_param(const hp_param *p);
/* The same for finding the span that is split at a boundary. */
int hp_reach_declare(hp_params *p, const hp_net_config *c, const hp_shape *s, int stages, hp_error *err);
void hp_reach_bind(hp_net *net, const hp_params *p);
bool hp_reach_param(const hp_param *p);
/* The same of the auxiliary task of naming tags. */
int hp_auxiliary_declare(hp_params *p, const hp_net_config *c, hp_error *err);
void hp_auxiliary_bind(hp_net *net, const hp_params *p);
bool hp_auxiliary_param(const hp_param *p); /* of that task: not in model files */

#endif
