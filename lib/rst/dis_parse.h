/* dis_parse.h: what dis.c (reading blocks) and dis_parse.c (their contents) share.  Private to lib/rst. */
#ifndef HP_DIS_PARSE_H
#define HP_DIS_PARSE_H
#include "rst/dis.h"

/* Where a scan for the end of a tree stands. */
typedef enum hp_dis_place { HP_DIS_BETWEEN, HP_DIS_COMMENT, HP_DIS_TREE, HP_DIS_INTEXT, HP_DIS_MARK } hp_dis_place;

typedef struct hp_dis_scan {
	hp_dis_place place;
	long depth; /* open brackets */
	bool underscore; /* the last byte was a "_" that may begin a mark */
	bool line_start; /* only blanks since the line began */
	int root; /* characters of "(Root" seen at the start of a line */
} hp_dis_scan;

void hp_dis_scan_start(hp_dis_scan *s);
typedef enum hp_dis_event { HP_DIS_GO_ON, HP_DIS_DONE, HP_DIS_NEW_ROOT } hp_dis_event;
/* The next byte.  HP_DIS_DONE: it was the tree's last.  HP_DIS_NEW_ROOT: in an unfinished tree a line began with
 * "( Root", which ends here. */
hp_dis_event hp_dis_scan_byte(hp_dis_scan *s, char c);

/* A block of comments and a tree, or only part of one if UNFINISHED (a new one begins behind it); nodes of an UNLABELLED
 * one need no relation.  Returns 1, 0 if there is no tree in it, HP_FAIL. */
int hp_dis_parse_block(hp_rst_tree *t, const char *text, size_t size, const char *name, long line, bool unfinished,
	bool unlabelled, hp_error *err) HP_USE_RESULT;

#endif
