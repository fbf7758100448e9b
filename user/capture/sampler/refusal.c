// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns errors of the kernel into messages that say what to do. See refusal.h.
 * Called where sampler and stackcopy load programs or open events.
 */
#include "capture/sampler/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/sampler/tracefs.h"
#include "util/namespace.h"
#include "util/sysctl.h"

#include "util/poison.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"
#define LOCKDOWN "/sys/kernel/security/lockdown"
#define NO_TRACEFS "tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing"

static _Thread_local char warning[160];

static bool file_says(const char *path, const char *word)
{
	char text[256];
	ssize_t len;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len < 0)
		return false;
	text[len] = '\0';
	return strstr(text, word) != NULL;
}

static bool is_locked_down(void)
{
	return file_says(LOCKDOWN, "[confidentiality]");
}

void refusal_clear(void)
{
	warning[0] = '\0';
}

int refusal_namespace(struct diag *diag)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st))
		return diag_errno(diag, errno, "/proc/self/ns/pid");
	if (st.st_ino == NAMESPACE_FIRST_PID)
		return 0;
	return diag_set(diag, EOPNOTSUPP, NULL,
			"in a container with its own process numbers, BPF programs cannot tell "
			"which process is meant");
}

int refusal_probe(struct diag *diag)
{
	int err = refusal_namespace(diag);

	if (err)
		return err;
	if (!access(KERNEL_BTF, R_OK))
		return 0;
	if (errno == ENOENT)
		return diag_set(diag, EOPNOTSUPP, KERNEL_BTF,
				"the kernel has no BTF, which BPF programs need: it must be "
				"built with CONFIG_DEBUG_INFO_BTF, as those of distributions are");
	return diag_errno(diag, errno, KERNEL_BTF);
}

int refusal_note(enum libbpf_print_level level, const char *format, va_list args)
{
	char text[sizeof(warning)];

	if (level != LIBBPF_WARN)
		return 0;
	vsnprintf(text, sizeof(text), format, args);
	text[strcspn(text, "\n")] = '\0';
	/*
	 * the first warning is nearest to the cause; the verifier's log is
	 * pages long
	 */
	if (!warning[0] && !strstr(text, "PROG LOAD LOG"))
		snprintf(warning, sizeof(warning), "%s",
			 strncmp(text, "libbpf: ", 8) ? text : text + 8);
	return 0;
}

static int refuse_permission(int err, const char *what, struct diag *diag)
{
	if (is_locked_down())
		return diag_set(diag, err, NULL,
				"the kernel is locked down (confidentiality): no BPF program may read it; "
				"boot without lockdown=confidentiality");
	if (geteuid())
		return diag_set(diag, err, NULL,
				"the program %s needs root (sudo), or CAP_BPF, CAP_PERFMON and "
				"CAP_SYS_RESOURCE", what);
	return diag_set(diag, err, NULL,
			"root may not load the program %s here: a container needs CAP_BPF and CAP_PERFMON, "
			"and a seccomp filter that allows bpf(2) (docker: --privileged)", what);
}

int refusal_load(int err, const char *what, struct diag *diag)
{
	if (err == EPERM || err == EACCES) {
		/*
		 * the verifier fails with EACCES too, but then a warning tells
		 * more
		 */
		if (err == EPERM || geteuid() || !warning[0])
			return refuse_permission(err, what, diag);
	}
	/* following processes may need tracepoints, which are in tracefs */
	if (err == ENOENT && !tracefs_find())
		return diag_set(diag, err, NULL, "the program %s cannot be loaded: " NO_TRACEFS, what);
	if (err == ENOMEM)
		return diag_set(diag, err, NULL, "no memory for the maps of the program %s: ask for less",
				what);
	return diag_set(diag, err, NULL, "the program %s cannot be loaded: %s%s%s", what, strerror(err),
			warning[0] ? ": " : "", warning);
}

static int refuse_rate(const char *name, uint64_t frequency, struct diag *diag)
{
	int64_t max;

	if (!sysctl_kernel("perf_event_max_sample_rate", &max) || frequency <= (uint64_t)max)
		return 0;
	return diag_set(diag, EINVAL, name,
			"at most %" PRId64 " samples a second are allowed: sysctl kernel.perf_event_max_sample_rate=%llu",
			max, (unsigned long long)frequency);
}

int refusal_event(int err, const char *name, uint64_t frequency, struct diag *diag)
{
	switch (err) {
	case EPERM:
	case EACCES:
		return diag_set(diag, err, name,
				"not allowed: be root (sudo), or have CAP_PERFMON, or "
				"sysctl kernel.perf_event_paranoid=-1");
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return diag_set(diag, err, name,
				"this machine does not count it, or it is a virtual machine without "
				"counters: cpu-clock always works");
	case EMFILE:
	case ENFILE:
		return diag_set(diag, err, name,
				"too many open files: each event needs two for each CPU (ulimit -n)");
	case EINVAL:
		if (frequency) {
			int rate = refuse_rate(name, frequency, diag);

			if (rate)
				return rate;
		}
		break;
	case EBUSY:
		return diag_set(diag, err, name, "the counter is in use by someone else");
	}
	return diag_errno(diag, err, name);
}

int refusal_tracepoint(const char *name, struct diag *diag)
{
	return diag_set(diag, ENOENT, name,
			"there is no such tracepoint; perf list shows all tracepoints");
}

int refusal_attach(int err, const char *name, struct diag *diag)
{
	if (!tracefs_find())
		return diag_set(diag, err, name, NO_TRACEFS);
	if (is_locked_down())
		return diag_set(diag, err, name, "the kernel is locked down (confidentiality)");
	if (err == EPERM || err == EACCES)
		return refuse_permission(err, "at a tracepoint or probe", diag);
	return diag_set(diag, err, name, "%s%s%s", strerror(err), warning[0] ? ": " : "",
			warning);
}
