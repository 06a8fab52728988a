/* unparsed.h: texts that pass as they are. */
#ifndef UNPARSED_H
#define UNPARSED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether TEXT has a row with a head, which might be taken for one of ours.  NAMES: those of the columns, if they are named, else
 * NULL. */
bool unparsed_tree(const char *text, size_t size, const char *names);
/* Writes TEXT [SIZE], which a discourse model was given, with HP_UNPARSED and WHY: a tree in .dis notation as it is, all else as
 * comments. */
void unparsed_write_discourse(const char *text, size_t size, const char *why, FILE *out);

#endif
