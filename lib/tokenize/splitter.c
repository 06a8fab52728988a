/* splitter.c: windows for the network, its classes, tokens, sentences. */
#include "tokenize/splitter.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "tokenize/decide.h"

enum {
	WINDOW = 1024,
	MARGIN = 256, /* signs: that get their class, and that are read on either side */
	WINDOWS = 256,
	SIGNS = 1 << 15, /* read at once: windows at most, and signs but for the last window */
	FULL = 1 << 16, /* signs that are worth it */
	TOKEN = 1000, /* signs at most */
	SENTENCE = 1 << 20 /* bytes of text at most */
};

typedef struct span { /* signs of a token */
	int from, to; /* TO: behind it */
} span;

struct hp_splitter {
	const hp_tok_model *model;
	hp_pool *pool;
	hp_arena *arena, *words; /* of a batch of windows, of a sentence */
	hp_split_by by;
	int max_words;
	const char *name;
	hp_signs text;
	int8_t *class; /* [known] */
	size_t class_capacity;
	int known; /* signs that have their class */
	int reach; /* signs of KNOWN's paragraph before it, as far as they matter */
	bool finished; /* nothing follows the text that is there */
	/* input */
	char part[4]; /* the beginning of a character */
	size_t parts;
	long line; /* from 1 */
	int64_t byte; /* of the text so far */
	/* the sentence that is being collected */
	int at; /* the next sign */
	int start; /* of the token, -1: none */
	hp_token *token;
	span *span; /* of each token */
	int tokens, count; /* how many; words */
	size_t token_capacity, span_capacity, bytes;
	int before; /* a sign of white space before the sentence, -1: none */
	int line_ends; /* since the last token */
	bool document, paragraph; /* it is the first of one */
	bool done; /* it was handed out */
};

int hp_splitter_new(const hp_tok_model *model, hp_pool *pool, hp_split_by by, int max_words, hp_splitter **out,
                    hp_error *err)
{
	hp_splitter *s = calloc(1, sizeof *s);
	*out = s;
	if (!s)
		return hp_fail_memory(err);
	s->model = model;
	s->pool = pool;
	s->max_words = max_words;
	s->arena = hp_arena_new();
	s->words = hp_arena_new();
	s->by = by;
	hp_signs_init(&s->text, by == HP_SPLIT_LINES);
	if (s->arena && s->words)
		return 0;
	hp_splitter_destroy(s);
	*out = NULL;
	return hp_fail_memory(err);
}

void hp_splitter_destroy(hp_splitter *s)
{
	if (!s)
		return;
	hp_signs_free(&s->text);
	hp_arena_destroy(s->arena);
	hp_arena_destroy(s->words);
	free(s->class);
	free(s->token);
	free(s->span);
	free(s);
}

void hp_splitter_begin(hp_splitter *s, const char *name)
{
	hp_signs_drop(&s->text, s->text.count);
	hp_signs_restart(&s->text);
	s->name = name;
	s->known = s->reach = s->at = s->tokens = s->count = 0;
	s->start = s->before = -1;
	s->finished = s->done = false;
	s->document = true;
	s->parts = s->bytes = 0;
	s->line = 1;
	s->byte = 0;
	s->line_ends = 0;
}

/* ---- what comes in ---- */

static int add_valid(hp_splitter *s, const char *bytes, size_t size, hp_error *err)
{
	for (const char *p = bytes; (p = memchr(p, '\n', size - (size_t)(p - bytes))); p++)
		s->line++;
	s->byte += (int64_t)size;
	return hp_signs_add(&s->text, bytes, size, err);
}

static int refuse(const hp_splitter *s, const char *what, const char *hint, hp_error *err)
{
	return hp_fail_at(err, s->name, s->line, "%s, byte %lld of the text%s", what, (long long)s->byte + 1, hint);
}

static int refuse_encoding(const hp_splitter *s, hp_error *err)
{
	return refuse(s, "invalid UTF-8", ": iconv -f LATIN1 -t UTF-8 converts Latin-1", err);
}

/* Bytes of the character that FIRST begins; 0: none begins so. */
static size_t length_of(char first)
{
	unsigned char c = (unsigned char)first;
	return c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
}

