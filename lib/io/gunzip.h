/* gunzip.h: unpacks gzip data that comes in pieces (by zlib).  Private to lib/io. */
#ifndef HP_GUNZIP_H
#define HP_GUNZIP_H
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct hp_gunzip hp_gunzip;

enum { HP_GZIP_MARK = 3 }; /* so many bytes tell gzip data */

/* Whether DATA may begin gzip data; surely if there are HP_GZIP_MARK bytes of it. */
bool hp_is_gzip(const char *data, size_t size);
int hp_gunzip_new(hp_gunzip **out, hp_error *err) HP_USE_RESULT;
void hp_gunzip_destroy(hp_gunzip *g); /* accepts NULL */
/* Unpacks into DST [ROOM], *GOT bytes, from the *SIZE bytes at *DATA, both moved past what was taken; with *SIZE = 0 what
 * is left from before.  There may be several members, and zeros after the last one.  Trouble is reported by the call
 * that unpacks nothing any more, so that all before it has been handed out.  Messages begin with NAME. */
int hp_gunzip_some(hp_gunzip *g, const char **data, size_t *size, char *dst, size_t room, size_t *got, const char *name,
                   hp_error *err) HP_USE_RESULT;
/* The packed data has ended: refused inside a member. */
int hp_gunzip_end(const hp_gunzip *g, const char *name, hp_error *err) HP_USE_RESULT;

#endif
