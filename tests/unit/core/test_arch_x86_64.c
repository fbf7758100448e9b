// SPDX-License-Identifier: GPL-2.0-only
/* arch_x86_64.c: PLT code, trampolines and calls by their bytes. */
#include "support.h"

static bool after_call(struct ustack_mem *mem, u64 ra)
{
	u64 target;

	return ustack_arch_x86_64.call_target(mem, ra, &target);
}

#define CODE 0x555500000000ull
#define CODE_LEN 0x400u

static struct fake f;
static u8 *code;

static int setup(void **state)
{
	fake_init(&f);
	code = fake_map(&f, CODE, CODE_LEN);
	memset(code, 0xcc, CODE_LEN);
	return 0;
}

static int teardown(void **state)
{
	fake_release(&f);
	return 0;
}

/* The distance of the CFA from SP at offset @off of the code; 0 if it is not PLT code. */
static s32 cfa_at(u32 off)
{
	struct ustack_rule rule;

	if (!X86->stub(&f.mem, CODE + off, &rule))
		return 0;
	assert_int_equal(rule.cfa, USTACK_OP_SP);
	assert_int_equal(rule.ra, USTACK_OP_CFA | USTACK_OP_DEREF);
	assert_int_equal(rule.ra_off, -8);
	assert_int_equal(rule.fp, USTACK_OP_NONE);
	assert_int_equal(rule.flags, 0);
	return rule.cfa_off;
}

static void put(u32 off, const char *bytes, u32 len)
{
	memcpy(code + off, bytes, len);
}

/* As ld -z lazy writes it: 16 bytes each. */
static void lazy_plt(void **state)
{
	put(0x00, B("\xff\x35\xe2\x2f\x00\x00\xff\x25\xe4\x2f\x00\x00\x0f\x1f\x40\x00"));
	put(0x10, B("\xff\x25\xe2\x2f\x00\x00\x68\x00\x00\x00\x00\xe9\xe0\xff\xff\xff"));
	put(0x20, B("\xff\x25\xda\x2f\x00\x00\x68\x01\x00\x00\x00\xe9\xd0\xff\xff\xff"));
	assert_int_equal(cfa_at(0x00), 16);
	assert_int_equal(cfa_at(0x06), 24);
	assert_int_equal(cfa_at(0x10), 8);
	assert_int_equal(cfa_at(0x16), 8);
	assert_int_equal(cfa_at(0x1b), 16);
	assert_int_equal(cfa_at(0x20), 8);
	assert_int_equal(cfa_at(0x26), 8);
	assert_int_equal(cfa_at(0x2b), 16);
	assert_int_equal(cfa_at(0x0c), 0);	/* padding is never executed */
}

/* With bnd prefixes, as for MPX and IBT */
static void lazy_plt_bnd(void **state)
{
	put(0x00, B("\xff\x35\xe2\x2f\x00\x00\xf2\xff\x25\xe3\x2f\x00\x00\x0f\x1f\x00"));
	put(0x10, B("\x68\x00\x00\x00\x00\xf2\xe9\xe5\xff\xff\xff\x0f\x1f\x44\x00\x00"));
	assert_int_equal(cfa_at(0x00), 16);
	assert_int_equal(cfa_at(0x06), 24);
	assert_int_equal(cfa_at(0x10), 8);
	assert_int_equal(cfa_at(0x15), 16);
}

static void lazy_plt_ibt(void **state)
{
	put(0x00, B("\xff\x35\xe2\x2f\x00\x00\xf2\xff\x25\xe3\x2f\x00\x00\x0f\x1f\x00"));
	put(0x10, B("\xf3\x0f\x1e\xfa\x68\x00\x00\x00\x00\xf2\xe9\xe1\xff\xff\xff\x90"));
	put(0x20, B("\xf3\x0f\x1e\xfa\x68\x01\x00\x00\x00\xe9\xd2\xff\xff\xff\x66\x90"));
	/* .plt.sec: with bnd (before 2.43) and without */
	put(0x30, B("\xf3\x0f\x1e\xfa\xf2\xff\x25\x95\x2f\x00\x00\x0f\x1f\x44\x00\x00"));
	put(0x40, B("\xf3\x0f\x1e\xfa\xff\x25\x95\x2f\x00\x00\x66\x0f\x1f\x44\x00\x00"));
	assert_int_equal(cfa_at(0x10), 8);
	assert_int_equal(cfa_at(0x14), 8);
	assert_int_equal(cfa_at(0x19), 16);
	assert_int_equal(cfa_at(0x20), 8);
	assert_int_equal(cfa_at(0x24), 8);
	assert_int_equal(cfa_at(0x29), 16);
	assert_int_equal(cfa_at(0x30), 8);
	assert_int_equal(cfa_at(0x34), 8);
	assert_int_equal(cfa_at(0x40), 8);
	assert_int_equal(cfa_at(0x44), 8);
}

