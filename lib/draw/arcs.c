/* arcs.c: places words and arcs.  First levels, then ports (relative to their words), then words, so far apart that every
 * label has room on its arc, then labels. */
#include "draw/arcs.h"

#include "base/rising.h"
#include "draw/graph.h"
#include "draw/levels.h"

enum {
	GAP = 14, /* between words */
	PORT = 8, /* between arcs at a word */
	MOST_PORTS = 24, /* that make a word wider */
	CORNER = 9, /* of an arc that bends, on both sides of a label */
	LOOK = 64 /* words at either side of an arc's middle among which a free place for its label is looked for */
};

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

static bool is_root(const hp_arc *a)
{
	return a->head == HP_HEAD_ROOT;
}

static int left_of(const hp_arc *a)
{
	return is_root(a) ? a->node : min(a->head, a->node);
}

static int right_of(const hp_arc *a)
{
	return max(a->head, a->node);
}

/* ---- levels ---- */

/* ORDER [count] becomes the arcs in the order of their levels. */
static bool find_levels(hp_arcs *s, int places, int *order, hp_arena *arena)
{
	hp_interval *gaps = HP_NEW(arena, hp_interval, s->count);
	int *key = HP_NEW(arena, int, s->count),
	                  *level = HP_NEW0(arena, int, s->count), *real = HP_NEW(arena, int, s->count);
	int reals = 0;
	bool roots = false;

	if (!gaps || !key || !level || !real)
		return false;
	for (int i = 0; i < s->count; i++) {
		gaps[i] = (hp_interval){left_of(&s->arc[i]), right_of(&s->arc[i]) - 1};
		key[i] = right_of(&s->arc[i]) - left_of(&s->arc[i]);
	}
	if (!hp_draw_sort(key, s->count, places, order, arena))
		return false;
	for (int i = 0; i < s->count; i++) {
		if (!is_root(&s->arc[order[i]]))
			real[reals++] = order[i];
		else
			roots = true;
	}
	s->levels = hp_draw_levels(gaps, real, reals, places, level, arena);
	if (s->levels < 0)
		return false;
	s->levels += roots;
	for (int i = 0; i < s->count; i++)
		s->arc[i].level = key[i] = is_root(&s->arc[i]) ? s->levels : level[i];
	return hp_draw_sort(key, s->count, s->levels, order, arena);
}

/* ---- ports ---- */

typedef struct ports {
	int left, root, right; /* arcs to words on the left, from above, to words on the right */
	int left_used, right_used;
	int step; /* pixels */
} ports;

static int count_ports(const ports *p)
{
	return p->left + p->root + p->right;
}

/* Port number K of all, as pixels from the word's middle. */
static int port_x(const ports *p, int k)
{
	return (2 * k - count_ports(p) + 1) * p->step / 2;
}

/* Half of the room that a word's ports take. */
static int reach(const ports *p)
{
	return max(0, count_ports(p) - 1) * p->step / 2;
}

/* Lower arcs are farther out: those to the left come first from low to high, then those to the right from high to low. */
static void take_ports(const hp_arcs *s, const int *order, ports *p)
{
	for (int i = 0; i < s->count; i++) {
		hp_arc *a = &s->arc[order[i]];
		ports *l = &p[left_of(a)], *r = &p[right_of(a)];
		int x_left, x_right;

		if (is_root(a)) {
			a->x_head = a->x_node = port_x(r, r->left);
			continue;
		}
		x_left = port_x(l, count_ports(l) - 1 - l->right_used++);
		x_right = port_x(r, r->left_used++);
		a->x_head = a->head < a->node ? x_left : x_right;
		a->x_node = a->head < a->node ? x_right : x_left;
	}
}

static void find_ports(const hp_arcs *s, const int *order, hp_line *line, ports *p)
{
	for (int i = 0; i < s->count; i++) {
		const hp_arc *a = &s->arc[i];

		if (is_root(a)) {
			p[a->node].root = 1;
		} else {
			p[left_of(a)].right++;
			p[right_of(a)].left++;
		}
	}
	for (int n = 0; n < line->places; n++) {
		int count = count_ports(&p[n]);

		line->width[n] = max(line->width[n], (min(count, MOST_PORTS) - 1) * PORT);
		p[n].step = count > 1 ? min(PORT, line->width[n] / (count - 1)) : 0;
	}
	take_ports(s, order, p);
}

/* ---- words ---- */

/* Chains of the arcs of both sides by their right ends. */
typedef struct chains {
	int *first[2]; /* [places] */
	int *next[2]; /* [arcs] */
} chains;

static bool chain(const hp_line *line, const hp_arcs *side, int sides, chains *c, hp_arena *arena)
{
	for (int s = 0; s < sides; s++) {
		c->first[s] = HP_NEW(arena, int, line->places);
		c->next[s] = HP_NEW(arena, int, side[s].count);
		if (hp_arena_failed(arena))
			return false;
		for (int n = 0; n < line->places; n++)
			c->first[s][n] = -1;
		for (int i = 0; i < side[s].count; i++) {
			int end = right_of(&side[s].arc[i]);

			c->next[s][i] = c->first[s][end];
			c->first[s][end] = i;
		}
	}
	return true;
}

