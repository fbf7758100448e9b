// SPDX-License-Identifier: GPL-2.0-only
/*
 * arch_x86_64.c: the proofs by a function's bytes: that it has made a record, that it has not
 * removed it, that the pc is still in it, and that its return address is where the call has put
 * it.
 */
#include "support.h"
#include "bounds.h"

#define CODE 0x555500000000ull
#define CODE_LEN 0x3000u
#define STACK 0x7ffc00000000ull
#define ENTRY 0x100u
#define CALLER (CODE + 0x2000)

/* A byte that is part of no instruction that matters here. */
#define NEUTRAL 0x01

static struct fake f;
static u8 *code;

static int setup(void **state)
{
	fake_init(&f);
	code = fake_map(&f, CODE, CODE_LEN);
	memset(code, NEUTRAL, CODE_LEN);
	fake_map(&f, STACK, 0x100);
	return 0;
}

static int teardown(void **state)
{
	fake_release(&f);
	return 0;
}

static void put(u32 off, const char *bytes, u32 len)
{
	memcpy(code + off, bytes, len);
}

static bool owns(u32 entry, u32 pc, bool exact)
{
	struct ustack_state s = { .pc = CODE + pc, .exact = exact };

	f.mem.scanned = 0;
	return X86->owns_record(&f.mem, CODE + entry, &s);
}

/* push %rbp; mov %rsp,%rbp, in all forms: each bit counts, and the pc is after it. */
static void every_bit_of_a_record(void **state)
{
	static const struct {
		const char *p;
		u32 len;
	} forms[] = {
		{ B("\x55\x48\x89\xe5") },
		{ B("\x55\x48\x8b\xec") },
		{ B("\xf3\x0f\x1e\xfa\x55\x48\x89\xe5") },
		{ B("\xf3\x0f\x1e\xfa\x55\x48\x8b\xec") },
	};
	unsigned int i;
	u32 bit;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		memset(code, NEUTRAL, CODE_LEN);
		put(ENTRY, forms[i].p, forms[i].len);
		assert_true(owns(ENTRY, ENTRY + 15, false));
		assert_true(owns(ENTRY, ENTRY + forms[i].len, true));
		assert_false(owns(ENTRY, ENTRY + forms[i].len - 1, true));
		for (bit = 0; bit < 8 * forms[i].len; bit++) {
			code[ENTRY + bit / 8] ^= 1u << bit % 8;
			if (owns(ENTRY, ENTRY + 15, false))
				fail_msg("form %u: bit %u of byte %u", i, bit % 8, bit / 8);
			code[ENTRY + bit / 8] ^= 1u << bit % 8;
		}
	}
}

/* Compilers move instructions between the two. */
static void a_record_is_made_in_some_bytes(void **state)
{
	u32 apart, made;

	for (apart = 0; apart < USTACK_MAX_RECORD_BYTES + 8; apart++) {
		memset(code, NEUTRAL, CODE_LEN);
		code[ENTRY] = 0x55;
		put(ENTRY + 1 + apart, B("\x48\x89\xe5"));
		made = ENTRY + 1 + apart + 3;
		assert_int_equal(owns(ENTRY, made, true), apart < USTACK_MAX_RECORD_BYTES);
		assert_int_equal(owns(ENTRY, made + 8, false), apart < USTACK_MAX_RECORD_BYTES);
		assert_false(owns(ENTRY, made - 1, true));
	}
	/* there is none, or its bytes cannot be read */
	memset(code, NEUTRAL, CODE_LEN);
	code[ENTRY] = 0x55;
	assert_false(owns(ENTRY, ENTRY + 15, false));
	code[CODE_LEN - 16] = 0x55;
	assert_false(owns(CODE_LEN - 16, CODE_LEN - 4, false));
	code[CODE_LEN - 32] = 0x55;
	assert_false(owns(CODE_LEN - 32, CODE_LEN - 20, false));
	assert_false(owns(CODE_LEN, CODE_LEN + 8, false));
}

static void make_record(u32 entry)
{
	put(entry, B("\x55\x48\x89\xe5"));
}

/*
 * Instructions after which execution does not continue; @mask: the bits of @p that count, NULL:
 * all.
 */
struct ending {
	u32 len;
	const char *p;
	const char *mask;
};

