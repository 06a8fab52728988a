/* init.h: a training that starts from the parameters of a model instead of random ones. */
#ifndef HP_TRAIN_INIT_H
#define HP_TRAIN_INIT_H
#include "train/lexicon.h"

/* Hyper-parameters that were not set become those that the model file PATH tells of: its sizes, variant and column of tags
 * (for discourse, where tags need a file of their own: not the column). */
int hp_init_hyper(const char *path, hp_hyper *h, hp_error *err) HP_USE_RESULT;
/* Adds the model's words, characters, tags and relations to those of the training data; not words that it, too,
 * only has from the vectors. */
int hp_init_lexicon(const char *path, hp_lexicon *lex, hp_error *err) HP_USE_RESULT;
/* Sets PARAMS from the model file PATH, which is refused if by its metadata task, input, sizes or variant are not those
 * of H; the message names what differs.  Rows of embeddings and of the label classifier go by the names of words,
 * characters, tags and labels; those that the model does not know keep their values.  Word vectors lose their fixed part, as
 * LEX has it.  Every other parameter must have the same shape.  *HASH takes in the model's contents. */
int hp_init_from_model(const char *path, const hp_hyper *h, const hp_lexicon *lex, hp_params *params, uint64_t *hash,
                       hp_error *err) HP_USE_RESULT;

#endif
