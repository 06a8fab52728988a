/* rs3_write.c: a tree as .rs3.
 *
 * An EDU is a segment, an inner node a group, which its nucleus or nuclei hang below; satellites hang below what they are
 * satellites of.  Where several nuclei have satellites beside them, groups are put between that the tree does not have. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"
#include "rst/rs3.h"
#include "rst/rs3_file.h"
#include "rst/spans.h"
#include "text/edus.h"

/* What a node or group hangs below. */
typedef struct link {
	int32_t parent; /* its number in the file; 0: nothing */
	const char *relation;
} link;

typedef struct group {
	link link;
	bool multinuc;
} group;

typedef struct writer {
	const hp_rst_tree *t;
	FILE *out;
	hp_error *err;
	hp_vocab *relations;
	unsigned char *type; /* [relations] how each is declared */
	int32_t *seen; /* [relations] all 0 between uses */
	int32_t *group_of; /* [nodes] of an inner node */
	link *link; /* [nodes] */
	group *group; /* their numbers in the file follow those of the segments */
	int groups;
} writer;

/* ---- relations ---- */

static int note(writer *w, const char *relation, unsigned char type)
{
	int number = hp_vocab_add(w->relations, relation, strlen(relation));

	if (number >= 0)
		w->type[number] |= type;
	return number < 0 ? hp_fail_memory(w->err) : 0;
}

static int note_children(writer *w, int i)
{
	const hp_rst_node *node = w->t->node;
	int nuclei, status = 0;

	(void)hp_rst_children(w->t, i, &nuclei);
	for (int c = i + 1; c < i + node[i].size && status == 0; c += node[c].size) {
		bool satellite = node[c].role == HP_RST_SATELLITE;

		if (satellite && strcmp(node[c].relation, "span") == 0)
			return hp_fail(w->err, "the satellite of EDUs %d to %d has the relation span, which .rs3 keeps for nuclei",
			               node[c].first + 1, node[c].last + 1);
		if (satellite || nuclei > 1)
			status = note(w, node[c].relation, satellite ? HP_RS3_DECLARED_RST : HP_RS3_DECLARED_MULTINUC);
	}
	return status;
}

static int note_relations(writer *w, bool rs4)
{
	const hp_rst_extras *x = &w->t->extras;
	int status = 0;

	for (int i = 0; i < w->t->nodes && status == 0; i++) {
		if (w->t->node[i].size > 1)
			status = note_children(w, i);
	}
	for (int i = 0; rs4 && i < x->edges && status == 0; i++) {
		if (hp_vocab_find(w->relations, x->edge[i].relation, strlen(x->edge[i].relation)) < 0)
			status = note(w, x->edge[i].relation, HP_RS3_DECLARED_RST);
	}
	return status;
}

static int number_of(const writer *w, const char *relation)
{
	return hp_vocab_find(w->relations, relation, strlen(relation));
}

/* Whether the relation is that of a satellite here, of nuclei there. */
static bool is_ambiguous(const writer *w, const char *relation)
{
	return w->type[number_of(w, relation)] == (HP_RS3_DECLARED_RST | HP_RS3_DECLARED_MULTINUC);
}

/* Nuclei of node I: readers tell one whose relation is ambiguous only by another one that has it. */
static int check_nuclei(const writer *w, int i)
{
	const hp_rst_node *node = w->t->node;
	bool sure = false, doubtful = false;

	for (int c = i + 1; c < i + node[i].size; c += node[c].size)
		w->seen[number_of(w, node[c].relation)] += node[c].role == HP_RST_NUCLEUS;
	for (int c = i + 1; c < i + node[i].size; c += node[c].size) {
		bool told = w->seen[number_of(w, node[c].relation)] > 1 || !is_ambiguous(w, node[c].relation);

		sure |= node[c].role == HP_RST_NUCLEUS && told;
		doubtful |= node[c].role == HP_RST_NUCLEUS && !told;
	}
	for (int c = i + 1; c < i + node[i].size; c += node[c].size)
		w->seen[number_of(w, node[c].relation)] = 0;
	if (sure && doubtful)
		return hp_fail(w->err,
		               "the nuclei of EDUs %d to %d have several relations, one of which satellites have as well: "
		               ".rs3 cannot tell what is what",
		               node[i].first + 1, node[i].last + 1);
	return 0;
}

