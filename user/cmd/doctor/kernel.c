// SPDX-License-Identifier: GPL-2.0-only
/* Looks at the kernel: its version, its build options, lockdown, and its type information. */
#include "cmd/doctor/look.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/doctor/config.h"

#include "util/poison.h"

/* The oldest kernel that the module supports, see kmod/compat.h. */
#define LEAST_MAJOR 6
#define LEAST_MINOR 1

enum need {
	NEED_MODULE,	/* without it, the module cannot be loaded or does nothing */
	NEED_BPF,	/* without it, no eBPF programs */
	NEED_EVENTS,	/* without it, nothing is sampled */
	NEED_JAIL,	/* without it, no file is read for names and unwind tables */
};

/*
 * The kernel options that are needed. If options are joined by "|", one of them is enough. The
 * functions that the module hooks are in kmod/hook.c and kmod/redirect.c.
 */
static const struct option {
	enum need need;
	const char *names;
	const char *why;
} options[] = {
	{ NEED_EVENTS, "PERF_EVENTS", "nothing can be sampled" },
	{ NEED_MODULE, "MODULES", "the kernel takes no modules" },
	{ NEED_MODULE, "FUNCTION_TRACER", "the module hooks functions by ftrace" },
	{ NEED_MODULE, "DYNAMIC_FTRACE", "the module hooks functions by ftrace" },
	{ NEED_MODULE, "DYNAMIC_FTRACE_WITH_ARGS|DYNAMIC_FTRACE_WITH_REGS",
	  "the module needs the arguments of what it hooks" },
	{ NEED_MODULE, "UPROBES", "the module hooks uprobe_dup_mmap to see forks" },
	{ NEED_MODULE, "PROC_FS", "the module has files in /proc" },
	{ NEED_BPF, "BPF_SYSCALL", "the kernel has no eBPF" },
	{ NEED_BPF, "BPF_EVENTS", "no eBPF at events" },
	{ NEED_BPF, "DEBUG_INFO_BTF", "the programs need to know the kernel's types" },
	{ NEED_JAIL, "SECCOMP_FILTER", "files are not read for names and unwind tables, as that is done "
				       "in processes without rights" },
};

static void stock_kernel(const struct doctor_options *o, char ret[128])
{
	const char *arch = strcmp(look_arch(o), "aarch64") ? "amd64" : "arm64";

	ret[0] = '\0';
	if (look_packages(o) == LOOK_APT)
		snprintf(ret, 128, "apt-get install linux-image-%s   # then reboot", arch);
	else if (look_packages(o) == LOOK_DNF)
		snprintf(ret, 128, "dnf install kernel   # then reboot");
}

static bool has(const struct kernel_config *c, const char *names)
{
	char name[64];
	const char *end;

	for (;; names = end + 1) {
		end = strchrnul(names, '|');
		snprintf(name, sizeof(name), "%.*s", (int)(end - names), names);
		if (kernel_config_get(c, name) != 'n')
			return true;
		if (!*end)
			return false;
	}
}

static void look_at_options(const struct doctor_options *o, const struct kernel_config *c,
			    struct doctor_report *report, struct doctor_ways *ways)
{
	char stock[128];
	bool all = true;
	unsigned int i;

	stock_kernel(o, stock);
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const struct option *need = &options[i];

		if (has(c, need->names))
			continue;
		all = false;
		ways->no_events |= need->need == NEED_EVENTS;
		ways->no_bpf |= need->need != NEED_MODULE && need->need != NEED_JAIL;
		found(report, need->need == NEED_EVENTS ? DOCTOR_ERROR : DOCTOR_WARNING,
		      "kernel options", stock[0] ? stock : NULL,
		      "built without CONFIG_%s: %s", need->names, need->why);
	}
	ways->no_modules = kernel_config_get(c, "MODULES") == 'n';
	if (kernel_config_get(c, "PREEMPT_RT") == 'y') {
		all = false;
		found(report, DOCTOR_WARNING, "kernel options", stock[0] ? stock : NULL,
		      "CONFIG_PREEMPT_RT: the module refuses to load");
	}
	if (all)
		found(report, DOCTOR_OK, "kernel options", NULL,
		      "%s has all that is needed", c->path);
}

static bool is_signature_needed(const struct kernel_config *c, const char *lockdown)
{
	return strstr(lockdown, "[integrity]") || strstr(lockdown, "[confidentiality]") ||
	       (c->text && kernel_config_get(c, "MODULE_SIG_FORCE") == 'y');
}

/*
 * Return: path of the certificate with DKMS's key, as distributions set DKMS up; that of akmods
 * if only that exists.
 */