/* All bytes of a character but the last ones. */
static bool is_beginning(const char *s, size_t size)
{
	char whole[4] = {0, (char)0x80, (char)0x80, (char)0x80};
	int32_t code;
	size_t length = size ? length_of(*s) : 0;
	if (size >= length)
		return false;
	for (int second = 0x80; second < 0xc0; second += 0x10) { /* some first bytes allow few second ones */
		whole[1] = (char)second;
		memcpy(whole, s, size);
		if (hp_utf8_decode(whole, length, &code) > 0)
			return true;
	}
	return false;
}

/* Completes the character that has begun; *USED bytes are it. */
static int complete(hp_splitter *s, const char *bytes, size_t size, size_t *used, hp_error *err)
{
	int32_t code;
	*used = 0;
	while (s->parts > 0 && *used < size) {
		s->part[s->parts++] = bytes[(*used)++];
		if (s->parts == length_of(*s->part)) {
			if (hp_utf8_decode(s->part, s->parts, &code) == 0)
				return refuse_encoding(s, err);
			size_t parts = s->parts;
			s->parts = 0;
			return add_valid(s, s->part, parts, err);
		}
		if (!is_beginning(s->part, s->parts))
			return refuse_encoding(s, err);
	}
	return 0;
}

int hp_splitter_add(hp_splitter *s, const char *bytes, size_t size, hp_error *err)
{
	size_t used;
	if (complete(s, bytes, size, &used, err))
		return HP_FAIL;
	bytes += used;
	size -= used;
	const char *nul = memchr(bytes, 0, size);
	size_t rest = nul ? (size_t)(nul - bytes) : size, valid = hp_utf8_valid_prefix(bytes, rest);
	if (add_valid(s, bytes, valid, err))
		return HP_FAIL;
	if (valid == size)
		return 0;
	if (valid == rest)
		return refuse(s, "a NUL byte", "", err);
	if (nul || !is_beginning(bytes + valid, rest - valid))
		return refuse_encoding(s, err);
	s->parts = rest - valid;
	memcpy(s->part, bytes + valid, s->parts);
	return 0;
}

int hp_splitter_pause(hp_splitter *s, bool finish, hp_error *err)
{
	if (!finish && (s->parts || !hp_signs_at_line_end(&s->text)))
		return 0;
	hp_signs_end(&s->text);
	s->finished = finish;
	return s->parts ? refuse(s, "the text ends within a character", "", err) : 0;
}

bool hp_splitter_full(const hp_splitter *s)
{
	return s->text.count - s->known >= FULL;
}

/* ---- classes ---- */

typedef struct batch {
	int count, from[WINDOWS], skip[WINDOWS], size[WINDOWS]; /* first sign with a class; signs before it; with a class */
	hp_tok_window window[WINDOWS];
	float *score[WINDOWS];
	int signs; /* of all windows */
	int reach; /* at the next sign */
} batch;

/* The window of SIZE signs from FROM on, in a paragraph that ends at END. */
static int add_window(hp_splitter *s, batch *b, int from, int size, int end)
{
	int skip = b->reach, last = from + size + MARGIN < end ? from + size + MARGIN : end, n = last - from + skip,
		k = b->count++;
	int32_t *chr = HP_NEW(s->arena, int32_t, (size_t)n);
	uint8_t *kind = HP_NEW(s->arena, uint8_t, (size_t)n);
	b->score[k] = HP_NEW(s->arena, float, (size_t)n * HP_TOK_CLASSES);
	if (hp_arena_failed(s->arena))
		return HP_FAIL;
	for (int i = 0; i < n; i++) {
		const hp_sign *sign = &s->text.sign[from - skip + i];
		int32_t typed;
		kind[i] = sign->kind;
		chr[i] = hp_tok_alphabet_row(s->model->alphabet, sign->code);
		if (chr[i] == 0 && (typed = hp_utf8_typed(sign->code)) != sign->code) { /* unknown: it stands in */
			kind[i] = hp_sign_kind(typed);
			chr[i] = hp_tok_alphabet_row(s->model->alphabet, typed);
		}
	}
	b->window[k] = (hp_tok_window){.count = n, .chr = chr, .kind = kind};
	b->from[k] = from;
	b->skip[k] = skip;
	b->size[k] = size;
	b->signs += n;
	return 0;
}

