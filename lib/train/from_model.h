/* from_model.h: a training that starts from the parameters of a model instead of random ones. */
#ifndef HP_FROM_MODEL_H
#define HP_FROM_MODEL_H
#include "train/lexicon.h"

typedef struct hp_from_model hp_from_model;

/* Refuses a damaged model, as far as it has a checksum. */
int hp_from_model_open(const char *path, hp_from_model **out, hp_error *err) HP_USE_RESULT;
void hp_from_model_close(hp_from_model *init); /* accepts NULL */
/* Hyper-parameters that were not set become those that the model tells of: its sizes, variant and column of tags (for discourse,
 * where tags need a file of their own: not the column). */
int hp_from_model_hyper(const hp_from_model *init, hp_hyper *h, hp_error *err) HP_USE_RESULT;
/* Adds the model's words, characters, tags and relations to those of the training data; not words that it, too,
 * only has from the vectors. */
int hp_from_model_lexicon(const hp_from_model *init, hp_lexicon *lex, hp_error *err) HP_USE_RESULT;
/* Sets PARAMS from the model, which is refused if by its metadata task, input, sizes or variant are not those of H; the message
 * names what differs.  Rows of embeddings and of the label classifier go by the names of words, characters, tags and labels;
 * those that the model does not know keep their values.  Word vectors lose their fixed part, as LEX has it.  Every other
 * parameter must have the same shape.  *HASH takes in the model's contents. */
int hp_from_model_params(const hp_from_model *init, const hp_hyper *h, const hp_lexicon *lex, hp_params *params,
                         uint64_t *hash, hp_error *err) HP_USE_RESULT;

#endif
