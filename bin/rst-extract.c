/* rst-extract: the sentence-level trees of document-level rhetorical structure trees. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "rst/documents.h"
#include "rst/extract.h"
#include "rst/relations.h"

#ifndef HP_MAP_DIR
#define HP_MAP_DIR "/usr/local/share/hptools/maps"
#endif

static const char help[] =
	"Usage: rst-extract [OPTION]... [FILE]...\n"
	"Write the sentence-level trees of document-level rhetorical structure trees, in\n"
	".dis notation.  FILEs hold trees in RST-DT notation (.dis, .lisp) or are .rs3 or\n"
	".rs4 files.  Without FILE, or when FILE is -, read standard input.\n"
	"\n"
	"  -s, --sentences=FILE  CoNLL-U of the same documents, or a text with a sentence\n"
	"                        a line; a folder: its DOCUMENT.conllu or DOCUMENT.txt\n"
	"                        (default: paragraph marks and punctuation)\n"
	"  -l, --labels=MAP      map relations to classes: rst-dt, gum, FILE.csv\n"
	"                        (default: rst-dt); none: keep them\n"
	"  -b, --binary          write binary trees (default)\n"
	"  -n, --nary            leave nodes of more than two children as they are\n"
	"  -m, --min-edus=N      only sentences of at least N EDUs (default: 1)\n"
	"  -d, --differences=N   accept up to N other characters a document in the\n"
	"                        sentences' text (default: 0)\n"
	"  -k, --keep-going      leave out documents with errors; exit 1 at the end\n"
	"  -S, --stats           print only numbers of documents, EDUs and sentences\n"
	"  -h, --help            show this help\n"
	"  -V, --version         show the version\n";

typedef struct job {
	/* options */
	const char *sentences, *labels;
	hp_extract_options options;
	long differences;
	bool keep_going, stats;
	/* state */
	hp_relations *relations; /* NULL: none */
	bool folder; /* sentences is one */
	hp_rst_sentences known; /* of the file */
	int next; /* sentence, in a file without document names */
	bool placed; /* the document's own sentences were found there */
	hp_extract_counts counts;
	int64_t skipped; /* documents */
} job;

static int parse_options(int argc, char **argv, job *j)
{
	static const struct option longs[] = {
		{ "sentences", required_argument, NULL, 's' }, { "labels", required_argument, NULL, 'l' },
		{ "binary", no_argument, NULL, 'b' }, { "nary", no_argument, NULL, 'n' },
		{ "min-edus", required_argument, NULL, 'm' }, { "differences", required_argument, NULL, 'd' },
		{ "keep-going", no_argument, NULL, 'k' }, { "stats", no_argument, NULL, 'S' },
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 },
	};
	long number = 1;

	for (int c; (c = getopt_long(argc, argv, "s:l:bnm:d:kShV", longs, NULL)) != -1;) {
		int status = CLI_OK;

		if (c == 's')
			j->sentences = optarg;
		else if (c == 'l')
			j->labels = optarg;
		else if (c == 'b' || c == 'n')
			j->options.nary = c == 'n';
		else if (c == 'm')
			status = cli_whole("--min-edus", optarg, 1, INT_MAX, &number);
		else if (c == 'd')
			status = cli_whole("--differences", optarg, 0, INT_MAX, &j->differences);
		else if (c == 'k')
			j->keep_going = true;
		else if (c == 'S')
			j->stats = true;
		else if (c == 'h' || c == 'V')
			exit(c == 'h' ? cli_help(help) : cli_version());
		else
			return cli_bad_option();
		if (status != CLI_OK)
			return status;
	}
	j->options.min_edus = (int)number;
	return CLI_OK;
}

/* Reads what is read once: the relation map, the file of sentences. */
static int prepare(job *j, hp_error *err)
{
	const char *maps = getenv("HP_MAP_PATH");
	struct stat st;

	if (strcmp(j->labels, "none") != 0 &&
		hp_relations_open(j->labels, maps && *maps ? maps : HP_MAP_DIR, &j->relations, err) != 0)
		return HP_FAIL;
	if (!j->sentences)
		return 0;
	j->folder = strcmp(j->sentences, "-") != 0 && stat(j->sentences, &st) == 0 && S_ISDIR(st.st_mode);
	return j->folder ? 0 : hp_rst_sentences_read(j->sentences, 0, &j->known, err);
}

/* Sentences of a document from a file of its own in the folder. */
static int from_folder(const job *j, hp_rst_tree *t, const char *name, hp_rst_extent **out, int *count, hp_error *err)
{
	static const char *const endings[] = { "conllu", "conll", "txt" };
	hp_rst_sentences s;
	char *path = NULL;
	int status;

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		free(path);
		if (asprintf(&path, "%s/%s.%s", j->sentences, t->id, endings[i]) < 0)
			return hp_fail_memory(err);
		if (access(path, F_OK) == 0)
			break;
		if (i + 1 == sizeof(endings) / sizeof(endings[0])) {
			free(path);
			return hp_fail_at(err, name, t->line, "no sentences for document '%s', expected %s/%s.conllu or .txt", t->id,
			                  j->sentences, t->id);
		}
	}
	status = hp_rst_sentences_read(path, 0, &s, err);
	free(path);
	if (status != 0)
		return HP_FAIL;
	status = hp_rst_align(t, name, &s, 0, s.sentences, true, (int)j->differences, out, count, err);
	hp_rst_sentences_free(&s);
	return status;
}

