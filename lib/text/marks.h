/* marks.h: elementary discourse units in CoNLL-U: MISC says which words begin one. */
#ifndef HP_TEXT_MARKS_H
#define HP_TEXT_MARKS_H
#include "text/conllu.h"

/* BEGINS [words]: whether a word does, or a multiword token right before it, whose first word it is.  Marks are those of GUM,
 * "Discourse=...", and DISRPT's two: "Seg=B-seg" and "BeginSeg=Yes". */
void hp_marks_read(const hp_sentence *s, bool *begins);
bool hp_marks_any(const hp_sentence *s); /* whether a row has one */
/* The block with "Seg=B-seg" in MISC of the words that begin an EDU, and no other mark; with PROB [words] (NULL: none) as
 * "SegProb=" of all words, 4 digits; all else unchanged, and one blank line.  Refused: rows that have no column MISC. */
int hp_marks_write(const hp_sentence *s, const char *name, const bool *begins, const float *prob, FILE *out,
                   hp_error *err) HP_USE_RESULT;
/* The words as lines, an EDU a line, tokens separated by blanks, and one blank line; before them the line "# newdoc id = NAME"
 * if the block has one, or "# newdoc" without a name, which then is N. */
int hp_marks_write_edus(const hp_sentence *s, const bool *begins, FILE *out, hp_error *err) HP_USE_RESULT;
/* The FORM of W as a token of such a line, without white space, which would make two of it; returns its length. */
size_t hp_marks_form(const hp_word *w, char *out);

#endif
