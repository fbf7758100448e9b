// SPDX-License-Identifier: GPL-2.0-only
/* AMD64: System V psABI, Linux signal frame, GNU and LLVM linkers' PLT code. */
#include "arch.h"
#include "bounds.h"
#include "go_stacks.h"
#include "sframe_format.h"
#include "step.h"

/*
 * struct rt_sigframe without its return address, which the handler's ret has
 * popped: ucontext flags, link, stack (40 bytes), then struct sigcontext.
 */
static const u16 sigcontext_off[32] = {
	[0] = 144, [1] = 136, [2] = 152, [3] = 128, /* rax rdx rcx rbx */
	[4] = 112, [5] = 104, [6] = 120, [7] = 160, /* rsi rdi rbp rsp */
	[8] = 40, [9] = 48, [10] = 56, [11] = 64,   /* r8 .. r11 */
	[12] = 72, [13] = 80, [14] = 88, [15] = 96, /* r12 .. r15 */
};

/*
 * mov $15,%rax; syscall: glibc, musl, Go and bionic all use this, as user space
 * chooses the sa_restorer of AMD64.
 */
static bool is_sigreturn(struct ustack_mem *mem, u64 pc, bool exact)
{
	u64 code;

	if (!ustack_mem_read(mem, pc, &code))
		return false;
	if (code == 0x0f0000000fc0c748ull) {
		u64 next;

		return ustack_mem_read(mem, pc + 1, &next) && next >> 56 == 0x05;
	}
	if (!exact || (code & 0xffff) != 0x050f)
		return false;
	return ustack_mem_read(mem, pc - 7, &code) &&
	       code == 0x0f0000000fc0c748ull;
}

/*
 * The syscall instruction has put the pc into rcx. The kernel restores rcx
 * before SP and the pc.
 */
static bool in_sigreturn(struct ustack_mem *mem, u64 pc)
{
	u64 rcx;

	return is_sigreturn(mem, pc - 9, false) &&
	       ustack_mem_reg(mem, 2, &rcx) && rcx == pc;
}

#define ENDBR64 0xfa1e0ff3u

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

/*
 * Return: whether the jump after a PLT entry's push goes to PLT0, which starts
 * with push GOT+8(%rip).
 */
static bool jumps_to_plt0(struct ustack_mem *mem, u64 pc, u64 code)
{
	bool bnd = (code & 0xff) == 0xf2;
	u64 target;

	if (bnd)
		code >>= 8;
	if ((code & 0xff) != 0xe9)
		return false;
	target = pc + bnd + 5 + (u64)(s64)(s32)(u32)(code >> 8);
	return ustack_mem_read(mem, target, &code) && (code & 0xffff) == 0x35ff;
}

/*
 * Recognizes PLT code by its bytes. The forms are:
 *   plt0:      push GOT+8(%rip); [bnd] jmp *GOT+16(%rip)
 *   lazy:      jmp *slot(%rip); push $n; jmp plt0
 *   lazy IBT:  endbr64; push $n; [bnd] jmp plt0
 *   .plt.sec, .plt.got: [endbr64]; [bnd] jmp *slot(%rip)
 * Outside a PLT, jmp *x(%rip) is a tail call; its frame is gone, so the rule is
 * the same.
 */
static bool stub(struct ustack_mem *mem, u64 pc, struct ustack_rule *ret)
{
	u64 code, other;

	if (!ustack_mem_read(mem, pc, &code))
		return false;
	if (is_jmp_mem(code)) {
		bool in_plt0 = ustack_mem_read(mem, pc - 6, &other) &&
			       (other & 0xffff) == 0x35ff;

		sp_rule(ret, in_plt0 ? 24 : 8);
		return true;
	}
	if ((code & 0xffff) == 0x35ff) {
		sp_rule(ret, 16);
		return ustack_mem_read(mem, pc + 6, &other) && is_jmp_mem(other);
	}
	if ((u32)code == ENDBR64) {
		pc += 4;
		if (!ustack_mem_read(mem, pc, &code))
			return false;
		sp_rule(ret, 8);
		if (is_jmp_mem(code))
			return true;
		if ((code & 0xff) != 0x68)
			return false;
	}
	if ((code & 0xff) == 0x68) {
		sp_rule(ret, 8);
		return ustack_mem_read(mem, pc + 5, &other) &&
		       jumps_to_plt0(mem, pc + 5, other);
	}
	sp_rule(ret, 16);
	return ustack_mem_read(mem, pc - 5, &other) && (other & 0xff) == 0x68 &&
	       jumps_to_plt0(mem, pc, code);
}