static void plt_got(void **state)
{
	put(0x00, B("\xff\x25\xc2\x2f\x00\x00\x66\x90"));
	put(0x08, B("\xf2\xff\x25\xc2\x2f\x00\x00\x90"));
	assert_int_equal(cfa_at(0x00), 8);
	assert_int_equal(cfa_at(0x08), 8);
	assert_int_equal(cfa_at(0x06), 0);
}

static void the_plt_of_a_real_file(void **state)
{
	struct bytes b;

	bytes_read_file("tests/golden/sframe/t44.elf", &b);
	memcpy(code, b.p + 0x1020, 0x38);
	free(b.p);
	assert_int_equal(cfa_at(0x00), 16);	/* PLT0 */
	assert_int_equal(cfa_at(0x06), 24);
	assert_int_equal(cfa_at(0x10), 8);	/* puts */
	assert_int_equal(cfa_at(0x16), 8);
	assert_int_equal(cfa_at(0x1b), 16);
	assert_int_equal(cfa_at(0x20), 8);	/* malloc */
	assert_int_equal(cfa_at(0x2b), 16);
	assert_int_equal(cfa_at(0x30), 8);	/* .plt.got */
}

/*
 * PLT code at @at: the bytes of it and of PLT0 that must be as they are, and what it is
 * otherwise.
 */
struct form {
	u8 at;
	s8 cfa;
	struct {
		u8 from;
		u8 end;
		s8 cfa;
	} fixed[3];
};

static bool is_fixed(const struct form *form, u32 at, s32 *cfa)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (at >= form->fixed[i].from && at < form->fixed[i].end) {
			*cfa = form->fixed[i].cfa;
			return true;
		}
	return false;
}

static void every_bit_of(const struct form *form, unsigned int nr, u32 len)
{
	u32 bit;
	s32 cfa;

	for (; nr--; form++) {
		assert_int_equal(cfa_at(form->at), form->cfa);
		for (bit = 0; bit < 8 * len; bit++) {
			code[bit / 8] ^= 1u << bit % 8;
			if (!is_fixed(form, bit / 8, &cfa))
				cfa = form->cfa;
			/* push x(%rip) becomes jmp *x(%rip) */
			if (bit == 8u * form->at + 12 && code[bit / 8] == 0x25)
				cfa = 8;
			if (cfa_at(form->at) != cfa)
				fail_msg("0x%x: bit %u of byte 0x%x", form->at, bit % 8, bit / 8);
			code[bit / 8] ^= 1u << bit % 8;
		}
	}
}

