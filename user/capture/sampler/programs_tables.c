// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of programs.c for stacks that are walked by unwind tables: which
 * programs are loaded, the table of images at the start, and programs that see
 * mappings go. See programs_tables.h.
 */
#include "capture/sampler/programs_tables.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sampler.skel.h"
#include "tasks.skel.h"

#include "reason.h"
#include "capture/sampler/tracefs.h"
#include "tables.h"
#include "supply/tables/maker.h"
#include "util/native.h"

#include "util/poison.h"

void programs_tables_choose(struct programs *p, const struct sampler_options *o,
			    enum programs_method method)
{
	struct tasks_bpf *t = p->tasks;
	bool tables = o->tables, fexit = tables && method == PROGRAMS_FEXIT;
	bool kprobe = tables && method == PROGRAMS_KPROBE;
	bool calls = tables && method == PROGRAMS_CALLS;

	p->by_tables = tables;
	t->rodata->keep_spaces = tables;
	/*
	 * a thread is sampled whatever its process, so all processes are
	 * followed then
	 */
	t->rodata->chosen_only = o->nr_pids && !o->nr_tids;
	t->rodata->recorder = (uint32_t)getpid();
	bpf_program__set_autoload(t->progs.on_munmap, fexit);
	bpf_program__set_autoload(t->progs.on_mremap, fexit);
	bpf_program__set_autoload(t->progs.on_munmap_call, kprobe);
	bpf_program__set_autoload(t->progs.on_mremap_call, kprobe);
	bpf_program__set_autoload(t->progs.on_munmap_exit, calls);
	bpf_program__set_autoload(t->progs.on_mremap_exit, calls);
	bpf_program__set_autoload(t->progs.each_mapping, tables);
	if (fexit) {
		bpf_program__set_attach_target(t->progs.on_munmap, 0, NATIVE_SYSCALL("munmap"));
		bpf_program__set_attach_target(t->progs.on_mremap, 0, NATIVE_SYSCALL("mremap"));
	}
	if (tables)
		bpf_map__set_max_entries(t->maps.ustack_spaces, TABLES_SPACES);
}

/* No image has a table yet; code that is in no file never gets one. */
int programs_tables_init(struct programs *p)
{
	const size_t len = TABLES_IMAGES * sizeof(struct tables_image);
	struct tables_image *all;
	unsigned int i;

	if (!p->by_tables)
		return 0;
	all = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED,
		   bpf_map__fd(p->tasks->maps.ustack_images), 0);
	if (all == MAP_FAILED)
		return -errno;
	all[TABLES_MADE].why = USTACK_NO_IMAGE;
	for (i = TABLES_VDSO; i < TABLES_IMAGES; i++)
		all[i].why = USTACK_BUILDING;
	munmap(all, len);
	return 0;
}

static struct bpf_link *attach_call(struct bpf_program *prog, const char *name)
{
	return bpf_program__attach_tracepoint(prog, "syscalls", name);
}

int programs_tables_attach(struct programs *p, enum programs_method method)
{
	struct tasks_bpf *t = p->tasks;
	struct bpf_link **links = p->unmap_links;

	if (!p->by_tables)
		return 0;
	switch (method) {
	case PROGRAMS_FEXIT:
		links[0] = bpf_program__attach(t->progs.on_munmap);
		links[1] = bpf_program__attach(t->progs.on_mremap);
		break;
	case PROGRAMS_KPROBE:
		links[0] = bpf_program__attach_kprobe(t->progs.on_munmap_call, false, NATIVE_SYSCALL("munmap"));
		links[1] = bpf_program__attach_kprobe(t->progs.on_mremap_call, false, NATIVE_SYSCALL("mremap"));
		break;
	case PROGRAMS_CALLS:
		tracefs_find();
		links[0] = attach_call(t->progs.on_munmap_exit, "sys_exit_munmap");
		links[1] = attach_call(t->progs.on_mremap_exit, "sys_exit_mremap");
		break;
	}
	return links[0] && links[1] ? 0 : -errno;
}

void programs_tables_maps(const struct programs *p, struct table_maker_maps *ret)
{
	const struct tasks_bpf *t = p->tasks;

	*ret = (struct table_maker_maps){
		.spaces = bpf_map__fd(t->maps.ustack_spaces),
		.wides = bpf_map__fd(t->maps.ustack_wides),
		.huges = bpf_map__fd(t->maps.ustack_huges),
		.images = bpf_map__fd(t->maps.ustack_images),
		.files = bpf_map__fd(t->maps.files),
		.free_images = bpf_map__fd(t->maps.free_images),
		.shares = bpf_map__fd(t->maps.shares),
		.wishes = bpf_map__fd(t->maps.ustack_wishes),
		.bins = bpf_map__fd(t->maps.ustack_bins),
		.each = t->progs.each_mapping,
	};
}

void programs_tables_release(struct programs *p)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		bpf_link__destroy(p->unmap_links[i]);
		p->unmap_links[i] = NULL;
	}
}
