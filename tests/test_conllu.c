/* test_conllu.c: what CoNLL-U readers trip over is accepted and kept, or refused with file and line. */
#include <math.h>
#include <unistd.h>

#include "text/conllu.h"
#include "unit.h"

#define REST "\t_\t_\t_\t_\t0\troot\t_\t_\n"
#define ROW(id, form) id "\t" form REST
#define EMPTY(id) id "\t_\t_\t_\t_\t_\t_\t_\t0:root\t_\n"
#define RANGE(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"
#define BOM "\xEF\xBB\xBF"

typedef struct result {
	char *text; /* all blocks, written as they were read */
	char errors[512]; /* messages, a line each */
	int blocks, words; /* good ones */
	long last_line; /* line of the last good block's first line */
} result;

/* Reads to the end as --keep-going does. */
static result read_text(const char *text, size_t size, hp_text_kind kind, int max_words)
{
	result r = {0};
	hp_input *in;
	hp_conllu_reader *reader;
	hp_sentence s;
	hp_error err;
	size_t length;
	FILE *out = open_memstream(&r.text, &length);
	int status;

	hp_sentence_init(&s);
	assert_int_equal(hp_input_from_memory(text, size, "f", &in, NULL), 0);
	assert_int_equal(hp_conllu_reader_new(in, kind, max_words, &reader, NULL), 0);
	while ((status = hp_conllu_read(reader, &s, &err)) != 0) {
		if (status == 1) {
			r.blocks++;
			r.words += s.words;
			r.last_line = s.line;
		} else {
			strncat(r.errors, err.text, sizeof(r.errors) - strlen(r.errors) - 2);
			strcat(r.errors, "\n");
			if (hp_conllu_broken(reader))
				break;
		}
		assert_int_equal(hp_sentence_write(&s, NULL, out, NULL), 0);
	}
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	hp_sentence_free(&s);
	fclose(out);
	return r;
}

static void gives(const char *text, size_t size, hp_text_kind kind, const char *expected, int blocks, int words)
{
	result r = read_text(text, size, kind, 0);

	assert_string_equal(r.errors, "");
	assert_string_equal(r.text, expected);
	assert_int_equal(r.blocks, blocks);
	assert_int_equal(r.words, words);
	free(r.text);
}

/* One message; the text still passes, as it was. */
static void refuses_within(const char *text, int max_words, const char *message)
{
	result r = read_text(text, strlen(text), HP_TEXT_CONLLU, max_words);
	char expected[600];

	snprintf(expected, sizeof(expected), "%s\n", message);
	assert_string_equal(r.errors, expected);
	assert_string_equal(r.text, text);
	free(r.text);
}

/* In comments, rows and tokens; at the beginning, or after good lines. */
static const struct nul {
	const char *message, *text;
	size_t size;
	hp_text_kind kind;
} nul[] = {
	{"f:1: a NUL byte, expected text", ROW("1", "a\0b") "\n", sizeof(ROW("1", "a\0b")), HP_TEXT_CONLLU},
	{"f:1: a NUL byte, expected text", "# \0\n" ROW("1", "b") "\n", 4 + sizeof(ROW("1", "b")), HP_TEXT_CONLLU},
	{"f:2: a NUL byte, expected text", "one\ntwo \0\n", 10, HP_TEXT_TOKENS},
	{"f: UTF-16 without its mark, expected a sentence a line: iconv -f UTF-16LE -t UTF-8 converts it", "o\0n\0e\0\n\0",
     8, HP_TEXT_TOKENS},
	{"f: UTF-16 without its mark, expected CoNLL-U: iconv -f UTF-16BE -t UTF-8 converts it",
     "\0"
     "1\0\t\0a\0\t",
     8, HP_TEXT_CONLLU},
};

static void check_nul(const struct nul *c)
{
	result r = read_text(c->text, c->size, c->kind, 0);
	char expected[200];

	snprintf(expected, sizeof(expected), "%s\n", c->message);
	assert_string_equal(r.errors, expected);
	free(r.text);
}

CASES(nul, check_nul)

/* Other kinds of files: nothing of them passes. */
static const struct other_files {
	const char *message, *text;
} other_files[] = {
	{"UTF-16, expected CoNLL-U: iconv -f UTF-16 -t UTF-8 converts it", "\xFF\xFE"
                                                                       "1\n\n"},
	{"UTF-16, expected CoNLL-U: iconv -f UTF-16 -t UTF-8 converts it", "\xFE\xFF"
                                                                       "1\n\n"},
	{"a zip archive, expected CoNLL-U: unpack it first (unzip)", "\n \nPK\3\4x\n"},
	{"a Git LFS pointer, not the file itself, expected CoNLL-U: git lfs pull fetches it",
     "version https://git-lfs.github.com/spec/v1\noid x\n"},
	{"an HTML page, expected CoNLL-U: is it an error message of a download?", BOM "\n <!DOCTYPE html>\n"},
	{"a PDF file, expected CoNLL-U: extract its text (pdftotext)", "%PDF-1.5\n"},
	{"bzip2 data, expected CoNLL-U: unpack it first (bunzip2)", "BZh91AY&SYxyz"},
};

static void check_other_file(const struct other_files *c)
{
	result r = read_text(c->text, strlen(c->text), HP_TEXT_CONLLU, 0);
	char expected[200];

	snprintf(expected, sizeof(expected), "f: %s\n", c->message);
	assert_string_equal(r.errors, expected);
	assert_string_equal(r.text, "");
	free(r.text);
}

CASES(other_files, check_other_file)

#define FORMATS \
	"ten separated by tabs (CoNLL-U), 8 (CoNLL-X), 13 and more (CoNLL-2009), or a line " \
	"\"# global.columns = ID FORM ...\" before them (CoNLL-U Plus)"

/* One sentence with these rows: column WHAT of its words, put together. */
static void finds(const char *text, int what, const char *expected)
{
	char all[200] = "";
	hp_sentence s;
	hp_error err;

	hp_sentence_init(&s);
	if (hp_sentence_parse(&s, NULL, text, strlen(text), "f", 1, 0, &err) != 0)
		fail_msg("%s", err.text);
	for (int i = 0; i < s.words; i++)
		sprintf(all + strlen(all), "%.*s ", (int)s.word[i].len[what], s.word[i].col[what]);
	assert_string_equal(all, expected);
	hp_sentence_free(&s);
}