/* All bytes of each instruction count; the values of slots and numbers do not matter. */
static void every_bit_of_plt_code(void **state)
{
	static const struct form lazy[] = {
		{ 0x00, 16, { { 0, 2 }, { 6, 8 } } },
		{ 0x06, 24, { { 0, 2, 8 }, { 6, 8 } } },
		{ 0x10, 8, { { 0x10, 0x12 } } },
		{ 0x16, 8, { { 0, 2 }, { 0x16, 0x17 }, { 0x1b, 0x20 } } },
		{ 0x1b, 16, { { 0, 2 }, { 0x16, 0x17 }, { 0x1b, 0x20 } } },
	};
	static const struct form ibt[] = {
		{ 0x00, 16, { { 0, 2 }, { 6, 9 } } },
		{ 0x06, 24, { { 0, 2, 8 }, { 6, 9 } } },
		{ 0x10, 8, { { 0, 2 }, { 0x10, 0x15 }, { 0x19, 0x1f } } },
		{ 0x14, 8, { { 0, 2 }, { 0x14, 0x15 }, { 0x19, 0x1f } } },
		{ 0x19, 16, { { 0, 2 }, { 0x14, 0x15 }, { 0x19, 0x1f } } },
		{ 0x20, 8, { { 0x20, 0x27 } } },
		{ 0x24, 8, { { 0x24, 0x27 } } },
		{ 0x30, 8, { { 0x30, 0x36 } } },
	};

	put(0x00, B("\xff\x35\xe2\x2f\x00\x00\xff\x25\xe4\x2f\x00\x00\x0f\x1f\x40\x00"));
	put(0x10, B("\xff\x25\xe2\x2f\x00\x00\x68\x00\x00\x00\x00\xe9\xe0\xff\xff\xff"));
	every_bit_of(lazy, ARRAY_SIZE(lazy), 0x20);
	put(0x00, B("\xff\x35\xe2\x2f\x00\x00\xf2\xff\x25\xe3\x2f\x00\x00\x0f\x1f\x00"));
	put(0x10, B("\xf3\x0f\x1e\xfa\x68\x00\x00\x00\x00\xf2\xe9\xe1\xff\xff\xff\x90"));
	put(0x20, B("\xf3\x0f\x1e\xfa\xf2\xff\x25\x95\x2f\x00\x00\x0f\x1f\x44\x00\x00"));
	put(0x30, B("\xf3\x0f\x1e\xfa\xff\x25\x95\x2f\x00\x00\x66\x0f\x1f\x44\x00\x00"));
	every_bit_of(ibt, ARRAY_SIZE(ibt), 0x40);
}

static void code_that_is_no_plt(void **state)
{
	/* push $n and a jump, but not to PLT0 */
	put(0x00, B("\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"));
	put(0x10, B("\x68\x00\x00\x00\x00\xe9\xe6\xff\xff\xff"));
	assert_int_equal(cfa_at(0x10), 0);
	assert_int_equal(cfa_at(0x15), 0);
	/* a push from memory without a jump after it */
	put(0x20, B("\xff\x35\xe2\x2f\x00\x00\x90\x90"));
	assert_int_equal(cfa_at(0x20), 0);
	/* a function with endbr64 */
	put(0x30, B("\xf3\x0f\x1e\xfa\x55\x48\x89\xe5"));
	assert_int_equal(cfa_at(0x30), 0);
	/* push $n, endbr64, jmp PLT0: the byte before belongs to another entry */
	put(0x50, B("\xff\x35\xe2\x2f\x00\x00\xff\x25\xe4\x2f\x00\x00"));
	put(0x5f, B("\x68\xf3\x0f\x1e\xfa\xe9\xe7\xff\xff\xff"));
	assert_int_equal(cfa_at(0x60), 0);
	/* the target of the jump is outside the mapping */
	put(0x70, B("\x68\x00\x00\x00\x00\xe9\x00\x00\x00\x70"));
	assert_int_equal(cfa_at(0x70), 0);
}

static void code_at_the_edge_of_memory(void **state)
{
	u32 off;

	for (off = CODE_LEN - 7; off < CODE_LEN + 16; off++)
		assert_int_equal(cfa_at(off), 0);
	put(CODE_LEN - 8, B("\xff\x25\xe2\x2f\x00\x00\x66\x90"));
	assert_int_equal(cfa_at(CODE_LEN - 8), 8);
	put(0, B("\xff\x25\xe2\x2f\x00\x00"));	/* there is no code before it */
	assert_int_equal(cfa_at(0), 8);
	put(CODE_LEN - 8, B("\xf3\x0f\x1e\xfa\xff\x25\xe2\x2f"));
	assert_int_equal(cfa_at(CODE_LEN - 8), 0);
}

static bool trampoline(u32 off, bool exact)
{
	return X86->is_sigreturn(&f.mem, CODE + off, exact);
}

static bool bottom(u32 off)
{
	return X86->is_bottom(&f.mem, CODE + off);
}

#define START_CONTEXT "\x48\x89\xdc\x48\x8b\x3c\x24\x48\x85\xff"

