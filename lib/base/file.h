/* file.h: a file that is either the old one or the whole new one.
 *
 * What is written goes into a file of another name in the same folder, which takes PATH's place when it is complete
 * and safely on disk.  A symbolic link stays one: the file it points to is replaced.  An old file's permissions are
 * kept, a new file gets those of the umask.  PATH may also be a device or a pipe, which is simply written to. */
#ifndef HP_FILE_H
#define HP_FILE_H
#include <stdbool.h>
#include <stdio.h>
#include "base/error.h"

typedef struct hp_file hp_file;

/* Fails now as hp_file_begin would: no folder, a folder, not writable. */
int hp_file_check(const char *path, hp_error *err) HP_USE_RESULT;
/* Removes what processes that were killed have left beside PATH: files named as hp_file_begin does it, which nobody writes
 * and whose process is no more on this machine. */
void hp_file_clean(const char *path);
/* Whether two names are one regular file, or would be once it is made.  Devices and pipes never are. */
bool hp_file_same(const char *a, const char *b);
/* Locks FD until it is closed, or the process ends in whatever way.  False: another process has locked it.  Other files than
 * regular ones, and file systems without locks, are never refused; over NFS other machines are seen as well. */
bool hp_file_lock(int fd) HP_USE_RESULT;
/* PATH is this process's until it is released: fails while another one holds it.  What is locked is an empty file
 * ".NAME.lock" beside it, which a process that was killed leaves to the next one. */
typedef struct hp_hold hp_hold;
int hp_file_hold(const char *path, hp_hold **out, hp_error *err) HP_USE_RESULT;
void hp_file_release(hp_hold *hold); /* accepts NULL */

int hp_file_begin(const char *path, hp_file **out, hp_error *err) HP_USE_RESULT;
FILE *hp_file_stream(hp_file *file); /* write here; do not close */
/* The name that the file bears until it is committed; NULL: a device or a pipe.  It belongs to FILE. */
const char *hp_file_temporary(const hp_file *file);
/* Both destroy FILE.  After a failed commit the old file is still there and nothing is left beside it. */
int hp_file_commit(hp_file *file, hp_error *err) HP_USE_RESULT;
void hp_file_abort(hp_file *file); /* accepts NULL */

#endif
