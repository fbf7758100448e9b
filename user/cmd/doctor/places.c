// SPDX-License-Identifier: GPL-2.0-only
/* Looks at the places of unwind tables and names: the cache, debug files, and ustack supply. */
#include "cmd/doctor/look.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "symbols/symstore/gsym_cache.h"
#include "util/text.h"

#include "util/poison.h"

#define LEAST_FREE (256ull << 20)

/* Return: bytes of a cache's files, down to @depth folders below @path. */
static uint64_t bytes_of(const char *path, unsigned int depth)
{
	DIR *dir = opendir(path);
	uint64_t bytes = 0;
	struct dirent *d;
	struct stat st;
	char below[PATH_MAX];

	while (dir && (d = readdir(dir))) {
		if (fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISREG(st.st_mode))
			bytes += (uint64_t)st.st_blocks * 512;
		else if (S_ISDIR(st.st_mode) && d->d_name[0] != '.' && depth &&
			 snprintf(below, sizeof(below), "%s/%s", path, d->d_name) < PATH_MAX)
			bytes += bytes_of(below, depth - 1);
	}
	if (dir)
		closedir(dir);
	return bytes;
}

/* Shortens @path to the nearest folder that exists. */
static void nearest(char path[PATH_MAX])
{
	char *end;

	while (access(path, F_OK) && (end = strrchr(path, '/')))
		*end = '\0';
	if (!path[0])
		strcpy(path, "/");
}

static void look_at_cache(const struct doctor_options *o, struct doctor_report *report)
{
	char dir[PATH_MAX], place[PATH_MAX], above[PATH_MAX];
	char used[TEXT_SHORT], left[TEXT_SHORT], word[PATH_MAX] = "", command[PATH_MAX + 64];
	struct statvfs fs;
	uint64_t space = UINT64_MAX;

	gsym_cache_default(dir);
	look_path(o, place, "%s", dir);
	look_path(o, above, "%s", dir);
	nearest(above);
	if (!statvfs(above, &fs))
		space = (uint64_t)fs.f_bavail * fs.f_frsize;
	text_bytes(bytes_of(place, 1), used);
	text_bytes(space, left);
	if (access(above, W_OK | X_OK)) {
		found(report, DOCTOR_WARNING, "names' cache",
		      "export XDG_CACHE_HOME=/var/tmp/$USER-cache",
		      "%s cannot be written: names are read again each time",
		      above + strlen(o->root));
	} else if (space < LEAST_FREE) {
		snprintf(command, sizeof(command), "rm -r %s", look_quote(dir, word) ? word : "");
		found(report, DOCTOR_WARNING, "names' cache", *word ? command : NULL,
		      "%s has %s, and its file system only %s left", dir, used, left);
	} else {
		found(report, DOCTOR_OK, "names' cache", NULL, "%s, %s", dir, used);
	}
}

/* Return: number of files two folders below @path. */
static unsigned int count(const char *path)
{
	unsigned int n = 0;
	char below[PATH_MAX];
	DIR *dir = opendir(path), *sub;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		if (d->d_name[0] == '.' ||
		    snprintf(below, sizeof(below), "%s/%s", path, d->d_name) >= PATH_MAX)
			continue;
		sub = opendir(below);
		while (sub && (d = readdir(sub)))
			n += d->d_name[0] != '.';
		if (sub)
			closedir(sub);
	}
	if (dir)
		closedir(dir);
	return n;
}

static void look_at_debug_files(const struct doctor_options *o, struct doctor_report *report)
{
	char place[PATH_MAX];
	unsigned int n;

	look_path(o, place, "/usr/lib/debug/.build-id");
	n = count(place);
	if (n)
		found(report, DOCTOR_OK, "debug files", NULL,
		      "%u below /usr/lib/debug/.build-id", n);
	else
		found(report, DOCTOR_NOTE, "debug files",
		      look_packages(o) == LOOK_APT ? "apt-get install libc6-dbg" :
		      look_packages(o) == LOOK_DNF ? "dnf debuginfo-install glibc" : NULL,
		      "none below /usr/lib/debug: stock files have names of what they export, "
		      "no lines and no inlined functions");
}

static bool is_supply(const struct doctor_options *o, const char *pid)
{
	char path[64], line[LOOK_TEXT], place[PATH_MAX];
	const char *end, *word;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/cmdline", pid);
	look_path(o, place, "%s", path);
	f = fopen(place, "re");
	n = f ? fread(line, 1, sizeof(line) - 1, f) : 0;
	if (f)
		fclose(f);
	line[n] = '\0';
	word = strrchr(line, '/');
	word = word ? word + 1 : line;
	end = line + strlen(line) + 1;
	return !strcmp(word, "ustack") && end < line + n && !strcmp(end, "supply");
}

static void look_at_supply(const struct doctor_options *o, struct doctor_report *report)
{
	char place[PATH_MAX];
	struct dirent *d;
	bool runs = false;
	DIR *dir;

	/* without the module there is nothing to supply */
	if (!look_exists(o, "/sys/module/ustack"))
		return;
	look_path(o, place, "/proc");
	dir = opendir(place);
	while (dir && !runs && (d = readdir(dir)))
		runs = isdigit((unsigned char)d->d_name[0]) && is_supply(o, d->d_name);
	if (dir)
		closedir(dir);
	if (runs)
		found(report, DOCTOR_OK, "supply", NULL, "runs");
	else if (look_exists(o, "/run/systemd/system") &&
		 (look_exists(o, "/usr/local/lib/systemd/system/ustack-supply.service") ||
		  look_exists(o, "/lib/systemd/system/ustack-supply.service")))
		found(report, DOCTOR_WARNING, "supply",
		      "systemctl enable --now ustack-supply",
		      "only ustack record makes tables for files without .sframe, and only "
		      "while it runs");
	else
		found(report, DOCTOR_WARNING, "supply", "ustack supply --prepare &",
		      "only ustack record makes tables for files without .sframe, and only "
		      "while it runs");
}

void doctor_places(const struct doctor_options *o, struct doctor_report *report)
{
	look_at_supply(o, report);
	look_at_cache(o, report);
	look_at_debug_files(o, report);
}
