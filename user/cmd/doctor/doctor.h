/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds what prevents profiling on a machine or of a process, and what fixes it:
 *
 *	doctor_machine(&options, &report);	the kernel, the module, rights, settings
 *	doctor_process(&options, pid, &report);	unwind tables and names of what it runs
 *	doctor_report_release(&report);
 *
 * Every finding comes from something that was read or tried. Files of /proc, /sys, /boot and
 * so on are read below a folder that the caller names: so the files of another machine can be
 * judged, and tests can make machines up. Trials are always made on this machine, or not at all.
 */
#ifndef USTACK_USER_DOCTOR_H
#define USTACK_USER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ustack.h"

enum doctor_level {
	DOCTOR_OK,
	DOCTOR_NOTE,		/* good to know; nothing is lost */
	DOCTOR_WARNING,		/* stacks or names get worse */
	DOCTOR_ERROR,		/* nothing can be recorded before it is fixed */
};

/**
 * struct doctor_finding - one line of the report
 * @level: enum doctor_level
 * @about: the subject, in a word or two; a constant string
 * @text: the sentence, without a full stop; freed with the report
 * @command: the command that fixes it, as typed; NULL if there is none; freed with the report
 */
struct doctor_finding {
	enum doctor_level level;
	const char *about;
	char *text;
	char *command;
};

/**
 * struct doctor_report - findings in the order in which they were made
 * @findings: array of @nr findings
 * @nr: number of findings
 * @room: private
 * @no_memory: memory ran out, so some findings are missing
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

/* Return: "ok", "note", "warning" or "error". */
const char *doctor_level_name(enum doctor_level level);

/* Events that are tried. */
enum doctor_event {
	DOCTOR_CPU_CLOCK,
	DOCTOR_CYCLES,
};

/**
 * struct doctor_trials - functions that try things; one that is NULL is not tried
 * @event: open an event for all processes on a CPU, or, if @own, for this process alone.
 *         Return: 0 or a negative errno
 * @bpf: load an eBPF program that does nothing. Return: 0 or a negative errno
 * @info: ask the module for its state. Return: 0, or a negative errno with the reason in @text
 * @stats: ask the module for its counters. Return: 0 or a negative errno
 */
struct doctor_trials {
	int (*event)(enum doctor_event event, bool own);
	int (*bpf)(void);
	int (*info)(struct ustack_info *ret, char text[256]);
	int (*stats)(struct ustack_stats *ret);
};

/* Trials on this machine, by this process. */
extern const struct doctor_trials doctor_trials_here;

/**
 * struct doctor_options - what to look at
 * @root: folder that contains proc, sys, boot, ...; "" for this machine's own
 * @trials: what to try; NULL for nothing
 * @version: version of this program, such as "0.1.0"
 * @arch: architecture as uname -m prints it; NULL for this machine's
 */
struct doctor_options {
	const char *root;
	const struct doctor_trials *trials;
	const char *version;
	const char *arch;
};

/**
 * doctor_machine() - look at a machine
 * @o: the machine
 * @report: findings are added to it; it is all zero at first; released by
 *          doctor_report_release()
 *
 * There is a DOCTOR_ERROR exactly if the caller can record neither with eBPF nor with copied
 * stacks.
 */
void doctor_machine(const struct doctor_options *o, struct doctor_report *report);

/**
 * doctor_process() - look at what a process runs
 * @o: the machine that the process runs on; its @root must be ""
 * @pid: the process
 * @report: see doctor_machine()
 *
 * Its files are read in a jail, with limits and, if the caller is root, without rights: they
 * may contain anything.
 *
 * Return: 0; -ESRCH if there is no such process or it has no memory; -EACCES if the caller may
 * not look at it; -EINVAL with a @root.
 */
int doctor_process(const struct doctor_options *o, uint32_t pid,
		   struct doctor_report *report);

#endif /* USTACK_USER_DOCTOR_H */
