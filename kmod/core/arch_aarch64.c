// SPDX-License-Identifier: GPL-2.0
/* AArch64: AAPCS64, Linux signal frame, GNU and LLVM linkers' PLT code. */
#include "arch.h"
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

/* The vDSO's trampoline, and the one of C libraries that bring their own. */
static bool is_sigreturn(struct ustack_mem *mem, u64 pc, bool exact)
{
	u64 code;

	if (pc & 3 || !mem->read_u64(mem, pc, &code))
		return false;
	if (code == SIGRETURN)
		return true;
	return exact && (u32)code == SIGRETURN >> 32 &&
	       mem->read_u64(mem, pc - 4, &code) && code == SIGRETURN;
}

#define INSN_BR_X17 0xd61f0220u
#define INSN_BTI_C 0xd503245fu
#define INSN_STP_X16_X30 0xa9bf7bf0u	/* stp x16, x30, [sp, #-16]! : PLT0 only */

/* What may stand in a PLT entry before its br x17. */
static bool is_plt_insn(u32 insn)
{
	return (insn & 0x9f00001f) == 0x90000010 || /* adrp x16 */
	       (insn & 0xffc003ff) == 0xf9400211 || /* ldr x17, [x16, #n] */
	       (insn & 0xffc003ff) == 0x91000210 || /* add x16, x16, #n */
	       insn == INSN_BTI_C ||
	       insn == 0xd503219f;		    /* autia1716 */
}

static bool insn_at(struct ustack_mem *mem, u64 pc, u32 *ret)
{
	u64 code;

	if (!mem->read_u64(mem, pc, &code))
		return false;
	*ret = (u32)code;
	return true;
}

/* From @pc on, nothing but PLT instructions up to br x17. PLT0's push comes
 * first, but for a bti.
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
		if (!is_plt_insn(insn) &&
		    !(may_push && insn == INSN_STP_X16_X30))
			return false;
		may_push = insn == INSN_BTI_C;
	}
	return false;
}

/* In PLT0, behind its push: @pc follows stp over PLT instructions only. */
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
		if (!is_plt_insn(insn))
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

/* bl, blr, and the authenticating forms of blr */
static bool after_call(struct ustack_mem *mem, u64 ra)
{
	u32 insn;

	if (ra & 3 || !insn_at(mem, ra - 4, &insn))
		return false;
	return insn >> 26 == 0x25 || (insn & 0xfffffc1f) == 0xd63f0000 ||
	       (insn & 0xfefff800) == 0xd63f0800;
}

const struct ustack_arch ustack_arch_aarch64 = {
	.name = "aarch64",
	.id = USTACK_ARCH_AARCH64,
	.sframe_abi = SFRAME_ABI_AARCH64_LE,
	.sp_reg = 31,
	.fp_reg = 29,
	.max_reg = 31,
	.ra_fixed = 0,
	.insn_align = 4,
	.elf_machine = 183,
	.sigcontext_off = sigcontext_off,
	.sigcontext_pc = SIGCONTEXT_REGS + 8 * 32,
	.is_sigreturn = is_sigreturn,
	.stub = stub,
	.after_call = after_call,
};
