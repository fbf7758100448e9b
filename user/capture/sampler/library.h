/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the file of a probe that is named as a library is, such as "libc". */
#ifndef USTACK_USER_SAMPLER_LIBRARY_H
#define USTACK_USER_SAMPLER_LIBRARY_H

#include "capture/sampler/event.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

/**
 * library_find() - find the file of a uprobe or of a static probe
 * @ev: gets a path in @file; @file stays as it is if it is a path already, or
 *	the name
 * @options: sampler options; the mappings of the processes and threads in them
 *	are searched first
 * @name: name of the event as given, for @diag
 * @diag: may be NULL
 *
 * The dynamic linker's cache is searched after that, as bpftrace(8) does. A
 * name with ".so" that is not in the cache is left unchanged, because libbpf
 * searches more folders.
 *
 * Return: 0, or -ENOENT if no program or library has this name.
 */
int library_find(struct event *ev, const struct sampler_options *options, const char *name,
		 struct diag *diag);

#endif /* USTACK_USER_SAMPLER_LIBRARY_H */
