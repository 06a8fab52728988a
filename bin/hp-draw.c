/* hp-draw: pictures of trees, as text, SVG, HTML and LaTeX. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"
#include "draw/draw.h"
#include "draw/page.h"
#include "io/sniff.h"
#include "options.h"
#include "rst/documents.h"

static const char usage[] = "Usage: hp-draw [OPTION]... [FILE]...\n"
							"Draw the trees of FILEs or standard input: dependency trees in CoNLL-U, or\n"
							"rhetorical trees in .dis or .rs3 notation.\n\n";

typedef enum form { TEXT, SVG, HTML, LATEX } form;

typedef struct settings {
	int form, width, colours, max_words;
	bool down, ascii, enhanced;
	const char *gold, *output;
} settings;

#define INTO(field) OPTION_INTO(settings, field)

enum { AUTO, ALWAYS, NEVER };
static const char *const whens[] = {"auto", "always", "never", NULL};

static int take_when(void *into, const option_row *row, char *argument)
{
	settings *s = into;

	for (int i = 0; whens[i]; i++) {
		if (strcmp(argument, whens[i]) != 0)
			continue;
		s->colours = i;
		return CLI_OK;
	}
	return cli_usage("--%s: '%s' is not auto, always or never", row->name, argument);
}

static const option_row rows[] = {
	{'t', "text", NULL, INTO(form), .min = TEXT,
     .help = "draw with characters; the default, unless the output's\nname ends in .svg, .html or .tex"},
	{'s', "svg", NULL, INTO(form), .min = SVG, .help = "one SVG picture, trees one below the other"},
	{'H', "html", NULL, INTO(form), .min = HTML, .help = "one page for a browser, to search and to go through"},
	{'l', "latex", NULL, INTO(form), .min = LATEX, .help = "LaTeX with tikz-dependency, a tree a page"},
	{'g', "gold", "FILE", INTO(gold), .named = true,
     .help = "show where heads and relations differ from FILE, which\nhas the same words, or EDUs"},
	{'e', "enhanced", NULL, INTO(enhanced), .help = "empty nodes and arcs of DEPS that the tree has not"},
	{'w', "width", "N", INTO(width), .min = 20, .max = 10000,
     .help = "columns of text (default: the terminal's, or 80)"},
	{'d', "down", NULL, INTO(down),
     .help = "text: always a word a line, not only where a sentence\nis wider than that"},
	{'a', "ascii", NULL, INTO(ascii), .help = "text: lines of - | + instead of box-drawing characters"},
	{'c', "colour", "WHEN", .take = take_when, .help = "text: auto (the default), always or never"},
	{0, "max-words", "N", INTO(max_words), .min = 1, .max = INT32_MAX / 2,
     .help = "longest sentence accepted (default: 20000)"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, whole or not at all"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help and exit"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version and exit"},
	{0}};

/* A file of rhetorical trees. */
typedef struct trees {
	hp_input *in;
	hp_rst_documents *reader;
	hp_rst_tree tree;
	int count; /* so far */
} trees;

/* A file of sentences. */
typedef struct text {
	hp_input *in;
	hp_conllu_reader *reader;
	hp_sentence s;
} text;

typedef struct run {
	const settings *o;
	hp_arena *arena; /* of one tree */
	hp_terminal terminal;
	hp_page *page; /* SVG, HTML */
	bool begun; /* LaTeX */
	hp_input *gold_input; /* of one of these: */
	bool gold_empty;
	text gold;
	trees gold_trees;
	long number; /* of the sentence or document */
} run;

/* ---- dependency trees ---- */

static int open_text(text *t, hp_input *in, int max_words, hp_error *err)
{
	t->in = in;
	return hp_conllu_reader_new(in, HP_TEXT_CONLLU, max_words, &t->reader, err);
}

static void close_reader(text *t)
{
	hp_conllu_reader_destroy(t->reader);
	t->reader = NULL;
	hp_sentence_free(&t->s);
}

