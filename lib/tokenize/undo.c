/* undo.c: the text of sentences in CoNLL-U. */
#include <stdlib.h>
#include <string.h>

#include "text/comments.h"
#include "text/values.h"
#include "tokenize/write.h"

static int put_unescaped(FILE *out, const char *text, size_t size, hp_error *err)
{
	char *plain = malloc(size + 1);
	if (!plain)
		return hp_fail_memory(err);
	fwrite(plain, 1, hp_spaces_unescape(text, size, plain), out);
	free(plain);
	return 0;
}

/* What NAME in MISC says, if it says something; *FOUND: it does. */
static int put_spaces(const hp_surface_token *t, const char *name, FILE *out, bool *found, hp_error *err)
{
	size_t size;
	const char *spaces = hp_misc_find(&t->row, name, &size);
	*found = spaces != NULL;
	return spaces ? put_unescaped(out, spaces, size, err) : 0;
}

/* What stands between two tokens where nothing says so. */
static void put_gap(hp_tok_undo *u, const hp_sentence *s, FILE *out)
{
	bool paragraph = u->begun && ((u->blank && hp_comment_has(s, "newdoc")) ||
	                              ((u->blank || u->none) && hp_comment_has(s, "newpar")));
	if (paragraph)
		fputs("\n\n", out);
	else if (u->blank)
		putc(' ', out);
	u->blank = u->none = false;
}

static int put_token(hp_tok_undo *u, const hp_surface_token *t, FILE *out, hp_error *err)
{
	size_t size;
	bool found;
	if (put_spaces(t, "SpacesInToken", out, &found, err))
		return HP_FAIL;
	if (!found)
		fwrite(t->row.col[HP_FORM], 1, t->row.len[HP_FORM], out);
	if (put_spaces(t, "SpacesAfter", out, &found, err))
		return HP_FAIL;
	const char *after = hp_misc_find(&t->row, "SpaceAfter", &size);
	u->none = !found && after && size == 2 && !memcmp(after, "No", 2);
	u->blank = !found && !u->none;
	return 0;
}

int hp_tok_undo_sentence(hp_tok_undo *u, const hp_sentence *s, FILE *out, hp_error *err)
{
	hp_surface surface = hp_surface_of(s);
	hp_surface_token token;
	size_t size;
	const char *spaces = s->words ? NULL : hp_comment_find(s, "spaces = ", &size);
	bool first = true, found;
	if (spaces || s->words)
		put_gap(u, s, out);
	if (spaces)
		return put_unescaped(out, spaces, size, err);
	while (hp_surface_next(&surface, &token)) {
		if (u->blank)
			putc(' ', out);
		if ((first && put_spaces(&token, "SpacesBefore", out, &found, err)) || put_token(u, &token, out, err))
			return HP_FAIL;
		first = false;
		u->begun = true;
	}
	return 0;
}

void hp_tok_undo_end(hp_tok_undo *u, FILE *out)
{
	if (u->blank)
		putc('\n', out);
	*u = (hp_tok_undo){0};
}
