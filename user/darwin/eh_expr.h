/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values of DWARF expressions in call frame information, over a frame that was captured.
 * Signal trampolines have them, and assembly.
 *
 * Context: any; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_EH_EXPR_H
#define USTACK_USER_DARWIN_EH_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operations that are run, so that loops end, and the stack's depth. */
#define EH_EXPR_STEPS 1000u
#define EH_EXPR_DEPTH 64u

/**
 * struct eh_expr_env - what expressions ask for
 * @word: bytes of an address: 4 or 8; values are of so many
 * @reg: the value of a register, by the numbers of the section
 * @read: a word of memory
 * @arg: for both. They return whether it is known
 */
struct eh_expr_env {
	unsigned int word;
	bool (*reg)(void *arg, uint64_t reg, uint64_t *ret);
	bool (*read)(void *arg, uint64_t addr, uint64_t *ret);
	void *arg;
};

/**
 * eh_expr_eval() - run an expression
 * @bytes: it
 * @len: bytes of it
 * @env: the frame
 * @first: what is on the stack at first; NULL for nothing
 * @ret: what is on top of it at the end
 * @why: on failure, a sentence; static
 *
 * Return: 0; -ENODATA if a register or a word is not known; -EBADMSG if it is damaged, or
 * has an operation that frames have no use for.
 */
int eh_expr_eval(const uint8_t *bytes, uint32_t len, const struct eh_expr_env *env,
		 const uint64_t *first, uint64_t *ret, const char **why);

#endif /* USTACK_USER_DARWIN_EH_EXPR_H */