static const struct ending endings[] = {
	{ 1, "\xc3" },							/* ret */
	{ 3, "\xc2\x00\x00", "\xff\x00\x00" },				/* ret $n */
	{ 1, "\xf4" },							/* hlt */
	{ 2, "\xeb\x00", "\xff\x00" },					/* jmp */
	{ 5, "\xe9\x00\x00\x00\x00", "\xff\x00\x00\x00\x00" },
	{ 5, "\xe8\x00\x00\x00\x00", "\xff\x00\x00\x00\x00" },		/* call */
	{ 2, "\x0f\x0b" },						/* ud2 */
	/* call, jmp by a register or memory */
	{ 2, "\xff\x10", "\xff\x38" },
	{ 2, "\xff\x20", "\xff\x38" },
	{ 3, "\xff\x10\x00", "\xff\x38\x00" },
	{ 3, "\xff\x20\x00", "\xff\x38\x00" },
	{ 4, "\xff\x10\x00\x00", "\xff\x38\x00\x00" },
	{ 4, "\xff\x20\x00\x00", "\xff\x38\x00\x00" },
	{ 5, "\xff\x10\x00\x00\x00", "\xff\x38\x00\x00\x00" },
	{ 5, "\xff\x20\x00\x00\x00", "\xff\x38\x00\x00\x00" },
	{ 6, "\xff\x10\x00\x00\x00\x00", "\xff\x38\x00\x00\x00\x00" },
	{ 6, "\xff\x20\x00\x00\x00\x00", "\xff\x38\x00\x00\x00\x00" },
	{ 7, "\xff\x10\x00\x00\x00\x00\x00", "\xff\x38\x00\x00\x00\x00\x00" },
	{ 7, "\xff\x20\x00\x00\x00\x00\x00", "\xff\x38\x00\x00\x00\x00\x00" },
};

/* Padding that assemblers write, and prefixes that may precede it. */
static const struct ending paddings[] = {
	{ 1, "\x90" },
	{ 1, "\xcc" },
	{ 3, "\x0f\x1f\x00" },
	{ 4, "\x0f\x1f\x40\x00" },
	{ 5, "\x0f\x1f\x44\x00\x00" },
	{ 7, "\x0f\x1f\x80\x00\x00\x00\x00" },
	{ 8, "\x0f\x1f\x84\x00\x00\x00\x00\x00" },
};
static const struct ending prefixes[] = {
	{ 1, "\x66" },
	{ 1, "\x2e" },
};

/* Length of the entry of @all with which the bytes before @end end; 0: none. */
static u32 ends_with(const struct ending *all, unsigned int nr, const u8 *end)
{
	u8 mask;
	u32 i;

	for (; nr--; all++) {
		for (i = 0; i < all->len; i++) {
			mask = all->mask ? (u8)all->mask[i] : 0xff;
			if ((end[(s64)i - all->len] ^ (u8)all->p[i]) & mask)
				break;
		}
		if (i == all->len)
			return all->len;
	}
	return 0;
}

/* Whether another function may begin at @at, by the documented rules. */
static bool may_begin(u32 at)
{
	const u8 *end = code + at;
	u32 n, padding = 0;

	do {
		n = padding ? ends_with(prefixes, ARRAY_SIZE(prefixes), end - padding) : 0;
		if (!n)
			n = ends_with(paddings, ARRAY_SIZE(paddings), end - padding);
		padding += n;
	} while (n && padding <= 24);
	return padding >= USTACK_FUNCTION_ALIGN ||
	       ends_with(endings, ARRAY_SIZE(endings), end - padding) ||
	       *end == 0x55 || !memcmp(end, "\xf3\x0f\x1e\xfa", 4);
}

static void put_random_bytes(unsigned int *seed, u32 from, u32 end)
{
	static const struct {
		const struct ending *all;
		unsigned int nr;
	} kinds[] = {
		{ endings, ARRAY_SIZE(endings) },
		{ paddings, ARRAY_SIZE(paddings) },
		{ paddings, ARRAY_SIZE(paddings) },
		{ prefixes, ARRAY_SIZE(prefixes) },
	};
	unsigned int more = (unsigned int)rand_r(seed) % 3, kind, one;
	const struct ending *p;
	u32 at = end;

	memset(code + from, NEUTRAL, end - from);
	/* backwards: the bytes directly before the end matter most */
	while (at > from + 8) {
		kind = (unsigned int)rand_r(seed) % (ARRAY_SIZE(kinds) + more);
		if (kind >= ARRAY_SIZE(kinds)) {
			at--;
			continue;
		}
		one = (unsigned int)rand_r(seed) % kinds[kind].nr;
		p = &kinds[kind].all[one];
		at -= p->len;
		put(at, p->p, p->len);
		if (rand_r(seed) % 4 == 0)
			code[at + (u32)rand_r(seed) % p->len] ^= 1u << rand_r(seed) % 8;
	}
}

