/* segments.c: reads texts with marks of elementary discourse units, and compares them. */
#include "eval/segments.h"

#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "eval/conll18_align.h"
#include "text/comments.h"
#include "text/marks.h"

const hp_metric hp_segments_metrics[HP_SEGMENTS_METRICS] = {
	[HP_SEGMENTS_STARTS] = {"Starts", HP_KIND_F1},
	[HP_SEGMENTS_INSIDE] = {"Inside", HP_KIND_F1},
};

/* ---- reading ---- */

/* What stands behind "# HEAD" among the comments, a copy in ARENA; "" if there is none, NULL when out of memory. */
static const char *comment(const hp_sentence *s, const char *head, hp_arena *arena)
{
	size_t size;
	const char *found = hp_comment_find(s, head, &size);
	char *value = found ? HP_NEW(arena, char, size + 1) : NULL;

	if (!found || !value)
		return found ? NULL : "";
	memcpy(value, found, size);
	value[size] = '\0';
	return value;
}

/* *DOCUMENT is that of the sentence before. */
static int add_sentence(hp_segments *out, const hp_sentence *s, const char **document, hp_error *err)
{
	hp_arena *arena = out->text.arena;
	const char *newdoc = comment(s, "newdoc id = ", arena), *id;
	int first = out->text.words;

	if (newdoc && *newdoc)
		*document = newdoc;
	id = **document ? *document : comment(s, "sent_id = ", arena);
	if (!newdoc || !id)
		return hp_fail_memory(err);
	if (!s->words)
		return 0;
	if (hp_conll18_text_add(&out->text, s, err))
		return HP_FAIL;
	if (!hp_grow(&out->begins, &out->begins_room, (size_t)out->text.words, sizeof *out->begins) ||
	    !hp_grow(&out->document, &out->document_room, (size_t)out->text.sentences, sizeof *out->document))
		return hp_fail_memory(err);
	hp_marks_read(s, out->begins + first);
	out->document[out->text.sentences - 1] = id;
	return 0;
}

static bool any_marks(const hp_segments *s)
{
	return s->begins && memchr(s->begins, 1, (size_t)s->text.words);
}

int hp_segments_read(hp_segments *out, hp_input *in, int max_words, hp_error *err)
{
	hp_conllu_reader *reader = NULL;
	const char *document = "";
	hp_sentence s;
	int got;

	*out = (hp_segments){0};
	if (hp_conll18_text_init(&out->text, hp_input_name(in), err))
		return HP_FAIL;
	out->text.words_only = true;
	hp_sentence_init(&s);
	got = hp_conllu_reader_new(in, HP_TEXT_CONLLU, max_words, &reader, err);
	while (!got && (got = hp_conllu_read(reader, &s, err)) > 0)
		got = add_sentence(out, &s, &document, err);
	hp_conllu_reader_destroy(reader);
	hp_sentence_free(&s);
	if (got)
		return HP_FAIL;
	if (!out->text.sentences)
		return hp_fail(err, "%s: no sentences", out->text.name);
	return any_marks(out) ? 0
	                      : hp_fail(err,
	                                "%s: no word is marked as the first one of an EDU (Discourse=, Seg=B-seg or "
	                                "BeginSeg=Yes in MISC)",
	                                out->text.name);
}

void hp_segments_free(hp_segments *s)
{
	hp_conll18_text_free(&s->text);
	free(s->begins);
	free(s->document);
	*s = (hp_segments){0};
}

/* ---- scores ---- */

typedef struct start { /* of an EDU */
	int next; /* the word behind it */
	size_t at; /* byte */
	int place; /* in a multiword token, from 0 */
} start;

/* The next EDU of S; begin with a zeroed one.  False: there is no more. */
static bool next_start(const hp_segments *s, start *p)
{
	while (p->next < s->text.words) {
		int word = p->next++;
		size_t at = s->text.word[word].span.begin;

		p->place = word > 0 && at == p->at ? p->place + 1 : 0;
		p->at = at;
		if (s->begins[word])
			return true;
	}
	return false;
}

static int compare(start a, start b)
{
	if (a.at != b.at)
		return a.at < b.at ? -1 : 1;
	return (a.place > b.place) - (a.place < b.place);
}

/* One beginning, in gold, the system's or both; *SENTENCE is the gold one of that before. */
static void count(const hp_segments *gold, start p, bool in_gold, bool in_system, hp_tally (*out)[HP_SEGMENTS_METRICS],
                  int *sentence)
{
	while (*sentence + 1 < gold->text.sentences && gold->text.sentence[*sentence].end <= p.at)
		++*sentence;
	bool inside = p.place > 0 || p.at != gold->text.sentence[*sentence].begin;
	for (int m = 0; m < HP_SEGMENTS_METRICS; m++) {
		if (m == HP_SEGMENTS_INSIDE && !inside)
			continue;
		out[*sentence][m].gold += in_gold;
		out[*sentence][m].system += in_system;
		out[*sentence][m].correct += in_gold && in_system;
	}
}

int hp_segments_score(const hp_segments *gold, const hp_segments *system, hp_arena *arena,
                      hp_tally (**out)[HP_SEGMENTS_METRICS], hp_error *err)
{
	start g = {0}, s = {0};
	int sentence = 0;

	*out = hp_arena_zalloc(arena, (size_t)gold->text.sentences, sizeof **out);
	if (!*out)
		return hp_fail_memory(err);
	if (hp_conll18_same_characters(&gold->text, &system->text, err))
		return HP_FAIL;
	bool more_gold = next_start(gold, &g), more_system = next_start(system, &s);
	while (more_gold || more_system) {
		int order = !more_gold ? 1 : !more_system ? -1 : compare(g, s);
		count(gold, order <= 0 ? g : s, order <= 0, order >= 0, *out, &sentence);
		if (order <= 0)
			more_gold = next_start(gold, &g);
		if (order >= 0)
			more_system = next_start(system, &s);
	}
	return 0;
}