/* The next sentence that has words. */
static int read_text(text *t, hp_error *err)
{
	int got;

	do
		got = hp_conllu_read(t->reader, &t->s, err);
	while (got == 1 && t->s.words == 0);
	return got;
}

static int read_gold(run *r, const text *t, hp_error *err)
{
	int got = read_text(&r->gold, err);

	return got == 0  ? hp_fail_at(err, hp_input_name(t->in), t->s.line, "%s has no sentence for this one",
	                              hp_input_name(r->gold.in))
	       : got < 0 ? HP_FAIL
	                 : 0;
}

/* Only when there is something to stand in it: rhetorical trees are refused. */
static void begin_latex(run *r)
{
	if (!r->begun)
		hp_draw_latex_begin(stdout);
	r->begun = true;
}

static int draw_graph(run *r, const hp_graph *g, const hp_sentence *s, hp_error *err)
{
	const hp_slice block = {s->text, s->size};
	hp_title title;

	if (!hp_title_make(hp_draw_comment(block, "sent_id"), block, &r->number, r->arena, &title))
		return hp_fail_memory(err);
	if (r->page)
		return hp_page_add(r->page, g, &title, r->arena, err);
	if (r->o->form == LATEX) {
		begin_latex(r);
		hp_draw_latex(g, &title, stdout);
		return 0;
	}
	return hp_draw_text(g, &title, r->o->down, &r->terminal, r->arena, err);
}

static int draw_sentences(run *r, hp_input *in, hp_error *err)
{
	text t = {0};
	int got = open_text(&t, in, r->o->max_words, err);

	while (got == 0 && (got = read_text(&t, err)) > 0) {
		const hp_graph_source source = {&t.s, hp_input_name(in)},
							  gold = {&r->gold.s, r->gold.in ? hp_input_name(r->gold.in) : NULL};
		hp_graph g = {0};

		hp_arena_reset(r->arena);
		if (r->gold_trees.reader)
			got = hp_fail_at(err, source.name, t.s.line, "a dependency tree, but %s has rhetorical trees",
			                 hp_input_name(r->gold_trees.in));
		else
			got = gold.name ? read_gold(r, &t, err) : 0;
		if (got == 0)
			got = hp_graph_make(&source, gold.name ? &gold : NULL, r->o->enhanced, r->arena, &g, err);
		if (got == 0)
			got = draw_graph(r, &g, &t.s, err);
		if (got != 0 || ferror(stdout))
			break;
	}
	close_reader(&t);
	return got;
}

/* ---- rhetorical trees ---- */

/* The name of a tree that is the COUNT-th one of its file.  One that has none got the file's, and COUNT, by which the n best
 * trees of one document are told apart no better than documents are: it is cut off them. */
static hp_slice name_tree(const hp_rst_tree *tree, hp_slice block, int count)
{
	hp_slice name = {tree->id, strlen(tree->id)};
	char ending[16];
	size_t size = (size_t)snprintf(ending, sizeof ending, ".%d", count);

	if (count > 1 && hp_draw_comment(block, "nbest").size > 0 && hp_draw_comment(block, "sent_id").size == 0 &&
	    hp_draw_comment(block, "newdoc id").size == 0 && name.size > size &&
	    memcmp(name.s + name.size - size, ending, size) == 0)
		name.size -= size;
	return name;
}

static int open_trees(trees *t, hp_input *in, hp_error *err)
{
	t->in = in;
	hp_rst_tree_init(&t->tree);
	if (hp_rst_documents_new(in, NULL, &t->reader, err) != 0)
		return HP_FAIL;
	hp_rst_documents_on_warning(t->reader, cli_warn, NULL);
	return 0;
}

static void close_trees(trees *t)
{
	hp_rst_documents_destroy(t->reader);
	if (t->in)
		hp_rst_tree_free(&t->tree);
	t->reader = NULL;
}

static int read_tree(trees *t, hp_error *err)
{
	int got = hp_rst_documents_next(t->reader, &t->tree, err);

	t->count += got > 0;
	return got;
}

