// SPDX-License-Identifier: GPL-2.0
#include "subject.h"

const char *reason_name(unsigned int reason)
{
	static const char *const names[] = {
#define USTACK_REASON(number, name, sentence) [number] = #name,
#include "../../../kmod/core/reason.def"
#undef USTACK_REASON
	};

	if (reason < sizeof(names) / sizeof(names[0]) && names[reason])
		return names[reason];
	return "?";
}

const char *subject_why(const struct subject *x)
{
	if (x->reason)
		return reason_name(x->reason->reason);
	return x->chain.entries >= x->info->max_stack ? "(perf's limit)" : "(unknown)";
}
