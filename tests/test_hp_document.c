/* test_hp_document.c: the rhetorical tree of a raw text by the library: it is that of the programs, and that of its EDUs when they
 * are given; where EDUs stand, what is refused. */
#include "hp.h"
#include "unit.h"

/* `en` reads tags, `tree` tags and places in dependency trees. */
static char folder[] = "/tmp/hp-test-XXXXXX", language[64], places[64], file[64];
static hp_error err;

/* The segmenter of the tests knows some of it. */
static const char text[] =
	"  If you cannot wait you should book an earlier flight. I have nothing but fantastic things to say (caf\xc3\xa9).\n\n"
	"When it rained, we weren't married.  This is one of my favorite places to eat for lunch.\n\n The book is\xc2\xa0new.\n";

static void write_file(const char *path, const char *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

HOOK(begin)
{
	assert_non_null(mkdtemp(folder));
	snprintf(language, sizeof language, "%s/en", folder);
	snprintf(places, sizeof places, "%s/tree", folder);
	snprintf(file, sizeof file, "%s/text", folder);
	for (int i = 0; i < 2; i++) {
		const char *name = i ? places : language;
		shell("for k in tok tag edu; do cp \"${builddir:-.}\"/tests/models/en-$k.safetensors %s-$k.safetensors; done",
		      name);
		shell("\"${builddir:-.}/tests/make-model\" %s-dep.safetensors", name);
	}
	shell("\"${builddir:-.}/tests/make-model\" -D %s-rst.safetensors", language);
	shell("\"${builddir:-.}/tests/make-model\" -D -m pos=tree %s-rst.safetensors", places);
	write_file(file, text, strlen(text));
}

HOOK(end)
{
	shell("rm -r %s", folder);
}

static hp_parser *open_document(const char *name)
{
	hp_parser *p;

	if (hp_open_document(name, &p, &err) != 0)
		fail_msg("%s", err.text);
	return p;
}

static const hp_document *parse(hp_parser *p, const char *bytes)
{
	const hp_document *d;

	if (hp_parse_document(p, bytes, strlen(bytes), &d, &err) != 0)
		fail_msg("%s", err.text);
	return d;
}

/* A tree as --brackets has it: "(1:Nucleus=span:1,2:Satellite=Elaboration:2)". */
static void bracket(FILE *out, const hp_edu_tree *t)
{
	for (int i = 0; i < t->edus - 1; i++) {
		const hp_edu_split *s = &t->split[i];
		const char *role[2], *relation[2];

		for (int k = 0; k < 2; k++) {
			role[k] = s->nuclearity[k] == 'N' ? "Nucleus" : "Satellite";
			relation[k] = s->nuclearity[k] == 'N' && s->nuclearity[1 - k] == 'S' ? "span" : s->relation;
		}
		fprintf(out, "%s(%d:%s=%s:%d,%d:%s=%s:%d)", i ? " " : "", s->first + 1, role[0], relation[0], s->mid + 1,
		        s->mid + 2, role[1], relation[1], s->last + 1);
	}
}

/* What hp-parse writes of the file by the model LANGUAGE-rst with FLAGS, its last line. */
static void programs(const char *name, const char *flags, char *line, size_t size)
{
	char command[512], *got = NULL;

	snprintf(command, sizeof command,
	         "PATH=\"${builddir:-.}/bin:$PATH\" hp-parse -q -m %s-rst.safetensors -i text --brackets %s %s", name,
	         flags, file);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, (int)size, f))
		got = line;
	assert_int_equal(pclose(f), 0);
	assert_non_null(got);
	line[strcspn(line, "\n")] = '\0';
}

