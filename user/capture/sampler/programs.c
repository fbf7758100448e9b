// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads and attaches the BPF objects: tasks.bpf.c follows processes,
 * sampler.bpf.c samples. See programs.h. Called by sampler.c and follow.c.
 */
#include "capture/sampler/programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire.h"

#include "sampler.skel.h"
#include "tasks.skel.h"

#include "capture/sampler/programs_tables.h"
#include "capture/sampler/refusal.h"
#include "capture/sampler/tracefs.h"
#include "util/sysctl.h"

#include "util/poison.h"

#define MAX_PROCS 262144u
#define DEFAULT_MAX_STACK 127u

/* How changes of mappings can be seen, best first. */
static const struct method {
	const char *text;
	enum programs_method is;
} methods[] = {
	{ "fexit of perf_event_mmap", PROGRAMS_FEXIT },
	{ "kprobe of perf_event_mmap", PROGRAMS_KPROBE },
	{ "system calls mmap and mprotect", PROGRAMS_CALLS },
};

/* Reads a setting of the kernel. Return: @other if it cannot be read. */
static uint32_t setting(const char *name, uint32_t other)
{
	int64_t value;

	return sysctl_kernel(name, &value) ? (uint32_t)value : other;
}

static int attach(struct bpf_program *prog, struct bpf_link **link)
{
	*link = bpf_program__attach(prog);
	return *link ? 0 : -errno;
}

/* Attaches to the tracepoints of system calls. pkey_mprotect may be missing. */
static int attach_calls(struct tasks_bpf *t, struct bpf_link **links, unsigned int *nr)
{
	static const char *const calls[] = { "mmap", "mprotect", "pkey_mprotect" };
	char name[64];
	unsigned int i;

	tracefs_find();
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		snprintf(name, sizeof(name), "sys_exit_%s", calls[i]);
		links[*nr] = bpf_program__attach_tracepoint(t->progs.on_map_exit, "syscalls", name);
		if (!links[*nr] && i < 2)
			return -errno;
		*nr += links[*nr] != NULL;
	}
	return 0;
}

static int attach_method(struct programs *p, const struct method *method)
{
	struct tasks_bpf *t = p->tasks;
	int err;

	if (method->is == PROGRAMS_FEXIT)
		return attach(t->progs.on_mmap, &t->links.on_mmap);
	if (method->is == PROGRAMS_CALLS)
		return attach_calls(t, p->call_links, &p->nr_call_links);
	err = attach(t->progs.on_mmap_return, &t->links.on_mmap_return);
	return err ? err : attach(t->progs.on_mmap_call, &t->links.on_mmap_call);
}

static void choose_method(struct tasks_bpf *t, const struct method *method)
{
	bpf_program__set_autoload(t->progs.on_mmap, method->is == PROGRAMS_FEXIT);
	bpf_program__set_autoload(t->progs.on_mmap_call, method->is == PROGRAMS_KPROBE);
	bpf_program__set_autoload(t->progs.on_mmap_return, method->is == PROGRAMS_KPROBE);
	bpf_program__set_autoload(t->progs.on_map_exit, method->is == PROGRAMS_CALLS);
}

int programs_fill_ids(struct bpf_map *map, const uint32_t *ids, size_t nr)
{
	uint64_t none = 0;	/* start time not known: pids.bpf.h */
	int err = 0;
	size_t i;

	for (i = 0; i < nr && !err; i++)
		err = bpf_map_update_elem(bpf_map__fd(map), &ids[i], &none, BPF_ANY);
	return err;
}

uint32_t programs_max_pids(bool children, size_t nr_pids)
{
	return children ? MAX_PROCS : (uint32_t)nr_pids + 1;
}

/* Fills maps before any program runs that could change them. */
static int fill_tasks(struct tasks_bpf *t, const struct sampler_options *o)
{
	struct wire_proc none = { 0 };
	uint32_t key = WIRE_PROC_NONE;
	int err = bpf_map_update_elem(bpf_map__fd(t->maps.procs), &key, &none, BPF_ANY);

	return err ? err : programs_fill_ids(t->maps.pids, o->pids, o->nr_pids);
}

static void tasks_unload(struct programs *p)
{
	while (p->nr_call_links)
		bpf_link__destroy(p->call_links[--p->nr_call_links]);
	programs_tables_release(p);
	tasks_bpf__destroy(p->tasks);
	p->tasks = NULL;
}

static int tasks_load_method(struct programs *p, const struct method *method,
			     const struct sampler_options *o)
{
	uint32_t procs = setting("pid_max", MAX_PROCS);
	struct tasks_bpf *t;
	int err;

	refusal_clear();
	t = tasks_bpf__open();
	if (!t)
		return -errno;
	p->tasks = t;
	choose_method(t, method);
	t->rodata->follow_children = o->children;
	programs_tables_choose(p, o, method->is);
	err = bpf_map__set_max_entries(t->maps.procs, procs < MAX_PROCS ? procs : MAX_PROCS);
	if (!err)
		err = bpf_map__set_max_entries(t->maps.pids,
					       programs_max_pids(o->children, o->nr_pids));
	if (!err)
		err = tasks_bpf__load(t);
	if (!err)
		err = fill_tasks(t, o);
	if (!err)
		err = programs_tables_init(p);
	if (!err)
		err = attach(t->progs.on_free, &t->links.on_free);
	if (!err)
		err = attach(t->progs.on_fork, &t->links.on_fork);
	if (!err)
		err = attach(t->progs.on_exec, &t->links.on_exec);
	if (!err)
		err = attach_method(p, method);
	if (!err)
		err = programs_tables_attach(p, method->is);
	p->mapping = method->text;
	p->slow = method->is == PROGRAMS_CALLS;
	return err;
}