/*
 * Return: whether @insn is FF /2 with a length of @len bytes, which ModRM
 * determines. @insn: the bytes from FF on.
 */
static bool is_call_rm(u64 insn, unsigned int len)
{
	u8 modrm = insn >> 8, mod = modrm >> 6, rm = modrm & 7;
	unsigned int want = 2;

	if ((insn & 0xff) != 0xff || ((modrm >> 3) & 7) != 2)
		return false;
	if (mod != 3 && rm == 4)
		want++;			/* SIB */
	if (mod == 1)
		want += 1;
	else if (mod == 2 || (mod == 0 && rm == 5))
		want += 4;
	else if (mod == 0 && rm == 4 && (insn >> 16 & 7) == 5)
		want += 4;		/* SIB without base */
	return ustack_forget(want) == len;
}

static u64 add_disp32(u64 pc, u32 disp)
{
	return pc + (u64)(s64)(s32)disp;
}

/*
 * Return: for a call to PLT code the target of the slot that it jumps through.
 */
static u64 through_plt(struct ustack_mem *mem, u64 target)
{
	u64 code, pc = target, slot;

	if (!ustack_mem_read(mem, pc, &code))
		return target;
	if ((u32)code == ENDBR64) {
		pc += 4;
		if (!ustack_mem_read(mem, pc, &code))
			return target;
	}
	if (!is_jmp_mem(code))
		return target;
	if ((code & 0xff) == 0xf2) {
		pc++;
		code >>= 8;
	}
	slot = add_disp32(pc + 6, (u32)(code >> 16));
	return ustack_mem_read(mem, slot, &slot) ? slot : target;
}

static bool call_target(struct ustack_mem *mem, u64 ra, u64 *ret)
{
	unsigned int len;
	u64 code, dest;

	if (!ustack_mem_read(mem, ra - 8, &code))
		return false;
	*ret = 0;
	dest = add_disp32(ra, code >> 32);
	if ((code >> 24 & 0xff) == 0xe8) {
		*ret = through_plt(mem, dest);
		return true;
	}
	/* call *x(%rip) */
	if ((code >> 16 & 0xffff) == 0x15ff) {
		if (!ustack_mem_read(mem, dest, ret))
			*ret = 0;
		return true;
	}
	for (len = 2; len <= 7; len++)
		if (is_call_rm(code >> (64 - 8 * len), len))
			return true;
	return false;
}

/* Return: the address after an endbr64 at @pc, or @pc if there is none. */
static u64 behind_endbr(struct ustack_mem *mem, u64 pc)
{
	u64 code;

	return ustack_mem_read(mem, pc, &code) && (u32)code == ENDBR64 ? pc + 4 : pc;
}

/*
 *	glibc's __start_context	mov %rbx,%rsp; mov (%rsp),%rdi; test ...
 *	Boost's finish		xor %rdi,%rdi; call _exit; hlt
 *	musl's __clone		call *%r9; mov %eax,%edi; xor %eax,%eax; mov $60,%al; syscall
 *	others' clone		call *%rdx; mov %eax,%edi (or %rax,%rdi); mov $60,%eax; syscall
 *
 * The first one gives SP another value before it uses it; the others never
 * return.
 */
