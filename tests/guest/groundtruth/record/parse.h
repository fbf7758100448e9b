/* SPDX-License-Identifier: GPL-2.0-only */
/* Conversion from the kernel's ring to the record file. */
#ifndef GT_PARSE_H
#define GT_PARSE_H

#include "events.h"
#include "tracepoint.h"

struct parse {
	const struct events *ev;
	const struct tracepoint *tp;
	pid_t self;		/* samples of this process are left out */
	struct gt_pack **packs;	/* state of each CPU */
	uint64_t samples;
	uint64_t own;
	uint64_t lost;
};

void parse_init(struct parse *p, const struct events *ev, const struct tracepoint *tp);

/* takes everything from the ring; returns the number of records */
unsigned int parse_ring(struct parse *p, struct ring *ring);

#endif /* GT_PARSE_H */
