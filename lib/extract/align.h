/* align.h: finds the sentences in a document's EDUs.
 *
 * Text is compared character by character, white space aside.  The EDUs get the sentences' tokens; a token that an EDU
 * ends in is cut there.  A multiword token is taken as its words or, where the EDUs have it so, as it is written.  Besides
 * its own spelling a token may have the one that the Penn Treebank rewrites: -LRB- for (, `` and '' for ", \/ for /, and
 * a full stop of its own after one that is an abbreviation's.  The five entities of XML and numeric ones match what they
 * stand for. */
#ifndef HP_ALIGN_H
#define HP_ALIGN_H
#include "extract/sentence_file.h"
#include "rst/tree.h"

/* The EDUs of a sentence.  Of a CROSSED one's FIRST or LAST another sentence has a part.  A sentence of nothing but
 * unusual blanks (U+200B, U+FEFF, ...) is empty: FIRST and LAST are -1. */
typedef struct hp_extent {
	int32_t first, last;
	bool crossed;
	long line; /* of the sentence in its file; 0: unknown */
} hp_extent;

typedef struct hp_alignment {
	hp_extent *extent; /* [used]; the caller's to free */
	int used; /* sentences */
	int left_out; /* EDUs with nothing of any sentence in them; they stay in the tree */
	hp_error doubt; /* not EXACT: if this was not where the document's sentences end, they differ here; "": it was */
} hp_alignment;

/* The sentences of a file that may be a document's: FROM, FROM + 1, ... */
typedef struct hp_stretch {
	const hp_sentence_file *of;
	int from, count; /* at most so many */
	bool exact; /* exactly so many */
} hp_stretch;

/* The sentences of S as far as the text of T goes, and no further.  All of their text must be T's.  EDUs that they lack,
 * in the middle before a whole sentence or at the end, as footers are, are left out.  Up to DIFFERENCES characters may be
 * others, missing or inserted.  A mismatch is refused with both places. */
int hp_align(hp_rst_tree *t, const char *name, hp_stretch s, int differences, hp_alignment *out,
             hp_error *err) HP_USE_RESULT;

/* The first of the sentences *FROM, *FROM + 1, ... that T's text is, or that it begins with and goes on with those
 * after it; *FROM becomes the one after T.  TOKEN [tokens], in T's memory: which token of S each of the new texts' is,
 * or is a part of.  Where there is none, the mismatch with the sentence that agrees furthest is told, with both
 * places. */
int hp_align_next(hp_rst_tree *t, const char *name, const hp_sentence_file *s, int *from, const int32_t **token,
                  int *tokens, hp_error *err) HP_USE_RESULT;

/* Without other sentences: those that T names, or else by the text's own marks: a sentence ends with an EDU at whose end a
 * paragraph ends, or that ends in a full stop, an exclamation or a question mark of any script (quotation marks and brackets
 * after it aside) unless the next one begins with a small letter. */
int hp_align_by_marks(const hp_rst_tree *t, hp_extent **out, int *count, hp_error *err) HP_USE_RESULT;
/* T gets their ends. */
int hp_align_set_ends(hp_rst_tree *t, hp_error *err) HP_USE_RESULT;

#endif