static bool is_bottom(struct ustack_mem *mem, u64 ra)
{
	u64 code, next;

	ra = behind_endbr(mem, ra);
	if (!ustack_mem_read(mem, ra, &code))
		return false;
	if (code == 0x48243c8b48dc8948ull || code == 0x050f3cb0c031c789ull)
		return true;
	if (!ustack_mem_read(mem, ra + 8, &next))
		return false;
	if ((u32)code == 0xe8ff3148)
		return (next & 0xff) == 0xf4;
	if ((code & 0xff) == 0x48) {
		code = code >> 8 | next << 56;
		next >>= 8;
	}
	/* 89 c7 b8 3c 00 00 00 0f, 05 */
	return code == 0x0f0000003cb8c789ull && (next & 0xff) == 0x05;
}

/*
 * [endbr64;] push %rbp. Return: length of these instructions; 0 for other code.
 */
static unsigned int push_fp(u64 code)
{
	if ((u32)code == ENDBR64)
		return (code >> 32 & 0xff) == 0x55 ? 5 : 0;
	return (code & 0xff) == 0x55;
}

/* mov %rsp,%rbp, in both encodings */
static bool sets_fp(u64 code)
{
	code &= 0xffffff;
	return code == 0xe58948 || code == 0xec8b48;
}

/*
 * Return: where a function that begins with push %rbp has made its record:
 * after mov %rsp,%rbp; 0 if it makes none. gcc moves instructions between the
 * two, but moves neither out of the function's first block.
 */
static u64 behind_record(struct ustack_mem *mem, u64 entry)
{
	unsigned int i, n;
	u64 code, at;

	if (!ustack_mem_read(mem, entry, &code) || !push_fp(code))
		return 0;
	at = entry + push_fp(code);
	for (i = 0; i < USTACK_MAX_RECORD_BYTES; i += 6) {
		if (!ustack_mem_read(mem, at + i, &code))
			return 0;
		for (n = 0; n < 6; n++, code >>= 8)
			if (sets_fp(code))
				return at + i + n + 3;
	}
	return 0;
}

/*
 * Return: whether the word at @at is a return address. @entry: see
 * call_target().
 */
static bool return_address_at(struct ustack_mem *mem, u64 at, u64 *ra, u64 *entry)
{
	return ustack_mem_read(mem, at, ra) && !ustack_check_ra(mem, ra) &&
	       ustack_mem_is_code(mem, *ra) &&
	       call_target(mem, *ra, entry);
}

/* ret, ret $n, rep ret, bnd ret */
static bool is_ret(u64 code)
{
	if ((code & 0xff) == 0xf3 || (code & 0xff) == 0xf2)
		code >>= 8;
	return (code & 0xfe) == 0xc2;
}

/*
 * Return: whether @pc is a function's first instruction, or the one after its
 * endbr64.
 */
static bool is_entry(struct ustack_mem *mem, u64 entry, u64 pc)
{
	u64 code;

	return pc == entry || (pc == entry + 4 && ustack_mem_read(mem, entry, &code) &&
			       (u32)code == ENDBR64);
}

/*
 * Return: whether @pc is right after the push %rbp that a function begins with.
 */
static bool is_after_push(struct ustack_mem *mem, u64 entry, u64 pc)
{
	unsigned int len;
	u64 code;

	if (!entry || !ustack_mem_read(mem, entry, &code))
		return false;
	len = push_fp(code);
	return len && pc == entry + len;
}

/*
 * add $n,%rsp; ret, in both encodings. Return: bytes that it frees; 0 for other
 * code.
 */
static u64 freed_before_ret(u64 code)
{
	u64 freed;

	if ((code & 0xff00ffffffull) == 0xc300c48348ull)
		freed = (u64)(s64)(s8)(code >> 24);	/* signed: a negative one is above the bound */
	else if ((code & 0xff00000000ffffffull) == 0xc300000000c48148ull)
		freed = code >> 24 & 0xffffffff;
	else
		return 0;
	return freed & 7 || freed > USTACK_MAX_FP_FRAME ? 0 : freed;
}