static int tasks_load(struct programs *p, const struct sampler_options *o, struct diag *diag)
{
	int err = -ENOENT;
	size_t i;

	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		/*
		 * else programs would be loaded and maps made that cannot be
		 * attached
		 */
		if (methods[i].is == PROGRAMS_KPROBE && !tracefs_has_kprobes())
			continue;
		err = tasks_load_method(p, &methods[i], o);
		if (!err)
			return 0;
		tasks_unload(p);
	}
	return refusal_load(-err, "that follows processes", diag);
}

static void set_filters(struct sampler_bpf__rodata *ro, const struct programs_plan *plan)
{
	const struct sampler_options *o = plan->options;
	char value[WIRE_COMM] = "", mask[WIRE_COMM] = "";
	size_t len;

	ro->filter_ids = o->nr_pids || o->nr_tids;
	ro->filter_cgroup = o->cgroup != NULL;
	ro->filter_cpus = plan->cpus != NULL;
	if (plan->cpus)
		memcpy((void *)ro->cpu_mask, plan->cpus->words, sizeof(ro->cpu_mask));
	if (!o->comm)
		return;
	ro->filter_comm = true;
	len = strcspn(o->comm, "*");
	memcpy(value, o->comm, len);
		/*
		 * without an asterisk the NUL and the bytes after it are
		 * compared too
		 */
	memset(mask, 0xff, o->comm[len] ? len : sizeof(mask));
	memcpy((void *)ro->comm_value, value, sizeof(value));
	memcpy((void *)ro->comm_mask, mask, sizeof(mask));
}

static uint32_t frames(const struct sampler_options *o, bool none, uint32_t most)
{
	uint32_t max = setting("perf_event_max_stack", DEFAULT_MAX_STACK);

	if (o->max_frames && o->max_frames < max)
		max = o->max_frames;
	if (none)
		return 0;
	return max < most ? max : most;
}

static void set_options(struct sampler_bpf__rodata *ro, const struct programs_plan *plan)
{
	const struct sampler_options *o = plan->options;
	size_t i;

	ro->user_frames = frames(o, o->no_user, WIRE_FRAMES);
	ro->kernel_frames = frames(o, o->no_kernel, WIRE_FRAMES);
	ro->wait_user_frames = frames(o, o->no_user, WIRE_WAIT_USER);
	ro->wait_kernel_frames = frames(o, o->no_kernel, WIRE_WAIT_KERNEL);
	ro->languages = o->languages && !o->no_user;
	ro->by_thread = o->by_thread;
	ro->timestamps = o->timestamps;
	ro->user_threads = o->user_threads;
	ro->blocked_only = o->offcpu_blocked_only;
	ro->wait_min_ns = o->offcpu_min_ns;
	for (i = 0; i < o->nr_events; i++)
		if (plan->events[i].kind == EVENT_OFF_CPU)
			ro->wait_event = i;
	ro->chunks_half = plan->sizes.chunks / 2;
	ro->counts_half = plan->sizes.counts / 2;
	ro->chunks_step = plan->sizes.chunks / 32;
	ro->counts_step = plan->sizes.counts / 32;
	set_filters(ro, plan);
}

struct bpf_program *programs_of(const struct programs *p, enum event_kind kind)
{
	struct sampler_bpf *m = p->main;

	switch (kind) {
	case EVENT_OFF_CPU:
		return p->by_tables ? m->progs.on_switch_tables : m->progs.on_switch;
	case EVENT_TRACEPOINT:
		return p->by_tables ? m->progs.on_tracepoint_tables : m->progs.on_tracepoint;
	case EVENT_KPROBE:
		return p->by_tables ? m->progs.on_kprobe_tables : m->progs.on_kprobe;
	case EVENT_UPROBE:
		return p->by_tables ? m->progs.on_uprobe_tables : m->progs.on_uprobe;
	case EVENT_USDT:
		return p->by_tables ? m->progs.on_usdt_tables : m->progs.on_usdt;
	case EVENT_PERF:
		break;
	}
	return p->by_tables ? m->progs.on_perf_event_tables : m->progs.on_perf_event;
}

static bool has_kind(const struct programs_plan *plan, enum event_kind kind)
{
	size_t i;

	for (i = 0; i < plan->options->nr_events; i++)
		if (plan->events[i].kind == kind)
			return true;
	return false;
}

/*
 * Loads only the programs that are needed. With tables the module's tracepoint
 * is not.
 */
