// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the kernel's functions. The kernel's list is read when a recording
 * begins, and again when an address has no name: a module or a BPF program may
 * have been loaded since. See names_private.h.
 */
#include "capture/record/names_private.h"

#include <errno.h>

#include "host/process/watch.h"
#include "symbols/symstore/lines.h"

/*
 * Shortest and longest time between two readings of the kernel's list. The time
 * doubles while addresses stay without a name.
 */
#define KALLSYMS_REFRESH_NS 10000000000u
#define KALLSYMS_MAX_WAIT_NS (64ull * KALLSYMS_REFRESH_NS)
/*
 * Longest wait for the list at the end of a window. Most machines read all of
 * it in that time, and the thread that drains windows must be back for the next
 * one.
 */
#define KALLSYMS_READING_MS 300u

void record_open_kallsyms(struct record_names *n)
{
	struct diag diag = { 0 };
	char text[512];

	n->kallsyms_read = watch_now();
	n->kallsyms_wait = KALLSYMS_REFRESH_NS;
	if (!kallsyms_new(NULL, &n->kallsyms, &diag))
		return;
	n->kallsyms = NULL;
	diag_format(&diag, text, sizeof(text));
	if (n->options.note)
		n->options.note(text, n->options.arg);
}

void record_kernel_elsewhere(struct record_names *n)
{
	n->elsewhere = true;
	kallsyms_free(n->kallsyms);
	n->kallsyms = NULL;
}

void record_name_by_kernel(struct record_names *n, uint32_t location, uint64_t addr)
{
	const char *name = n->kallsyms ? kallsyms_name(n->kallsyms, addr, NULL) : NULL;
	struct profile_line line;

	if (!name)
		return;
	line = symstore_line(n->p, n->names, name, 0, 0);
	profile_location_lines(n->p, location, &line, 1);
}

uint64_t record_unknown_to_kernel(const struct record_names *n)
{
	uint32_t i;

	for (i = 1; i < n->p->nr_locations; i++) {
		const struct profile_location *l = &n->p->locations[i];

		if (l->mapping < n->nr_origins && n->origins[l->mapping].source == SOURCE_KERNEL &&
		    !kallsyms_name(n->kallsyms, l->address, NULL))
			return l->address;
	}
	return 0;
}

void record_refresh_kernel(struct record_names *n)
{
	uint64_t now = watch_now(), addr;
	bool reading;

	if (!n->kallsyms)
		return;
	reading = kallsyms_is_reading(n->kallsyms);
	if (!reading && now - n->kallsyms_read < n->kallsyms_wait)
		return;
	addr = record_unknown_to_kernel(n);
	if (!addr && !reading)
		return;
	if (kallsyms_refresh(n->kallsyms, addr ? KALLSYMS_READING_MS : 0) == -EAGAIN)
		return;
	n->kallsyms_read = now;
	/*
	 * some addresses never get a name, so the list is read less and less
	 * often for them
	 */
	if (!addr || kallsyms_name(n->kallsyms, addr, NULL))
		n->kallsyms_wait = KALLSYMS_REFRESH_NS;
	else if (n->kallsyms_wait < KALLSYMS_MAX_WAIT_NS)
		n->kallsyms_wait *= 2;
}