#define EIGHT "1\tThe\tthe\tD\tDT\tF=f\t2\tdet\n2\tdog\t_\tN\tNN\t_\t0\troot\n"
/* The tag by hand where the tagger's is missing. */
#define OF_2009 \
	"1\tThe\tthe\tThe\tD\tP\tf\tg\t2\t9\tdet\tx\t_\t_\n2\tdog\tdog\t_\tN\t_\t_\t_\t0\t8\troot\ty\tY\tdog.1\n"
#define NAMES "# global.columns = FORM UPOS ID MISC DEPREL HEAD OWN:X\n"
#define PLUS NAMES "#\tD\t1\tM=m\tdet\t2\to\ndog\tN\t2\t_\troot\t0\tp\n"

/* What is accepted, and written as it was read unless another text is expected. */
static const struct accepted {
	const char *what, *text, *expected;
	int blocks, words;
} accepted[] = {
	{"nothing", "", NULL, 0, 0},
	{"a word", ROW("1", "Hi") "\n", NULL, 1, 1},
	{"two sentences", "# sent_id = 1\n# text = Go on\n" ROW("1", "Go") ROW("2", "on") "\n" ROW("1", "Hi") "\n", NULL, 2,
     3},
	{"a block of comments", "# newdoc\n\n", NULL, 1, 0},
	{"comments that are bare, and after words", "#\n" ROW("1", "x") "#\n# end\n\n", NULL, 1, 1},
	{"words that are # and 1", ROW("1", "#") ROW("2", "1") "\n", NULL, 1, 2},
	{"multiword tokens",
     RANGE("1-2", "ab") ROW("1", "a") ROW("2", "b") RANGE("3-4", "cd") ROW("3", "c") ROW("4", "d") "\n", NULL, 1, 4},
	{"empty nodes", EMPTY("0.1") ROW("1", "a") EMPTY("1.1") EMPTY("1.2") ROW("2", "b") EMPTY("2.1") "\n", NULL, 1, 2},
	{"an empty node in a multiword token",
     EMPTY("0.1") RANGE("1-3", "abc") ROW("1", "a") EMPTY("1.1") ROW("2", "b") ROW("3", "c") "\n", NULL, 1, 3},
	{"a multiword token of one word", RANGE("1-1", "a") ROW("1", "a") "\n", NULL, 1, 1},
	{"an empty node between a multiword token and its words",
     ROW("1", "a") EMPTY("1.1") RANGE("2-3", "bc") EMPTY("1.2") ROW("2", "b") ROW("3", "c") "\n", NULL, 1, 3},
	{"spaces", "1\tNew York\tNew York\tPROPN\t_\t_\t0\troot\t_\tGloss=a b|-\n\n", NULL, 1, 1},
	{"_ for HEAD, - for MISC", "1\ta\t_\t_\t_\t_\t_\t_\t_\t-\n\n", NULL, 1, 1},
	{"only FORM must not be empty", "1\ta\t_\t_\t_\t_\t\t\t\t\n\n", NULL, 1, 1},
	{"U+2028 and U+0085 end no line",
     ROW("1", "a\xE2\x80\xA8"
              "b") ROW("2", "\xC2\x85") "\n",
     NULL, 1, 2},
	{"a carriage return in a comment", "# text = a\r1 b\n" ROW("1", "a") "\n", NULL, 1, 1},
	{"nor do other control characters", ROW("1", "a\rb\fc\vd") "\n", NULL, 1, 1},
	{"marks are not composed", ROW("1", "e\xCC\x81") ROW("2", "\xC3\xA9") "\n", NULL, 1, 2},
	{"blanks as words", ROW("1", "\xC2\xA0") ROW("2", " ") "\n", NULL, 1, 2},
	{"a byte-order mark inside a line is text", ROW("1", "a" BOM "b") "\n", NULL, 1, 1},
	{"CoNLL-X", EIGHT "\n" EIGHT "\n", NULL, 2, 4},
	{"CoNLL-2009",
     OF_2009 "\n"
             "1\ta\t_\t_\t_\t_\t_\t_\t0\t0\tr\tr\t_\t_\tA0\tA1\n\n",
     NULL, 2, 3},
	{"CoNLL-U Plus", "# c\n\n" PLUS "\n# c\nb\tB\t1\t_\t_\t_\t_\n\n", NULL, 3, 3},
	{"a second file behind the first, and the ten columns by name",
     ROW("1", "a") "\n" PLUS "\n# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n" ROW(
		 "1", "b") "\n" NAMES "\n"
                   "b\tB\t1\t_\t_\t_\t_\n\n",
     NULL, 5, 5},
	{"three words without a limit", ROW("1", "a") ROW("2", "b") ROW("3", "c") "\n", NULL, 1, 3},
	{"CRLF", "# c\r\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n", "# c\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", 1, 1},
	{"CR CR LF", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\r\n", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", 1, 1},
	{"a byte-order mark", BOM ROW("1", "a") "\n", ROW("1", "a") "\n", 1, 1},
	{"byte-order marks where files were joined", BOM "# c\n" ROW("1", "a") "\n" BOM "# c\n" ROW("1", "b"),
     "# c\n" ROW("1", "a") "\n# c\n" ROW("1", "b") "\n", 2, 2},
	{"byte-order marks and no text", BOM "\n" BOM, "", 0, 0},
	{"a byte-order mark in a blank line", ROW("1", "a") BOM "\n" ROW("1", "b"), ROW("1", "a") "\n" ROW("1", "b") "\n",
     2, 2},
	{"several blank lines", "\n\n" ROW("1", "a") "\n\n\n" ROW("1", "b") "\n\n", ROW("1", "a") "\n" ROW("1", "b") "\n",
     2, 2},
	{"no blank line at the end", ROW("1", "a"), ROW("1", "a") "\n", 1, 1},
	{"no newline at the end", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", 1, 1},
	{"a comment without a newline", "# c", "# c\n\n", 1, 0},
	{"blank lines only", "\n\n\r\n", "", 0, 0},
};

static void check_accepted(const struct accepted *c)
{
	gives(c->text, strlen(c->text), HP_TEXT_CONLLU, c->expected ? c->expected : c->text, c->blocks, c->words);
}

CASES(accepted, check_accepted)

#define PLAIN_TEXT "plain text, expected ten columns separated by tabs (CoNLL-U); hp-parse --input=text reads text"
#define OLD_ENDS "lines that end with a carriage return alone (old Macintosh), expected line feeds: tr '\\r' '\\n'"

/* What is refused with one message; the text still passes, as it was. */
static const struct refused {
	const char *message, *text;
} refused[] = {
	{"f:1: bad ID order: \"2\", expected word 1", ROW("2", "a") "\n"},
	{"f:2: bad ID order: \"3\", expected word 2", ROW("1", "a") ROW("3", "b") "\n"},
	{"f:3: bad ID order: \"2\", expected word 3", ROW("1", "a") ROW("2", "b") ROW("2", "b") "\n"},
	{"f:2: bad ID order: \"1\", expected word 2 (is the blank line before this sentence missing?)",
     ROW("1", "a") ROW("1", "b") "\n"},
	{"f:2: bad ID \"01\", expected a number such as 1, 1-2 or 0.1", "# c\n" ROW("01", "a") "\n"},
	{"f:1: bad ID \"0\", expected a number such as 1, 1-2 or 0.1", ROW("0", "a") "\n"},
	{"f:1: bad ID \"-1\", expected a number such as 1, 1-2 or 0.1", ROW("-1", "a") "\n"},
	{"f:1: bad ID \"\", expected a number such as 1, 1-2 or 0.1", ROW("", "a") "\n"},
	{"f:1: bad ID \"x\", expected a number such as 1, 1-2 or 0.1", ROW("x", "a") "\n"},
	{"f:1: bad ID \"1 \", expected a number such as 1, 1-2 or 0.1", ROW("1 ", "a") "\n"},
	{"f:1: bad ID \"4294967297\", expected a number such as 1, 1-2 or 0.1", ROW("4294967297", "a") "\n"},
	{"f:2: bad ID \"2-\"", ROW("1", "a") ROW("2-", "b") "\n"},
	{"f:2: bad ID \"1.0\"", ROW("1", "a") ROW("1.0", "b") "\n"},
	{"f:1: bad ID \"0-1\"", ROW("0-1", "a") "\n"},
	{"f:1: bad ID \"1-2-3\"", ROW("1-2-3", "a") "\n"},
	{"f:1: bad ID order: multiword token up to 3, but the last word is 2",
     RANGE("1-3", "abc") ROW("1", "a") ROW("2", "b") "\n"},
	{"f:2: bad ID order: multiword token up to 3, but the last word is 1", ROW("1", "a") RANGE("2-3", "bc") "\n"},
	{"f:2: bad ID order: \"1-2\", expected word 2", ROW("1", "a") RANGE("1-2", "ab") ROW("2", "b") "\n"},
	{"f:2: bad ID order: \"3-4\", expected word 2", ROW("1", "a") RANGE("3-4", "ab") "\n"},
	{"f:2: bad ID order: multiword token 2-1 ends before it begins", ROW("1", "a") RANGE("2-1", "ab") "\n"},
	{"f:3: bad ID order: multiword token 2-3 overlaps the one of line 1",
     RANGE("1-3", "x") ROW("1", "a") RANGE("2-3", "y") ROW("2", "b") ROW("3", "c") "\n"},
	{"f:1: bad ID order: \"1.1\", expected empty node 0.1 or word 1", EMPTY("1.1") ROW("1", "a") "\n"},
	{"f:3: bad ID order: \"1.1\", expected empty node 1.3 or word 2", ROW("1", "a") EMPTY("1.2") EMPTY("1.1") "\n"},
	{"f:2: bad ID order: \"0.1\", expected empty node 1.1 or word 2", ROW("1", "a") EMPTY("0.1") "\n"},
	{"f:1: 9 columns, expected " FORMATS, "1\ta\t_\t_\t_\t_\t0\troot\t_\n\n"},
	{"f:1: 11 columns, expected " FORMATS, "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\t_\n\n"},
	{"f:1: 4 columns, expected " FORMATS, "EU\tNNP\tB-NP\tB-ORG\n\n"},
	{"f:1: columns separated by blanks, or " PLAIN_TEXT, "EU NNP B-NP B-ORG\n\n"},
	{"f:1: columns separated by blanks, or " PLAIN_TEXT, "bc/x  0  1  In\n\n"},
	{"f:2: 8 columns, expected ten separated by tabs", ROW("1", "a") "2\tb\t_\t_\t_\t_\t1\tdep\n\n"},
	{"f:2: " PLAIN_TEXT, "# c\nword\n\n"},
	{"f:1: columns separated by blanks, or " PLAIN_TEXT, "1 a _ _ _ _ 0 root _ _\n2 b _ _ _ _ 1 dep _ _\n\n"},
	{"f:1: " OLD_ENDS, "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"},
	{"f:1: " OLD_ENDS, "# sent_id = 1\r# text = a\r1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"},
	{"f:1: " OLD_ENDS, "# c\r1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n\n"},
	{"f:1: " OLD_ENDS, "word\rword\n\n"},
	{"f:1: a tree in .dis notation, expected ten columns separated by tabs", "( Root (span 1 2)\n\n"},
	{"f:1: " PLAIN_TEXT, "She reads .\n\n"},
	{"f:2: " PLAIN_TEXT, "# c\nHello!\n\n"},
	{"f:1: columns separated by blanks, or " PLAIN_TEXT, "2 dogs bark.\n\n"},
	{"f:2: a line of blanks only, expected an empty line or ten columns", ROW("1", "a") "\t\n\n"},
	{"f:1: a line of blanks only, expected an empty line or ten columns", "\t\n\n"},
	{"f:1: a line of blanks only, expected an empty line or ten columns", " \n\n"},
	{"f:1: empty FORM", ROW("1", "") "\n"},
	{"f:1: empty FORM", RANGE("1-2", "") ROW("1", "a") ROW("2", "b") "\n"},
	{"f:2: 10 columns, expected 8 separated by tabs", "1\ta\t_\t_\t_\t_\t0\troot\n" ROW("2", "b") "\n"},
	{"f:3: 13 columns, expected 14 and more separated by tabs", OF_2009 "3\ta\t_\t_\t_\t_\t_\t_\t0\t0\tr\tr\t_\n\n"},
	{"f:4: 3 columns, expected the 7 of \"# global.columns\" in line 1, separated by tabs", PLUS "a\tN\t3\n\n"},
	{"f:1: no column FORM, expected \"# global.columns = ID FORM ...\"", "# global.columns = ID MISC\n\n"},
	{"f:2: no column ID, expected \"# global.columns = ID FORM ...\"", "# c\n# global.columns =\n\n"},
	{"f:1: a second column FEAT", "# global.columns = ID FORM FEATS FEAT\n\n"},
	{"f:2: invalid UTF-8: byte \\xFF at position 4 of the line", "# c\n" ROW("1", "a\xFF") "\n"},
	{"f:1: invalid UTF-8: byte \\xC3 at position 3 of the line", "# \xC3\n" ROW("1", "a") "\n"},
	{"f:1: invalid UTF-8: byte \\xED at position 3 of the line", ROW("1", "\xED\xA0\x80") "\n"},
};

static void check_refused(const struct refused *c)
{
	refuses_within(c->text, 0, c->message);
}

CASES(refused, check_refused)

TEST(formats)
{
	finds(EIGHT, HP_FORM, "The dog ");
	finds(EIGHT, HP_UPOS, "D N ");
	finds(EIGHT, HP_XPOS, "DT NN ");
	finds(EIGHT, HP_FEATS, "F=f _ ");
	finds(EIGHT, HP_HEAD, "2 0 ");
	finds(EIGHT, HP_DEPREL, "det root ");
	finds(EIGHT, HP_DEPS, "_ _ ");
	finds(EIGHT, HP_MISC, "_ _ ");
	finds(OF_2009, HP_LEMMA, "the dog ");
	finds(OF_2009, HP_UPOS, "P N ");
	finds(OF_2009, HP_XPOS, "P N ");
	finds(OF_2009, HP_FEATS, "f _ ");
	finds(OF_2009, HP_HEAD, "2 0 ");
	finds(OF_2009, HP_DEPREL, "det root ");
	finds(OF_2009, HP_MISC, "_ _ ");
	finds(PLUS, HP_ID, "1 2 ");
	finds(PLUS, HP_FORM, "# dog ");
	finds(PLUS, HP_LEMMA, "_ _ ");
	finds(PLUS, HP_UPOS, "D N ");
	finds(PLUS, HP_XPOS, "_ _ ");
	finds(PLUS, HP_HEAD, "2 0 ");
	finds(PLUS, HP_MISC, "M=m _ ");
	finds("#global.columns=ID\t FORM  POS HEAD DEPREL \n1\ta\tT\t0\troot\n", HP_UPOS, "T ");
}

TEST(formats_refused)
{
	result r;
	static const char mixed[] = "# global.columns = ID FORM MISC\nbad\n\n1\ta\t_\n\n" ROW("1", "b") "\n";

	/* What is named holds for what comes after a block that is refused; what is only seen there does not. */
	r = read_text(mixed, strlen(mixed), HP_TEXT_CONLLU, 0);
	assert_string_equal(r.errors,
	                    "f:2: 1 column, expected the 3 of \"# global.columns\" in line 1, separated by tabs\n"
	                    "f:6: 10 columns, expected the 3 of \"# global.columns\" in line 1, separated by tabs\n");
	assert_int_equal(r.blocks, 1);
	free(r.text);
	r = read_text(EIGHT "4\n\n" ROW("1", "b") "\n", strlen(EIGHT "4\n\n" ROW("1", "b") "\n"), HP_TEXT_CONLLU, 0);
	assert_string_equal(r.errors, "f:3: 1 column, expected 8 separated by tabs\n");
	assert_int_equal(r.blocks, 1);
	free(r.text);
}

/* 300 names are more than are kept. */
TEST(many_names)
{
	char text[2000] = "# global.columns = ID FORM";

	for (int i = 0; i < 298; i++)
		strcat(text, " X");
	strcat(text, "\n\n");
	refuses_within(text, 0, "f:1: more than 256 columns");
}

TEST(rows)
{
	static const char text[] = "# c\n" RANGE("1-2", "ab") ROW("1", "a") "# d\n" EMPTY("1.1") ROW("2", "b");
	static const char *const ids[] = {"1-2", "1", "1.1", "2"};
	static const long lines[] = {6, 7, 9, 10};
	hp_sentence s;
	hp_word row;
	int i = 0;

	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, text, strlen(text), "f", 5, 0, NULL), 0);
	for (hp_rows r = hp_sentence_rows(&s); hp_rows_next(&r, &row); i++) {
		assert_int_equal(row.len[HP_ID], strlen(ids[i]));
		assert_memory_equal(row.col[HP_ID], ids[i], row.len[HP_ID]);
		assert_int_equal(row.line, lines[i]);
	}
	assert_int_equal(i, 4);
	/* Before the columns are named a line with # is no row, whatever it looks like then. */
	static const char late[] = "#\t1\n# global.columns = FORM ID\n#\t1\n#\t2\n# x\n";
	assert_int_equal(hp_sentence_parse(&s, NULL, late, strlen(late), "f", 5, 0, NULL), 0);
	assert_int_equal(s.words, 2);
	i = 0;
	for (hp_rows r = hp_sentence_rows(&s); hp_rows_next(&r, &row); i++)
		assert_int_equal(row.line, 7 + i);
	assert_int_equal(i, 2);
	hp_sentence_free(&s);
}

