/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: reads a machine's files, and records findings. */
#ifndef USTACK_USER_DOCTOR_LOOK_H
#define USTACK_USER_DOCTOR_LOOK_H

#include <linux/limits.h>

#include "cmd/doctor/doctor.h"

/* Largest number of bytes that are read from a small file of proc or sys. */
#define LOOK_TEXT 4096u

/**
 * look_path() - make the path of a machine's file
 * @o: the machine
 * @ret: the path below the root; "" if it does not fit, which is no file's name
 * @fmt: format of the path on the machine, "/proc/..."
 */
__attribute__((__format__(__printf__, 3, 4)))
void look_path(const struct doctor_options *o, char ret[PATH_MAX], const char *fmt, ...);

/* Return: whether the file exists. */
bool look_exists(const struct doctor_options *o, const char *path);

/**
 * look_text() - read the beginning of a file
 * @o: the machine
 * @path: path on the machine, "/proc/..."
 * @ret: the text, with a NUL at its end and without trailing blanks; "" on failure
 *
 * Return: false if it cannot be read.
 */
bool look_text(const struct doctor_options *o, const char *path, char ret[LOOK_TEXT]);

/* Reads a file that contains a number. Return: false if it does not. */
bool look_number(const struct doctor_options *o, const char *path, int64_t *ret);

/**
 * look_is_plain() - whether a word may stand in a command as it is
 * @s: a word from a machine's files or from a process, which may have put anything there: users
 *     copy the commands into a root shell
 *
 * Return: false if it is empty, or has characters that are special in a shell.
 */
bool look_is_plain(const char *s);

/**
 * look_quote() - quote a path as a word of a command
 * @path: any path
 * @ret: the word, set on true
 *
 * Return: false if the path cannot be a word: it has control characters, is not absolute, or is
 * that of a deleted file.
 */
bool look_quote(const char *path, char ret[PATH_MAX]);

/* Sets @ret to the kernel's release; to "" if it is not known or is no plain word. */
void look_release(const struct doctor_options *o, char ret[LOOK_TEXT]);

/* Return: the machine's architecture, as uname -m prints it. */
const char *look_arch(const struct doctor_options *o);

/* Kinds of systems, by how packages are installed. */
enum look_packages {
	LOOK_OTHER,
	LOOK_APT,
	LOOK_DNF,
};

enum look_packages look_packages(const struct doctor_options *o);

/**
 * found() - add a finding; control characters in its sentence are escaped
 * @report: where the finding is added
 * @level: enum doctor_level
 * @about: the subject, a constant string
 * @command: the command that fixes it, copied; NULL for none
 * @fmt: format of the sentence
 */
__attribute__((__format__(__printf__, 5, 6)))
void found(struct doctor_report *report, enum doctor_level level, const char *about,
	   const char *command, const char *fmt, ...);

/**
 * struct doctor_ways - facts from which machine.c concludes which ways of recording work;
 * the parts set them
 * @no_events: the kernel has no perf events, or always refuses them
 * @no_bpf: the same for eBPF
 * @no_modules: the kernel takes no modules
 * @needs_force: the module refuses this kernel without force=1
 * @has_module: the module is loaded and its hook is in place
 */
struct doctor_ways {
	bool no_events;
	bool no_bpf;
	bool no_modules;
	bool needs_force;
	bool has_module;
};

/* The parts of doctor_machine(), each in a file of its own. */
void doctor_kernel(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways);
/* @release: release of a kernel that is not too old, on an architecture that the module supports */
void doctor_tested(const struct doctor_options *o, const char *release,
		   struct doctor_report *report, struct doctor_ways *ways);
void doctor_module(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways);
void doctor_settings(const struct doctor_options *o, struct doctor_report *report);
void doctor_rights(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways);
void doctor_places(const struct doctor_options *o, struct doctor_report *report);

/* Reports which language runtime a process has, and why its frames are not read. */
void doctor_language(uint32_t pid, struct doctor_report *report);

#endif /* USTACK_USER_DOCTOR_LOOK_H */
