/* gunzip.c: gzip members one after another, as gzip(1) and bgzip(1) write them. */
#include "io/gunzip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_ONLY = 16 }; /* added to the window's bits: with a gzip header and its checks */

typedef enum place { IN_MEMBER, BETWEEN, IN_ZEROS } place;

struct hp_gunzip {
	z_stream z;
	place place;
};

bool hp_is_gzip(const char *data, size_t size)
{
	static const char mark[HP_GZIP_MARK] = {'\x1F', '\x8B', Z_DEFLATED};

	return memcmp(data, mark, size < sizeof(mark) ? size : sizeof(mark)) == 0;
}

int hp_gunzip_new(hp_gunzip **out, hp_error *err)
{
	hp_gunzip *g = calloc(1, sizeof(*g));

	*out = NULL;
	if (!g || inflateInit2(&g->z, MAX_WBITS + GZIP_ONLY) != Z_OK) {
		free(g);
		return hp_fail_memory(err);
	}
	*out = g;
	return 0;
}

void hp_gunzip_destroy(hp_gunzip *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}

/* After a member: another one, or zeros to the end, which tapes and some writers leave. */
static int begin_member(hp_gunzip *g, const char **data, size_t *size, const char *name, hp_error *err)
{
	while (*size > 0 && **data == '\0') {
		g->place = IN_ZEROS;
		++*data;
		--*size;
	}
	if (*size == 0)
		return 0;
	if (g->place == IN_ZEROS || **data != '\x1F')
		return hp_fail(err, "%s: gzip data, and after it other bytes", name);
	if (inflateReset(&g->z) != Z_OK)
		return hp_fail_memory(err);
	g->place = IN_MEMBER;
	return 0;
}

int hp_gunzip_some(hp_gunzip *g, const char **data, size_t *size, char *dst, size_t room, size_t *got, const char *name,
                   hp_error *err)
{
	uInt packed, space = room < UINT_MAX ? (uInt)room : UINT_MAX;
	int result;

	*got = 0;
	do {
		if (g->place != IN_MEMBER && begin_member(g, data, size, name, err) != 0)
			return HP_FAIL;
		if (g->place != IN_MEMBER)
			return 0;
		packed = *size < UINT_MAX ? (uInt)*size : UINT_MAX;
		g->z.next_in = (z_const Bytef *)*data;
		g->z.avail_in = packed;
		g->z.next_out = (Bytef *)dst;
		g->z.avail_out = space;
		result = inflate(&g->z, Z_NO_FLUSH);
		*data += packed - g->z.avail_in;
		*size -= packed - g->z.avail_in;
		*got = space - g->z.avail_out;
		if (result == Z_STREAM_END)
			g->place = BETWEEN;
	} while (*got == 0 && result == Z_STREAM_END); /* bgzip's last member is empty */
	if (*got > 0 || result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
		return 0;
	if (result == Z_MEM_ERROR)
		return hp_fail_memory(err);
	return hp_fail(err, "%s: damaged gzip data: %s", name, g->z.msg ? g->z.msg : "unknown");
}

int hp_gunzip_end(const hp_gunzip *g, const char *name, hp_error *err)
{
	return g->place == IN_MEMBER ? hp_fail(err, "%s: gzip data that is cut off", name) : 0;
}
