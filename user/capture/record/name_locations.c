// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the locations of a profile their functions and lines, from the origin
 * of their mapping: all of them at the end, or those known so far while a
 * recording goes on. Implements that part of names.h.
 */
#include "capture/record/names_private.h"

#include <errno.h>
#include <stdlib.h>

#include "symbols/symstore/lines.h"

/*
 * Bytes that naming a location adds to a packed profile: names of functions,
 * files, lines, and inlined functions.
 */
#define NAME_BYTES 12u
/*
 * Factor by which packing makes image maps smaller: processes have most files
 * in common.
 */
#define IMAGEMAP_PACKS 12u

static int name_by_jit(struct record_names *n, uint32_t location, uint32_t pid,
		       uint64_t addr)
{
	struct profile_line line;
	struct jit_frame f;
	int found = jit_find(n->jit, pid, addr, &f);

	if (found <= 0)
		return found;
	line = symstore_line(n->p, n->names, f.name, profile_string(n->p, f.file), f.line);
	profile_location_lines(n->p, location, &line, 1);
	return 0;
}

static int name_location(struct record_names *n, uint32_t location)
{
	const struct profile_location *l = &n->p->locations[location];
	const struct origin *o;

	if (l->nr_lines || l->mapping >= n->nr_origins)
		return 0;
	o = &n->origins[l->mapping];
	switch (o->source) {
	case SOURCE_IMAGE:
		if (!n->options.raw)
			symstore_lines(n->p, n->names, location, o->image, l->address);
		return 0;
	case SOURCE_KERNEL:
		record_name_by_kernel(n, location, l->address);
		return 0;
	case SOURCE_JIT:
		return name_by_jit(n, location, o->pid, l->address);
	case SOURCE_NONE:
		return 0;
	}
	return 0;
}

int record_name_now(struct record_names *n)
{
	uint32_t i;
	int err = 0;

	symstore_go_on(n->store);
	record_refresh_kernel(n);
	for (i = 1; i < n->p->nr_locations && !err; i++)
		err = name_location(n, i);
	return err ? err : profile_error(n->p);
}

static bool is_to_come(const struct record_names *n, const struct profile_location *l)
{
	struct gsym_frame frame;
	const struct origin *o;

	if (n->options.raw || l->nr_lines || l->mapping >= n->nr_origins)
		return false;
	o = &n->origins[l->mapping];
	return o->source == SOURCE_IMAGE &&
	       symstore_lookup(o->image, l->address, &frame, 1) == -EAGAIN;
}

uint64_t record_names_to_come(struct record_names *n)
{
	uint64_t bytes = n->imagemaps.bytes / IMAGEMAP_PACKS;
	uint32_t i;

	for (i = 1; i < n->p->nr_locations; i++)
		if (is_to_come(n, &n->p->locations[i]))
			bytes += NAME_BYTES;
	return bytes;
}

/* Return: whether a mapping is code made by a process that is gone. */
static bool is_gone(struct record_names *n, uint32_t mapping)
{
	return mapping < n->nr_origins && n->origins[mapping].source == SOURCE_JIT &&
	       !processes_known(n->processes, n->origins[mapping].pid);
}

int record_name_gone(struct record_names *n)
{
	uint32_t i;
	int err = 0;

	for (i = 1; i < n->p->nr_locations && !err; i++)
		if (is_gone(n, n->p->locations[i].mapping))
			err = name_location(n, i);
	/* a new process may get the same number and have other code */
	for (i = 0; i < n->nr_origins; i++)
		if (is_gone(n, i))
			n->origins[i].source = SOURCE_NONE;
	record_forget_processes(n);
	return err ? err : profile_error(n->p);
}

int record_name_again(struct record_names *n, struct profile *p)
{
	struct symstore_image *image = NULL;
	uint32_t i, mapping = 0;

	symstore_go_on(n->store);
	for (i = 1; i < p->nr_locations; i++) {
		const struct profile_location *l = &p->locations[i];

		if (l->nr_lines || !l->mapping)
			continue;
		/* neighbours mostly have the same mapping */
		if (l->mapping != mapping)
			image = image_index_find(&n->image_index, p, l->mapping);
		mapping = l->mapping;
		if (image)
			symstore_lines(p, n->names, i, image, l->address);
	}
	return profile_error(p);
}

int record_name(struct record_names *n,
		bool (*progress)(unsigned int done, unsigned int all, const char *path,
				 void *arg),
		void *arg)
{
	int stopped = n->options.raw ? 0 : symstore_wait(n->store, progress, arg), err = 0;
	uint32_t i;

	if (n->kallsyms && !n->options.past && record_unknown_to_kernel(n))
		kallsyms_refresh(n->kallsyms, KALLSYMS_WAIT);
	for (i = 1; i < n->p->nr_locations && !err; i++)
		err = name_location(n, i);
	if (!err)
		err = profile_error(n->p);
	return err ? err : stopped;
}

/*
 * Return: for each mapping, the number of its locations and how many of them
 * have a name; to be freed. NULL without memory.
 */
static struct record_named *count_named(const struct record_names *n)
{
	struct record_named *files = calloc(n->nr_origins + 1, sizeof(*files));
	uint32_t i;

	for (i = 1; files && i < n->p->nr_locations; i++) {
		const struct profile_location *l = &n->p->locations[i];

		if (l->mapping >= n->nr_origins)
			continue;
		files[l->mapping].locations++;
		files[l->mapping].named += l->nr_lines != 0;
	}
	return files;
}

void record_names_each(const struct record_names *n,
		       void (*tell)(const struct record_named *file, void *arg), void *arg)
{
	struct record_named *files = count_named(n);
	uint32_t i;

	for (i = 1; files && i < n->nr_origins; i++) {
		const struct symstore_image *image = n->origins[i].image;

		if (n->origins[i].source != SOURCE_IMAGE)
			continue;
		files[i].path = profile_text(n->p, n->p->mappings[i].file);
		files[i].source = symstore_source(image);
		files[i].reason = symstore_reason(image);
		tell(&files[i], arg);
	}
	free(files);
}
