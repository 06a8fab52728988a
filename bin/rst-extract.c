/* rst-extract: the sentence-level trees of document-level rhetorical structure trees, or those binarised. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/installed.h"
#include "options.h"
#include "rst/documents.h"
#include "extract/extract.h"
#include "rst/relations.h"

#ifndef HP_MAP_DIR
#define HP_MAP_DIR "/usr/local/share/hptools/maps"
#endif

typedef struct job {
	/* options */
	const char *sentences, *labels, *conllu, *output;
	hp_extract_options options;
	int differences, nary, documents;
	bool keep_going, stats;
	/* state */
	hp_relations *relations; /* NULL: none */
	bool folder; /* sentences is one */
	hp_sentence_file known; /* of the file, or, from a folder, of the document */
	int next; /* sentence, in a file without document names */
	bool placed; /* the document's own sentences were found there */
	hp_error doubt; /* "", or how document and sentences differ where the former's were taken to end */
	hp_file *file; /* of CoNLL-U; NULL: none */
	hp_extract_counts counts;
	int64_t skipped; /* documents */
	int64_t left_out, lacking; /* EDUs that sentences lack; documents that have some */
	int64_t secedges, signals; /* of .rs4, left out */
} job;

static const char usage[] = "Usage: rst-extract [OPTION]... [FILE]...\n"
							"Write the sentence-level trees of document-level rhetorical structure trees, or\n"
							"the documents' trees made binary, in .dis notation.  FILEs hold\n"
							"trees in RST-DT notation (.dis, .lisp) or are .rs3 or .rs4 files.  Without FILE,\n"
							"or when FILE is -, read standard input.\n"
							"\n";

#define INTO(field) OPTION_INTO(job, field)

