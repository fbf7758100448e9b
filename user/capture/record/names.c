// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of struct record_names, the profile that it fills, and what is
 * dropped between two profiles. Implements that part of names.h.
 */
#include "capture/record/names_private.h"

#include <errno.h>
#include <stdlib.h>

#include "symbols/symstore/lines.h"

/*
 * Number of files that no process maps any more but whose names are kept: a
 * later interval may need them.
 */
#define IDLE_IMAGES 512u

int record_names_new(const struct record_names_options *options,
		     struct record_names **ret, struct diag *diag)
{
	struct symstore_options store = {
		.debug_dirs = options->debug_dirs, .file_dirs = options->file_dirs,
		.cache = options->cache, .cache_bytes = options->cache_bytes,
		.bsym_dir = options->bsym_dir,
		.servers = options->servers,
		.note = options->note, .arg = options->arg,
	};
	struct record_names *n = calloc(1, sizeof(*n));
	int err;

	if (!n)
		return -ENOMEM;
	n->options = *options;
	err = image_index_init(&n->image_index);
	if (!err)
		err = symstore_new(&store, &n->store, diag);
	n->processes = processes_new(record_meet_file, n);
	if (n->processes)
		processes_on_gone(n->processes, record_lose_file, n);
	n->jit = jit_new();
	n->cgroups = cgroups_new();
	n->names = symstore_names();
	n->contexts = options->past ? NULL : otel_processes_new();
	if (!err && (!n->processes || !n->jit || !n->cgroups || !n->names ||
		     (!n->contexts && !options->past)))
		err = -ENOMEM;
	if (err) {
		record_names_free(n);
		return err;
	}
	record_open_kallsyms(n);
	*ret = n;
	return 0;
}

void record_names_free(struct record_names *n)
{
	if (!n)
		return;
	/* first, because it gives its files back to the store */
	processes_free(n->processes);
	symstore_free(n->store);
	kallsyms_free(n->kallsyms);
	jit_free(n->jit);
	cgroups_free(n->cgroups);
	otel_processes_free(n->contexts);
	record_imagemaps_release(&n->imagemaps);
	names_free(n->names);
	image_index_release(&n->image_index);
	record_symbols_release(&n->symbols);
	free(n->origins);
	free(n);
}

struct processes *record_processes(struct record_names *n)
{
	return n->processes;
}

void record_clock(struct record_names *n, uint64_t realtime, uint64_t monotonic)
{
	n->clock = realtime - monotonic;
}

void record_profile(struct record_names *n, struct profile *p)
{
	n->p = p;
	n->nr_origins = 0;
	record_imagemaps_release(&n->imagemaps);
}

static bool is_known(uint32_t pid, void *arg)
{
	const struct record_names *n = arg;

	return processes_known(n->processes, pid);
}

void record_forget_processes(struct record_names *n)
{
	jit_forget_others(n->jit, is_known, n);
	cgroups_forget(n->cgroups);
}

static void drop_image(struct symstore_image *image, void *arg)
{
	struct record_names *n = arg;

	image_index_drop(&n->image_index, image);
}

int record_names_forget(struct record_names *n)
{
	record_forget_processes(n);
	if (!symstore_trim(n->store, IDLE_IMAGES, drop_image, n))
		return 0;
	return image_index_compact(&n->image_index);
}