/* How the tree differs from the next one of the second file. */
static int compare_tree(run *r, const trees *t, hp_rst_difference **differ, hp_error *err)
{
	trees *gold = &r->gold_trees;
	const hp_rst_source here = {&t->tree, hp_input_name(t->in)}, there = {&gold->tree, hp_input_name(gold->in)};
	int got = read_tree(gold, err);

	if (got < 0)
		return HP_FAIL;
	if (got == 0)
		return hp_fail_at(err, here.name, t->tree.line, "%s has no tree for this one", there.name);
	return hp_rst_differ(here, there, r->arena, differ, err);
}

static int draw_tree(run *r, const trees *t, hp_error *err)
{
	hp_rst_difference *differ = NULL;
	hp_slice block;
	hp_title title;

	if (r->gold_trees.reader && compare_tree(r, t, &differ, err) != 0)
		return HP_FAIL;
	block.s = hp_rst_documents_text(t->reader, &block.size);
	if (!hp_title_make(name_tree(&t->tree, block, t->count), block, &r->number, r->arena, &title))
		return hp_fail_memory(err);
	if (r->page)
		return hp_page_add_rst(r->page, &t->tree, differ, &title, r->arena, err);
	return hp_draw_rst_text(&t->tree, differ, &title, &r->terminal, r->arena, err);
}

static int draw_trees(run *r, hp_input *in, hp_error *err)
{
	trees t = {.count = 0};
	int got;

	if (r->o->form == LATEX || r->o->enhanced)
		return hp_fail(err, "%s: rhetorical trees, --%s is for dependency trees", hp_input_name(in),
		               r->o->form == LATEX ? "latex" : "enhanced");
	got = open_trees(&t, in, err);
	while (got == 0 && (got = read_tree(&t, err)) > 0 && !ferror(stdout)) {
		if (r->gold.reader)
			got = hp_fail_at(err, hp_input_name(in), t.tree.line, "a rhetorical tree, but %s has %s",
			                 hp_input_name(r->gold.in), r->gold_empty ? "nothing" : "dependency trees");
		hp_arena_reset(r->arena);
		if (got > 0)
			got = draw_tree(r, &t, err);
	}
	close_trees(&t);
	return got;
}

/* ---- files ---- */

/* Whether IN holds rhetorical trees, which begin with a bracket or, as XML, with "<". */
static int is_rst(hp_input *in, bool *rst, hp_error *err)
{
	static const char before[] = " \t\r\n\xEF\xBB\xBF\xFE\xFF"; /* blanks, byte-order marks, NUL */
	const char *data;
	size_t size, i = 0;

	if (hp_sniff_dis(in, rst, err) != 0 || hp_input_peek(in, 64, &data, &size, err) != 0)
		return HP_FAIL;
	while (i < size && memchr(before, data[i], sizeof before))
		i++;
	*rst |= i < size && data[i] == '<';
	return 0;
}

static int draw_file(run *r, const char *path, hp_error *err)
{
	hp_input *in;
	bool rst;
	int status = hp_input_open(path, &in, err);

	if (status != 0)
		return HP_FAIL;
	status = is_rst(in, &rst, err);
	if (status == 0)
		status = rst ? draw_trees(r, in, err) : draw_sentences(r, in, err);
	hp_input_close(in);
	return status;
}

static int open_gold(run *r, hp_error *err)
{
	hp_input *in;
	bool rst = false;

	if (hp_input_open(r->o->gold, &in, err) != 0)
		return HP_FAIL;
	r->gold_input = in;
	if (is_rst(in, &rst, err) != 0)
		return HP_FAIL;
	r->gold_empty = hp_input_at_end(in);
	return rst ? open_trees(&r->gold_trees, in, err) : open_text(&r->gold, in, r->o->max_words, err);
}

static int begin(run *r, hp_error *err)
{
	const settings *o = r->o;

	if (!r->arena)
		return hp_fail_memory(err);
	if (o->gold && open_gold(r, err) != 0)
		return HP_FAIL;
	return o->form == SVG || o->form == HTML ? hp_page_begin(stdout, o->form == HTML, o->gold, &r->page, err) : 0;
}

