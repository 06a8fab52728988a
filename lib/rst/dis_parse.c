/* dis_parse.c: a tree in RST-DT notation that is in memory.  No recursion: brackets may nest as deep as they like. */
#include "rst/dis_parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/blank.h"
#include "base/grow.h"
#include "rst/build.h"
#include "base/utf8.h"
#include "text/edus.h"

/* What was said so far about a node whose bracket is open. */
typedef struct frame {
	long line;
	int32_t span_first, span_last; /* 0: no span */
	int32_t leaf; /* 0: no leaf */
	const char *text; /* between the marks; NULL: no text */
	size_t text_size;
	long text_line;
	bool sentence; /* ends behind it */
	bool relation; /* has rel2par */
} frame;

typedef struct parser {
	const char *p, *end;
	const char *name;
	long line;
	hp_dis_block *block;
	hp_rst_build build;
	frame *frame;
	int depth;
	size_t capacity; /* frames */
	hp_dis_heading heading;
	char *squeezed; /* room for any text */
	hp_error *err;
} parser;

static bool ends_word(char c)
{
	return hp_is_white(c) || c == '(' || c == ')';
}

static void skip_word(parser *ps)
{
	while (ps->p < ps->end && !ends_word(*ps->p))
		ps->p++;
}

/* Skips blanks and, behind brackets, marks such as //TT_ERR. */
static void skip_blanks(parser *ps)
{
	for (; ps->p < ps->end; ps->p++) {
		if (*ps->p == '\n') {
			ps->line++;
		} else if (ps->end - ps->p >= 2 && ps->p[0] == '/' && ps->p[1] == '/') {
			skip_word(ps);
			ps->p--;
		} else if (!hp_is_white(*ps->p)) {
			break;
		}
	}
}

/* Length of the word at the place reached, shown in messages: not more than 40 bytes, whole characters. */
static int shown(const parser *ps)
{
	const char *stop = ps->p;

	while (stop < ps->end && !hp_is_white(*stop) && stop - ps->p < 40)
		stop++;
	return hp_utf8_shown(ps->p, stop - ps->p);
}

static int fail_here(parser *ps, const char *expected)
{
	if (ps->p >= ps->end)
		return hp_fail_at(ps->err, ps->name, ps->line, "the tree ends here, expected %s", expected);
	return hp_fail_at(ps->err, ps->name, ps->line, "'%.*s', expected %s", shown(ps), ps->p, expected);
}

static bool is_word(const char *word, size_t size, const char *name)
{
	return strlen(name) == size && strncasecmp(word, name, size) == 0;
}

/* The word at the place reached; perhaps empty. */
static const char *take_word(parser *ps, size_t *size)
{
	const char *word;

	skip_blanks(ps);
	word = ps->p;
	skip_word(ps);
	*size = ps->p - word;
	return word;
}

static int take_number(parser *ps, int32_t *number)
{
	size_t size;
	const char *word = take_word(ps, &size);
	int64_t value = 0;

	for (size_t i = 0; i < size && value >= 0; i++) {
		bool digit = word[i] >= '0' && word[i] <= '9';

		value = digit ? 10 * value + (word[i] - '0') : -1;
		if (value > INT32_MAX)
			value = -1;
	}
	if (size == 0 || value < 1) {
		ps->p = word;
		return fail_here(ps, "the number of an EDU, from 1");
	}
	*number = (int32_t)value;
	return 0;
}

/* Blanks from P on. */
static const char *pass_blanks(const char *p, const char *end)
{
	while (p < end && hp_is_white(*p))
		p++;
	return p;
}

/* Behind a mark or tag that ends at P: whether a bracket closes the text here; *AFTER is where the blanks between end. */
static bool is_closed(const parser *ps, const char *p, const char **after)
{
	*after = pass_blanks(p, ps->end);
	return *after < ps->end && **after == ')';
}

static void set_text(parser *ps, frame *f, const char *start, const char *stop, const char *after)
{
	f->text = start;
	f->text_size = stop - start;
	f->text_line = ps->line;
	for (; ps->p < after; ps->p++)
		ps->line += *ps->p == '\n';
}

