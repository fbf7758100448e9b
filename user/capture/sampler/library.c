// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the file of a probe whose name is given without a folder: in the
 * sampled processes, in $PATH, then in the dynamic linker's cache. See
 * library.h; sampler.c calls it.
 */
#include "capture/sampler/library.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/process/ld_cache.h"
#include "host/process/scan.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/text.h"

#include "util/poison.h"

#define MAX_CACHE (64u << 20)

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/*
 * Uses the path in the process's root if that differs, as in a container.
 * Return: whether it fits.
 */
static bool set_path(struct event *ev, uint32_t pid, const char *path)
{
	char inside[sizeof(ev->file)];
	int n = snprintf(inside, sizeof(inside), "/proc/%" PRIu32 "/root%s", pid, path);

	if (n < 0 || (size_t)n >= sizeof(inside))
		return false;
	snprintf(ev->file, sizeof(ev->file), "%s", same_file(inside, path) ? path : inside);
	return true;
}

/*
 * Looks at what a process has mapped executable. Return: whether a file of the
 * name was found.
 */
static bool find_mapped(struct event *ev, uint32_t pid)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;
	struct scan_line l;

	if (!scan_maps_open(&maps, pid))
		return false;
	while (scan_maps_next(&maps, &l))
		if (l.exec && *l.id.path == '/' && ld_cache_is(text_base_name(l.id.path), ev->file))
			return set_path(ev, pid, l.id.path);
	return false;
}

static bool find_in_processes(struct event *ev, const struct sampler_options *o)
{
	size_t i;

	for (i = 0; i < o->nr_pids; i++)
		if (find_mapped(ev, o->pids[i]))
			return true;
	for (i = 0; i < o->nr_tids; i++)
		if (find_mapped(ev, o->tids[i]))
			return true;
	return false;
}

/* Return: whether libbpf would find a program of this name. */
static bool is_program(const char *name)
{
	_cleanup_(cleanup_free) char *folders = strdup(getenv("PATH") ?: "/usr/bin:/bin");
	char path[EVENT_NAME + 256], *at = folders, *folder;

	while (at && (folder = strsep(&at, ":")))
		if (snprintf(path, sizeof(path), "%.255s/%s", folder, name) > 0 &&
		    !access(path, R_OK | X_OK))
			return true;
	return false;
}

static bool find_in_cache(struct event *ev)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	const char *path;

	if (file_open(&file, LD_CACHE, NULL) || file.size > MAX_CACHE ||
	    file_read_new(&file, 0, file.size, &bytes, NULL))
		return false;
	path = ld_cache_find(bytes, file.size, ev->file);
	if (!path || strlen(path) >= sizeof(ev->file))
		return false;
	strcpy(ev->file, path);
	return true;
}

int library_find(struct event *ev, const struct sampler_options *options, const char *name,
		 struct diag *diag)
{
	if (strchr(ev->file, '/') || find_in_processes(ev, options) || is_program(ev->file) ||
	    find_in_cache(ev) || strstr(ev->file, ".so"))
		return 0;
	return diag_set(diag, ENOENT, name,
			"neither a program nor a library is called %.100s: give the path of the file",
			ev->file);
}
