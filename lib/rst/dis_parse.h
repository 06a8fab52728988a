/* dis_parse.h: what dis.c (reading blocks) and dis_parse.c (their contents) share.  Private to lib/rst. */
#ifndef HP_DIS_PARSE_H
#define HP_DIS_PARSE_H
#include "rst/dis.h"

/* Where a scan for the end of a tree stands. */
typedef enum hp_dis_place {
	HP_DIS_BETWEEN,
	HP_DIS_COMMENT,
	HP_DIS_TREE,
	HP_DIS_INTEXT, /* after _! */
	HP_DIS_MARK, /* after another _!, which may be the closing one */
	HP_DIS_TAGGED, /* after <EDU> or <s> */
	HP_DIS_TAG /* after </EDU> or </s>, which may be the closing one */
} hp_dis_place;

typedef struct hp_dis_scan {
	hp_dis_place place;
	long depth; /* open brackets */
	bool underscore; /* the last byte was a "_" that may begin a mark */
	bool line_start; /* only blanks since the line began */
	int root; /* characters of "(Root" seen at the start of a line */
	int word; /* characters of "text" seen after a bracket; -1: it is another word */
	uint64_t tail; /* of a tagged text: its last bytes, in small letters */
} hp_dis_scan;

void hp_dis_scan_start(hp_dis_scan *s);
typedef enum hp_dis_event { HP_DIS_GO_ON, HP_DIS_DONE, HP_DIS_NEW_ROOT } hp_dis_event;
/* The next byte.  HP_DIS_DONE: it was the tree's last.  HP_DIS_NEW_ROOT: in an unfinished tree a line began with
 * "( Root", which ends here. */
hp_dis_event hp_dis_scan_byte(hp_dis_scan *s, char c);

/* What the comments before a tree say of it; begins zeroed.  The last one of a kind wins. */
typedef struct hp_dis_heading {
	const char *id; /* points into the comment */
	size_t id_size; /* 0: none */
	bool sentence; /* the id is a sentence's, which is preferred to its document's */
	bool unparsed;
	int nbest;
	const char *score; /* likewise */
	size_t score_size; /* 0: none */
	const char *ends, *ends_stop; /* the numbers behind "sent_ends =" */
	long ends_line; /* 0: none */
} hp_dis_heading;

/* Takes the comment that P begins with, in line LINE, up to the line's end or END; returns where that is. */
const char *hp_dis_take_comment(hp_dis_heading *h, const char *p, const char *end, long line);
/* Gives T, whose EDUs are there, its id and sentences.  NAME: of the file.  Refused: sent_ends that do not rise to the
 * last EDU. */
int hp_dis_set_heading(const hp_dis_heading *h, hp_rst_tree *t, const char *name, hp_error *err) HP_USE_RESULT;
/* Writes such comments. */
void hp_dis_write_heading(const hp_rst_tree *t, FILE *out);

extern const char *const hp_dis_role_name[]; /* [hp_rst_role] */
/* Word joiners between a "_", which S is behind, and a "!"; -1: there is no "!". */
int hp_dis_joiners(const char *s, const char *end);

/* A block of comments and a tree. */
typedef struct hp_dis_block {
	const char *text;
	size_t size;
	const char *name; /* of the file */
	long line;
	bool unfinished; /* only part of a tree: a new one begins after it */
	bool unlabelled; /* nodes need no relation */
	int warnings; /* comes out */
	hp_error warning; /* the first of them */
} hp_dis_block;

/* Returns 1, 0 if there is no tree in it, HP_FAIL. */
int hp_dis_parse_block(hp_dis_block *b, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;

#endif
