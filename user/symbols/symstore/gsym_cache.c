// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder of cached GSYM files, see gsym_cache.h. A file's name is a hash of
 * everything that determines its content.
 */
#include "symbols/symstore/gsym_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "util/array.h"
#include "util/text.h"

#include "util/poison.h"

#define MISS ".miss"

void gsym_cache_default(char ret[PATH_MAX])
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		snprintf(ret, PATH_MAX, "%s/ustack/symbols", xdg);
	else
		snprintf(ret, PATH_MAX, "%s/.cache/ustack/symbols", home ? home : "/root");
}

/* Creates a folder and its parents, like mkdir -p. */
static void make_folders(char *path)
{
	char *p;

	for (p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	mkdir(path, 0700);
}

int gsym_cache_open(struct gsym_cache *c, const char *path, uint64_t max, struct diag *diag)
{
	char place[PATH_MAX];
	struct stat st;

	if (path)
		snprintf(place, sizeof(place), "%s", path);
	else
		gsym_cache_default(place);
	make_folders(place);
	c->max = max;
	c->dir = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->dir < 0)
		return diag_set(diag, errno, NULL, "%s: %s: names are not kept", place,
				strerror(errno));
	if (fstat(c->dir, &st) || (st.st_uid != geteuid() && st.st_uid) ||
	    st.st_mode & (S_IWGRP | S_IWOTH)) {
		close(c->dir);
		c->dir = -1;
		return diag_set(diag, EPERM, NULL,
				"%s: others may write there: names are not kept", place);
	}
	if (faccessat(c->dir, ".", W_OK | X_OK, AT_EACCESS))
		return diag_set(diag, errno, NULL, "%s: %s: new names are not kept", place,
				strerror(errno));
	return 0;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < 8; i++, v >>= 8)
		h = (h ^ (v & 0xff)) * 0x100000001b3;
	return h;
}

static uint64_t mix_file(uint64_t h, const struct stat *st, bool identity)
{
	h = mix(mix(h, (uint64_t)st->st_size), st->st_uid);
	if (!identity)
		return h;
	h = mix(mix(h, st->st_dev), st->st_ino);
	return mix(mix(h, (uint64_t)st->st_ctim.tv_sec), (uint64_t)st->st_ctim.tv_nsec);
}

void gsym_cache_name(const struct gsym_cache_key *key, char ret[NAME_MAX])
{
	uint64_t h = mix(0xcbf29ce484222325, GSYM_CACHE_FORMAT);
	char id[2 * SYMSTORE_MAX_BUILD_ID + 1] = "none";
	const char *c;

	if (key->len)
		text_hex(key->build_id, key->len, id, sizeof(id));
	/* files with the same build id have the same content, wherever they are */
	h = mix_file(h, key->own, !key->len);
	if (key->debug)
		h = mix_file(h, key->debug, false);
	if (key->bsym)
		h = mix_file(mix(h, 0x6273796d), key->bsym, true);
	if (key->fetched)
		h = mix(h, 0x7365727665);
	for (c = key->servers; c && *c; c++)
		h = mix(h, (uint8_t)*c);
	snprintf(ret, NAME_MAX, "%.2s/%s-%016" PRIx64, id, id + 2, h);
}

static void path_of(const struct gsym_cache *c, const char *name, char ret[PATH_MAX])
{
	snprintf(ret, PATH_MAX, "/proc/self/fd/%d/%s", c->dir, name);
}

static void entry_name(const char *name, enum symstore_source source, char ret[NAME_MAX])
{
	static const char *const kinds[] = {
		[SYMSTORE_NOTHING] = "", [SYMSTORE_DYNSYM] = "dynsym",
		[SYMSTORE_BSYM] = "bsym", [SYMSTORE_SYMTAB] = "symtab",
		[SYMSTORE_DWARF] = "dwarf",
	};

	snprintf(ret, NAME_MAX, "%.200s.%s.gsym", name, kinds[source]);
}

enum symstore_source gsym_cache_find(const struct gsym_cache *c, const char *name,
				     char ret[PATH_MAX])
{
	static const struct timespec now[2] = { { .tv_nsec = UTIME_NOW },
						{ .tv_nsec = UTIME_OMIT } };
	enum symstore_source source = c->dir < 0 ? SYMSTORE_NOTHING : SYMSTORE_DWARF;
	char entry[NAME_MAX];

	for (; source; source--) {
		entry_name(name, source, entry);
		if (!faccessat(c->dir, entry, R_OK, 0))
			break;
	}
	if (!source)
		return source;
	utimensat(c->dir, entry, now, 0);
	path_of(c, entry, ret);
	return source;
}

static bool has_room(const struct gsym_cache *c, uint64_t room)
{
	struct statvfs fs;

	return !fstatvfs(c->dir, &fs) && (uint64_t)fs.f_bavail * fs.f_frsize >= room;
}