TEST(no_tree_columns)
{
	static const char no_head[] = "# c\n# global.columns = ID FORM DEPREL\n1\ta\troot\n",
					  no_deprel[] = "# global.columns = ID FORM HEAD\n1\ta\t0\n";
	int32_t heads[2];
	hp_sentence s;
	hp_error err;

	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, no_head, strlen(no_head), "f", 1, 0, NULL), 0);
	assert_int_equal(hp_sentence_tree(&s, "f", heads, &err), HP_FAIL);
	assert_string_equal(err.text, "f:2: no column HEAD, expected HEAD and DEPREL");
	assert_int_equal(hp_sentence_parse(&s, NULL, no_deprel, strlen(no_deprel), "f", 1, 0, NULL), 0);
	assert_int_equal(hp_sentence_tree(&s, "f", heads, &err), HP_FAIL);
	assert_string_equal(err.text, "f:1: no column DEPREL, expected HEAD and DEPREL");
	assert_int_equal(hp_sentence_write(&s, &(hp_found_tree){.heads = heads}, stdout, &err), HP_FAIL);
	assert_string_equal(err.text, "text:1: no column DEPREL, expected HEAD and DEPREL");
	hp_sentence_free(&s);
}

/* The names go with a sentence that does not hold them. */
TEST(columns_text)
{
	static const char names[] = "PPOS ID CPOSTAG OWN FORM HEAD PHEAD DEPREL";
	char text[HP_COLUMNS_TEXT];
	hp_columns c;
	hp_sentence s;
	hp_error err;

	assert_int_equal(hp_columns_parse(names, strlen(names), "f", 0, &c, NULL), 0);
	hp_columns_text(&c, text);
	assert_string_equal(text, "PPOS ID UPOS _ FORM HEAD PHEAD DEPREL");
	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, &c, "1\ta\n", 4, "f", 3, 0, &err), HP_FAIL);
	assert_string_equal(err.text, "f:3: 2 columns, expected the 8 of \"# global.columns\", separated by tabs");
	hp_sentence_free(&s);
}

