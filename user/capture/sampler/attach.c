// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches events that belong to no CPU: tracepoints, probes and off-cpu.
 * Implements programs_refuse() and programs_attach() of programs.h; sampler.c
 * calls them.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <unistd.h>

#include "wire.h"

#include "sampler.skel.h"
#include "capture/sampler/programs.h"
#include "capture/sampler/refusal.h"
#include "capture/sampler/tracefs.h"

#include "util/poison.h"

static struct bpf_link *attach_tracepoint(struct bpf_program *prog, const struct event *ev,
					  unsigned int index)
{
	LIBBPF_OPTS(bpf_tracepoint_opts, opts, .bpf_cookie = index);

	tracefs_find();
	return bpf_program__attach_tracepoint_opts(prog, ev->file, ev->symbol,
						   &opts);
}

static struct bpf_link *attach_kprobe(struct bpf_program *prog, const struct event *ev,
				      unsigned int index)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .bpf_cookie = index, .retprobe = ev->at_return);

	return bpf_program__attach_kprobe_opts(prog, ev->symbol, &opts);
}

static struct bpf_link *attach_uprobe(struct bpf_program *prog, const struct event *ev,
				      unsigned int index)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .bpf_cookie = index, .retprobe = ev->at_return,
		    .func_name = *ev->symbol ? ev->symbol : NULL);

	return bpf_program__attach_uprobe_opts(prog, -1, ev->file, ev->offset, &opts);
}

static struct bpf_link *attach_usdt(struct bpf_program *prog, const struct event *ev,
				    unsigned int index)
{
	LIBBPF_OPTS(bpf_usdt_opts, opts, .usdt_cookie = index);

	return bpf_program__attach_usdt(prog, -1, ev->file, ev->provider, ev->symbol,
					&opts);
}

int programs_refuse(const struct event *ev, const char *name, struct diag *diag)
{
	if (ev->kind == EVENT_KPROBE && !tracefs_has_kprobes())
		return diag_set(diag, EOPNOTSUPP, name,
				"the kernel has no kprobes: it has to be built with CONFIG_KPROBE_EVENTS");
	if (ev->kind == EVENT_TRACEPOINT && !tracefs_has(ev->file, ev->symbol))
		return refusal_tracepoint(name, diag);
	if ((ev->kind == EVENT_UPROBE || ev->kind == EVENT_USDT) && ev->file[0] == '/' && access(ev->file, R_OK))
		return diag_set(diag, errno, name, "%s cannot be read", ev->file);
	return 0;
}

int programs_attach(struct programs *p, const struct event *ev, unsigned int index,
		    const char *name, struct diag *diag)
{
	struct bpf_program *prog = programs_of(p, ev->kind);
	libbpf_print_fn_t old;
	struct bpf_link *link = NULL;
	int err;

	refusal_clear();
	old = libbpf_set_print(refusal_note);
	switch (ev->kind) {
	case EVENT_TRACEPOINT:
		link = attach_tracepoint(prog, ev, index);
		break;
	case EVENT_KPROBE:
		link = attach_kprobe(prog, ev, index);
		break;
	case EVENT_UPROBE:
		link = attach_uprobe(prog, ev, index);
		break;
	case EVENT_USDT:
		link = attach_usdt(prog, ev, index);
		break;
	case EVENT_OFF_CPU:
		link = bpf_program__attach(prog);
		break;
	case EVENT_PERF:
		errno = EINVAL;
		break;
	}
	err = link ? 0 : -errno;
	libbpf_set_print(old);
	if (err == -ENOENT && ev->kind == EVENT_USDT)
		return diag_set(diag, ENOENT, name,
				"the file has no such static probe; readelf -n lists those that it has");
	if (err)
		return refusal_attach(-err, name, diag);
	p->links[p->nr_links++] = link;
	return 0;
}
