/* test_hyper.c: the table of hyper-parameters. */
#include <unistd.h>

#include "train/hyper.h"
#include "unit.h"

/* The paper's values, and the code's where the table is silent. */
TEST(initial_values)
{
	hp_hyper h;

	hp_hyper_init(&h);
	assert_int_equal(h.layers, 3);
	assert_int_equal(h.hidden, 512);
	assert_int_equal(h.decoder_hidden, 512);
	assert_int_equal(h.decoder_input, 256);
	assert_int_equal(h.arc_mlp, 512);
	assert_int_equal(h.label_mlp, 128);
	assert_int_equal(h.char_filters, 100);
	assert_int_equal(h.char_window, 3);
	assert_int_equal(h.batch, 32);
	assert_true(h.betas[0] == 0.9f && h.betas[1] == 0.9f);
	assert_true(h.clip == 5.0f && h.drop_embeddings == 0.33f && h.decay == 0.75f);
}

/* Every value is shown as hp_hyper_set takes it. */
TEST(text_round_trip)
{
	hp_hyper h, again;
	char text[HP_HYPER_TEXT], other[HP_HYPER_TEXT];

	hp_hyper_init(&h);
	assert_int_equal(hp_hyper_set(&h, "learning_rate", "0.0123456", NULL), 0);
	assert_int_equal(hp_hyper_set(&h, "betas", "0.1,0.999", NULL), 0);
	memset(&again, 0, sizeof again);
	for (int i = 0; i < hp_hyper_count(); i++) {
		if (!hp_hyper_applies(&h, i))
			continue;
		hp_hyper_text(&h, i, text);
		assert_int_equal(hp_hyper_set(&again, hp_hyper_key(i), text, NULL), 0);
		hp_hyper_text(&again, i, other);
		assert_string_equal(text, other);
	}
	assert_true(again.learning_rate == 0.0123456f && again.betas[0] == 0.1f && again.betas[1] == 0.999f);
}

TEST(set_is_strict)
{
	static const char *const bad[][2] = {
		{"hidden", ""},
		{"hidden", "0"},
		{"hidden", "-1"},
		{"hidden", "12x"},
		{"hidden", " 12"},
		{"hidden", "10001"},
		{"hidden", "1e2"},
		{"clip", ""},
		{"clip", "nan"},
		{"clip", "5,0"},
		{"clip", "-1"},
		{"drop_mlp", "1"},
		{"betas", "0.9"},
		{"betas", "(0.9, 0.9"},
		{"betas", "0.9, 0.9)"},
		{"betas", "(0.9 0.9)"},
		{"betas", "(0.9, 1.5)"},
		{"betas", "(0.9, 0.9) x"},
		{"fusion", "PT"},
		{"fusion", ""},
		{"fusion", "PS PST"},
		{"lower", "1"},
		{"optimizer", "SGD"},
		{"hiden", "5"},
		{"", "5"},
	};
	hp_hyper h, before;
	hp_error err;

	hp_hyper_init(&h);
	before = h;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err.text[0] = '\0';
		assert_int_equal(hp_hyper_set(&h, bad[i][0], bad[i][1], &err), HP_FAIL);
		assert_non_null(strstr(err.text, bad[i][0]));
		assert_memory_equal(&h, &before, sizeof h);
	}
	assert_int_equal(hp_hyper_set(&h, "betas", "( 0.8 ,0.7 )", &err), 0);
	assert_true(h.betas[0] == 0.8f && h.betas[1] == 0.7f);
	assert_int_equal(hp_hyper_set(&h, "fusion", "ps", &err), 0);
	assert_int_equal(hp_hyper_set(&h, "gate", "Gate", &err), 0);
}

