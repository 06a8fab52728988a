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
#define FILE_ENDING ".safetensors"

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

static bool ends_as_file(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && end != name && strcmp(end, FILE_ENDING) == 0;
}

static bool names_file(const char *name)
{
	return strchr(name, '/') != NULL || ends_as_file(name);
}

/* malloc'ed PATH-KIND.safetensors, if that can be read and PATH cannot; else NULL. */
static char *try_prefix(const char *path, const char *kind)
{
	char *found;

	if (access(path, F_OK) == 0 || ends_as_file(path) || asprintf(&found, "%s-%s" FILE_ENDING, path, kind) < 0)
		return NULL;
	if (access(found, R_OK) == 0)
		return found;
	free(found);
	return NULL;
}

/* The model that is called NAME, or the one of KIND of a language that is. */
static char *find_named(const char *name, const char *kind, hp_error *err)
{
	char *found, *absolute;
	struct stat info;

	if (!names_file(name))
		found = search_folders(name, kind, err);
	else if (!(found = try_prefix(name, kind)) && !(found = strdup(name)))
		hp_fail_memory(err);
	if (!found)
		return NULL;
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

/* ---- models that go with another ---- */

static bool is_parser(const char *kind)
{
	return strcmp(kind, "dep") == 0 || strcmp(kind, "rst") == 0;
}

/* Bytes of NAME before "-dep" and the like, if it names a model of another kind that way; else 0.  Without APART parsers are
 * of one kind. */
static size_t stem_of(const char *name, const char *kind, bool apart)
{
	static const char *const kinds[] = {"dep", "rst", "tok", "tag", "edu"};
	size_t size = strlen(name), tail = ends_as_file(name) ? sizeof(FILE_ENDING) - 1 : 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && size > tail + 4; i++)
		if (name[size - tail - 4] == '-' && strncmp(name + size - tail - 3, kinds[i], 3) == 0 &&
		    strcmp(kinds[i], kind) != 0 && (apart || !(is_parser(kinds[i]) && is_parser(kind))))
			return size - tail - 4;
	return 0;
}

static char *find_stem(const char *name, size_t size, const char *kind, hp_error *err)
{
	char *other, *found;

	if (size == 0)
		return find_named(name, kind, err);
	if (asprintf(&other, "%.*s-%s%s", (int)size, name, kind, names_file(name) ? FILE_ENDING : "") < 0) {
		hp_fail_memory(err);
		return NULL;
	}
	found = find_named(other, kind, err);
	free(other);
	return found;
}

char *hp_model_find_with(const char *name, const char *kind, hp_error *err)
{
	return find_stem(name, stem_of(name, kind, false), kind, err);
}

char *hp_model_find_beside(const char *name, const char *kind, hp_error *err)
{
	return find_stem(name, stem_of(name, kind, true), kind, err);
}

/* Whether the file at PATH is a parser's model; one that cannot be read is told of by who opens it. */
static bool is_parsers(const char *path)
{
	hp_safetensors *file;

	if (hp_safetensors_open(path, &file, NULL) != 0)
		return false;
	const char *task = hp_safetensors_meta(file, "task");
	bool parsers = task && is_parser(task);
	hp_safetensors_close(file);
	return parsers;
}

const char *hp_model_environment(void)
{
	const char *set = getenv("HP_MODEL");

	return set && *set != '\0' ? set : NULL;
}

char *hp_model_file(const char *path)
{
	char *name;

	return asprintf(&name, "%s%s", strchr(path, '/') ? "" : "./", path) < 0 ? NULL : name;
}

char *hp_model_find(const char *name, const char *kind, hp_error *err)
{
	const char *set = hp_model_environment();
	char *found;

	if (name)
		return find_named(*name != '\0' ? name : HP_DEFAULT_MODEL, kind, err);
	if (!set)
		return find_named(HP_DEFAULT_MODEL, kind, err);
	found = hp_model_find_with(set, kind, err);
	if (found && !is_parser(kind) && is_parsers(found)) {
		free(found);
		found = find_named(HP_DEFAULT_MODEL, kind, err);
	}
	return found;
}