/* From the one file, by the document's name or, where that has no names, from where the last document ended. */
static int from_file(job *j, hp_rst_tree *t, const char *name, hp_rst_extent **out, int *count, hp_error *err)
{
	hp_rst_doc *doc = hp_rst_sentences_find(&j->known, t->id);
	int left = j->known.sentences - j->next;

	if (!doc)
		return hp_fail_at(err, name, t->line, "no document '%s' in %s", t->id, j->known.name);
	if (doc->id)
		return hp_rst_align(t, name, &j->known, doc->first, doc->sentences, true, (int)j->differences, out, count, err);
	if (hp_rst_align(t, name, &j->known, j->next, left, false, (int)j->differences, out, count, err) != 0)
		return HP_FAIL;
	j->next += *count;
	j->placed = true;
	return 0;
}

static int extract(job *j, hp_rst_tree *t, const char *name, hp_error *err)
{
	hp_rst_extent *extent = NULL;
	int count = 0, status;

	if (!j->sentences)
		status = hp_rst_align_marks(t, &extent, &count, err);
	else if (j->folder)
		status = from_folder(j, t, name, &extent, &count, err);
	else
		status = from_file(j, t, name, &extent, &count, err);
	if (status == 0 && j->relations)
		status = hp_relations_apply(j->relations, t, name, err);
	if (status == 0)
		status = hp_extract(t, t->id, extent, count, &j->options, &j->counts, j->stats ? NULL : stdout, err);
	free(extent);
	return status;
}

/* Whether the file of sentences does not name documents. */
static bool is_unnamed(const hp_rst_sentences *s)
{
	return s->docs == 1 && !s->doc[0].id;
}

/* A document has failed; whether to go on with the next one. */
static bool skip(job *j, const hp_error *err)
{
	cli_fail(err);
	j->skipped++;
	if (!j->keep_going || ferror(stdout))
		return false;
	if (!is_unnamed(&j->known) || j->placed)
		return true;
	cli_error("%s names no documents: where the next one's sentences begin is not known", j->known.name);
	return false;
}

/* All documents of a file.  False if nothing more is to be done. */
static bool extract_file(job *j, const char *path)
{
	hp_rst_documents *docs = NULL;
	hp_input *in = NULL;
	hp_rst_tree t;
	hp_error err;
	bool go_on = true;

	hp_rst_tree_init(&t);
	j->placed = false;
	if (hp_input_open(path, &in, &err) != 0 || hp_rst_documents_new(in, &docs, &err) != 0)
		go_on = skip(j, &err);
	if (docs)
		hp_rst_documents_on_warning(docs, cli_warn, NULL);
	while (docs && go_on) {
		int status = hp_rst_documents_next(docs, &t, &err);

		j->placed = false;
		if (status == 0)
			break;
		if (status == 1)
			status = extract(j, &t, hp_input_name(in), &err);
		if (status != 0)
			go_on = skip(j, &err);
		if (hp_rst_documents_broken(docs))
			break;
	}
	hp_rst_documents_destroy(docs);
	hp_input_close(in);
	hp_rst_tree_free(&t);
	return go_on;
}

/* Sentences that no document took. */
static bool check_rest(job *j)
{
	const hp_rst_sentences *s = &j->known;

	if (!is_unnamed(s) || j->next == s->sentences || j->skipped > 0)
		return true;
	cli_error("%s:%ld: a sentence after the last document", s->name, s->sentence[j->next].line);
	return false;
}

static void print_counts(const job *j)
{
	const hp_extract_counts *c = &j->counts;

	printf("count,number\ndocuments,%" PRId64 "\ndocuments skipped because of errors,%" PRId64 "\nEDUs,%" PRId64 "\n",
		c->documents, j->skipped, c->edus);
	printf("sentences,%" PRId64 "\nsentences of one EDU,%" PRId64 "\nsentences of several EDUs,%" PRId64 "\n", c->sentences,
		c->single, c->several);
	printf("with a complete subtree,%" PRId64 "\nskipped: no subtree spans exactly their EDUs,%" PRId64 "\n", c->complete,
		c->no_subtree);
	printf("skipped: share an EDU with another sentence,%" PRId64 "\n", c->crossed);
}

int main(int argc, char **argv)
{
	job j = { .labels = "rst-dt" };
	char dash[] = "-", *standard[] = { dash, NULL };
	bool go_on = true;
	hp_error err;
	int status;

	cli_start("rst-extract");
	status = parse_options(argc, argv, &j);
	if (status != CLI_OK)
		return status;
	if (optind == argc)
		argv = standard, argc = 1, optind = 0;
	for (int i = optind; i < argc; i++) {
		if (j.sentences && strcmp(j.sentences, "-") == 0 && strcmp(argv[i], "-") == 0)
			return cli_usage("trees and sentences cannot both come from standard input");
	}
	if (cli_check_inputs(argc - optind, argv + optind) != CLI_OK)
		return CLI_FAILED;
	if (prepare(&j, &err) != 0) {
		status = cli_fail(&err);
	} else {
		for (int i = optind; i < argc && go_on; i++)
			go_on = extract_file(&j, argv[i]);
		if (!check_rest(&j) || j.skipped > 0)
			status = CLI_FAILED;
		if (j.stats)
			print_counts(&j);
	}
	hp_relations_destroy(j.relations);
	hp_rst_sentences_free(&j.known);
	return cli_finish(status);
}
