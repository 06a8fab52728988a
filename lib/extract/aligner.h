/* aligner.h: what align.c (the walk), spelling.c (whether a token comes next) and repair.c (where they differ) share.
 * Private to lib/extract. */
#ifndef HP_ALIGNER_H
#define HP_ALIGNER_H
#include "extract/align.h"

/* Between two characters of the document. */
typedef struct hp_place {
	int32_t edu;
	size_t at;
} hp_place;

/* Tokens that were brought together with the document in spite of differences. */
typedef struct hp_fix {
	int32_t from, to; /* tokens; to <= from: none */
	hp_place end; /* after the last of them */
	int32_t *token; /* [units] of each character: whose it is, */
	size_t *at; /* where in it it begins, */
	int32_t *edu; /* and the EDU that it belongs to, or -1: to none */
	int units, next; /* next: the first that is not written yet */
} hp_fix;

typedef struct hp_aligner {
	hp_rst_tree *t;
	const char *name;
	const hp_sentence_file *s;
	int32_t end; /* token after the last sentence that may be used */
	hp_place here;
	bool lenient; /* EDUs that the sentences lack are left out */
	bool exact; /* the sentences end with the document */
	bool over; /* the document ended before the sentence that was to be taken */
	int differences, left; /* allowed; and still so */
	/* The new texts, one after another. */
	char *out;
	size_t size;
	size_t *start, *stop_at; /* [edus] in out */
	int32_t edu; /* that is being written; -1 at first */
	int32_t first; /* that the sentence has written to; -1 before */
	bool stop; /* the last token ended in a full stop */
	int32_t current; /* the token that is being taken */
	int32_t *token; /* [tokens] which one each of the new texts' is from */
	int tokens;
	hp_fix fix;
} hp_aligner;

/* The next character of the document from P on that is no space, moving P to it: its length, or 0 at the end. */
int hp_place_next(const hp_rst_tree *t, hp_place *p, int32_t *code);
/* Whether P, any spaces skipped, is before the first character of an EDU, or at the end. */
bool hp_place_begins(const hp_rst_tree *t, hp_place p);

/* spelling.c */
typedef enum hp_spelling {
	HP_SPELLING_NONE, /* the token does not come */
	HP_SPELLING_OWN,
	HP_SPELLING_OTHER, /* that of a treebank stands for what comes */
	HP_SPELLING_SURFACE, /* all words of a multiword token come as they are written together */
	HP_SPELLING_ABSENT /* a full stop that comes with the one before */
} hp_spelling;
/* How token I comes at P, which moves past it; STOP: what comes before ended in a full stop.  *TAKEN tokens come so. */
hp_spelling hp_spell(const hp_aligner *a, int32_t i, bool stop, hp_place *p, int *taken);
/* Where the EDUs cut what came as OWN or SURFACE: moves P over the SIZE bytes at S, and calls PUT for each piece. */
void hp_cut(hp_aligner *a, const char *s, size_t size, int32_t after, hp_place *p,
            void (*put)(hp_aligner *a, int32_t edu, const char *piece, size_t size));
/* The next character that is no space at S[*AT], in the one spelling that both sides have in repairs: its length, or 0
 * at the end. */
size_t hp_plain(const char *s, size_t size, size_t *at, int32_t *code);

/* repair.c: brings the tokens from I on and the document together where they differ, at the price of differences, which
 * A->left pays, and sets A->fix.  *REPAIRED: whether enough are left; otherwise A->here and *I are where that ended. */
int hp_repair(hp_aligner *a, int32_t *i, bool *repaired, hp_error *err) HP_USE_RESULT;
void hp_fix_free(hp_fix *f);

#endif
