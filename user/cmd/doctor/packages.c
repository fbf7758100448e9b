// SPDX-License-Identifier: GPL-2.0-only
/* Finds the Debian packages that own files, and those with their debug information. */
#include "cmd/doctor/packages.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/limits.h>
#include <string.h>

#include "cmd/doctor/look.h"

#include "util/poison.h"

struct pass {
	struct package_want *want;
	size_t nr;
	char package[PACKAGE_NAME];	/* package that the lines belong to */
	void (*line)(struct pass *p, const char *line);
};

/* Since the folders were merged, "/lib/x" is "/usr/lib/x"; package lists have either name. */
static bool is_path(const char *line, const char *path)
{
	return !strcmp(line, path) || (!strncmp(path, "/usr/", 5) && !strcmp(line, path + 4)) ||
	       (!strncmp(line, "/usr/", 5) && !strcmp(line + 4, path));
}

static void owner_line(struct pass *p, const char *line)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (!p->want[i].owner[0] && is_path(line, p->want[i].path))
			snprintf(p->want[i].owner, PACKAGE_NAME, "%s", p->package);
}

static bool is_debug_of(const char *package, const char *owner)
{
	size_t len = strlen(owner);

	return len && !strncmp(package, owner, len) &&
	       (!strcmp(package + len, "-dbgsym") || !strcmp(package + len, "-dbg"));
}

static void list_line(struct pass *p, const char *line)
{
	size_t i;

	if (!strncmp(line, "Package: ", 9)) {
		snprintf(p->package, sizeof(p->package), "%s", line + 9);
		for (i = 0; i < p->nr; i++)
			if (!p->want[i].debug[0] && is_debug_of(p->package, p->want[i].owner))
				snprintf(p->want[i].debug, PACKAGE_NAME, "%s", p->package);
	} else if (!strncmp(line, "Build-Ids: ", 11)) {
		for (i = 0; i < p->nr; i++)
			if (p->want[i].build_id[0] && strstr(line, p->want[i].build_id))
				snprintf(p->want[i].debug, PACKAGE_NAME, "%s", p->package);
	}
}

static void read_lines(struct pass *p, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while (f && (n = getline(&line, &room, f)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		p->line(p, line);
	}
	free(line);
	if (f)
		fclose(f);
}

/*
 * Reads all files of a folder whose names end with @end. For dpkg, the part before it is the
 * package's name.
 */
static void read_folder(const struct doctor_options *o, struct pass *p, const char *folder,
			const char *end)
{
	char dir[PATH_MAX], path[PATH_MAX];
	size_t len, tail = strlen(end);
	struct dirent *e;
	DIR *d;

	look_path(o, dir, "%s", folder);
	d = opendir(dir);
	while (d && (e = readdir(d))) {
		len = strlen(e->d_name);
		if (len <= tail || strcmp(e->d_name + len - tail, end) ||
		    snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) >= PATH_MAX)
			continue;
		snprintf(p->package, sizeof(p->package), "%.*s", (int)strcspn(e->d_name, ":"),
			 e->d_name);
		if (strlen(p->package) == len)
			p->package[len - tail] = '\0';
		read_lines(p, path);
	}
	if (d)
		closedir(d);
}

void packages_find(const struct doctor_options *o, struct package_want *want, size_t nr)
{
	struct pass p = { .want = want, .nr = nr };

	if (!nr || look_packages(o) != LOOK_APT)
		return;
	p.line = owner_line;
	read_folder(o, &p, "/var/lib/dpkg/info", ".list");
	p.line = list_line;
	read_folder(o, &p, "/var/lib/apt/lists", "_Packages");
}

/* Sets @ret to the release's code name, such as "bookworm". */
static void codename(const struct doctor_options *o, char ret[32])
{
	char text[LOOK_TEXT];
	const char *at;

	look_text(o, "/etc/os-release", text);
	at = strstr(text, "VERSION_CODENAME=");
	if (!at || sscanf(at + strlen("VERSION_CODENAME="), "%31[a-z]", ret) != 1)
		strcpy(ret, "stable");
}

bool packages_command(const struct doctor_options *o, const struct package_want *want,
		      char ret[512])
{
	char release[32], path[PATH_MAX];

	switch (look_packages(o)) {
	case LOOK_APT:
		codename(o, release);
		if (look_is_plain(want->debug))
			snprintf(ret, 512, "apt-get install %s", want->debug);
		else if (look_is_plain(want->owner))
			snprintf(ret, 512, "apt-get install %s-dbgsym   # of deb "
				 "http://deb.debian.org/debian-debug/ %s-debug main",
				 want->owner, release);
		return look_is_plain(want->debug) || look_is_plain(want->owner);
	case LOOK_DNF:
		if (!look_quote(want->path, path) || strlen(path) > 400)
			return false;
		snprintf(ret, 512, "dnf debuginfo-install \"$(rpm -qf %.400s)\"", path);
		return true;
	case LOOK_OTHER:
		break;
	}
	return false;
}
