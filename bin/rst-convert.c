/* rst-convert: rhetorical structure trees from one notation into another. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "extract/align.h"
#include "options.h"
#include "rst/binarize.h"
#include "rst/build.h"
#include "rst/documents.h"
#include "rst/keep.h"
#include "rst/notation.h"
#include "text/vocab.h"

typedef struct job {
	/* options */
	int to; /* 0: not given; else hp_rst_notation + 1 */
	const char *edus, *join, *keep, *output, *folder;
	bool binary, sentences, keep_going;
	/* state */
	int files;
	char *const *file; /* [files] that are read */
	hp_rst_keep *kept; /* NULL: nothing */
	hp_vocab *paths; /* of files written into the folder */
	bool open; /* edus: the last text was a document's, which ends where the next one begins */
	int64_t written, skipped;
	hp_rst_tree single, binarised;
} job;

static const char usage[] = "Usage: rst-convert [OPTION]... [FILE]...\n"
							"Write rhetorical structure trees in another notation.  FILEs are .rs3 or .rs4 or\n"
							"hold trees in RST-DT notation (.dis, .lisp) or, as hp-parse --brackets prints\n"
							"them, in brackets.  Without FILE, or when FILE is -, read standard input.\n"
							"\n";

#define INTO(field) OPTION_INTO(job, field)

