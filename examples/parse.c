/* parse: the smallest use of libhp.  Parses the words given as arguments and prints a word a line: its number, itself,
 * the number of its head and the name of the relation.
 *
 *	cc parse.c $(pkg-config --cflags --libs hp) -o parse
 *	./parse en-dep She reads a book . */
#include <hp.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	hp_parser *parser;
	const hp_tree *tree;
	hp_error err;

	if (argc < 3) {
		fprintf(stderr, "usage: parse MODEL WORD...\n");
		return 2;
	}
	if (hp_open(argv[1], &parser, &err) != 0) {
		fprintf(stderr, "parse: %s\n", err.text);
		return 1;
	}
	if (hp_parse(parser, argc - 2, (const char *const *)(argv + 2), NULL, &tree, &err) != 0) {
		fprintf(stderr, "parse: %s\n", err.text);
		hp_close(parser);
		return 1;
	}
	for (int w = 1; w <= tree->words; w++)
		printf("%d\t%s\t%d\t%s\n", w, argv[w + 1], (int)tree->heads[w], tree->labels[w]);
	hp_close(parser);
	return 0;
}
