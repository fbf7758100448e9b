// SPDX-License-Identifier: GPL-2.0-only
/* AArch64: AAPCS64, Linux signal frame, GNU and LLVM linkers' PLT code. */
#include "arch.h"
#include "bounds.h"
#include "sframe_format.h"
#include "step.h"

/* struct rt_sigframe: siginfo (128 bytes), ucontext flags, link, stack (40),
 * sigmask (128), padding to 16, then struct sigcontext: fault address, x0..x30,
 * sp, pc.
 */
#define SIGCONTEXT_REGS 312u
#define R(n) [n] = SIGCONTEXT_REGS + 8 * (n)
static const u16 sigcontext_off[32] = {
	R(0), R(1), R(2), R(3), R(4), R(5), R(6), R(7),
	R(8), R(9), R(10), R(11), R(12), R(13), R(14), R(15),
	R(16), R(17), R(18), R(19), R(20), R(21), R(22), R(23),
	R(24), R(25), R(26), R(27), R(28), R(29), R(30), R(31),
};
#undef R

#define SIGRETURN 0xd4000001d2801168ull	/* mov x8, #139; svc #0 */

/*
 * Recognizes the vDSO's trampoline, and those of C libraries that bring their
 * own.
 */
static bool is_sigreturn(struct ustack_mem *mem, u64 pc, bool exact)
{
	u64 code;

	if (pc & 3 || !ustack_mem_read(mem, pc, &code))
		return false;
	if (code == SIGRETURN)
		return true;
	return exact && (u32)code == SIGRETURN >> 32 &&
	       ustack_mem_read(mem, pc - 4, &code) && code == SIGRETURN;
}

/*
 * Another function may start there, but none is called with the call's number
 * in x8. The kernel restores x8 before SP and the pc.
 */
static bool in_sigreturn(struct ustack_mem *mem, u64 pc)
{
	u64 code, nr;

	return !(pc & 3) && ustack_mem_read(mem, pc - 8, &code) &&
	       code == SIGRETURN && ustack_mem_reg(mem, 8, &nr) && nr == 139;
}

#define INSN_BR_X17 0xd61f0220u
#define INSN_BTI_C 0xd503245fu
#define INSN_STP_X16_X30 0xa9bf7bf0u	/* stp x16, x30, [sp, #-16]! : PLT0 only */
#define INSN_AUTIA1716 0xd503219fu
#define INSN_NOP 0xd503201fu

static bool insn_at(struct ustack_mem *mem, u64 pc, u32 *ret)
{
	u64 code;

	if (!ustack_mem_read(mem, pc, &code))
		return false;
	*ret = (u32)code;
	return true;
}

/* ldr x17, [x16, #n] */
static bool loads_slot(u32 insn)
{
	return (insn & 0xffc003ff) == 0xf9400211;
}

/* GNU ld puts a nop in place of add x16, x16, #0. */
static bool is_omitted_add(struct ustack_mem *mem, u64 pc)
{
	u32 before, next;

	return insn_at(mem, pc - 4, &before) && loads_slot(before) &&
	       insn_at(mem, pc + 4, &next) &&
	       (next == INSN_BR_X17 || next == INSN_AUTIA1716);
}

/*
 * Return: whether @insn at @pc may stand in a PLT entry before its br x17.
 */
static bool is_plt_insn(struct ustack_mem *mem, u64 pc, u32 insn)
{
	return (insn & 0x9f00001f) == 0x90000010 || /* adrp x16 */
	       loads_slot(insn) ||
	       (insn & 0xffc003ff) == 0x91000210 || /* add x16, x16, #n */
	       insn == INSN_BTI_C || insn == INSN_AUTIA1716 ||
	       (insn == INSN_NOP && is_omitted_add(mem, pc));
}

/*
 * Return: whether only PLT instructions follow from @pc up to br x17. The push
 * of PLT0 comes first; only a bti may precede it.
 */
static bool runs_into_br(struct ustack_mem *mem, u64 pc)
{
	bool may_push = true;
	unsigned int i;
	u32 insn;

	for (i = 0; i < 6; i++, pc += 4) {
		if (!insn_at(mem, pc, &insn))
			return false;
		if (insn == INSN_BR_X17)
			return true;
		if (!is_plt_insn(mem, pc, insn) &&
		    !(may_push && insn == INSN_STP_X16_X30))
			return false;
		may_push = insn == INSN_BTI_C;
	}
	return false;
}

/*
 * Return: whether @pc is in PLT0, after its push: only PLT instructions are
 * between stp and @pc.
 */
