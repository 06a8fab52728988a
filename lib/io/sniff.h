/* sniff.h: what a file holds, told by its first bytes. */
#ifndef HP_SNIFF_H
#define HP_SNIFF_H
#include "io/input.h"

/* HP_FAIL with "NAME: a zip archive, expected WHAT: unpack it first (unzip)" or the like if DATA, its beginning or its
 * first line, is of a kind that is known and cannot be what is expected; 0 if it is not. */
int hp_sniff(const void *data, size_t size, const char *name, const char *expected, hp_error *err) HP_USE_RESULT;
/* Of XML this alone is told, for those who read other XML. */
bool hp_sniff_is_html(const char *data, size_t size);
/* Whether the first line of DATA that is no comment and not blank is there whole and a word of CoNLL-U: ten columns, and the first
 * is 1 or begins with 1-. */
bool hp_sniff_is_conllu(const char *data, size_t size);
/* The same as hp_sniff of an input that is read as a whole, not as it comes: waits for its first bytes. */
int hp_sniff_input(hp_input *in, const char *expected, hp_error *err) HP_USE_RESULT;
/* Whether IN holds trees in .dis notation: they are opened by a bracket, with which no line of CoNLL-U begins.  Nothing
 * is consumed; comments and blank lines of up to 1 MiB are looked past. */
int hp_sniff_dis(hp_input *in, bool *is_dis, hp_error *err) HP_USE_RESULT;
/* The same where a line of text may begin with a bracket: whether "( Root" is the first one. */
int hp_sniff_root(hp_input *in, bool *is_root, hp_error *err) HP_USE_RESULT;

#endif