/* Reading goes on after a refused block, and lines are still counted. */
TEST(keep_going)
{
	static const char text[] =
		ROW("1", "a") "\n# c\n" ROW("1", "b") ROW("9", "c") "bad\n\n\n" ROW("1", "d") "\nbad\n\n";
	result r = read_text(text, strlen(text), HP_TEXT_CONLLU, 0);

	assert_string_equal(r.errors, "f:5: bad ID order: \"9\", expected word 2\n"
	                              "f:11: 1 column, expected ten separated by tabs\n");
	assert_string_equal(r.text,
	                    ROW("1", "a") "\n# c\n" ROW("1", "b") ROW("9", "c") "bad\n\n" ROW("1", "d") "\nbad\n\n");
	assert_int_equal(r.blocks, 2);
	assert_int_equal(r.last_line, 9);
	free(r.text);
}

TEST(max_words)
{
	refuses_within(ROW("1", "a") ROW("2", "b") ROW("3", "c") "\n", 2, "f:3: a sentence of more than 2 words");
}

/* One "sentence" of 80 MB comes to an end without being collected. */
TEST(giant)
{
	enum { MANY = 3000000, LINE = 40 };
	char *text = malloc((size_t)MANY * LINE), *p = text;
	result r;

	assert_non_null(text);
	for (int i = 1; i <= MANY; i++)
		p += sprintf(p, "%d\tw\t_\t_\t_\t_\t_\t_\t_\t_\n", i);
	r = read_text(text, (size_t)(p - text), HP_TEXT_CONLLU, 20000);
	assert_string_equal(r.errors, "f:20001: a sentence of more than 20000 words; its sentence has over 64 MiB, "
	                              "cannot go on after it\n");
	assert_string_equal(r.text, "");
	free(r.text);
	free(text);
}