/* Words follow each other; an EDU has the bytes of its tokens. */
static void check_places(const hp_document *d)
{
	int edu = 0;

	for (int s = 0; s < d->sentences; s++) {
		const hp_text_sentence *in = &d->sentence[s];
		int next = 1;

		for (; edu < d->edus && d->edu[edu].sentence == s; edu++) {
			const hp_text_edu *e = &d->edu[edu];

			assert_int_equal(e->first, next);
			assert_true(e->words > 0);
			next += e->words;
			assert_int_equal(e->from, in->token[in->word[e->first].token].from);
			assert_int_equal(e->to, in->token[in->word[next - 1].token].to);
		}
		assert_int_equal(next, in->words + 1);
		assert_non_null(in->tree);
	}
	assert_int_equal(edu, d->edus);
	assert_int_equal(d->tree->edus, d->edus);
}

TEST(as_the_programs)
{
	static const struct {
		const char *language, *flags;
		int threads;
		bool int8;
		int beam;
	} cases[] = {{language, "", 1, false, 0},
	             {language, "-j2 --beam=4", 2, false, 4},
	             {language, "--int8", 1, true, 0},
	             {places, "", 1, false, 0}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hp_parser *p = open_document(cases[i].language);
		char line[8192], *tree = NULL;
		size_t size;

		assert_int_equal(hp_set_threads(p, cases[i].threads, &err), 0);
		assert_int_equal(cases[i].int8 ? hp_set_int8(p, &err) : 0, 0);
		assert_int_equal(cases[i].beam ? hp_set_beam(p, cases[i].beam, &err) : 0, 0);
		const hp_document *d = parse(p, text);
		assert_true(d->sentences >= 5 && d->edus > d->sentences);
		check_places(d);
		FILE *f = open_memstream(&tree, &size);
		bracket(f, d->tree);
		assert_int_equal(fclose(f), 0);
		programs(cases[i].language, cases[i].flags, line, sizeof line);
		assert_string_equal(tree, line);
		free(tree);
		hp_close(p);
	}
}

enum { MOST = 64 };

/* The document's EDUs as a caller has them who found them himself. */
static hp_batch_edus as_edus(const hp_document *d, char form[MOST][256], char tag[MOST][256])
{
	static const char *texts[MOST], *tags[MOST];
	static int32_t sent_end[MOST], paragraph[MOST];

	assert_true(d->edus <= MOST);
	for (int e = 0; e < d->edus; e++) {
		const hp_text_edu *edu = &d->edu[e];

		form[e][0] = tag[e][0] = '\0';
		for (int w = edu->first; w < edu->first + edu->words; w++) {
			const hp_text_word *word = &d->sentence[edu->sentence].word[w];

			sprintf(form[e] + strlen(form[e]), "%s ", word->form);
			sprintf(tag[e] + strlen(tag[e]), "%s ", word->upos);
		}
		texts[e] = form[e];
		tags[e] = tag[e];
		sent_end[edu->sentence] = e;
		paragraph[e] =
			e + 1 < d->edus && d->edu[e + 1].sentence > edu->sentence && d->sentence[d->edu[e + 1].sentence].paragraph;
	}
	return (hp_batch_edus){d->edus, texts, tags, NULL, d->sentences, sent_end, paragraph};
}

TEST(as_its_edus)
{
	static char form[MOST][256], tag[MOST][256];
	hp_parser *p = open_document(language), *q = open_document(language);
	const hp_document *d = parse(p, text);
	hp_batch_edus in[3] = {as_edus(d, form, tag)};
	const hp_edu_tree *tree[3];

	in[2] = in[1] = in[0];
	in[1].paragraph = NULL;
	in[2].sents = 0;
	assert_int_equal(hp_parse_edus_batch(q, 3, in, tree, &err), 0);
	assert_memory_equal(&tree[0]->score, &d->tree->score, sizeof(float));
	for (int i = 0; i < d->edus - 1; i++) {
		assert_int_equal(tree[0]->split[i].mid, d->tree->split[i].mid);
		assert_string_equal(tree[0]->split[i].relation, d->tree->split[i].relation);
	}
	/* Paragraphs and sentences count. */
	assert_true(tree[1]->score != tree[0]->score);
	assert_true(tree[2]->score != tree[0]->score && tree[2]->score != tree[1]->score);
	hp_close(p);
	hp_close(q);
}

