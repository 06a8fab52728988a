/* input.c: bytes as they arrive, or what they are once unpacked.
 *
 * Whether they are gzip data shows in the first three, which are asked for alone: text is then known by its first byte,
 * and nobody waits for more. */
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/gunzip.h"

enum { BLOCK = 128 * 1024 };

struct hp_input {
	char *name;
	int fd; /* -1: memory */
	bool owns_fd;
	bool eof;
	char *buffer; /* NULL for memory */
	size_t capacity;
	const char *data; /* unread bytes: in buffer, or in the memory given */
	size_t size;
	/* The source: whether its kind is known, whether it has ended; while it is not known, its first bytes. */
	bool known, ended;
	char first[HP_GZIP_MARK];
	size_t first_size;
	hp_gunzip *gunzip; /* NULL: plain */
	char *packed_buffer; /* [BLOCK]; NULL for memory */
	const char *packed; /* bytes not yet unpacked */
	size_t packed_size;
};

static int input_new(int fd, bool owns_fd, const char *name, hp_input **out, hp_error *err)
{
	hp_input *in = calloc(1, sizeof(*in));

	*out = NULL;
	if (in)
		in->name = strdup(name);
	if (!in || !in->name) {
		free(in);
		if (owns_fd)
			close(fd);
		return hp_fail_memory(err);
	}
	in->fd = fd;
	in->owns_fd = owns_fd;
	*out = in;
	return 0;
}

int hp_input_open(const char *path, hp_input **out, hp_error *err)
{
	int fd;

	if (!path || strcmp(path, "-") == 0)
		return input_new(STDIN_FILENO, false, "<stdin>", out, err);
	*out = NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return hp_fail_errno(err, path);
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return input_new(fd, true, path, out, err);
}

int hp_input_from_fd(int fd, const char *name, hp_input **out, hp_error *err)
{
	return input_new(fd, false, name, out, err);
}

int hp_input_from_memory(const void *data, size_t size, const char *name, hp_input **out, hp_error *err)
{
	if (input_new(-1, false, name, out, err) != 0)
		return HP_FAIL;
	(*out)->known = (*out)->ended = true;
	if (size >= HP_GZIP_MARK && hp_is_gzip(data, size)) {
		(*out)->packed = data;
		(*out)->packed_size = size;
		if (hp_gunzip_new(&(*out)->gunzip, err) == 0)
			return 0;
		hp_input_close(*out);
		*out = NULL;
		return HP_FAIL;
	}
	(*out)->data = data;
	(*out)->size = size;
	(*out)->eof = true;
	return 0;
}

void hp_input_close(hp_input *in)
{
	if (!in)
		return;
	if (in->owns_fd)
		close(in->fd);
	hp_gunzip_destroy(in->gunzip);
	free(in->packed_buffer);
	free(in->buffer);
	free(in->name);
	free(in);
}

const char *hp_input_name(const hp_input *in)
{
	return in->name;
}

/* Whether read would return at once. */
static bool arrived(int fd, int milliseconds)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;

	do
		n = poll(&p, 1, milliseconds);
	while (n < 0 && errno == EINTR);
	return n != 0; /* a poll that fails leaves it to read to say why */
}

/* One read, which takes what there is.  *GOT is 0 if nothing has arrived, and at the end. */
static int read_source(hp_input *in, void *dst, size_t size, bool wait, size_t *got, hp_error *err)
{
	struct pollfd p = {.fd = in->fd, .events = POLLIN};
	ssize_t n;

	*got = 0;
	if (in->ended || (!wait && !arrived(in->fd, 0)))
		return 0;
	for (;;) {
		n = read(in->fd, dst, size);
		if (n >= 0)
			break;
		if (errno == EAGAIN || errno == EWOULDBLOCK) { /* somebody made our input non-blocking */
			if (!wait)
				return 0;
			(void)poll(&p, 1, -1);
		} else if (errno != EINTR) {
			return hp_fail_errno(err, in->name);
		}
	}
	if (n == 0)
		in->ended = true;
	*got = n;
	return 0;
}

