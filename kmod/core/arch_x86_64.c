// SPDX-License-Identifier: GPL-2.0
/* AMD64: System V psABI, Linux signal frame, GNU and LLVM linkers' PLT code. */
#include "arch.h"
#include "sframe_format.h"
#include "step.h"

/* struct rt_sigframe without its return address, which the handler's ret has
 * popped: ucontext flags, link, stack (40 bytes), then struct sigcontext.
 */
static const u16 sigcontext_off[17] = {
	[0] = 144, [1] = 136, [2] = 152, [3] = 128, /* rax rdx rcx rbx */
	[4] = 112, [5] = 104, [6] = 120, [7] = 160, /* rsi rdi rbp rsp */
	[8] = 40, [9] = 48, [10] = 56, [11] = 64,   /* r8 .. r11 */
	[12] = 72, [13] = 80, [14] = 88, [15] = 96, /* r12 .. r15 */
	[16] = 168,				    /* rip */
};

/* mov $15,%rax; syscall: what glibc, musl, Go and bionic all use, as the
 * sa_restorer of AMD64 is up to user space.
 */
static bool is_sigreturn(struct ustack_mem *mem, u64 pc, bool exact)
{
	u64 code;

	if (!mem->read_u64(mem, pc, &code))
		return false;
	if (code == 0x0f0000000fc0c748ull) {
		u64 next;

		return mem->read_u64(mem, pc + 1, &next) && next >> 56 == 0x05;
	}
	if (!exact || (code & 0xffff) != 0x050f)
		return false;
	return mem->read_u64(mem, pc - 7, &code) &&
	       code == 0x0f0000000fc0c748ull;
}

/* The syscall instruction has put the pc into rcx. The kernel puts rcx back before
 * SP and the pc.
 */
static bool in_sigreturn(struct ustack_mem *mem, u64 pc)
{
	u64 rcx;

	return is_sigreturn(mem, pc - 9, false) &&
	       mem->read_reg(mem, 2, &rcx) && rcx == pc;
}

static void sp_rule(struct ustack_rule *ret, s32 cfa_off)
{
	*ret = (struct ustack_rule){
		.cfa = USTACK_OP_SP,
		.cfa_off = cfa_off,
		.ra = USTACK_OP_CFA | USTACK_OP_DEREF,
		.ra_off = -8,
	};
}

/* jmp *x(%rip), with or without a bnd prefix */
static bool is_jmp_mem(u64 code)
{
	return (code & 0xffff) == 0x25ff || (code & 0xffffff) == 0x25fff2;
}

/* The jump behind a PLT entry's push goes to PLT0: push GOT+8(%rip). */
static bool jumps_to_plt0(struct ustack_mem *mem, u64 pc, u64 code)
{
	bool bnd = (code & 0xff) == 0xf2;
	u64 target;

	if (bnd)
		code >>= 8;
	if ((code & 0xff) != 0xe9)
		return false;
	target = pc + bnd + 5 + (u64)(s64)(s32)(u32)(code >> 8);
	return mem->read_u64(mem, target, &code) && (code & 0xffff) == 0x35ff;
}

/*
 * PLT code by its bytes. Every form is:
 *   plt0:      push GOT+8(%rip); [bnd] jmp *GOT+16(%rip)
 *   lazy:      jmp *slot(%rip); push $n; jmp plt0
 *   lazy IBT:  endbr64; push $n; [bnd] jmp plt0
 *   .plt.sec, .plt.got: [endbr64]; [bnd] jmp *slot(%rip)
 * jmp *x(%rip) outside a PLT is a tail call; its frame is gone, so the rule is
 * the same.
 */