TEST(long)
{
	enum { WORDS = 5000, CHARACTERS = 100000 };
	char *text = malloc(WORDS * 40 + CHARACTERS), *p = text;
	result r;

	assert_non_null(text);
	for (int i = 1; i <= WORDS; i++) {
		p += sprintf(p, "%d\t", i);
		memset(p, 'w', i == 2500 ? CHARACTERS : 1);
		p += i == 2500 ? CHARACTERS : 1;
		p += sprintf(p, "\t_\t_\t_\t_\t_\t_\t_\t_\n");
	}
	strcpy(p, "\n");
	r = read_text(text, (size_t)(p + 1 - text), HP_TEXT_CONLLU, WORDS);
	assert_string_equal(r.errors, "");
	assert_int_equal(r.words, WORDS);
	assert_string_equal(r.text, text);
	free(r.text);
	free(text);
}

TEST(tokens)
{
	static const char in[] = BOM "Hello  world\t!\r\n\n \t\n# x\nlast";
	result r;

#define T(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"
	gives(in, strlen(in), HP_TEXT_TOKENS,
	      "# text = Hello  world\t!\n" T("1", "Hello") T("2", "world")
	          T("3", "!") "\n"
	                      "# text = # x\n" T("1", "#") T("2", "x") "\n# text = last\n" T("1", "last") "\n",
	      3, 6);
	r = read_text("a b c\nd\n\xFF\ne", 11, HP_TEXT_TOKENS, 2);
	assert_string_equal(r.errors, "f:1: a sentence of more than 2 words\n"
	                              "f:3: invalid UTF-8: byte \\xFF at position 1 of the line\n");
	assert_int_equal(r.blocks, 2);
	assert_int_equal(r.last_line, 4);
	free(r.text);
	r = read_text("a 1\n" ROW("1", "a"), strlen("a 1\n" ROW("1", "a")), HP_TEXT_TOKENS, 20);
	assert_string_equal(r.errors, "f:2: a row of CoNLL-U, expected tokens separated by blanks\n");
	assert_int_equal(r.blocks, 1);
	free(r.text);
	r = read_text(EIGHT OF_2009 NAMES "a b\n", strlen(EIGHT OF_2009 NAMES "a b\n"), HP_TEXT_TOKENS, 20);
	assert_string_equal(r.errors, "f:1: a row of CoNLL-X, expected tokens separated by blanks\n"
	                              "f:2: a row of CoNLL-X, expected tokens separated by blanks\n"
	                              "f:3: a row of CoNLL-2009, expected tokens separated by blanks\n"
	                              "f:4: a row of CoNLL-2009, expected tokens separated by blanks\n"
	                              "f:5: a line of CoNLL-U Plus, expected tokens separated by blanks\n");
	assert_int_equal(r.blocks, 1);
	free(r.text);
	/* Ten columns of a table are tokens all the same. */
	static const char table[] = "a\tb\tc\td\te\tf\tg\th\ti\tj\n1\t2\t3\t4\t5\t6\tx\t8\t9\t10\n";
	r = read_text(table, strlen(table), HP_TEXT_TOKENS, 20);
	assert_string_equal(r.errors, "");
	assert_int_equal(r.blocks, 2);
	free(r.text);
#undef T
}

