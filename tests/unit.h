/* unit.h: a unit test, tests/test_NAME.c: TEST(what) { ... } for each thing to be tested, CASES for a table of cases, HOOK
 * for what they need.  Nothing is listed: main, which is here, runs them all in the order of the file. */
#ifndef UNIT_H
#define UNIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) \
	static void test_##name(void); \
	static void unit_test_##name(const void *none) \
	{ \
		(void)none; \
		test_##name(); \
	} \
	__attribute__((constructor)) static void unit_add_##name(void) \
	{ \
		unit_tests[__LINE__] = (unit_tests_of){#name, unit_test_##name, NULL, 0, 1}; \
	} \
	static void test_##name(void)

/* A test for each row of TABLE, an array of structs that begin with a name: CHECK(&row). */
#define CASES(table, check) \
	static void unit_check_##table(const void *row) \
	{ \
		check(row); \
	} \
	__attribute__((constructor)) static void unit_add_##table(void) \
	{ \
		unit_tests[__LINE__] = \
			(unit_tests_of){NULL, unit_check_##table, table, sizeof *table, sizeof table / sizeof *table}; \
	}

/* HOOK(begin) or HOOK(end): once, before and after all tests; HOOK(before) or HOOK(after): each of them. */
#define HOOK(when) \
	static void unit_##when##_hook(void); \
	__attribute__((constructor)) static void unit_add_##when(void) \
	{ \
		unit_##when = unit_##when##_hook; \
	} \
	static void unit_##when##_hook(void)

/* Runs a command, FORMAT with one %s for PATH, which has to succeed. */
__attribute__((unused)) static void shell(const char *format, const char *path)
{
	char command[1024];

	snprintf(command, sizeof command, format, path);
	assert_int_equal(system(command), 0);
}

typedef struct unit_tests_of {
	const char *name; /* NULL: each row's */
	void (*check)(const void *row);
	const void *rows;
	size_t size;
	int count;
} unit_tests_of;

static unit_tests_of unit_tests[1000]; /* by line */
static void (*unit_begin)(void), (*unit_end)(void), (*unit_before)(void), (*unit_after)(void);

typedef struct unit_case {
	void (*check)(const void *row);
	const void *row;
} unit_case;

static void unit_run(void **state)
{
	const unit_case *c = *state;
	c->check(c->row);
}

static int unit_run_before(void **state)
{
	(void)state;
	if (unit_before)
		unit_before();
	return 0;
}

static int unit_run_after(void **state)
{
	(void)state;
	if (unit_after)
		unit_after();
	return 0;
}

int main(void)
{
	enum { LINES = sizeof unit_tests / sizeof *unit_tests };
	static struct CMUnitTest tests[LINES]; /* those without a function are none */
	static unit_case cases[LINES];
	int count = 0, failed;

	for (const unit_tests_of *t = unit_tests; t < unit_tests + LINES; t++)
		for (int i = 0; i < t->count; i++, count++) {
			const void *row = t->rows ? (const char *)t->rows + (size_t)i * t->size : NULL;
			cases[count] = (unit_case){t->check, row};
			tests[count] = (struct CMUnitTest){t->name ? t->name : *(const char *const *)row, unit_run, unit_run_before,
			                                   unit_run_after, &cases[count]};
		}
	if (unit_begin)
		unit_begin();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (unit_end)
		unit_end();
	return failed;
}

#endif