/* The least place of word N for arc A, which ends there. */
static int least(const hp_line *line, const hp_arc *a)
{
	int start = a->head < a->node ? a->x_head : a->x_node, end = a->head < a->node ? a->x_node : a->x_head;

	return is_root(a) ? 0 : line->x[left_of(a)] + start + a->label_width + 2 * CORNER - end;
}

static bool place_words(hp_line *line, const hp_arcs *side, int sides, const hp_over *over, int overs, hp_arena *arena)
{
	chains c;
	int o = 0;

	if (!chain(line, side, sides, &c, arena))
		return false;
	for (int n = 0; n < line->places; n++) {
		int x = n > 0 ? line->x[n - 1] + (line->width[n - 1] + line->width[n] + 1) / 2 + GAP : line->width[0] / 2;

		for (int s = 0; s < sides; s++)
			for (int i = c.first[s][n]; i >= 0; i = c.next[s][i])
				x = max(x, least(line, &side[s].arc[i]));
		while (o < overs && over[o].last < n)
			o++;
		if (o < overs && over[o].last == n && over[o].first < n)
			x = max(x, line->x[over[o].first] - line->width[over[o].first] / 2 + over[o].width - line->width[n] / 2);
		line->x[n] = x;
	}
	line->total = line->places ? line->x[line->places - 1] + line->width[line->places - 1] / 2 + 1 : 0;
	return true;
}

/* ---- labels ---- */

/* Whether the stretch FROM to TO has room for the label of A, and is nearer to its middle than the best one so far, or
 * the only one with room; in the latter cases it is the best. */
typedef struct stretch {
	int from, to;
	bool fits;
	int off; /* how far the label is from the arc's middle */
	int x;
} stretch;

static void offer(stretch *best, const hp_arc *a, int from, int to)
{
	int half = a->label_width / 2 + 3, middle = (a->x_head + a->x_node) / 2;
	bool fits = to - from >= 2 * half;
	int x = fits ? min(max(middle, from + half), to - half) : (from + to) / 2,
		off = x > middle ? x - middle : middle - x;

	if ((fits && (!best->fits || off < best->off)) || (!best->fits && !fits && to - from > best->to - best->from))
		*best = (stretch){from, to, fits, off, x};
}

/* The label is in the middle of its arc, or where no higher arc of a word below comes down through it.  TOP [places] are
 * the highest levels of the words' arcs. */
static void place_label(const hp_line *line, hp_arc *a, const ports *p, const int *top)
{
	int l = left_of(a), r = right_of(a), middle = hp_rising_find(line->x, l, r, (a->x_head + a->x_node) / 2);
	int from = min(a->x_head, a->x_node), end = max(a->x_head, a->x_node);
	int first = max(l + 1, middle - LOOK), last = min(r - 1, middle + LOOK);
	stretch best = {0};

	if (is_root(a)) {
		a->x_label = a->x_node;
		return;
	}
	if (first > l + 1)
		from = line->x[first - 1];
	if (last < r - 1)
		end = line->x[last + 1];
	for (int n = first; n <= last; n++) {
		if (top[n] <= a->level)
			continue;
		offer(&best, a, from, line->x[n] - reach(&p[n]));
		from = line->x[n] + reach(&p[n]);
	}
	offer(&best, a, from, end);
	a->x_label = best.x;
}

static bool place_labels(const hp_line *line, hp_arcs *s, const ports *p, hp_arena *arena)
{
	int *top = HP_NEW0(arena, int, line->places);

	if (!top)
		return false;
	for (int i = 0; i < s->count; i++) {
		const hp_arc *a = &s->arc[i];

		top[right_of(a)] = max(top[right_of(a)], a->level);
		top[left_of(a)] = max(top[left_of(a)], a->level);
	}
	for (int i = 0; i < s->count; i++) {
		hp_arc *a = &s->arc[i];

		a->x_head += line->x[is_root(a) ? a->node : a->head];
		a->x_node += line->x[a->node];
	}
	for (int i = 0; i < s->count; i++)
		place_label(line, &s->arc[i], p, top);
	return true;
}

bool hp_arcs_place(hp_line *line, hp_arcs *side, int sides, const hp_over *over, int overs, hp_arena *arena)
{
	ports *p[2] = {NULL, NULL};

	for (int s = 0; s < sides; s++) {
		int *order = HP_NEW(arena, int, side[s].count);

		p[s] = HP_NEW0(arena, ports, line->places);
		if (!order || !p[s] || !find_levels(&side[s], line->places, order, arena))
			return false;
		find_ports(&side[s], order, line, p[s]);
	}
	if (!place_words(line, side, sides, over, overs, arena))
		return false;
	for (int s = 0; s < sides; s++)
		if (!place_labels(line, &side[s], p[s], arena))
			return false;
	return true;
}
