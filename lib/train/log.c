/* log.c: the CSV log of a training. */
#include "train/log.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"

struct hp_train_log {
	FILE *file;
	char *path;
	const hp_train_task *task;
	int64_t size;
};

/* The columns of all logs; between the losses' and `best` stand the task's scores. */
static const char *const before[] = {"epoch", "batches", "loss"};
static const char *const behind[] = {"best",      "learning_rate", "words_per_second", "seconds", "peak_memory_mb",
                                     "precision", "plan"};
enum {
	BEFORE = sizeof before / sizeof *before,
	LOSS = BEFORE,
	BEHIND = sizeof behind / sizeof *behind,
	MOST_COLUMNS = LOSS + HP_LOSSES + HP_SCORES + 1 + BEHIND,
	TEXT = 32
};

typedef struct row { /* fields: their own text, or that of somebody else */
	char text[MOST_COLUMNS][TEXT];
	const char *field[MOST_COLUMNS];
} row;

static int losses_of(const hp_train_task *task)
{
	int losses = 0;

	while (losses < HP_LOSSES && task->loss[losses])
		losses++;
	return losses;
}

static int scores_at(const hp_train_task *task)
{
	return LOSS + losses_of(task);
}

/* Where `best` stands. */
static int best_of(const hp_train_task *task)
{
	int scores = 0;

	while (scores <= HP_SCORES && task->column[scores])
		scores++;
	return scores_at(task) + scores;
}

static int columns_of(const hp_train_task *task)
{
	return best_of(task) + BEHIND;
}

/* A field and what follows it; quoted only where CSV needs it. */
static int put(FILE *out, const char *field, char after)
{
	int status = strpbrk(field, ",\"\r\n") ? csv_fwrite(out, field, strlen(field)) : fputs(field, out);

	return status == EOF || putc(after, out) == EOF ? HP_FAIL : 0;
}

static int put_row(hp_train_log *log, const row *r, hp_error *err)
{
	int columns = columns_of(log->task);

	for (int i = 0; i < columns; i++)
		if (put(log->file, r->field[i], i < columns - 1 ? ',' : '\n') != 0)
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
	int best = best_of(task), scores = scores_at(task);

	if (i >= best)
		return behind[i - best];
	return i >= scores ? task->column[i - scores] : i >= LOSS ? task->loss[i - LOSS] : before[i];
}

static int put_heading(hp_train_log *log, hp_error *err)
{
	row r;

	for (int i = 0; i < columns_of(log->task); i++)
		r.field[i] = column(log->task, i);
	return put_row(log, &r, err);
}

int hp_train_log_check(const char *path, hp_error *err)
{
	struct stat st;
	bool same = true;
	FILE *in;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0 || !(in = fopen(path, "re")))
		return 0; /* nothing to lose, or opening it will tell */
	for (int i = 0; i < BEFORE; i++) { /* logs of all tasks have these */
		for (const char *p = before[i]; same && *p; p++)
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
	int columns = columns_of(log->task);
	bool same = true;

	if (!in)
		return hp_fail_errno(err, log->path);
	for (int i = 0; i < columns; i++) {
		for (const char *p = column(log->task, i); same && *p; p++)
			same = getc(in) == *p;
		same = same && getc(in) == (i < columns - 1 ? ',' : '\n');
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

int hp_train_log_open(const char *path, const hp_train_task *task, int64_t keep, hp_train_log **out, hp_error *err)
{
	hp_train_log *log = calloc(1, sizeof *log);
	int fd, status;

	if (!log || !(log->path = strdup(path))) {
		free(log);
		return hp_fail_memory(err);
	}
	log->task = task;
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
	status = hp_file_lock(fd) ? cut(log, keep, err) : hp_fail(err, "%s: another training writes this log", path);
	if (status == 0 && log->size == 0)
		status = put_heading(log, err);
	if (status != 0)
		(void)hp_train_log_close(log, NULL);
	else
		*out = log;
	return status;
}

static void print(char out[TEXT], const char *fmt, ...) HP_PRINTF(2, 3);
static void print(char out[TEXT], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(out, TEXT, fmt, args);
	va_end(args);
}

static void print_scores(row *r, const hp_train_task *task, const hp_score *score)
{
	for (int i = 0; i < task->scores; i++)
		if (!isnan(score->percent[i]))
			print(r->text[scores_at(task) + i], "%.3f", score->percent[i]);
}

static void clear(row *r)
{
	for (int i = 0; i < MOST_COLUMNS; i++) {
		r->text[i][0] = '\0';
		r->field[i] = r->text[i];
	}
}

int hp_train_log_add(hp_train_log *log, const hp_train_row *now, hp_error *err)
{
	const hp_train_task *task = log->task;
	double words = now->loss.words ? (double)now->loss.words : 1;
	int best = best_of(task);
	row r;

	clear(&r);
	print(r.text[0], "%d", now->epoch);
	print(r.text[1], "%" PRId64, now->batches);
	print(r.text[2], "%.5f", (now->loss.part[0] + now->loss.part[1]) / words);
	for (int i = 0; i < losses_of(task); i++)
		print(r.text[LOSS + i], "%.5f", now->loss.part[i] / words);
	if (now->tried)
		print_scores(&r, task, &now->tried->dev);
	if (now->tried && now->tried->without_tags.words)
		print(r.text[best - 1], "%.3f", now->tried->without_tags.percent[task->scores - 1]);
	if (now->tried && task->two_models)
		r.field[best] = hp_tried_name(now->tried);
	else if (now->tried)
		print(r.text[best], "%d", now->tried->better);
	print(r.text[best + 1], "%.6g", now->learning_rate);
	print(r.text[best + 2], "%.1f", now->words_per_second);
	print(r.text[best + 3], "%.1f", now->seconds);
	print(r.text[best + 4], "%.1f", (double)now->peak_memory / 1024);
	r.field[best + 5] = now->precision;
	r.field[best + 6] = now->plan;
	return put_row(log, &r, err);
}

int hp_train_log_test(hp_train_log *log, int64_t batches, const hp_score *test, const char *best, hp_error *err)
{
	row r;

	clear(&r);
	r.field[0] = "test";
	print(r.text[1], "%" PRId64, batches);
	print_scores(&r, log->task, test);
	r.field[best_of(log->task)] = best;
	return put_row(log, &r, err);
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
