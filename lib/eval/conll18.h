/* conll18.h: what the scorer of the CoNLL 2018 shared task prints.
 *
 * The texts are the same but for spaces; sentences, tokens and words may differ.  Relations are cut at the first colon.
 * Of FEATS only the universal features count, in any order.  CLAS, MLAS and BLEX look at words with a content relation;
 * MLAS also compares tags, features and the functional dependants (relation, tags and features of each); BLEX the lemma,
 * which a gold lemma of "_" makes right. */
#ifndef HP_CONLL18_H
#define HP_CONLL18_H
#include <stdio.h>
#include "base/arena.h"
#include "eval/conll18_text.h"
#include "eval/tally.h"

enum {
	HP_CONLL18_TOKENS,
	HP_CONLL18_SENTENCES,
	HP_CONLL18_WORDS,
	HP_CONLL18_UPOS,
	HP_CONLL18_XPOS,
	HP_CONLL18_UFEATS,
	HP_CONLL18_ALLTAGS,
	HP_CONLL18_LEMMAS,
	HP_CONLL18_UAS,
	HP_CONLL18_LAS,
	HP_CONLL18_CLAS,
	HP_CONLL18_MLAS,
	HP_CONLL18_BLEX,
	HP_CONLL18_METRICS
};
/* Names begin with "CoNLL-", as this LAS is not that of attachment.h. */
extern const hp_metric hp_conll18_metrics[HP_CONLL18_METRICS];

/* Scores of whole texts into *OUT [gold sentences], in ARENA: what is gold counts in its sentence, what is the system's in the
 * gold sentence in which it begins, and what agrees in that of the gold word. */
int hp_conll18_score(const hp_conll18_text *gold, const hp_conll18_text *system, hp_arena *arena,
                     hp_tally (**out)[HP_CONLL18_METRICS], hp_error *err) HP_USE_RESULT;
/* The scorer's own table, to the byte. */
void hp_conll18_print(const hp_tally scores[HP_CONLL18_METRICS], FILE *out);

#endif
