// SPDX-License-Identifier: GPL-2.0-only
/* Names of reasons, and the place and reason of a sample's end (subject.h). */
#include "subject.h"

const char *reason_name(unsigned int reason)
{
	static const char *const names[] = {
#define USTACK_REASON(number, name, sentence) [number] = #name,
#include "../../../../kmod/core/reason.def"
#undef USTACK_REASON
	};

	if (reason < sizeof(names) / sizeof(names[0]) && names[reason])
		return names[reason];
	return "?";
}

struct file *subject_step(const struct subject *x, unsigned int common, uint64_t *ret_vaddr)
{
	const struct mapping *m;
	uint64_t at;

	if (!common)
		return NULL;
	at = unwound_at(x->truth, common - 1);
	m = space_find(x->space, at);
	if (!m)
		return NULL;
	*ret_vaddr = at - m->bias;
	return m->file;
}

const char *subject_why(const struct subject *x)
{
	if (x->reason)
		return reason_name(x->reason->reason);
	return x->chain.entries >= x->info->max_stack ? "(perf's limit)" : "(unknown)";
}