/* Also after trouble, so that what came before it can be looked at.  STATUS and ERR are of that. */
static int end(run *r, int status, hp_error *err)
{
	hp_error late;

	if (r->o->form == LATEX && status == 0)
		begin_latex(r);
	if (r->begun)
		hp_draw_latex_end(stdout);
	if (hp_page_end(r->page, status == 0 ? err : &late) != 0)
		status = HP_FAIL;
	close_reader(&r->gold);
	close_trees(&r->gold_trees);
	hp_input_close(r->gold_input);
	hp_terminal_free(&r->terminal);
	hp_arena_destroy(r->arena);
	return status;
}

/* 0: FILE is no terminal, or does not tell. */
static int columns_of(int file)
{
	struct winsize size;

	return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Of the terminal that started the program, where a pager shows what it writes. */
static int columns_of_pager(void)
{
	int columns = columns_of(STDERR_FILENO), file;

	if (columns > 0)
		return columns;
	file = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (file < 0)
		return 0;
	columns = columns_of(file);
	(void)close(file);
	return columns;
}

static int find_width(void)
{
	const char *columns = getenv("COLUMNS");
	int n = columns_of(STDOUT_FILENO);

	if (n == 0)
		n = columns ? atoi(columns) : columns_of_pager();
	return n <= 0 ? 80 : n < 20 ? 20 : n > 10000 ? 10000 : n;
}

static int draw(const settings *o, int count, char **files, hp_error *err)
{
	run r = {.o = o, .arena = hp_arena_new()};
	int status;

	r.terminal = (hp_terminal){.out = stdout,
	                           .ascii = o->ascii,
	                           .width = o->width ? o->width : find_width(),
	                           .colours = o->colours == ALWAYS || (o->colours == AUTO && isatty(STDOUT_FILENO))};
	status = begin(&r, err);
	for (int i = 0; (i < count || i == 0) && status == 0; i++)
		status = draw_file(&r, count ? files[i] : "-", err);
	return end(&r, status, err);
}

/* Without an option it is how the output's name ends. */
static int form_of(const options *o, const settings *s)
{
	static const struct {
		const char *ending;
		form form;
	} forms[] = {{"svg", SVG}, {"html", HTML}, {"htm", HTML}, {"tex", LATEX}};
	bool given =
		options_given(o, "text") || options_given(o, "svg") || options_given(o, "html") || options_given(o, "latex");

	for (size_t i = 0; s->output && !given && i < sizeof forms / sizeof *forms; i++)
		if (cli_ends_in(s->output, forms[i].ending))
			return forms[i].form;
	return s->form;
}

/* Whether OUTPUT is named like a picture that this program does not make. */
static bool is_other_picture(const char *output)
{
	static const char *const endings[] = {"png", "pdf", "jpg", "jpeg", "gif", "webp", "ps", "eps"};

	for (size_t i = 0; output && i < sizeof endings / sizeof *endings; i++)
		if (cli_ends_in(output, endings[i]))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	settings s = {.max_words = 20000};
	options o = {.usage = usage, .column = 21, .table = {{.row = rows, .into = &s}}};
	hp_error err;

	cli_start("hp-draw");
	int status = options_parse(&o, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	if (is_other_picture(s.output))
		return cli_usage(
			"--output=%s, expected a name in .svg, .html, .tex, or for text any other: rsvg-convert makes PNG and PDF "
			"of SVG",
			s.output);
	s.form = form_of(&o, &s);
	int count = argc - optind;
	char **files = argv + optind;
	if ((s.gold && cli_check_output(s.output, 1, (char *const *)&s.gold) != CLI_OK) ||
	    cli_begin_output(s.output, count, files) != CLI_OK)
		return CLI_FAILED;
	if (draw(&s, count, files, &err) != 0)
		return ferror(stdout) ? cli_finish(CLI_FAILED) : cli_finish(cli_fail(&err));
	return cli_finish(CLI_OK);
}
