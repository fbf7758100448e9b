/* SPDX-License-Identifier: GPL-2.0-only */
/* One sample with all that is known of it: what every judge is given. */
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
	size_t stack_len;		/* of s->stack, 0 if there is none */
	struct chain chain;		/* the kernel's, or the module's */
	const struct gt_reason *reason;	/* of the module; NULL: none recorded */
	const struct unwound *truth;
};

const char *reason_name(unsigned int reason);

/* where the frame lies that the first wrong one was stepped to from; NULL: in no file */
struct file *subject_step(const struct subject *x, unsigned int common, uint64_t *ret_vaddr);

/* why the callchain ended: the module's reason, or what can be said without */
const char *subject_why(const struct subject *x);

#endif /* GT_SUBJECT_H */
