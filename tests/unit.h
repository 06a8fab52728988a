/* unit.h: a unit test, tests/test_NAME.c: TEST(what) { ... } for each thing to be tested, HOOK for what they need.  Nothing
 * is listed: main, which is here, runs them all in the order of the file. */
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
	__attribute__((constructor)) static void unit_add_##name(void) \
	{ \
		unit_tests[__LINE__] = (unit_test){#name, test_##name}; \
	} \
	static void test_##name(void)

/* HOOK(begin) or HOOK(end): once, before and after all tests; HOOK(before) or HOOK(after): each of them. */
#define HOOK(when) \
	static void unit_##when##_hook(void); \
	__attribute__((constructor)) static void unit_add_##when(void) \
	{ \
		unit_##when = unit_##when##_hook; \
	} \
	static void unit_##when##_hook(void)

typedef struct unit_test {
	const char *name;
	void (*run)(void);
} unit_test;

static unit_test unit_tests[1000]; /* by line */
static void (*unit_begin)(void), (*unit_end)(void), (*unit_before)(void), (*unit_after)(void);

static void unit_run(void **state)
{
	((const unit_test *)*state)->run();
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
	static struct CMUnitTest tests[sizeof unit_tests / sizeof *unit_tests]; /* those without a function are none */
	int failed;

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		if (unit_tests[i].run)
			tests[i] =
				(struct CMUnitTest){unit_tests[i].name, unit_run, unit_run_before, unit_run_after, &unit_tests[i]};
	if (unit_begin)
		unit_begin();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (unit_end)
		unit_end();
	return failed;
}

#endif