static bool behind_push(struct ustack_mem *mem, u64 pc)
{
	unsigned int i;
	u32 insn;

	for (i = 0; i < 6; i++) {
		pc -= 4;
		if (!insn_at(mem, pc, &insn))
			return false;
		if (insn == INSN_STP_X16_X30)
			return true;
		if (!is_plt_insn(mem, pc, insn))
			return false;
	}
	return false;
}

/* GNU ld writes no SFrame rows for AArch64 PLTs. LR is intact in all of them. */
static bool stub(struct ustack_mem *mem, u64 pc, struct ustack_rule *ret)
{
	if (pc & 3 || !runs_into_br(mem, pc))
		return false;
	*ret = (struct ustack_rule){
		.cfa = USTACK_OP_SP,
		.cfa_off = behind_push(mem, pc) ? 16 : 0,
	};
	return true;
}

/* Sign-extends the low @bits of @v. */
static u64 sign_extend(u64 v, unsigned int bits)
{
	return (u64)((s64)(v << (64 - bits)) >> (64 - bits));
}

/*
 *	glibc's __startcontext	mov x0, x19; cbnz x0, __setcontext
 *	Boost's finish		mov x0, #0; bl _exit
 *	a clone's		blr x10; mov x8, #93 (exit); svc #0
 */
static bool is_bottom(struct ustack_mem *mem, u64 ra)
{
	u64 code;
	u32 next;

	if (ra & 3 || !ustack_mem_read(mem, ra, &code))
		return false;
	if ((u32)code == INSN_BTI_C && !ustack_mem_read(mem, ra + 4, &code))
		return false;
	next = (u32)(code >> 32);
	switch ((u32)code) {
	case 0xaa1303e0:
		return (next & 0xff00001f) == 0xb5000000;
	case 0xd2800000:
		return next >> 26 == 0x25;
	case 0xd2800ba8:
		return next == 0xd4000001;
	}
	return false;
}

/*
 * [bti c;] adrp x16, page; ldr x17, [x16, #n]; ... Return: where the slot
 * points.
 */
static u64 through_plt(struct ustack_mem *mem, u64 target)
{
	u64 pc = target, page, slot;
	u32 adrp, ldr;

	if (!insn_at(mem, pc, &adrp))
		return target;
	if (adrp == INSN_BTI_C) {
		pc += 4;
		if (!insn_at(mem, pc, &adrp))
			return target;
	}
	if ((adrp & 0x9f00001f) != 0x90000010 || !insn_at(mem, pc + 4, &ldr) ||
	    !loads_slot(ldr))
		return target;
	page = sign_extend((u64)((adrp >> 5) & 0x7ffff) << 2 | ((adrp >> 29) & 3),
			   21);
	slot = (pc & ~4095ull) + (page << 12) + 8 * ((ldr >> 10) & 0xfff);
	return ustack_mem_read(mem, slot, &slot) ? slot : target;
}

/* bl, blr, and the authenticating forms of blr */
static bool call_target(struct ustack_mem *mem, u64 ra, u64 *ret)
{
	u32 insn;

	if (ra & 3 || !insn_at(mem, ra - 4, &insn))
		return false;
	*ret = 0;
	if (insn >> 26 == 0x25) {
		*ret = through_plt(mem, ra - 4 +
				   4 * sign_extend(insn & 0x3ffffff, 26));
		return true;
	}
	return (insn & 0xfffffc1f) == 0xd63f0000 ||
	       (insn & 0xfefff800) == 0xd63f0800;
}

/* Stores x30: stp with x30 as either register, str x30; any addressing. */
static bool saves_lr(u32 insn)
{
	if ((insn & 0xfe400000) == 0xa8000000)
		return (insn & 31) == 30 || ((insn >> 10) & 31) == 30;
	return (insn & 0xffe0001f) == 0xf800001e ||
	       (insn & 0xffc0001f) == 0xf900001e;
}

/* The same with ldp and ldr, which differ from stp and str in one bit. */
static bool loads_lr(u32 insn)
{
	return saves_lr(insn ^ 0x00400000);
}

/* sub sp, sp, #n; or a store that moves sp */
static bool moves_sp(u32 insn)
{
	return (insn & 0xff8003ff) == 0xd10003ff ||
	       (insn & 0xfec003e0) == 0xa88003e0 ||
	       (insn & 0xfee007e0) == 0xf80007e0;
}

#define INSN_RET 0xd65f03c0u

/*
 * brk: a probe's, or a debugger's. It may replace the very stp that is looked
 * for.
 */