/* Moves *P over TAG and the blanks behind it, if it comes there. */
static bool takes_tag(const parser *ps, const char **p, const char *tag)
{
	size_t size = strlen(tag);

	if ((size_t)(ps->end - *p) < size || strncasecmp(*p, tag, size) != 0)
		return false;
	*p = pass_blanks(*p + size, ps->end);
	return true;
}

/* Between the tags of the Instructional corpus: <s><EDU>....</EDU></s>. */
static int take_tagged(parser *ps, frame *f)
{
	const char *start = ps->p, *mark, *after;

	while (takes_tag(ps, &start, "<s>") || takes_tag(ps, &start, "<EDU>"))
		;
	if (start == ps->p)
		return fail_here(ps, "_! or <EDU>");
	for (mark = start;; mark = after > mark ? after : mark + 1) {
		mark = memchr(mark, '<', ps->end - mark);
		if (!mark)
			return hp_fail_at(ps->err, ps->name, ps->line, "the text that begins here has no end, expected </EDU>)");
		after = mark;
		while (takes_tag(ps, &after, "</EDU>") || (takes_tag(ps, &after, "</s>") && (f->sentence = true)))
			;
		if (after > mark && after < ps->end && *after == ')')
			break;
		f->sentence = false;
	}
	set_text(ps, f, start, mark, after);
	return 0;
}

/* Takes what is between the marks; the closing one has a bracket behind it, which is left. */
static int take_text(parser *ps, frame *f)
{
	const char *start, *mark, *after;

	skip_blanks(ps);
	if (ps->end - ps->p < 2 || ps->p[0] != '_' || ps->p[1] != '!')
		return take_tagged(ps, f);
	start = ps->p + 2;
	for (mark = start;; mark++) {
		mark = memmem(mark, ps->end - mark, "_!", 2);
		if (!mark)
			return hp_fail_at(ps->err, ps->name, ps->line, "the text that begins here has no end, expected _!)");
		if (is_closed(ps, mark + 2, &after))
			break;
	}
	set_text(ps, f, start, mark, after);
	return 0;
}

static int repeated(parser *ps, const char *what)
{
	return hp_fail_at(ps->err, ps->name, ps->line, "a second %s in one node", what);
}

/* ( span 1 2 ) and the like, from behind its name to behind its bracket. */
static int take_attribute(parser *ps, const char *word, size_t size)
{
	frame *f = &ps->frame[ps->depth - 1];
	const char *relation;
	size_t length;

	if (is_word(word, size, "span")) {
		if (f->span_first > 0)
			return repeated(ps, "span");
		if (take_number(ps, &f->span_first) != 0 || take_number(ps, &f->span_last) != 0)
			return HP_FAIL;
	} else if (is_word(word, size, "leaf")) {
		if (f->leaf > 0)
			return repeated(ps, "leaf");
		if (take_number(ps, &f->leaf) != 0)
			return HP_FAIL;
	} else if (is_word(word, size, "rel2par")) {
		if (f->relation)
			return repeated(ps, "rel2par");
		relation = take_word(ps, &length);
		if (length == 0)
			return fail_here(ps, "the name of a relation");
		if (ps->depth > 1) /* a root's is none */
			hp_rst_build_relation(&ps->build, relation, length);
		f->relation = true;
	} else if (is_word(word, size, "text")) {
		if (f->text)
			return repeated(ps, "text");
		if (take_text(ps, f) != 0)
			return HP_FAIL;
	} else {
		ps->p = word;
		return fail_here(ps, "Nucleus, Satellite, span, leaf, rel2par or text");
	}
	skip_blanks(ps);
	if (ps->p >= ps->end || *ps->p != ')')
		return fail_here(ps, ")");
	ps->p++;
	return 0;
}

static int open_node(parser *ps, hp_rst_role role, long line)
{
	if (!hp_grow(&ps->frame, &ps->capacity, ps->depth + 1, sizeof(*ps->frame)))
		return hp_fail_memory(ps->err);
	memset(&ps->frame[ps->depth], 0, sizeof(*ps->frame));
	ps->frame[ps->depth++].line = line;
	hp_rst_build_open(&ps->build, role, "", 0, line);
	return ps->build.failed ? hp_fail_memory(ps->err) : 0;
}

int hp_dis_joiners(const char *s, const char *end)
{
	const size_t size = strlen(HP_EDUS_JOINER);
	int joiners = 0;

	for (; (size_t)(end - s) > size && memcmp(s, HP_EDUS_JOINER, size) == 0; s += size)
		joiners++;
	return s < end && *s == '!' ? joiners : -1;
}