/* Bytes before two addresses at which functions may begin. */
static void ends_of_random_bytes(void **state)
{
	unsigned int seed = 21, round, proven = 0;
	u32 pc = ENTRY + 0x2f;

	for (round = 0; round < 300000; round++) {
		put_random_bytes(&seed, ENTRY + 4, ENTRY + 0x20);
		code[ENTRY + 0x20] = NEUTRAL;
		make_record(ENTRY);
		if (owns(ENTRY, pc, false) == (may_begin(ENTRY + 0x10) || may_begin(ENTRY + 0x20)))
			fail_msg("round %u", round);
		proven += owns(ENTRY, pc, false);
	}
	assert_in_range(proven, round / 20, round - round / 20);
}

/* The first bytes of functions, at a multiple of 16. */
static void begins_of_functions(void **state)
{
	u32 byte;

	make_record(ENTRY);
	for (byte = 0; byte < 256; byte++) {
		code[ENTRY + 0x20] = (u8)byte;
		assert_int_equal(owns(ENTRY, ENTRY + 0x28, false), byte != 0x55);
		put(ENTRY + 0x20, B("\xf3\x0f\x1e\xfa"));
		code[ENTRY + 0x20 + byte % 4] = (u8)byte;
		assert_int_equal(owns(ENTRY, ENTRY + 0x28, false),
				 memcmp(code + ENTRY + 0x20, "\xf3\x0f\x1e\xfa", 4) != 0);
		put(ENTRY + 0x20, B("\x01\x01\x01\x01"));
	}
}

/* Up to the byte before a return address, or at an exact pc. */
static void where_the_function_may_have_ended(void **state)
{
	u32 at;

	make_record(ENTRY);
	for (at = ENTRY + 0x10; at < ENTRY + 0x80; at += 0x10) {
		code[at - 1] = 0xf4;
		assert_true(owns(ENTRY, at, false));
		assert_true(owns(ENTRY, at - 2, true));
		assert_false(owns(ENTRY, at, true));
		assert_false(owns(ENTRY, at + 1, false));
		assert_false(owns(ENTRY, at + 0x25, true));
		code[at - 1] = NEUTRAL;
	}
}

/* How far the proof reaches, what it costs, and what it must read. */
static void how_far_proofs_reach(void **state)
{
	u32 far = ENTRY + USTACK_MAX_FP_PROOF;
	struct ustack_state s = { .pc = CODE + far, .exact = true };

	make_record(ENTRY);
	assert_true(owns(ENTRY, far, true));
	assert_int_equal(f.mem.scanned, USTACK_MAX_FP_PROOF / 8);
	assert_true(owns(ENTRY, far + 1, false));
	assert_false(owns(ENTRY, far + 1, true));
	assert_int_equal(f.mem.scanned, 0);
	assert_false(owns(ENTRY, ENTRY, true) || owns(ENTRY, ENTRY, false));
	assert_false(owns(ENTRY, 0, true));
	/* the end of the last stretch counts */
	code[far - 1] = 0xf4;
	assert_false(owns(ENTRY, far, true));
	code[far - 1] = NEUTRAL;
	/* the budget of a walk */
	f.mem.scanned = USTACK_MAX_SCAN - 1;
	assert_true(X86->owns_record(&f.mem, CODE + ENTRY, &s));
	f.mem.scanned = USTACK_MAX_SCAN;
	assert_false(X86->owns_record(&f.mem, CODE + ENTRY, &s));
	/* not aligned: compiled for size, so that ends cannot be recognised */
	for (far = 1; far < 16; far++) {
		memset(code, NEUTRAL, CODE_LEN);
		make_record(ENTRY + far);
		assert_false(owns(ENTRY + far, ENTRY + far + 8, false));
	}
	/* the bytes before the function, or after the pc, cannot be read */
	make_record(0);
	assert_false(owns(0, 8, false));
	for (far = 0x10; far < 0x60; far += 0x10) {
		memset(code, NEUTRAL, CODE_LEN);
		make_record(CODE_LEN - far);
		assert_int_equal(owns(CODE_LEN - far, CODE_LEN - far + 8, false), far >= 0x20);
		if (far > 0x18)
			assert_int_equal(owns(CODE_LEN - far, CODE_LEN - far + 0x18, false),
					 far >= 0x30);
	}
}

