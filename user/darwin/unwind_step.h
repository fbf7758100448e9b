/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One step from a frame to its caller's by compact unwinding, over captured registers and stack
 * of x86, x86-64 or arm64, on any machine.
 *
 * Context: any; nothing is kept. Memory is read through callbacks only.
 */
#ifndef USTACK_USER_DARWIN_UNWIND_STEP_H
#define USTACK_USER_DARWIN_UNWIND_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "darwin/unwind_decode.h"
#include "darwin/unwind_info.h"

/* System V's DWARF numbers up to arm64's d15. */
#define UNWIND_NR_REGS 80

/**
 * struct unwind_regs - registers of a frame
 * @pc: address; in a caller, the return address
 * @sp: stack pointer
 * @lr: arm64's link register, if @has_lr
 * @has_lr: @lr is known: in the innermost frame, or in one that a signal interrupted. Other
 *	frames do not need it, see unwind_lr_counts()
 * @inner: this frame has not called another one: @pc is an instruction that has not run yet
 * @reg: values by DWARF number, with the frame pointer
 * @known: by DWARF number: the value in @reg is known
 */
struct unwind_regs {
	uint64_t pc;
	uint64_t sp;
	uint64_t lr;
	bool has_lr;
	bool inner;
	uint64_t reg[UNWIND_NR_REGS];
	bool known[UNWIND_NR_REGS];
};

/* Whether the link register has the return address: after a call it has another value. */
static inline bool unwind_lr_counts(const struct unwind_regs *regs)
{
	return regs->has_lr && regs->inner;
}

/* The frame pointer's DWARF number. */
unsigned int unwind_frame_reg(enum unwind_arch arch);

/**
 * struct unwind_image - an image, and the process that it is in
 * @arch: architecture of the process
 * @path: path of the image, for messages; borrowed
 * @u: the image's __unwind_info
 * @base: address of its Mach-O header in memory
 * @code: reads four bytes of code at an image offset; NULL if there is no code
 * @word: reads a word of the stack at an address: 4 bytes on x86, else 8
 * @arg: for @code and @word, which return whether the bytes could be read
 * @strip: arm64: mask of the address bits in a return address; the others are its signature.
 *         0 for all bits
 */
struct unwind_image {
	enum unwind_arch arch;
	const char *path;
	const struct unwind_info *u;
	uint64_t base;
	bool (*code)(void *arg, uint32_t off, uint32_t *ret);
	bool (*word)(void *arg, uint64_t addr, uint64_t *ret);
	void *arg;
	uint64_t strip;
};

/**
 * unwind_find() - find the rule at a frame's address
 * @image: the image that contains @regs->pc
 * @regs: registers of the frame
 * @e: receives the entry, if there is one
 * @ret: receives the rule on success
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT if the address or its function has no unwind information; -EOPNOTSUPP if
 * it is in __eh_frame: then @ret is UNWIND_DWARF; -EBADMSG if it is damaged.
 */
int unwind_find(const struct unwind_image *image, const struct unwind_regs *regs,
		struct unwind_entry *e, struct unwind_rule *ret, struct diag *diag);

/**
 * unwind_apply() - step to the caller by a rule
 * @image: the image; its @u may be NULL
 * @e: entry with the function's start, needed for UNWIND_INDIRECT
 * @r: any but UNWIND_NONE and UNWIND_DWARF
 * @regs: see unwind_step()
 * @diag: may be NULL
 *
 * Registers that calls need not preserve are unknown in the caller, and so is a register that is
 * saved where the stack was not captured. Only the frame pointer of UNWIND_FRAME and the return
 * address must be there.
 *
 * Return: as unwind_step() with @r as the rule.
 */
int unwind_apply(const struct unwind_image *image, const struct unwind_entry *e,
		 const struct unwind_rule *r, struct unwind_regs *regs, struct diag *diag);

/* Number of bytes of a word of the stack. */
uint64_t unwind_word(enum unwind_arch arch);

/* Whether functions must preserve register @reg for their callers. */
bool unwind_is_kept(enum unwind_arch arch, unsigned int reg);

/**
 * unwind_step() - step to the caller
 * @image: the image that contains @regs->pc
 * @regs: registers of the frame; those of the caller afterwards, if there is one
 * @diag: may be NULL
 *
 * Encodings describe a function's body. An innermost frame at the first byte of its entry has
 * done nothing yet: its return address is on top of the stack, or in lr. Later in a prologue,
 * and in an epilogue, the result is wrong without any sign of it: use unwind_edge.h first, if
 * there is code.
 *
 * Return: 1; 0 at the end of the stack: a return address of 0; -ENOENT if the address or its
 * function has no unwind information; -EOPNOTSUPP if it is in __eh_frame; -EBADMSG if it is
 * damaged, or would lead down the stack; -ENODATA if the frame needs lr, which is unknown;
 * -EFAULT if stack or code could not be read.
 */
int unwind_step(const struct unwind_image *image, struct unwind_regs *regs, struct diag *diag);

#endif /* USTACK_USER_DARWIN_UNWIND_STEP_H */
