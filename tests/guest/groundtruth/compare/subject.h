/* SPDX-License-Identifier: GPL-2.0-only */
/* One sample with everything that is known about it: the input of every judge. */
#ifndef GT_SUBJECT_H
#define GT_SUBJECT_H

#include "compare.h"
#include "reader.h"

struct subject {
	const struct arch *arch;
	const struct gt_info *info;
	const struct sample *s;
	struct space *space;
	struct regs regs;
	size_t stack_len;		/* bytes of s->stack, 0 if there is none */
	struct chain chain;		/* callchain of the kernel or the module */
	const struct gt_reason *reason;	/* reason recorded by the module; NULL: none */
	const struct unwound *truth;
};

const char *reason_name(unsigned int reason);

/*
 * the file and address of the frame from which the step to the first wrong frame was made;
 * NULL: it is in no file
 */
struct file *subject_step(const struct subject *x, unsigned int common, uint64_t *ret_vaddr);

/* why the callchain ended: the module's reason, or what can be derived without it */
const char *subject_why(const struct subject *x);

#endif /* GT_SUBJECT_H */
