/* fuzz_eval.c: a letter that chooses hp-eval's options, A the first ones, and a digit, then a gold file, a byte 0x1e and a
 * system's output.  Every score is within bounds, and a gold file that can be read scores 100 against itself if it has heads. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const options[][4] = {
	{NULL},
	{"--by=length,arc,depth,direction,relation,universal", NULL},
	{"--punct=unicode", "--by=relation", NULL},
	{"--conll", NULL},
	{"--by=edus,relation", NULL},
	{"--nary=keep", "--by=edus", NULL},
	{"--punct=upos", NULL},
	{"--ignore-xpos=XP", NULL},
	{"--edu-bins=2,4", NULL},
	{"--max-words=3", NULL},
	{"--confusion", NULL},
	{"--confusion", "--nary=keep", NULL},
	{"--task=segment", "--by=genre", NULL},
};
enum { OPTIONS = sizeof(options) / sizeof(options[0]), COLUMNS = 32 };

/* The cells of a line of CSV, in place; how many. */
static int cut(char *line, char *cell[COLUMNS])
{
	int n = 0;

	for (char *p = line; n < COLUMNS;) {
		char *out = p;
		bool quoted = *p == '"';

		cell[n++] = out;
		for (p += quoted; *p != '\0' && (quoted || *p != ','); p++) {
			if (quoted && *p == '"' && *++p != '"')
				break;
			*out++ = *p;
		}
		if (*p == '\0') {
			*out = '\0';
			break;
		}
		p++;
		*out = '\0';
	}
	return n;
}

/* task,name,gold,system,punct,by,group,metric,measure,value,correct,gold_total,system_total; fields may hold newlines. */
static void check_csv(char *text, bool perfect)
{
	char *cell[COLUMNS], *line = text;

	while (line && *line != '\0') {
		char *next = line;
		bool quoted = false;

		for (; *next != '\0' && (quoted || *next != '\n'); next++)
			quoted ^= *next == '"';
		demand(*next == '\n');
		*next = '\0';
		demand(cut(line, cell) == 13);
		if (strcmp(cell[0], "task") != 0) {
			double value = strtod(cell[9], NULL);
			long correct = atol(cell[10]), gold = atol(cell[11]), system = atol(cell[12]);

			demand(value >= 0 && value <= 100 && correct >= 0 && correct <= gold && correct <= system);
			if (perfect)
				demand(correct == gold && correct == system && (gold == 0 || value == 100));
		}
		line = next + 1;
	}
}

static bool evaluate(size_t which, bool csv, const char *gold, const char *system, fuzz_run *run)
{
	const char *arguments[10] = {"hp-eval"};
	int n = 1;

	for (int i = 0; options[which][i] != NULL; i++)
		arguments[n++] = options[which][i];
	/* Options for one kind of tree are wrong usage with the other. */
	if (which == 4 || which == 5 || which == 8 || which == 11)
		arguments[n++] = "--task=rst";
	else if (which != 0 && which != 12)
		arguments[n++] = "--task=dep";
	if (csv)
		arguments[n++] = "--csv";
	arguments[n++] = gold;
	arguments[n++] = system;
	fuzz_program(hp_eval_main, arguments, run);
	demand(run->status == 0 || run->said[0] != '\0');
	return run->status == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *gold, *system;
	fuzz_piece piece[2];
	size_t which;
	fuzz_run run;

	if (size < 2)
		return 0;
	which = data[0] % OPTIONS;
	fuzz_split(data + 2, size - 2, piece, 2);
	gold = fuzz_file("gold", piece[0].data, piece[0].size);
	system = fuzz_file("system", piece[1].data, piece[1].size);
	if (evaluate(which, true, gold, system, &run))
		check_csv(run.out, false);
	fuzz_run_free(&run);
	if (data[1] % 2 == 0) {
		evaluate(which, false, gold, system, &run);
	} else if (evaluate(which, true, gold, gold, &run)) {
		check_csv(run.out, !strstr(run.said, " have no heads"));
	}
	fuzz_run_free(&run);
	return 0;
}
