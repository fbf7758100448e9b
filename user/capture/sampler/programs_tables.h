/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/sampler: what programs.c does in addition where
 * stacks are walked by tables. Without @by_tables these functions do nothing.
 */
#ifndef USTACK_USER_SAMPLER_PROGRAMS_TABLES_H
#define USTACK_USER_SAMPLER_PROGRAMS_TABLES_H

#include "capture/sampler/programs.h"

struct table_maker_maps;

/* How changes of mappings are seen. */
enum programs_method {
	PROGRAMS_FEXIT,
	PROGRAMS_KPROBE,
	PROGRAMS_CALLS,		/* tracepoints of system calls */
};

/*
 * Call before the tasks object is loaded. Decides whether stacks are walked by
 * tables, which programs that takes, and whose mappings they keep: those of
 * processes that may be sampled.
 */
void programs_tables_choose(struct programs *p, const struct sampler_options *o,
			    enum programs_method method);

/*
 * Call after it is loaded and before it is attached. Return: 0 or a negative
 * errno.
 */
int programs_tables_init(struct programs *p);

/* Attaches the programs that see mappings go. Return: 0 or a negative errno. */
int programs_tables_attach(struct programs *p, enum programs_method method);

/*
 * @ret: the programs' maps, for table_maker_new(); valid as long as they are loaded.
 */
void programs_tables_maps(const struct programs *p, struct table_maker_maps *ret);

/* Detaches what programs_tables_attach() attached. */
void programs_tables_release(struct programs *p);

#endif /* USTACK_USER_SAMPLER_PROGRAMS_TABLES_H */
