/* fuzz_draw.c: any bytes as CoNLL-U, beside another tree, and as rhetorical trees, drawn in every form: text is UTF-8 without
 * characters that a terminal obeys, SVG is XML, a page has one script, LaTeX has its brackets in pairs. */
#include <expat.h>
#include <string.h>
#include "base/utf8.h"
#include "draw/draw.h"
#include "draw/page.h"
#include "fuzz.h"
#include "rst/dis.h"

enum { MAX_WORDS = 200, WIDTH = 40 };

static const hp_title title = {.number = 1, .rank = 2, .name = {"a", 1}, .note = {"tree 2", 6}, .label = {"a", 1}};

typedef struct output {
	char *text;
	size_t size;
	FILE *file;
} output;

static void begin(output *o)
{
	*o = (output){0};
	o->file = open_memstream(&o->text, &o->size);
	demand(o->file);
}

/* Valid characters, none of which is obeyed. */
static void end(output *o)
{
	demand(fclose(o->file) == 0);
	for (size_t at = 0; at < o->size;) {
		int32_t code;
		int length = hp_utf8_decode(o->text + at, o->size - at, &code);

		demand(length > 0 && (code == '\n' || !hp_is_control(code)));
		at += length;
	}
}

static int count(const char *text, const char *part)
{
	int found = 0;

	for (; (text = strstr(text, part)); text++)
		found++;
	return found;
}

static void check_xml(const output *o)
{
	XML_Parser p = XML_ParserCreate("UTF-8");

	demand(p && XML_Parse(p, o->text, (int)o->size, 1) == XML_STATUS_OK);
	XML_ParserFree(p);
}

/* G or TREE on a page. */
static void check_page(const hp_graph *g, const hp_rst_tree *tree, const hp_rst_difference *differ, bool html,
                       hp_arena *arena)
{
	hp_page *page;
	output o;

	begin(&o);
	demand(hp_page_begin(o.file, html, differ ? "other" : NULL, &page, NULL) == 0);
	demand((g ? hp_page_add(page, g, &title, arena, NULL) : hp_page_add_rst(page, tree, differ, &title, arena, NULL)) ==
	       0);
	demand(hp_page_end(page, NULL) == 0);
	end(&o);
	if (html)
		demand(count(o.text, "</script") == 1 && count(o.text, "<section ") == 1);
	else
		check_xml(&o);
	free(o.text);
}

/* Brackets that are none of the text. */
static void check_latex(const hp_graph *g)
{
	int depth = 0;
	output o;

	begin(&o);
	hp_draw_latex(g, &title, o.file);
	end(&o);
	for (const char *p = o.text; *p; p++) {
		if (*p == '\\' && (p[1] == '{' || p[1] == '}'))
			p++;
		else
			depth += (*p == '{') - (*p == '}');
		demand(depth >= 0);
	}
	demand(depth == 0);
	free(o.text);
}

static void check_text(const hp_graph *g, hp_arena *arena)
{
	hp_terminal t = {.width = WIDTH};
	output o;

	for (int way = 0; way < 4; way++) {
		begin(&o);
		t.out = o.file;
		t.ascii = way & 1;
		demand(hp_draw_text(g, &title, way & 2, &t, arena, NULL) == 0);
		end(&o);
		free(o.text);
	}
	hp_terminal_free(&t);
}

static void check_sentences(const fuzz_piece *in, const fuzz_piece *other, hp_arena *arena)
{
	hp_conllu_reader *reader;
	hp_sentence s, gold;
	hp_input *input;
	hp_error err;
	int got;

	hp_sentence_init(&s);
	hp_sentence_init(&gold);
	demand(hp_input_from_memory(in->data, in->size, "fuzz", &input, NULL) == 0);
	demand(hp_conllu_reader_new(input, HP_TEXT_CONLLU, MAX_WORDS, &reader, NULL) == 0);
	bool has = hp_sentence_parse(&gold, NULL, (const char *)other->data, other->size, "gold", 1, MAX_WORDS, NULL) == 0;
	while ((got = hp_conllu_read(reader, &s, &err)) > 0) {
		const hp_graph_source source = {&s, "fuzz"}, second = {&gold, "gold"};
		hp_graph g;

		hp_arena_reset(arena);
		if (s.words == 0)
			continue;
		if (hp_graph_make(&source, has ? &second : NULL, true, arena, &g, &err) != 0) {
			fuzz_refused(&err);
			if (hp_graph_make(&source, NULL, false, arena, &g, &err) != 0)
				continue;
		}
		check_text(&g, arena);
		check_page(&g, NULL, NULL, false, arena);
		check_page(&g, NULL, NULL, true, arena);
		check_latex(&g);
	}
	hp_conllu_reader_destroy(reader);
	hp_input_close(input);
	hp_sentence_free(&s);
	hp_sentence_free(&gold);
}

static void check_tree(const hp_rst_tree *tree, const hp_rst_difference *differ, hp_arena *arena)
{
	hp_terminal t = {.width = 80};
	output o;

	begin(&o);
	t.out = o.file;
	demand(hp_draw_rst_text(tree, differ, &title, &t, arena, NULL) == 0);
	end(&o);
	free(o.text);
	hp_terminal_free(&t);
	check_page(NULL, tree, differ, false, arena);
	check_page(NULL, tree, differ, true, arena);
}

/* Beside its binary form, and that beside the tree, which is made binary then. */
static void check_difference(const hp_rst_tree *tree, hp_arena *arena)
{
	hp_rst_binary *binary;
	hp_rst_difference *differ;
	hp_rst_tree other;

	if (hp_rst_binary_new(tree, &binary, NULL) != 0)
		return;
	hp_rst_tree_init(&other);
	demand(hp_rst_binary_tree(binary, &other, NULL) == 0);
	const hp_rst_source here = {tree, "here"}, there = {&other, "there"};
	demand(hp_rst_differ(here, there, arena, &differ, NULL) == 0);
	check_tree(tree, differ, arena);
	demand(hp_rst_differ(there, there, arena, &differ, NULL) == 0);
	for (int i = 0; i < other.nodes; i++)
		demand(!differ[i].wrong);
	if (!hp_rst_is_binary(tree)) {
		demand(hp_rst_differ(there, here, arena, &differ, NULL) == 0);
		for (int i = 0; i < other.nodes; i++)
			demand(!differ[i].wrong);
	}
	hp_rst_tree_free(&other);
	hp_rst_binary_destroy(binary);
}

static void check_trees(const fuzz_piece *in, hp_arena *arena)
{
	hp_dis_reader *reader;
	hp_input *input;
	hp_rst_tree tree;

	hp_rst_tree_init(&tree);
	demand(hp_input_from_memory(in->data, in->size, "fuzz", &input, NULL) == 0);
	demand(hp_dis_reader_new(input, &reader, NULL) == 0);
	while (hp_dis_read(reader, &tree, NULL) == 1) {
		hp_arena_reset(arena);
		check_tree(&tree, NULL, arena);
		check_difference(&tree, arena);
	}
	hp_dis_reader_destroy(reader);
	hp_input_close(input);
	hp_rst_tree_free(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_arena *arena = hp_arena_new();
	fuzz_piece piece[2];

	demand(arena);
	fuzz_split(data, size, piece, 2);
	check_sentences(&piece[0], &piece[1], arena);
	check_trees(&piece[0], arena);
	hp_arena_destroy(arena);
	return 0;
}
