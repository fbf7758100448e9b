// SPDX-License-Identifier: GPL-2.0-only
/* Finds paths of cgroups by their numbers, with a cache, see cgroup.h. */
#include "host/process/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/array.h"
#include "util/poison.h"

/* The cache is emptied above this size; machines have some hundreds of cgroups at a time. */
#define MANY 4096u

#define FILEID_KERNFS 0xfe		/* include/linux/exportfs.h: a 64-bit kernfs id */

struct cached_path {
	uint64_t id;
	char *path;	/* NULL: no path was found */
};

/* The cache, sorted by number, as cgroups are few. */
struct cgroups {
	int root;
	char *root_path;
	struct cached_path *cached;
	size_t nr;
	size_t room;
};

/* Finds the first mount of the cgroup2 file system; there is only one hierarchy. */
static void find_root(struct cgroups *c)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;

	while (f && c->root < 0 && (m = getmntent(f))) {
		if (strcmp(m->mnt_type, "cgroup2"))
			continue;
		c->root = open(m->mnt_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		c->root_path = c->root < 0 ? NULL : strdup(m->mnt_dir);
	}
	if (f)
		endmntent(f);
}

struct cgroups *cgroups_new(void)
{
	struct cgroups *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->root = -1;
	find_root(c);
	return c;
}

static void drop(struct cgroups *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->cached[i].path);
	c->nr = 0;
}

void cgroups_forget(struct cgroups *c)
{
	if (c->nr > MANY)
		drop(c);
}

void cgroups_free(struct cgroups *c)
{
	if (!c)
		return;
	drop(c);
	if (c->root >= 0)
		close(c->root);
	free(c->cached);
	free(c->root_path);
	free(c);
}

static size_t position(const struct cgroups *c, uint64_t id)
{
	size_t low = 0, high = c->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->cached[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A cgroup's number is its kernfs id, which is all that its file handle contains. */
static int open_id(const struct cgroups *c, uint64_t id)
{
	struct {
		struct file_handle h;
		uint64_t id;
	} handle = { .h = { .handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS } };

	memcpy(handle.h.f_handle, &id, sizeof(id));
	return open_by_handle_at(c->root, &handle.h, O_PATH | O_CLOEXEC);
}

static char *look(const struct cgroups *c, uint64_t id)
{
	char link[64], path[4096];
	size_t root = c->root_path ? strlen(c->root_path) : 0;
	ssize_t len;
	int fd;

	if (!root)
		return NULL;
	fd = open_id(c, id);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (len < (ssize_t)root || strncmp(path, c->root_path, root))
		return NULL;
	path[len] = '\0';
	return strdup(path[root] ? path + root : "/");
}

const char *cgroups_path(struct cgroups *c, uint64_t id)
{
	size_t at = position(c, id);
	char *path;

	if (at < c->nr && c->cached[at].id == id)
		return c->cached[at].path;
	if (!array_has_room(c->cached, c->nr, c->room))
		return NULL;
	path = look(c, id);
	memmove(c->cached + at + 1, c->cached + at, (c->nr - at) * sizeof(*c->cached));
	c->cached[at] = (struct cached_path){ id, path };
	c->nr++;
	return path;
}