TEST(word)
{
	static const char text[] = "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\tA\tU\tX\tF=f\t2\tdet\t2:det\tM=m\n"
							   "1.1\tz\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbb\tB\tV\tY\t_\t0\troot\t_\t_\n";
	static const char *const first[] = {"1", "a", "A", "U", "X", "F=f", "2", "det", "2:det", "M=m"};
	hp_sentence s;

	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, text, strlen(text), "f", 10, 0, NULL), 0);
	assert_int_equal(s.words, 2);
	assert_int_equal(s.line, 10);
	for (int c = 0; c < HP_COLUMNS; c++) {
		assert_int_equal(s.word[0].len[c], strlen(first[c]));
		assert_memory_equal(s.word[0].col[c], first[c], s.word[0].len[c]);
	}
	assert_int_equal(s.word[0].line, 12);
	assert_int_equal(s.word[1].line, 14);
	hp_sentence_free(&s);
}

TEST(parse_block)
{
	static const char two[] = ROW("1", "a") "\n" ROW("1", "b");
	hp_sentence s;
	hp_error err;

	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, two, strlen(two), "f", 3, 0, &err), HP_FAIL);
	assert_string_equal(err.text, "f:5: a second sentence, expected one");
	assert_int_equal(s.words, 0);
	assert_int_equal(hp_sentence_parse(&s, NULL, "bad", 3, "f", 1, 0, &err), HP_FAIL);
	assert_string_equal(err.text, "f:1: " PLAIN_TEXT);
	assert_int_equal(s.size, 4);
	assert_memory_equal(s.text, "bad\n", 4);
	assert_int_equal(hp_sentence_parse(&s, NULL, ROW("1", "a") "\n\n", strlen(ROW("1", "a") "\n\n"), "f", 1, 0, &err),
	                 0);
	assert_int_equal(s.size, strlen(ROW("1", "a")));
	assert_int_equal(hp_sentence_parse(&s, NULL, "", 0, "f", 1, 0, &err), 0);
	assert_int_equal(s.words, 0);
	hp_sentence_free(&s);
}

/* ---- trees ---- */

static int tree_of(const char *const *heads, int words, int32_t *out, hp_error *err)
{
	char text[1024] = "# c\n", *p = text + 4;
	hp_sentence s;
	int status;

	for (int i = 0; i < words; i++)
		p += sprintf(p, "%d\tw\t_\t_\t_\t_\t%s\tx\t_\t_\n", i + 1, heads[i]);
	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, text, strlen(text), "f", 1, 0, NULL), 0);
	status = hp_sentence_tree(&s, "f", out, err);
	hp_sentence_free(&s);
	return status;
}

static const struct no_tree {
	const char *message, *heads[5];
} no_tree[] = {
	{"f:2: HEAD \"_\" of word 1, expected a number", {"_"}},
	{"f:2: HEAD \"\" of word 1, expected a number", {""}},
	{"f:3: HEAD \"-1\" of word 2, expected a number", {"0", "-1"}},
	{"f:3: HEAD \"1.1\" of word 2, expected a number", {"0", "1.1"}},
	{"f:3: HEAD \"1x\" of word 2, expected a number", {"0", "1x"}},
	{"f:3: HEAD 3 of word 2 is out of range, expected 0 to 2", {"0", "3"}},
	{"f:3: HEAD 18446744073709551617 of word 2 is out of range, expected 0 to 2", {"0", "18446744073709551617"}},
	{"f:4: several roots: words 1 and 3 have HEAD 0", {"0", "1", "0"}},
	{"f:2: no root: no word of this sentence has HEAD 0", {"2", "1"}},
	{"f:3: cycle: word 2 is its own head", {"0", "2"}},
	{"f:3: cycle: word 2 is above itself, by its head 3", {"0", "3", "4", "2"}},
	{"f:4: cycle: word 3 is above itself, by its head 4", {"2", "3", "4", "3", "0"}}, /* 1 and 2 hang on it */
};

static void check_no_tree(const struct no_tree *c)
{
	int words = 0;
	int32_t unused[6];
	hp_error err;

	while (words < 5 && c->heads[words])
		words++;
	assert_int_equal(tree_of(c->heads, words, unused, &err), HP_FAIL);
	assert_string_equal(err.text, c->message);
}

CASES(no_tree, check_no_tree)

TEST(tree)
{
	static const char *const given[] = {"3", "4", "0", "3", "2"}; /* not projective */
	int32_t heads[6] = {9, 9, 9, 9, 9, 9};
	static const int32_t expected[6] = {0, 3, 4, 0, 3, 2};

	assert_int_equal(tree_of(given, 5, heads, NULL), 0);
	assert_memory_equal(heads, expected, sizeof(expected));
}

TEST(tree_deprel)
{
	static const char text[] = "1\ta\t_\t_\t_\t_\t0\t\t_\t_\n";
	hp_sentence s;
	hp_error err;
	int32_t heads[2];

	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, text, strlen(text), "f", 7, 0, NULL), 0);
	assert_int_equal(hp_sentence_tree(&s, "f", heads, &err), HP_FAIL);
	assert_string_equal(err.text, "f:7: empty DEPREL");
	assert_int_equal(hp_sentence_parse(&s, NULL, "# c\n", 4, "f", 7, 0, NULL), 0);
	assert_int_equal(hp_sentence_tree(&s, "f", heads, &err), 0);
	hp_sentence_free(&s);
}

/* All 7^6 assignments of heads to 6 words: a tree, by a rule of its own, exactly when accepted. */
TEST(tree_all)
{
	for (int code = 0; code < 117649; code++) {
		char digits[6][2];
		const char *given[6];
		int heads[7] = {0}, roots = 0, reach = 0;
		int32_t out[7];

		for (int i = 0, rest = code; i < 6; i++, rest /= 7) {
			heads[i + 1] = rest % 7;
			roots += heads[i + 1] == 0;
			digits[i][0] = (char)('0' + rest % 7);
			digits[i][1] = '\0';
			given[i] = digits[i];
		}
		for (int i = 1; i <= 6; i++) {
			int w = i;

			for (int step = 0; step < 7 && w; step++)
				w = heads[w];
			reach += w == 0;
		}
		assert_int_equal(tree_of(given, 6, out, NULL) == 0, roots == 1 && reach == 6);
	}
}

