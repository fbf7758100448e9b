// SPDX-License-Identifier: GPL-2.0-only
/* Looks at this process's rights, and tries what they allow. */
#include "cmd/doctor/rights.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/doctor/look.h"
#include "util/cleanup.h"
#include "util/namespace.h"
#include "util/proc_status.h"

#include "util/poison.h"

/* Needed descriptors: two for each CPU and event, and one for each file with names. */
#define LEAST_FILES 4096
/* Locked memory needed for eBPF maps, before Linux 5.11, and for buffers, in bytes. */
#define LEAST_LOCKED (8u << 20)

/* Return: a field of this process's status, to be freed by the caller. */
static char *look_status(const struct doctor_options *o, const char *name)
{
	char path[PATH_MAX];

	look_path(o, path, "/proc/self/status");
	return proc_status_field(path, name);
}

static bool has(const struct doctor_options *o, const char *set, enum right right)
{
	_cleanup_(cleanup_free) char *caps = look_status(o, set);
	uint64_t bits = caps ? strtoull(caps, NULL, 16) : 0;

	if (bits >> right & 1)
		return true;
	return (right == RIGHT_PERFMON || right == RIGHT_BPF || right == RIGHT_SYSLOG) &&
	       bits >> RIGHT_SYS_ADMIN & 1;
}

bool rights_have(const struct doctor_options *o, enum right right)
{
	return has(o, "CapEff", right);
}

/* Return: whether root can have the right here: root in a container may lack it. */
static bool root_has(const struct doctor_options *o, enum right right)
{
	return has(o, "CapBnd", right);
}

static bool is_container(const struct doctor_options *o)
{
	return look_exists(o, "/.dockerenv") || look_exists(o, "/run/.containerenv") ||
	       look_exists(o, "/run/systemd/container");
}

static bool is_filtered(const struct doctor_options *o)
{
	_cleanup_(cleanup_free) char *mode = look_status(o, "Seccomp");

	return mode && *mode == '2';
}

static void look_at_capabilities(const struct doctor_options *o, struct doctor_report *report)
{
	static const struct {
		enum right right;
		const char *name, *without;
	} wanted[] = {
		{ RIGHT_PERFMON, "CAP_PERFMON", "other users' processes and the machine cannot be sampled" },
		{ RIGHT_BPF, "CAP_BPF", "stacks cannot be counted in the kernel" },
		{ RIGHT_SYS_PTRACE, "CAP_SYS_PTRACE", "other users' mapped files cannot be opened" },
		{ RIGHT_SYSLOG, "CAP_SYSLOG", "the kernel's names may be hidden" },
	};
	bool inside = is_container(o), all = true;
	char command[96];
	unsigned int i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (rights_have(o, wanted[i].right))
			continue;
		all = false;
		if (!root_has(o, wanted[i].right))
			snprintf(command, sizeof(command), "docker run --cap-add %s ...",
				 wanted[i].name + 4);
		else if (inside)
			snprintf(command, sizeof(command),
				 "docker exec --user 0 CONTAINER ustack record ...");
		else
			snprintf(command, sizeof(command), "sudo ustack record ...");
		found(report, DOCTOR_WARNING, "rights", command, "no %s%s: %s", wanted[i].name,
		      inside ? " in this container" : "", wanted[i].without);
	}
	if (all)
		found(report, DOCTOR_OK, "rights", NULL,
		      "CAP_PERFMON, CAP_BPF, CAP_SYS_PTRACE and CAP_SYSLOG%s",
		      inside ? ", in a container" : "");
}

/* Reads the soft limit of a line of /proc/self/limits. Return: false if there is no limit. */
static bool limit(const char *text, const char *name, uint64_t *ret)
{
	const char *line = strstr(text, name);
	char *end;

	if (!line)
		return false;
	line += strlen(name);
	*ret = strtoull(line, &end, 10);
	return end != line;
}

