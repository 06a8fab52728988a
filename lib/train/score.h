/* score.h: how well a network parses a corpus: greedy, every word counted, full relations. */
#ifndef HP_SCORE_H
#define HP_SCORE_H
#include "train/corpus.h"

typedef struct hp_score {
	int64_t words, heads, labelled; /* with the right head; with the right head and label */
	double uas, las; /* per cent */
	double span, nuclearity, relation; /* RST-Parseval, per cent */
} hp_score;

/* SPECIAL as in hp_dep_label.  HIDE_TAGS: as if every tag were missing.  Prepares NET for all stages. */
int hp_score_corpus(hp_dep_net *net, hp_pool *pool, hp_arena *scratch, const hp_corpus *c, const float *vectors,
                    hp_dep_labels special, bool hide_tags, hp_score *out, hp_error *err) HP_USE_RESULT;
/* The same of rhetorical trees: RST-Parseval over all constituents.  LABELS: the lexicon's. */
int hp_score_rst(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, const hp_corpus *c, const float *vectors,
                 const hp_vocab *labels, hp_score *out, hp_error *err) HP_USE_RESULT;

#endif