/* ---- writing ---- */

static void writes(const char *text, const int32_t *heads, const char *const *labels, const float *arc,
                   const float *label, const char *expected)
{
	hp_sentence s;
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, text, strlen(text), "f", 1, 0, NULL), 0);
	const hp_found_tree tree = {heads, labels, arc, label, NULL, 0};
	assert_int_equal(hp_sentence_write(&s, heads ? &tree : NULL, out, NULL), 0);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
	hp_sentence_free(&s);
}

TEST(write_formats)
{
	static const int32_t heads[] = {0, 0, 1};
	static const char *const labels[] = {NULL, "root", "dep"};
	static const float prob[] = {1, 0.5f, 0.25f};

	writes("# c\n" EIGHT, heads, labels, NULL, NULL,
	       "# c\n1\tThe\tthe\tD\tDT\tF=f\t0\troot\n2\tdog\t_\tN\tNN\t_\t1\tdep\n\n");
	/* The parser's tree is this parser's. */
	writes(OF_2009, heads, labels, NULL, NULL,
	       "1\tThe\tthe\tThe\tD\tP\tf\tg\t0\t0\troot\troot\t_\t_\n"
	       "2\tdog\tdog\t_\tN\t_\t_\t_\t1\t1\tdep\tdep\tY\tdog.1\n\n");
	writes(PLUS "# end\n", heads, labels, prob, NULL,
	       NAMES "#\tD\t1\tM=m|ArcProb=0.5000\troot\t0\to\ndog\tN\t2\tArcProb=0.2500\tdep\t1\tp\n# end\n\n");
	writes(
		"# global.columns = ID FORM HEAD DEPREL DEPS X\n1-2\tab\t5\tc\td\te\n1\ta\t1\tx\t1:y\tz\n2\tb\t_\t_\t_\t_\n",
		heads, NULL, NULL, NULL,
		"# global.columns = ID FORM HEAD DEPREL DEPS X\n1-2\tab\t5\tc\td\te\n1\ta\t0\t_\t_\tz\n2\tb\t1\t_\t_\t_\n\n");
}

TEST(write)
{
	static const char text[] =
		"# c\n1-2\tdon't\t_\t_\t_\t_\t7\tr\t7:r\tSpaceAfter=No\n1\tdo\td o\tA\tB\tF\t_\t_\t_\t-\n"
		"1.1\te\te\t_\t_\t_\t_\t_\t1:x\tCopyOf=1\n2\tn't\t_\t_\t_\t_\t1\tx:y\t1:x|1.1:z\t\n# end\n";
	static const int32_t heads[] = {0, 2, 0};
	static const char *const labels[] = {NULL, "aux", "root"};

	writes(text, heads, labels, NULL, NULL,
	       "# c\n1-2\tdon't\t_\t_\t_\t_\t7\tr\t7:r\tSpaceAfter=No\n1\tdo\td o\tA\tB\tF\t2\taux\t_\t-\n"
	       "1.1\te\te\t_\t_\t_\t_\t_\t1:x\tCopyOf=1\n2\tn't\t_\t_\t_\t_\t0\troot\t_\t\n# end\n\n");
	writes(text, heads, NULL, NULL, NULL,
	       "# c\n1-2\tdon't\t_\t_\t_\t_\t7\tr\t7:r\tSpaceAfter=No\n1\tdo\td o\tA\tB\tF\t2\t_\t_\t-\n"
	       "1.1\te\te\t_\t_\t_\t_\t_\t1:x\tCopyOf=1\n2\tn't\t_\t_\t_\t_\t0\t_\t_\t\n# end\n\n");
	writes("# c\n", heads, NULL, NULL, NULL, "# c\n\n");
	writes("", heads, NULL, NULL, NULL, "");
}

TEST(write_conllx)
{
	static const int32_t heads[] = {0, 0};

	/* PHEAD and PDEPREL go as DEPS goes, a MISC stays. */
	writes("1\ta\t_\tN\tNN\t_\t0\tROOT\t0\tROOT\n", heads, NULL, NULL, NULL, "1\ta\t_\tN\tNN\t_\t0\t_\t_\t_\n\n");
	writes("1\ta\t_\tN\tNN\t_\t0\tROOT\t_\tROOT\n", heads, NULL, NULL, NULL, "1\ta\t_\tN\tNN\t_\t0\t_\t_\tROOT\n\n");
	writes("1\ta\t_\tN\tNN\t_\t0\tROOT\t0:root\t-\n", heads, NULL, NULL, NULL, "1\ta\t_\tN\tNN\t_\t0\t_\t_\t-\n\n");
	writes("1\ta\t_\tN\tNN\t_\t0\tROOT\t0\tA=b\n", heads, NULL, NULL, NULL, "1\ta\t_\tN\tNN\t_\t0\t_\t_\tA=b\n\n");
}

static void scores(const char *misc, float arc, float label, const char *expected)
{
	static const int32_t heads[] = {0, 0};
	const float arcs[] = {0, arc}, labels[] = {0, label};
	char text[256], line[256];

	snprintf(text, sizeof(text), "1\ta\t_\t_\t_\t_\t_\t_\t_\t%s\n", misc);
	snprintf(line, sizeof(line), "1\ta\t_\t_\t_\t_\t0\t_\t_\t%s\n\n", expected);
	writes(text, heads, NULL, arcs, labels, line);
}

