/* test_file.c: a file is the old one or the whole new one, and nothing is left beside it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"

static char old_folder[4096];

static int enter(void **state)
{
	static char folder[] = "/tmp/hp-test-file-XXXXXX";

	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	*state = folder;
	return getcwd(old_folder, sizeof(old_folder)) && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", (char *)*state);
	return chdir(old_folder) == 0 && system(command) == 0 ? 0 : -1;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_holds(const char *path, const char *text)
{
	char buffer[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(fread(buffer, 1, sizeof(buffer) - 1, f) < sizeof(buffer) - 1);
	fclose(f);
	assert_string_equal(buffer, text);
}

static int entries(void)
{
	DIR *dir = opendir(".");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static void save(const char *path, const char *text)
{
	hp_error err;
	hp_file *file;

	assert_int_equal(hp_file_begin(path, &file, &err), 0);
	fputs(text, hp_file_stream(file));
	assert_int_equal(hp_file_commit(file, &err), 0);
}

static void test_new_and_old(void **state)
{
	hp_error err;
	hp_file *file;

	(void)state;
	assert_int_equal(hp_file_begin("f", &file, &err), 0);
	fputs("one", hp_file_stream(file));
	fflush(hp_file_stream(file));
	assert_int_not_equal(access("f", F_OK), 0); /* not before it is whole */
	assert_int_equal(hp_file_commit(file, &err), 0);
	assert_holds("f", "one");
	assert_int_equal(hp_file_begin("f", &file, &err), 0);
	fputs("two", hp_file_stream(file));
	fflush(hp_file_stream(file));
	assert_holds("f", "one");
	assert_int_equal(hp_file_commit(file, &err), 0);
	assert_holds("f", "two");
	assert_int_equal(entries(), 1);
}

static void test_abort(void **state)
{
	hp_error err;
	hp_file *file;

	(void)state;
	write_file("f", "old");
	assert_int_equal(hp_file_begin("f", &file, &err), 0);
	fputs("new", hp_file_stream(file));
	hp_file_abort(file);
	hp_file_abort(NULL);
	assert_holds("f", "old");
	assert_int_equal(entries(), 1);
}

static void test_permissions(void **state)
{
	struct stat info;
	mode_t before = umask(027);

	(void)state;
	save("new", "x");
	assert_int_equal(stat("new", &info), 0);
	assert_int_equal(info.st_mode & 07777, 0640);
	write_file("old", "x");
	assert_int_equal(chmod("old", 0604), 0);
	save("old", "y");
	assert_int_equal(stat("old", &info), 0);
	assert_int_equal(info.st_mode & 07777, 0604);
	umask(before);
}

static void test_links(void **state)
{
	struct stat info;

	(void)state;
	assert_int_equal(mkdir("sub", 0777), 0);
	write_file("sub/target", "old");
	assert_int_equal(symlink("sub/second", "first"), 0);
	assert_int_equal(symlink("target", "sub/second"), 0); /* relative to sub, not to here */
	save("first", "new");
	assert_int_equal(lstat("first", &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_holds("sub/target", "new");
	assert_int_equal(symlink("sub/none", "dangling"), 0);
	save("dangling", "made");
	assert_holds("sub/none", "made");
	assert_int_equal(entries(), 3);
}

static void assert_refused(const char *path, const char *message)
{
	hp_error err;
	hp_file *file;

	assert_int_equal(hp_file_begin(path, &file, &err), HP_FAIL);
	assert_null(file);
	assert_string_equal(err.text, message);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused("no/such/folder", "no/such/folder: No such file or directory");
	assert_int_equal(mkdir("d", 0777), 0);
	assert_refused("d", "d: Is a directory");
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_refused("loop", "loop: Too many levels of symbolic links");
}

static void test_full_disk(void **state)
{
	hp_error err;
	hp_file *file;

	(void)state;
	assert_int_equal(hp_file_begin("/dev/full", &file, &err), 0);
	fputs("x", hp_file_stream(file));
	assert_int_equal(hp_file_commit(file, &err), HP_FAIL);
	assert_string_equal(err.text, "/dev/full: No space left on device");
	save("/dev/null", "x"); /* a device is written to, and not replaced */
	assert_int_equal(access("/dev/null", W_OK), 0);
}

/* Two names of one file, which may be there or not. */
static void test_same(void **state)
{
	char *here = getcwd(NULL, 0), *absolute = NULL;

	(void)state;
	assert_non_null(here);
	assert_true(asprintf(&absolute, "%s/f", here) > 0);
	assert_int_equal(mkdir("d", 0777), 0);
	assert_int_equal(symlink("d", "e"), 0);
	assert_int_equal(symlink("d/f", "g"), 0);
	for (int made = 0; made < 2; made++) {
		assert_true(hp_file_same("f", "f"));
		assert_true(hp_file_same("f", "./f"));
		assert_true(hp_file_same("d/../f", "f"));
		assert_true(hp_file_same("f", absolute));
		assert_true(hp_file_same("d/f", "e/f"));
		assert_true(hp_file_same("d/f", "g"));
		assert_false(hp_file_same("f", "d/f"));
		assert_false(hp_file_same("f", "f2"));
		assert_false(hp_file_same("no/f", "f"));
		write_file("f", "x");
		write_file("d/f", "x");
	}
	assert_false(hp_file_same("/dev/null", "/dev/null"));
	free(absolute);
	free(here);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_and_old, enter, leave),
		cmocka_unit_test_setup_teardown(test_abort, enter, leave),
		cmocka_unit_test_setup_teardown(test_permissions, enter, leave),
		cmocka_unit_test_setup_teardown(test_links, enter, leave),
		cmocka_unit_test_setup_teardown(test_refused, enter, leave),
		cmocka_unit_test_setup_teardown(test_full_disk, enter, leave),
		cmocka_unit_test_setup_teardown(test_same, enter, leave),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
