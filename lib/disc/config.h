/* config.h: sizes of a discourse network. */
#ifndef HP_RST_CONFIG_H
#define HP_RST_CONFIG_H
#include "pointer/config.h"

#define HP_RST_INPUT_NONE HP_INPUT_NONE
#define HP_RST_INPUT_WORDS HP_INPUT_WORDS
#define HP_RST_INPUT_STREAM HP_INPUT_STREAM
typedef hp_net_config hp_rst_config;
int hp_rst_config_check(const hp_rst_config *c, const char *name, hp_error *err) HP_USE_RESULT;
int hp_rst_config_read(hp_rst_config *c, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_rst_config_write(const hp_rst_config *c, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

#endif
