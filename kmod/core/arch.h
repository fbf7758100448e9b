/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between architectures, as one table of numbers and hooks each.
 * Both tables are always compiled and chosen at run time, so that an x86 host
 * tests and fuzzes AArch64 rules.
 */
#ifndef USTACK_CORE_ARCH_H
#define USTACK_CORE_ARCH_H

#include "core_env.h"
#include "rule.h"

struct ustack_mem;
struct ustack_state;

/* Values are ABI: they stand in tables and in kmod/uapi. */
enum ustack_arch_id {
	USTACK_ARCH_X86_64 = 1,
	USTACK_ARCH_AARCH64 = 2,
};

/**
 * struct ustack_arch - one architecture
 * @name: as in uname -m
 * @id: enum ustack_arch_id
 * @sframe_abi: SFRAME_ABI_*
 * @sp_reg: DWARF number of SP
 * @fp_reg: DWARF number of FP
 * @max_reg: largest DWARF number that a rule may use
 * @ra_fixed: CFA-relative slot of the return address; 0 if it varies
 * @insn_align: power of two that every pc is a multiple of
 * @elf_machine: e_machine
 * @scratch_regs: a bit for each DWARF register that the ABI's functions may change
 *                and need not put back
 * @sigcontext_off: offset of DWARF register n in a signal frame from SP at the
 *                  trampoline; 0 = not there
 * @sigcontext_pc: the same for the interrupted pc
 * @is_sigreturn: whether the bytes at a pc are the rt_sigreturn trampoline;
 *                with @exact also at its second instruction
 * @in_sigreturn: whether the sampled pc is the one behind that trampoline, and the
 *                kernel in its system call, with the signal frame still at SP
 * @stub: recognises a linker's PLT code at a sampled pc that no table covers
 * @call_target: whether a code address directly follows a call instruction, and
 *               where that call goes, through a PLT too; 0 if only a register
 *               could tell
 * @is_bottom: whether a return address is one that no call has left: the code with which
 *             C libraries and Boost.Context end the stack of a coroutine or a thread, by its
 *             bytes
 * @leaf: a sampled frame whose return address is where the call has put it, in the link
 *        register or at SP, or right above a pushed FP, by the function's code; any frame
 *        whose code does nothing more than free some stack and return (AMD64)
 * @owns_record: whether FP points to the frame's own record, by the code of the function
 *               that a call enters at @entry: it makes a record first of all, and the pc is
 *               after that, before the record is taken down, and within that function
 * @has_saved_lr: whether the code in front of a sampled pc, back to where the
 *                function may start, saves the link register; as @leaf
 *
 * The hooks read code through ustack_mem and are NMI-safe where it is. A byte
 * that cannot be read makes them say no.
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
	bool (*leaf)(struct ustack_mem *mem, const struct ustack_state *s,
		     struct ustack_state *ret);
	bool (*owns_record)(struct ustack_mem *mem, u64 entry,
			    const struct ustack_state *s);
	bool (*has_saved_lr)(struct ustack_mem *mem, u64 pc);
};

USTACK_CORE_EXTERN const struct ustack_arch ustack_arch_x86_64;
USTACK_CORE_EXTERN const struct ustack_arch ustack_arch_aarch64;

/* @arch, which has been in memory, where the compiler must see which one it is. */
#ifdef USTACK_DIRECT_MEM
#define ustack_arch_known(arch) USTACK_ARCH_NATIVE	/* of who includes the core */
#else
#define ustack_arch_known(arch) (arch)
#endif

/* The table for an e_machine; NULL if ustack does not know it. */
static inline const struct ustack_arch *ustack_arch_by_machine(u16 machine)
{
	if (machine == ustack_arch_x86_64.elf_machine)
		return &ustack_arch_x86_64;
	if (machine == ustack_arch_aarch64.elf_machine)
		return &ustack_arch_aarch64;
	return NULL;
}

/* The table for an enum ustack_arch_id; NULL if there is none. */
static inline const struct ustack_arch *ustack_arch_by_id(unsigned int id)
{
	if (id == USTACK_ARCH_X86_64)
		return &ustack_arch_x86_64;
	return id == USTACK_ARCH_AARCH64 ? &ustack_arch_aarch64 : NULL;
}

#endif /* USTACK_CORE_ARCH_H */