/* After pop %rbp or leave, and at ret, FP is the caller's: checked only for exact frames. */
static void every_byte_of_epilogues(void **state)
{
	u32 byte, next, pc = ENTRY + 10;
	bool ret;

	make_record(ENTRY);
	for (byte = 0; byte < 256; byte++) {
		code[pc - 1] = (u8)byte;
		assert_int_equal(owns(ENTRY, pc, true), byte != 0x5d && byte != 0xc9);
		assert_true(owns(ENTRY, pc, false));
		code[pc - 1] = NEUTRAL;
		for (next = 0; next < 256; next++) {
			code[pc] = (u8)byte;
			code[pc + 1] = (u8)next;
			ret = byte == 0xc3 || byte == 0xc2 ||
			      ((byte == 0xf3 || byte == 0xf2) && (next == 0xc3 || next == 0xc2));
			assert_int_equal(owns(ENTRY, pc, true), !ret);
			assert_true(owns(ENTRY, pc, false));
		}
		code[pc] = code[pc + 1] = NEUTRAL;
	}
}

/*
 * A frame at @pc, sampled or calling, where the stack's word @word is the return address @ra.
 */
static bool leaf_of(bool sampled, u32 pc, u32 word, u64 ra, struct ustack_state *ret)
{
	struct ustack_state s = {
		.pc = CODE + pc,
		.sp = STACK + 0x20,
		.fp = STACK + 0x80,
		.fp_at = STACK + 0x88,
		.regs_in = sampled ? USTACK_REGS_SAMPLE : USTACK_REGS_UNKNOWN,
		.exact = sampled,
	};

	u64 at;

	for (at = STACK; at < STACK + 0x100; at += 8)
		fake_poke(&f, at, 0);
	fake_poke(&f, STACK + 0x20 + 8 * word, ra);
	return X86->leaf(&f.mem, &s, ret);
}

static bool leaf_at(u32 pc, u32 word, u64 ra, struct ustack_state *ret)
{
	return leaf_of(true, pc, word, ra, ret);
}

static void put_call(u64 ra, u32 to)
{
	u32 rel = (u32)(CODE + to - ra);
	u8 call[5] = { 0xe8 };

	memcpy(call + 1, &rel, sizeof(rel));
	fake_code(&f, ra - sizeof(call), call, sizeof(call));
}

/* A stack of which only the word at SP is known: ret proves that it is the return address. */
static void every_byte_of_rets(void **state)
{
	struct ustack_state to;
	u32 byte, next;
	bool ret;

	fake_code(&f, CALLER - 2, B("\xff\xd0"));	/* call *%rax */
	for (byte = 0; byte < 256; byte++)
		for (next = 0; next < 256; next++) {
			code[ENTRY] = (u8)byte;
			code[ENTRY + 1] = (u8)next;
			ret = byte == 0xc3 || byte == 0xc2 ||
			      ((byte == 0xf3 || byte == 0xf2) && (next == 0xc3 || next == 0xc2));
			assert_int_equal(leaf_at(ENTRY, 0, CALLER, &to), ret);
			assert_false(leaf_at(ENTRY, 1, CALLER, &to));
		}
}

/* Where the call went, after its endbr64, and after its push. */
static void the_first_instructions(void **state)
{
	static const struct {
		const char *p;
		u32 len;
		u32 pushed;	/* the address at which the push has run; 0: there is none */
	} begins[] = {
		{ B("\x01\x01\x01\x01\x01"), 0 },
		{ B("\x55\x01\x01\x01\x01"), 1 },
		{ B("\xf3\x0f\x1e\xfa\x01"), 0 },
		{ B("\xf3\x0f\x1e\xfa\x55"), 5 },
	};
	struct ustack_state to;
	unsigned int i;
	u32 pc;

	put_call(CALLER, ENTRY);
	for (i = 0; i < ARRAY_SIZE(begins); i++) {
		put(ENTRY, begins[i].p, begins[i].len);
		for (pc = ENTRY - 8; pc < ENTRY + 16; pc++) {
			assert_int_equal(leaf_at(pc, 0, CALLER, &to),
					 pc == ENTRY || (pc == ENTRY + 4 && i >= 2));
			assert_int_equal(leaf_at(pc, 1, CALLER, &to),
					 begins[i].pushed && pc == ENTRY + begins[i].pushed);
		}
	}
	/* the caller's frame */
	assert_true(leaf_at(ENTRY, 0, CALLER, &to));
	assert_true(to.pc == CALLER && to.sp == STACK + 0x28);
	assert_true(to.fp == STACK + 0x80 && to.fp_at == STACK + 0x88);
	assert_false(to.exact || to.sp_bound || to.regs_in);
	assert_true(leaf_at(ENTRY + 5, 1, CALLER, &to));
	assert_true(to.pc == CALLER && to.sp == STACK + 0x30);
	/* no call goes to address 0 */
	put(ENTRY, B("\x55\x01\x01\x01\x01"));
	fake_code(&f, CALLER - 2, B("\xff\xd0"));
	assert_false(leaf_at(ENTRY + 1, 1, CALLER, &to));
}

