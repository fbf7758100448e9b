/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evaluates DWARF expressions in call frame information for a captured frame. Signal
 * trampolines and assembly have them.
 *
 * Context: any; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_EH_EXPR_H
#define USTACK_USER_DARWIN_EH_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most operations that are run, so that loops end, and depth of the stack. */
#define EH_EXPR_STEPS 1000u
#define EH_EXPR_DEPTH 64u

/**
 * struct eh_expr_env - callbacks for a frame's registers and memory
 * @word: number of bytes of an address, and of values: 4 or 8
 * @reg: reads a register, by the section's numbers; false if it is unknown
 * @read: reads a word of memory; false if it is unknown
 * @arg: for @reg and @read
 */
struct eh_expr_env {
	unsigned int word;
	bool (*reg)(void *arg, uint64_t reg, uint64_t *ret);
	bool (*read)(void *arg, uint64_t addr, uint64_t *ret);
	void *arg;
};

/**
 * eh_expr_eval() - run an expression
 * @bytes: the expression
 * @len: number of @bytes
 * @env: the frame
 * @first: value on the stack at the start; NULL for none
 * @ret: value on top of the stack at the end
 * @why: set to a sentence on failure; static
 *
 * Return: 0; -ENODATA if a register or a word is unknown; -EBADMSG if the expression is damaged,
 * or has an operation that frames do not use.
 */
int eh_expr_eval(const uint8_t *bytes, uint32_t len, const struct eh_expr_env *env,
		 const uint64_t *first, uint64_t *ret, const char **why);

#endif /* USTACK_USER_DARWIN_EH_EXPR_H */
