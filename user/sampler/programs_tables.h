/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/sampler: what programs.c does more where stacks are walked by tables. Without
 * @by_tables each of these does nothing.
 */
#ifndef USTACK_USER_SAMPLER_PROGRAMS_TABLES_H
#define USTACK_USER_SAMPLER_PROGRAMS_TABLES_H

#include "sampler/programs.h"

/* How changes of mappings are seen. */
enum programs_way {
	PROGRAMS_FEXIT,
	PROGRAMS_KPROBE,
	PROGRAMS_CALLS,		/* tracepoints of system calls */
};

/* Before tasks are loaded: by tables, if @tables, and which programs that takes. */
void programs_tables_choose(struct programs *p, bool tables, enum programs_way way);

/* When they are loaded, before they are attached. Return: 0 or a negative errno. */
int programs_tables_init(struct programs *p);

/* Attaches what sees mappings go. Return: 0 or a negative errno. */
int programs_tables_attach(struct programs *p, enum programs_way way);

/* Detaches it. */
void programs_tables_release(struct programs *p);

#endif /* USTACK_USER_SAMPLER_PROGRAMS_TABLES_H */
