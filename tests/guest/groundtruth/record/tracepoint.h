/* SPDX-License-Identifier: GPL-2.0-only */
/* The offsets of the fields of ustack:ustack_stop, from tracefs. */
#ifndef GT_TRACEPOINT_H
#define GT_TRACEPOINT_H

#include <stdint.h>

struct tp_field {
	unsigned int offset;
	unsigned int size;	/* 0: the field does not exist */
};

struct tracepoint {
	int id;			/* -1: there is no such tracepoint */
	struct tp_field pid, reason, frames, pc, sp;
};

void tracepoint_find(struct tracepoint *tp);
uint64_t tracepoint_get(const struct tp_field *f, const void *raw, unsigned int len);

#endif /* GT_TRACEPOINT_H */