static void refused(int status, const char *why)
{
	assert_int_equal(status, HP_FAIL);
	if (!strstr(err.text, why))
		fail_msg("%s, expected %s", err.text, why);
}

TEST(edus_of_a_document_that_are_wrong)
{
	static const char *const texts[] = {"a", "b", "c"};
	static const struct {
		int sents;
		int32_t end[3], paragraph[3];
		const char *why;
	} cases[] = {{-1, {0}, {0}, "a document of -1 sentences, expected 0 or more"},
	             {2, {1, 1}, {0}, "sentence:2: ends with EDU 1, from 0, expected one from 2 to 2"},
	             {2, {0, 3}, {0}, "sentence:2: ends with EDU 3, from 0, expected one from 1 to 2"},
	             {2, {-1, 2}, {0}, "sentence:1: ends with EDU -1, from 0, expected one from 0 to 2"},
	             {2, {0, 1}, {0}, "the last sentence ends with EDU 1, from 0, expected 2"},
	             {2, {0, 2}, {0, 2, 0}, "EDU:2: paragraph is 2, expected 0 or 1"}};
	hp_parser *p = open_document(language);
	const hp_edu_tree *tree;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const hp_batch_edus in = {3, texts, NULL, NULL, cases[i].sents, cases[i].end, cases[i].paragraph};
		refused(hp_parse_edus_batch(p, 1, &in, &tree, &err), cases[i].why);
		assert_null(tree);
	}
	const hp_batch_edus none = {.edus = 3, .texts = texts, .sents = 1};
	refused(hp_parse_edus_batch(p, 1, &none, &tree, &err), "sent_end is NULL");
	hp_close(p);
}

TEST(arguments)
{
	hp_parser *p = open_document(language), *none = NULL;
	const hp_document *d;
	const hp_text_sentence *s;
	const hp_edu_tree *tree;
	const char *edus[] = {"She reads", "a book ."};
	char path[128];
	int count;

	refused(hp_open_document(language, NULL, &err), "hp_open_document: out is NULL");
	refused(hp_open_document("", &none, &err), "hp_open_document: the name of the language is empty");
	refused(hp_open_document("none", &none, &err), "no model 'none'");
	assert_null(none);
	refused(hp_parse_document(NULL, "a", 1, &d, &err), "hp_parse_document: parser is NULL");
	refused(hp_parse_document(p, NULL, 1, &d, &err), "hp_parse_document: text is NULL");
	refused(hp_parse_document(p, "a", 1, NULL, &err), "hp_parse_document: out is NULL");
	refused(hp_parse_document(p, "The\ndog \xff", 9, &d, &err), "text:2: invalid UTF-8");
	assert_null(d);
	/* Nothing, a single EDU, and what went before. */
	assert_null(parse(p, " \n\n "));
	assert_null(parse(p, ""));
	d = parse(p, "She");
	assert_int_equal(d->edus, 1);
	assert_int_equal(d->tree->edus, 1);
	check_places(parse(p, text));
	assert_int_equal(hp_parse_edus(p, 2, edus, &tree, &err), 0);
	assert_int_equal(tree->edus, 2);
	refused(hp_parse_text(p, "a", 1, &count, &s, &err), "opened by hp_open_document, expected hp_open_text");
	hp_close(p);

	assert_int_equal(hp_open_text(language, &p, &err), 0);
	refused(hp_parse_document(p, "a", 1, &d, &err), "opened by hp_open_text, expected hp_open_document");
	hp_close(p);
	snprintf(path, sizeof path, "%s-rst.safetensors", language);
	assert_int_equal(hp_open(path, &p, &err), 0);
	refused(hp_parse_document(p, "a", 1, &d, &err), "opened by hp_open, expected hp_open_document");
	hp_close(p);
	/* A language without discourse models, and a parser of another kind. */
	snprintf(path, sizeof path, "%s-dep.safetensors", language);
	refused(hp_open_document(path, &none, &err), "expected a discourse model");
	shell("rm %s-edu.safetensors", places);
	refused(hp_open_document(places, &none, &err), "raw text needs a segmenter");
	assert_null(none);
}
