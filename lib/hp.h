/* hp.h: the whole parser in three calls: open a model, parse sentences, close.  See libhp(3).  Dependency models take
 * words (hp_parse), discourse models elementary discourse units (hp_parse_edus); many sentences at a time are faster
 * (hp_parse_batch, hp_parse_edus_batch).  All models of a language take raw text: its sentences (hp_open_text, hp_parse_text),
 * or the rhetorical tree of a document (hp_open_document, hp_parse_document).
 *
 *	hp_parser *parser;
 *	const hp_tree *tree;
 *	hp_error err;
 *	const char *forms[] = { "She", "reads", "." };
 *
 *	if (hp_open("en-dep", &parser, &err) != 0 || hp_parse(parser, 3, forms, NULL, &tree, &err) != 0)
 *		... err.text says why ...
 *	for (int w = 1; w <= tree->words; w++)
 *		printf("%d %s %d %s\n", w, forms[w - 1], tree->heads[w], tree->labels[w]);
 *	hp_close(parser);
 *
 * Functions return 0, or HP_FAIL with a message in ERR, which may be NULL.  Nothing that the arguments point to is kept.
 * Any number of threads may use parsers of their own at the same time; one parser is for one thread at a time. */
#ifndef HP_H
#define HP_H
#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hp_parser hp_parser;

/* A sentence's tree.  All arrays have words + 1 entries, entry 0 being the artificial root, which has no head and no
 * label: heads[0] is 0, labels[0] is "_" and both probabilities are 1.  Later versions may add members at the end. */
typedef struct hp_tree {
	int words;
	const int32_t *heads; /* number of each word's head, 0 for the one word below the root */
	const char *const *labels; /* "nsubj"; they belong to the parser and live until hp_close */
	const float *arc_prob; /* probability of each arc, given the arcs found before */
	const float *label_prob; /* probability of each label, given the arc */
	float score; /* of the tree without labels, see hp-decode(1): natural logarithms of its steps' probabilities */
	const struct hp_tree *next; /* the sentence's next best tree, after hp_set_nbest; NULL: there is none */
} hp_tree;

/* One split of a sentence's rhetorical tree.  EDUs count from 0: FIRST ... MID is the left half, MID + 1 ... LAST the
 * right one. */
typedef struct hp_edu_split {
	int first, mid, last;
	const char *nuclearity; /* "NS": the left half is the nucleus; "SN": the right half is; "NN": both are */
	const char *relation; /* "Elaboration": of the satellite, or of both nuclei */
	float split_prob; /* probability of the split, given those before; 1 where two EDUs are split */
	float label_prob; /* probability of relation and nuclearity together, given the split */
} hp_edu_split;

/* Later versions may add members at the end. */
typedef struct hp_edu_tree {
	int edus;
	const hp_edu_split *split; /* [edus - 1] from the top, each one's left half before its right half */
	float score; /* natural logarithm of the probability of all splits */
	const struct hp_edu_tree *next; /* as above */
} hp_edu_tree;

/* Opens a model as the programs' option -m does: a path if MODEL holds a '/', else the name of a model in HP_MODEL_PATH
 * or among the installed ones; NULL: the default model.  *OUT is the caller's, to be freed by hp_close; NULL after a
 * failure. */
int hp_open(const char *model, hp_parser **out, hp_error *err) HP_USE_RESULT;

/* Hypotheses that the decoder keeps at each step, from 1 to 1000; to begin with as many as the model says, mostly 1.  The best
 * of those at the end has the tree. */
int hp_set_beam(hp_parser *parser, int beam, hp_error *err) HP_USE_RESULT;

/* Trees of each sentence, from 1 (which is the default) to 1000: the best one, its member next, and so on, of a beam that is
 * as wide at least.  No two are the same.  There are fewer where the beam has found fewer. */
int hp_set_nbest(hp_parser *parser, int trees, hp_error *err) HP_USE_RESULT;

/* Threads to compute with, the caller's among them, from 1 (which is the default) to 256.  Trees do not depend on it. */
int hp_set_threads(hp_parser *parser, int threads, hp_error *err) HP_USE_RESULT;

/* From now on computes with matrices rounded to 8-bit integers: twice as fast, where the processor has AVX2 at least; else
 * nothing changes.  One or two arcs or splits in a hundred come out otherwise.  HP_FAIL: out of memory. */
int hp_set_int8(hp_parser *parser, hp_error *err) HP_USE_RESULT;

/* Parses a sentence of WORDS tokens, from 1 to 1,000,000.  FORMS [words]: the tokens in UTF-8, none of them empty, without
 * tabs and line feeds.  TAGS [words], likewise: the part-of-speech tags of the kind that the model was trained with; NULL,
 * or an entry NULL, empty or "_": unknown.  *TREE belongs to the parser and is valid until the next call that parses with
 * it or closes it; NULL after a failure. */
int hp_parse(hp_parser *parser, int words, const char *const *forms, const char *const *tags, const hp_tree **tree,
             hp_error *err) HP_USE_RESULT;

/* Parses a sentence of EDUS elementary discourse units, from 1 to 1,000,000, with a discourse model.  TEXTS [edus]: the
 * tokens of each in UTF-8, separated by blanks, at least one, without line feeds; their part-of-speech tags are unknown (a
 * batch of one takes them).  *TREE, with its strings, as above. */
int hp_parse_edus(hp_parser *parser, int edus, const char *const *texts, const hp_edu_tree **tree,
                  hp_error *err) HP_USE_RESULT;

