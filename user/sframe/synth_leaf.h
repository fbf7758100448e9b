/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recognises functions that do not change SP, FP and LR, by their code. Kernels build
 * arm64's vDSO without any CFI, and clock_gettime and its like are such functions: at each
 * of their instructions CFA = SP, and the return address is in LR.
 *
 * Used for the vDSO only: it is compiled C and small, and its symbols cannot be stripped,
 * as programs look its functions up.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_LEAF_H
#define USTACK_USER_SFRAME_SYNTH_LEAF_H

#include "core.h"

/**
 * leaf_keeps() - whether an AArch64 instruction does not change SP, FP and LR
 * @insn: the instruction
 *
 * Instructions that sign LR or strip the signature do not count as a change. Unknown
 * instructions do.
 */
bool leaf_keeps(u32 insn);

/* Computes the target of a branch or call, if the instruction has it; false for others. */
bool leaf_branch(u32 insn, u64 pc, u64 *ret);

/**
 * struct leaf_func - a function of the vDSO
 * @range: link-time addresses
 * @leaf: no instruction changes the three registers, and no other code in the section
 *        branches into its middle, where they might have changed already
 */
struct leaf_func {
	struct ustack_range range;
	bool leaf;
};

/**
 * leaf_read_vdso() - read the functions of a vDSO
 * @fd: an ELF file for AArch64, open for reading; borrowed
 * @ret: the functions, malloc'd
 * @nr: number of @ret; 0 if the file is not a vDSO
 *
 * Return: 0 or -ENOMEM. A damaged file has no functions.
 */
int leaf_read_vdso(int fd, struct leaf_func **ret, size_t *nr);

#endif /* USTACK_USER_SFRAME_SYNTH_LEAF_H */
