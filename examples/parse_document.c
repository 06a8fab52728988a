/* The smallest program that finds the rhetorical tree of a text.  Build it against an installed hptools with
 *
 *	cc parse_document.c $(pkg-config --cflags --libs hp) -o parse_document
 *
 * and run it with a text:
 *
 *	./parse_document en <library.txt
 *
 * It prints the tree from the top, each part indented below the one that it is a part of, with nuclei (N) and satellites (S). */
#include <hp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(FILE *in, size_t *size)
{
	char *text = NULL, *more;
	size_t capacity = 0;

	*size = 0;
	do {
		capacity = capacity ? 2 * capacity : 65536;
		more = realloc(text, capacity);
		if (!more)
			break;
		text = more;
		*size += fread(text + *size, 1, capacity - *size, in);
	} while (*size == capacity);
	if (more && !ferror(in))
		return text;
	free(text);
	return NULL;
}

static void print_edu(const hp_document *d, const char *text, int edu)
{
	for (size_t i = d->edu[edu].from; i < d->edu[edu].to; i++)
		putchar(text[i] == '\n' ? ' ' : text[i]);
	putchar('\n');
}

/* The part of the tree that begins with EDU and split number *SPLIT, DEPTH parts deep. */
static void print_part(const hp_document *d, const char *text, int first, int last, const char *role, int *split,
                       int depth)
{
	printf("%*s%s", 2 * depth, "", role);
	if (first == last) {
		print_edu(d, text, first);
		return;
	}
	const hp_edu_split *s = &d->tree->split[(*split)++];
	printf("%s\n", s->relation);
	print_part(d, text, first, s->mid, s->nuclearity[0] == 'N' ? "N " : "S ", split, depth + 1);
	print_part(d, text, s->mid + 1, last, s->nuclearity[1] == 'N' ? "N " : "S ", split, depth + 1);
}

int main(int argc, char **argv)
{
	size_t size;
	char *text = read_all(stdin, &size);
	hp_parser *parser = NULL;
	const hp_document *d;
	hp_error err;
	int split = 0, status = EXIT_FAILURE;

	if (!text)
		perror("parse_document");
	else if (hp_open_document(argc > 1 ? argv[1] : NULL, &parser, &err) != 0 ||
	         hp_parse_document(parser, text, size, &d, &err) != 0)
		fprintf(stderr, "parse_document: %s\n", err.text);
	else {
		if (d)
			print_part(d, text, 0, d->edus - 1, "", &split, 0);
		status = EXIT_SUCCESS;
	}
	hp_close(parser);
	free(text);
	return status;
}
