/* ignore.c: which words are left out. */
#include "eval/ignore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"

void hp_ignore_init(hp_ignore *ig)
{
	memset(ig, 0, sizeof *ig);
}

void hp_ignore_free(hp_ignore *ig)
{
	hp_vocab_destroy(ig->upos);
	hp_vocab_destroy(ig->xpos);
	hp_ignore_init(ig);
}

int hp_ignore_list(hp_vocab **list, const char *text, const char *separators, hp_error *err)
{
	hp_vocab *tags = hp_vocab_new();

	if (!tags)
		return hp_fail_memory(err);
	for (const char *s = text + strspn(text, separators); *s; s += strspn(s, separators)) {
		size_t length = strcspn(s, separators);

		if (hp_vocab_add(tags, s, length) < 0) {
			hp_vocab_destroy(tags);
			return hp_fail_memory(err);
		}
		s += length;
	}
	if (!hp_vocab_count(tags)) {
		hp_vocab_destroy(tags);
		return hp_fail(err, "no tags in '%s'", text);
	}
	hp_vocab_destroy(*list);
	*list = tags;
	return 0;
}

static bool in_list(const hp_vocab *list, const hp_word *w, int column, bool *seen)
{
	if (!list)
		return false;
	if (w->len[column] != 1 || w->col[column][0] != '_')
		*seen = true;
	return hp_vocab_find(list, w->col[column], w->len[column]) >= 0;
}

void hp_ignore_mark(hp_ignore *ig, const hp_dependencies *gold, bool *counted)
{
	for (int i = 0; i < gold->s.words; i++) {
		const hp_word *w = &gold->s.word[i];
		bool upos = in_list(ig->upos, w, HP_UPOS, &ig->upos_seen);
		bool xpos = in_list(ig->xpos, w, HP_XPOS, &ig->xpos_seen);

		counted[i] = !upos && !xpos && !(ig->unicode && hp_utf8_is_punctuation(w->col[HP_FORM], w->len[HP_FORM]));
		ig->left_out += !counted[i];
	}
	ig->words += gold->s.words;
}

int hp_ignore_check(const hp_ignore *ig, const char *name, hp_error *err)
{
	if (ig->upos && !ig->upos_seen)
		return hp_fail(err, "%s: no word has a UPOS tag, but such tags were to say what is left out", name);
	if (ig->xpos && !ig->xpos_seen)
		return hp_fail(err, "%s: no word has an XPOS tag, but such tags were to say what is left out", name);
	if (ig->left_out == ig->words)
		return hp_fail(err, "%s: every word is left out", name);
	return 0;
}

static void write_list(FILE *out, const char *title, const hp_vocab *list, const char **separator)
{
	if (!list)
		return;
	fprintf(out, "%s%s=", *separator, title);
	for (int i = 0; i < hp_vocab_count(list); i++) {
		size_t size;
		const char *tag = hp_vocab_at(list, i, &size);

		fprintf(out, "%s%.*s", i ? " " : "", (int)size, tag);
	}
	*separator = ";";
}

char *hp_ignore_text(const hp_ignore *ig)
{
	char *text = NULL;
	size_t size;
	const char *separator = "";
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write_list(out, "upos", ig->upos, &separator);
	write_list(out, "xpos", ig->xpos, &separator);
	if (ig->unicode)
		fprintf(out, "%sunicode", separator);
	else if (!*separator)
		fputs("keep", out);
	if (ferror(out) | fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
