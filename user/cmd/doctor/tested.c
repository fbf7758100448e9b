// SPDX-License-Identifier: GPL-2.0-only
/* Reports whether the module was tested with the kernel, as kmod/kernel_check.c will decide. */
#include "cmd/doctor/look.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/poison.h"

#define ABOUT "tested kernels"
#define OPTIONS_FILE "/etc/modprobe.d/ustack.conf"

struct release {
	unsigned int major, minor;
};

/* Kernels that were tested, in ascending order. */
static const struct release tested[] = {
#define USTACK_TESTED(major, minor) { major, minor },
#include "../../../kmod/tested.def"
#undef USTACK_TESTED
};

#define NR_TESTED (sizeof(tested) / sizeof(tested[0]))

static int compare(const struct release *a, const struct release *b)
{
	return a->major != b->major ? (a->major > b->major ? 1 : -1) :
	       a->minor != b->minor ? (a->minor > b->minor ? 1 : -1) : 0;
}

static bool is_tested(const struct release *r)
{
	size_t i;

	for (i = 0; i < NR_TESTED; i++)
		if (!compare(r, &tested[i]))
			return true;
	return false;
}

/* Return: whether modprobe passes force=1 to the module. */
static bool is_forced(const struct doctor_options *o)
{
	char text[LOOK_TEXT], *line, *rest = text;

	look_text(o, OPTIONS_FILE, text);
	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, "options ustack ", 15) && strstr(line, " force=1"))
			return true;
	return false;
}

/* Reports that the module refuses the kernel, in the module's words. */
static void say_refused(const struct doctor_options *o, struct doctor_report *report,
			struct doctor_ways *ways, const char *why)
{
	ways->needs_force = true;
	if (is_forced(o))
		found(report, DOCTOR_NOTE, ABOUT, NULL,
		      "%s: the module would refuse it, but force=1 is set in " OPTIONS_FILE, why);
	else
		found(report, DOCTOR_WARNING, ABOUT,
		      "echo 'options ustack force=1' >>" OPTIONS_FILE,
		      "%s: the module refuses it unless force=1 is set", why);
}

void doctor_tested(const struct doctor_options *o, const char *release,
		   struct doctor_report *report, struct doctor_ways *ways)
{
	const struct release *newest = &tested[NR_TESTED - 1];
	char path[PATH_MAX], why[128];
	struct release r;

	if (ways->no_modules || sscanf(release, "%u.%u", &r.major, &r.minor) != 2)
		return;
	look_path(o, path, "/sys/kernel/btf/vmlinux");
	if (is_tested(&r)) {
		found(report, DOCTOR_OK, ABOUT, NULL, "Linux %u.%u was tested with the module",
		      r.major, r.minor);
	} else if (look_exists(o, "/sys/module/ustack")) {
		found(report, DOCTOR_NOTE, ABOUT, NULL,
		      "Linux %u.%u was not tested, and the module is loaded into it", r.major,
		      r.minor);
	} else if (compare(&r, newest) > 0) {
		snprintf(why, sizeof(why), "Linux %u.%u is newer than %u.%u, the last that was "
			 "tested", r.major, r.minor, newest->major, newest->minor);
		say_refused(o, report, ways, why);
	} else if (access(path, R_OK)) {
		snprintf(why, sizeof(why), "Linux %u.%u was not tested, and the prototypes of "
			 "its functions cannot be compared", r.major, r.minor);
		say_refused(o, report, ways, why);
	} else {
		found(report, DOCTOR_NOTE, ABOUT, NULL,
		      "Linux %u.%u was not tested, but releases before and after it were: the "
		      "module is loaded if the prototypes of what it hooks have not changed",
		      r.major, r.minor);
	}
}
