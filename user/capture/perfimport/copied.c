// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwinds stacks that perf copied together with the registers (perf record
 * --call-graph dwarf), by the module's core and its tables, as stackcopy/ does
 * for its own samples. See import.h.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "capture/perfimport/import.h"

/*
 * Selects the registers that a walk needs. @mask: those of the event. Return:
 * false if one is missing.
 */
static bool take_regs(uint64_t mask, const uint64_t *from, uint64_t to[NATIVE_PERF_REGS])
{
	unsigned int bit, at = 0, nr = 0;

	if (NATIVE_PERF_MASK & ~mask)
		return false;
	for (bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (NATIVE_PERF_MASK >> bit & 1)
			to[nr++] = from[at];
		at++;
	}
	return true;
}

bool import_copied(struct import *im, const struct perfdata_record *r,
		   const struct import_chain *c)
{
	const struct perfdata_event *e = perfdata_event(im->file, r->event);
	const struct perfdata_sample *from = &r->sample;
	struct sample s = {
		.kind = RECORD_SAMPLE, .time = r->time, .tgid = r->pid, .tid = r->tid,
		.abi = (uint32_t)from->abi, .asked = (uint32_t)from->stack_asked,
		.kernel = c->kernel, .nr_kernel = (uint32_t)c->nr_kernel,
		.stack = from->stack, .stack_len = (uint32_t)from->stack_len,
	};

	if (!(e->sample_type & PERF_SAMPLE_STACK_USER) || im->foreign_arch)
		return false;
	if (from->regs && !take_regs(e->regs_user, from->regs, s.regs))
		return false;
	if (!from->regs)
		s.abi = PERF_SAMPLE_REGS_ABI_NONE;
	walk_sample(&im->walker, &s, &im->walked);
	images_trim(im->walker.images);
	return true;
}
