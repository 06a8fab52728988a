/* unparsed.h: texts that pass as they are. */
#ifndef UNPARSED_H
#define UNPARSED_H
#include <stdbool.h>
#include <stddef.h>

/* Whether TEXT has a tree, a row with a head or one in .dis notation, which might be taken for one of ours.  NAMES: those of the
 * columns, if they are named, else NULL. */
bool unparsed_tree(const char *text, size_t size, const char *names);

#endif