/* ---- many sentences ---- */

/* What hp_parse takes, and FIXED [words + 1]: the head that each word must have, as hp_tree has them, -1: any; entry 0 is not
 * looked at.  NULL: none is fixed.  The rest of the tree is found around these arcs; if no tree has them, that is an error. */
typedef struct hp_batch_words {
	int words;
	const char *const *forms, *const *tags; /* [words] */
	const int32_t *fixed;
} hp_batch_words;

/* What hp_parse_edus takes, or a document, and TAGS [edus]: the tags of each EDU's tokens, separated by blanks, as many as those; NULL, or
 * an entry NULL: unknown.  FIXED [edus] keeps spans of EDUs that shall be in the tree: how many of them hold the boundary behind
 * each EDU inside, that is, both this EDU and the next one; the last entry does not matter.  NULL: none is fixed.  A span is
 * split where that number is least, so that spans of which no two cross are all kept, and no numbers are an error.  A document has
 * SENTS sentences, whose last EDUs, rising, are SENT_END [sents], the last of them edus - 1; PARAGRAPH [edus]: 1, a paragraph ends
 * with the EDU, else 0; NULL: not known.  SENTS 0: it is a sentence. */
typedef struct hp_batch_edus {
	int edus;
	const char *const *texts, *const *tags; /* [edus] */
	const int32_t *fixed;
	int sents;
	const int32_t *sent_end, *paragraph;
} hp_batch_edus;

/* Parses COUNT sentences, from 0 on, of any length: the same trees, bit for bit, as one by one, but several times as fast.
 * TREES [count] are set as above, all of them or, after a failure, none (all NULL).  Beside the trees it needs no more
 * memory for many sentences than for 128, or for the longest one. */
int hp_parse_batch(hp_parser *parser, int count, const hp_batch_words *sentences, const hp_tree **trees,
                   hp_error *err) HP_USE_RESULT;
int hp_parse_edus_batch(hp_parser *parser, int count, const hp_batch_edus *sentences, const hp_edu_tree **trees,
                        hp_error *err) HP_USE_RESULT;

/* ---- raw text ---- */

/* A token as it stands in the text: bytes FROM to TO, TO being behind it; and what it makes: one word, or several where it is
 * a multiword token. */
typedef struct hp_text_token {
	size_t from, to;
	int first, words; /* the number of the first word, from 1; how many */
} hp_text_token;

/* Strings are UTF-8, "_": the tagger does not say, or there is none. */
typedef struct hp_text_word {
	const char *form, *lemma, *upos, *xpos, *feats;
	int token; /* its number, from 0 */
} hp_text_word;

typedef struct hp_text_sentence {
	int tokens, words;
	int paragraph; /* 1: the first of a paragraph */
	const hp_text_token *token; /* [tokens] */
	const hp_text_word *word; /* [words + 1], entry 0 being the root, of no token (-1) */
	const hp_tree *tree;
} hp_text_sentence;

/* Opens all models of a language together: LANGUAGE "en" means en-tok, en-tag and en-dep, found as by hp_open; the name or
 * path of one of the three stands for all; NULL: the default.  The tagger may be missing if the parser asks for no tags.
 * The parser then does what it does after hp_open, and hp_parse_text. */
int hp_open_text(const char *language, hp_parser **out, hp_error *err) HP_USE_RESULT;

/* Finds the sentences of SIZE bytes of TEXT in UTF-8, and their tokens, words, tags and trees: as "hp-parse --input=text"
 * does, and as fast.  *SENTENCES [*COUNT] belong to the parser and are valid until the next call that parses with it or closes
 * it; NULL and 0 after a failure.  A text of white space has none. */
int hp_parse_text(hp_parser *parser, const char *text, size_t size, int *count, const hp_text_sentence **sentences,
                  hp_error *err) HP_USE_RESULT;

/* ---- documents ---- */

/* An elementary discourse unit: words FIRST to FIRST + WORDS - 1 of sentence number SENTENCE, from 0, and where their tokens
 * stand in the text, TO being behind the last one.  An EDU that begins inside a multiword token shares it with the one before. */
typedef struct hp_text_edu {
	int sentence, first, words;
	size_t from, to;
} hp_text_edu;

typedef struct hp_document {
	int sentences, edus;
	const hp_text_sentence *sentence; /* [sentences]; trees are NULL where no model reads them */
	const hp_text_edu *edu; /* [edus] */
	const hp_edu_tree *tree; /* of all EDUs */
} hp_document;

/* Opens all models of a language for the rhetorical trees of texts: "en" means en-tok, en-tag, en-edu, en-rst and, where the last
 * two read dependency trees, en-dep; a name or path as for hp_open_text.  The parser then does what it does after hp_open with
 * the discourse model, and hp_parse_document; what is set of it counts for all of the models, but beam and n best trees for
 * rhetorical trees alone. */
int hp_open_document(const char *language, hp_parser **out, hp_error *err) HP_USE_RESULT;
/* SIZE bytes of TEXT in UTF-8 are a document: its sentences, as by hp_parse_text, its EDUs and its tree, as
 * "hp-parse -m en-rst --input=text" finds them.  *OUT belongs to the parser and is valid until the next call that parses with it
 * or closes it; NULL after a failure, and of a text of white space. */
int hp_parse_document(hp_parser *parser, const char *text, size_t size, const hp_document **out,
                      hp_error *err) HP_USE_RESULT;

void hp_close(hp_parser *parser); /* accepts NULL */

#ifdef __cplusplus
}
#endif

#endif