TEST(write_scores)
{
	static const int32_t heads[] = {0, 0};
	static const float arcs[] = {0, 0.5f};

	scores("_", 0.98768f, 1.0f, "ArcProb=0.9877|LabelProb=1.0000");
	scores("", 0.5f, 0.25f, "ArcProb=0.5000|LabelProb=0.2500");
	scores("SpaceAfter=No", 0.0f, 0.00004f, "SpaceAfter=No|ArcProb=0.0000|LabelProb=0.0000");
	scores("A=1|ArcProb=0.1|B=2|LabelProb=x", 0.1f, 0.2f, "A=1|B=2|ArcProb=0.1000|LabelProb=0.2000");
	scores("ArcProb=0.1", 0.1f, 0.2f, "ArcProb=0.1000|LabelProb=0.2000");
	scores("ArcProbe=1|ArcProb", 0.1f, 0.2f, "ArcProbe=1|ArcProb|ArcProb=0.1000|LabelProb=0.2000");
	scores("-", 1.5f, NAN, "-|ArcProb=1.0000|LabelProb=0.0000");
	writes("1\ta\t_\t_\t_\t_\t_\t_\t_\tLabelProb=1\n", heads, NULL, arcs, NULL,
	       "1\ta\t_\t_\t_\t_\t0\t_\t_\tArcProb=0.5000\n\n");
	/* without scores: those of an earlier tree go, and nothing else does */
	writes("# a\n#score=-1\n# scores = 2\n1\ta\t_\t_\t_\t_\t_\t_\t_\tX=y|LabelProb=1|ArcProb=1\n# score = 3\n", heads,
	       NULL, NULL, NULL, "# a\n# scores = 2\n1\ta\t_\t_\t_\t_\t0\t_\t_\tX=y\n\n");
	writes("1\ta\t_\t_\t_\t_\t_\t_\t_\tArcProb=1\n", heads, NULL, NULL, NULL, "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n");
	writes("1\ta\t_\t_\t_\t_\t_\t_\t_\t\n", heads, NULL, NULL, NULL, "1\ta\t_\t_\t_\t_\t0\t_\t_\t\n\n");
	writes("# score = 1\n1\ta\t_\t_\t_\t_\t_\t_\t_\tArcProb=1\n", NULL, NULL, NULL, NULL,
	       "# score = 1\n1\ta\t_\t_\t_\t_\t_\t_\t_\tArcProb=1\n\n");
	writes("# unparsed = a\n# unparsed = b\n# c\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", heads, NULL, NULL, NULL,
	       "# c\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n");
}

/* What 32-bit floats are: -12.34565 is -12.345649719..., 2^-5 and 2^-6 lie on a half, 0.00005 is 0.0000499999...;
 * a zero has no sign. */
TEST(write_score)
{
	static const float score[] = {-12.34565f, 0.03125f, -0.015625f, -0.00005f, 1e9f, 0};
	static const char *const expected[] = {"-12.3456", "0.0312", "-0.0156", "0.0000", "1000000000.0000", "0.0000"};
	static const int32_t heads[] = {0, 0};

	for (size_t i = 0; i < sizeof(score) / sizeof(score[0]); i++) {
		char line[128], *got;
		size_t size;
		FILE *out = open_memstream(&got, &size);
		hp_sentence s;

		hp_sentence_init(&s);
		assert_int_equal(hp_sentence_parse(&s, NULL, "1\ta\t_\t_\t_\t_\t_\t_\t_\t_", 19, "f", 1, 0, NULL), 0);
		assert_int_equal(hp_sentence_write(&s, &(hp_found_tree){.heads = heads, .score = &score[i]}, out, NULL), 0);
		fclose(out);
		snprintf(line, sizeof(line), "# score = %s\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", expected[i]);
		assert_string_equal(got, line);
		free(got);
		hp_sentence_free(&s);
	}
}

TEST(write_full)
{
	hp_sentence s;
	hp_error err;
	FILE *out = fopen("/dev/full", "w");

	assert_non_null(out);
	setvbuf(out, NULL, _IONBF, 0);
	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, "# c\n", 4, "f", 1, 0, NULL), 0);
	assert_int_equal(hp_sentence_write(&s, NULL, out, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "No space left"));
	fclose(out);
	hp_sentence_free(&s);
}

/* ---- an input that comes slowly ---- */

static bool ready(hp_conllu_reader *r)
{
	bool yes;

	assert_int_equal(hp_conllu_ready(r, &yes, NULL), 0);
	return yes;
}

TEST(slow)
{
	static const char text[] = BOM "# c\r\n" ROW("1", "a") "\r\n" ROW("1", "b") ROW("2", "c");
	const size_t first = strlen(BOM "# c\r\n" ROW("1", "a") "\r\n");
	int fd[2], status;
	hp_input *in;
	hp_conllu_reader *r;
	hp_sentence s;

	assert_int_equal(pipe(fd), 0);
	hp_sentence_init(&s);
	assert_int_equal(hp_input_from_fd(fd[0], "f", &in, NULL), 0);
	assert_int_equal(hp_conllu_reader_new(in, HP_TEXT_CONLLU, 0, &r, NULL), 0);
	for (size_t i = 0; i < strlen(text); i++) { /* byte by byte */
		assert_int_equal(write(fd[1], text + i, 1), 1);
		if (ready(r)) {
			assert_int_equal(i + 1, first); /* the blank line is enough */
			status = hp_conllu_read(r, &s, NULL);
			assert_int_equal(status, 1);
			assert_int_equal(s.words, 1);
			assert_int_equal(s.size, strlen("# c\n" ROW("1", "a")));
			assert_memory_equal(s.text, "# c\n" ROW("1", "a"), s.size);
			assert_false(ready(r));
		} else {
			assert_int_not_equal(i + 1, first);
		}
	}
	close(fd[1]);
	assert_true(ready(r));
	status = hp_conllu_read(r, &s, NULL);
	assert_int_equal(status, 1);
	assert_int_equal(s.words, 2);
	assert_int_equal(s.line, 4);
	assert_true(ready(r));
	status = hp_conllu_read(r, &s, NULL);
	assert_int_equal(status, 0);
	hp_conllu_reader_destroy(r);
	hp_conllu_reader_destroy(NULL);
	hp_input_close(in);
	close(fd[0]);
	hp_sentence_free(&s);
}

TEST(broken)
{
	hp_input *in;
	hp_conllu_reader *r;
	hp_sentence s;
	hp_error err;
	int status;

	hp_sentence_init(&s);
	assert_int_equal(hp_input_from_fd(-2, "f", &in, NULL), 0); /* no such descriptor */
	assert_int_equal(hp_conllu_reader_new(in, HP_TEXT_CONLLU, 0, &r, NULL), 0);
	for (int i = 0; i < 2; i++) {
		status = hp_conllu_read(r, &s, &err);
		assert_int_equal(status, HP_FAIL);
		assert_string_equal(err.text, "f: Bad file descriptor");
		assert_true(hp_conllu_broken(r));
		assert_int_equal(s.size, 0);
	}
	hp_conllu_reader_destroy(r);
	hp_input_close(in);
	hp_sentence_free(&s);
}
