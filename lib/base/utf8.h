/* utf8.h: UTF-8 and the few Unicode properties a parser needs (by utf8proc). */
#ifndef HP_UTF8_H
#define HP_UTF8_H
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

/* Length in bytes (1-4) of the character at S, its code in *CODE; 0 if the bytes are not valid UTF-8. */
int hp_utf8_decode(const char *s, size_t size, int32_t *code);
/* Offset of the first invalid byte, or SIZE. */
size_t hp_utf8_valid_prefix(const char *s, size_t size);
/* Bytes of S, which is valid, to show in a message: at most 40, whole characters. */
int hp_utf8_shown(const char *s, size_t size);
/* Bytes to leave out at the beginning of A and B, which differ, so that what is shown of them differs too: whole characters, 0
 * where it does anyway. */
size_t hp_utf8_apart(const char *a, size_t a_size, const char *b, size_t b_size);
/* Length of the space separator (Unicode Zs) that S begins with, or 0.  Such characters do not count when tokens are
 * compared. */
int hp_utf8_space(const char *s, size_t size);
/* Of a character of Unicode's White_Space likewise. */
int hp_utf8_white(const char *s, size_t size);
bool hp_utf8_white_code(int32_t code);
size_t hp_utf8_cut_white(const char *s, size_t size); /* SIZE without the white space at the end */
bool hp_utf8_same(const char *a, size_t a_size, const char *b, size_t b_size); /* space separators apart */
bool hp_utf8_is_punctuation(const char *s, size_t size); /* not empty, every character of category P* */
/* Key for word look-ups: NFC, then lower case if LOWER.  Writes at most CAPACITY bytes to OUT and returns the length
 * needed (as snprintf, without terminator).  Invalid input is copied unchanged. */
size_t hp_utf8_key(const char *s, size_t size, bool lower, char *out, size_t capacity);
/* What a typewriter has for the quotation mark, apostrophe or dash CODE; any other character stays. */
int32_t hp_utf8_typed(int32_t code);
/* Writes S with these to OUT, which has room for SIZE bytes, and returns how many it has; 0: there are none. */
size_t hp_utf8_typed_text(const char *s, size_t size, char *out);
/* The entity by which XML and HTML write CODE, one of & < > and the quotation mark; NULL: any other character. */
const char *hp_utf8_entity(int32_t code);

#endif