/* Takes back what the writer did to "_!" in a text; returns its length. */
static size_t join_marks(char *text, size_t size)
{
	char *to = text;
	const char *end = text + size;

	for (const char *s = text; s < end;) {
		*to++ = *s;
		if (*s++ == '_' && hp_dis_joiners(s, end) > 0)
			s += strlen(HP_EDUS_JOINER);
	}
	return (size_t)(to - text);
}

/* A leaf's text becomes an EDU. */
static int add_edu(parser *ps, const frame *f)
{
	int number = ps->build.t->edus + 1;
	const char *text = f->text;
	bool paragraph;
	size_t size;

	if (f->leaf != number)
		return hp_fail_at(ps->err, ps->name, f->line, "leaf %d, expected leaf %d", f->leaf, number);
	if (!text)
		return hp_fail_at(ps->err, ps->name, f->line, "leaf %d has no text, expected (text _!...._!)", number);
	if (memmem(text, f->text_size, "_!", 2))
		return hp_fail_at(ps->err, ps->name, f->text_line, "the text of leaf %d holds _!, expected it only at its end",
		                  number);
	size = hp_rst_squeeze(text, f->text_size, ps->squeezed);
	size = hp_edus_cut_paragraph(ps->squeezed, size, &paragraph);
	if (size == 0)
		return hp_fail_at(ps->err, ps->name, f->text_line, "the text of leaf %d is empty", number);
	size = join_marks(ps->squeezed, size);
	hp_rst_build_edu(&ps->build, ps->squeezed, size, paragraph || f->sentence, f->text_line);
	return 0;
}

/* Keeps the first contradiction of a tree. */
static void warn_of_span(parser *ps, const frame *f, const hp_rst_node *node)
{
	if (ps->block->warnings++ == 0)
		(void)hp_fail_at(&ps->block->warning, ps->name, f->line, "span %d %d of a node whose leaves are %d to %d",
		                 f->span_first, f->span_last, node->first + 1, ps->build.t->edus);
}

/* In one line. */
static void end_warning(hp_dis_block *b)
{
	char first[sizeof(b->warning.text)];

	if (b->warnings == 0)
		return;
	memcpy(first, b->warning.text, sizeof(first));
	if (b->warnings == 1)
		(void)hp_fail(&b->warning, "%s: the leaves count", first);
	else
		(void)hp_fail(&b->warning, "%s: the leaves count, as they do for %d more node%s of this tree", first,
		              b->warnings - 1, hp_plural(b->warnings - 1));
}

static int close_node(parser *ps)
{
	const frame *f = &ps->frame[--ps->depth];
	const hp_rst_node *node = &ps->build.t->node[ps->build.current];
	bool inner = ps->build.t->nodes - 1 > ps->build.current;

	if (ps->depth > 0 && !f->relation && !ps->block->unlabelled)
		return hp_fail_at(ps->err, ps->name, f->line, "a node without rel2par");
	if (inner && (f->leaf > 0 || f->text))
		return hp_fail_at(ps->err, ps->name, f->line, "a leaf with children");
	if (!inner && f->leaf == 0)
		return hp_fail_at(ps->err, ps->name, f->line, "a node without children, expected a leaf or two nodes");
	if (!inner && add_edu(ps, f) != 0)
		return HP_FAIL;
	if (f->span_first > 0 && (f->span_first != node->first + 1 || f->span_last != ps->build.t->edus))
		warn_of_span(ps, f, node);
	hp_rst_build_close(&ps->build);
	return ps->build.failed ? hp_fail_memory(ps->err) : 0;
}

/* An hp_rst_role, or -1. */
static int role_of(const char *word, size_t size)
{
	for (int role = HP_RST_ROOT; role <= HP_RST_SATELLITE; role++)
		if (is_word(word, size, hp_dis_role_name[role]))
			return role;
	return -1;
}

/* From an opening bracket inside the tree, or the tree's own. */
static int take_bracket(parser *ps)
{
	long line = ps->line;
	const char *word;
	size_t size;
	int role;

	ps->p++;
	word = take_word(ps, &size);
	role = role_of(word, size);
	if (role >= 0 && (role == HP_RST_ROOT) == (ps->depth == 0))
		return open_node(ps, role, line);
	if (ps->depth == 0) {
		ps->p = word;
		return fail_here(ps, "Root");
	}
	return take_attribute(ps, word, size);
}

