/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: reading a machine's files, and writing findings down. */
#ifndef USTACK_USER_DOCTOR_LOOK_H
#define USTACK_USER_DOCTOR_LOOK_H

#include <linux/limits.h>

#include "cmd/doctor/doctor.h"

/* Bytes of a small file of proc or sys that are read. */
#define LOOK_TEXT 4096u

/**
 * look_path() - where a path of the machine is
 * @o: the machine
 * @ret: "" if it does not fit: no file has that name
 * @fmt: the path, "/proc/..."
 */
__attribute__((__format__(__printf__, 3, 4)))
void look_path(const struct doctor_options *o, char ret[PATH_MAX], const char *fmt, ...);

/* Whether there is such a file. */
bool look_there(const struct doctor_options *o, const char *path);

/**
 * look_text() - the beginning of a file
 * @o: the machine
 * @path: "/proc/..."
 * @ret: with a NUL behind it, blanks at its end cut off; "" on failure
 *
 * Return: false if it cannot be read.
 */
bool look_text(const struct doctor_options *o, const char *path, char ret[LOOK_TEXT]);

/* Reads a file that is a number. Return: false if it is none. */
bool look_number(const struct doctor_options *o, const char *path, int64_t *ret);

/**
 * look_is_plain() - whether a word may stand in a command as it is
 * @s: from a machine's files or a process, who may have put anything there: commands are
 *     there to be copied into a root's shell
 *
 * Return: false if it is empty or has what means something to a shell.
 */
bool look_is_plain(const char *s);

/**
 * look_quote() - a path as a word of a command
 * @path: any
 * @ret: on true
 *
 * Return: false if there is no such word, as it has control characters, is not absolute or
 * is that of a file that is gone.
 */
bool look_quote(const char *path, char ret[PATH_MAX]);

/* The kernel's release, "" if it is not known or no word. */
void look_release(const struct doctor_options *o, char ret[LOOK_TEXT]);

/* As uname -m has it. */
const char *look_arch(const struct doctor_options *o);

/* Kinds of systems by how packages are got. */
enum look_packages {
	LOOK_OTHER,
	LOOK_APT,
	LOOK_DNF,
};

enum look_packages look_packages(const struct doctor_options *o);

/**
 * found() - add a finding; what would obey a terminal in its sentence is escaped
 * @report: where to
 * @level: enum doctor_level
 * @about: a constant
 * @command: copied; NULL for none
 * @fmt: the sentence
 */
__attribute__((__format__(__printf__, 5, 6)))
void found(struct doctor_report *report, enum doctor_level level, const char *about,
	   const char *command, const char *fmt, ...);

/**
 * struct doctor_ways - what the parts find out for the last one, which way of recording is
 * open
 * @no_events: the kernel has no perf events, or refuses them for good
 * @no_bpf: as @no_events
 * @no_modules: the kernel takes none
 * @needs_force: the module refuses the kernel without force=1
 * @has_module: the module's hook is in place
 */
struct doctor_ways {
	bool no_events;
	bool no_bpf;
	bool no_modules;
	bool needs_force;
	bool has_module;
};

/* The parts of doctor_machine(), each of its own file. */
void doctor_kernel(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways);
/* @release: of a kernel that is not too old, on an architecture that the module knows */
void doctor_tested(const struct doctor_options *o, const char *release,
		   struct doctor_report *report, struct doctor_ways *ways);
void doctor_module(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways);
void doctor_settings(const struct doctor_options *o, struct doctor_report *report);
void doctor_rights(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways);
void doctor_places(const struct doctor_options *o, struct doctor_report *report);

/* Which language's runtime a process has, and why its frames are not read. */
void doctor_language(uint32_t pid, struct doctor_report *report);

#endif /* USTACK_USER_DOCTOR_LOOK_H */