/* What was read to tell the kind becomes the beginning of what is to be unpacked. */
static int begin_unpacking(hp_input *in, hp_error *err)
{
	if (!in->packed_buffer && !(in->packed_buffer = malloc(BLOCK)))
		return hp_fail_memory(err);
	if (hp_gunzip_new(&in->gunzip, err) != 0)
		return HP_FAIL;
	memcpy(in->packed_buffer, in->first, in->first_size);
	in->packed = in->packed_buffer;
	in->packed_size = in->first_size;
	in->first_size = 0;
	return 0;
}

/* Finds out what kind of source this is, if enough has arrived for that or WAIT. */
static int know(hp_input *in, bool wait, hp_error *err)
{
	while (!in->known) {
		size_t got;

		if (read_source(in, in->first + in->first_size, HP_GZIP_MARK - in->first_size, wait, &got, err) != 0)
			return HP_FAIL;
		if (got == 0 && !in->ended)
			return 0;
		in->first_size += got;
		in->known = in->ended || in->first_size == HP_GZIP_MARK || !hp_is_gzip(in->first, in->first_size);
	}
	if (in->first_size == HP_GZIP_MARK && !in->gunzip && hp_is_gzip(in->first, HP_GZIP_MARK))
		return begin_unpacking(in, err);
	return 0;
}

/* *GOT is 0 if too little has arrived, and at the end. */
static int unpack(hp_input *in, void *dst, size_t size, bool wait, size_t *got, hp_error *err)
{
	for (;;) {
		size_t more;

		if (hp_gunzip_some(in->gunzip, &in->packed, &in->packed_size, dst, size, got, in->name, err) != 0)
			return HP_FAIL;
		if (*got > 0)
			return 0;
		if (in->ended) {
			in->eof = hp_gunzip_end(in->gunzip, in->name, err) == 0;
			return in->eof ? 0 : HP_FAIL;
		}
		if (read_source(in, in->packed_buffer, BLOCK, wait, &more, err) != 0)
			return HP_FAIL;
		in->packed = in->packed_buffer;
		in->packed_size = more;
		if (more == 0 && !in->ended)
			return 0;
	}
}

/* The next bytes of what is read.  *GOT is 0 if nothing has arrived, and at the end. */
static int read_some(hp_input *in, char *dst, size_t size, bool wait, size_t *got, hp_error *err)
{
	size_t held;

	*got = 0;
	if (in->eof)
		return 0;
	if (know(in, wait, err) != 0)
		return HP_FAIL;
	if (!in->known)
		return 0;
	if (in->gunzip)
		return unpack(in, dst, size, wait, got, err);
	held = in->first_size; /* and there is room for that and more */
	memcpy(dst, in->first, held);
	in->first_size = 0;
	if (read_source(in, dst + held, size - held, wait && held == 0, got, err) != 0)
		return HP_FAIL;
	*got += held;
	in->eof = in->ended;
	return 0;
}

/* Makes room for a good read behind the unread bytes.  The buffer doubles as data comes, never by what is merely
 * asked for: a length in a damaged file must not cost memory. */
static int make_room(hp_input *in, hp_error *err)
{
	size_t before = in->data ? (size_t)(in->data - in->buffer) : 0;
	size_t behind = in->capacity - before - in->size;
	size_t capacity = in->capacity ? in->capacity : BLOCK;
	char *buffer;

	if (behind >= BLOCK / 2)
		return 0;
	if (before > 0) {
		memmove(in->buffer, in->data, in->size);
		in->data = in->buffer;
	}
	if (in->buffer && in->capacity - in->size >= in->capacity / 2)
		return 0;
	if (in->buffer) {
		if (capacity > SIZE_MAX / 2)
			return hp_fail_memory(err);
		capacity *= 2;
	}
	buffer = realloc(in->buffer, capacity);
	if (!buffer)
		return hp_fail_memory(err);
	in->buffer = buffer;
	in->capacity = capacity;
	in->data = buffer;
	return 0;
}