static void bottoms(void **state)
{
	/* glibc's __start_context, with and without endbr64 */
	put(0x10, B(START_CONTEXT));
	assert_true(bottom(0x10));
	assert_false(bottom(0x13));
	put(0x20, B("\xf3\x0f\x1e\xfa" START_CONTEXT));
	assert_true(bottom(0x20));
	put(0x10, B("\x48\x89\xdc\x48\x8b\x3c\x24\x49"));
	assert_false(bottom(0x10));
	/* Boost's finish */
	put(0x30, B("\x48\x31\xff\xe8\x01\x02\x03\x04\xf4"));
	assert_true(bottom(0x30));
	put(0x30, B("\x48\x31\xff\xe8\x01\x02\x03\x04\x90"));
	assert_false(bottom(0x30));
	/* clone() of musl, of glibc, and with an int */
	put(0x40, B("\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"));
	assert_true(bottom(0x40));
	put(0x50, B("\x48\x89\xc7\xb8\x3c\x00\x00\x00\x0f\x05"));
	assert_true(bottom(0x50));
	assert_true(bottom(0x51));
	/* exit_group(), an instruction that is no system call, and code that is cut off */
	put(0x60, B("\x89\xc7\xb8\xe7\x00\x00\x00\x0f\x05"));
	assert_false(bottom(0x60));
	put(0x70, B("\x89\xc7\xb8\x3c\x00\x00\x00\x0f\x0b"));
	assert_false(bottom(0x70));
	put(CODE_LEN - 10, B("\x48\x89\xc7\xb8\x3c\x00\x00\x00\x0f\x05"));
	assert_false(bottom(CODE_LEN - 10));
	put(CODE_LEN - 8, B("\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"));
	assert_true(bottom(CODE_LEN - 8));
	assert_false(bottom(CODE_LEN - 4));
}

/* All bytes of the outermost code count, except the target of the call in Boost's finish. */
static void every_bit_of_bottoms(void **state)
{
	static const struct {
		const char *p;
		u32 len;
		u32 skip_from;
		u32 skip_end;
	} forms[] = {
		{ B("\x48\x89\xdc\x48\x8b\x3c\x24\x48"), 0, 0 },
		{ B("\xf3\x0f\x1e\xfa\x48\x89\xdc\x48\x8b\x3c\x24\x48"), 0, 0 },
		{ B("\x48\x31\xff\xe8\x01\x02\x03\x04\xf4"), 4, 8 },
		{ B("\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"), 0, 0 },
		{ B("\x89\xc7\xb8\x3c\x00\x00\x00\x0f\x05"), 0, 0 },
		{ B("\x48\x89\xc7\xb8\x3c\x00\x00\x00\x0f\x05"), 0, 0 },
	};
	u32 i, bit, at;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		put(0x10, forms[i].p, forms[i].len);
		for (bit = 0; bit < 8 * forms[i].len; bit++) {
			at = bit / 8;
			code[0x10 + at] ^= 1u << bit % 8;
			if (bottom(0x10) != (at >= forms[i].skip_from && at < forms[i].skip_end))
				fail_msg("form %u, byte %u, bit %u", i, at, bit % 8);
			code[0x10 + at] ^= 1u << bit % 8;
		}
	}
}

static void sigreturn_trampolines(void **state)
{
	put(0x10, B("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"));
	assert_true(trampoline(0x10, false));
	assert_true(trampoline(0x10, true));
	assert_true(trampoline(0x17, true));
	assert_false(trampoline(0x17, false));
	assert_false(trampoline(0x11, true));
	assert_false(trampoline(0x0f, true));
	/* another system call, and an instruction that is none */
	put(0x30, B("\x48\xc7\xc0\x0e\x00\x00\x00\x0f\x05"));
	assert_false(trampoline(0x30, true));
	assert_false(trampoline(0x37, true));
	put(0x50, B("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x0b"));
	assert_false(trampoline(0x50, true));
	/* the last bytes of the text */
	put(CODE_LEN - 9, B("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"));
	assert_true(trampoline(CODE_LEN - 9, false));
	put(CODE_LEN - 8, B("\x48\xc7\xc0\x0f\x00\x00\x00\x0f"));
	assert_false(trampoline(CODE_LEN - 8, false));
	assert_false(trampoline(CODE_LEN + 8, false));
}

