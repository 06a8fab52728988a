/* init.h: a training that starts from the parameters of a model instead of random ones. */
#ifndef HP_TRAIN_INIT_H
#define HP_TRAIN_INIT_H
#include "train/lexicon.h"

typedef struct hp_init hp_init;

/* Refuses a damaged model, as far as it has a checksum. */
int hp_init_open(const char *path, hp_init **out, hp_error *err) HP_USE_RESULT;
void hp_init_close(hp_init *init); /* accepts NULL */
/* Hyper-parameters that were not set become those that the model tells of: its sizes, variant and column of tags (for discourse,
 * where tags need a file of their own: not the column). */
int hp_init_hyper(const hp_init *init, hp_hyper *h, hp_error *err) HP_USE_RESULT;
/* Adds the model's words, characters, tags and relations to those of the training data; not words that it, too,
 * only has from the vectors. */
int hp_init_lexicon(const hp_init *init, hp_lexicon *lex, hp_error *err) HP_USE_RESULT;
/* Sets PARAMS from the model, which is refused if by its metadata task, input, sizes or variant are not those of H; the message
 * names what differs.  Rows of embeddings and of the label classifier go by the names of words, characters, tags and labels;
 * those that the model does not know keep their values.  Word vectors lose their fixed part, as LEX has it.  Every other
 * parameter must have the same shape.  *HASH takes in the model's contents. */
int hp_init_params(const hp_init *init, const hp_hyper *h, const hp_lexicon *lex, hp_params *params, uint64_t *hash,
                   hp_error *err) HP_USE_RESULT;

#endif