static const char *certificate(const struct doctor_options *o)
{
	static const char dkms[] = "/var/lib/dkms/mok.pub";
	static const char akmods[] = "/etc/pki/akmods/certs/public_key.der";
	char text[LOOK_TEXT];

	look_text(o, "/etc/os-release", text);
	if (strstr(text, "\nID=ubuntu\n") || !strncmp(text, "ID=ubuntu\n", strlen("ID=ubuntu\n")))
		return "/var/lib/shim-signed/mok/MOK.der";
	return !look_exists(o, dkms) && look_exists(o, akmods) ? akmods : dkms;
}

static void look_at_lock(const struct doctor_options *o, const struct kernel_config *c,
			 struct doctor_report *report, struct doctor_ways *ways)
{
	char text[LOOK_TEXT], import[128];
	int64_t n;

	snprintf(import, sizeof(import), "mokutil --import %s   # then reboot", certificate(o));
	look_text(o, "/sys/kernel/security/lockdown", text);
	if (strstr(text, "[confidentiality]")) {
		ways->no_bpf = true;
		found(report, DOCTOR_WARNING, "lockdown", NULL,
		      "the kernel is locked down (confidentiality): no eBPF may read it; boot "
		      "without lockdown=confidentiality");
	}
	if (!look_exists(o, "/sys/module/ustack") && !ways->no_modules &&
	    is_signature_needed(c, text))
		found(report, DOCTOR_WARNING, "signatures", import,
		      "the kernel takes only signed modules: the key that DKMS signs with has "
		      "to be enrolled");
	else
		found(report, DOCTOR_OK, "lockdown", NULL, "%s",
		      text[0] ? text : "not in this kernel");
	if (look_number(o, "/proc/sys/kernel/modules_disabled", &n) && n)
		found(report, DOCTOR_WARNING, "modules", "reboot",
		      "kernel.modules_disabled is set: no module can be loaded until the next boot");
	if (look_number(o, "/proc/sys/kernel/ftrace_enabled", &n) && !n)
		found(report, DOCTOR_WARNING, "ftrace", "sysctl kernel.ftrace_enabled=1",
		      "ftrace is switched off: the module cannot hook anything");
}

/* Return: false if the module does not support such kernels. */
static bool look_at_version(const struct doctor_options *o, const char *release,
			    struct doctor_report *report)
{
	const char *arch = look_arch(o);
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		found(report, DOCTOR_WARNING, "kernel", "mount -t proc proc /proc",
		      "/proc/sys/kernel/osrelease cannot be read: is proc mounted?");
	else if (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR))
		found(report, DOCTOR_WARNING, "kernel", NULL,
		      "%s: the module needs Linux %d.%d or later", release, LEAST_MAJOR,
		      LEAST_MINOR);
	else if (strcmp(arch, "x86_64") && strcmp(arch, "aarch64"))
		found(report, DOCTOR_WARNING, "kernel", NULL,
		      "%s on %s: the module knows x86_64 and aarch64", release, arch);
	else {
		found(report, DOCTOR_OK, "kernel", NULL, "%s, %s", release, arch);
		return true;
	}
	return false;
}

static void look_at_types(const struct doctor_options *o, struct doctor_report *report,
			  struct doctor_ways *ways)
{
	char path[PATH_MAX], stock[128];

	stock_kernel(o, stock);
	look_path(o, path, "/sys/kernel/btf/vmlinux");
	if (!access(path, R_OK)) {
		found(report, DOCTOR_OK, "BTF", NULL, "the kernel describes its types");
		return;
	}
	ways->no_bpf = true;
	if (!look_exists(o, "/sys/kernel"))
		found(report, DOCTOR_WARNING, "BTF", "mount -t sysfs sysfs /sys",
		      "/sys/kernel is not there: is sysfs mounted?");
	else
		found(report, DOCTOR_WARNING, "BTF", stock[0] ? stock : NULL,
		      "/sys/kernel/btf/vmlinux is not there: the programs of eBPF cannot be "
		      "fitted to this kernel");
}

void doctor_kernel(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways)
{
	struct kernel_config config;
	char release[LOOK_TEXT];
	bool fits;

	look_release(o, release);
	fits = look_at_version(o, release, report);
	if (kernel_config_read(o, &config))
		look_at_options(o, &config, report, ways);
	else
		found(report, DOCTOR_NOTE, "kernel options", NULL,
		      "no file says what the kernel was built with: neither /proc/config.gz nor "
		      "/boot/config-* nor its headers");
	look_at_lock(o, &config, report, ways);
	look_at_types(o, report, ways);
	if (fits)
		doctor_tested(o, release, report, ways);
	kernel_config_release(&config);
}
