// SPDX-License-Identifier: GPL-2.0-only
/*
 * Positions of targets as text, and their files. A file has one line, in the format that
 * Documentation/push.md describes; the text has a checksum.
 */
#include "serve/push/position.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "util/file.h"

#include "util/poison.h"

#define HEAD "ustack-push 1 "
#define NR_NUMBERS 7

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

bool push_point_before(const struct push_point *a, const struct push_point *b)
{
	int c = compare(a->window.segment, b->window.segment);

	if (!c)
		c = compare(a->window.record, b->window.record);
	if (!c)
		c = compare(a->sample, b->sample);
	return c < 0;
}

static unsigned long checksum(const char *text, size_t len)
{
	return crc32(0, (const unsigned char *)text, (unsigned int)len);
}

size_t push_position_format(const struct push_position *p, char buf[PUSH_POSITION_BYTES])
{
	int n = snprintf(buf, PUSH_POSITION_BYTES,
			 HEAD "%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			 " %" PRIu64 " %" PRIu64 " %" PRIu64 " ",
			 p->order, p->next.window.segment, p->next.window.record, p->next.sample,
			 p->until.window.segment, p->until.window.record, p->until.sample);

	/* at most 14 + 16 + 6 * 20 + 7 + 9 bytes: HEAD, @order, six numbers, spaces, checksum */
	return (size_t)n + (size_t)snprintf(buf + n, PUSH_POSITION_BYTES - (size_t)n, "%08lx\n",
					    checksum(buf, (size_t)n));
}

int push_position_parse(const char *text, size_t len, const char *file,
			struct push_position *ret, struct diag *diag)
{
	char copy[PUSH_POSITION_BYTES], again[PUSH_POSITION_BYTES];
	struct push_position p;
	int nr;

	if (len >= sizeof(copy))
		return diag_set(diag, EBADMSG, file, "is not a position: it is too long");
	memcpy(copy, text, len);
	copy[len] = '\0';
	nr = sscanf(copy, HEAD "%" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		    " %" SCNu64 " %" SCNu64, &p.order, &p.next.window.segment,
		    &p.next.window.record, &p.next.sample, &p.until.window.segment,
		    &p.until.window.record, &p.until.sample);
	/* only the exact text that would be written for these numbers is accepted */
	if (nr != NR_NUMBERS || push_position_format(&p, again) != len ||
	    memcmp(again, copy, len))
		return diag_set(diag, EBADMSG, file, "is not a position, or is damaged");
	if (push_point_before(&p.until, &p.next))
		return diag_set(diag, EBADMSG, file, "is a position that ends before it begins");
	*ret = p;
	return 0;
}

int push_position_load(const char *path, struct push_position *ret, struct diag *diag)
{
	char text[PUSH_POSITION_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	n = read(fd, text, sizeof(text));
	close(fd);
	if (n < 0)
		return diag_errno(diag, errno, path);
	return push_position_parse(text, (size_t)n, path, ret, diag);
}

/* The name of the new file is not random: killed processes leave one such file, not many. */
static int write_new(const char *path, const struct push_position *p)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	char text[PUSH_POSITION_BYTES];
	int err;

	if (fd < 0)
		return -errno;
	err = file_write_all(fd, text, push_position_format(p, text));
	if (!err && fdatasync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int push_position_save(const char *path, const struct push_position *p, struct diag *diag)
{
	char *new;
	int err;

	if (asprintf(&new, "%s.new", path) < 0)
		return diag_errno(diag, ENOMEM, path);
	err = write_new(new, p);
	if (!err && rename(new, path))
		err = -errno;
	free(new);
	return err ? diag_errno(diag, -err, path) : 0;
}
