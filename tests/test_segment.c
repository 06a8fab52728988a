/* test_segment.c: clues of words, by hand; marks of EDUs, read and written; the gradient where words have several tags. */
#include "gradient.h"
#include "tag/net.h"
#include "text/clues.h"
#include "text/marks.h"
#include "unit.h"

static hp_sentence sentence;
static hp_arena *arena;

static void parse(const char *text)
{
	hp_error err;

	hp_sentence_init(&sentence);
	if (hp_sentence_parse(&sentence, NULL, text, strlen(text), "test", 1, 0, &err) != 0)
		fail_msg("%s", err.text);
	arena = hp_arena_new();
	assert_non_null(arena);
}

static void done(void)
{
	hp_sentence_free(&sentence);
	hp_arena_destroy(arena);
}

/* ---- clues ---- */

#define W(id, form, upos, head, rel) id "\t" form "\t_\t" upos "\tX\t_\t" head "\t" rel "\t_\t_\n"

/* "He fell because it rained": the clause begins at "because" and ends, as the sentence does, at "rained". */
#define FELL(head_of_because) \
	W("1", "He", "PRON", "2", "nsubj") \
	W("2", "fell", "VERB", "0", "root") \
	W("3", "because", "SCONJ", head_of_because, "mark") \
	W("4", "it", "PRON", "5", "nsubj") W("5", "rained", "VERB", "2", "advcl")

static void expect(int word, const char *const text[HP_CLUES])
{
	const hp_clue *clue = hp_clues_find(&sentence, HP_CLUES, arena) + word * HP_CLUES;

	for (int k = 0; k < HP_CLUES; k++)
		if (text[k]) {
			assert_non_null(clue[k].text);
			assert_int_equal(clue[k].size, strlen(text[k]));
			assert_memory_equal(clue[k].text, text[k], clue[k].size);
		} else {
			assert_null(clue[k].text);
		}
}

TEST(clues_of_a_tree)
{
	parse(FELL("5"));
	expect(0, (const char *const[]){"uPRON", "xX", "rnsubj", "hVERB>1", "broot VERB", "ensubj PRON>"});
	expect(1, (const char *const[]){"uVERB", "xX", "rroot", NULL, NULL, NULL});
	expect(2, (const char *const[]){"uSCONJ", "xX", "rmark", "hVERB>2", "badvcl VERB<", "emark SCONJ>"});
	expect(4, (const char *const[]){"uVERB", "xX", "radvcl", "hVERB<3", NULL, "eroot VERB"});
	done();
}

static const struct treeless {
	const char *name, *head;
} treeless[] = {{"none", "_"}, {"own head", "3"}, {"beyond", "6"}, {"huge", "99999999999999999999"}, {"minus", "-1"}};

static void check_treeless(const void *row)
{
	const struct treeless *c = row;
	char text[400];

	snprintf(text, sizeof text, FELL("%s"), c->head);
	parse(text);
	expect(2, (const char *const[]){"uSCONJ", "xX", NULL, NULL, NULL, NULL});
	done();
}
CASES(treeless, check_treeless)

TEST(no_tags)
{
	parse("1\tHe\t_\t_\t_\t_\t_\t_\t_\t_\n");
	expect(0, (const char *const[HP_CLUES]){0});
	const hp_clue *clue = hp_clues_find(&sentence, HP_TAG_CLUES, arena);
	assert_null(clue[HP_CLUE_UPOS].text);
	assert_null(clue[HP_CLUE_XPOS].text);
	done();
}

/* A chain of 20,000 words is no reason to wait; nor is a tag of a megabyte copied for each dependant. */
TEST(long_ones)
{
	enum { N = 20000 };
	size_t size = 0, room = N * 40 + (1 << 20);
	char *text = malloc(room);

	assert_non_null(text);
	for (int i = 1; i <= N; i++) {
		size += (size_t)sprintf(text + size, "%d\tw\t_\t", i);
		if (i == 1) {
			memset(text + size, 'T', 1 << 19);
			size += 1 << 19;
		}
		size += (size_t)sprintf(text + size, "\tX\t_\t%d\tr\t_\t_\n", i < N ? 1 : 0);
	}
	memcpy(text + size, "\n", 2);
	parse(text);
	assert_non_null(hp_clues_find(&sentence, HP_CLUES, arena));
	done();
	free(text);
}

/* ---- marks ---- */

#define ROW(id, misc) id "\tw\t_\t_\t_\t_\t_\t_\t_\t" misc "\n"

TEST(marks)
{
	bool begins[6];
	static const bool expected[6] = {true, false, true, true, false, false};

	parse(ROW("1", "A=b|Discourse=x:1->2") ROW("2", "Seg=I-seg") ROW("3", "BeginSeg=Yes") ROW("4-5", "Seg=B-seg")
	          ROW("4", "_") ROW("5", "MSeg=B-seg") ROW("5.1", "Seg=B-seg") ROW("6", "Segment=B-seg"));
	hp_marks_read(&sentence, begins);
	assert_memory_equal(begins, expected, sizeof begins);
	done();
}