static const option_row rows[] = {
	{'s', "sentences", "FILE", INTO(sentences),
     .help = "CoNLL-U of the same documents, or a text with a sentence\n"
             "a line; a folder: its DOCUMENT.conllu or DOCUMENT.txt\n"
             "(default: # sent_ends, or else paragraph marks and\n"
             "punctuation)"},
	{'l', "labels", "MAP", INTO(labels),
     .help = "map relations to classes: rst-dt, gum, FILE.csv\n"
             "(default: rst-dt); none: keep them"},
	{'b', "binary", NULL, INTO(nary), .min = 0, .help = "write binary trees (default)"},
	{'n', "nary", NULL, INTO(nary), .min = 1, .help = "leave nodes of more than two children as they are"},
	{'D', "documents", NULL, INTO(documents), .min = 1,
     .help = "write the documents' trees, with their sentences' ends"},
	{'m', "min-edus", "N", INTO(options.min_edus), .min = 1, .max = INT_MAX,
     .help = "only trees of at least N EDUs (default: 1)"},
	{'d', "differences", "N", INTO(differences), .min = 0, .max = INT_MAX,
     .help = "accept up to N characters a document that are others,\n"
             "missing or inserted in the sentences' text (default: 0)"},
	{'c', "conllu", "FILE", INTO(conllu), .written = true,
     .help = "write the CoNLL-U of the sentences that are written to\n"
             "FILE, under the same names"},
	{'o', "output", "FILE", INTO(output), .help = "write into FILE, which is there when all of it is"},
	{'k', "keep-going", NULL, INTO(keep_going), .help = "leave out documents with errors; exit 1 at the end"},
	{'S', "stats", NULL, INTO(stats), .help = "print only numbers of documents, EDUs and sentences"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

static const option_pair pairs[] = {{"conllu", "sentences", true, "--conllu needs --sentences"},
                                    {"conllu", "stats", false, "--conllu has nothing to write with --stats"},
                                    {0}};

static int read_sentences(const job *j, const char *path, hp_sentence_file *out, hp_error *err)
{
	if (!j->conllu)
		return hp_sentence_file_read(path, 0, out, err);
	if (hp_sentence_file_read_lines(path, out, err) != 0)
		return HP_FAIL;
	if (out->conllu)
		return 0;
	(void)hp_fail(err, "%s: no CoNLL-U, of which --conllu writes a part", out->name);
	hp_sentence_file_free(out);
	return HP_FAIL;
}

/* Reads what is read once: the relation map, the file of sentences. */
static int prepare(job *j, hp_error *err)
{
	const char *maps = getenv("HP_MAP_PATH");
	char share[PATH_MAX];
	struct stat st;

	hp_installed_folder("maps", HP_MAP_DIR, share);
	if (strcmp(j->labels, "none") != 0 &&
	    hp_relations_open(j->labels, maps && *maps ? maps : share, &j->relations, err) != 0)
		return HP_FAIL;
	if (j->sentences) {
		j->folder = strcmp(j->sentences, "-") != 0 && stat(j->sentences, &st) == 0 && S_ISDIR(st.st_mode);
		if (!j->folder && read_sentences(j, j->sentences, &j->known, err) != 0)
			return HP_FAIL;
	}
	return j->conllu ? hp_file_begin(j->conllu, &j->file, err) : 0;
}

/* Reads a document's sentences from a file of its own in the folder. */
static int open_own(job *j, const hp_rst_tree *t, const char *name, hp_error *err)
{
	static const char *const endings[] = {"conllu", "conll", "txt", "conllu.gz", "conll.gz", "txt.gz"};
	char *path = NULL;
	int status;

	hp_sentence_file_free(&j->known);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		free(path);
		if (asprintf(&path, "%s/%s.%s", j->sentences, t->id, endings[i]) < 0)
			return hp_fail_memory(err);
		if (access(path, F_OK) == 0)
			break;
		if (i + 1 == sizeof(endings) / sizeof(endings[0])) {
			free(path);
			return hp_fail_at(err, name, t->line, "no sentences for document '%s', expected %s/%s.conllu or .txt",
			                  t->id, j->sentences, t->id);
		}
	}
	if (j->conllu && hp_file_same(path, j->conllu))
		status = hp_fail(err, "%s: is read, so --conllu cannot write it", path);
	else
		status = read_sentences(j, path, &j->known, err);
	free(path);
	return status;
}

/* The document's sentences, from *FROM on: in the folder, by its name or, in a file that names none, from where the last
 * document ended. */
static int find_sentences(job *j, hp_rst_tree *t, const char *name, int *from, hp_alignment *out, hp_error *err)
{
	hp_stretch s = {.of = &j->known, .exact = true};
	hp_error doubt = j->doubt;
	hp_document *doc;

	*from = 0;
	if (j->folder) {
		if (open_own(j, t, name, err) != 0)
			return HP_FAIL;
		s.count = j->known.sentences;
		return hp_align(t, name, s, j->differences, out, err);
	}
	doc = hp_sentence_file_find(&j->known, t->id);
	if (!doc)
		return hp_fail_at(err, name, t->line, "no document '%s' in %s", t->id, j->known.name);
	if (doc->id) {
		*from = s.from = doc->first;
		s.count = doc->sentences;
		return hp_align(t, name, s, j->differences, out, err);
	}
	*from = s.from = j->next;
	s.count = j->known.sentences - j->next;
	s.exact = false;
	j->doubt.text[0] = '\0';
	if (hp_align(t, name, s, j->differences, out, err) != 0) {
		/* The last document's sentences may not have ended where it seemed. */
		if (doubt.text[0] != '\0')
			*err = doubt;
		return HP_FAIL;
	}
	j->doubt = out->doubt;
	j->next += out->used;
	j->placed = true;
	return 0;
}

static int extract(job *j, hp_rst_tree *t, const char *name, hp_error *err)
{
	hp_alignment found = {0};
	hp_extract_output out = {.trees = j->stats ? NULL : stdout, .source = &j->known};
	int status;

	if (j->file)
		out.conllu = hp_file_stream(j->file);
	if (!j->sentences)
		status = hp_align_by_marks(t, &found.extent, &found.used, err);
	else
		status = find_sentences(j, t, name, &out.from, &found, err);
	if (status == 0 && j->relations)
		status = hp_relations_apply(j->relations, t, name, err);
	if (status == 0)
		status = hp_extract(t, t->id, found.extent, found.used, &j->options, &j->counts, &out, err);
	if (status == 0) {
		j->left_out += found.left_out;
		j->lacking += found.left_out > 0;
		j->secedges += t->secedges;
		j->signals += t->signals;
	}
	free(found.extent);
	return status;
}

/* Whether the file of sentences does not name documents. */
static bool is_unnamed(const job *j)
{
	return !j->folder && j->known.docs == 1 && !j->known.doc[0].id;
}

/* A document has failed; whether to go on with the next one. */
static bool skip(job *j, const hp_error *err)
{
	cli_fail(err);
	j->skipped++;
	if (!j->keep_going || ferror(stdout))
		return false;
	if (!is_unnamed(j) || j->placed)
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
	if (hp_input_open(path, &in, &err) != 0 || hp_rst_documents_new(in, NULL, &docs, &err) != 0)
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
	const hp_sentence_file *s = &j->known;

	if (!is_unnamed(j) || j->next == s->sentences || j->skipped > 0)
		return true;
	if (j->doubt.text[0] != '\0')
		cli_fail(&j->doubt);
	else
		cli_error("%s:%ld: a sentence after the last document", s->name, s->sentence[j->next].line);
	return false;
}

/* What of the files is not in the trees. */
static void tell_left_out(const job *j)
{
	if (j->left_out > 0)
		cli_error("left out: %" PRId64 " EDU%s of %" PRId64 " document%s that the sentences lack", j->left_out,
		          hp_plural(j->left_out), j->lacking, hp_plural(j->lacking));
	if (j->counts.trees_left > 0)
		cli_error("left out: %" PRId64 " EDU%s of %" PRId64 " tree%s beside the largest of %" PRId64 " document%s",
		          j->counts.edus_left, hp_plural(j->counts.edus_left), j->counts.trees_left,
		          hp_plural(j->counts.trees_left), j->counts.forests, hp_plural(j->counts.forests));
	if (j->secedges + j->signals > 0)
		cli_error("left out: %" PRId64 " secondary edge%s and %" PRId64 " signal%s of .rs4", j->secedges,
		          hp_plural(j->secedges), j->signals, hp_plural(j->signals));
}

static void print_counts(const job *j)
{
	const hp_extract_counts *c = &j->counts;

	printf("count,number\ndocuments,%" PRId64 "\ndocuments skipped because of errors,%" PRId64 "\nEDUs,%" PRId64 "\n",
	       c->documents, j->skipped, c->edus);
	printf("sentences,%" PRId64 "\nsentences of one EDU,%" PRId64 "\nsentences of several EDUs,%" PRId64 "\n",
	       c->sentences, c->single, c->several);
	printf("with a complete subtree,%" PRId64 "\nskipped: no subtree spans exactly their EDUs,%" PRId64 "\n",
	       c->complete, c->no_subtree);
	printf("skipped: share an EDU with another sentence,%" PRId64 "\n", c->crossed);
}

/* Options that do not go together, files that are read and written. */
static int check_usage(const options *o, const job *j, int files, char *const *file)
{
	for (int i = 0; i < files; i++) {
		if (j->sentences && strcmp(j->sentences, "-") == 0 && strcmp(file[i], "-") == 0)
			return cli_usage("trees and sentences cannot both come from standard input");
	}
	if (options_check(o, pairs) != CLI_GO_ON)
		return CLI_USAGE;
	for (int i = 0; j->conllu && i <= files; i++) {
		const char *path = i < files ? file[i] : j->sentences;

		if (strcmp(path, "-") != 0 && hp_file_same(path, j->conllu))
			return cli_error("%s: is read, so --conllu cannot write it", path);
	}
	if (j->output && !*j->output)
		return cli_usage("--output: expected the name of a file");
	if (j->sentences && cli_check_output(j->output, 1, (char *const *)&j->sentences) != CLI_OK)
		return CLI_FAILED;
	if (access(j->labels, F_OK) == 0 && cli_check_output(j->output, 1, (char *const *)&j->labels) != CLI_OK)
		return CLI_FAILED;
	if (j->conllu && j->output && hp_file_same(j->conllu, j->output))
		return cli_error("%s: --conllu and --output are the same file", j->output);
	return cli_begin_output(j->output, files, file);
}

/* All files, and what can be said at the end. */
static int extract_all(job *j, int files, char *const *file)
{
	bool go_on = true;
	int status = CLI_OK;
	hp_error err;

	for (int i = 0; i < files && go_on; i++)
		go_on = extract_file(j, file[i]);
	if (j->skipped > 0)
		status = CLI_FAILED;
	if (check_rest(j))
		tell_left_out(j);
	else
		status = CLI_FAILED;
	if (j->stats)
		print_counts(j);
	if (go_on)
		cli_output_complete();
	if (go_on && j->file && hp_file_commit(j->file, &err) != 0)
		status = cli_fail(&err);
	else if (j->file && !go_on)
		hp_file_abort(j->file);
	j->file = NULL;
	return status;
}

int main(int argc, char **argv)
{
	job j = {.labels = "rst-dt", .options.min_edus = 1};
	options o = {.usage = usage, .column = 24, .table = {{.row = rows, .into = &j}}};
	char dash[] = "-", *standard[] = {dash, NULL};
	hp_error err;
	int status;

	cli_start("rst-extract");
	status = options_parse(&o, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	j.options.nary = j.nary;
	j.options.documents = j.documents;
	if (optind == argc)
		argv = standard, argc = 1, optind = 0;
	status = check_usage(&o, &j, argc - optind, argv + optind);
	if (status != CLI_OK)
		return status;
	status = prepare(&j, &err) == 0 ? extract_all(&j, argc - optind, argv + optind) : cli_fail(&err);
	hp_relations_destroy(j.relations);
	hp_sentence_file_free(&j.known);
	return cli_finish(status);
}