static int fill(hp_input *in, bool wait, size_t *got, hp_error *err)
{
	size_t used;

	*got = 0;
	if (in->eof)
		return 0;
	if (make_room(in, err) != 0)
		return HP_FAIL;
	used = (size_t)(in->data - in->buffer) + in->size;
	if (read_some(in, in->buffer + used, in->capacity - used, wait, got, err) != 0)
		return HP_FAIL;
	in->size += *got;
	return 0;
}

int hp_input_peek(hp_input *in, size_t want, const char **data, size_t *size, hp_error *err)
{
	size_t got;

	while (in->size < want && !in->eof)
		if (fill(in, true, &got, err) != 0)
			return HP_FAIL;
	*data = in->data ? in->data : "";
	*size = in->size;
	return 0;
}

int hp_input_gather(hp_input *in, size_t want, bool wait, const char **data, size_t *size, hp_error *err)
{
	bool more = true;

	while (!wait && in->size < want && more && !in->eof)
		if (hp_input_poll(in, &more, err) != 0)
			return HP_FAIL;
	return hp_input_peek(in, wait ? want : 0, data, size, err);
}

int hp_input_line(hp_input *in, long number, const char **line, size_t *size, hp_error *err)
{
	const size_t limit = (size_t)1 << 20;
	const char *end = NULL;

	for (size_t want = 1; !end; want = *size + 1) {
		if (hp_input_peek(in, want, line, size, err) != 0)
			return HP_FAIL;
		end = memchr(*line, '\n', *size);
		if (*size < want) /* the end */
			break;
		if ((end ? (size_t)(end - *line) : *size) > limit)
			return hp_fail_at(err, in->name, number, "a line of more than %zu MiB", limit >> 20);
	}
	if (end)
		*size = (size_t)(end - *line) + 1;
	if (number == 1 && *size >= 3 && memcmp(*line, "\xEF\xBB\xBF", 3) == 0) {
		hp_input_skip(in, 3);
		*line += 3;
		*size -= 3;
	}
	return memchr(*line, '\0', *size) ? hp_fail_at(err, in->name, number, "a NUL byte, expected text") : 0;
}

void hp_input_skip(hp_input *in, size_t size)
{
	if (size > in->size)
		size = in->size;
	if (size == 0)
		return;
	in->data += size;
	in->size -= size;
	if (in->size == 0 && in->buffer)
		in->data = in->buffer;
}

int hp_input_read(hp_input *in, void *dst, size_t size, bool wait, size_t *got, hp_error *err)
{
	size_t done = 0;

	*got = 0;
	while (done < size) {
		size_t n = size - done < in->size ? size - done : in->size;

		if (n > 0) {
			memcpy((char *)dst + done, in->data, n);
			hp_input_skip(in, n);
		} else if (size - done >= BLOCK) {
			if (read_some(in, (char *)dst + done, size - done, wait, &n, err) != 0)
				return HP_FAIL;
		} else if (fill(in, wait, &n, err) != 0) {
			return HP_FAIL;
		} else if (n > 0) {
			continue;
		}
		if (n == 0)
			break;
		done += n;
	}
	*got = done;
	return 0;
}

bool hp_input_wait(const hp_input *in, int milliseconds)
{
	return in->size > 0 || in->packed_size > 0 || in->ended || in->fd < 0 || arrived(in->fd, milliseconds);
}

int hp_input_poll(hp_input *in, bool *more, hp_error *err)
{
	bool eof = in->eof;
	size_t got;

	*more = false;
	if (fill(in, false, &got, err) != 0)
		return HP_FAIL;
	*more = got > 0 || in->eof != eof;
	return 0;
}

bool hp_input_at_end(const hp_input *in)
{
	return in->eof && in->size == 0;
}

bool hp_input_eof_seen(const hp_input *in)
{
	return in->eof;
}

bool hp_input_is_gzip(const hp_input *in)
{
	return in->gunzip != NULL;
}