static void expect_written(bool edus, const float *prob, const char *expected)
{
	static const bool begins[3] = {true, false, true};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(edus ? hp_marks_write_edus(&sentence, begins, out, NULL)
	                      : hp_marks_write(&sentence, "test", begins, prob, out, NULL),
	                 0);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

TEST(marks_written)
{
	static const float prob[3] = {1, 0.75f, 0.5f};

	parse("# newdoc id = d\n" ROW("1", "Discourse=x|A=b") ROW("2-3", "Seg=B-seg|SpaceAfter=No") ROW("2", "Seg=B-seg")
	          ROW("2.1", "Seg=B-seg") ROW("3", "_"));
	expect_written(false, NULL,
	               "# newdoc id = d\n" ROW("1", "A=b|Seg=B-seg") ROW("2-3", "SpaceAfter=No") ROW("2", "_")
	                   ROW("2.1", "Seg=B-seg") ROW("3", "Seg=B-seg") "\n");
	expect_written(false, prob,
	               "# newdoc id = d\n" ROW("1", "A=b|Seg=B-seg|SegProb=1.0000") ROW("2-3", "SpaceAfter=No")
	                   ROW("2", "SegProb=0.7500") ROW("2.1", "Seg=B-seg") ROW("3", "Seg=B-seg|SegProb=0.5000") "\n");
	expect_written(true, NULL, "# newdoc id = d\nw w\nw\n\n");
	done();
}

TEST(no_misc)
{
	hp_error err;

	parse("1\tw\t_\t_\t_\t_\t0\tROOT\t0\tROOT\n");
	assert_int_equal(hp_marks_write(&sentence, "test", (bool[]){true}, NULL, stderr, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "test:1: no column MISC"));
	done();
}

/* ---- several tags a word ---- */

enum { N = 4 };

typedef struct net_case {
	hp_tag_net *net;
	bool drops;
} net_case;

static double net_loss(void *arg)
{
	static const int32_t words[N] = {1, 2, 3, 1}, chars[N] = {1, 2, 1, 3}, sizes[N] = {1, 1, 1, 1};
	static const int32_t pos[N * HP_TAG_CLUES] = {1, 2, 3, 4, 4, 4, 2, 1}, gold[N] = {-1, 0, 1, 1};
	static const int32_t *const columns[HP_TAG_COLUMNS] = {gold};
	static const int32_t *const *const sentences[1] = {columns};
	static const hp_tag_dropout dropout = {.word = 0.3f, .character = 0.3f, .tags = 0.5f, .seed = 3};
	const hp_tokens tokens = {.n = N, .words = words, .pos = pos, .chars = chars, .char_lengths = sizes};
	const hp_tag_batch batch = {1, &tokens, sentences, NULL, 0};
	const net_case *c = arg;
	double loss[HP_TAG_COLUMNS];

	assert_int_equal(hp_tag_train(c->net, NULL, arena, &batch, c->drops ? &dropout : NULL, 1, loss, NULL), 0);
	assert_true(loss[0] > 0);
	return loss[0];
}

static void check_gradients(bool drops)
{
	const hp_tag_config config = {.task = HP_TASK_SEGMENT,
	                              .embedding = {.words = 4,
	                                            .word_dim = 3,
	                                            .chars = 4,
	                                            .char_dim = 2,
	                                            .char_filters = 3,
	                                            .char_window = 3,
	                                            .tags = 5,
	                                            .pos_dim = 3,
	                                            .tags_each = HP_TAG_CLUES},
	                              .hidden = 4,
	                              .layers = 1,
	                              .values = {2}};
	net_case c = {.drops = drops};

	arena = hp_arena_new();
	assert_int_equal(hp_tag_net_new(&config, &c.net, NULL), 0);
	hp_tag_net_init(c.net, 6);
	hp_params *p = &c.net->params;
	float *grads = zeros(p->total);
	net_loss(&c);
	memcpy(grads, p->grads, p->total * sizeof *grads);
	for (int i = 0; i < p->count; i++)
		check_gradient(p->item[i].name, net_loss, &c, p->item[i].value, grads + p->item[i].offset, p->item[i].count);
	free(grads);
	hp_tag_net_destroy(c.net);
	hp_arena_destroy(arena);
}

TEST(gradient)
{
	check_gradients(false);
}

TEST(gradient_with_dropout)
{
	check_gradients(true);
}

TEST(sizes)
{
	hp_tag_config config = {.task = HP_TASK_SEGMENT,
	                        .embedding = {2, 1, 2, 1, 1, 1, .tags = 2, .pos_dim = 1, .tags_each = 3},
	                        .hidden = 1,
	                        .layers = 1,
	                        .values = {2}};
	hp_error err;

	assert_int_equal(hp_tag_config_check(&config, "m", &err), HP_FAIL);
	assert_string_equal(err.text, "m: tags_each is 3: expected 2 or 6");
	config.embedding.tags_each = HP_CLUES;
	assert_int_equal(hp_tag_config_check(&config, "m", &err), 0);
	config.values[0] = 3;
	assert_int_equal(hp_tag_config_check(&config, "m", &err), HP_FAIL);
}