static bool stub(struct ustack_mem *mem, u64 pc, struct ustack_rule *ret)
{
	u64 code, other;

	if (!mem->read_u64(mem, pc, &code))
		return false;
	if (is_jmp_mem(code)) {
		bool in_plt0 = mem->read_u64(mem, pc - 6, &other) &&
			       (other & 0xffff) == 0x35ff;

		sp_rule(ret, in_plt0 ? 24 : 8);
		return true;
	}
	if ((code & 0xffff) == 0x35ff) {
		sp_rule(ret, 16);
		return mem->read_u64(mem, pc + 6, &other) && is_jmp_mem(other);
	}
	if ((u32)code == 0xfa1e0ff3) {
		pc += 4;
		if (!mem->read_u64(mem, pc, &code))
			return false;
		sp_rule(ret, 8);
		if (is_jmp_mem(code))
			return true;
		if ((code & 0xff) != 0x68)
			return false;
	}
	if ((code & 0xff) == 0x68) {
		sp_rule(ret, 8);
		return mem->read_u64(mem, pc + 5, &other) &&
		       jumps_to_plt0(mem, pc + 5, other);
	}
	sp_rule(ret, 16);
	return mem->read_u64(mem, pc - 5, &other) && (other & 0xff) == 0x68 &&
	       jumps_to_plt0(mem, pc, code);
}

/* FF /2 of @len bytes: ModRM says how many follow. @p: the bytes from FF on. */
static bool is_call_rm(const u8 *p, unsigned int len)
{
	u8 modrm = p[1], mod = modrm >> 6, rm = modrm & 7;
	unsigned int want = 2;

	if (p[0] != 0xff || ((modrm >> 3) & 7) != 2)
		return false;
	if (mod != 3 && rm == 4)
		want++;			/* SIB */
	if (mod == 1)
		want += 1;
	else if (mod == 2 || (mod == 0 && rm == 5))
		want += 4;
	else if (mod == 0 && rm == 4 && (p[2] & 7) == 5)
		want += 4;		/* SIB without base */
	return want == len;
}

static u64 add_disp32(u64 pc, u32 disp)
{
	return pc + (u64)(s64)(s32)disp;
}

/* A call to PLT code goes where the slot points that it jumps through. */
static u64 through_plt(struct ustack_mem *mem, u64 target)
{
	u64 code, pc = target, slot;

	if (!mem->read_u64(mem, pc, &code))
		return target;
	if ((u32)code == 0xfa1e0ff3) {
		pc += 4;
		if (!mem->read_u64(mem, pc, &code))
			return target;
	}
	if (!is_jmp_mem(code))
		return target;
	if ((code & 0xff) == 0xf2) {
		pc++;
		code >>= 8;
	}
	slot = add_disp32(pc + 6, (u32)(code >> 16));
	return mem->read_u64(mem, slot, &slot) ? slot : target;
}

static bool call_target(struct ustack_mem *mem, u64 ra, u64 *ret)
{
	u8 p[9] = { 0 };	/* one more: a two-byte call has no SIB to look at */
	unsigned int len;
	u64 code;

	if (!mem->read_u64(mem, ra - 8, &code))
		return false;
	*ret = 0;
	memcpy(p, &code, sizeof(code));
	if (p[3] == 0xe8) {
		*ret = through_plt(mem, add_disp32(ra, ustack_le32(p + 4)));
		return true;
	}
	/* call *x(%rip) */
	if (p[2] == 0xff && p[3] == 0x15) {
		if (!mem->read_u64(mem, add_disp32(ra, ustack_le32(p + 4)), ret))
			*ret = 0;
		return true;
	}
	for (len = 2; len <= 7; len++)
		if (is_call_rm(p + 8 - len, len))
			return true;
	return false;
}

const struct ustack_arch ustack_arch_x86_64 = {
	.name = "x86_64",
	.id = USTACK_ARCH_X86_64,
	.sframe_abi = SFRAME_ABI_AMD64_LE,
	.sp_reg = 7,
	.fp_reg = 6,
	.max_reg = 15,
	.ra_fixed = -8,
	.insn_align = 1,
	.elf_machine = 62,
	/* rax, rdx, rcx, rsi, rdi, r8 to r11 */
	.scratch_regs = 0x0f37,
	.sigcontext_off = sigcontext_off,
	.sigcontext_pc = 168,
	.is_sigreturn = is_sigreturn,
	.in_sigreturn = in_sigreturn,
	.stub = stub,
	.call_target = call_target,
};