static const option_row rows[] = {
	{'t', "to", "FORMAT", INTO(to), .words = hp_rst_notation_name,
     .help = "dis, lisp (the same notation), rs3, rs4, brackets,\n"
             "json, rels (a table of relations between EDUs) or\n"
             "edus (the texts alone); default: how the name of the\n"
             "output ends, else dis"},
	{'b', "binary", NULL, INTO(binary), .help = "make the trees binary"},
	{0, "join", "RELATION", INTO(join),
     .help = "make of trees side by side the nuclei of one tree; they\n"
             "are RELATION to it"},
	{0, "keep", "FILE", INTO(keep), .named = true,
     .help = "keep what FILE's trees of the same documents say: nodes\n"
             "that they have get their children and relations"},
	{'s', "sentences", NULL, INTO(sentences),
     .help = "where the ends of a document's sentences are not known,\n"
             "guess them by punctuation"},
	{'e', "edus", "EDUS", INTO(edus), .named = true, .help = "the EDUs' texts for a FILE in brackets, one a line"},
	{'d', "directory", "DIR", INTO(folder), .named = true, .help = "write a file a document into folder DIR"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{'k', "keep-going", NULL, INTO(keep_going), .help = "leave out documents with errors; exit 1 at the end"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

static const option_pair pairs[] = {{"output", "directory", false, "only one of --output and --directory can be given"},
                                    {0}};

static hp_rst_notation notation(const job *j)
{
	return (hp_rst_notation)(j->to - 1);
}

/* The file of T in the folder, called as what stands behind the last slash of its name, and its rank where there are several
 * of that name: malloc'ed, or NULL. */
static char *path_of(job *j, const hp_rst_tree *t, hp_error *err)
{
	int known = hp_vocab_count(j->paths);
	const char *id = t->id, *slash = strrchr(id, '/'), *name = slash ? slash + 1 : id;
	char *path, rank[16] = "";

	if (*name == '\0' || *name == '.') {
		(void)hp_fail(err, "the name '%.40s' cannot be that of a file in %s", id, j->folder);
		return NULL;
	}
	if (t->nbest > 1)
		snprintf(rank, sizeof rank, ".%d", t->nbest);
	if (asprintf(&path, "%s/%s%s.%s", j->folder, name, rank, hp_rst_notation_name[notation(j)]) < 0) {
		(void)hp_fail_memory(err);
		return NULL;
	}
	if (hp_vocab_add(j->paths, path, strlen(path)) < known) {
		(void)hp_fail(err, "a second document '%.40s', whose file in %s would be the same", id, j->folder);
		free(path);
		return NULL;
	}
	for (int i = 0; i < j->files; i++) {
		if (strcmp(j->file[i], "-") != 0 && hp_file_same(j->file[i], path)) {
			(void)hp_fail(err, "its file, %s, is one that is read", path);
			free(path);
			return NULL;
		}
	}
	return path;
}

static int write_file(job *j, const hp_rst_tree *t, hp_error *err)
{
	char *path = path_of(j, t, err);
	hp_file *file = NULL;
	int status;

	if (!path)
		return HP_FAIL;
	status = hp_file_begin(path, &file, err);
	if (status == 0)
		status = hp_rst_write(notation(j), t, 0, hp_file_stream(file), err);
	if (status == 0)
		status = hp_file_commit(file, err);
	else
		hp_file_abort(file);
	free(path);
	return status;
}

/* ---- what the target cannot hold ---- */

typedef struct losses {
	int edges, signals, trees, edus, sentences, paragraphs;
} losses;

static void add_loss(char **text, int count, const char *what)
{
	char *before = *text;

	if (count > 0 &&
	    asprintf(text, "%s%s%d %s%s", before ? before : "", before ? ", " : "", count, what, hp_plural(count)) < 0)
		*text = NULL;
	if (*text != before)
		free(before);
}

static void tell_losses(const losses *l, const hp_rst_tree *t, const char *name)
{
	char *text = NULL;

	add_loss(&text, l->edges, "secondary edge");
	add_loss(&text, l->signals, "signal");
	add_loss(&text, l->trees, "smaller tree");
	add_loss(&text, l->edus, "EDU");
	add_loss(&text, l->sentences, "sentence end");
	add_loss(&text, l->paragraphs, "paragraph end");
	if (text)
		cli_error("%s: '%s': left out: %s", name, t->id, text);
	free(text);
}

/* A forest's trees, joined or but the largest one. */
static int make_single(job *j, const hp_rst_tree *from, losses *l, hp_error *err)
{
	int root = hp_rst_largest(from);

	if (j->join) {
		if (hp_rst_join(from, j->join, &j->single, err) != 0)
			return HP_FAIL;
		j->single.extras = from->extras;
		return 0;
	}
	if (hp_rst_subtree(from, root, from->id, &j->single, err) != 0)
		return HP_FAIL;
	j->single.document = from->document;
	for (int i = 0; i < from->nodes; i += from->node[i].size)
		l->trees += i != root;
	l->edus = from->edus - j->single.edus;
	return 0;
}

/* Makes *T what is to be written. */
static int prepare(job *j, hp_rst_tree **t, losses *l, hp_error *err)
{
	hp_rst_tree *from = *t;
	hp_rst_place place = hp_rst_notation_place(notation(j));

	*l = (losses){.edges = from->secedges, .signals = from->signals};
	if (place.extras)
		l->edges -= from->extras.edges, l->signals -= from->extras.signals;
	if (!place.sentences)
		l->sentences = from->sents;
	for (int e = 0; e < from->edus && !place.paragraphs; e++)
		l->paragraphs += from->edu[e].paragraph;
	if ((j->join || !place.forest) && from->node[0].size < from->nodes) {
		if (make_single(j, from, l, err) != 0)
			return HP_FAIL;
		*t = &j->single;
	}
	if (j->sentences && (*t)->document && (*t)->sents == 0 && hp_align_set_ends(*t, err) != 0)
		return HP_FAIL;
	if (j->binary) {
		if (hp_rst_binarize(*t, &j->binarised, err) != 0)
			return HP_FAIL;
		j->binarised.extras = from->extras;
		*t = &j->binarised;
	}
	(*t)->nbest = from->nbest;
	(*t)->score = from->score;
	return 0;
}

static int convert(job *j, hp_rst_tree *t, const char *name, hp_error *err)
{
	hp_rst_tree *out = t;
	hp_error why = {""};
	losses l;

	/* Texts of EDUs have no end of a document: what follows one is one. */
	t->document |= j->open && notation(j) == HP_RST_EDUS;
	j->open |= t->document;
	if ((j->kept && hp_rst_keep_apply(j->kept, t, &why) != 0) || prepare(j, &out, &l, &why) != 0 ||
	    (j->folder ? write_file(j, out, &why) : hp_rst_write(notation(j), out, j->written, stdout, &why)) != 0)
		return hp_fail_at(err, name, t->line, "%s", why.text);
	j->written++;
	tell_losses(&l, t, name);
	return 0;
}

/* ---- files ---- */

/* All trees of a file.  False if nothing more is to be done. */
static bool convert_file(job *j, const char *path)
{
	hp_rst_documents *docs = NULL;
	hp_input *in = NULL, *edus = NULL;
	hp_rst_tree t;
	hp_error err;
	int status = HP_FAIL;
	long unparsed = 0;
	bool go_on = true;

	hp_rst_tree_init(&t);
	if (hp_input_open(path, &in, &err) == 0 && (!j->edus || hp_input_open(j->edus, &edus, &err) == 0))
		status = hp_rst_documents_new(in, edus, &docs, &err);
	if (status == 0)
		hp_rst_documents_on_warning(docs, cli_warn, NULL);
	while (go_on) {
		if (docs)
			status = hp_rst_documents_next(docs, &t, &err);
		if (docs && status == 0)
			break;
		unparsed += status == 1 && t.unparsed;
		if (status == 1)
			status = convert(j, &t, hp_input_name(in), &err);
		if (status != 0) {
			cli_fail(&err);
			j->skipped++;
			go_on = j->keep_going && !ferror(stdout);
		}
		if (!docs || hp_rst_documents_broken(docs))
			break;
	}
	if (unparsed > 0)
		cli_error("%s: %ld tree%s not parsed (\"# unparsed =\"), which the output does not tell", hp_input_name(in),
		          unparsed, unparsed == 1 ? " was" : "s were");
	hp_rst_documents_destroy(docs);
	hp_input_close(edus);
	hp_input_close(in);
	hp_rst_tree_free(&t);
	return go_on;
}

/* --keep */
static int read_kept(job *j)
{
	hp_input *in = NULL;
	hp_error err;
	int status = hp_input_open(j->keep, &in, &err);

	if (status == 0)
		status = hp_rst_keep_read(in, cli_warn, NULL, &j->kept, &err);
	hp_input_close(in);
	return status == 0 ? CLI_OK : cli_fail(&err);
}

static int check_usage(const options *o, job *j)
{
	if (options_check(o, pairs) != CLI_GO_ON)
		return CLI_USAGE;
	if (j->join && (!hp_rst_is_name(j->join, strlen(j->join)) || strcmp(j->join, "span") == 0))
		return cli_usage("--join=%s, expected a relation of nuclei: not span, no blanks, brackets or \"_!\"", j->join);
	if (j->edus && j->files > 1)
		return cli_usage("--edus goes with one FILE");
	if (j->edus && strcmp(j->edus, "-") == 0 && strcmp(j->file[0], "-") == 0)
		return cli_usage("trees and EDUs cannot both come from standard input");
	for (int i = 0; i < j->files && j->keep && strcmp(j->keep, "-") == 0; i++) {
		if (strcmp(j->file[i], "-") == 0)
			return cli_usage("trees and what is kept cannot both come from standard input");
	}
	for (int i = 0; !j->to && j->output && i < HP_RST_NOTATIONS; i++) {
		if (cli_ends_in(j->output, hp_rst_notation_name[i]))
			j->to = i + 1;
	}
	if (!j->to)
		j->to = HP_RST_DIS + 1;
	if (j->sentences && !hp_rst_notation_place(notation(j)).sentences)
		return cli_usage("--sentences with --to=%s, which has no place for them", hp_rst_notation_name[notation(j)]);
	if (j->folder && mkdir(j->folder, 0777) != 0 && errno != EEXIST)
		return cli_error("%s: %s", j->folder, strerror(errno));
	if ((j->edus && cli_check_output(j->output, 1, (char *const *)&j->edus) != CLI_OK) ||
	    (j->keep && cli_check_output(j->output, 1, (char *const *)&j->keep) != CLI_OK))
		return CLI_FAILED;
	return cli_begin_output(j->output, j->files, j->file);
}

int main(int argc, char **argv)
{
	job j = {0};
	options o = {.usage = usage, .column = 25, .table = {{.row = rows, .into = &j}}};
	char dash[] = "-", *standard[] = {dash, NULL};
	int status;

	cli_start("rst-convert");
	status = options_parse(&o, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	j.files = optind < argc ? argc - optind : 1;
	j.file = optind < argc ? argv + optind : standard;
	status = check_usage(&o, &j);
	if (status != CLI_OK)
		return status;
	hp_rst_tree_init(&j.single);
	hp_rst_tree_init(&j.binarised);
	if (j.keep && read_kept(&j) != CLI_OK)
		return CLI_FAILED;
	j.paths = hp_vocab_new();
	for (int i = 0; i < j.files && (j.paths || cli_error("out of memory") == CLI_OK); i++) {
		if (!convert_file(&j, j.file[i]))
			break;
	}
	if (j.written == 0 && j.skipped == 0 && !j.folder && hp_rst_notation_place(notation(&j)).single)
		j.skipped +=
			cli_error("no tree to write: expected one, as a .%s file holds", hp_rst_notation_name[notation(&j)]);
	if (j.keep_going)
		cli_output_complete();
	hp_vocab_destroy(j.paths);
	hp_rst_keep_destroy(j.kept);
	hp_rst_tree_free(&j.single);
	hp_rst_tree_free(&j.binarised);
	return cli_finish(j.skipped > 0 || !j.paths ? CLI_FAILED : CLI_OK);
}
