// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and writes entries of the cache of sections; cache.h describes it. section.c calls it
 * for every file, prune.c removes old entries.
 */
#include "supply/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bounds.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/text.h"

#include "util/poison.h"

static const char magic[8] = "ustack\r\n";

/* Header of an entry, little endian, without padding. */
struct header {
	char magic[8];
	uint64_t synthesizer;
	uint32_t arch;
	uint32_t owner;
	uint64_t shape;
	uint64_t vaddr;
	uint32_t len;
	uint32_t functions;
	uint32_t rows;
	uint32_t build_id_len;
	uint8_t build_id[CACHE_MAX_BUILD_ID];
	uint64_t sum;	/* over all fields above, and the section's bytes */
};

_Static_assert(sizeof(struct header) == 96, "no holes");
_Static_assert(USTACK_MAX_BUILD_ID <= CACHE_MAX_BUILD_ID, "any build id fits");

/* Name of an entry in two parts: "ab" and "cdef....sframe". */
struct name {
	char dir[3];
	char file[2 * CACHE_MAX_BUILD_ID + sizeof(".sframe")];
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

const char *cache_default(void)
{
	const char *path = getenv(CACHE_ENV);

	return path && *path ? path : CACHE_DEFAULT;
}

static int make_dir(const char *path, uid_t owner, gid_t group)
{
	if (mkdir(path, 0755) < 0)
		return errno == EEXIST ? 0 : -errno;
	if (owner != geteuid() && lchown(path, owner, group) < 0)
		return -errno;
	return 0;
}

int cache_open(struct cache *c, const char *path, uid_t owner, gid_t group,
	       struct diag *diag)
{
	struct stat st;
	int err;

	err = make_dir(path, owner, group);
	if (err)
		return diag_errno(diag, -err, path);
	c->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->dir < 0)
		return diag_errno(diag, errno, path);
	if (fstat(c->dir, &st) < 0)
		err = diag_errno(diag, errno, path);
	else if ((st.st_uid && st.st_uid != owner && st.st_uid != geteuid()) ||
		 st.st_mode & (S_IWGRP | S_IWOTH))
		err = diag_set(diag, EPERM, path,
			       "others may write to the cache; it is not used");
	if (err) {
		cache_release(c);
		return err;
	}
	c->path = path;
	c->owner = st.st_uid;
	c->group = st.st_gid;
	return 0;
}

void cache_release(struct cache *c)
{
	close_fd(&c->dir);
	c->dir = -1;
}

/* FNV-1a by words: as good for torn files as by bytes, and eight times as fast. */
uint64_t cache_sum(uint64_t sum, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t word;

	sum ^= 0xcbf29ce484222325 ^ len;
	for (; len; len -= len < 8 ? len : 8, p += 8) {
		word = 0;
		memcpy(&word, p, len < 8 ? len : 8);
		sum = (sum ^ word) * 0x100000001b3;
		/* a product does not carry high bits to the low ones */
		sum ^= sum >> 29;
	}
	return sum;
}

static bool name_of(const struct cache_key *key, struct name *ret)
{
	char hex[2 * CACHE_MAX_BUILD_ID + 1];

	if (key->build_id_len < 2 || key->build_id_len > CACHE_MAX_BUILD_ID)
		return false;
	text_hex(key->build_id, key->build_id_len, hex, sizeof(hex));
	memcpy(ret->dir, hex, 2);
	ret->dir[2] = '\0';
	snprintf(ret->file, sizeof(ret->file), "%s.sframe", hex + 2);
	return true;
}

static struct header header_of(const struct cache_key *key,
			       const struct cache_entry *entry)
{
	struct header h = {
		.synthesizer = cache_synthesizer,
		.arch = key->arch,
		.owner = key->owner,
		.shape = key->shape,
		.vaddr = entry->vaddr,
		.len = entry->len,
		.functions = entry->functions,
		.rows = entry->rows,
		.build_id_len = key->build_id_len,
	};

	memcpy(h.magic, magic, sizeof(h.magic));
	memcpy(h.build_id, key->build_id, key->build_id_len);
	h.sum = cache_sum(0, &h, offsetof(struct header, sum));
	h.sum = cache_sum(h.sum, entry->bytes, entry->len);
	return h;
}

static int read_all(int fd, void *buf, size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = read(fd, (uint8_t *)buf + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EBADMSG;
		done += (size_t)n;
	}
	return 0;
}

/* Checks all that does not depend on the bytes. @size: length of the entry's file. */
static int check_header(const struct header *h, const struct cache_key *key,
			int64_t size)
{
	if (memcmp(h->magic, magic, sizeof(magic)))
		return -EBADMSG;
	if (h->synthesizer != cache_synthesizer)
		return -ESTALE;
	if (h->len > USTACK_MAX_SECTION ||
	    size != (int64_t)sizeof(*h) + h->len || !h->len != !h->functions)
		return -EBADMSG;
	if (h->arch != key->arch || h->shape != key->shape ||
	    (h->owner && h->owner != key->owner) ||
	    h->build_id_len != key->build_id_len ||
	    memcmp(h->build_id, key->build_id, key->build_id_len))
		return -ESTALE;
	return 0;
}

/* Reads the bytes of an entry and checks the sum; @h has been checked. */
static int read_bytes(int fd, const struct header *h, struct cache_entry *ret)
{
	uint64_t sum = cache_sum(0, h, offsetof(struct header, sum));
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	int err;

	if (h->len) {
		bytes = malloc(h->len);
		if (!bytes)
			return -ENOMEM;
		err = read_all(fd, bytes, h->len);
		if (err)
			return err;
	}
	if (cache_sum(sum, bytes, h->len) != h->sum)
		return -EBADMSG;
	*ret = (struct cache_entry){
		.bytes = bytes,
		.len = h->len,
		.vaddr = h->vaddr,
		.functions = h->functions,
		.rows = h->rows,
	};
	bytes = NULL;
	return 0;
}

