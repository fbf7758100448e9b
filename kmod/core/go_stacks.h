/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD64: functions of Go that call on another stack. Up to Go 1.20 they keep no
 * frame record, and no table says where they have left their caller's stack.
 * The instructions to which the called code returns say it, because they go
 * back there: they are recognized by their bytes, and their loads are made.
 *
 *	asmcgocall, to C	mov a(%rsp),%rdi; mov b(%rdi),%rsi; sub c(%rsp),%rsi;
 *				mov %rdi,%fs:t; mov %rsi,%rsp
 *	  on that stack already	mov a(%rsp),%rsi; mov %rsi,%rsp; mov %eax,b(%rsp); ret
 *	systemstack		mov %fs:t,%rax; mov a(%rax),%rbx; mov b(%rbx),%rax;
 *				mov %rax,%fs:t; mov c(%rax),%rsp
 *
 * t, where Go has the current goroutine, is in the instructions, or in rcx: then
 * mov $t,%rcx or mov t(%rip),%rcx comes first. The sources are asm_amd64.s of
 * Go's package runtime. From 1.21 on these functions have records; that of
 * asmcgocall is not used if C code can call Go, as it may have been moved
 * (user/sframe/synth_go_kind.c).
 *
 * NMI-safe: no loop, at most 15 reads.
 */
#ifndef USTACK_CORE_GO_STACKS_H
#define USTACK_CORE_GO_STACKS_H

#include "step.h"

/* Numbers of registers in instructions. */
#define GO_RAX 0u
#define GO_RBX 3u
#define GO_RSP 4u
#define GO_RSI 6u
#define GO_RDI 7u

#define GO_LOAD 0x8bu
#define GO_STORE 0x89u
#define GO_SUB 0x2bu

/**
 * struct go_code - the instructions after a call
 * @mem: access to the process
 * @at: address of the next one
 * @tls: distance of the current goroutine's pointer from fs.base
 * @by_rcx: rcx has @tls
 */
struct go_code {
	struct ustack_mem *mem;
	u64 at;
	u64 tls;
	bool by_rcx;
};

/* mov $tls,%rcx or mov tls(%rip),%rcx, if it is there */
static __always_inline void go_tls_in_rcx(struct go_code *c)
{
	u64 code, place;

	if (!ustack_mem_read(c->mem, c->at, &code))
		return;
	place = (u64)(s64)(s32)(code >> 24);
	if ((code & 0xffffff) == 0xc1c748)
		c->tls = place;
	else if ((code & 0xffffff) != 0x0d8b48 ||
		 !ustack_mem_read(c->mem, c->at + 7 + place, &c->tls))
		return;
	c->by_rcx = true;
	c->at += 7;
}

/*
 * Return: whether the next instruction is @op @disp(%@base),%@reg, in 64 bits;
 * then @c is after it.
 */
static __always_inline bool go_is_load(struct go_code *c, u32 op, u32 reg, u32 base,
				       u64 *disp)
{
	bool sib = base == GO_RSP;
	u64 code, rest;
	u32 mod;

	if (!ustack_mem_read(c->mem, c->at, &code))
		return false;
	mod = code >> 22 & 3;
	if ((code & 0x3fffff) != (0x48 | op << 8 | (reg << 3 | base) << 16) || mod == 3 ||
	    (sib && (code >> 24 & 0xff) != 0x24))
		return false;
	rest = code >> (sib ? 32 : 24);
	*disp = mod == 2 ? (u64)(s64)(s32)rest : (u64)(s64)(s8)(mod ? rest : 0);
	c->at += (sib ? 4 : 3) + (mod == 2 ? 4 : mod);
	return true;
}

/* The same for mov between %@reg and %fs:t; a load sets @c->tls, if it is not in rcx. */
static __always_inline bool go_is_tls(struct go_code *c, u32 op, u32 reg)
{
	u32 modrm = reg << 3 | (c->by_rcx ? 1 : 4);
	u64 code, disp;

	if (!ustack_mem_read(c->mem, c->at, &code) ||
	    (u32)code != (0x4864 | op << 16 | modrm << 24))
		return false;
	c->at += 4;
	if (c->by_rcx)
		return true;
	if ((code >> 32 & 0xff) != 0x25 || !ustack_mem_read(c->mem, c->at + 1, &disp))
		return false;
	c->at += 5;
	if (op == GO_LOAD)
		c->tls = (u64)(s64)(s32)disp;
	return true;
}

/* mov %rsi,%rsp; mov %eax,b(%rsp); ret */
static __always_inline bool go_is_return(struct go_code *c)
{
	u64 code;

	return ustack_mem_read(c->mem, c->at, &code) &&
	       (code & 0xff00ffffffffffffull) == 0xc300244489f48948ull;
}

static __always_inline bool go_after_asmcgocall(struct go_code *c, u64 sp, u64 *ret)
{
	u64 g_at, top_at, depth_at, g, top, depth;

	if (!go_is_load(c, GO_LOAD, GO_RDI, GO_RSP, &g_at) ||
	    !go_is_load(c, GO_LOAD, GO_RSI, GO_RDI, &top_at) ||
	    !go_is_load(c, GO_SUB, GO_RSI, GO_RSP, &depth_at) ||
	    !go_is_tls(c, GO_STORE, GO_RDI) || !go_is_return(c) ||
	    !ustack_mem_read(c->mem, sp + g_at, &g) ||
	    !ustack_mem_read(c->mem, g + top_at, &top) ||
	    !ustack_mem_read(c->mem, sp + depth_at, &depth))
		return false;
	*ret = top - depth;
	return true;
}

static __always_inline bool go_after_systemstack(struct go_code *c, u64 *ret)
{
	u64 m_at, g_at, sp_at, fs, g, m;

	return go_is_tls(c, GO_LOAD, GO_RAX) &&
	       go_is_load(c, GO_LOAD, GO_RBX, GO_RAX, &m_at) &&
	       go_is_load(c, GO_LOAD, GO_RAX, GO_RBX, &g_at) &&
	       go_is_tls(c, GO_STORE, GO_RAX) &&
	       go_is_load(c, GO_LOAD, GO_RSP, GO_RAX, &sp_at) &&
	       ustack_mem_reg(c->mem, USTACK_FS_BASE, &fs) &&
	       ustack_mem_read(c->mem, fs + c->tls, &g) &&
	       ustack_mem_read(c->mem, g + m_at, &m) &&
	       ustack_mem_read(c->mem, m + g_at, &g) &&
	       ustack_mem_read(c->mem, g + sp_at, ret);
}

/*
 * Return: whether the code at the return address @s->pc goes back to a stack
 * that such a function has left. @ret: SP there, where the function's own return
 * address is.
 */
static inline bool go_left_stack(struct ustack_mem *mem, const struct ustack_state *s, u64 *ret)
{
	struct go_code c = { .mem = mem, .at = s->pc };
	u64 at, sp_at;

	if (go_is_load(&c, GO_LOAD, GO_RSI, GO_RSP, &sp_at))
		return go_is_return(&c) && ustack_mem_read(mem, s->sp + sp_at, ret);
	go_tls_in_rcx(&c);
	at = c.at;
	if (go_after_asmcgocall(&c, s->sp, ret))
		return true;
	c.at = at;
	return go_after_systemstack(&c, ret);
}

#endif /* USTACK_CORE_GO_STACKS_H */
