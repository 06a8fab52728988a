/* train-files.c: the files of hp-train that must not take the place of others. */
#include <stdio.h>
#include <sys/stat.h>
#include "base/file.h"
#include "train.h"

/* A regular file that holds something, but no model (or checkpoint), is somebody's mistake. */
static bool holds_something_else(const char *path)
{
	struct stat info;
	char begin[9] = "";
	FILE *f;

	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 || !(f = fopen(path, "rb")))
		return false;
	size_t got = fread(begin, 1, sizeof begin, f);
	fclose(f);
	return got < sizeof begin || begin[8] != '{'; /* safetensors: eight bytes of length, then JSON */
}

int train_check_files(const train_options *o, hp_error *err)
{
	enum { INPUTS = 8, LOG = 11, FILES = 12 };
	const struct {
		const char *option, *path;
	} file[FILES] = { { "--train", o->setup.train }, { "--dev", o->setup.dev }, { "--vectors", o->setup.vectors },
		          { "--train-stream", o->setup.train_stream }, { "--dev-stream", o->setup.dev_stream },
		          { "--train-tags", o->setup.train_tags }, { "--dev-tags", o->setup.dev_tags },
		          { "--init", o->setup.init }, { "--output", o->setup.output },
		          { "--output-relation", o->setup.output_relation }, { "--checkpoint", o->checkpoint }, { "--log", o->log } };

	for (int i = INPUTS; i < FILES; i++) {
		for (int k = 0; k < o->tables; k++)
			if (file[i].path && hp_file_same(file[i].path, o->hyper[k]))
				return hp_fail(err, "--hyper and %s are the same file: %s", file[i].option, file[i].path);
		if (i < LOG && file[i].path && hp_file_check(file[i].path, err) != 0) /* the log is opened at once */
			return HP_FAIL;
		for (int k = 0; k < i; k++)
			if (file[i].path && file[k].path && hp_file_same(file[i].path, file[k].path))
				return hp_fail(err, "%s and %s are the same file: %s", file[k].option, file[i].option,
				        file[i].path);
		if (i < LOG && file[i].path && holds_something_else(file[i].path))
			return hp_fail(err, "%s: %s is there already and is no safetensors file: expected another name",
			               file[i].option, file[i].path);
	}
	for (int i = INPUTS; i < LOG; i++)
		if (file[i].path)
			hp_file_clean(file[i].path);
	return 0;
}
