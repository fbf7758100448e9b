/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One step from a frame to its caller's by compact unwinding, over registers and stack
 * that were captured: of x86, x86-64 and arm64, on any machine.
 *
 * Context: any; nothing is kept. Memory is read through a callback alone.
 */
#ifndef USTACK_USER_DARWIN_UNWIND_STEP_H
#define USTACK_USER_DARWIN_UNWIND_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "darwin/unwind_decode.h"
#include "darwin/unwind_info.h"

/* DWARF numbers of System V up to d15. */
#define UNWIND_NR_REGS 80

/**
 * struct unwind_regs - what is known of a frame
 * @pc: address; of a caller, the return address
 * @sp: stack pointer
 * @lr: arm64's link register, if @has_lr
 * @has_lr: known: of the innermost frame, or one that a signal interrupted; of others it is
 *	not asked for, see unwind_lr_counts()
 * @inner: nobody was called from this frame: @pc is an instruction that has not run yet
 * @reg: by DWARF number, with the frame pointer
 * @known: by DWARF number: @reg has it
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

/* Whoever called somebody has lost what was in the link register. */
static inline bool unwind_lr_counts(const struct unwind_regs *regs)
{
	return regs->has_lr && regs->inner;
}

/* The frame pointer's DWARF number. */
unsigned int unwind_frame_reg(enum unwind_arch arch);

/**
 * struct unwind_image - what a step needs of a process
 * @arch: of it
 * @path: for messages; borrowed
 * @u: the image's section
 * @base: where its Mach-O header is in memory
 * @code: reads four bytes of code at an image offset; NULL if there is no code
 * @word: reads a word of the stack at an address: 4 bytes on x86, else 8
 * @arg: for both. They return whether it could be read
 * @strip: arm64: bits of a return address that are address; others sign it. 0 for all
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
 * unwind_find() - what is said of a frame's address
 * @image: the one that has @regs->pc
 * @regs: of the frame
 * @e: the entry, if there is one
 * @ret: on success
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT if nothing is said of the address or its function; -EOPNOTSUPP if
 * __eh_frame says it: then @ret is of UNWIND_DWARF; -EBADMSG if it is damaged.
 */
int unwind_find(const struct unwind_image *image, const struct unwind_regs *regs,
		struct unwind_entry *e, struct unwind_rule *ret, struct diag *diag);

/**
 * unwind_apply() - to the caller by a rule
 * @image: its @u may be NULL
 * @e: where the function starts, of UNWIND_INDIRECT
 * @r: any but UNWIND_NONE and UNWIND_DWARF
 * @regs: see unwind_step()
 * @diag: may be NULL
 *
 * What the caller need not find again behind a call is not known of it, nor is a register
 * that is saved where the stack was not captured; only the frame pointer of UNWIND_FRAME,
 * and the return address, have to be there.
 *
 * Return: as unwind_step() if @r is what is said.
 */
int unwind_apply(const struct unwind_image *image, const struct unwind_entry *e,
		 const struct unwind_rule *r, struct unwind_regs *regs, struct diag *diag);

/* Bytes of a word of the stack. */
uint64_t unwind_word(enum unwind_arch arch);

/* Whether a function has to give register @reg back as it was. */
bool unwind_is_kept(enum unwind_arch arch, unsigned int reg);

/**
 * unwind_step() - to the caller
 * @image: the one that has @regs->pc
 * @regs: of the frame; of the caller's afterwards, if there is one
 * @diag: may be NULL
 *
 * Encodings describe a function's body. An innermost frame at the first byte of its entry
 * has done nothing yet: its return address is on top of the stack, or in lr. Further on
 * in a prologue, and in an epilogue, the answer is wrong, and nothing shows it:
 * unwind_edge.h knows better, where there is code.
 *
 * Return: 1; 0 at the end of the stack: a return address of 0; -ENOENT if nothing is said
 * of the address or its function; -EOPNOTSUPP if __eh_frame says it, -EBADMSG if it is
 * damaged, or would lead down the stack; -ENODATA if the frame needs lr, and it is not
 * known; -EFAULT if stack or code could not be read.
 */
int unwind_step(const struct unwind_image *image, struct unwind_regs *regs, struct diag *diag);

#endif /* USTACK_USER_DARWIN_UNWIND_STEP_H */
