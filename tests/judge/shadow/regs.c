// SPDX-License-Identifier: GPL-2.0-only
/* Compares user/sframe/x86_regs.h with instructions that ran; main.c calls it for each step. */
#include "regs.h"

#include <inttypes.h>
#include <stdio.h>

#include "sframe/x86_regs.h"

#define SHOWN 8u

static void by_number(const struct user_regs_struct *r, u64 *ret)
{
	const u64 regs[X86_NO_REG] = {
		r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp, r->rsi, r->rdi,
		r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15,
	};

	memcpy(ret, regs, sizeof(regs));
}

static u64 extended(u64 v, const struct x86_regs *x)
{
	unsigned int shift = 64 - 8 * x->bytes;

	v = x->sign ? (u64)((s64)(v << shift) >> shift) : v << shift >> shift;
	return x->narrow ? (u32)v : v;
}

/* The content of the written register. Return: false if it is not described, or in memory. */
static bool result(const struct x86_regs *x, const u64 *regs, u64 *ret)
{
	u64 at = x->at;

	if (x->base != X86_NO_REG)
		at += regs[x->base];
	if (x->index != X86_NO_REG)
		at += regs[x->index] * x->scale;
	switch (x->action) {
	case X86_COPIES:
		*ret = extended(regs[x->from], x);
		return true;
	case X86_ADDRESSES:
		*ret = extended(at, x);
		return true;
	case X86_SETS:
		*ret = x->value;
		return true;
	case X86_ADDS:
		*ret = regs[x->to] + regs[x->from];
		return true;
	case X86_ADDS_VALUE:
		*ret = extended(regs[x->to] + x->value, x);
		return true;
	}
	return false;
}

static bool is_right(struct regs_sums *sums, const struct x86_regs *x, const u64 *before,
		     const u64 *after)
{
	unsigned int i;
	u64 want;

	for (i = 0; i < X86_NO_REG; i++)
		if (after[i] != before[i] && !(x->writes & 1u << i))
			return false;
	sums->writes++;
	if (!result(x, before, &want))
		return true;
	sums->exact++;
	return after[x->to] == want;
}

void regs_compare(struct regs_sums *sums, const u8 *code, const struct x86_insn *insn,
		  const struct user_regs_struct *before, const struct user_regs_struct *after)
{
	u64 was[X86_NO_REG], is[X86_NO_REG];
	struct x86_regs x;

	x86_regs_read(code, insn, before->rip, &x);
	if (x.action == X86_UNKNOWN || insn->kind == X86_CALL)
		return;
	by_number(before, was);
	by_number(after, is);
	if (!is_right(sums, &x, was, is) && sums->wrong++ < SHOWN)
		printf("WRONG: the instruction at %llx, of %u bytes, writes another register or value\n",
		       before->rip, insn->len);
}