/* Comments and blanks before the tree; *FOUND if there is one. */
static int find_tree(parser *ps, bool *found)
{
	if (ps->end - ps->p >= 3 && memcmp(ps->p, "\xEF\xBB\xBF", 3) == 0)
		ps->p += 3;
	for (;;) {
		long line = ps->line;

		skip_blanks(ps);
		ps->heading.unparsed &= ps->line <= line + 1; /* behind an empty line it told of what is in the comments */
		if (ps->p >= ps->end || *ps->p != '#')
			break;
		ps->p = hp_dis_take_comment(&ps->heading, ps->p, ps->end, ps->line);
	}
	*found = ps->p < ps->end;
	if (*found && *ps->p != '(')
		return fail_here(ps, ps->p < ps->end && *ps->p == '<'
		                         ? "a tree that begins with ( Root: rst-convert makes trees of .rs3 and .rs4"
		                         : "a tree that begins with ( Root");
	return 0;
}

static int take_tree(parser *ps)
{
	long line = ps->line;

	if (take_bracket(ps) != 0)
		return HP_FAIL;
	while (ps->depth > 0) {
		skip_blanks(ps);
		if (ps->p >= ps->end)
			return hp_fail_at(ps->err, ps->name, line,
			                  "the tree that begins here has no end%s: %d of its nodes are open",
			                  ps->block->unfinished ? " before the next one begins" : "", ps->depth);
		if (*ps->p == '(') {
			if (take_bracket(ps) != 0)
				return HP_FAIL;
		} else if (*ps->p == ')') {
			ps->p++;
			if (close_node(ps) != 0)
				return HP_FAIL;
		} else {
			return fail_here(ps, "( or )");
		}
	}
	if (hp_rst_build_end(&ps->build, ps->err) != 0)
		return HP_FAIL;
	ps->build.t->line = line;
	return hp_dis_set_heading(&ps->heading, ps->build.t, ps->name, ps->err) == 0 ? 1 : HP_FAIL;
}

static int check_bytes(parser *ps)
{
	size_t size = ps->end - ps->p, good = hp_utf8_valid_prefix(ps->p, size);
	const char *nul = memchr(ps->p, '\0', good);
	long line = ps->line;

	if (nul)
		good = nul - ps->p;
	if (good == size)
		return 0;
	for (size_t i = 0; i < good; i++)
		line += ps->p[i] == '\n';
	return hp_fail_at(ps->err, ps->name, line, nul ? "a NUL byte, expected text" : "invalid UTF-8");
}

static int parse(parser *ps, hp_rst_tree *t)
{
	bool found;
	int status = 0;

	hp_rst_build_start(&ps->build, t, ps->name);
	ps->squeezed = malloc((size_t)(ps->end - ps->p) + 1);
	if (!ps->squeezed || ps->build.failed) {
		status = hp_fail_memory(ps->err);
	} else if (check_bytes(ps) != 0 || find_tree(ps, &found) != 0) {
		status = HP_FAIL;
	} else if (found) {
		status = take_tree(ps);
		skip_blanks(ps);
		if (status == 1 && ps->p < ps->end)
			status = fail_here(ps, "nothing behind the tree");
	}
	if (status == HP_FAIL)
		t->edus = t->nodes = 0;
	free(ps->squeezed);
	free(ps->frame);
	return status;
}

int hp_dis_parse_block(hp_dis_block *b, hp_rst_tree *t, hp_error *err)
{
	parser ps = {.p = b->text, .end = b->text + b->size, .name = b->name, .line = b->line, .block = b, .err = err};
	int status;

	b->warnings = 0;
	status = parse(&ps, t);
	end_warning(b);
	return status;
}

int hp_dis_parse(hp_rst_tree *t, const char *text, size_t size, const char *name, long line, hp_error *err)
{
	hp_dis_block block = {.text = text, .size = size, .name = name, .line = line};
	int status = hp_dis_parse_block(&block, t, err);

	if (status == 0)
		return hp_fail_at(err, name, line, "no tree, expected ( Root");
	return status == 1 ? 0 : HP_FAIL;
}
