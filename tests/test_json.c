/* The JSON of safetensors headers: what is taken, what is refused and where. */
#include "io/json.h"
#include "unit.h"

/* Skips the one value of JSON, in memory that ends with it. */
static hp_json skip_value(const char *json, size_t *at)
{
	size_t size = strlen(json);
	char *copy = malloc(size + 1), *text = malloc(size + 1);
	hp_json j;

	memcpy(copy, json, size);
	copy = realloc(copy, size ? size : 1);
	hp_json_begin(&j, copy, size, text);
	hp_json_skip(&j);
	(void)hp_json_end(&j);
	*at = (size_t)(j.at - j.start);
	free(copy);
	free(text);
	return j;
}

TEST(taken)
{
	static const char *const good[] = {"null",
	                                   " true ",
	                                   "false\n",
	                                   "0",
	                                   "-0",
	                                   "12",
	                                   "-7.5",
	                                   "1e5",
	                                   "0.25E-3",
	                                   "2E+2",
	                                   "\"\"",
	                                   "[]",
	                                   "[ ]",
	                                   "[1,[2,{}],\"a\"]",
	                                   "{}",
	                                   "{ \"a\" : 1 , \"b\":[ null ] }",
	                                   "\t{\"\":\"\\\"\"}\r\n",
	                                   "9223372036854775807",
	                                   "-9223372036854775808"};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		size_t at;
		hp_json j = skip_value(good[i], &at);

		if (j.why)
			fail_msg("%s: byte %zu: %s", good[i], at, j.why);
	}
}

TEST(refused)
{
	static const struct {
		const char *json;
		size_t at;
		const char *why;
	} bad[] = {
		{"", 0, "the header ends too soon"},
		{"[1", 2, "the header ends too soon"},
		{"{\"a", 3, "the header ends too soon"},
		{"{\"a\"", 4, "the header ends too soon"},
		{"{\"a\":", 5, "the header ends too soon"},
		{"nul", 0, "expected a value"},
		{"[1,]", 3, "expected a value"},
		{"[,1]", 1, "expected a value"},
		{"'a'", 0, "expected a value"},
		{"+1", 0, "expected a value"},
		{".5", 0, "expected a value"},
		{"NaN", 0, "expected a value"},
		{"{1:2}", 1, "expected a string"},
		{"{,}", 1, "expected a string"},
		{"{\"a\" 1}", 5, "expected ':'"},
		{"{\"a\":1;}", 6, "expected ',' or '}'"},
		{"[1 2]", 3, "expected ',' or ']'"},
		{"[1}", 2, "expected ',' or ']'"},
		{"-", 1, "expected a digit"},
		{"-a", 1, "expected a digit"},
		{"1.", 2, "expected a digit"},
		{"1e", 2, "expected a digit"},
		{"1e+", 3, "expected a digit"},
		{"01", 1, "text after the header's end"},
		{"nullx", 4, "text after the header's end"},
		{"{} {}", 3, "text after the header's end"},
		{"9223372036854775808", 19, "a number beyond 64 bits"},
		{"-9223372036854775809", 20, "a number beyond 64 bits"},
		{"\"a\nb\"", 2, "a control character in a string"},
		{"\"\\x41\"", 2, "an unknown escape in a string"},
		{"\"\\", 2, "an unknown escape in a string"},
		{"\"\\u12\"", 3, "\\u is not followed by the number of a character"},
		{"\"\\u12g4\"", 3, "\\u is not followed by the number of a character"},
		{"\"\\ud800\"", 3, "\\u is not followed by the number of a character"},
		{"\"\\ud800\\u0041\"", 3, "\\u is not followed by the number of a character"},
		{"\"\\udc00\"", 3, "\\u is not followed by the number of a character"},
		{"\"\\u0000\"", 3, "a NUL in a string"},
		{"\"a\xc3\"", 2, "a string is not valid UTF-8"},
		{"\"\xc0\x80\"", 1, "a string is not valid UTF-8"},
		{"\"\xed\xa0\x80\"", 1, "a string is not valid UTF-8"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		size_t at;
		hp_json j = skip_value(bad[i].json, &at);

		if (!j.why || strcmp(j.why, bad[i].why) != 0 || at != bad[i].at)
			fail_msg("%s: byte %zu: %s", bad[i].json, at, j.why ? j.why : "taken");
	}
}

/* 64 levels are taken, 100,000 do not use up the stack. */
TEST(levels)
{
	enum { MANY = 100000 };
	char *json = malloc(2 * MANY + 1);
	size_t at;

	for (int levels = 64; levels <= MANY; levels += MANY - 64) {
		memset(json, '[', (size_t)levels);
		memset(json + levels, ']', (size_t)levels);
		json[2 * levels] = '\0';
		hp_json j = skip_value(json, &at);
		if (levels == 64)
			assert_null(j.why);
		else
			assert_string_equal(j.why, "too many levels");
	}
	free(json);
}

TEST(strings)
{
	static const char json[] =
		"{\"\\u0061\\\\\\/\\\"\" : \"\\b\\f\\n\\r\\t\", \"\xc3\xa9\\u00e9\\u20AC\\ud83d\\ude00\":\"\"}";
	char text[sizeof(json)];
	hp_json j;
	bool first = true;

	hp_json_begin(&j, json, sizeof(json) - 1, text);
	assert_true(hp_json_enter(&j, '{'));
	assert_true(hp_json_more(&j, '}', &first));
	assert_string_equal(hp_json_key(&j), "a\\/\"");
	assert_string_equal(hp_json_string(&j), "\b\f\n\r\t");
	assert_true(hp_json_more(&j, '}', &first));
	assert_string_equal(hp_json_key(&j), "\xc3\xa9\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	assert_string_equal(hp_json_string(&j), "");
	assert_false(hp_json_more(&j, '}', &first));
	assert_true(hp_json_end(&j));
}

TEST(numbers)
{
	static const struct {
		const char *json;
		bool whole;
		int64_t n;
	} numbers[] = {{"0", true, 0},
	               {"-0", true, 0},
	               {"705", true, 705},
	               {"-12", true, -12},
	               {"9223372036854775807", true, INT64_MAX},
	               {"-9223372036854775808", true, INT64_MIN},
	               {"1.0", false, 0},
	               {"1e2", false, 0},
	               {"\"1\"", false, 0},
	               {"null", false, 0}};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char text[32];
		hp_json j;
		int64_t n = 0;

		hp_json_begin(&j, numbers[i].json, strlen(numbers[i].json), text);
		assert_int_equal(hp_json_whole(&j, &n), numbers[i].whole);
		assert_true(n == numbers[i].n);
		assert_true(hp_json_end(&j));
	}
}
