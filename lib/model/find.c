/* find.c: where a model file is. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"
#include "model/model.h"

#ifndef HP_MODEL_DIR
#define HP_MODEL_DIR "/usr/local/share/hptools/models"
#endif
#define DEFAULT_MODEL "en"

/* malloc'ed DIR/NAME.safetensors, or else DIR/NAME-KIND.safetensors, if that can be read; NULL if neither can. */
static char *try_folder(const char *dir, size_t dir_size, const char *name, const char *kind)
{
	char *path;

	for (int whole = 1; whole >= 0; whole--) {
		if (asprintf(&path, "%.*s/%s%s%s.safetensors", (int)dir_size, dir, name, whole ? "" : "-", whole ? "" : kind) <
		    0)
			return NULL;
		if (access(path, R_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

static char *search_folders(const char *name, const char *kind, hp_error *err)
{
	const char *path = getenv("HP_MODEL_PATH");
	const char *dir = path != NULL ? path : "";
	char *found, share[PATH_MAX];

	while (*dir != '\0') {
		size_t size = strcspn(dir, ":");

		if (size > 0 && (found = try_folder(dir, size, name, kind)))
			return found;
		dir += size;
		dir += *dir == ':';
	}
	hp_installed_folder("models", HP_MODEL_DIR, share);
	if ((found = try_folder(share, strlen(share), name, kind)) ||
	    (found = try_folder(HP_MODEL_DIR, strlen(HP_MODEL_DIR), name, kind)))
		return found;
	if (access(name, F_OK) == 0)
		hp_fail(err, "no model '%s' is installed; for the file of that name give ./%s", name, name);
	else if (path && *path != '\0')
		hp_fail(
			err,
			"no model '%s' (%s.safetensors, %s-%s.safetensors) in HP_MODEL_PATH=%s nor in %s; the name of a file must hold a '/' or end in .safetensors",
			name, name, name, kind, path, share);
	else
		hp_fail(
			err,
			"no model '%s' (%s.safetensors, %s-%s.safetensors) in %s; HP_MODEL_PATH can name other folders, the name of a file must hold a '/' or end in .safetensors",
			name, name, name, kind, share);
	return NULL;
}

static bool names_file(const char *name)
{
	static const char ending[] = ".safetensors";
	size_t size = strlen(name), tail = sizeof(ending) - 1;

	return strchr(name, '/') != NULL || (size > tail && strcmp(name + size - tail, ending) == 0);
}

char *hp_model_find(const char *name, const char *kind, hp_error *err)
{
	char *found, *absolute;
	struct stat info;

	if (!name)
		name = getenv("HP_MODEL");
	if (!name || *name == '\0')
		name = DEFAULT_MODEL;
	if (!names_file(name)) {
		found = search_folders(name, kind, err);
		if (!found)
			return NULL;
	} else if (!(found = strdup(name))) {
		hp_fail_memory(err);
		return NULL;
	}
	/* Pipes, as in -m <(zcat ...), have no path; neither could be mapped. */
	bool pipe = stat(found, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
	absolute = realpath(found, NULL);
	if (pipe) {
		hp_fail(err, "%s: not a regular file, which a model must be", found);
		free(absolute);
		absolute = NULL;
	} else if (!absolute && !strchr(name, '/') && errno == ENOENT) {
		hp_fail(err, "%s: No such file or directory; an installed model is named without .safetensors", name);
	} else if (!absolute) {
		hp_fail_errno(err, found);
	}
	free(found);
	return absolute;
}
