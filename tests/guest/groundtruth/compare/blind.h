/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's own step for code without a row (kmod/core's ustack_step_blind), over a record:
 * the copied stack, and the code of the files. Memory without a file (JIT code) is not in a
 * record, and reading it fails.
 */
#ifndef GT_BLIND_H
#define GT_BLIND_H

#include "subject.h"

/* A step from frame I of the truth. Return: false if the module would not step. */
bool blind_step(const struct subject *x, unsigned int i, uint64_t *ret_pc,
		uint64_t *ret_sp, uint64_t *ret_fp);

#endif /* GT_BLIND_H */