/* ---- groups ---- */

static int32_t id_of(const writer *w, int i)
{
	const hp_rst_node *node = &w->t->node[i];

	return node->size == 1 ? node->first + 1 : w->t->edus + 1 + w->group_of[i];
}

static int32_t new_group(writer *w, bool multinuc, link above)
{
	w->group[w->groups] = (group){above, multinuc};
	return w->t->edus + 1 + w->groups++;
}

/* The children of a node; a satellite is outside if no nucleus follows, or none stands before it. */
typedef struct shape {
	int nuclei, first, last; /* how many; the first and last of them */
	bool outside; /* satellites outside several nuclei */
} shape;

static shape shape_of(const hp_rst_tree *t, int i)
{
	shape s = {0};
	int c, last = 0;

	for (c = i + 1; c < i + t->node[i].size; last = c, c += t->node[c].size) {
		if (t->node[c].role != HP_RST_NUCLEUS)
			continue;
		s.first = s.nuclei++ == 0 ? c : s.first;
		s.last = c;
	}
	s.outside = s.nuclei > 1 && (s.first > i + 1 || s.last != last);
	return s;
}

/* Below a group of nuclei satellites of the same relation would be nuclei, too. */
static int32_t anchor(writer *w, link *core, int32_t id, bool multinuc, bool ambiguous)
{
	int32_t between;

	if (!multinuc || !ambiguous)
		return id;
	between = new_group(w, false, *core);
	*core = (link){between, "span"};
	return between;
}

/* Hangs the satellites of node I from child FROM to before child TO (0: its end) below its core. */
static void hang(writer *w, int i, int from, int to, int32_t id)
{
	const hp_rst_node *node = w->t->node;

	for (int c = from; c < i + node[i].size && c != to; c += node[c].size) {
		if (node[c].role == HP_RST_SATELLITE)
			w->link[c] = (link){id, node[c].relation};
	}
}

static bool any_ambiguous(const writer *w, int i, int from, int to)
{
	const hp_rst_node *node = w->t->node;

	for (int c = from; c < i + node[i].size && c != to; c += node[c].size) {
		if (node[c].role == HP_RST_SATELLITE && is_ambiguous(w, node[c].relation))
			return true;
	}
	return false;
}

static bool is_multinuc(const hp_rst_tree *t, int i)
{
	shape s = t->node[i].size > 1 ? shape_of(t, i) : (shape){0};

	return s.nuclei > 1 && !s.outside;
}

/* The nuclei of node I below the group ID, each with the satellites between it and the next one. */
static void hang_nuclei(writer *w, int i, const shape *s, int32_t id)
{
	const hp_rst_node *node = w->t->node;

	for (int c = s->first, next; c <= s->last; c = next) {
		for (next = c + node[c].size; next < s->last && node[next].role == HP_RST_SATELLITE; next += node[next].size)
			;
		w->link[c] = (link){id, node[c].relation};
		if (c == s->last || next == c + node[c].size)
			continue;
		w->link[c] = (link){new_group(w, false, w->link[c]), "span"};
		hang(w, i, c + node[c].size, next,
		     anchor(w, &w->link[c], id_of(w, c), is_multinuc(w->t, c), any_ambiguous(w, i, c + node[c].size, next)));
	}
}

/* The links of the children of node I. */
static int link_children(writer *w, int i)
{
	const hp_rst_node *node = w->t->node;
	shape s = shape_of(w->t, i);
	int after = s.last + node[s.last].size;
	bool ambiguous = any_ambiguous(w, i, i + 1, s.first) || any_ambiguous(w, i, after, 0);
	int32_t id = id_of(w, i), below;

	if (s.nuclei > 1 && check_nuclei(w, i) != 0)
		return HP_FAIL;
	w->group[w->group_of[i]].multinuc = s.nuclei > 1 && !s.outside;
	if (s.nuclei == 1) {
		w->link[s.first] = (link){id, "span"};
		below = anchor(w, &w->link[s.first], id_of(w, s.first), is_multinuc(w->t, s.first), ambiguous);
	} else if (s.outside) {
		int32_t nuclei = new_group(w, true, (link){id, "span"});

		hang_nuclei(w, i, &s, nuclei);
		below = anchor(w, &w->group[nuclei - w->t->edus - 1].link, nuclei, true, ambiguous);
	} else {
		hang_nuclei(w, i, &s, id);
		return 0;
	}
	hang(w, i, i + 1, s.first, below);
	hang(w, i, after, 0, below);
	return 0;
}

