/* test_file.c: a file is the old one or the whole new one, and nothing is left beside it. */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"

static char old_folder[4096], folder[] = "/tmp/hp-test-file-XXXXXX";

HOOK(before)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	assert_non_null(getcwd(old_folder, sizeof(old_folder)));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
}

HOOK(after)
{
	assert_int_equal(chdir(old_folder), 0);
	shell("rm -rf %s", folder);
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

TEST(new_and_old)
{
	hp_error err;
	hp_file *file;

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

TEST(abort)
{
	hp_error err;
	hp_file *file;

	write_file("f", "old");
	assert_int_equal(hp_file_begin("f", &file, &err), 0);
	fputs("new", hp_file_stream(file));
	hp_file_abort(file);
	hp_file_abort(NULL);
	assert_holds("f", "old");
	assert_int_equal(entries(), 1);
}

TEST(permissions)
{
	struct stat info;
	mode_t before = umask(027);

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

TEST(links)
{
	struct stat info;

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

TEST(refused)
{
	assert_refused("no/such/folder", "no/such/folder: No such file or directory");
	assert_int_equal(mkdir("d", 0777), 0);
	assert_refused("d", "d: Is a directory");
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_refused("loop", "loop: Too many levels of symbolic links");
}

TEST(full_disk)
{
	hp_error err;
	hp_file *file;

	assert_int_equal(hp_file_begin("/dev/full", &file, &err), 0);
	fputs("x", hp_file_stream(file));
	assert_int_equal(hp_file_commit(file, &err), HP_FAIL);
	assert_string_equal(err.text, "/dev/full: No space left on device");
	save("/dev/null", "x"); /* a device is written to, and not replaced */
	assert_int_equal(access("/dev/null", W_OK), 0);
}

/* Two names of one file, which may be there or not. */
TEST(same)
{
	char *here = getcwd(NULL, 0), *absolute = NULL;

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

/* A process that begins to write f, and is killed or told to go on. */
static pid_t begin_elsewhere(const char *path)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		hp_file *file;

		if (hp_file_begin(path, &file, NULL) != 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* What a process that is no more has left goes; what one that writes has goes on. */
TEST(clean)
{
	hp_error err;
	hp_file *file;
	char dead[32], kept[8][64];
	pid_t pid;

	write_file("f.x", "old");
	pid = begin_elsewhere("f.x");
	assert_int_equal(entries(), 2);
	hp_file_clean("f.x");
	assert_int_equal(entries(), 2);
	end(pid);
	hp_file_clean("f.y");
	assert_int_equal(entries(), 2);
	assert_int_equal(symlink("f.x", "link"), 0);
	hp_file_clean("link");
	assert_int_equal(entries(), 2);
	assert_holds("f.x", "old");
	/* Names that are none of ours, of this file. */
	snprintf(dead, sizeof(dead), "%ld", (long)pid);
	static const char *const names[] = {".f.x.%s-0.tmp~", ".f.x.%s-0.tm",    ".f.x.%s.tmp",  ".f.x.%s-.tmp",
	                                    ".f.x.-0.tmp",    ".f.x.y.%s-0.tmp", "f.x.%s-0.tmp", ".f.x%s-0.tmp"};
	for (int i = 0; i < 8; i++) {
		snprintf(kept[i], sizeof(kept[i]), names[i], dead);
		write_file(kept[i], "x");
	}
	/* As ours, but a folder, a link; a process that lives. */
	char name[64];
	snprintf(name, sizeof(name), ".f.x.%s-1.tmp", dead);
	assert_int_equal(mkdir(name, 0777), 0);
	snprintf(name, sizeof(name), ".f.x.%s-2.tmp", dead);
	assert_int_equal(symlink("f.x", name), 0);
	snprintf(name, sizeof(name), ".f.x.%ld-3.tmp", (long)getppid());
	write_file(name, "x");
	int before = entries();
	hp_file_clean("f.x");
	hp_file_clean("no/such/folder");
	hp_file_clean("");
	assert_int_equal(entries(), before);
	/* One with our own number: left by another, unless it is being written. */
	assert_int_equal(hp_file_begin("f.x", &file, &err), 0);
	snprintf(name, sizeof(name), ".f.x.%ld-7.tmp", (long)getpid());
	write_file(name, "x");
	hp_file_clean("f.x");
	assert_int_equal(entries(), before + 1);
	assert_int_not_equal(access(name, F_OK), 0);
	fputs("new", hp_file_stream(file));
	assert_int_equal(hp_file_commit(file, &err), 0);
	assert_holds("f.x", "new");
}
