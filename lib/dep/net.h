/* net.h: inside a dependency network: its parameters by role.  Private to lib/dep. */
#ifndef HP_DEP_NET_H
#define HP_DEP_NET_H
#include "dep/dep.h"
#include "nn/biaffine.h"
#include "nn/embedding.h"
#include "nn/lstm.h"

struct hp_dep_net {
	hp_dep_config c;
	hp_params params;
	int stages; /* whose parameters are there */
	hp_embedding embedding;
	hp_affine bridge, src, pointer_g1, pointer_g2, label_g1, label_g2;
	struct {
		hp_param *w_ih, *w_hh, *b;
	} (*encoder)[2], decoder; /* encoder [layers][2] */
	hp_param *fuse[HP_SOURCES]; /* [Q × Q], NULL where the variant has none */
	hp_param *gate[HP_SOURCES], *gate_b;
	hp_param *pointer_w, *pointer_v;
	hp_param *label_w, *label_u, *label_v, *label_b;
	struct { /* w and tags.w are NULL where the task is not learnt */
		hp_affine g1, g2, tags;
		hp_param *w, *v;
	} auxiliary;
};

/* Parameters of the auxiliary tasks, and where they are bound. */
int hp_dep_auxiliary_declare(hp_params *p, const hp_dep_config *c, hp_error *err);
void hp_dep_auxiliary_bind(hp_dep_net *net);

hp_lstm_weights hp_dep_encoder_weights(const hp_dep_net *net, int layer, int direction);
hp_label_weights hp_dep_label_weights(const hp_dep_net *net);

#endif