static int read_text(hp_hyper *h, const char *text, char *name, hp_error *err)
{
	int fd, status;

	strcpy(name, "/tmp/test_hyper.XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	status = hp_hyper_read(h, name, err);
	unlink(name);
	return status;
}

TEST(read)
{
	hp_hyper h;
	hp_error err;
	char name[64];

	hp_hyper_init(&h);
	assert_int_equal(read_text(&h,
	                           "# a comment, with commas, more than four, of them\n"
	                           "Layer,Hyper-parameter,Value,Key\r\n"
	                           "LSTM,encoder size,33,hidden\r\n"
	                           "\n"
	                           "Learning,\"(beta1, beta2)\",\"(0.5, 0.6)\",betas\n"
	                           "Learning,gradient clipping,2.5,clip",
	                           name, &err),
	                 0);
	assert_int_equal(h.hidden, 33);
	assert_true(h.betas[0] == 0.5f && h.betas[1] == 0.6f && h.clip == 2.5f);
	assert_int_equal(read_text(&h, "layer,hyper-parameter,VALUE,key\n,,34,hidden\n", name, &err), 0);
	assert_int_equal(h.hidden, 34);
}

TEST(read_names_the_line)
{
	static const struct {
		const char *text;
		int line;
	} bad[] = {
		{"A,b,3,hidden\nA,b,3,nonsense\n", 2},
		{"A,b,3,hidden\n# c\nA,b,x,layers\n", 3},
		{"A,b,3,hidden\n\nA,b,3,hidden\n", 3},
		{"A,b,3\n", 1},
		{"A,b,3,hidden,x\n", 1},
		{"A,b,3,hidden\nLayer,Hyper-parameter,Value,Key\n", 2},
		{"A,b,\"3,hidden\n", 1},
	};
	char name[64], place[80];
	hp_hyper h;
	hp_error err;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		hp_hyper_init(&h);
		assert_int_equal(read_text(&h, bad[i].text, name, &err), HP_FAIL);
		snprintf(place, sizeof place, "%s:%d: ", name, bad[i].line);
		assert_memory_equal(err.text, place, strlen(place));
	}
	assert_int_equal(hp_hyper_read(&h, "/nonexistent/table.csv", &err), HP_FAIL);
}

TEST(write_reads_back)
{
	hp_hyper h, again;
	char *text, name[64];
	size_t size;
	hp_error err;
	FILE *out = open_memstream(&text, &size);

	hp_hyper_init(&h);
	assert_int_equal(hp_hyper_set(&h, "schedule", "cosine", NULL), 0);
	assert_int_equal(hp_hyper_set(&h, "betas", "(0.25, 0.75)", NULL), 0);
	assert_int_equal(hp_hyper_write(&h, out, &err), 0);
	fclose(out);
	hp_hyper_init(&again);
	assert_int_equal(read_text(&again, text, name, &err), 0);
	assert_true(again.exact && !h.exact);
	again.given = h.given;
	again.exact = false;
	assert_memory_equal(&h, &again, sizeof h);
	free(text);
}

TEST(config)
{
	hp_net_config config = {.embedding.words = 7};
	hp_hyper h;

	hp_hyper_init(&h);
	hp_hyper_config(&h, &config);
	assert_int_equal(config.embedding.words, 7);
	assert_int_equal(config.fusion, HP_FUSION_PST);
	assert_int_equal(config.gate, HP_GATE_SGATE);
	assert_int_equal(config.embedding.pos_dim, 100);
	assert_int_equal(hp_hyper_set(&h, "pos", "none", NULL), 0);
	assert_int_equal(hp_hyper_set(&h, "fusion", "PS", NULL), 0);
	assert_int_equal(hp_hyper_set(&h, "gate", "gate", NULL), 0);
	hp_hyper_config(&h, &config);
	assert_int_equal(config.fusion, HP_FUSION_PS);
	assert_int_equal(config.gate, HP_GATE_GATE);
	assert_int_equal(config.embedding.pos_dim, 0);
}

/* Discourse models have tags if they are asked for; models without them note nothing of tags, as ever. */
TEST(rst_tags)
{
	hp_net_config config = {0};
	hp_hyper h;
	int noted[2] = {0};

	hp_hyper_init_task(&h, HP_TASK_RST);
	for (int on = 0; on < 2; on++) {
		assert_int_equal(hp_hyper_set(&h, "pos", on ? "xpos" : "none", NULL), 0);
		assert_int_equal(hp_hyper_set(&h, "pos_dim", "7", NULL), 0);
		hp_hyper_config(&h, &config);
		assert_int_equal(config.embedding.pos_dim, on ? 7 : 0);
		assert_int_equal(config.input_dim, 200 + config.embedding.pos_dim);
		for (int i = 0; i < hp_hyper_count(); i++)
			noted[on] += hp_hyper_applies(&h, i);
	}
	assert_int_equal(noted[1] - noted[0], 4); /* pos, pos_dim, tag_drop, tag_noise */
}