static bool is_breakpoint(u32 insn)
{
	return (insn & 0xffe0001f) == 0xd4200000;
}

/**
 * struct body - a function's code from its entry to the pc, one instruction a round
 * @mem: access to the process
 * @at: address of the next instruction
 * @pc: where the code ends
 * @pair: the two instructions that were read last, the later one in the high half
 * @moved: an instruction has moved SP
 * @other: an instruction is none of a leaf, or could not be read
 */
struct body {
	struct ustack_mem *mem;
	u64 at;
	u64 pc;
	u64 pair;
	bool moved;
	bool other;
};

static long look_at_body(u32 i, void *to)
{
	struct body *body = to;
	u32 insn;

	if (body->at >= body->pc)
		return 1;
	if (i & 1)
		body->pair >>= 32;
	else if (!ustack_mem_read(body->mem, body->at, &body->pair))
		body->pair = INSN_RET;
	insn = (u32)body->pair;
	body->at += 4;
	body->moved |= moves_sp(insn);
	body->other = saves_lr(insn) || insn == INSN_RET || is_breakpoint(insn);
	return body->other;
}

/*
 * Recognizes a function that has not saved LR yet, or never does: LR is the
 * address after a call to the start of the function, and from there to the pc
 * no instruction has stored LR or returned (else the callee lies in front of
 * its caller). Code under a breakpoint is unknown.
 */
static bool leaf(struct ustack_mem *mem, const struct ustack_state *s,
		 struct ustack_state *ret)
{
	u64 lr = s->lr & mem->ra_mask, entry;
	struct body body = { .mem = mem, .pc = s->pc };

	if (!s->exact || ustack_check_ra(mem, &lr) || !call_target(mem, lr, &entry) ||
	    !entry || s->pc < entry ||
	    s->pc - entry > 4 * USTACK_MAX_LEAF_INSNS)
		return false;
	body.at = entry;
	ustack_repeat(USTACK_MAX_LEAF_INSNS, look_at_body, &body);
	if (body.other)
		return false;
	*ret = (struct ustack_state){
		.pc = lr,
		.sp = s->sp,
		.sp_bound = body.moved,
		.fp = s->fp,
		.fp_at = s->fp_at,
	};
	return true;
}

/* ret, br, b: execution does not continue after them */
static bool ends_flow(u32 insn)
{
	return insn == INSN_RET || (insn & 0xfffffc1f) == 0xd61f0000 ||
	       insn >> 26 == 0x05;
}

/**
 * struct way_back - the code before a pc, one instruction a round
 * @mem: access to the process
 * @at: address after the next instruction
 * @saved: an instruction saves LR
 */
struct way_back {
	struct ustack_mem *mem;
	u64 at;
	bool saved;
};

/*
 * After a load of LR the function is about to return: LR is its own return
 * address again, and FP may be its caller's.
 */
static long look_for_save(u32 i, void *to)
{
	struct way_back *back = to;
	u32 insn;

	back->at -= 4;
	if (!insn_at(back->mem, back->at, &insn) || ends_flow(insn) ||
	    loads_lr(insn) || is_breakpoint(insn))
		return 1;
	back->saved = saves_lr(insn);
	return back->saved;
}

static bool has_saved_lr(struct ustack_mem *mem, u64 pc)
{
	struct way_back back = { .mem = mem, .at = pc };

	ustack_repeat(USTACK_MAX_LEAF_INSNS, look_for_save, &back);
	return back.saved;
}

#define INSN_PACIASP 0xd503233fu

/* stp x29, x30, [sp, #n], with or without ! */
static bool stores_record(u32 insn)
{
	return (insn & 0xffc07fff) == 0xa9807bfd || (insn & 0xffc07fff) == 0xa9007bfd;
}

/* ldp x29, x30, [sp], #n, or without adding to sp */
static bool loads_record(u32 insn)
{
	return (insn & 0xffc07fff) == 0xa8c07bfd || (insn & 0xffc07fff) == 0xa9407bfd;
}

/* add x29, sp, #n: mov x29, sp too */
static bool sets_fp(u32 insn)
{
	return (insn & 0xff8003ff) == 0x910003fd;
}

/* bl, blr */
static bool is_call(u32 insn)
{
	return insn >> 26 == 0x25 || (insn & 0xfffffc1f) == 0xd63f0000;
}

/* b.cond, cbz, cbnz, tbz, tbnz: a branch may skip the following code */
static bool may_branch(u32 insn)
{
	return (insn & 0xff000010) == 0x54000000 || (insn & 0x7c000000) == 0x34000000;
}

