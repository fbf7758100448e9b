/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers of a thread that ptrace() has stopped, by DWARF's numbers of AMD64. */
#ifndef LAZY_USER_REGS_H
#define LAZY_USER_REGS_H

#include <stdbool.h>
#include <sys/user.h>

#include "arch.h"

/* Return: false if @r does not have register @reg. */
static inline bool user_regs_read(const struct user_regs_struct *r, unsigned int reg, u64 *ret)
{
	const u64 regs[] = {
		r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp, r->r8,
		r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip,
	};

	if (reg >= sizeof(regs) / sizeof(regs[0]) && reg != USTACK_FS_BASE)
		return false;
	*ret = reg == USTACK_FS_BASE ? r->fs_base : regs[reg];
	return true;
}

#endif /* LAZY_USER_REGS_H */
