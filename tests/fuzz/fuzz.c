/* fuzz.c: what the fuzz targets share. */
#include "fuzz.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void fuzz_refused(const hp_error *err)
{
	demand(err->text[0] != '\0' && !strchr(err->text, '\n') && memchr(err->text, '\0', sizeof(err->text)));
}

/* ---- files ---- */

void fuzz_split(const uint8_t *data, size_t size, fuzz_piece *piece, int count)
{
	for (int i = 0; i < count; i++) {
		const uint8_t *end = size > 0 && i < count - 1 ? memchr(data, 0x1e, size) : NULL;
		size_t length = end != NULL ? (size_t)(end - data) : size;

		piece[i] = (fuzz_piece){data, length};
		data += length + (end != NULL);
		size -= length + (end != NULL);
	}
}

enum { NAMES = 16, NAME = 32 };
static char folder[64], names[NAMES][NAME], paths[NAMES][sizeof(folder) + NAME];

static void remove_files(void)
{
	for (int i = 0; i < NAMES && names[i][0] != '\0'; i++)
		unlink(paths[i]);
	rmdir(folder);
}

const char *fuzz_path(const char *name)
{
	int i = 0;

	if (folder[0] == '\0') {
		strcpy(folder, "/tmp/hp-fuzz.XXXXXX");
		demand(mkdtemp(folder) && atexit(remove_files) == 0);
	}
	while (names[i][0] != '\0' && strcmp(names[i], name) != 0)
		i++;
	demand(i < NAMES - 1);
	snprintf(names[i], NAME, "%s", name);
	snprintf(paths[i], sizeof(paths[i]), "%s/%s", folder, name);
	return paths[i];
}

const char *fuzz_file(const char *name, const void *data, size_t size)
{
	const char *path = fuzz_path(name);
	FILE *f = fopen(path, "w");

	demand(f && (size == 0 || fwrite(data, 1, size, f) == size) && fclose(f) == 0);
	return path;
}

const char *fuzz_bank(void)
{
	char text[2048];
	size_t size = 0;

	for (int s = 0; s < 4; s++) {
		for (int w = 1; w <= 2 + s % 3; w++)
			size += (size_t)snprintf(text + size, sizeof(text) - size, "%d\tw%d\t_\tT%d\t_\t_\t%d\t%s\t_\t_\n", w,
			                         s * w % 3, w % 2, w - 1, w == 1 ? "root" : "dep");
		size += (size_t)snprintf(text + size, sizeof(text) - size, "\n");
	}
	return fuzz_file("bank.conllu", text, size);
}

char *fuzz_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	long end;
	char *data;

	if (!f)
		return NULL;
	demand(fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0);
	rewind(f);
	data = malloc((size_t)end + 1);
	demand(data && fread(data, 1, (size_t)end, f) == (size_t)end && fclose(f) == 0);
	data[end] = '\0';
	*size = (size_t)end;
	return data;
}

char *fuzz_beside(const char *name)
{
	char *path = calloc(1, 4096 + strlen(name));
	ssize_t length;

	demand(path && (length = readlink("/proc/self/exe", path, 4095)) > 0);
	strcpy(strrchr(path, '/') + 1, name);
	return path;
}

/* ---- programs ---- */

/* Lines that begin with the program's name, or none; with status 0 they are warnings. */
static void check_said(const char *name, const fuzz_run *run)
{
	size_t length = strlen(name);

	demand(run->status == 0 || run->status == 1);
	for (const char *line = run->said; *line != '\0'; line = strchr(line, '\n') + 1) {
		demand(strncmp(line, name, length) == 0 && strncmp(line + length, ": ", 2) == 0 && line[length + 2] != '\n');
		demand(strchr(line, '\n'));
	}
}

typedef struct sink {
	char *data;
	size_t size, capacity;
	bool closed;
} sink;

static ssize_t sink_write(void *cookie, const char *data, size_t size)
{
	sink *s = cookie;

	if (s->size + size + 1 > s->capacity) {
		s->capacity = 2 * (s->size + size) + 4096;
		s->data = realloc(s->data, s->capacity);
		demand(s->data);
	}
	memcpy(s->data + s->size, data, size);
	s->size += size;
	s->data[s->size] = '\0';
	return (ssize_t)size;
}

static int sink_close(void *cookie)
{
	((sink *)cookie)->closed = true;
	return 0;
}

static FILE *sink_open(sink *s)
{
	FILE *f;

	*s = (sink){NULL, 0, 0, false};
	sink_write(s, "", 0);
	f = fopencookie(s, "w", (cookie_io_functions_t){.write = sink_write, .close = sink_close});
	demand(f);
	return f;
}

void fuzz_program(int (*program)(int, char **), const char *const *arguments, fuzz_run *run)
{
	FILE *real_out = stdout, *real_err = stderr, *out, *err;
	char *argv[32] = {NULL}, *kept[32];
	sink said, written;
	int argc = 0;

	for (; arguments[argc] != NULL; argc++)
		demand(argc < 31 && (argv[argc] = strdup(arguments[argc]))); /* getopt and hp-eval change them */
	memcpy(kept, argv, sizeof(kept));
	/* glibc lets both be assigned; the program closes its standard output itself. */
	stdout = out = sink_open(&written);
	stderr = err = sink_open(&said);
	optind = 0;
	run->status = program(argc, argv);
	stdout = real_out;
	stderr = real_err;
	if (!written.closed)
		fclose(out);
	fclose(err);
	run->out = written.data;
	run->size = written.size;
	run->said = said.data;
	for (int i = 0; i < 31; i++)
		free(kept[i]);
	check_said(arguments[0], run);
}

void fuzz_run_free(fuzz_run *run)
{
	free(run->out);
	free(run->said);
}
