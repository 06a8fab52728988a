/* file.c: files written beside their place and renamed. */
#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hp_file {
	char *path; /* as given, for messages */
	char *target; /* what PATH's symbolic links lead to */
	char *temporary; /* NULL: the target is written directly */
	FILE *stream;
};

enum { MAX_LINKS = 40, MAX_ATTEMPTS = 1000, NAME_BYTES = 200 /* of the target, in the name of what is beside it */ };

static void file_destroy(hp_file *file)
{
	if (!file)
		return;
	if (file->stream)
		fclose(file->stream);
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	free(file->target);
	free(file->path);
	free(file);
}

/* The name LINK holds, seen from where the link itself is.  NULL with errno set. */
static char *link_target(const char *link)
{
	char text[PATH_MAX + 1];
	ssize_t length = readlink(link, text, PATH_MAX);
	const char *slash = strrchr(link, '/');
	char *result;

	if (length < 0)
		return NULL;
	text[length] = '\0';
	if (text[0] == '/' || !slash)
		return strdup(text);
	if (asprintf(&result, "%.*s%s", (int)(slash - link + 1), link, text) < 0)
		return NULL;
	return result;
}

/* Follows symbolic links by hand, because the last one may lead to a file that is yet to be made. */
static char *resolve(const char *path)
{
	char *current = strdup(path);
	struct stat whole;

	if (stat(path, &whole) == 0 && !S_ISREG(whole.st_mode)) /* /dev/stdout leads to a pipe, which has no name */
		return current;
	for (int links = 0; current; links++) {
		struct stat info;
		char *next;

		if (lstat(current, &info) != 0 || !S_ISLNK(info.st_mode))
			return current;
		next = links < MAX_LINKS ? link_target(current) : NULL;
		if (links == MAX_LINKS)
			errno = ELOOP;
		free(current);
		current = next;
	}
	return NULL;
}

/* A file is locked while it is written: on this machine and, over NFS, on others.  One that is not is left over from a
 * process that was killed. */
static int lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_OFD_SETLK, &whole);
}

