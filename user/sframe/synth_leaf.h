/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that leave SP, FP and LR alone, by their code. Kernels build arm64's
 * vDSO without any CFI, and clock_gettime and its like are such functions: at each
 * of their instructions CFA = SP, and the return address is in LR.
 *
 * For the vDSO alone: it is compiled C, small, and what symbols it has cannot be
 * stripped, as programs look its functions up.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_LEAF_H
#define USTACK_USER_SFRAME_SYNTH_LEAF_H

#include "core.h"

/**
 * leaf_keeps() - whether an AArch64 instruction leaves SP, FP and LR alone
 * @insn: the instruction
 *
 * What signs or strips LR leaves it alone. An instruction that is not known does
 * not.
 */
bool leaf_keeps(u32 insn);

/* Where a branch or call that has its target in itself goes; false for others. */
bool leaf_branch(u32 insn, u64 pc, u64 *ret);

/**
 * struct leaf_func - a function of the vDSO
 * @range: link-time addresses
 * @leaf: all its instructions keep the three, and nothing else in the text
 *        branches into its middle, where they might have changed already
 */
struct leaf_func {
	struct ustack_range range;
	bool leaf;
};

/**
 * leaf_read_vdso() - the functions of a vDSO
 * @fd: an ELF file for AArch64, open for reading; borrowed
 * @ret: malloc'd
 * @nr: number of @ret; 0 for what is not a vDSO
 *
 * Return: 0 or -ENOMEM. A damaged file has no functions.
 */
int leaf_read_vdso(int fd, struct leaf_func **ret, size_t *nr);

#endif /* USTACK_USER_SFRAME_SYNTH_LEAF_H */