/* Return: whether call *%register is right in front of @pc. */
static bool is_behind_call_reg(struct ustack_mem *mem, u64 pc)
{
	u64 code;

	return ustack_mem_read(mem, pc - 8, &code) && (code >> 48 & 0xf8ff) == 0xd0ff;
}

/*
 * The return address is at SP at the function's first instruction and at its
 * ret, and one word higher right after push %rbp. If only add $n,%rsp; ret is
 * left to run, it is n bytes above SP. That also holds for the frame of a
 * caller that has called through a register: only for a named function a
 * compiler may know that it never returns, and only then does other code follow
 * the call. At a ret the address must also follow a call, as retpolines jump by
 * ret.
 */
static bool leaf(struct ustack_mem *mem, const struct ustack_state *s,
		 struct ustack_state *ret)
{
	u64 code, entry, freed, ra, at = s->sp;

	if (at & 7 || !ustack_mem_read(mem, s->pc, &code))
		return false;
	freed = freed_before_ret(code);
	if (!s->exact && (!freed || !is_behind_call_reg(mem, s->pc)))
		return false;
	at += ustack_forget(freed);
	if (!return_address_at(mem, at, &ra, &entry) ||
	    (!freed && !is_ret(code) && !is_entry(mem, entry, s->pc))) {
		at += 8;
		if (freed || !return_address_at(mem, at, &ra, &entry) ||
		    !is_after_push(mem, entry, s->pc))
			return false;
	}
	*ret = (struct ustack_state){
		.pc = ra,
		.sp = at + 8,
		.fp = s->fp,
		.fp_at = s->fp_at,
	};
	return true;
}

/*
 * Return: length of the nop that ends @last, if it has a form that assemblers
 * use for padding, without its prefixes; 0 for other code.
 */
static unsigned int nop_at_end(u64 last)
{
	if (last == 0x0000000000841f0full)
		return 8;
	if (last >> 8 == 0x00000000801f0full)
		return 7;
	if (last >> 24 == 0x0000441f0full)
		return 5;
	if (last >> 32 == 0x00401f0f)
		return 4;
	if (last >> 40 == 0x001f0f)
		return 3;
	return last >> 56 == 0x90 || last >> 56 == 0xcc;
}

/*
 * Return: whether @last may be the last instruction of a function: ret, a jump,
 * a call that does not return, ud2, hlt.
 */
static bool may_end(u64 last)
{
	u32 end2 = last >> 48, end1 = end2 >> 8, end5 = last >> 24 & 0xff;
	unsigned int len;

	if (end1 == 0xc3 || end1 == 0xf4 || (end2 & 0xff) == 0xeb || end2 == 0x0b0f ||
	    (last >> 40 & 0xff) == 0xc2 || end5 == 0xe9 || end5 == 0xe8)
		return true;
	/* FF /2 and FF /4, whatever follows */
	for (len = 2; len <= 7; len++) {
		u32 call = last >> (64 - 8 * len) & 0x38ff;

		if (call == 0x10ff || call == 0x20ff)
			return true;
	}
	return false;
}

#define END_BYTES 24u

/**
 * struct padding - bytes in front of a place where a function may begin
 * @last: the last 8 of the bytes that are left
 * @before: the bytes in front of @last, the nearest first
 * @n: number of bytes that are left; below 8, @last is not used
 */
struct padding {
	u64 last;
	u64 before[2];
	unsigned int n;
};

/*
 * Return: the 8 bytes that end @len bytes (1 to 8) before the end of @high;
 * @low is in front of @high.
 */
static __always_inline u64 move_up(u64 high, u64 low, unsigned int len)
{
	return len == 8 ? low : high << 8 * len | low >> (64 - 8 * len);
}