static void look_at_limits(const struct doctor_options *o, struct doctor_report *report)
{
	char text[LOOK_TEXT];
	uint64_t n;

	look_text(o, "/proc/self/limits", text);
	if (limit(text, "Max open files", &n)) {
		if (n < LEAST_FILES)
			found(report, DOCTOR_NOTE, "open files", "ulimit -n 65536",
			      "%" PRIu64 " at most: an event takes two a CPU, and names one a file",
			      n);
		else
			found(report, DOCTOR_OK, "open files", NULL, "%" PRIu64, n);
	}
	if (!rights_have(o, RIGHT_PERFMON) && limit(text, "Max locked memory", &n) &&
	    n < LEAST_LOCKED)
		found(report, DOCTOR_NOTE, "locked memory", "ulimit -l 65536",
		      "%" PRIu64 " KiB at most: buffers may be refused", n >> 10);
}

static void look_at_events(const struct doctor_options *o, struct doctor_report *report,
			   struct doctor_ways *ways)
{
	int all = o->trials->event(DOCTOR_CPU_CLOCK, false), own = all;

	if (all)
		own = o->trials->event(DOCTOR_CPU_CLOCK, true);
	if (!all) {
		found(report, DOCTOR_OK, "events", NULL, "cpu-clock counts on the whole machine");
	} else if (!own) {
		found(report, DOCTOR_NOTE, "events", "sysctl kernel.perf_event_paranoid=-1",
		      "cpu-clock counts only for own processes: %s", strerror(-all));
	} else {
		ways->no_events = true;
		if (own == -ENOSYS && !is_filtered(o))
			found(report, DOCTOR_ERROR, "events", NULL,
			      "this kernel has no perf_event_open(2)");
		else if (is_filtered(o))
			found(report, DOCTOR_ERROR, "events",
			      "docker run --security-opt seccomp=unconfined --cap-add PERFMON ...",
			      "perf_event_open(2): %s, and a seccomp filter is in force",
			      strerror(-own));
		else
			found(report, DOCTOR_ERROR, "events",
			      "sysctl kernel.perf_event_paranoid=1",
			      "perf_event_open(2): %s", strerror(-own));
		return;
	}
	if (o->trials->event(DOCTOR_CYCLES, all != 0))
		found(report, DOCTOR_NOTE, "hardware events", NULL,
		      "none: a virtual machine is seldom given counters; cpu-clock is sampled, "
		      "which is late where interrupts are off");
	else
		found(report, DOCTOR_OK, "hardware events", NULL, "cycles are counted");
}

/*
 * Return: whether this process is in a pid namespace: eBPF programs see other process ids than
 * it does.
 */
static bool is_apart(const struct doctor_options *o)
{
	char path[PATH_MAX];
	struct stat st;

	look_path(o, path, "/proc/self/ns/pid");
	return !stat(path, &st) && st.st_ino != NAMESPACE_FIRST_PID;
}

static void look_at_bpf(const struct doctor_options *o, struct doctor_report *report,
			struct doctor_ways *ways)
{
	int err = o->trials->bpf();

	if (!err && is_apart(o)) {
		ways->no_bpf = true;
		found(report, DOCTOR_WARNING, "eBPF", "docker run --pid=host ...",
		      "programs can be loaded, but processes have other numbers in this container than "
		      "those that the programs see");
		return;
	}
	if (!err) {
		found(report, DOCTOR_OK, "eBPF", NULL, "programs can be loaded");
		return;
	}
	ways->no_bpf = true;
	if (is_filtered(o))
		found(report, DOCTOR_WARNING, "eBPF",
		      "docker run --security-opt seccomp=unconfined --cap-add BPF "
		      "--cap-add PERFMON ...",
		      "bpf(2): %s, and a seccomp filter is in force", strerror(-err));
	else
		found(report, DOCTOR_WARNING, "eBPF",
		      err == -EPERM ? "sudo ustack record ..." : NULL, "bpf(2): %s",
		      strerror(-err));
}

void doctor_rights(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways)
{
	look_at_capabilities(o, report);
	look_at_limits(o, report);
	if (o->trials && o->trials->event)
		look_at_events(o, report, ways);
	if (o->trials && o->trials->bpf)
		look_at_bpf(o, report, ways);
}
