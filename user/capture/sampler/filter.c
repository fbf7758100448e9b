// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads the filter program of bpf/filter.bpf.c, fills its maps and attaches it
 * to events. See filter.h; stackcopy/events.c calls it.
 */
#include "capture/sampler/filter.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "wire.h"

#include "filter.skel.h"

#include "capture/sampler/programs.h"
#include "capture/sampler/refusal.h"

#include "util/poison.h"

struct filter {
	struct filter_bpf *bpf;
};

static int attach(struct filter_bpf *b)
{
	b->links.on_free = bpf_program__attach(b->progs.on_free);
	if (!b->links.on_free)
		return -errno;
	b->links.on_fork = bpf_program__attach(b->progs.on_fork);
	return b->links.on_fork ? 0 : -errno;
}

static int load(struct filter *f, const uint32_t *pids, size_t nr_pids, const uint32_t *tids,
		size_t nr_tids, bool children)
{
	struct filter_bpf *b = filter_bpf__open();
	int err;

	if (!b)
		return -errno;
	f->bpf = b;
	bpf_program__set_autoload(b->progs.on_fork, children);
	bpf_program__set_autoload(b->progs.on_free, children);
	err = bpf_map__set_max_entries(b->maps.pids, programs_max_pids(children, nr_pids));
	if (!err)
		err = bpf_map__set_max_entries(b->maps.tids, (uint32_t)nr_tids + 1);
	if (!err)
		err = filter_bpf__load(b);
	if (!err)
		err = programs_fill_ids(b->maps.pids, pids, nr_pids);
	if (!err)
		err = programs_fill_ids(b->maps.tids, tids, nr_tids);
	return err || !children ? err : attach(b);
}

int filter_new(const uint32_t *pids, size_t nr_pids, const uint32_t *tids, size_t nr_tids,
	       bool children, struct filter **ret, struct diag *diag)
{
	libbpf_print_fn_t old;
	struct filter *f;
	int err = refusal_probe(diag);

	if (err)
		return err;
	f = calloc(1, sizeof(*f));
	if (!f)
		return diag_errno(diag, ENOMEM, NULL);
	refusal_clear();
	old = libbpf_set_print(refusal_note);
	err = load(f, pids, nr_pids, tids, nr_tids, children);
	libbpf_set_print(old);
	/*
	 * gives back the memory for the kernel's types, which only loading
	 * needs
	 */
	malloc_trim(0);
	if (err) {
		filter_free(f);
		return refusal_load(-err, "that filters samples", diag);
	}
	*ret = f;
	return 0;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	filter_bpf__destroy(f->bpf);
	free(f);
}

int filter_event(const struct filter *f, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(f->bpf->progs.on_sample)) ? -errno : 0;
}

uint64_t filter_children_lost(const struct filter *f)
{
	return f->bpf->bss->children_lost;
}