static void choose_programs(const struct programs *p, const struct programs_plan *plan)
{
	struct bpf_program *prog;
	size_t i;

	bpf_object__for_each_program(prog, p->main->obj)
		bpf_program__set_autoload(prog, false);
	bpf_program__set_autoload(p->main->progs.note_stop, !p->by_tables);
	/* "cycles" may become cpu-clock later, but that is the same program */
	for (i = 0; i < plan->options->nr_events; i++)
		bpf_program__set_autoload(programs_of(p, plan->events[i].kind), true);
	bpf_map__set_autocreate(p->main->maps.__bpf_usdt_specs, has_kind(plan, EVENT_USDT));
	bpf_map__set_autocreate(p->main->maps.__bpf_usdt_ip_to_spec_id, has_kind(plan, EVENT_USDT));
}

/* Lets both objects use the same maps. */
static int share_maps(struct sampler_bpf *m, struct tasks_bpf *t)
{
	const struct {
		struct bpf_map *of, *to;
	} maps[] = {
		{ t->maps.tallies, m->maps.tallies },
		{ t->maps.procs, m->maps.procs },
		{ t->maps.pids, m->maps.pids },
		{ t->maps.ustack_spaces, m->maps.ustack_spaces },
		{ t->maps.ustack_wides, m->maps.ustack_wides },
		{ t->maps.ustack_huges, m->maps.ustack_huges },
		{ t->maps.ustack_images, m->maps.ustack_images },
		{ t->maps.ustack_bins, m->maps.ustack_bins },
		{ t->maps.ustack_wishes, m->maps.ustack_wishes },
		{ t->maps.lang_procs, m->maps.lang_procs },
	};
	int err = 0;
	size_t i;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]) && !err; i++)
		err = bpf_map__reuse_fd(maps[i].to, bpf_map__fd(maps[i].of));
	return err;
}

static int size_maps(struct programs *p, const struct programs_plan *plan)
{
	struct sampler_bpf *m = p->main;
	int err = share_maps(m, p->tasks);

	if (!err)
		err = bpf_map__set_max_entries(m->maps.tids, plan->options->nr_tids + 1);
	if (!err)
		err = bpf_map__set_max_entries(m->maps.waits, plan->waits);
	if (!err)
		err = bpf_map__set_max_entries(m->maps.lang_waits,
					       plan->options->languages ? plan->waits : 1);
	return err;
}

static int fill_cgroup(struct sampler_bpf *m, const char *path, struct diag *diag)
{
	uint32_t zero = 0;
	int fd, err;

	if (!path)
		return 0;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return diag_errno(diag, errno, path);
	err = bpf_map_update_elem(bpf_map__fd(m->maps.cgroups), &zero, &fd, BPF_ANY);
	close(fd);
	if (err)
		return diag_set(diag, -err, path,
				"not a cgroup of version 2: those are below the mount of type cgroup2");
	return 0;
}

static int main_load(struct programs *p, const struct programs_plan *plan, struct diag *diag)
{
	struct sampler_bpf *m;
	int err;

	refusal_clear();
	m = sampler_bpf__open();
	if (!m)
		return refusal_load(errno, "that samples", diag);
	p->main = m;
	set_options(m->rodata, plan);
	choose_programs(p, plan);
	err = size_maps(p, plan);
	if (!err)
		err = sampler_bpf__load(m);
	if (!err)
		err = programs_fill_ids(m->maps.tids, plan->options->tids, plan->options->nr_tids);
	if (err)
		return refusal_load(-err, "that samples", diag);
	return fill_cgroup(m, plan->options->cgroup, diag);
}

int programs_load_tasks(struct programs *p, const struct sampler_options *options,
			struct diag *diag)
{
	libbpf_print_fn_t old;
	int err;

	err = refusal_probe(diag);
	if (err)
		return err;
	old = libbpf_set_print(refusal_note);
	err = tasks_load(p, options, diag);
	libbpf_set_print(old);
	/* gives back 10 MB for the kernel's types, which only loading needs */
	malloc_trim(0);
	return err;
}

int programs_load(struct programs *p, const struct programs_plan *plan, struct diag *diag)
{
	libbpf_print_fn_t old;
	int err;

	err = programs_load_tasks(p, plan->options, diag);
	if (err)
		return err;
	old = libbpf_set_print(refusal_note);
	err = main_load(p, plan, diag);
	libbpf_set_print(old);
	malloc_trim(0);
	return err;
}

void programs_release(struct programs *p)
{
	programs_detach(p);
	bpf_link__destroy(p->module);
	sampler_bpf__destroy(p->main);
	tasks_unload(p);
	*p = (struct programs){ 0 };
}

void programs_detach(struct programs *p)
{
	while (p->nr_links)
		bpf_link__destroy(p->links[--p->nr_links]);
}

bool programs_attach_module(struct programs *p)
{
	libbpf_print_fn_t old;

	if (p->module || p->by_tables)
		return false;
	old = libbpf_set_print(NULL);
	p->module = bpf_program__attach(p->main->progs.note_stop);
	libbpf_set_print(old);
	if (!p->module)
		return false;
	p->main->bss->module_attached = true;
	return true;
}
