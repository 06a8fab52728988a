/* vocab.c: strings numbered from 0, in an open-addressing hash table.
 *
 * A model's 100,000 words must be ready in a few milliseconds, so hp_vocab_parse copies the text once and lets the
 * table point into the copy.  Strings never move once they are in: hp_vocab_at's pointers stay valid. */
#include "text/vocab.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "base/utf8.h"

/* Bytes of a block that holds added strings; a longer string gets a block of its own. */
enum { BLOCK_SIZE = 1 << 16, FIRST_SLOTS = 64 };

typedef struct block {
	struct block *next;
	char bytes[];
} block;

typedef struct item {
	const char *s; /* terminated by NUL */
	size_t size;
} item;

typedef struct slot {
	uint32_t hash; /* the upper half of the 64 bits; the lower ones chose the slot */
	int32_t id; /* -1: free */
} slot;

struct hp_vocab {
	item *items;
	size_t count, capacity;
	slot *slots;
	size_t slot_count; /* a power of two, more than count / 0.6; 0 before the first string */
	block *blocks; /* the newest first */
	size_t block_used, block_size; /* of the newest */
};

hp_vocab *hp_vocab_new(void)
{
	return calloc(1, sizeof(hp_vocab));
}

void hp_vocab_destroy(hp_vocab *v)
{
	if (!v)
		return;
	while (v->blocks) {
		block *next = v->blocks->next;

		free(v->blocks);
		v->blocks = next;
	}
	free(v->items);
	free(v->slots);
	free(v);
}

int hp_vocab_count(const hp_vocab *v)
{
	return (int)v->count;
}

static uint64_t mix(uint64_t h)
{
	h ^= h >> 32;
	h *= UINT64_C(0xD6E8FEB86659FD93);
	return h ^ h >> 29;
}

static uint64_t hash_of(const char *s, size_t size)
{
	uint64_t h = UINT64_C(0x9E3779B97F4A7C15) ^ size, eight;

	for (; size >= sizeof(eight); s += sizeof(eight), size -= sizeof(eight)) {
		memcpy(&eight, s, sizeof(eight));
		h = mix(h ^ eight);
	}
	eight = 0;
	memcpy(&eight, s, size);
	return mix(mix(h ^ eight));
}

/* The slot that holds S, or the free one where it belongs. */
static slot *find_slot(const hp_vocab *v, const char *s, size_t size, uint64_t hash)
{
	size_t mask = v->slot_count - 1;
	uint32_t upper = (uint32_t)(hash >> 32);

	for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
		slot *here = &v->slots[i];

		if (here->id < 0)
			return here;
		if (here->hash == upper && v->items[here->id].size == size && memcmp(v->items[here->id].s, s, size) == 0)
			return here;
	}
}

int hp_vocab_find(const hp_vocab *v, const char *s, size_t size)
{
	if (v->count == 0)
		return -1;
	return find_slot(v, s, size, hash_of(s, size))->id;
}

/* Makes room for COUNT strings in all. */
static int reserve(hp_vocab *v, size_t count)
{
	size_t slot_count = v->slot_count ? v->slot_count : FIRST_SLOTS;
	slot *slots;

	if (count > INT_MAX)
		return HP_FAIL;
	if (!hp_grow(&v->items, &v->capacity, count, sizeof(*v->items)))
		return HP_FAIL;
	while (slot_count / 5 * 3 < count)
		slot_count *= 2;
	if (slot_count == v->slot_count)
		return 0;
	slots = malloc(slot_count * sizeof(*slots));
	if (!slots)
		return HP_FAIL;
	memset(slots, 0xFF, slot_count * sizeof(*slots));
	free(v->slots);
	v->slots = slots;
	v->slot_count = slot_count;
	for (size_t i = 0; i < v->count; i++) {
		uint64_t hash = hash_of(v->items[i].s, v->items[i].size);

		*find_slot(v, v->items[i].s, v->items[i].size, hash) = (slot){(uint32_t)(hash >> 32), (int32_t)i};
	}
	return 0;
}

