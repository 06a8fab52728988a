/* train-files.c: the files of hp-train that must not take the place of others. */
#include <stdio.h>
#include <sys/stat.h>
#include "base/file.h"
#include "train.h"

typedef struct named {
	const char *option, *path; /* PATH NULL: not given */
} named;

/* Fails if OUT is FILE. */
static int check_other(const named *out, const char *option, const char *path, hp_error *err)
{
	return path && hp_file_same(out->path, path)
	           ? hp_fail(err, "%s and %s are the same file: %s", option, out->option, out->path)
	           : 0;
}

/* Fails if OUT is a file that is read. */
static int check_inputs(const train_options *o, const named *out, hp_error *err)
{
	for (int i = 0; i < BANKS * KINDS; i++)
		for (const char **path = o->file[i / KINDS][i % KINDS]; path && *path; path++)
			if (check_other(out, train_option[i / KINDS][i % KINDS], *path, err) != 0)
				return HP_FAIL;
	return check_other(out, "--vectors", o->setup.vectors, err) != 0 ? HP_FAIL
	                                                                 : check_other(out, "--init", o->setup.init, err);
}

/* A regular file that holds something, but nothing of the KIND that takes its place, is somebody's mistake. */
static int check_kind(const named *out, const char *key, const char *kind, hp_error *err)
{
	struct stat info;
	hp_safetensors *st = NULL;
	bool same;

	if (stat(out->path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
		return 0;
	same = hp_safetensors_open(out->path, &st, NULL) == 0 && hp_safetensors_meta(st, key);
	hp_safetensors_close(st);
	return same ? 0
	            : hp_fail(err, "%s: %s is there already and is no %s: expected another name", out->option, out->path,
	                      kind);
}

/* The test set is parsed with what was written. */
static int check_readable(const named *out, hp_error *err)
{
	struct stat info;

	return out->path && stat(out->path, &info) == 0 && !S_ISREG(info.st_mode)
	           ? hp_fail(err, "%s: %s is no file to be read again, as --test needs it", out->option, out->path)
	           : 0;
}

int train_check_files(const train_options *o, hp_error *err)
{
	enum { CHECKPOINT = 2, LOG = 3, FILES = 4 };
	const named file[FILES] = {{"--output", o->setup.output},
	                           {"--output-relation", o->setup.output_relation},
	                           {"--checkpoint", o->checkpoint},
	                           {"--log", o->log}};

	for (int i = 0; i < FILES; i++) {
		const named *out = &file[i];
		if (!out->path)
			continue;
		for (int k = 0; k < o->tables; k++)
			if (check_other(out, "--hyper", o->hyper[k], err) != 0)
				return HP_FAIL;
		if (i != LOG && hp_file_check(out->path, err) != 0) /* the log is opened at once */
			return HP_FAIL;
		if (check_inputs(o, out, err) != 0)
			return HP_FAIL;
		for (int k = 0; k < i; k++)
			if (check_other(out, file[k].option, file[k].path, err) != 0)
				return HP_FAIL;
		if (i < CHECKPOINT &&
		    (check_kind(out, "model_id", "model", err) != 0 || (o->setup.test.trees && check_readable(out, err) != 0)))
			return HP_FAIL;
		if (i == CHECKPOINT && !o->resume && check_kind(out, "hp_checkpoint", "checkpoint", err) != 0)
			return HP_FAIL;
		if (i == LOG && hp_train_log_check(out->path, err) != 0)
			return HP_FAIL;
	}
	for (int i = 0; i < LOG; i++)
		if (file[i].path)
			hp_file_clean(file[i].path);
	return 0;
}
