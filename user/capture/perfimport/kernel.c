// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out whether the kernel that was sampled is the one that runs here: by
 * its build id, its release, and the address of its text (which changes at each
 * boot). Other kernels get no names. See import.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/kernel/kallsyms_line.h"
#include "host/kernel/build_id.h"
#include "capture/perfimport/import.h"

#define KERNEL "[kernel.kallsyms]"

void import_kernel_map(struct import *im, const struct perfdata_map *m)
{
	/*
	 * perf appends the symbol's name to the path and puts its address in
	 * place of the offset
	 */
	if (!strcmp(m->path, KERNEL "_text") || !strcmp(m->path, KERNEL "_stext"))
		im->text = m->offset;
}

static bool has_other_build_id(const struct perfdata_head *h)
{
	uint8_t own[NOTES_MAX_BUILD_ID];
	uint8_t len = kernel_build_id(KERNEL, own);
	size_t i;

	for (i = 0; i < h->nr_build_ids; i++) {
		const struct perfdata_build_id *id = &h->build_ids[i];

		if (id->kernel && !strcmp(id->path, KERNEL))
			return id->len != len || memcmp(id->build_id, own, len);
	}
	return false;
}

/*
 * Both symbols are among the first that the kernel lists, mostly at the same
 * address.
 */
static bool is_moved(uint64_t text)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	bool moved = false, met = false;
	struct kallsyms_line l;
	char *line = NULL;
	size_t room = 0;

	while (f && !met && getline(&line, &room, f) > 0) {
		if (!kallsyms_line(line, &l) || (strcmp(l.name, "_text") && strcmp(l.name, "_stext")))
			continue;
		met = l.addr == text;
		/*
		 * a hidden address (0) proves nothing, and no kernel names are
		 * available then
		 */
		moved = l.addr && !met;
	}
	free(line);
	if (f)
		fclose(f);
	return moved;
}

static const char *why_elsewhere(const struct import *im)
{
	const struct perfdata_head *h = perfdata_head(im->file);
	struct utsname u;

	if (uname(&u))
		return NULL;
	if ((*h->os_release && strcmp(h->os_release, u.release)) || has_other_build_id(h))
		return "the sampled kernel is not the one that runs here";
	if (*h->arch && strcmp(h->arch, u.machine))
		return "another machine was sampled";
	if (im->text && is_moved(im->text))
		return "the kernel was sampled before this machine was booted, or on another one";
	return NULL;
}

void import_kernel_look(struct import *im)
{
	const char *why;

	if (im->looked)
		return;
	im->looked = true;
	why = why_elsewhere(im);
	if (!why)
		return;
	record_kernel_elsewhere(im->names);
	import_note(im, "%s: %s: its functions have no names", im->path, why);
}
