// SPDX-License-Identifier: GPL-2.0-only
/* Names and sentences of reason.def, indexed by number. */
#include "core_env.h"
#include "reason.h"

static const struct {
	const char *name;
	const char *text;
} reasons[USTACK_NR_REASONS] = {
#define USTACK_REASON(number, name, sentence) [number] = { #name, sentence },
#include "reason.def"
#undef USTACK_REASON
};

const char *ustack_reason_name(unsigned int reason)
{
	return reason < USTACK_NR_REASONS ? reasons[reason].name : NULL;
}

const char *ustack_reason_text(unsigned int reason)
{
	if (reason >= USTACK_NR_REASONS || !reasons[reason].text)
		return "unknown reason";
	return reasons[reason].text;
}