/* A trampoline at each of its bytes: all bits count, in both of its instructions. */
static void every_bit_of_trampolines(void **state)
{
	u32 bit;

	put(0x10, B("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"));
	for (bit = 0; bit < 72; bit++) {
		code[0x10 + bit / 8] ^= 1u << bit % 8;
		assert_false(trampoline(0x10, true));
		assert_false(trampoline(0x17, true));
		code[0x10 + bit / 8] ^= 1u << bit % 8;
	}
	assert_true(trampoline(0x10, false) && trampoline(0x17, true));
	/* the byte before it cannot be read */
	put(0, B("\x0f\x05\x90\x90\x90\x90\x90\x90"));
	assert_false(trampoline(0, true));
}

static void after_a_call(void **state)
{
	static const struct { const char *p; u32 len; } calls[] = {
		{ B("\xe8\x01\x02\x03\x04") },
		{ B("\xff\xd0") },				/* call *%rax */
		{ B("\x41\xff\xd4") },				/* call *%r12 */
		{ B("\xff\x10") },				/* call *(%rax) */
		{ B("\xff\x14\x24") },				/* call *(%rsp) */
		{ B("\xff\x14\xc8") },				/* call *(%rax,%rcx,8) */
		{ B("\xff\x50\x18") },				/* call *0x18(%rax) */
		{ B("\xff\x54\x24\x08") },			/* call *8(%rsp) */
		{ B("\xff\x15\x01\x02\x03\x04") },		/* call *x(%rip) */
		{ B("\xff\x90\x01\x02\x03\x04") },		/* call *x(%rax) */
		{ B("\xff\x94\x24\x01\x02\x03\x04") },		/* call *x(%rsp) */
		{ B("\xff\x14\xc5\x01\x02\x03\x04") },		/* call *x(,%rax,8) */
		{ B("\x67\xe8\x01\x02\x03\x04") },		/* addr32 call */
	};
	static const struct { const char *p; u32 len; } others[] = {
		{ B("\xe9\x01\x02\x03\x04") },			/* jmp */
		{ B("\xff\xe0") },				/* jmp *%rax */
		{ B("\xff\x25\x01\x02\x03\x04") },		/* jmp *x(%rip) */
		{ B("\xff\x14") },				/* SIB cut off */
		{ B("\xff\x50") },				/* offset cut off */
		{ B("\xff\x15\x01\x02\x03") },
		{ B("\xff\x54\x24") },
		{ B("\xe8\x01\x02\x03") },
		{ B("\xff\x15\x01\x02\x03\x04\x90") },		/* one too far */
		{ B("\xff\xd0\x90") },
		{ B("\xfe\xd0") },
		{ B("\xc3") },
		{ B("\x90") },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		memset(code, 0x90, CODE_LEN);
		put(0x40 - calls[i].len, calls[i].p, calls[i].len);
		if (!after_call(&f.mem, CODE + 0x40))
			fail_msg("call %u not seen", i);
	}
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		memset(code, 0x90, CODE_LEN);
		put(0x40 - others[i].len, others[i].p, others[i].len);
		if (after_call(&f.mem, CODE + 0x40))
			fail_msg("no call %u taken for one", i);
	}
	put(0, B("\x90\x90\x90\xe8\x00\x00\x00\x00"));
	assert_true(after_call(&f.mem, CODE + 8));
	assert_false(after_call(&f.mem, CODE + 7));	/* not there */
	assert_false(after_call(&f.mem, 0x1000));
}

/*
 * The target of a call: directly, through a slot, through PLT code; 0 for a call by register.
 */
static u64 target_of(u32 ra)
{
	u64 target = 0xdead;

	assert_true(X86->call_target(&f.mem, CODE + ra, &target));
	return target;
}