/*
 * Return: the address after the instructions that make a record at the
 * function's start; 0 if it does not start so.
 */
static u64 behind_record(struct ustack_mem *mem, u64 entry)
{
	bool stored = false;
	unsigned int i;
	u32 insn;

	for (i = 0; i < USTACK_MAX_RECORD_INSNS; i++, entry += 4) {
		if (!insn_at(mem, entry, &insn) || ends_flow(insn) || is_call(insn) ||
		    may_branch(insn))
			return 0;
		stored |= stores_record(insn);
		if (stored && sets_fp(insn))
			return entry + 4;
	}
	return 0;
}

static bool is_padding(u32 insn)
{
	return insn == INSN_NOP || !insn;
}

/**
 * struct ends - search for the end of a function, one instruction a round
 * @mem: access to the process
 * @start: where the search begins
 * @at: address of the next instruction
 * @last: address of the last instruction
 * @real: the last instruction that is no padding
 * @found: a function may end before @at, or the code could not be read
 */
struct ends {
	struct ustack_mem *mem;
	u64 start;
	u64 at;
	u64 last;
	u32 real;
	bool found;
};

static long may_end_at(u32 i, void *to)
{
	struct ends *e = to;
	u64 pc = e->at;
	u32 insn;

	if (pc > e->last)
		return 1;
	e->mem->scanned += !(pc & 7);
	if (!insn_at(e->mem, pc, &insn)) {
		e->found = true;
		return 1;
	}
	if (pc != e->start && !(pc & (USTACK_FUNCTION_ALIGN - 1)) &&
	    (ends_flow(e->real) || is_call(e->real) || insn == INSN_PACIASP ||
	     insn == INSN_BTI_C || stores_record(insn))) {
		e->found = true;
		return 1;
	}
	if (!is_padding(insn))
		e->real = insn;
	e->at = pc + 4;
	return 0;
}

/*
 * Return: whether the function that starts at @start may end before @last: at a
 * multiple of USTACK_FUNCTION_ALIGN, after an instruction that none follows or
 * a call that need not return; or where another function begins. Bounded by
 * USTACK_MAX_FP_PROOF.
 */
static bool may_end_before(struct ustack_mem *mem, u64 start, u64 last)
{
	struct ends e = { .mem = mem, .start = start, .at = start, .last = last };

	ustack_repeat(USTACK_MAX_FP_PROOF / 4 + 1, may_end_at, &e);
	return e.found;
}

/* Return: whether FP may be the caller's again, as after ldp x29, x30. */
static bool is_in_epilogue(struct ustack_mem *mem, u64 pc)
{
	unsigned int i;
	u32 insn;

	for (i = 0; i < USTACK_MAX_EPILOGUE_INSNS; i++) {
		pc -= 4;
		if (!insn_at(mem, pc, &insn) || loads_record(insn))
			return true;
	}
	return false;
}

static bool owns_record(struct ustack_mem *mem, u64 entry,
			const struct ustack_state *s)
{
	u64 last = ustack_state_key(s) & ~3ull, made;

	if (entry & (USTACK_FUNCTION_ALIGN - 1) || last < entry ||
	    last - entry > USTACK_MAX_FP_PROOF ||
	    mem->scanned >= USTACK_MAX_SCAN)
		return false;
	made = behind_record(mem, entry);
	return made && s->pc >= made && !(s->exact && is_in_epilogue(mem, s->pc)) &&
	       !may_end_before(mem, made & ~(u64)(USTACK_FUNCTION_ALIGN - 1), last);
}

USTACK_CORE const struct ustack_arch ustack_arch_aarch64 = {
	.name = "aarch64",
	.id = USTACK_ARCH_AARCH64,
	.sframe_abi = SFRAME_ABI_AARCH64_LE,
	.sp_reg = 31,
	.fp_reg = 29,
	.max_reg = 31,
	.ra_fixed = 0,
	.insn_align = 4,
	.elf_machine = 183,
	/* x0 to x18 */
	.scratch_regs = 0x7ffff,
	.sigcontext_off = sigcontext_off,
	.sigcontext_pc = SIGCONTEXT_REGS + 8 * 32,
	.is_sigreturn = is_sigreturn,
	.in_sigreturn = in_sigreturn,
	.stub = stub,
	.call_target = call_target,
	.is_bottom = is_bottom,
	.leaf = leaf,
	.owns_record = owns_record,
	.has_saved_lr = has_saved_lr,
};
