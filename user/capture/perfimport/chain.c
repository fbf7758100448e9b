// SPDX-License-Identifier: GPL-2.0-only
/*
 * Splits perf's call chains into the kernel's and the user's part. See
 * import.h; import.c and pending.c call it.
 */
#include <linux/perf_event.h>

#include "capture/perfimport/import.h"

/* Marks are numbers in the last page of addresses. */
#define FIRST_MARK ((uint64_t)PERF_CONTEXT_MAX)

static uint16_t mode_of(uint64_t mark, uint16_t before)
{
	switch (mark) {
	case (uint64_t)PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case (uint64_t)PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case (uint64_t)PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case (uint64_t)PERF_CONTEXT_GUEST:
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL:
	case (uint64_t)PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	}
	return before;
}

/*
 * The user's part comes last: a value in it that looks like a mark is a word of
 * the stack that was taken for a return address.
 */
void import_chain_add(struct import_chain *c, const uint64_t *ips, size_t nr, uint16_t mode)
{
	bool last = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (ips[i] >= FIRST_MARK) {
			mode = last ? mode : mode_of(ips[i], mode);
			last |= ips[i] == (uint64_t)PERF_CONTEXT_USER;
		} else if (mode == PERF_RECORD_MISC_KERNEL && c->nr_kernel < IMPORT_MAX_FRAMES) {
			c->kernel[c->nr_kernel++] = ips[i];
		} else if (mode == PERF_RECORD_MISC_USER && c->nr_user < IMPORT_MAX_FRAMES) {
			c->user[c->nr_user++] = ips[i];
		}
	}
}

void import_chain_ip(struct import_chain *c, uint64_t ip, uint16_t mode)
{
	if (mode == PERF_RECORD_MISC_KERNEL) {
		c->kernel[0] = ip;
		c->nr_kernel += !c->nr_kernel;
	} else if (mode == PERF_RECORD_MISC_USER && !c->nr_kernel) {
		c->user[0] = ip;
		c->nr_user += !c->nr_user;
	}
}
