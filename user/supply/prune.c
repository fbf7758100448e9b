// SPDX-License-Identifier: GPL-2.0-only
/* Removes from a cache: entries of another synthesizer, leftovers, and the oldest if too many. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "supply/cache.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/hex.h"

#include "util/poison.h"

/* Writing takes a second; a temporary file older than this was left by a dead writer. */
#define LEFTOVER_SECONDS (60 * 60)

/* An entry; its name is "ab/cdef....sframe". */
struct found {
	char name[3 + 2 * CACHE_MAX_BUILD_ID + sizeof(".sframe")];
	uint64_t bytes;
	time_t used;
};

struct list {
	struct found *entries;
	size_t nr;
	size_t room;
	uint64_t bytes;
};

static void list_release(struct list *l)
{
	free(l->entries);
}

static bool is_entry(const char *name)
{
	size_t n = strlen(name);

	return n > 7 && n - 7 <= 2 * CACHE_MAX_BUILD_ID &&
	       !strcmp(name + n - 7, ".sframe") && hex_is_lower(name, n - 7);
}

static int list_add(struct list *l, const char *dir, const char *file,
		    const struct stat *st)
{
	struct found *p;

	if (!array_has_room(l->entries, l->nr, l->room))
		return -ENOMEM;
	p = &l->entries[l->nr++];
	snprintf(p->name, sizeof(p->name), "%.2s/%.71s", dir, file);
	p->bytes = (uint64_t)st->st_blocks * 512;
	p->used = st->st_mtime;
	l->bytes += p->bytes;
	return 0;
}

static DIR *open_dir(int at, const char *name)
{
	int fd = openat(at, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir;

	if (fd < 0)
		return NULL;
	dir = fdopendir(fd);
	if (!dir)
		close(fd);
	return dir;
}

/*
 * Removes a stale entry. A writer may have replaced @file by a good entry since it was checked.
 * So it is renamed first, to a name that nobody else writes, checked again, and linked back if
 * it is good. An entry that cannot be renamed is not counted: another run may have the right.
 */
static bool remove_stale(int dir, const char *file)
{
	char aside[CACHE_TEMPORARY_LEN];
	bool removed;

	if (!cache_is_stale(dir, file))
		return false;
	cache_temporary(aside);
	if (renameat(dir, file, dir, aside))
		return false;
	/* not linked back if there is another entry by now, which stays */
	removed = cache_is_stale(dir, aside) || linkat(dir, aside, dir, file, 0);
	unlinkat(dir, aside, 0);
	return removed;
}

static int scan_subdir(int at, const char *name, struct list *l, uint64_t *stale)
{
	_cleanup_(cleanup_dir) DIR *dir = open_dir(at, name);
	struct dirent *d;
	struct stat st;
	int err;

	if (!dir)
		return 0;
	while ((d = readdir(dir))) {
		if (fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (!strncmp(d->d_name, ".new-", 5) &&
		    time(NULL) - st.st_mtime > LEFTOVER_SECONDS)
			unlinkat(dirfd(dir), d->d_name, 0);
		if (!is_entry(d->d_name))
			continue;
		if (remove_stale(dirfd(dir), d->d_name)) {
			++*stale;
			continue;
		}
		err = list_add(l, name, d->d_name, &st);
		if (err)
			return err;
	}
	return 0;
}

static int by_use(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

static void remove_oldest(const struct cache *c, struct list *l, uint64_t max,
			  struct cache_pruned *ret)
{
	uint64_t left = l->bytes;
	size_t i;

	qsort(l->entries, l->nr, sizeof(*l->entries), by_use);
	for (i = 0; i < l->nr && left > max - max / 10; i++) {
		if (unlinkat(c->dir, l->entries[i].name, 0) < 0)
			continue;
		left -= l->entries[i].bytes;
		ret->removed++;
	}
}

int cache_prune(const struct cache *c, uint64_t max, struct cache_pruned *ret)
{
	_cleanup_(list_release) struct list l = { .nr = 0 };
	_cleanup_(cleanup_dir) DIR *dir = open_dir(c->dir, ".");
	struct dirent *d;
	int err;

	*ret = (struct cache_pruned){ 0 };
	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		if (strlen(d->d_name) != 2 || !hex_is_lower(d->d_name, 2))
			continue;
		err = scan_subdir(c->dir, d->d_name, &l, &ret->stale);
		if (err)
			return err;
	}
	ret->entries = l.nr + ret->stale;
	ret->bytes = l.bytes;
	if (l.bytes > max)
		remove_oldest(c, &l, max, ret);
	return 0;
}
