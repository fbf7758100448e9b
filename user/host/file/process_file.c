// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tries the ways to a process's file in their order, see process_file.h, and keeps the
 * most informative failure.
 */
#include "host/file/process_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "host/process/scan.h"
#include "host/file/roots.h"

bool supply_says_more(enum supply_outcome now, enum supply_outcome before)
{
	return before == SUPPLY_GONE || now == SUPPLY_CACHED ||
	       (before == SUPPLY_DENIED && now != SUPPLY_GONE);
}

int supply_open_root(uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* @path: NULL for the path of the wanted file. */
static enum supply_outcome try(const struct supply_wanted *w, enum supply_way way, int at,
			       const char *path, struct supply_file *f)
{
	bool in_root = way == SUPPLY_BY_ROOT || way == SUPPLY_BY_OTHER_ROOT;
	enum supply_outcome ret;

	supply_file_release(f);
	*f = (struct supply_file)SUPPLY_FILE_INIT;
	ret = supply_file_open(f, at, path ? path : w->path, in_root);
	f->path = w->path;
	return ret ? ret : w->judge(f, way, w->arg);
}

static enum supply_outcome try_mapping(const struct supply_wanted *w, struct supply_file *f)
{
	char path[SCAN_MAPPED_PATH];

	scan_mapped_path(w->pid, w->start, w->end, path);
	return try(w, SUPPLY_BY_MAPPING, AT_FDCWD, path, f);
}

static enum supply_outcome try_root(const struct supply_wanted *w, struct supply_file *f)
{
	int root = supply_open_root(w->pid);
	enum supply_outcome ret;

	if (root < 0)
		return supply_outcome_of(errno);
	ret = try(w, SUPPLY_BY_ROOT, root, NULL, f);
	close(root);
	return ret;
}

/* State of the search through other processes' roots. */
struct search {
	const struct supply_wanted *w;
	struct supply_file *f;
	enum supply_outcome found;
};

static bool try_other_root(int root, void *arg)
{
	struct search *s = arg;
	enum supply_outcome now = try(s->w, SUPPLY_BY_OTHER_ROOT, root, NULL, s->f);

	if (supply_says_more(now, s->found))
		s->found = now;
	return s->found == SUPPLY_CACHED;
}

static enum supply_outcome try_others(const struct supply_wanted *w, struct supply_file *f)
{
	struct search s = { w, f, SUPPLY_GONE };

	supply_roots_each(try_other_root, &s);
	return s.found;
}

static bool is_open_to(const struct supply_wanted *w, enum supply_way way)
{
	if (!w->pid && way != SUPPLY_BY_PATH)
		return false;
	if (w->no_others && way == SUPPLY_BY_OTHER_ROOT)
		return false;
	return way == SUPPLY_BY_MAPPING || w->path[0] == '/';
}

static enum supply_outcome try_way(const struct supply_wanted *w, enum supply_way way,
				   struct supply_file *f)
{
	switch (way) {
	case SUPPLY_BY_MAPPING:
		return try_mapping(w, f);
	case SUPPLY_BY_ROOT:
		return try_root(w, f);
	case SUPPLY_BY_PATH:
		return try(w, way, AT_FDCWD, NULL, f);
	default:
		return try_others(w, f);
	}
}

enum supply_outcome supply_process_file(const struct supply_wanted *w, struct supply_file *ret)
{
	enum supply_outcome found = SUPPLY_GONE, now;
	enum supply_way way;

	ret->path = w->path;
	for (way = 0; way < SUPPLY_NR_WAYS && found != SUPPLY_CACHED; way++) {
		if (!is_open_to(w, way))
			continue;
		now = try_way(w, way, ret);
		if (supply_says_more(now, found))
			found = now;
	}
	if (found != SUPPLY_CACHED)
		supply_file_release(ret);
	return found;
}
