/* parse_text: raw text by libhp.  Reads standard input, all of it, and prints a word a line: its number, form, lemma,
 * universal tag, the number of its head and the relation; a line "# FROM-TO", bytes of the text, before each sentence.
 *
 *	cc parse_text.c $(pkg-config --cflags --libs hp) -o parse_text
 *	echo "She gave her brother a book. It wasn't new." | ./parse_text en */
#include <hp.h>
#include <stdio.h>
#include <stdlib.h>

/* What stands in FILE, malloc'ed; NULL: it cannot be read. */
static char *read_all(FILE *file, size_t *size)
{
	size_t room = 1 << 16, got;
	char *text = malloc(room), *more = text;

	for (*size = 0; more && (got = fread(text + *size, 1, room - *size, file)) > 0;) {
		*size += got;
		if (*size < room)
			continue;
		if ((more = realloc(text, room *= 2)))
			text = more;
	}
	if (more && !ferror(file))
		return text;
	free(text);
	return NULL;
}

static void print_sentence(const hp_text_sentence *s)
{
	printf("# %zu-%zu\n", s->token[0].from, s->token[s->tokens - 1].to);
	for (int w = 1; w <= s->words; w++)
		printf("%d\t%s\t%s\t%s\t%d\t%s\n", w, s->word[w].form, s->word[w].lemma, s->word[w].upos,
		       (int)s->tree->heads[w], s->tree->labels[w]);
	printf("\n");
}

int main(int argc, char **argv)
{
	hp_parser *parser;
	const hp_text_sentence *sentences;
	size_t size;
	int count, status;
	hp_error err;

	if (hp_open_text(argc > 1 ? argv[1] : NULL, &parser, &err) != 0) {
		fprintf(stderr, "parse_text: %s\n", err.text);
		return 1;
	}
	char *text = read_all(stdin, &size);
	status = text ? hp_parse_text(parser, text, size, &count, &sentences, &err) : HP_FAIL;
	if (status == 0)
		for (int i = 0; i < count; i++)
			print_sentence(&sentences[i]);
	else
		fprintf(stderr, "parse_text: %s\n", text ? err.text : "cannot read standard input");
	free(text);
	hp_close(parser);
	return status == 0 ? 0 : 1;
}