bool hp_file_lock(int fd)
{
	struct stat info;

	return fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || lock(fd) == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Whether FD, just made, is ours to write, and not about to be removed by hp_file_clean. */
static bool make_ours(int fd)
{
	struct stat info;

	return hp_file_lock(fd) && fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* A new file beside the target.  open rather than mkstemp, so that the umask has its say. */
static int open_beside(hp_file *file)
{
	const char *slash = strrchr(file->target, '/');
	const char *base = slash ? slash + 1 : file->target;
	int folder = (int)(base - file->target);

	for (int i = 0; i < MAX_ATTEMPTS; i++) {
		int fd;

		if (asprintf(&file->temporary, "%.*s.%.*s.%ld-%d.tmp", folder, file->target, NAME_BYTES, base, (long)getpid(),
		             i) < 0) {
			file->temporary = NULL;
			errno = ENOMEM;
			return -1;
		}
		fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 && make_ours(fd))
			return fd;
		bool again = fd >= 0 || errno == EEXIST;
		if (fd >= 0)
			close(fd);
		free(file->temporary);
		file->temporary = NULL;
		if (!again)
			return -1;
	}
	return -1;
}

static int open_target(hp_file *file)
{
	struct stat info;
	int fd;

	if (stat(file->target, &info) != 0)
		return errno == ENOENT ? open_beside(file) : -1;
	if (S_ISDIR(info.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (!S_ISREG(info.st_mode))
		return open(file->target, O_WRONLY | O_CLOEXEC);
	if (access(file->target, W_OK) != 0) /* a rename would not care, but whoever protected it does */
		return -1;
	fd = open_beside(file);
	if (fd >= 0 && fchmod(fd, info.st_mode & 07777) != 0) {
		int saved = errno;

		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

/* The folder that TARGET is in.  NULL: out of memory. */
static char *folder_of(const char *target)
{
	const char *slash = strrchr(target, '/');

	return slash ? strndup(target, slash == target ? 1 : (size_t)(slash - target)) : strdup(".");
}

/* Whether a file can be made beside TARGET; fails naming the folder. */
static int check_folder(const char *target, hp_error *err)
{
	char *folder = folder_of(target);
	int status = 0;

	if (!folder)
		return hp_fail_memory(err);
	if (access(folder, W_OK | X_OK) != 0)
		status = hp_fail_errno(err, folder);
	free(folder);
	return status;
}

int hp_file_check(const char *path, hp_error *err)
{
	char *target = resolve(path);
	struct stat info;
	int status = 0;

	if (!target)
		return hp_fail_errno(err, path);
	errno = 0;
	if (stat(target, &info) == 0) {
		if (S_ISDIR(info.st_mode))
			errno = EISDIR;
		else if (access(target, W_OK) == 0)
			errno = 0;
	} else if (errno == ENOENT && *target) {
		info.st_mode = S_IFREG;
		errno = 0;
	}
	if (errno != 0)
		status = hp_fail_errno(err, path);
	else if (S_ISREG(info.st_mode))
		status = check_folder(target, err);
	free(target);
	return status;
}

/* ---- left over ---- */

static const char *skip_digits(const char *s)
{
	while (isdigit((unsigned char)*s))
		s++;
	return s;
}

/* Whether NAME is one that open_beside gives to a file beside BASE; *PID is then its process. */
static bool is_beside(const char *name, const char *base, long *pid)
{
	size_t size = strnlen(base, NAME_BYTES);

	if (name[0] != '.' || strncmp(name + 1, base, size) != 0 || name[1 + size] != '.')
		return false;
	const char *number = name + size + 2, *dash = skip_digits(number), *end;
	if (dash == number || dash > number + 10 || *dash != '-')
		return false;
	end = skip_digits(dash + 1);
	*pid = strtol(number, NULL, 10);
	return end > dash + 1 && strcmp(end, ".tmp") == 0 && *pid > 0;
}

/* A process of that number that lives is left alone, be it another; ours has not begun yet. */
static bool is_gone(long pid)
{
	return pid == (long)getpid() || (kill((pid_t)pid, 0) != 0 && errno == ESRCH);
}

static void remove_unlocked(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;

	if (fd < 0)
		return;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && lock(fd) == 0)
		(void)unlinkat(folder, name, 0);
	close(fd);
}

void hp_file_clean(const char *path)
{
	char *target = resolve(path), *folder = target ? folder_of(target) : NULL;
	const char *slash = target ? strrchr(target, '/') : NULL, *base = slash ? slash + 1 : target;
	DIR *dir = folder ? opendir(folder) : NULL;
	struct dirent *entry;
	long pid;

	while (dir && *base && (entry = readdir(dir)))
		if (is_beside(entry->d_name, base, &pid) && is_gone(pid))
			remove_unlocked(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
	free(folder);
	free(target);
}

/* ---- held ---- */

struct hp_hold {
	int fd;
	char *name; /* of the file that is locked; NULL: PATH is a device or a pipe */
};

/* ".NAME.lock" beside TARGET. */
static char *lock_name(const char *target)
{
	const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
	char *name;

	return asprintf(&name, "%.*s.%.*s.lock", (int)(base - target), target, NAME_BYTES, base) < 0 ? NULL : name;
}

/* Once more where whoever held it has removed it meanwhile. */
static int take_hold(hp_hold *hold, const char *path, hp_error *err)
{
	for (int i = 0; i < MAX_ATTEMPTS; i++) {
		struct stat info;

		hold->fd = open(hold->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (hold->fd < 0)
			return hp_fail_errno(err, hold->name);
		if (!hp_file_lock(hold->fd))
			break;
		if (fstat(hold->fd, &info) == 0 && info.st_nlink > 0)
			return 0;
		close(hold->fd);
		hold->fd = -1;
	}
	return hp_fail(err, "%s: in use by another process", path);
}

int hp_file_hold(const char *path, hp_hold **out, hp_error *err)
{
	hp_hold *hold = calloc(1, sizeof(*hold));
	char *target = resolve(path);
	struct stat info;
	int status = 0;

	*out = NULL;
	if (hold)
		hold->fd = -1;
	if (!hold || !target)
		status = hp_fail_errno(err, path);
	else if (stat(target, &info) != 0 || S_ISREG(info.st_mode)) {
		hold->name = lock_name(target);
		status = hold->name ? take_hold(hold, path, err) : hp_fail_memory(err);
	}
	free(target);
	if (status == 0) {
		*out = hold;
	} else if (hold) {
		if (hold->fd >= 0)
			close(hold->fd);
		free(hold->name);
		free(hold);
	}
	return status;
}

void hp_file_release(hp_hold *hold)
{
	if (!hold)
		return;
	if (hold->name)
		unlink(hold->name); /* while it is locked: nobody else has it */
	if (hold->fd >= 0)
		close(hold->fd);
	free(hold->name);
	free(hold);
}

/* ---- the same file ---- */

/* What stat says of the folder that TARGET is in. */
static int stat_folder(const char *target, struct stat *out)
{
	char *folder = folder_of(target);
	int status = folder ? stat(folder, out) : HP_FAIL;

	free(folder);
	return status;
}

/* Whether two files that are yet to be made have one name in one folder. */
static bool same_place(const char *a, const char *b)
{
	const char *slash = strrchr(a, '/'), *other = strrchr(b, '/');
	struct stat one, two;

	return strcmp(slash ? slash + 1 : a, other ? other + 1 : b) == 0 && stat_folder(a, &one) == 0 &&
	       stat_folder(b, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

bool hp_file_same(const char *a, const char *b)
{
	char *first = resolve(a), *second = first ? resolve(b) : NULL;
	struct stat one, two;
	bool same = false;

	if (second && stat(first, &one) == 0 && stat(second, &two) == 0)
		same = S_ISREG(one.st_mode) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
	else if (second)
		same = strcmp(first, second) == 0 || same_place(first, second);
	free(first);
	free(second);
	return same;
}

/* ---- writing ---- */

int hp_file_begin(const char *path, hp_file **out, hp_error *err)
{
	hp_file *file = calloc(1, sizeof(*file));
	int fd;

	*out = NULL;
	if (!file)
		return hp_fail_memory(err);
	file->path = strdup(path);
	file->target = resolve(path);
	if (!file->path || !file->target) {
		hp_fail_errno(err, path);
		file_destroy(file);
		return HP_FAIL;
	}
	fd = open_target(file);
	if (fd < 0 || !(file->stream = fdopen(fd, "wb"))) {
		hp_fail_errno(err, path);
		if (fd >= 0)
			close(fd);
		file_destroy(file);
		return HP_FAIL;
	}
	*out = file;
	return 0;
}

FILE *hp_file_stream(hp_file *file)
{
	return file->stream;
}

const char *hp_file_temporary(const hp_file *file)
{
	return file->temporary;
}

/* The rename itself is on disk once the folder is; a file system that cannot sync folders is no reason to fail. */
static void sync_folder(const char *path)
{
	char *folder = folder_of(path);
	int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(folder);
}

static int flush_to_disk(FILE *stream)
{
	if (ferror(stream)) {
		/* the write that failed has reported its own reason; this one is for callers that did not look */
		errno = EIO;
		(void)fflush(stream);
		return -1;
	}
	if (fflush(stream) != 0)
		return -1;
	if (fsync(fileno(stream)) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		return -1;
	return 0;
}

int hp_file_commit(hp_file *file, hp_error *err)
{
	int held = fcntl(fileno(file->stream), F_DUPFD_CLOEXEC, 0); /* the lock, until the file has its name */
	int status = flush_to_disk(file->stream);

	if (status == 0) {
		status = fclose(file->stream);
		file->stream = NULL;
	}
	if (status == 0 && file->temporary) {
		status = rename(file->temporary, file->target);
		if (status == 0) {
			free(file->temporary);
			file->temporary = NULL;
			sync_folder(file->target);
		}
	}
	if (status != 0)
		status = hp_fail_errno(err, file->path);
	if (held >= 0)
		close(held);
	file_destroy(file);
	return status;
}

void hp_file_abort(hp_file *file)
{
	file_destroy(file);
}
