/* attachment.h: heads and relations against the gold tree's; DESIGN section 6. */
#ifndef HP_ATTACHMENT_H
#define HP_ATTACHMENT_H
#include "eval/aligned_words.h"
#include "eval/breakdown.h"
#include "eval/confusion.h"
#include "eval/tally.h"

/* All are accuracies: gold = system = what there is to get right. */
enum {
	HP_UAS, /* words with the right head */
	HP_LAS, /* ... and the right relation, with its subtype */
	HP_LAS_UNIVERSAL, /* ... both relations cut at the first colon, as the CoNLL 2018 scorer does */
	HP_LA, /* words with the right relation, with its subtype, whatever the head */
	HP_ROOT, /* sentences whose root is the right word; every word counts here */
	HP_UCM, /* sentences all of whose words have the right head */
	HP_LCM, /* ... and the right relation, with its subtype */
	HP_ATTACHMENT_METRICS
};
extern const hp_metric hp_attachment_metrics[HP_ATTACHMENT_METRICS];

/* A sentence's scores; both trees have the same words.  counted[i]: whether word i + 1 takes part (NULL: all).  A
 * sentence none of whose words does is in neither HP_UCM nor HP_LCM. */
void hp_attachment_score(const hp_dependencies *gold, const hp_dependencies *system, const bool *counted,
                         hp_tally out[HP_ATTACHMENT_METRICS]);

/* ---- broken down ---- */
typedef enum hp_by {
	HP_BY_LENGTH, /* words of the sentence, those left out included; hp_attachment_metrics */
	HP_BY_ARC, /* distance from head to dependant, "root" apart; UAS and LAS */
	HP_BY_DEPTH, /* arcs between the word and the artificial root in the gold tree; UAS and LAS, as accuracies */
	HP_BY_DIRECTION, /* "left": the dependant stands left of its head; UAS and LAS */
	HP_BY_RELATION, /* relation with its subtype; UAS (by gold relation), LA and LAS */
	HP_BY_UNIVERSAL, /* the same with subtypes cut */
	HP_BYS
} hp_by;

const char *hp_by_name(hp_by by); /* as on the command line and in CSV */
const hp_metric *hp_by_metrics(hp_by by, int *metrics);
/* An empty breakdown; with BINS (HP_BY_LENGTH, HP_BY_ARC and HP_BY_DEPTH only) the bins' groups stand in their order. */
int hp_by_new(hp_by by, const hp_bins *bins, hp_breakdown **out, hp_error *err) HP_USE_RESULT;
/* Adds a sentence.  Precision's totals go by the system's arc or relation, recall's by the gold one. */
int hp_by_add(hp_by by, const hp_bins *bins, const hp_dependencies *gold, const hp_dependencies *system,
              const bool *counted, hp_breakdown *breakdown, hp_error *err) HP_USE_RESULT;

/* ---- what is taken for what ---- */
enum { HP_CONFUSED_RELATIONS, HP_CONFUSED_HEADS, HP_ATTACHMENT_CONFUSIONS };
/* Empty tables: of relations with their subtypes, and of "root", "left 1" ... "right 1" ..., by the distances of BINS: where
 * the dependant stands and how far from its head. */
int hp_attachment_confusions(const hp_bins *bins, hp_confusion out[HP_ATTACHMENT_CONFUSIONS],
                             hp_error *err) HP_USE_RESULT;
/* Adds a sentence: words that are counted, whatever their heads. */
int hp_attachment_confuse(const hp_bins *bins, const hp_dependencies *gold, const hp_dependencies *system,
                          const bool *counted, hp_confusion out[HP_ATTACHMENT_CONFUSIONS], hp_error *err) HP_USE_RESULT;

/* Length of a relation without its subtype. */
uint32_t hp_universal_length(const char *relation, uint32_t length);

#endif