static int make_links(writer *w)
{
	const hp_rst_tree *t = w->t;
	int status = 0;

	for (int i = 0; i < t->nodes; i++) {
		if (t->node[i].size > 1)
			w->group_of[i] = w->groups++;
	}
	for (int i = 0; i < t->nodes && status == 0; i++) {
		if (t->node[i].size > 1)
			status = link_children(w, i);
	}
	for (int i = 0; i < t->nodes; i++) {
		if (t->node[i].size > 1)
			w->group[w->group_of[i]].link = w->link[i];
	}
	return status;
}

/* ---- XML ---- */

const char *hp_rs3_entity(const char *s, size_t size, size_t *plain)
{
	size_t i = 0;

	while (i < size && !strchr("&<>\"\t\n\r", s[i]))
		i++;
	*plain = i;
	if (i == size)
		return "";
	const char *entity = hp_utf8_entity((unsigned char)s[i]);
	if (entity)
		return entity;
	return s[i] == '\t' ? "&#9;" : s[i] == '\n' ? "&#10;" : "&#13;";
}

static void write_text(const char *s, size_t size, FILE *out)
{
	while (size > 0) {
		size_t plain;
		const char *entity = hp_rs3_entity(s, size, &plain);
		size_t taken = plain + (*entity != '\0');

		fwrite(s, 1, plain, out);
		fputs(entity, out);
		s += taken;
		size -= taken;
	}
}

static int check_characters(const writer *w, const char *s, size_t size, const char *what, int32_t number)
{
	int32_t code;

	for (int length; size > 0 && (length = hp_utf8_decode(s, size, &code)) > 0; s += length, size -= length) {
		if ((code < ' ' && code != '\t' && code != '\n' && code != '\r') || code == 0xfffe || code == 0xffff)
			return hp_fail(w->err, "%s %d holds the character U+%04" PRIX32 ", which XML cannot", what, number,
			               (uint32_t)code);
	}
	return 0;
}

static void write_link(const link *l, FILE *out)
{
	if (l->parent > 0) {
		fprintf(out, " parent=\"%d\" relname=\"", l->parent);
		write_text(l->relation, strlen(l->relation), out);
		fputc('"', out);
	}
}

static int write_header(const writer *w, bool rs4)
{
	static const char *const type_name[] = {[HP_RS3_DECLARED_RST] = "rst", [HP_RS3_DECLARED_MULTINUC] = "multinuc"};

	fputs("<rst>\n\t<header>\n\t\t<relations>\n", w->out);
	for (int r = 0; r < hp_vocab_count(w->relations); r++) {
		size_t size;
		const char *name = hp_vocab_at(w->relations, r, &size);

		if (check_characters(w, name, size, "the name of relation", r + 1) != 0)
			return HP_FAIL;
		for (int type = HP_RS3_DECLARED_RST; type <= HP_RS3_DECLARED_MULTINUC; type++) {
			if (!(w->type[r] & type) || strcmp(name, "span") == 0)
				continue;
			fputs("\t\t\t<rel name=\"", w->out);
			write_text(name, size, w->out);
			fprintf(w->out, "\" type=\"%s\"/>\n", type_name[type]);
		}
	}
	fputs("\t\t</relations>\n", w->out);
	if (rs4 && w->t->extras.types > 0) {
		fputs("\t\t<sigtypes>\n", w->out);
		for (int i = 0; i < w->t->extras.types; i++)
			fprintf(w->out, "\t\t\t<sig%s/>\n", w->t->extras.type[i]);
		fputs("\t\t</sigtypes>\n", w->out);
	}
	fputs("\t</header>\n\t<body>\n", w->out);
	return 0;
}