/* Windows from sign FROM on, as many as are ready; returns the sign behind them, or HP_FAIL. */
static int collect(hp_splitter *s, batch *b, int from)
{
	const hp_signs *text = &s->text;
	int count = text->count - text->open;
	while (from < count && b->count < WINDOWS && b->signs < SIGNS) {
		int end = from;
		while (end < count && text->sign[end].kind != HP_SIGN_PARAGRAPH && end - from <= WINDOW + MARGIN)
			end++;
		bool closed = end - from <= WINDOW + MARGIN && (end < count || s->finished);
		int size = end - from < WINDOW ? end - from : WINDOW;
		if (!closed && end - from <= WINDOW + MARGIN)
			break;
		if (size && add_window(s, b, from, size, end))
			return HP_FAIL;
		from += size;
		b->reach = b->reach + size < MARGIN ? b->reach + size : MARGIN;
		if (from == end && end < count && text->sign[end].kind == HP_SIGN_PARAGRAPH) {
			from++;
			b->reach = 0;
		}
	}
	return from;
}

static int read_windows(hp_splitter *s, hp_error *err)
{
	batch *b = HP_NEW0(s->arena, batch, 1);
	if (!b)
		return hp_fail_memory(err);
	b->reach = s->reach;
	int to = collect(s, b, s->known);
	if (to < 0 || !hp_grow(&s->class, &s->class_capacity, (size_t)s->text.count + 1, 1))
		return hp_fail_memory(err);
	if (b->count && hp_tok_run(s->model->runner, s->pool, s->arena, b->count, b->window, b->score, err))
		return HP_FAIL;
	if (to > s->known)
		memset(s->class + s->known, HP_TOK_INSIDE, (size_t)(to - s->known));
	for (int k = 0; k < b->count; k++)
		for (int i = 0; i < b->size[k]; i++)
			s->class[b->from[k] + i] = (int8_t)hp_tok_decide(
				&s->text, b->from[k] + i, b->score[k] + (size_t)(b->skip[k] + i) * HP_TOK_CLASSES, s->model->spaces);
	s->known = to;
	s->reach = b->reach;
	return 0;
}

/* ---- tokens ---- */

static hp_piece piece(const hp_splitter *s, int from, int to)
{
	size_t at = from < s->text.count ? s->text.sign[from].at : s->text.size;
	return (hp_piece){s->text.text + at, (to < s->text.count ? s->text.sign[to].at : s->text.size) - at};
}

/* The sign behind the white space that stands at sign I, if any does. */
static int behind_space(const hp_splitter *s, int i)
{
	return i + (i < s->text.count && hp_sign_is_white(&s->text.sign[i]));
}

/* Words of a token that may be a multiword token; they outlive changes of the text.  Returns how many words it makes. */
static int expand(hp_splitter *s, hp_token *t, hp_piece form)
{
	hp_piece words[HP_MOST_WORDS];
	char *copy = HP_NEW(s->words, char, form.size);
	if (!copy)
		return 1;
	memcpy(copy, form.text, form.size);
	int n = hp_expand(s->model->expander, s->words, copy, form.size, words);
	hp_piece *kept = n > 1 ? HP_NEW(s->words, hp_piece, (size_t)n) : NULL;
	if (!kept)
		return 1;
	memcpy(kept, words, (size_t)n * sizeof *kept);
	t->words = n;
	t->word = kept;
	return n;
}

/* Adds the token that ends with sign LAST.  False: there is no room for its words any more. */
static bool add_token(hp_splitter *s, int last)
{
	hp_token t = {.words = 0};
	hp_piece form = piece(s, s->start, last + 1);
	bool multi = hp_tok_is_multi((hp_tok_class)s->class[last]) ||
	             hp_expander_is_sure(s->model->expander, s->words, form.text, form.size);
	int n = multi ? expand(s, &t, form) : 1;
	if (s->tokens && (s->count + n > s->max_words || s->bytes + form.size > SENTENCE))
		return false;
	s->token[s->tokens] = t;
	s->span[s->tokens++] = (span){s->start, last + 1};
	s->count += n;
	s->bytes += form.size;
	s->start = -1;
	s->at = behind_space(s, last + 1);
	hp_piece space = piece(s, last + 1, s->at);
	s->line_ends = hp_line_ends(space.text, space.size);
	return true;
}

