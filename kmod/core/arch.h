/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The differences between architectures: for each a table of numbers and hooks.
 * Both tables are always compiled and chosen at run time, so that an x86 host
 * tests and fuzzes AArch64 rules.
 */
#ifndef USTACK_CORE_ARCH_H
#define USTACK_CORE_ARCH_H

#include "core_env.h"
#include "rule.h"

struct ustack_mem;
struct ustack_state;

/* AMD64: DWARF number of fs.base, by which a thread's own data is found. */
#define USTACK_FS_BASE 58u

/* Values are ABI: they are in tables and in kmod/uapi. */
enum ustack_arch_id {
	USTACK_ARCH_X86_64 = 1,
	USTACK_ARCH_AARCH64 = 2,
};

/**
 * struct ustack_arch - one architecture
 * @name: name as uname -m prints it
 * @id: enum ustack_arch_id
 * @sframe_abi: SFRAME_ABI_*
 * @sp_reg: DWARF number of SP
 * @fp_reg: DWARF number of FP
 * @max_reg: largest DWARF number that a rule may use
 * @ra_fixed: CFA-relative slot of the return address; 0 if it varies
 * @insn_align: power of two; every pc is a multiple of it
 * @elf_machine: e_machine
 * @scratch_regs: a bit for each DWARF register that the ABI's functions may
 *                change and need not restore
 * @sigcontext_off: offset of DWARF register n in a signal frame from SP at the
 *                  trampoline; 0 if it is not there
 * @sigcontext_pc: the same for the interrupted pc
 * @is_sigreturn: whether the bytes at a pc are the rt_sigreturn trampoline;
 *                with @exact also at its second instruction
 * @in_sigreturn: whether the sampled pc is the one after that trampoline, and
 *                the kernel is in its system call, with the signal frame still
 *                at SP
 * @stub: recognizes a linker's PLT code at a sampled pc that no table covers
 * @call_target: whether a code address directly follows a call instruction;
 *               returns the target of that call, also through a PLT, or 0 if
 *               only a register could tell
 * @is_bottom: whether no call left this return address: it points to the code
 *             with which C libraries and Boost.Context end the stack of a
 *             coroutine or a thread, recognized by its bytes
 * @left_stack: finds the stack that a function has left to call on another one,
 *              by the code at its callee's return address, which goes back to
 *              it: returns SP there, where the function's own return address
 *              is. NULL: no such functions are known
 * @leaf: finds the caller of a sampled frame whose return address is still
 *        where the call put it, by the function's code: in the link register or
 *        at SP, or right above a pushed FP; also of any frame whose code only
 *        frees some stack and returns (AMD64)
 * @owns_record: whether FP points to the frame's own record, by the code of the
 *               function that a call enters at @entry: it makes a record first,
 *               and the pc is after that, before the record is removed, and
 *               within that function
 * @has_saved_lr: whether the code before a sampled pc, back to where the
 *                function may start, saves the link register, and does not load
 *                it again; see @leaf
 *
 * The hooks read code through ustack_mem, and are NMI-safe where it is. If a
 * byte cannot be read, the result is false.
 */
struct ustack_arch {
	const char *name;
	u8 id;
	u8 sframe_abi;
	u8 sp_reg;
	u8 fp_reg;
	u8 max_reg;
	s8 ra_fixed;
	u8 insn_align;
	u16 elf_machine;
	u32 scratch_regs;
	const u16 *sigcontext_off;
	u16 sigcontext_pc;
	bool (*is_sigreturn)(struct ustack_mem *mem, u64 pc, bool exact);
	bool (*in_sigreturn)(struct ustack_mem *mem, u64 pc);
	bool (*stub)(struct ustack_mem *mem, u64 pc, struct ustack_rule *ret);
	bool (*call_target)(struct ustack_mem *mem, u64 ra, u64 *ret);
	bool (*is_bottom)(struct ustack_mem *mem, u64 ra);
	bool (*left_stack)(struct ustack_mem *mem, const struct ustack_state *s,
			   u64 *ret);
	bool (*leaf)(struct ustack_mem *mem, const struct ustack_state *s,
		     struct ustack_state *ret);
	bool (*owns_record)(struct ustack_mem *mem, u64 entry,
			    const struct ustack_state *s);
	bool (*has_saved_lr)(struct ustack_mem *mem, u64 pc);
};

USTACK_CORE_EXTERN const struct ustack_arch ustack_arch_x86_64;
USTACK_CORE_EXTERN const struct ustack_arch ustack_arch_aarch64;

/*
 * Returns @arch in a form in which the compiler sees which one it is, although
 * it has been in memory.
 */
#ifdef USTACK_DIRECT_MEM
#define ustack_arch_known(arch) USTACK_ARCH_NATIVE	/* by the includer of the core */
#else
#define ustack_arch_known(arch) (arch)
#endif

/* Return: the table for an e_machine; NULL for an unknown one. */
static inline const struct ustack_arch *ustack_arch_by_machine(u16 machine)
{
	if (machine == ustack_arch_x86_64.elf_machine)
		return &ustack_arch_x86_64;
	if (machine == ustack_arch_aarch64.elf_machine)
		return &ustack_arch_aarch64;
	return NULL;
}

/* Return: the table for an enum ustack_arch_id; NULL if there is none. */
static inline const struct ustack_arch *ustack_arch_by_id(unsigned int id)
{
	if (id == USTACK_ARCH_X86_64)
		return &ustack_arch_x86_64;
	return id == USTACK_ARCH_AARCH64 ? &ustack_arch_aarch64 : NULL;
}

#endif /* USTACK_CORE_ARCH_H */