int gsym_cache_begin(const struct gsym_cache *c, uint64_t room)
{
	char path[64];
	int fd = -1;

	if (c->dir >= 0 && has_room(c, room)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", c->dir);
		fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	}
	/* without a cache, or on a file system without O_TMPFILE: in memory */
	if (fd < 0)
		fd = memfd_create("gsym", MFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void gsym_cache_commit(const struct gsym_cache *c, int fd, const char *name,
		       enum symstore_source source)
{
	char from[64], beside[NAME_MAX + 32], entry[NAME_MAX];
	char folder[3] = { name[0], name[1], '\0' };

	if (c->dir < 0)
		return;
	mkdirat(c->dir, folder, 0700);
	entry_name(name, source, entry);
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	snprintf(beside, sizeof(beside), "%s.%d", entry, getpid());
	/* linkat() cannot replace a file: link it under another name and rename that */
	if (linkat(AT_FDCWD, from, c->dir, beside, AT_SYMLINK_FOLLOW))
		return;
	if (renameat(c->dir, beside, c->dir, entry))
		unlinkat(c->dir, beside, 0);
}

void gsym_cache_remove(const struct gsym_cache *c, const char *name,
		       enum symstore_source source)
{
	char entry[NAME_MAX];

	entry_name(name, source, entry);
	if (c->dir >= 0)
		unlinkat(c->dir, entry, 0);
}

static void miss_name(const char *name, char ret[NAME_MAX])
{
	snprintf(ret, NAME_MAX, "%.200s" MISS, name);
}

/* Notes from the future count as old, too: the clock was set back. */
static bool is_recent(const struct stat *st)
{
	time_t now = time(NULL);

	return st->st_mtim.tv_sec <= now && now - st->st_mtim.tv_sec < GSYM_CACHE_MISS_SECONDS;
}

void gsym_cache_miss(const struct gsym_cache *c, const char *name)
{
	char folder[3] = { name[0], name[1], '\0' }, entry[NAME_MAX];
	int fd;

	if (c->dir < 0)
		return;
	mkdirat(c->dir, folder, 0700);
	miss_name(name, entry);
	fd = openat(c->dir, entry, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	futimens(fd, NULL);
	close(fd);
}

bool gsym_cache_missed(const struct gsym_cache *c, const char *name)
{
	char entry[NAME_MAX];
	struct stat st;

	miss_name(name, entry);
	return c->dir >= 0 && !fstatat(c->dir, entry, &st, 0) && is_recent(&st);
}

/* An entry, as prune() lists it. */
struct entry {
	struct timespec used;
	uint64_t bytes;
	char name[NAME_MAX + 4];
};

struct entries {
	struct entry *entry;
	size_t nr;
	size_t room;
	uint64_t bytes;
};

/* Notes have no blocks: only their age removes them. */
static bool is_old_miss(const char *name, const struct stat *st)
{
	size_t len = strlen(name);

	return len > strlen(MISS) && !strcmp(name + len - strlen(MISS), MISS) && !is_recent(st);
}

static void list_folder(const struct gsym_cache *c, const char *folder, struct entries *e)
{
	int fd = openat(c->dir, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	struct stat st;

	while (dir && (d = readdir(dir))) {
		if (fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode) || !array_has_room(e->entry, e->nr, e->room))
			continue;
		if (is_old_miss(d->d_name, &st)) {
			unlinkat(fd, d->d_name, 0);
			continue;
		}
		e->entry[e->nr] = (struct entry){ st.st_atim, (uint64_t)st.st_blocks * 512,
						  "" };
		snprintf(e->entry[e->nr].name, sizeof(e->entry->name), "%.2s/%s", folder, d->d_name);
		e->bytes += e->entry[e->nr++].bytes;
	}
	if (dir)
		closedir(dir);
}

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct entry *)a)->used,
			      *y = &((const struct entry *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static void prune(const struct gsym_cache *c)
{
	struct entries e = { .entry = NULL };
	DIR *dir = fdopendir(dup(c->dir));
	struct dirent *d;
	size_t i;

	if (!dir)
		return;
	rewinddir(dir);
	while ((d = readdir(dir)))
		if (strlen(d->d_name) == 2 && d->d_name[0] != '.')
			list_folder(c, d->d_name, &e);
	closedir(dir);
	if (e.bytes > c->max)
		qsort(e.entry, e.nr, sizeof(*e.entry), by_use);
	for (i = 0; i < e.nr && e.bytes > c->max; i++) {
		if (!unlinkat(c->dir, e.entry[i].name, 0))
			e.bytes -= e.entry[i].bytes;
	}
	free(e.entry);
}

void gsym_cache_release(struct gsym_cache *c)
{
	if (c->dir < 0)
		return;
	prune(c);
	close(c->dir);
	c->dir = -1;
}