/* Whether the sentence ends with the token that ends with sign LAST. */
static bool ends_sentence(const hp_splitter *s, int last)
{
	if (s->by == HP_SPLIT_TEXT)
		return hp_tok_ends_sentence((hp_tok_class)s->class[last]);
	return last + 1 >= s->text.count || s->text.sign[last + 1].kind == HP_SIGN_PARAGRAPH;
}

/* White space at a sentence's beginning.  True: there is some already, which is handed out alone. */
static bool take_white(hp_splitter *s)
{
	if (s->before >= 0)
		return true;
	hp_piece white = piece(s, s->at, s->at + 1);
	s->line_ends += hp_line_ends(white.text, white.size);
	s->before = s->at++;
	return false;
}

/* Goes on with the sentence as far as classes are known.  Returns 1 when it is complete, 0, or HP_FAIL. */
static int scan(hp_splitter *s, hp_error *err)
{
	while (s->at < s->known) {
		int i = s->at;
		if (s->start < 0 && hp_sign_is_white(&s->text.sign[i])) {
			if (take_white(s))
				return 1;
			continue;
		}
		if (s->start < 0) {
			if (!s->tokens)
				s->paragraph = s->line_ends > 1;
			s->start = i;
		}
		s->at++;
		if (s->class[i] == HP_TOK_INSIDE && (i - s->start < TOKEN || s->text.sign[i].joined) &&
		    i - s->start < 2 * TOKEN)
			continue;
		if (!hp_grow(&s->token, &s->token_capacity, (size_t)s->tokens + 1, sizeof *s->token) ||
		    !hp_grow(&s->span, &s->span_capacity, (size_t)s->tokens + 1, sizeof *s->span))
			return hp_fail_memory(err);
		if (!add_token(s, i)) {
			s->at = s->start;
			s->start = -1;
			return 1;
		}
		if (hp_arena_failed(s->words))
			return hp_fail_memory(err);
		if (ends_sentence(s, i) || s->count >= s->max_words || s->bytes >= SENTENCE)
			return 1;
	}
	return 0;
}

/* ---- sentences ---- */

/* Forgets the sentence that was handed out, and now and then the text of those before. */
static void forget(hp_splitter *s)
{
	int spare = s->known - s->reach < s->at ? s->known - s->reach : s->at;
	s->tokens = s->count = 0;
	s->bytes = 0;
	s->before = -1;
	s->document = s->done = false;
	hp_arena_reset(s->words);
	if (spare < FULL)
		return;
	hp_signs_drop(&s->text, spare);
	s->at -= spare;
	s->known -= spare;
	memmove(s->class, s->class + spare, (size_t)s->known);
}

static void hand_out(hp_splitter *s, hp_split_sentence *out)
{
	for (int i = 0; i < s->tokens; i++) {
		s->token[i].text = piece(s, s->span[i].from, s->span[i].to);
		s->token[i].space = piece(s, s->span[i].to, behind_space(s, s->span[i].to));
	}
	*out = (hp_split_sentence){.tokens = s->tokens, .token = s->token, .document = s->document};
	if (s->before >= 0)
		out->before = piece(s, s->before, s->before + 1);
	out->paragraph = s->paragraph && s->tokens && !s->document;
	out->last = s->finished && s->at >= s->text.count;
	s->done = true;
}

int hp_splitter_next(hp_splitter *s, hp_split_sentence *out, hp_error *err)
{
	if (s->done)
		forget(s);
	for (;;) {
		int got = scan(s, err), known = s->known;
		if (got < 0)
			return HP_FAIL;
		if (got > 0 || (s->finished && s->known == s->text.count && (s->before >= 0 || s->document))) {
			hand_out(s, out);
			return 1;
		}
		hp_arena_reset(s->arena);
		if (read_windows(s, err))
			return HP_FAIL;
		if (s->known == known)
			return 0;
	}
}
