// SPDX-License-Identifier: GPL-2.0-only
/* Looks at everything of a machine, and concludes how it can record. */
#include "cmd/doctor/look.h"

#include "util/poison.h"

static void conclude(const struct doctor_ways *ways, struct doctor_report *report)
{
	if (ways->no_events || doctor_worst(report) == DOCTOR_ERROR)
		return;		/* an error has been reported already */
	if (ways->no_bpf)
		found(report, DOCTOR_NOTE, "recording", NULL,
		      "works with copied stacks; eBPF cannot be used, so --off-cpu and tracepoints "
		      "do not work");
	else if (!ways->has_module)
		found(report, DOCTOR_OK, "recording", NULL,
		      "works without the module, with unwind tables in eBPF");
	else
		found(report, DOCTOR_OK, "recording", NULL,
		      "works, stacks are counted in the kernel");
}

void doctor_machine(const struct doctor_options *o, struct doctor_report *report)
{
	struct doctor_ways ways = { 0 };

	doctor_kernel(o, report, &ways);
	doctor_module(o, report, &ways);
	doctor_rights(o, report, &ways);
	doctor_settings(o, report);
	doctor_places(o, report);
	conclude(&ways, report);
}
