// SPDX-License-Identifier: GPL-2.0-only
/* Looks at settings of the kernel that cost samples, frames or names. */
#include "cmd/doctor/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/doctor/rights.h"

#include "util/poison.h"

/* The kernel's defaults, see Documentation/admin-guide/sysctl/kernel.rst. */
#define DEFAULT_STACK 127
#define DEFAULT_MLOCK 516
#define DEFAULT_PERCENT 25
#define LOW_RATE 1000

static bool setting(const struct doctor_options *o, const char *name, int64_t *ret)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	return look_number(o, path, ret);
}

static void look_at_paranoia(const struct doctor_options *o, struct doctor_report *report,
			     bool trusted)
{
	int64_t n;

	if (!setting(o, "perf_event_paranoid", &n))
		return;
	if (trusted || n < 0)
		found(report, DOCTOR_OK, "perf_event_paranoid", NULL,
		      "%" PRId64 ", which does not hold for this user", n);
	else if (n > 2)
		/* only Debian's kernels have this rule: a trial decides, if there is one */
		found(report, o->trials && o->trials->event ? DOCTOR_WARNING : DOCTOR_ERROR,
		      "perf_event_paranoid", "sysctl kernel.perf_event_paranoid=1",
		      "%" PRId64 ": this user may not open events at all", n);
	else
		found(report, n > 1 ? DOCTOR_WARNING : DOCTOR_NOTE, "perf_event_paranoid",
		      "sysctl kernel.perf_event_paranoid=-1",
		      "%" PRId64 ": this user may record own processes%s, not the machine", n,
		      n > 1 ? " without the kernel" : "");
}

/*
 * Return: whether an address is not hidden. Addresses of per-CPU variables are near 0, so a
 * single one that is not 0 is enough.
 */
static bool has_addresses(const char *kallsyms)
{
	const char *line;

	for (line = kallsyms; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (line[strspn(line, "0")] != ' ' && *line)
			return true;
	}
	return false;
}

/* The recorder takes the kernel's names from the same file. */
static void look_at_kernel_names(const struct doctor_options *o, struct doctor_report *report)
{
	char text[LOOK_TEXT], command[64] = "sudo ustack record ...";
	int64_t n = 0;

	setting(o, "kptr_restrict", &n);
	if (n > 1)
		snprintf(command, sizeof(command), "sysctl kernel.kptr_restrict=1");
	if (!look_text(o, "/proc/kallsyms", text) || !text[0])
		found(report, DOCTOR_WARNING, "kernel names", NULL,
		      "/proc/kallsyms is empty or not there: frames of the kernel have no names");
	else if (!has_addresses(text))
		found(report, DOCTOR_WARNING, "kernel names", command,
		      "the kernel's addresses are hidden (kptr_restrict is %" PRId64 "): its "
		      "frames have no names", n);
	else
		found(report, DOCTOR_OK, "kernel names", NULL, "can be read");
}

static void look_at_stack_limit(const struct doctor_options *o, struct doctor_report *report)
{
	int64_t n;

	if (!setting(o, "perf_event_max_stack", &n))
		return;
	if (n <= DEFAULT_STACK)
		found(report, n < DEFAULT_STACK ? DOCTOR_WARNING : DOCTOR_NOTE,
		      "perf_event_max_stack", "sysctl kernel.perf_event_max_stack=512",
		      "stacks deeper than %" PRId64 " frames are cut", n);
	else
		found(report, DOCTOR_OK, "perf_event_max_stack", NULL, "%" PRId64 " frames", n);
}

static void look_at_rate(const struct doctor_options *o, struct doctor_report *report)
{
	int64_t rate, percent;

	if (setting(o, "perf_event_max_sample_rate", &rate)) {
		if (rate < LOW_RATE)
			found(report, DOCTOR_WARNING, "perf_event_max_sample_rate",
			      "sysctl kernel.perf_event_max_sample_rate=100000",
			      "at most %" PRId64 " samples a second: the kernel lowers it by "
			      "itself when sampling took long", rate);
		else
			found(report, DOCTOR_OK, "perf_event_max_sample_rate", NULL,
			      "%" PRId64 " samples a second", rate);
	}
	if (setting(o, "perf_cpu_time_max_percent", &percent) && percent &&
	    percent < DEFAULT_PERCENT)
		found(report, DOCTOR_NOTE, "perf_cpu_time_max_percent",
		      "sysctl kernel.perf_cpu_time_max_percent=25",
		      "%" PRId64 ": the kernel slows sampling down early", percent);
}

static void look_at_rest(const struct doctor_options *o, struct doctor_report *report,
			 bool trusted, bool bpf)
{
	int64_t n;

	if (!trusted && setting(o, "perf_event_mlock_kb", &n) && n < DEFAULT_MLOCK)
		found(report, DOCTOR_WARNING, "perf_event_mlock_kb",
		      "sysctl kernel.perf_event_mlock_kb=516",
		      "%" PRId64 ": too little for the buffers that copied stacks go through", n);
	if (!bpf && setting(o, "unprivileged_bpf_disabled", &n))
		found(report, DOCTOR_NOTE, "unprivileged_bpf_disabled", "sudo ustack record ...",
		      "%" PRId64 ": sampling by eBPF needs CAP_BPF in any case", n);
}

void doctor_settings(const struct doctor_options *o, struct doctor_report *report)
{
	bool trusted = rights_have(o, RIGHT_PERFMON);

	look_at_paranoia(o, report, trusted);
	look_at_kernel_names(o, report);
	look_at_stack_limit(o, report);
	look_at_rate(o, report);
	look_at_rest(o, report, trusted, rights_have(o, RIGHT_BPF));
}
