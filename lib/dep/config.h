/* config.h: sizes of a dependency network. */
#ifndef HP_DEP_CONFIG_H
#define HP_DEP_CONFIG_H
#include "pointer/config.h"

enum { HP_DEP_TAGGINGS = HP_TAGGINGS };
typedef hp_net_config hp_dep_config;
int hp_dep_input_dim(const hp_dep_config *c);
int hp_dep_config_check(const hp_dep_config *c, const char *name, hp_error *err) HP_USE_RESULT;
int hp_dep_config_read(hp_dep_config *c, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_dep_config_write(const hp_dep_config *c, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

#endif
