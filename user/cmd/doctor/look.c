// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads files of the machine below a root folder, quotes paths for commands, and records
 * findings.
 */
#include "cmd/doctor/look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/array.h"
#include "util/text.h"

#include "util/poison.h"

void look_path(const struct doctor_options *o, char ret[PATH_MAX], const char *fmt, ...)
{
	size_t len = strlen(o->root);
	va_list ap;
	int n;

	if (len >= PATH_MAX) {
		ret[0] = '\0';
		return;
	}
	memcpy(ret, o->root, len);
	va_start(ap, fmt);
	n = vsnprintf(ret + len, PATH_MAX - len, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= PATH_MAX - len)
		ret[0] = '\0';
}

bool look_exists(const struct doctor_options *o, const char *path)
{
	char place[PATH_MAX];

	look_path(o, place, "%s", path);
	return !access(place, F_OK);
}

bool look_text(const struct doctor_options *o, const char *path, char ret[LOOK_TEXT])
{
	char place[PATH_MAX];
	ssize_t n, len = 0;
	int fd;

	ret[0] = '\0';
	look_path(o, place, "%s", path);
	fd = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	/* proc and sys return a line or a page at a time */
	while ((n = read(fd, ret + len, LOOK_TEXT - 1 - (size_t)len)) > 0)
		len += n;
	close(fd);
	while (len && strchr(" \t\n", ret[len - 1]))
		len--;
	ret[len] = '\0';
	return n >= 0;
}

bool look_number(const struct doctor_options *o, const char *path, int64_t *ret)
{
	char text[LOOK_TEXT], *end;

	if (!look_text(o, path, text) || !text[0])
		return false;
	errno = 0;
	*ret = strtoll(text, &end, 10);
	return !errno && !*end;
}

bool look_is_plain(const char *s)
{
	return *s && *s != '-' && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789/._+:@%=,-")];
}

bool look_quote(const char *path, char ret[PATH_MAX])
{
	static const char gone[] = " (deleted)";
	size_t len = strlen(path), at = 0;
	const char *p;

	if (*path != '/' || (len >= strlen(gone) && !strcmp(path + len - strlen(gone), gone)))
		return false;
	if (look_is_plain(path)) {
		snprintf(ret, PATH_MAX, "%s", path);
		return len < PATH_MAX;
	}
	ret[at++] = '\'';
	for (p = path; *p; p++) {
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f || at + 8 > PATH_MAX)
			return false;
		/*
		 * a quotation mark ends the quotation, stands for itself, and begins the next
		 * one
		 */
		at += (size_t)sprintf(ret + at, *p == '\'' ? "'\\''" : "%c", *p);
	}
	ret[at++] = '\'';
	ret[at] = '\0';
	return true;
}

void look_release(const struct doctor_options *o, char ret[LOOK_TEXT])
{
	look_text(o, "/proc/sys/kernel/osrelease", ret);
	if (!look_is_plain(ret))
		ret[0] = '\0';
}

const char *look_arch(const struct doctor_options *o)
{
	static struct utsname here;

	if (o->arch)
		return o->arch;
	return uname(&here) ? "unknown" : here.machine;
}

enum look_packages look_packages(const struct doctor_options *o)
{
	if (look_exists(o, "/etc/debian_version"))
		return LOOK_APT;
	if (look_exists(o, "/etc/redhat-release"))
		return LOOK_DNF;
	return LOOK_OTHER;
}

/* Return: a copy from malloc() without control characters; NULL without memory. */
static char *escaped(const char *s)
{
	size_t room = 4 * strlen(s) + 1;
	char *ret = malloc(room);

	if (ret)
		text_escape(s, ret, room);
	return ret;
}

void found(struct doctor_report *report, enum doctor_level level, const char *about,
	   const char *command, const char *fmt, ...)
{
	struct doctor_finding f = { .level = level, .about = about };
	char *raw;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&raw, fmt, ap);
	va_end(ap);
	if (n >= 0)
		f.text = escaped(raw);
	if (n >= 0)
		free(raw);
	if (command)
		f.command = strdup(command);
	if (!f.text || (command && !f.command) ||
	    !array_has_room(report->findings, report->nr, report->room)) {
		report->no_memory = true;
		free(f.text);
		free(f.command);
		return;
	}
	report->findings[report->nr++] = f;
}

void doctor_report_release(struct doctor_report *report)
{
	size_t i;

	for (i = 0; i < report->nr; i++) {
		free(report->findings[i].text);
		free(report->findings[i].command);
	}
	free(report->findings);
	*report = (struct doctor_report){ 0 };
}

enum doctor_level doctor_worst(const struct doctor_report *report)
{
	enum doctor_level worst = DOCTOR_OK;
	size_t i;

	for (i = 0; i < report->nr; i++)
		if (report->findings[i].level > worst)
			worst = report->findings[i].level;
	return worst;
}

const char *doctor_level_name(enum doctor_level level)
{
	static const char *const names[] = {
		[DOCTOR_OK] = "ok", [DOCTOR_NOTE] = "note",
		[DOCTOR_WARNING] = "warning", [DOCTOR_ERROR] = "error",
	};

	return names[level];
}
