/* Memory that fails: what is done here is done again with the first allocation failing, then the second, and so on, alone
 * or with all that follow.  Each time it works as if nothing had failed, or fails with "out of memory"; what was
 * allocated is free again; nothing crashes.  The linker puts the functions __wrap_... below in the place of malloc and
 * its like, for libhp and for this program, but not for other libraries. */
#include <errno.h>
#include <unistd.h>

#include "elmo/elmo.h"
#include "hp.h"
#include "io/stream.h"
#include "rst/binarize.h"
#include "rst/dis.h"
#include "rst/relations.h"
#include "rst/rs3.h"
#include "text/conllu.h"
#include "text/vectors.h"
#include "unit.h"

/* ---- allocation ---- */

enum { MOST = 20000 };
static struct {
	long number, first, last; /* of the next allocation; of those that fail */
	void *live[MOST]; /* what is allocated and not yet freed */
	int count;
} memory;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
char *__real_strdup(const char *s);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
char *__wrap_strdup(const char *s);
void __wrap_free(void *p);

static bool fails(void)
{
	long n = memory.number++;

	if (n < memory.first || n > memory.last)
		return false;
	errno = ENOMEM;
	return true;
}

static void forget(void *p)
{
	for (int i = memory.count - 1; i >= 0; i--) {
		if (memory.live[i] != p)
			continue;
		memory.live[i] = memory.live[--memory.count];
		return;
	}
}

static void *keep(void *p)
{
	if (p && memory.count < MOST)
		memory.live[memory.count++] = p;
	return p;
}

