/* source-trees.c: items from .dis trees, whose EDUs are taken: a tree, or a part of one that is too long. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli.h"
#include "extract/align.h"
#include "source.h"

static int open_dis(source *s, hp_error *err)
{
	hp_rst_tree_init(&s->tree);
	if (hp_dis_reader_new(s->in, &s->trees, err) != 0)
		return HP_FAIL;
	hp_dis_unlabelled(s->trees);
	hp_dis_on_warning(s->trees, cli_warn, NULL);
	return 0;
}

/* Where a part of the tree ends that begins with EDU FROM: with the last paragraph that has room, or else sentence; where none
 * has, with the first one, which will be refused. */
static int part_end(const source *s, int from)
{
	const hp_rst_tree *t = &s->tree;
	int most = source_most_edus(s), paragraph = 0, sentence = 0, sent = 0;

	if (!source_cuts(s) || t->edus - from <= most)
		return t->edus;
	for (int e = 0; e < t->edus && (e < from + most || (paragraph <= from && sentence <= from)); e++) {
		bool ends = sent < t->sents && t->sent_end[sent] == e;

		sent += ends;
		sentence = ends ? e + 1 : sentence;
		paragraph = t->edu[e].paragraph ? e + 1 : paragraph;
	}
	return paragraph > from ? paragraph : sentence > from ? sentence : t->edus;
}

/* --constraints: the nodes of a tree that has been read. */
static int hold_nodes(source *s, hp_error *err)
{
	if (!hp_grow(&s->held, &s->held_capacity, (size_t)s->tree.edus, sizeof *s->held))
		return hp_fail_memory(err);
	hp_rst_held(&s->tree, s->held);
	return 0;
}

static int read_tree(source *s, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	bool goes_on = s->to > 0 && s->to < t->edus;
	int got = goes_on ? SOURCE_ITEM : hp_dis_read(s->trees, &s->tree, err);

	s->next = (filter_item){.n = 0};
	s->from = goes_on ? s->to : 0;
	s->to = got > 0 ? part_end(s, s->from) : 0;
	s->part = goes_on ? s->part + 1 : 0;
	if (got > 0 && !goes_on && s->f->embed.constraints && hold_nodes(s, err) != 0)
		return HP_FAIL;
	if (got > 0) {
		s->next.size = t->id ? strlen(HP_EDUS_DOCUMENT) + strlen(t->id) + 16 : 0;
		for (int i = s->from; i < s->to; i++)
			s->next.size += t->edu[i].size + 1;
		s->next.n = source_most_words(s->next.size);
	}
	return got;
}

static bool dis_goes_on(source *s)
{
	s->next.text = hp_dis_text(s->trees, &s->next.size, NULL);
	s->to = 0; /* all of it passes */
	return !hp_dis_broken(s->trees);
}

/* Whether several sentences seem to end in a document, of which it is not known where they do. */
static int find_endless(source *s, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	hp_extent *extent;
	int count;

	if (!s->documents || s->part > 0 || t->sents > 0 || (t->id && !t->document))
		return 0;
	if (hp_align_by_marks(t, &extent, &count, err) != 0)
		return HP_FAIL;
	s->count.endless += count > 1;
	free(extent);
	return 0;
}

/* The name, and the sentences of a document.  A model that does not know them takes it for one, which is told at the end. */
static int take_heading(source *s, filter_item *item, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	size_t room = t->id ? strlen(t->id) + 16 : 1;
	char *id = HP_NEW(s->f->arena, char, room);
	int32_t *ends = HP_NEW(s->f->arena, int32_t, t->sents + 1);

	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	snprintf(id, room, s->part > 0 ? "%s.%d" : "%s", t->id ? t->id : "", s->part + 1);
	item->edus.id = t->id ? id : NULL;
	s->count.joined += t->sents > 1 && !s->documents;
	s->count.alone += !t->document && s->documents;
	if (find_endless(s, err) != 0)
		return HP_FAIL;
	if (!t->document || !t->id)
		return 0;
	item->edus.document = true;
	item->edus.sent_end = ends;
	for (int i = 0; i < t->sents; i++) {
		if (t->sent_end[i] >= s->from && t->sent_end[i] < s->to)
			ends[item->edus.sents++] = t->sent_end[i] - s->from;
	}
	return 0;
}

static int take_tree(source *s, filter_item *item, hp_error *err)
{
	const hp_rst_tree *t = &s->tree;
	const hp_edus_source from = {hp_input_name(s->in), t->line, 0, s->f->embed.max_words};
	hp_arena *arena = s->f->arena;
	const char **text, *lines;
	size_t size;

	if (s->next.unparsed)
		return source_pass(s, item, s->next.text, s->next.size, err);
	text = HP_NEW(arena, const char *, s->to - s->from);
	if (!text)
		return hp_fail_memory(err);
	for (int i = s->from; i < s->to; i++)
		text[i - s->from] = t->edu[i].text;
	if (hp_edus_take(s->to - s->from, text, from, arena, &item->edus, &item->sentence, err) != 0 ||
	    take_heading(s, item, err) != 0 || source_check_size(s, item, t->line, err) != 0)
		return HP_FAIL;
	for (int i = s->from; i < s->to; i++)
		item->edus.paragraph[i - s->from] = t->edu[i].paragraph;
	s->count.cut += s->part == 1;
	s->count.parts += s->part == 1 ? 2 : s->part > 1;
	lines = hp_edus_lines(&item->edus, arena, &size);
	if (!lines)
		return hp_fail_memory(err);
	if (s->f->embed.constraints && source_fix(s, item, s->held + s->from, err) != 0)
		return HP_FAIL;
	source_take_words(s, item, lines, size);
	return 0;
}

static int dis_ready(source *s, bool *ready, hp_error *err)
{
	*ready = s->to > 0 && s->to < s->tree.edus;
	return *ready ? 0 : hp_dis_ready(s->trees, ready, err);
}

static void close_trees(source *s)
{
	hp_dis_reader_destroy(s->trees);
	hp_rst_tree_free(&s->tree);
	free(s->held);
}

const source_kind source_dis = {.open = open_dis,
                                .read = read_tree,
                                .take = take_tree,
                                .ready = dis_ready,
                                .goes_on = dis_goes_on,
                                .finish = source_tell_counts,
                                .close = close_trees};
