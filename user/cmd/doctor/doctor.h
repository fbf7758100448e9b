/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in the way of profiling on a machine or of a process, and what fixes it:
 *
 *	doctor_machine(&options, &report);	the kernel, the module, rights, settings
 *	doctor_process(&options, pid, &report);	unwind tables and names of what it runs
 *	doctor_report_release(&report);
 *
 * Every finding is of something that was looked at or tried. Files of /proc, /sys, /boot
 * and so on are read below a folder of the caller's choice, so that another machine's can
 * be judged, and tests can make machines up; what is tried is tried here, or not at all.
 */
#ifndef USTACK_USER_DOCTOR_H
#define USTACK_USER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ustack.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_NOTE,		/* good to know, nothing is lost */
	DOCTOR_WARNING,		/* stacks or names are worse for it */
	DOCTOR_ERROR,		/* nothing can be recorded before it is fixed */
};

/**
 * struct doctor_finding - one line
 * @level: enum doctor_level
 * @about: what was looked at, in a word or two; a constant
 * @text: the sentence, without a full stop
 * @command: what fixes it, as it is typed; NULL if there is nothing to type
 */
struct doctor_finding {
	enum doctor_level level;
	const char *about;
	char *text;
	char *command;
};

/**
 * struct doctor_report - findings in the order in which they were made
 * @findings: of these
 * @nr: so many
 * @room: private
 * @no_memory: some are missing
 */
struct doctor_report {
	struct doctor_finding *findings;
	size_t nr;
	size_t room;
	bool no_memory;
};

void doctor_report_release(struct doctor_report *report);

/* Return: the worst level of @report's findings; DOCTOR_OK if there are none. */
enum doctor_level doctor_worst(const struct doctor_report *report);

/* "ok", "note", "warning", "error" */
const char *doctor_level_name(enum doctor_level level);

/* Events that are tried. */
enum doctor_event {
	DOCTOR_CPU_CLOCK,
	DOCTOR_CYCLES,
};

/**
 * struct doctor_trials - what is tried rather than read; any may be NULL: not tried
 * @event: open an event on all processes of a CPU, or if that is refused on this process
 *         alone (@own). Return: 0 or a negative errno
 * @bpf: load a program of eBPF that does nothing. Return: 0 or a negative errno
 * @info: the module's own account. Return: 0, or a negative errno with @text why not,
 *        in words
 * @stats: as @info
 */
struct doctor_trials {
	int (*event)(enum doctor_event event, bool own);
	int (*bpf)(void);
	int (*info)(struct ustack_info *ret, char text[256]);
	int (*stats)(struct ustack_stats *ret);
};

/* Those of this machine, by this process. */
extern const struct doctor_trials doctor_trials_here;

/**
 * struct doctor_options - what to look at
 * @root: folder that has proc, sys, boot, ...; "" is the machine's own
 * @trials: what to try; NULL is nothing
 * @version: of this program, such as "0.1.0"
 * @arch: as in uname -m; NULL is what this program was built for
 */
struct doctor_options {
	const char *root;
	const struct doctor_trials *trials;
	const char *version;
	const char *arch;
};

/**
 * doctor_machine() - look at a machine
 * @o: which one
 * @report: findings are added to it; all zero at first; by doctor_report_release()
 *
 * DOCTOR_ERROR is found exactly when neither eBPF nor copied stacks can be recorded by
 * who calls.
 */
void doctor_machine(const struct doctor_options *o, struct doctor_report *report);

/**
 * doctor_process() - look at what a process runs
 * @o: the machine that it is on; its @root must be ""
 * @pid: the process
 * @report: as above
 *
 * Its files are read in a process of their own, with limits and, if the caller is root,
 * without rights: they may hold anything.
 *
 * Return: 0; -ESRCH if there is no such process or it has no memory; -EACCES if it may not
 * be looked at; -EINVAL with a @root.
 */
int doctor_process(const struct doctor_options *o, uint32_t pid,
		   struct doctor_report *report);

#endif /* USTACK_USER_DOCTOR_H */
