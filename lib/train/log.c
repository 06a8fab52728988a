/* log.c: the CSV log of a training. */
#include "train/log.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hp_train_log {
	FILE *file;
	char *path;
	const hp_train_task *task;
	int64_t size;
};

static const char *const heading[] = {
	"epoch", "batches", "loss", "structure_loss", "label_loss",       NULL, /* the task's scores */
	NULL,    NULL,      "best", "learning_rate",  "words_per_second", "seconds", "peak_memory_mb", "plan",
};

enum { COLUMNS = sizeof heading / sizeof *heading, SCORES = 5, BEST = 8 };
/* A field and what follows it; quoted only where CSV needs it. */
static int put(FILE *out, const char *field, char after)
{
	int status = strpbrk(field, ",\"\r\n") ? csv_fwrite(out, field, strlen(field)) : fputs(field, out);

	return status == EOF || putc(after, out) == EOF ? HP_FAIL : 0;
}

static int put_row(hp_train_log *log, const char *const field[COLUMNS], hp_error *err)
{
	for (int i = 0; i < COLUMNS; i++)
		if (put(log->file, field[i], i < COLUMNS - 1 ? ',' : '\n') != 0)
			return hp_fail_errno(err, log->path);
	if (fflush(log->file) != 0)
		return hp_fail_errno(err, log->path);
	off_t at = ftello(log->file);
	if (at >= 0)
		log->size = at;
	return 0;
}

static const char *column(const hp_train_task *task, int i)
{
	return i >= SCORES && i < BEST ? task->column[i - SCORES] : heading[i];
}

static int put_heading(hp_train_log *log, hp_error *err)
{
	const char *field[COLUMNS];

	for (int i = 0; i < COLUMNS; i++)
		field[i] = column(log->task, i);
	return put_row(log, field, err);
}

int hp_train_log_check(const char *path, hp_error *err)
{
	struct stat st;
	bool same = true;
	FILE *in;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0 || !(in = fopen(path, "re")))
		return 0; /* nothing to lose, or opening it will tell */
	for (int i = 0; i < 3; i++) { /* those that logs of all versions have */
		for (const char *p = heading[i]; same && *p; p++)
			same = getc(in) == *p;
		same = same && getc(in) == ',';
	}
	fclose(in);
	return same ? 0 : hp_fail(err, "--log: %s is there already and is no log of hp-train: expected another name", path);
}

/* A file that is no log is not to be cut: fails unless the first line is the heading. */
static int check_heading(const hp_train_log *log, hp_error *err)
{
	FILE *in = fopen(log->path, "re");
	bool same = true;

	if (!in)
		return hp_fail_errno(err, log->path);
	for (int i = 0; i < COLUMNS; i++) {
		for (const char *p = column(log->task, i); same && *p; p++)
			same = getc(in) == *p;
		same = same && getc(in) == (i < COLUMNS - 1 ? ',' : '\n');
	}
	fclose(in);
	return same ? 0
	            : hp_fail_at(err, log->path, 1, "not the heading of such a training's log, which is to be continued");
}

/* Cuts the log to KEEP bytes; one that is shorter stays as it is. */
static int cut(hp_train_log *log, int64_t keep, hp_error *err)
{
	struct stat st;
	int fd = fileno(log->file);

	if (fstat(fd, &st) != 0)
		return hp_fail_errno(err, log->path);
	if (!S_ISREG(st.st_mode))
		return 0;
	if (st.st_size > 0 && (keep > 0 ? check_heading(log, err) : hp_train_log_check(log->path, err)) != 0)
		return HP_FAIL;
	if (st.st_size > keep && ftruncate(fd, keep) != 0)
		return hp_fail_errno(err, log->path);
	if (fseeko(log->file, 0, SEEK_END) != 0)
		return hp_fail_errno(err, log->path);
	log->size = st.st_size > keep ? keep : st.st_size;
	return 0;
}

int hp_train_log_open(const char *path, hp_task task, int64_t keep, hp_train_log **out, hp_error *err)
{
	hp_train_log *log = calloc(1, sizeof *log);
	int fd, status;

	if (!log || !(log->path = strdup(path))) {
		free(log);
		return hp_fail_memory(err);
	}
	log->task = hp_train_task_of(task);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	log->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!log->file) {
		hp_fail_errno(err, path);
		if (fd >= 0)
			close(fd);
		free(log->path);
		free(log);
		return HP_FAIL;
	}
	status = cut(log, keep, err);
	if (status == 0 && log->size == 0)
		status = put_heading(log, err);
	if (status != 0)
		(void)hp_train_log_close(log, NULL);
	else
		*out = log;
	return status;
}

static void print(char out[32], const char *fmt, ...) HP_PRINTF(2, 3);
static void print(char out[32], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(out, 32, fmt, args);
	va_end(args);
}

int hp_train_log_add(hp_train_log *log, const hp_train_row *row, hp_error *err)
{
	double words = row->loss.words ? (double)row->loss.words : 1;
	char text[COLUMNS][32];
	const char *field[COLUMNS];

	memset(text, 0, sizeof text);
	for (int i = 0; i < COLUMNS; i++)
		field[i] = text[i];
	print(text[0], "%d", row->epoch);
	print(text[1], "%" PRId64, row->batches);
	print(text[2], "%.5f", (row->loss.structure + row->loss.label) / words);
	print(text[3], "%.5f", row->loss.structure / words);
	print(text[4], "%.5f", row->loss.label / words);
	for (int i = 0; row->tried && i < log->task->scores; i++)
		print(text[SCORES + i], "%.3f", row->tried->dev.percent[i]);
	if (row->tried && row->tried->without_tags.words)
		print(text[BEST - 1], "%.3f", row->tried->without_tags.percent[log->task->scores - 1]);
	if (row->tried && log->task->two_models)
		field[BEST] = hp_tried_name(row->tried);
	else if (row->tried)
		print(text[BEST], "%d", row->tried->better);
	print(text[9], "%.6g", row->learning_rate);
	print(text[10], "%.1f", row->words_per_second);
	print(text[11], "%.1f", row->seconds);
	print(text[12], "%.1f", (double)row->peak_memory / 1024);
	field[13] = row->plan;
	return put_row(log, field, err);
}

int hp_train_log_test(hp_train_log *log, int64_t batches, const hp_score *test, const char *best, hp_error *err)
{
	char text[1 + HP_SCORES][32];
	const char *field[COLUMNS];

	for (int i = 0; i < COLUMNS; i++)
		field[i] = "";
	field[0] = "test";
	print(text[0], "%" PRId64, batches);
	field[1] = text[0];
	for (int i = 0; i < log->task->scores; i++) {
		print(text[1 + i], "%.3f", test->percent[i]);
		field[SCORES + i] = text[1 + i];
	}
	field[BEST] = best;
	return put_row(log, field, err);
}

int64_t hp_train_log_size(const hp_train_log *log)
{
	return log ? log->size : 0;
}

int hp_train_log_close(hp_train_log *log, hp_error *err)
{
	int status = 0;

	if (!log)
		return 0;
	if (fclose(log->file) != 0)
		status = hp_fail_errno(err, log->path);
	free(log->path);
	free(log);
	return status;
}
