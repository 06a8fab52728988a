/* coverage.h: how much of a text a model knows. */
#ifndef HP_COVERAGE_H
#define HP_COVERAGE_H
#include "base/error.h"
#include "text/conllu.h"

typedef struct hp_coverage {
	int64_t words; /* with letters */
	int64_t known; /* of these the model's */
	int64_t strange; /* most letters of which the model has never seen */
} hp_coverage;

/* The numbers of the words, their characters and lengths, as in hp_tokens; the root's are left out. */
void hp_coverage_add(hp_coverage *c, const hp_sentence *s, const int32_t *words, const int32_t *chars,
                     const int32_t *lengths);
/* Fails, with a line for people, if the model at PATH knows next to nothing of a text that is long enough to tell. */
int hp_coverage_check(const hp_coverage *c, const char *path, hp_error *err) HP_USE_RESULT;

#endif