/* Drops the last nop of the bytes, or a prefix of a nop dropped before. */
static long leave_out(u32 i, void *to)
{
	struct padding *pad = to;
	u8 end = pad->last >> 56;
	unsigned int len;

	if (pad->n <= END_BYTES - USTACK_FUNCTION_ALIGN)
		return 1;
	len = pad->n < END_BYTES && (end == 0x66 || end == 0x2e) ? 1 : nop_at_end(pad->last);
	if (!len)
		return 1;
	pad->last = move_up(pad->last, pad->before[0], len);
	pad->before[0] = move_up(pad->before[0], pad->before[1], len);
	pad->before[1] = move_up(pad->before[1], 0, len);
	pad->n = ustack_forget(pad->n - len);
	return 0;
}

/*
 * Return: whether a function may end with these bytes, padding included. If
 * bytes of another instruction look like that, the proof fails, but nothing is
 * wrong.
 */
static bool may_be_an_end(struct padding *pad)
{
	ustack_repeat(END_BYTES, leave_out, pad);
	return pad->n <= END_BYTES - USTACK_FUNCTION_ALIGN || may_end(pad->last);
}

/**
 * struct ends - search for a multiple of USTACK_FUNCTION_ALIGN where a function may end
 * @mem: access to the process
 * @word: the 24 bytes in front of @at, and 8 from @at on
 * @at: the next multiple; each round looks at one
 * @last: the last byte to look at
 * @found: there is an end, or bytes could not be read
 */
struct ends {
	struct ustack_mem *mem;
	u64 word[4];
	u64 at;
	u64 last;
	bool found;
};

static long may_end_at(u32 i, void *to)
{
	struct ends *e = to;
	struct padding pad = {
		.last = e->word[2], .before = { e->word[1], e->word[0] }, .n = END_BYTES,
	};

	if (e->at > e->last)
		return 1;
	e->found = may_be_an_end(&pad) || push_fp(e->word[3]) || (u32)e->word[3] == ENDBR64;
	if (e->found)
		return 1;
	e->word[0] = e->word[2];
	e->word[1] = e->word[3];
	e->mem->scanned += 2;
	e->found = !ustack_mem_read(e->mem, e->at + 8, &e->word[2]) ||
		   !ustack_mem_read(e->mem, e->at + 16, &e->word[3]);
	e->at += USTACK_FUNCTION_ALIGN;
	return e->found;
}

/*
 * Return: whether the function that starts at @start may end before @last.
 * Bounded by USTACK_MAX_FP_PROOF.
 */
static bool may_end_before(struct ustack_mem *mem, u64 start, u64 last)
{
	struct ends e = { .mem = mem, .at = start + USTACK_FUNCTION_ALIGN, .last = last };
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (!ustack_mem_read(mem, start - 8 + 8 * i, &e.word[i]))
			return true;
	ustack_repeat(USTACK_MAX_FP_PROOF / USTACK_FUNCTION_ALIGN, may_end_at, &e);
	return e.found;
}

/*
 * Return: whether FP may be the caller's again: after pop %rbp or leave, and at
 * ret.
 */
static bool is_in_epilogue(struct ustack_mem *mem, u64 pc)
{
	u64 code;

	return !ustack_mem_read(mem, pc - 1, &code) || (code & 0xff) == 0x5d ||
	       (code & 0xff) == 0xc9 || is_ret(code >> 8);
}

static bool owns_record(struct ustack_mem *mem, u64 entry,
			const struct ustack_state *s)
{
	u64 last = ustack_state_key(s), made;

	/*
	 * Code compiled for size is not aligned: the ends of functions cannot
	 * be seen.
	 */
	if (entry & (USTACK_FUNCTION_ALIGN - 1) || last < entry ||
	    last - entry > USTACK_MAX_FP_PROOF ||
	    mem->scanned >= USTACK_MAX_SCAN)
		return false;
	made = behind_record(mem, entry);
	return made && s->pc >= made &&
	       !(s->exact && is_in_epilogue(mem, s->pc)) &&
	       !may_end_before(mem, entry, last);
}

USTACK_CORE const struct ustack_arch ustack_arch_x86_64 = {
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
	.is_bottom = is_bottom,
	.left_stack = go_left_stack,
	.leaf = leaf,
	.owns_record = owns_record,
};