static void targets_of_calls(void **state)
{
	put(0x40, B("\xe8\xbb\xff\xff\xff"));
	assert_true(target_of(0x45) == CODE);
	put(0x40, B("\x41\xff\xd4"));
	assert_true(target_of(0x43) == 0);
	put(0x40, B("\xff\x15\xba\x00\x00\x00"));	/* slot at 0x100 */
	put(0x100, B("\x78\x56\x34\x12\x11\x11\0\0"));
	assert_true(target_of(0x46) == 0x111112345678ull);
	put(0x40, B("\xff\x15\x00\x00\x00\x70"));	/* no slot */
	assert_true(target_of(0x46) == 0);
	/* .plt, .plt.sec with bnd and without */
	put(0x80, B("\xff\x25\x7a\x00\x00\x00"));
	put(0x90, B("\xf3\x0f\x1e\xfa\xf2\xff\x25\x65\x00\x00\x00"));
	put(0xa0, B("\xf3\x0f\x1e\xfa\xff\x25\x56\x00\x00\x00"));
	put(0x40, B("\xe8\x3b\x00\x00\x00"));
	assert_true(target_of(0x45) == 0x111112345678ull);
	put(0x40, B("\xe8\x4b\x00\x00\x00"));
	assert_true(target_of(0x45) == 0x111112345678ull);
	put(0x40, B("\xe8\x5b\x00\x00\x00"));
	assert_true(target_of(0x45) == 0x111112345678ull);
	/* no PLT code, and code that does not exist */
	put(0x40, B("\xe8\xeb\x00\x00\x00"));
	assert_true(target_of(0x45) == CODE + 0x130);
	put(0x40, B("\xe8\x00\x00\x00\x70"));
	assert_true(target_of(0x45) == CODE + 0x45 + 0x70000000);
	/* PLT code whose slot does not exist: the target is the code itself */
	put(0xb0, B("\xff\x25\x00\x00\x00\x70"));
	put(0x40, B("\xe8\x6b\x00\x00\x00"));
	assert_true(target_of(0x45) == CODE + 0xb0);
	/* endbr64 that ends at the end of memory */
	put(CODE_LEN - 8, B("\xf3\x0f\x1e\xfa\xff\x25\x00\x00"));
	put(0x40, B("\xe8\xb3\x03\x00\x00"));
	assert_true(target_of(0x45) == CODE + CODE_LEN - 8);
}

/* All bytes of PLT code except the slot's address decide whether a call goes through it. */
static void every_bit_of_plt_calls(void **state)
{
	static const struct {
		const char *p;
		u32 len;
		u32 slot;	/* the bytes of its address */
	} plts[] = {
		{ B("\xff\x25\x7a\x00\x00\x00"), 2 },
		{ B("\xf2\xff\x25\x79\x00\x00\x00"), 3 },
		{ B("\xf3\x0f\x1e\xfa\xff\x25\x76\x00\x00\x00"), 6 },
		{ B("\xf3\x0f\x1e\xfa\xf2\xff\x25\x75\x00\x00\x00"), 7 },
	};
	unsigned int i;
	u32 bit;

	put(0x40, B("\xe8\x3b\x00\x00\x00"));
	put(0x100, B("\x78\x56\x34\x12\x11\x11\0\0"));
	for (i = 0; i < ARRAY_SIZE(plts); i++) {
		for (bit = 0; bit < 8 * plts[i].len; bit++) {
			put(0x80, plts[i].p, plts[i].len);
			assert_true(target_of(0x45) == 0x111112345678ull);
			code[0x80 + bit / 8] ^= 1u << bit % 8;
			if (bit / 8 < plts[i].slot)
				assert_true(target_of(0x45) == CODE + 0x80);
			else
				assert_true(target_of(0x45) != 0x111112345678ull);
		}
	}
}

/* struct rt_sigframe, from the headers of the machine that builds this */
static void numbers(void **state)
{
	assert_ptr_equal(ustack_arch_by_machine(62), X86);
	assert_ptr_equal(ustack_arch_by_id(1), X86);
	assert_null(ustack_arch_by_machine(3));
	assert_null(ustack_arch_by_id(0));
	assert_null(ustack_arch_by_id(3));
	assert_int_equal(X86->sigcontext_off[X86->sp_reg], 160);
	assert_int_equal(X86->sigcontext_off[X86->fp_reg], 120);
	assert_int_equal(X86->sigcontext_pc, 168);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lazy_plt),
		TEST(lazy_plt_bnd),
		TEST(lazy_plt_ibt),
		TEST(plt_got),
		TEST(every_bit_of_plt_code),
		TEST(the_plt_of_a_real_file),
		TEST(code_that_is_no_plt),
		TEST(code_at_the_edge_of_memory),
		TEST(bottoms),
		TEST(every_bit_of_bottoms),
		TEST(sigreturn_trampolines),
		TEST(every_bit_of_trampolines),
		TEST(after_a_call),
		TEST(targets_of_calls),
		TEST(every_bit_of_plt_calls),
		TEST(numbers),
	};

	return cmocka_run_group_tests_name("arch_x86_64", tests, NULL, NULL);
}
