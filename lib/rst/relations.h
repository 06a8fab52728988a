/* relations.h: a map from relations to classes, a CSV file with rows RELATION,CLASS.
 *
 * The first row may be the heading "relation,class"; rows that begin with # are comments.  Relations are found without
 * regard to case.  A row for the relation * says what all others become. */
#ifndef HP_RELATIONS_H
#define HP_RELATIONS_H
#include "rst/tree.h"

typedef struct hp_relations hp_relations;

/* Refused, with file and line: rows of another width, empty names, names with blanks or brackets, a relation twice. */
int hp_relations_read(const char *path, hp_relations **out, hp_error *err) HP_USE_RESULT;
/* The same by name: a path, if NAME holds a "/" or ends in ".csv", else NAME.csv in folder DIR. */
int hp_relations_open(const char *name, const char *dir, hp_relations **out, hp_error *err) HP_USE_RESULT;
void hp_relations_destroy(hp_relations *r); /* accepts NULL */
/* The class of a relation; NULL if the map does not say.  Valid until the map is destroyed. */
const char *hp_relations_find(const hp_relations *r, const char *relation);
/* Gives every node of T its class; "span" stays.  A relation that is not in the map is refused with NAME, T's file. */
int hp_relations_apply(const hp_relations *r, hp_rst_tree *t, const char *name, hp_error *err) HP_USE_RESULT;

#endif
