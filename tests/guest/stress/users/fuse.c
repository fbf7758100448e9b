// SPDX-License-Identifier: GPL-2.0-only
/*
 * A FUSE server in a child process that serves one file and can be told to stop answering
 * (fuse.h). The tests use it as a file system of an unprivileged user.
 */
#include "fuse.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "users.h"

#define FILE_NODE 2
#define BUFFER (256u << 10)
#define LONG_TIME 1000000	/* seconds for which the kernel caches answers */

/* All times are the same, whatever the file contains. */
static void fill_attr(const struct fuse *f, uint64_t node, struct fuse_attr *attr)
{
	*attr = (struct fuse_attr){
		.ino = node,
		.size = node == FILE_NODE ? f->len : 0,
		.atime = 1700000000, .mtime = 1700000000, .ctime = 1700000000,
		.mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755,
		.nlink = 1,
		.blksize = 4096,
	};
}

static void answer(int dev, uint64_t unique, int err, const void *data, size_t len)
{
	static uint8_t out[BUFFER + sizeof(struct fuse_out_header)];
	struct fuse_out_header h = {
		.len = sizeof(h) + len, .error = err, .unique = unique,
	};

	memcpy(out, &h, sizeof(h));
	if (len)
		memcpy(out + sizeof(h), data, len);
	/* the kernel may have cancelled the request */
	if (write(dev, out, h.len) < 0 && errno != ENOENT)
		_exit(3);
}

static void answer_init(int dev, const struct fuse_in_header *in)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION, .minor = 31,
		.max_readahead = 65536, .max_write = 65536,
	};

	answer(dev, in->unique, 0, &out, sizeof(out));
}

static void answer_lookup(struct fuse *f, int dev, const struct fuse_in_header *in,
			  const char *name)
{
	struct fuse_entry_out out = {
		.nodeid = FILE_NODE, .generation = 1,
		.entry_valid = LONG_TIME, .attr_valid = LONG_TIME,
	};

	if (strcmp(name, "lib")) {
		answer(dev, in->unique, -ENOENT, NULL, 0);
		return;
	}
	fill_attr(f, FILE_NODE, &out.attr);
	answer(dev, in->unique, 0, &out, sizeof(out));
}

static void answer_getattr(struct fuse *f, int dev, const struct fuse_in_header *in)
{
	struct fuse_attr_out out = { .attr_valid = LONG_TIME };

	fill_attr(f, in->nodeid, &out.attr);
	answer(dev, in->unique, 0, &out, sizeof(out));
}

static void answer_open(struct fuse *f, int dev, const struct fuse_in_header *in)
{
	struct fuse_open_out out = {
		.open_flags = FOPEN_KEEP_CACHE | (f->direct ? FOPEN_DIRECT_IO : 0),
	};

	answer(dev, in->unique, 0, &out, sizeof(out));
}

static void answer_read(struct fuse *f, int dev, const struct fuse_in_header *in,
			const struct fuse_read_in *read)
{
	size_t len = read->offset < f->len ? f->len - read->offset : 0;

	if (f->silent) {
		f->unanswered++;
		return;
	}
	answer(dev, in->unique, 0, f->bytes + read->offset,
	       len < read->size ? len : read->size);
}

static int serve(struct fuse *f, int dev)
{
	static uint8_t buf[BUFFER];
	const struct fuse_in_header *in = (const void *)buf;
	const void *body = buf + sizeof(*in);
	ssize_t n;

	for (;;) {
		n = read(dev, buf, sizeof(buf));
		if (n < 0 && (errno == EINTR || errno == ENOENT || errno == EAGAIN))
			continue;
		if (n < (ssize_t)sizeof(*in))
			return errno != ENODEV;		/* the file system was unmounted */
		switch (in->opcode) {
		case FUSE_INIT: answer_init(dev, in); break;
		case FUSE_LOOKUP: answer_lookup(f, dev, in, body); break;
		case FUSE_GETATTR: answer_getattr(f, dev, in); break;
		case FUSE_OPEN: answer_open(f, dev, in); break;
		case FUSE_READ: answer_read(f, dev, in, body); break;
		case FUSE_RELEASE:
		case FUSE_FLUSH: answer(dev, in->unique, 0, NULL, 0); break;
		case FUSE_FORGET:
		case FUSE_BATCH_FORGET:
		case FUSE_INTERRUPT: break;
		default: answer(dev, in->unique, -ENOSYS, NULL, 0);
		}
	}
}

struct served {
	struct fuse *fuse;
	int dev;
};

static int serve_as_nobody(void *arg)
{
	struct served *s = arg;

	return serve(s->fuse, s->dev);
}

struct fuse *fuse_start(const char *dir, const uint8_t *bytes, size_t len)
{
	struct fuse *f = shared_memory(sizeof(*f));
	struct served s = { .fuse = f };
	char options[128];
	struct stat st;

	*f = (struct fuse){ .dir = dir, .bytes = bytes, .len = len };
	mkdir(dir, 0755);
	s.dev = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (s.dev < 0)
		return NULL;
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40755,user_id=%d,group_id=%d,allow_other", s.dev,
		 NOBODY, NOBODY);
	if (mount("nobody", dir, "fuse", MS_NOSUID | MS_NODEV, options))
		die_errno("mount of FUSE");
	f->server = user_start(NOBODY, serve_as_nobody, &s);
	close(s.dev);
	snprintf(options, sizeof(options), "%s/lib", dir);
	if (stat(options, &st) || st.st_size != (off_t)len)
		die_errno("the server on FUSE");
	return f;
}

void fuse_kill(struct fuse *f)
{
	if (f->server)
		stop(f->server);
	f->server = 0;
}

void fuse_stop(struct fuse *f)
{
	fuse_kill(f);
	if (umount2(f->dir, MNT_DETACH))
		die_errno("unmount of FUSE");
	munmap(f, sizeof(*f));
}
