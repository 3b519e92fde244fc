/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs among the tests of kernel/pgo share: modules without the
 * tools for them, files without a library in between. Errors are returned as
 * errno has them, so that a test can say which of them it allows.
 */
#ifndef _PGO_UTIL_H
#define _PGO_UTIL_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../kselftest.h"

#define PGO_DIR "/sys/kernel/debug/pgo"

struct pgo_buf {
	size_t size;
	char *bytes;
};

static inline void pgo_profile_path(char path[128], const char *image)
{
	snprintf(path, 128, PGO_DIR "/%s.profraw", image);
}

/* Write @text as one piece. */
static inline int pgo_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t size = strlen(text);
	int err = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, size) != size)
		err = errno;
	close(fd);
	return err;
}

/* Read up to the end, in pieces of @chunk bytes; @buf is to be freed if 0. */
static inline int pgo_read_fd(int fd, size_t chunk, struct pgo_buf *buf)
{
	size_t room = 0;
	ssize_t n;

	*buf = (struct pgo_buf) { 0 };
	for (;;) {
		if (room - buf->size < chunk) {
			room = 2 * room + chunk;
			buf->bytes = realloc(buf->bytes, room);
			if (!buf->bytes)
				exit(1);
		}
		n = read(fd, buf->bytes + buf->size, chunk);
		if (n <= 0)
			break;
		buf->size += n;
	}
	if (!n)
		return 0;
	n = errno;
	free(buf->bytes);
	return n;
}

static inline int pgo_read(const char *path, size_t chunk, struct pgo_buf *buf)
{
	int fd = open(path, O_RDONLY);
	int err;

	if (fd < 0)
		return errno;
	err = pgo_read_fd(fd, chunk, buf);
	close(fd);
	return err;
}

static inline bool pgo_same(const struct pgo_buf *a, const struct pgo_buf *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* Is this a raw profile of a kernel of 64 bits? */
static inline bool pgo_is_profile(const struct pgo_buf *buf)
{
	const unsigned long long magic = 0xff6c70726f667281;	/* "\377lprofr\201" */

	return buf->size > sizeof(magic) &&
	       !memcmp(buf->bytes, &magic, sizeof(magic));
}

/* Load the module @name of folder @dir with parameters @args. */
static inline int pgo_load(const char *dir, const char *name, const char *args)
{
	char path[4096];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s.ko", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		perror(path);
		exit(1);
	}
	if (syscall(SYS_finit_module, fd, args, 0))
		err = errno;
	close(fd);
	return err;
}

static inline int pgo_unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
}

/* Have a module do @n times what it is for. */
static inline int pgo_run(const char *name, unsigned int n)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/run", name);
	snprintf(text, sizeof(text), "%u", n);
	return pgo_write(path, text);
}

#endif /* _PGO_UTIL_H */
