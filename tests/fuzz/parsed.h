/* parsed.h: what must hold of whatever the filters write, for the targets that run them. */
#ifndef PARSED_H
#define PARSED_H
#include "fuzz.h"

typedef enum parsed_model {
	PARSED_DEP,
	PARSED_NO_TAGS,
	PARSED_RST,
	PARSED_STREAM,
	PARSED_DOCUMENTS,
	PARSED_MODELS
} parsed_model;

/* Path of the tiny model that tools/fuzz has made. */
const char *parsed_model_path(parsed_model model);
static inline bool parsed_rst(parsed_model model)
{
	return model >= PARSED_RST;
}

/* A whole stream of a STAGE ('e'mbed, e'n'code, 'd'ecode), that tells no error if STATUS is 0; the tensors that are the
 * stage's own are finite, trees, log-probabilities. */
void parsed_stream(const char *data, size_t size, char stage, parsed_model model, int status);
/* Text that ends a pipe: trees of one root whose probabilities are some.  */
void parsed_conllu(const char *text, size_t size, bool labels, bool scores);
void parsed_dis(const char *text, size_t size, bool binary);
/* The trees OUT have all spans of those of TEXT, tree by tree. */
void parsed_spans(const char *text, size_t size, const char *out, size_t out_size);

#endif
