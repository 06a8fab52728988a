/* rs3_file.h: what an .rs3 file says, before a tree is made of it.  Private to lib/rst. */
#ifndef HP_RS3_FILE_H
#define HP_RS3_FILE_H
#include "io/input.h"
#include "text/vocab.h"

typedef enum hp_rs3_kind {
	HP_RS3_SEGMENT,
	HP_RS3_SPAN,
	HP_RS3_MULTINUC,
	HP_RS3_GROUP
} hp_rs3_kind; /* GROUP: no type */

typedef struct hp_rs3_node {
	hp_rs3_kind kind;
	int id; /* number in ids */
	int parent; /* number in ids, or -1 */
	int relation; /* number in relations, or -1: there is no parent, or none is named */
	size_t text, text_size; /* of a segment: offset in the file's text; single blanks; perhaps empty */
	bool paragraph; /* the segment ended in <P> */
	long line;
} hp_rs3_node;

/* An element of .rs4. */
typedef struct hp_rs3_extra {
	enum { HP_RS3_EDGE, HP_RS3_SIGNAL, HP_RS3_SIGNAL_TYPE } kind;
	int id; /* of an edge; numbers in ids, or -1 */
	int source, target;
	int relation; /* of an edge: number in relations, or -1 */
	size_t attributes; /* offset in the file's text, NUL-terminated: the others, as in tree.h */
} hp_rs3_extra;

enum { HP_RS3_DECLARED_RST = 1, HP_RS3_DECLARED_MULTINUC = 2 };

typedef struct hp_rs3_file {
	hp_vocab *ids, *relations;
	int nodes;
	hp_rs3_node *node; /* [nodes], in the order of the file */
	int types;
	unsigned char *type; /* [types] how the relation of that number is declared; later ones are not */
	int secedges, signals; /* of .rs4: how many there are */
	int extras;
	hp_rs3_extra *extra; /* [extras] */
	char *text;
	size_t size, capacity, node_capacity, type_capacity, extra_capacity;
} hp_rs3_file;

/* The entity of XML that the first byte of S that needs one becomes in a text or an attribute; "": none does.  *PLAIN is
 * how many stand before it. */
const char *hp_rs3_entity(const char *s, size_t size, size_t *plain);

/* Reads IN to its end.  F is to be freed even after a failure. */
int hp_rs3_file_read(hp_input *in, hp_rs3_file *f, hp_error *err) HP_USE_RESULT;
void hp_rs3_file_free(hp_rs3_file *f);

#endif
