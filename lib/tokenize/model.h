/* model.h: a tokeniser's model file (hp-model(5)). */
#ifndef HP_TOKENIZE_MODEL_H
#define HP_TOKENIZE_MODEL_H
#include "tokenize/expand.h"
#include "tokenize/net.h"

typedef struct hp_tok_alphabet hp_tok_alphabet; /* which row of embed.char a character has */
/* Takes CHARS over, characters in order of their rows, from 1 on; FILE is for messages. */
int hp_tok_alphabet_new(hp_vocab *chars, const char *file, hp_tok_alphabet **out, hp_error *err) HP_USE_RESULT;
void hp_tok_alphabet_destroy(hp_tok_alphabet *a); /* accepts NULL */
const hp_vocab *hp_tok_alphabet_chars(const hp_tok_alphabet *a);
int32_t hp_tok_alphabet_row(const hp_tok_alphabet *a, int32_t code); /* 0: unknown, white space */

typedef struct hp_tok_model {
	hp_safetensors *file;
	char *path; /* absolute */
	const char *id;
	hp_tok_alphabet *alphabet;
	hp_tok_net net;
	hp_tok_runner *runner;
	hp_expander *expander;
	bool spaces; /* metadata "spaces" "1": tokens may hold white space */
} hp_tok_model;

/* PATH: as hp_model_find has it. */
int hp_tok_model_open(const char *path, hp_tok_model **out, hp_error *err) HP_USE_RESULT;
void hp_tok_model_close(hp_tok_model *m); /* accepts NULL */

#endif