static int write_nodes(const writer *w)
{
	for (int i = 0; i < w->t->nodes; i++) {
		const hp_rst_node *node = &w->t->node[i];
		const hp_rst_edu *edu = &w->t->edu[node->first];

		if (node->size > 1)
			continue;
		if (check_characters(w, edu->text, edu->size, "EDU", node->first + 1) != 0)
			return HP_FAIL;
		fprintf(w->out, "\t\t<segment id=\"%d\"", node->first + 1);
		write_link(&w->link[i], w->out);
		fputc('>', w->out);
		write_text(edu->text, edu->size, w->out);
		fprintf(w->out, "%s</segment>\n", hp_edus_guard(edu->text, edu->size));
	}
	for (int k = 0; k < w->groups; k++) {
		fprintf(w->out, "\t\t<group id=\"%d\" type=\"%s\"", w->t->edus + 1 + k,
		        w->group[k].multinuc ? "multinuc" : "span");
		write_link(&w->group[k].link, w->out);
		fputs("/>\n", w->out);
	}
	return 0;
}

static int32_t find(const writer *w, const hp_rst_spans *s, int32_t first, int32_t last)
{
	int32_t i = hp_rst_spans_find(s, first, last);

	return i < 0 ? 0 : id_of(w, i);
}

static int write_extras(const writer *w)
{
	const hp_rst_extras *x = &w->t->extras;
	hp_rst_spans s;

	if (hp_rst_spans_make(w->t, &s, w->err) != 0)
		return HP_FAIL;
	fputs(x->edges > 0 ? "\t\t<secedges>\n" : "", w->out);
	for (int i = 0; i < x->edges; i++) {
		const hp_rst_edge *e = &x->edge[i];
		int32_t from = find(w, &s, e->first, e->last), to = find(w, &s, e->to_first, e->to_last);

		fprintf(w->out, "\t\t\t<secedge id=\"%d-%d\" source=\"%d\" target=\"%d\" relname=\"", from, to, from, to);
		write_text(e->relation, strlen(e->relation), w->out);
		fprintf(w->out, "\"%s/>\n", e->attributes);
	}
	fputs(x->edges > 0 ? "\t\t</secedges>\n" : "", w->out);
	fputs(x->signals > 0 ? "\t\t<signals>\n" : "", w->out);
	for (int i = 0; i < x->signals; i++) {
		const hp_rst_signal *g = &x->signal[i];
		const hp_rst_edge *e = g->edge < 0 ? NULL : &x->edge[g->edge];

		if (e)
			fprintf(w->out, "\t\t\t<signal source=\"%d-%d\"%s/>\n", find(w, &s, e->first, e->last),
			        find(w, &s, e->to_first, e->to_last), g->attributes);
		else
			fprintf(w->out, "\t\t\t<signal source=\"%d\"%s/>\n", find(w, &s, g->first, g->last), g->attributes);
	}
	fputs(x->signals > 0 ? "\t\t</signals>\n" : "", w->out);
	hp_rst_spans_free(&s);
	return 0;
}

static int prepare(writer *w)
{
	size_t nodes = w->t->nodes, most = nodes + (size_t)w->t->extras.edges + 1; /* relations */

	w->relations = hp_vocab_new();
	w->type = calloc(most, sizeof(*w->type));
	w->seen = calloc(most, sizeof(*w->seen));
	w->group_of = calloc(nodes, sizeof(*w->group_of));
	w->link = calloc(nodes, sizeof(*w->link));
	w->group = calloc(4 * nodes, sizeof(*w->group));
	if (!w->relations || !w->type || !w->seen || !w->group_of || !w->link || !w->group)
		return hp_fail_memory(w->err);
	return 0;
}

int hp_rs3_write(const hp_rst_tree *t, bool rs4, FILE *out, hp_error *err)
{
	writer w = {.t = t, .out = out, .err = err};
	int status = prepare(&w);

	errno = 0;
	if (status == 0)
		status = note_relations(&w, rs4);
	if (status == 0)
		status = make_links(&w);
	if (status == 0)
		status = write_header(&w, rs4);
	if (status == 0)
		status = write_nodes(&w);
	if (status == 0 && rs4)
		status = write_extras(&w);
	if (status == 0) {
		fputs("\t</body>\n</rst>\n", out);
		status = ferror(out) ? hp_fail(err, "write error: %s", strerror(errno)) : 0;
	}
	hp_vocab_destroy(w.relations);
	free(w.type);
	free(w.seen);
	free(w.group_of);
	free(w.link);
	free(w.group);
	return status;
}