/* Updates the time of use at most once a day, so that reading writes next to nothing. */
static void mark_used(int fd, const struct stat *st)
{
	if (time(NULL) - st->st_mtime > 24 * 60 * 60)
		futimens(fd, NULL);
}

static int open_dir(const struct cache *c, const char *name)
{
	int fd = openat(c->dir, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int get_from(int dir, const char *file, const struct cache_key *key,
		    struct cache_entry *ret)
{
	_cleanup_(close_fd) int fd = -1;
	struct header h;
	struct stat st;
	int err;

	fd = openat(dir, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ELOOP ? -EBADMSG : -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(h))
		return -EBADMSG;
	err = read_all(fd, &h, sizeof(h));
	if (!err)
		err = check_header(&h, key, st.st_size);
	if (!err)
		err = read_bytes(fd, &h, ret);
	if (!err)
		mark_used(fd, &st);
	return err;
}

int cache_get(const struct cache *c, const struct cache_key *key,
	      struct cache_entry *ret)
{
	_cleanup_(close_fd) int dir = -1;
	struct name name;

	if (!name_of(key, &name))
		return -ENOENT;
	dir = open_dir(c, name.dir);
	return dir < 0 ? dir : get_from(dir, name.file, key, ret);
}

bool cache_is_stale(int dir, const char *file)
{
	_cleanup_(close_fd) int fd = -1;
	struct header h;
	int err;

	fd = openat(dir, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	err = read_all(fd, &h, sizeof(h));
	if (err)
		return err == -EBADMSG;
	return memcmp(h.magic, magic, sizeof(magic)) || h.synthesizer != cache_synthesizer;
}

/* If root writes, the file is given to the cache's owner, who may have to read it. */
static int give_to_owner(const struct cache *c, int fd)
{
	if (geteuid() || !c->owner)
		return 0;
	return fchown(fd, c->owner, c->group) < 0 ? -errno : 0;
}

static int make_subdir(const struct cache *c, const char *name)
{
	int fd = open_dir(c, name), err;

	if (fd != -ENOENT)
		return fd;
	if (mkdirat(c->dir, name, 0755) < 0 && errno != EEXIST)
		return -errno;
	fd = open_dir(c, name);
	if (fd < 0)
		return fd;
	err = give_to_owner(c, fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}

void cache_temporary(char name[CACHE_TEMPORARY_LEN])
{
	static unsigned int count;

	snprintf(name, CACHE_TEMPORARY_LEN, ".new-%ld-%u", (long)getpid(), count++);
}

static int make_temporary(int dir, char name[CACHE_TEMPORARY_LEN])
{
	int fd;

	cache_temporary(name);
	/* a process with the same pid may have left one */
	unlinkat(dir, name, 0);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0644);
	return fd < 0 ? -errno : fd;
}

static int write_entry(const struct cache *c, int fd, const struct header *h,
		       const void *bytes)
{
	int err;

	err = give_to_owner(c, fd);
	if (!err)
		err = file_write_all(fd, h, sizeof(*h));
	if (!err)
		err = file_write_all(fd, bytes, h->len);
	return err;
}

static int put_into(const struct cache *c, int dir, const char *file,
		    const struct cache_key *key, const struct cache_entry *entry)
{
	struct header h = header_of(key, entry);
	char temporary[CACHE_TEMPORARY_LEN];
	int fd, err;

	fd = make_temporary(dir, temporary);
	if (fd < 0)
		return fd;
	err = write_entry(c, fd, &h, entry->bytes);
	if (close(fd) < 0 && !err)
		err = -errno;
	if (!err && renameat(dir, temporary, dir, file) < 0)
		err = -errno;
	if (err)
		unlinkat(dir, temporary, 0);
	return err;
}

/* Whether the present entry is better than the new one: a file of root's wins over another
 * user's, and one with functions over an empty one of another file.
 */
static bool keeps(int dir, const char *file, const struct cache_key *key,
		  const struct cache_entry *entry)
{
	_cleanup_(cache_entry_release) struct cache_entry there =
		CACHE_ENTRY_INIT;
	_cleanup_(close_fd) int fd = -1;
	struct cache_key its = *key;
	struct header h;
	struct stat st;

	fd = openat(dir, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    read_all(fd, &h, sizeof(h)))
		return false;
	its.shape = h.shape;
	its.owner = h.owner;
	if (check_header(&h, &its, st.st_size) || read_bytes(fd, &h, &there))
		return false;
	if (h.owner != key->owner)
		return !h.owner;
	return h.shape != key->shape && !entry->functions;
}

int64_t cache_put(const struct cache *c, const struct cache_key *key,
		  const struct cache_entry *entry)
{
	_cleanup_(close_fd) int dir = -1;
	struct name name;
	int err;

	if (!name_of(key, &name))
		return -EINVAL;
	dir = make_subdir(c, name.dir);
	if (dir < 0)
		return dir;
	if (keeps(dir, name.file, key, entry))
		return 0;
	err = put_into(c, dir, name.file, key, entry);
	return err ? err : (int64_t)sizeof(struct header) + entry->len;
}

void cache_entry_release(struct cache_entry *entry)
{
	free(entry->bytes);
	*entry = (struct cache_entry)CACHE_ENTRY_INIT;
}
