// SPDX-License-Identifier: GPL-2.0-only
/* Visits the root folders of all processes, each folder once, see roots.h. */
#include "host/file/roots.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limit for different roots; more containers than that are not searched. */
#define MAX_ROOTS 256u

struct roots {
	struct stat seen[MAX_ROOTS];
	unsigned int nr;
};

/* Adds a root. Return: whether it is new and there was room for it. */
static bool add(struct roots *r, const struct stat *st)
{
	unsigned int i;

	for (i = 0; i < r->nr; i++)
		if (r->seen[i].st_dev == st->st_dev && r->seen[i].st_ino == st->st_ino)
			return false;
	if (r->nr == MAX_ROOTS)
		return false;
	r->seen[r->nr++] = *st;
	return true;
}

static bool visit_root(struct roots *r, const char *path,
		       bool (*visit)(int root, void *arg), void *arg)
{
	struct stat st;
	bool done;
	int root;

	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return false;
	done = !fstat(root, &st) && add(r, &st) && visit(root, arg);
	close(root);
	return done;
}

void supply_roots_each(bool (*visit)(int root, void *arg), void *arg)
{
	struct roots r = { .nr = 0 };
	char path[sizeof("/proc//root") + NAME_MAX];
	const struct dirent *d;
	struct stat own;
	bool done = false;
	DIR *dir;

	if (!stat("/", &own))
		add(&r, &own);
	dir = opendir("/proc");
	while (dir && !done && (d = readdir(dir))) {
		if (d->d_name[0] < '1' || d->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/root", d->d_name);
		done = visit_root(&r, path, visit, arg);
	}
	if (dir)
		closedir(dir);
}
