/* vocab.h: strings numbered from 0.  Stored in models as a U8 tensor of newline-separated UTF-8, in order of the
 * numbers. */
#ifndef HP_VOCAB_H
#define HP_VOCAB_H
#include <stddef.h>
#include "base/error.h"

typedef struct hp_vocab hp_vocab;
hp_vocab *hp_vocab_new(void);
void hp_vocab_destroy(hp_vocab *v); /* accepts NULL */
int hp_vocab_count(const hp_vocab *v);
int hp_vocab_find(const hp_vocab *v, const char *s, size_t size); /* number, or -1 */
/* Number, old or new; -1 when out of memory, and for the empty string and strings with a newline, which cannot be
 * stored. */
int hp_vocab_add(hp_vocab *v, const char *s, size_t size);
const char *hp_vocab_at(const hp_vocab *v, int id, size_t *size); /* NUL-terminated as well; valid until destroyed */
/* TEXT as stored; a duplicate, an empty line (so a newline at the end, too) or invalid UTF-8 is refused; no text, no
 * words.  NAME is for messages.  The text is copied. */
int hp_vocab_parse(const char *text, size_t size, const char *name, hp_vocab **out, hp_error *err) HP_USE_RESULT;
/* malloc'ed text as stored: newline after each but the last.  NULL when out of memory. */
char *hp_vocab_text(const hp_vocab *v, size_t *size);

/* Numbers that every vocabulary of words, characters and tags reserves. */
enum { HP_ID_ROOT = 0, HP_ID_UNKNOWN = 1 };
#define HP_ROOT_NAME "<root>"
#define HP_UNKNOWN_NAME "<unk>"

#endif
