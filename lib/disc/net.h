/* net.h: inside a discourse network: its parameters by role.  Private to lib/disc. */
#ifndef HP_RST_NET_H
#define HP_RST_NET_H
#include "disc/rst.h"
#include "nn/biaffine.h"
#include "nn/gru.h"

struct hp_rst_net {
	hp_rst_config c;
	hp_params params;
	int stages; /* whose parameters are there */
	hp_embedding embedding; /* HP_RST_INPUT_WORDS */
	hp_param *mix_weights, *mix_scale; /* HP_RST_INPUT_STREAM of several layers, else NULL */
	hp_gru_params (*encoder)[2], *decoder; /* [layers] */
	hp_param *fuse[HP_SOURCES]; /* [H × H], NULL where the variant has none */
	hp_affine label_g1, label_g2;
	hp_param *label_w, *label_u, *label_v, *label_b;
};

int hp_rst_input_of(const hp_rst_config *c, int layer); /* width of an encoder layer's input */
hp_label_weights hp_rst_label_weights(const hp_rst_net *net);

#endif
