// SPDX-License-Identifier: GPL-2.0-only
/* Looks at the module: whether it is loaded, its version, its hooks, and its counters. */
#include "cmd/doctor/look.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/module/module.h"
#include "reason.h"
#include "util/text.h"

#include "util/poison.h"

#define RELOAD "rmmod ustack && modprobe ustack"

/* Return: whether depmod knows the module. */
static bool is_installed(const struct doctor_options *o, const char *release)
{
	char path[PATH_MAX], line[LOOK_TEXT];
	bool is = false;
	FILE *f;

	look_path(o, path, "/lib/modules/%s/modules.dep", release);
	f = fopen(path, "re");
	while (f && !is && fgets(line, sizeof(line), f))
		is = !strncmp(line, "ustack.ko", 9) || strstr(line, "/ustack.ko");
	if (f)
		fclose(f);
	return is;
}

static void say_absent(const struct doctor_options *o, struct doctor_report *report,
		       const struct doctor_ways *ways)
{
	static const char instead[] = "not loaded: ustack itself walks unwind tables in eBPF, or "
				      "copies stacks; perf's and other programs' stay short";
	char release[LOOK_TEXT], path[PATH_MAX], source[64], command[512];

	/* a finding that fixes it has been added already */
	if (ways->no_modules) {
		found(report, DOCTOR_WARNING, "module", NULL, "%s", instead);
		return;
	}
	look_release(o, release);
	snprintf(source, sizeof(source), "/usr/src/ustack-%s", o->version);
	snprintf(path, sizeof(path), "/lib/modules/%.200s/build", release);
	if (is_installed(o, release))
		snprintf(command, sizeof(command), "modprobe ustack");
	else if (look_exists(o, path) && look_exists(o, source))
		snprintf(command, sizeof(command), "dkms install ustack/%s && modprobe ustack",
			 o->version);
	else if (look_exists(o, path))
		snprintf(command, sizeof(command),
			 "insmod \"$(make -s module | tail -n 1)\"%s   # in ustack's sources",
			 ways->needs_force ? " force=1" : "");
	else if (look_packages(o) == LOOK_APT)
		snprintf(command, sizeof(command), "apt-get install linux-headers-%.200s", release);
	else if (look_packages(o) == LOOK_DNF)
		snprintf(command, sizeof(command), "dnf install kernel-devel-%.200s", release);
	else
		snprintf(command, sizeof(command), "make module KDIR=/path/to/the/kernel/built");
	found(report, DOCTOR_WARNING, "module", command, "%s", instead);
}

static void look_at_version(const struct doctor_options *o, const struct ustack_info *info,
			    struct doctor_report *report)
{
	char version[LOOK_TEXT];

	/* modules older than 0.1.0 have no version */
	look_text(o, "/sys/module/ustack/version", version);
	if (info && info->abi != USTACK_ABI_VERSION)
		found(report, DOCTOR_WARNING, "module", RELOAD,
		      "its interface is %" PRIu32 ", this program's %d: load the module that "
		      "belongs to it", info->abi, USTACK_ABI_VERSION);
	else if (version[0] && strcmp(version, o->version))
		found(report, DOCTOR_WARNING, "module", RELOAD,
		      "version %s is loaded, this program is %s", version, o->version);
	else
		found(report, DOCTOR_OK, "module", NULL, "loaded, version %s",
		      version[0] ? version : "unknown");
}

static void look_at_hooks(const struct ustack_info *info, struct doctor_report *report)
{
	const struct module_hook *hooks;
	bool all = true;
	size_t i, n;

	hooks = module_hooks(&n);
	for (i = 0; i < n; i++) {
		/* only kernels from 6.19 on have this hook */
		if (info->hooks & hooks[i].bit || hooks[i].bit == USTACK_HOOK_DEFERRED)
			continue;
		all = false;
		found(report, DOCTOR_WARNING, "hooks", "dmesg | grep ustack",
		      "%s is not hooked: %s", hooks[i].function, hooks[i].without);
	}
	if (all)
		found(report, DOCTOR_OK, "hooks", NULL, "all in place");
	if (!info->enabled)
		found(report, DOCTOR_WARNING, "hooks",
		      "echo 1 >/sys/module/ustack/parameters/enabled",
		      "the module is switched off");
	if (info->table_bytes > info->budget_bytes / 10 * 9)
		found(report, DOCTOR_WARNING, "tables",
		      "echo 512 >/sys/module/ustack/parameters/budget_mb",
		      "nine tenths of the memory for tables are used: some tables will be removed");
}

static void look_at_stats(const struct doctor_options *o, struct doctor_report *report)
{
	unsigned int i, worst = USTACK_COMPLETE;
	struct profile_whole whole;
	struct ustack_stats st;
	char text[PROFILE_WHOLE_TEXT];

	if (!o->trials->stats || o->trials->stats(&st))
		return;
	module_whole(&st, &whole);
	if (!whole.stacks) {
		found(report, DOCTOR_OK, "stacks", NULL, "none unwound so far");
		return;
	}
	for (i = 0; i < USTACK_STATS_REASONS; i++)
		if (i != USTACK_COMPLETE && i != USTACK_NO_MM &&
		    (worst == USTACK_COMPLETE || st.reasons[i] > st.reasons[worst]))
			worst = i;
	profile_whole_text(&whole, text);
	if ((double)whole.complete >= 0.95 * (double)whole.stacks)
		found(report, DOCTOR_OK, "stacks", NULL, "%s, of %" PRId64, text, whole.stacks);
	else
		found(report, DOCTOR_NOTE, "stacks", "ustack stat",
		      "%s, of %" PRId64 "; most others: %s", text, whole.stacks,
		      worst == USTACK_COMPLETE ? "guessed" : ustack_reason_text(worst));
}

void doctor_module(const struct doctor_options *o, struct doctor_report *report,
		   struct doctor_ways *ways)
{
	bool loaded = look_exists(o, "/sys/module/ustack"), asked;
	struct ustack_info info;
	char text[256];
	int err = 0;

	asked = o->trials && o->trials->info;
	if (asked)
		err = o->trials->info(&info, text);
	if (!loaded && (!asked || err)) {
		say_absent(o, report, ways);
		return;
	}
	look_at_version(o, asked && !err ? &info : NULL, report);
	if (err)
		found(report, DOCTOR_WARNING, "device",
		      err == -EACCES || err == -EPERM ? "sudo ustack doctor" : NULL, "%s", text);
	if (!asked || err) {
		/* unless the module says otherwise, the hook is in place */
		ways->has_module = loaded;
		return;
	}
	ways->has_module = info.hooks & USTACK_HOOK_CALLCHAIN && info.enabled;
	look_at_hooks(&info, report);
	look_at_stats(o, report);
}
