/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of a probe that is named as a library is: "libc". */
#ifndef USTACK_USER_SAMPLER_LIBRARY_H
#define USTACK_USER_SAMPLER_LIBRARY_H

#include "capture/sampler/event.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

/**
 * library_find() - find the file of a uprobe or of a static probe
 * @ev: its @file becomes a path, unless it is one, or is the name of a program in $PATH, which
 *      libbpf finds
 * @options: whose processes are asked first what they have mapped
 * @name: of the event, as it was given, for @diag
 * @diag: may be NULL
 *
 * Then the dynamic linker's cache is asked, as bpftrace(8) does. A name such as libc.so that it
 * does not have is left as it is: libbpf looks in some folders more.
 *
 * Return: 0, or -ENOENT if nothing is called so.
 */
int library_find(struct event *ev, const struct sampler_options *options, const char *name,
		 struct diag *diag);

#endif /* USTACK_USER_SAMPLER_LIBRARY_H */