#define BEHIND (ENTRY + 8)	/* a call by a register: what CPython's trampolines have */
#define FREES_8 B("\x48\x83\xc4\x08\xc3")	/* add $8,%rsp; ret */
#define FREES_64 B("\x48\x81\xc4\x40\0\0\0\xc3")

static void put_trampoline(const char *frees, u32 len)
{
	memset(code + ENTRY, NEUTRAL, 64);
	put(BEHIND - 2, B("\xff\xd1"));	/* call *%rcx */
	put(BEHIND, frees, len);
	fake_code(&f, CALLER - 2, B("\xff\xd0"));
}

/* The return address is above the freed words, in a caller's frame, too, and nowhere else. */
static void code_that_frees_and_returns(void **state)
{
	struct ustack_state to;
	u32 word;

	put_trampoline(FREES_8);
	for (word = 0; word < 8; word++)
		assert_int_equal(leaf_of(false, BEHIND, word, CALLER, &to), word == 1);
	assert_true(leaf_of(false, BEHIND, 1, CALLER, &to));
	assert_true(to.pc == CALLER && to.sp == STACK + 0x30);
	assert_true(to.fp == STACK + 0x80 && to.fp_at == STACK + 0x88);
	assert_false(to.exact || to.sp_bound || to.regs_in);
	assert_true(leaf_of(true, BEHIND, 1, CALLER, &to));
	assert_false(leaf_of(false, BEHIND, 1, CALLER + 1, &to));
	put_trampoline(FREES_64);
	for (word = 0; word < 16; word++)
		assert_int_equal(leaf_of(false, BEHIND, word, CALLER, &to), word == 8);
	assert_true(leaf_of(false, BEHIND, 8, CALLER, &to));
	assert_true(to.sp == STACK + 0x20 + 64 + 8);
	/* if the call goes to the pc, nothing has been pushed, whatever the code looks like */
	put_trampoline(FREES_8);
	put_call(CALLER, BEHIND - 1);
	code[BEHIND - 1] = 0x55;
	assert_false(leaf_of(true, BEHIND, 2, CALLER, &to));
	/* a function may begin with code that would free half a word: nothing is freed yet */
	put_trampoline(B("\x48\x83\xc4\x0c\xc3"));
	put_call(CALLER, BEHIND);
	assert_true(leaf_of(true, BEHIND, 0, CALLER, &to));
	assert_true(to.sp == STACK + 0x28);
}