/* SIZE bytes that stay where they are. */
static char *keep_bytes(hp_vocab *v, size_t size)
{
	char *bytes;

	if (size > v->block_size - v->block_used) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
		block *b = malloc(sizeof(*b) + room);

		if (!b)
			return NULL;
		b->next = v->blocks;
		v->blocks = b;
		v->block_size = room;
		v->block_used = 0;
	}
	bytes = v->blocks->bytes + v->block_used;
	v->block_used += size;
	return bytes;
}

/* Enters S, which stays where it is.  Room was reserved.  Returns its number, or -1 if it was there before. */
static int enter(hp_vocab *v, const char *s, size_t size, uint64_t hash)
{
	slot *here = find_slot(v, s, size, hash);
	int id = (int)v->count;

	if (here->id >= 0)
		return -1;
	*here = (slot){(uint32_t)(hash >> 32), id};
	v->items[v->count++] = (item){s, size};
	return id;
}

int hp_vocab_add(hp_vocab *v, const char *s, size_t size)
{
	uint64_t hash;
	char *copy;
	int id;

	if (size == 0 || size >= INT_MAX || memchr(s, '\n', size))
		return -1;
	id = hp_vocab_find(v, s, size);
	if (id >= 0)
		return id;
	if (reserve(v, v->count + 1) != 0)
		return -1;
	copy = keep_bytes(v, size + 1);
	if (!copy)
		return -1;
	memcpy(copy, s, size);
	copy[size] = '\0';
	hash = hash_of(copy, size);
	return enter(v, copy, size, hash);
}

const char *hp_vocab_at(const hp_vocab *v, int id, size_t *size)
{
	if (id < 0 || (size_t)id >= v->count) {
		if (size)
			*size = 0;
		return NULL;
	}
	if (size)
		*size = v->items[id].size;
	return v->items[id].s;
}

/* Enters the lines of TEXT (SIZE bytes, one more that may be written), ending each by NUL in place. */
static int enter_lines(hp_vocab *v, char *text, size_t size, const char *name, hp_error *err)
{
	char *line = text, *end = text + size;

	for (long number = 1; line <= end; number++) {
		char *stop = memchr(line, '\n', end - line);
		size_t length;

		if (!stop)
			stop = end;
		length = stop - line;
		if (length == 0)
			return hp_fail_at(err, name, number, "an empty line in a vocabulary");
		*stop = '\0';
		if (enter(v, line, length, hash_of(line, length)) < 0)
			return hp_fail_at(err, name, number, "a second \"%.*s\" in a vocabulary",
			                  (int)(length < 200 ? length : 200), line);
		line = stop + 1;
	}
	return 0;
}

static long line_of(const char *text, size_t at)
{
	long line = 1;

	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

int hp_vocab_parse(const char *text, size_t size, const char *name, hp_vocab **out, hp_error *err)
{
	size_t valid = hp_utf8_valid_prefix(text, size), lines = 1;
	hp_vocab *v;
	char *copy;

	*out = NULL;
	if (valid < size)
		return hp_fail_at(err, name, line_of(text, valid), "invalid UTF-8 in a vocabulary");
	v = hp_vocab_new();
	if (!v)
		return hp_fail_memory(err);
	if (size > 0) {
		for (const char *p = text; (p = memchr(p, '\n', text + size - p)) != NULL; p++)
			lines++;
		copy = keep_bytes(v, size + 1);
		if (!copy || reserve(v, lines) != 0) {
			hp_vocab_destroy(v);
			return hp_fail_memory(err);
		}
		memcpy(copy, text, size);
		if (enter_lines(v, copy, size, name, err) != 0) {
			hp_vocab_destroy(v);
			return HP_FAIL;
		}
	}
	*out = v;
	return 0;
}

char *hp_vocab_text(const hp_vocab *v, size_t *size)
{
	size_t total = 0;
	char *text, *p;

	for (size_t i = 0; i < v->count; i++)
		total += v->items[i].size + 1;
	text = malloc(total + 1);
	if (!text)
		return NULL;
	p = text;
	for (size_t i = 0; i < v->count; i++) {
		memcpy(p, v->items[i].s, v->items[i].size);
		p += v->items[i].size;
		*p++ = '\n';
	}
	if (p > text)
		p--;
	*p = '\0';
	*size = p - text;
	return text;
}
