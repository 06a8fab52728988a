/* parse_edus: the smallest use of libhp for discourse.  Parses a sentence whose elementary discourse units (EDUs) are
 * given as arguments, tokens separated by blanks, and prints a split a line: its first EDU, the last one of its left half
 * and its last one, which half is the nucleus, the relation, and the probabilities of both.
 *
 *	cc parse_edus.c $(pkg-config --cflags --libs hp) -o parse_edus
 *	./parse_edus MODEL 'When the library opened again ,' 'she returned the maps .' */
#include <hp.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	hp_parser *parser;
	const hp_edu_tree *tree;
	hp_error err;

	if (argc < 3) {
		fprintf(stderr, "usage: parse_edus MODEL EDU...\n");
		return 2;
	}
	if (hp_open(argv[1], &parser, &err) != 0) {
		fprintf(stderr, "parse_edus: %s\n", err.text);
		return 1;
	}
	if (hp_parse_edus(parser, argc - 2, (const char *const *)(argv + 2), &tree, &err) != 0) {
		fprintf(stderr, "parse_edus: %s\n", err.text);
		hp_close(parser);
		return 1;
	}
	for (int i = 0; i < tree->edus - 1; i++) {
		const hp_edu_split *s = &tree->split[i];
		printf("%d-%d-%d %s %s %.4f %.4f\n", s->first + 1, s->mid + 1, s->last + 1, s->nuclearity, s->relation,
		       (double)s->split_prob, (double)s->label_prob);
	}
	hp_close(parser);
	return 0;
}