/* In a step over a whole function only these bytes are a proof. */
static void every_byte_that_frees(void **state)
{
	static const struct {
		const char *p;
		u32 len, number, bytes;
	} forms[] = { { FREES_8, 3, 1 }, { FREES_64, 3, 4 } };
	struct ustack_state to;
	u32 i, at, byte;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		for (at = 0; at < forms[i].len; at++) {
			if (at >= forms[i].number && at < forms[i].number + forms[i].bytes)
				continue;
			for (byte = 0; byte < 256; byte++) {
				put_trampoline(forms[i].p, forms[i].len);
				code[BEHIND + at] = (u8)byte;
				assert_int_equal(leaf_of(false, BEHIND, i ? 8 : 1, CALLER, &to),
						 byte == (u8)forms[i].p[at]);
			}
		}
	/* the freed size is a number of whole words above 0; other sizes are other code */
	for (byte = 0; byte < 256; byte++) {
		put_trampoline(FREES_8);
		code[BEHIND + 3] = (u8)byte;
		assert_int_equal(leaf_of(false, BEHIND, byte / 8 % 28, CALLER, &to),
				 byte && !(byte & 7) && byte < 0x80);
		put_trampoline(FREES_64);
		code[BEHIND + 3] = (u8)byte;
		assert_int_equal(leaf_of(false, BEHIND, byte / 8 % 28, CALLER, &to),
				 byte && !(byte & 7) && byte / 8 < 28);
	}
	/* and at most the size that a frame may have */
	fake_map(&f, STACK + 0x2000, 0x100);
	fake_poke(&f, STACK + 0x2020, CALLER);
	fake_poke(&f, STACK + 0x2028, CALLER);
	put_trampoline(B("\x48\x81\xc4\0\x20\0\0\xc3"));
	assert_true(leaf_of(false, BEHIND, 0, CALLER, &to));
	code[BEHIND + 3] = 8;
	assert_false(leaf_of(false, BEHIND, 0, CALLER, &to));
	for (at = 4; at < 7; at++) {
		put_trampoline(FREES_64);
		code[BEHIND + at] = 0x80;
		assert_false(leaf_of(false, BEHIND, 8, CALLER, &to));
	}
}

/* Code after another call may be reached otherwise than from the called function. */
static void only_behind_a_call_by_a_register(void **state)
{
	struct ustack_state to;
	u32 a, b;

	put_trampoline(FREES_8);
	for (a = 0; a < 256; a++)
		for (b = 0; b < 256; b++) {
			code[BEHIND - 2] = (u8)a;
			code[BEHIND - 1] = (u8)b;
			assert_int_equal(leaf_of(false, BEHIND, 1, CALLER, &to),
					 a == 0xff && (b & 0xf8) == 0xd0);
			assert_true(leaf_of(true, BEHIND, 1, CALLER, &to));
		}
	/* a caller's frame at a function's first byte, or at a ret: its call does not return */
	put_trampoline(B("\xc3"));
	assert_true(leaf_of(true, BEHIND, 0, CALLER, &to));
	assert_false(leaf_of(false, BEHIND, 0, CALLER, &to));
	put_call(CALLER, BEHIND);
	code[BEHIND] = NEUTRAL;
	assert_true(leaf_of(true, BEHIND, 0, CALLER, &to));
	assert_false(leaf_of(false, BEHIND, 0, CALLER, &to));
}

static bool no_code(struct ustack_mem *mem, u64 addr)
{
	return addr - CODE < ENTRY + 0x10;
}

static void what_is_no_return_address(void **state)
{
	struct ustack_state to, s = { .pc = CODE + ENTRY, .sp = STACK, .exact = true };
	u32 off;

	put_call(CALLER, ENTRY);
	assert_true(leaf_at(ENTRY, 0, CALLER, &to));
	assert_false(leaf_at(ENTRY, 0, CALLER + 1, &to));
	assert_false(leaf_at(ENTRY, 0, 5, &to));
	assert_false(leaf_at(ENTRY, 0, 0, &to));
	f.mem.is_code = no_code;
	assert_false(leaf_at(ENTRY, 0, CALLER, &to));
	f.mem.is_code = NULL;
	/* SP that is not aligned, and SP in memory that does not exist */
	for (off = 0; off < 16; off++) {
		s.sp = STACK + 0x40 + off;
		fake_poke(&f, s.sp, CALLER);
		assert_int_equal(X86->leaf(&f.mem, &s, &to), !(off & 7));
	}
	s.sp = STACK + 0x100;
	assert_false(X86->leaf(&f.mem, &s, &to));
	s.sp = STACK - 8;
	assert_false(X86->leaf(&f.mem, &s, &to));
	/* code that cannot be read */
	put_call(CALLER, CODE_LEN);
	assert_false(leaf_at(CODE_LEN, 0, CALLER, &to));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_bit_of_a_record),
		TEST(a_record_is_made_in_some_bytes),
		TEST(ends_of_random_bytes),
		TEST(begins_of_functions),
		TEST(where_the_function_may_have_ended),
		TEST(how_far_proofs_reach),
		TEST(every_byte_of_epilogues),
		TEST(every_byte_of_rets),
		TEST(the_first_instructions),
		TEST(code_that_frees_and_returns),
		TEST(every_byte_that_frees),
		TEST(only_behind_a_call_by_a_register),
		TEST(what_is_no_return_address),
	};

	return cmocka_run_group_tests_name("own_record_x86", tests, NULL, NULL);
}