static void *keep_in_place_of(void *old, void *p)
{
	if (p)
		forget(old);
	return keep(p);
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : keep(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : keep(__real_calloc(n, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : keep_in_place_of(old, __real_realloc(old, size));
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	return fails() ? NULL : keep_in_place_of(old, __real_reallocarray(old, n, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : keep(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
	int status = fails() ? ENOMEM : __real_posix_memalign(out, alignment, size);

	if (status == 0)
		keep(*out);
	return status;
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : keep(__real_strdup(s));
}

void __wrap_free(void *p)
{
	forget(p);
	__real_free(p);
}

/* ---- what is tried ---- */

static char folder[] = "/tmp/hp-starve-XXXXXX", dep_path[64], rst_path[64], elmo_path[64], map_path[64], raw_path[64];
static char stream[65536];
static size_t stream_size;
static char result[65536]; /* of an action, to be compared */
static size_t used;

HP_PRINTF(1, 2) static void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	used += (size_t)vsnprintf(result + used, sizeof(result) - used, format, args);
	va_end(args);
	assert_true(used < sizeof(result));
}

static int parse(hp_error *err)
{
	static const char *const forms[] = {"She", "reads", "a", "cafe\xcc\x81", "."};
	static const char *const tags[] = {"PRON", "VERB", NULL, "X", "_"};
	static const hp_batch_words batch[] = {{5, forms, tags, NULL}, {1, forms, NULL, NULL}};
	const hp_tree *tree[2];
	hp_parser *p;
	int status = hp_open(dep_path, &p, err);

	if (status != 0)
		return status;
	for (int beam = 1; beam <= 3 && status == 0; beam += 2) {
		status = hp_set_beam(p, beam, err);
		if (status == 0 && beam == 3)
			status = hp_set_int8(p, err);
		if (status == 0)
			status = hp_parse_batch(p, 2, batch, tree, err);
		for (int i = 1; i <= 5 && status == 0; i++)
			tell("%d %s %g\n", (int)tree[0]->heads[i], tree[0]->labels[i], (double)tree[0]->arc_prob[i]);
	}
	hp_close(p);
	return status;
}

static int parse_edus(hp_error *err)
{
	static const char *const texts[] = {"She reads", "a book", "the dog barks"};
	const hp_edu_tree *tree;
	hp_parser *p;
	int status = hp_open(rst_path, &p, err);

	if (status == 0)
		status = hp_parse_edus(p, 3, texts, &tree, err);
	for (int i = 0; i < 2 && status == 0; i++)
		tell("%d-%d-%d %s %s\n", tree->split[i].first, tree->split[i].mid, tree->split[i].last, tree->split[i].relation,
		     tree->split[i].nuclearity);
	hp_close(p);
	return status;
}

static int parse_text(hp_error *err)
{
	static const char text[] = "She isn't here. The dog\n\nbarks.";
	const hp_text_sentence *s;
	hp_parser *p;
	int count = 0, status = hp_open_text(raw_path, &p, err);

	if (status != 0)
		return status;
	status = hp_parse_text(p, text, strlen(text), &count, &s, err);
	for (int i = 0; i < count; i++)
		for (int w = 1; w <= s[i].words; w++)
			tell("%s %s %s %d %s\n", s[i].word[w].form, s[i].word[w].lemma, s[i].word[w].feats,
			     (int)s[i].tree->heads[w], s[i].tree->labels[w]);
	hp_close(p);
	return status;
}

static int parse_document(hp_error *err)
{
	static const char text[] = "If you cannot wait you should book. I have nothing\n\nto say.";
	const hp_document *d = NULL;
	hp_parser *p;
	int status = hp_open_document(raw_path, &p, err);

	if (status != 0)
		return status;
	status = hp_parse_document(p, text, strlen(text), &d, err);
	for (int i = 0; d && i < d->edus; i++)
		tell("%d %d %d\n", d->edu[i].sentence, d->edu[i].first, d->edu[i].words);
	for (int i = 0; d && i < d->edus - 1; i++)
		tell("%d %s %s\n", d->tree->split[i].mid, d->tree->split[i].relation, d->tree->split[i].nuclearity);
	hp_close(p);
	return status;
}

static int run_elmo(hp_error *err)
{
	static const hp_elmo_word words[] = {{"dog", 3}, {"barks", 5}};
	float out[3 * 2 * 6];
	hp_elmo_sentence sentence = {2, words, out};
	hp_arena *arena = hp_arena_new();
	hp_elmo *e = NULL;
	int status = arena ? hp_elmo_open(elmo_path, NULL, &e, err) : hp_fail(err, "out of memory");

	if (status == 0)
		status = hp_elmo_run(e, NULL, arena, NULL, 1, &sentence, err);
	for (int i = 0; i < 3 * 2 * 6 && status == 0; i++)
		tell("%g\n", (double)out[i]);
	hp_elmo_close(e);
	hp_arena_destroy(arena);
	return status;
}

/* Every record written again. */
static int pass_record(const hp_safetensors *record, hp_record_kind kind, hp_stream_writer *w, hp_error *err)
{
	if (kind == HP_RECORD_FIRST)
		return hp_stream_write_first(w, 0, NULL, NULL, err);
	return kind == HP_RECORD_LAST ? hp_stream_write_last(w, NULL, NULL, err)
	                              : hp_stream_write_record(w, record, NULL, err);
}

static int pass_stream(hp_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	hp_stream_reader *r = NULL;
	hp_stream_writer *w = NULL;
	hp_input *in = NULL;
	hp_record_kind kind = HP_RECORD_FIRST;
	int status = hp_input_from_memory(stream, stream_size, "stream", &in, err);

	if (status == 0)
		status = hp_stream_reader_new(in, &r, err);
	if (status == 0)
		status = hp_stream_writer_new(out, "out", &w, err);
	while (status == 0 && kind != HP_RECORD_END) {
		hp_safetensors *record = NULL;

		status = hp_stream_read(r, &kind, &record, err);
		if (status == 0 && record)
			status = pass_record(record, kind, w, err);
		hp_safetensors_close(record);
	}
	fclose(out);
	for (size_t i = 0; i < size && status == 0; i++)
		tell("%02x", (unsigned char)text[i]);
	hp_stream_writer_destroy(w);
	hp_stream_reader_destroy(r);
	hp_input_close(in);
	__real_free(text);
	return status;
}

static int read_conllu(hp_error *err)
{
	static const char text[] =
		"# sent_id = 1\n1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\t_\t_\t_\t0\troot\t_\tA=B\n\n";
	int32_t heads[3];
	hp_conllu_reader *r = NULL;
	hp_input *in = NULL;
	hp_sentence s;
	int status = hp_input_from_memory(text, sizeof(text) - 1, "text", &in, err), got = 0;

	hp_sentence_init(&s);
	if (status == 0)
		status = hp_conllu_reader_new(in, HP_TEXT_CONLLU, 0, &r, err);
	while (status == 0 && (got = hp_conllu_read(r, &s, err)) == 1) {
		status = hp_sentence_tree(&s, "text", heads, err);
		if (status == 0)
			tell("%.*s %d %d\n", (int)s.size, s.text, heads[1], heads[2]);
	}
	hp_conllu_reader_destroy(r);
	hp_sentence_free(&s);
	hp_input_close(in);
	return status == 0 ? got : status;
}

static int tell_tree(const hp_rst_tree *t, hp_error *err)
{
	hp_rst_tree binary;
	int status;

	hp_rst_tree_init(&binary);
	status = hp_rst_binarize(t, &binary, err);
	for (int i = 0; i < binary.nodes && status == 0; i++)
		tell("%d-%d %s\n", binary.node[i].first, binary.node[i].last, binary.node[i].relation);
	hp_rst_tree_free(&binary);
	return status;
}

static int read_dis(hp_error *err)
{
	static const char text[] =
		"( Root (span 1 3)\n ( Nucleus (leaf 1) (rel2par Joint) (text _!one_!) )\n ( Nucleus (leaf 2) (rel2par Joint) (text _!two_!) )\n"
		" ( Nucleus (leaf 3) (rel2par Joint) (text _!three_!) )\n)\n";
	hp_dis_reader *r = NULL;
	hp_input *in = NULL;
	hp_rst_tree t;
	int status = hp_input_from_memory(text, sizeof(text) - 1, "trees", &in, err), got = 0;

	hp_rst_tree_init(&t);
	if (status == 0)
		status = hp_dis_reader_new(in, &r, err);
	while (status == 0 && (got = hp_dis_read(r, &t, err)) == 1)
		status = tell_tree(&t, err);
	hp_dis_reader_destroy(r);
	hp_rst_tree_free(&t);
	hp_input_close(in);
	return status == 0 ? got : status;
}

static int read_rs3(hp_error *err)
{
	static const char text[] =
		"<rst><header><relations><rel name=\"joint\" type=\"multinuc\"/><rel name=\"cause\" type=\"rst\"/></relations></header>"
		"<body><segment id=\"1\" parent=\"3\" relname=\"joint\">one &amp; one</segment>"
		"<segment id=\"2\" parent=\"3\" relname=\"joint\">two</segment><group id=\"3\" type=\"multinuc\"/>"
		"<segment id=\"4\" parent=\"3\" relname=\"cause\">three</segment></body></rst>";
	hp_input *in = NULL;
	hp_rst_tree t;
	int status = hp_input_from_memory(text, sizeof(text) - 1, "tree", &in, err);

	hp_rst_tree_init(&t);
	if (status == 0)
		status = hp_rs3_read(in, &t, err);
	for (int i = 0; i < t.nodes && status == 0; i++)
		tell("%d-%d %s\n", t.node[i].first, t.node[i].last, t.node[i].relation);
	hp_rst_tree_free(&t);
	hp_input_close(in);
	return status;
}

static int read_vectors(hp_error *err)
{
	static const char text[] = "the 0.5 1\ndog 1 -2\ncaf\xc3\xa9 3 4\n";
	hp_vectors_skipped skipped;
	hp_input *in = NULL;
	hp_vectors v;
	int status = hp_input_from_memory(text, sizeof(text) - 1, "vectors", &in, err);

	if (status == 0 && (status = hp_vectors_read(in, 0, NULL, NULL, &v, &skipped, err)) == 0) {
		for (int i = 0; i < 6; i++)
			tell("%s %g\n", hp_vocab_at(v.words, i / 2, NULL), (double)v.values[i]);
		hp_vectors_free(&v);
	}
	hp_input_close(in);
	return status;
}

static int read_relations(hp_error *err)
{
	hp_relations *r;

	if (hp_relations_read(map_path, &r, err) != 0)
		return HP_FAIL;
	tell("%s %s\n", hp_relations_find(r, "cause"), hp_relations_find(r, "none"));
	hp_relations_destroy(r);
	return 0;
}

/* ---- trying ---- */

/* With allocations FIRST ... LAST failing.  Whether that led to a failure; *COUNT: of allocations. */
static bool attempt(int (*action)(hp_error *err), long first, long last, long *count)
{
	hp_error err = {""};
	int before = memory.count, status;

	used = 0;
	memory.number = 1;
	memory.first = first;
	memory.last = last;
	status = action(&err);
	memory.first = memory.last = 0;
	*count = memory.number - 1;
	if (status != 0 && !strstr(err.text, "out of memory") && !strstr(err.text, strerror(ENOMEM)))
		fail_msg("allocations %ld to %ld fail: status %d, '%s'", first, last, status, err.text);
	if (memory.count != before)
		fail_msg("allocations %ld to %ld fail: %d are not freed", first, last, memory.count - before);
	return status != 0;
}

static void starve(int (*action)(hp_error *err))
{
	static char expected[sizeof(result)];
	long count, some;

	assert_false(attempt(action, 0, 0, &count));
	memcpy(expected, result, used);
	size_t size = used;
	assert_true(size > 0 && count > 0);
	for (long n = 1; n <= count; n++)
		for (int all = 0; all < 2; all++)
			if (!attempt(action, n, all ? INT32_MAX : n, &some) &&
			    (used != size || memcmp(result, expected, size) != 0))
				fail_msg("allocation %ld fails: another result", n);
}

#define STARVE(action) \
	TEST(action) \
	{ \
		starve(action); \
	}
STARVE(parse)
STARVE(parse_edus)
STARVE(parse_text)
STARVE(parse_document)
STARVE(run_elmo)
STARVE(pass_stream)
STARVE(read_conllu)
STARVE(read_dis)
STARVE(read_rs3)
STARVE(read_relations)
STARVE(read_vectors)
HOOK(begin)
{
	char command[1024], path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(dep_path, sizeof(dep_path), "%s/dep.safetensors", folder);
	snprintf(rst_path, sizeof(rst_path), "%s/rst.safetensors", folder);
	snprintf(elmo_path, sizeof(elmo_path), "%s/elmo.safetensors", folder);
	snprintf(raw_path, sizeof(raw_path), "%s/en", folder);
	snprintf(path, sizeof(path), "%s/stream", folder);
	snprintf(map_path, sizeof(map_path), "%s/map.csv", folder);
	snprintf(
		command, sizeof(command),
		"make=\"${builddir:-.}/tests/make-model\" && \"$make\" %s && \"$make\" -r %s && \"$make\" -E 2 %s && echo 'A dog barks' | "
		"\"${builddir:-.}/bin/hp-embed\" -m %s -i tokens >%s && printf 'relation,class\\ncause,Cause\\n*,Other\\n' >%s",
		dep_path, rst_path, elmo_path, dep_path, path, map_path);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof command,
	         "cp %s %s-dep.safetensors && cp \"${builddir:-.}\"/tests/models/en-[te]*.safetensors %s && "
	         "\"${builddir:-.}/tests/make-model\" -D %s-rst.safetensors",
	         dep_path, raw_path, folder, raw_path);
	assert_int_equal(system(command), 0);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	stream_size = fread(stream, 1, sizeof(stream), f);
	fclose(f);
}

HOOK(end)
{
	shell("rm -r %s", folder);
}
