// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frame-pointer records that are proven by the code to belong to the function, whatever old
 * words are on the stack; cases that must not count as such a proof; and records that are only
 * followed.
 */
#include "frame.h"
#include "bounds.h"

#define ENTRY (CODE + 0x100)
#define CALLER (CODE + 0x400)	/* after a call of ENTRY */
#define LITTER (CODE + 0x500)	/* after a call of CODE + 0xf00 */
#define NEARER (CODE + 0x600)	/* after a call of ENTRY + 0x20 */
#define NEAREST (CODE + 0x680)	/* after a call of PC */
#define AGAIN (CODE + 0x6c0)	/* after another call of ENTRY */
#define INDIRECT (CODE + 0x700)	/* after a call by a register */
#define PC (ENTRY + 0x48)
#define FP (SP0 + 0x80)

static void put_call(const struct ustack_arch *arch, u64 ra, u64 target)
{
	u8 call[5] = { 0xe8 };
	u32 rel = (u32)(target - ra), bl;

	if (arch == X86) {
		memcpy(call + 1, &rel, sizeof(rel));
		fake_code(&f, ra - sizeof(call), call, sizeof(call));
		return;
	}
	bl = 0x94000000 | ((u32)(target - (ra - 4)) >> 2 & 0x3ffffff);
	fake_code(&f, ra - 4, &bl, sizeof(bl));
}

/* add %rcx,%rax; add x0, x0, #1 */
static void fill(const struct ustack_arch *arch, u64 from, u64 to)
{
	static const u8 add_x86[] = { 0x48, 0x01, 0xc8 };
	static const u32 add_a64 = 0x91000400;
	unsigned int len = arch == X86 ? sizeof(add_x86) : sizeof(add_a64);
	u64 at;

	for (at = from; at + len <= to; at += len)
		fake_code(&f, at, arch == X86 ? (const void *)add_x86 : &add_a64, len);
}

static const u8 record_x86[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5 };
/* paciasp; stp x29, x30, [sp, #-32]!; mov x29, sp */
static const u32 record_a64[] = { 0xd503233f, 0xa9be7bfd, 0x910003fd };

/*
 * A function at ENTRY that keeps a record, called from CALLER, and an old return address below
 * its record.
 */
static void make_process(const struct ustack_arch *arch)
{
	static const u8 call_reg[] = { 0xff, 0xd0 };
	static const u32 blr = 0xd63f0000;

	fill(arch, ENTRY - 0x20, ENTRY + 0x200);
	if (arch == X86)
		fake_code(&f, ENTRY, record_x86, sizeof(record_x86));
	else
		fake_code(&f, ENTRY, record_a64, sizeof(record_a64));
	put_call(arch, CALLER, ENTRY);
	put_call(arch, LITTER, CODE + 0xf00);
	put_call(arch, NEARER, ENTRY + 0x20);
	put_call(arch, NEAREST, PC);
	put_call(arch, AGAIN, ENTRY);
	if (arch == X86)
		fake_code(&f, INDIRECT - 2, call_reg, sizeof(call_reg));
	else
		fake_code(&f, INDIRECT - 4, &blr, sizeof(blr));
	fake_poke(&f, SP0 + 0x10, LITTER);
	fake_poke(&f, SP0 + 0x18, 0);
	fake_poke(&f, FP, FP + 0x100);
	fake_poke(&f, FP + 8, CALLER);
}

static struct ustack_state frame(void)
{
	struct ustack_state s = caller();

	s.pc = PC;
	s.fp = FP;
	return s;
}

static void assert_stepped(const struct ustack_state *s)
{
	assert_true(s->pc == CALLER && s->sp == FP + 16);
	assert_true(fp_of(s) == FP + 0x100);
	assert_false(s->exact);
	assert_int_equal(f.mem.guessed, 0);
}

#define BOTH(arch, i) (arch = (i) ? A64 : X86)

static void litter_does_not_matter(void **state)
{
	const struct ustack_arch *arch;
	struct ustack_state s;
	int i;

	for (i = 0; i < 2; i++) {
		make_process(BOTH(arch, i));
		s = frame();
		assert_reason(ustack_step_blind(arch, &s, &f.mem), USTACK_OK);
		assert_stepped(&s);
		/* also words that a function has left there that calls this one */
		fake_poke(&f, SP0 + 0x18, AGAIN);
		s = frame();
		assert_reason(ustack_step_blind(arch, &s, &f.mem), USTACK_OK);
		assert_stepped(&s);
		fake_poke(&f, SP0 + 0x18, 0);
		/* a sampled frame, inside its body */
		s = frame();
		s.exact = true;
		s.regs_in = USTACK_REGS_SAMPLE;
		s.lr = LITTER;
		assert_reason(ustack_step_blind(arch, &s, &f.mem), USTACK_OK);
		assert_stepped(&s);
	}
}

/* The same with another encoding of mov, without endbr64; a frame larger than its function. */
static void forms_of_records(void **state)
{
	static const u8 other_mov[] = { 0x55, 0x48, 0x8b, 0xec };
	/* sub sp, sp, #64; stp x29, x30, [sp, #48]; add x29, sp, #48 */
	static const u32 sub[] = { 0xd10103ff, 0xa9037bfd, 0x9100c3fd };
	/* push %rbp; mov $0x22,%r10d; xor %r9d,%r9d; mov $9,%eax; mov $-1,%r8;
	 * mov $0x1000,%esi; mov $7,%edx; mov %rsp,%rbp
	 */
	static const u8 apart[] = {
		0x55, 0x41, 0xba, 0x22, 0, 0, 0, 0x45, 0x31, 0xc9, 0xb8, 9, 0, 0, 0,
		0x49, 0xc7, 0xc0, 0xff, 0xff, 0xff, 0xff, 0xbe, 0, 0x10, 0, 0,
		0xba, 7, 0, 0, 0, 0x48, 0x89, 0xe5,
	};
	struct ustack_state s = frame();

	make_process(X86);
	fake_code(&f, ENTRY, other_mov, sizeof(other_mov));
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_stepped(&s);
	fake_code(&f, ENTRY, apart, sizeof(apart));
	s = frame();
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_stepped(&s);
	/* before it is made */
	s = frame();
	s.pc = ENTRY + sizeof(apart) - 3;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
	make_process(A64);
	fake_code(&f, ENTRY, sub, sizeof(sub));
	s = frame();
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	assert_stepped(&s);
}

#define NO_PROOF(arch, change) do {					\
	struct ustack_state s, before;					\
									\
	make_process(arch);						\
	s = frame();							\
	change;								\
	before = s;							\
	assert_reason(ustack_step_blind(arch, &s, &f.mem), USTACK_NO_ROW); \
	assert_memory_equal(&s, &before, sizeof(s));			\
	assert_int_equal(f.mem.guessed, 0);				\
} while (0)

static void code(u64 at, const void *bytes, size_t len)
{
	fake_code(&f, at, bytes, len);
}

#define CODE_X86(at, bytes) code(at, bytes, sizeof(bytes) - 1)

/* Another function may begin between the entry and the pc. */
static void ends_of_functions(void **state)
{
	static const u32 ret = 0xd65f03c0, b = 0x14000000, bl = 0x94000000, nop = 0xd503201f,
			 paciasp = 0xd503233f, stp = 0xa9bf7bfd;

	/* ret; ret and each padding; jmp; call; ud2; jmp *%rax; jmp *x(%rip) */
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1f, "\xc3"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1c, "\xc3\x0f\x1f\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1b, "\xc3\x0f\x1f\x40\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1a, "\xc3\x0f\x1f\x44\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x19, "\xc3\x66\x0f\x1f\x44\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x18, "\xc3\x0f\x1f\x80\x00\x00\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x17, "\xc3\x0f\x1f\x84\x00\x00\x00\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x15, "\xc3\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x14, "\xc3\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1d, "\xc3\x66\x90"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1d, "\xc3\xcc\xcc"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1b, "\xe9\x00\x00\x00\x01"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1b, "\xe8\x00\x00\x00\x01"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1e, "\xeb\x10"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1e, "\x0f\x0b"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1e, "\xff\xe0"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1a, "\xff\x25\x01\x01\x01\x01"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x1d, "\xc2\x08\x01"));
	/* sixteen bytes of padding; a record, or endbr64, of another function */
	NO_PROOF(X86, CODE_X86(ENTRY + 0x10, "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00"
			       "\x0f\x1f\x80\x00\x00\x00\x00"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x20, "\x55\x48\x89\xe5"));
	NO_PROOF(X86, CODE_X86(ENTRY + 0x20, "\xf3\x0f\x1e\xfa"));

	NO_PROOF(A64, code(ENTRY + 0x1c, &ret, 4));
	NO_PROOF(A64, code(ENTRY + 0x18, &b, 4); code(ENTRY + 0x1c, &nop, 4));
	NO_PROOF(A64, code(ENTRY + 0x1c, &bl, 4));
	NO_PROOF(A64, code(ENTRY + 0x20, &paciasp, 4));
	NO_PROOF(A64, code(ENTRY + 0x20, &stp, 4));
}

/*
 * The padding of a loop in the function is not an end: no instruction before it ends the
 * function.
 */
static void a_loop_that_is_aligned(void **state)
{
	struct ustack_state s = frame();

	make_process(X86);
	CODE_X86(ENTRY + 0x1b, "\x0f\x1f\x44\x00\x00");
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_stepped(&s);
}

static void what_is_no_proof(void **state)
{
	static const u32 cbz = 0xb4000040, ldp = 0xa8c27bfd;

	/* no record at the entry; the pc before it, far after it, in its middle */
	NO_PROOF(X86, fill(X86, ENTRY, ENTRY + 8));
	NO_PROOF(X86, fill(X86, ENTRY + 5, ENTRY + 40));
	NO_PROOF(X86, s.pc = ENTRY + 5);
	NO_PROOF(X86, s.pc = ENTRY - 1);
	NO_PROOF(X86, fake_map(&f, CODE + 0x1000, 0x1000);
		 s.pc = ENTRY + USTACK_MAX_FP_PROOF + 2);
	/* a function that is not aligned: then others need not be either */
	NO_PROOF(X86, fake_poke(&f, FP + 8, CODE + 0x800);
		 put_call(X86, CODE + 0x800, ENTRY + 8);
		 code(ENTRY + 8, record_x86, sizeof(record_x86)));
	/* a call from here to a nearer function: the pc may be in that one */
	NO_PROOF(X86, fake_poke(&f, SP0 + 0x18, NEARER));
	NO_PROOF(A64, fake_poke(&f, SP0 + 0x18, NEARER));
	NO_PROOF(X86, fake_poke(&f, SP0 + 0x18, NEAREST));
	NO_PROOF(A64, fake_poke(&f, SP0 + 0x18, NEAREST));
	/* the called function is unknown */
	NO_PROOF(X86, fake_poke(&f, FP + 8, INDIRECT));
	NO_PROOF(A64, fake_poke(&f, FP + 8, INDIRECT));
	/* the record may be skipped on another path */
	NO_PROOF(A64, code(ENTRY, &cbz, 4));
	/* the budget of the walk is used up */
	NO_PROOF(X86, f.mem.scanned = USTACK_MAX_SCAN);
	f.mem.scanned = 0;
	/* the record is already removed: FP is the caller's */
	NO_PROOF(X86, s.exact = true; CODE_X86(PC - 1, "\x5d\xe9"));
	NO_PROOF(X86, s.exact = true; CODE_X86(PC - 1, "\xc9\xe9"));
	NO_PROOF(A64, s.exact = true; s.regs_in = USTACK_REGS_UNKNOWN; code(PC - 4, &ldp, 4));
}

/* All words of a frame are checked for such a call. */
static void the_largest_frame(void **state)
{
	struct ustack_state s = frame();
	u64 fp = STACK + USTACK_MAX_FP_FRAME;

	make_process(X86);
	fake_poke(&f, fp, FP + 0x100);
	fake_poke(&f, fp + 8, CALLER);
	s.sp = STACK;
	s.fp = fp;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CALLER && s.sp == fp + 16);
	f.mem.scanned = 0;
	fake_poke(&f, fp - 8, NEARER);
	s = frame();
	s.sp = STACK;
	s.fp = fp;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
}

/*
 * At the ret of a function that has called itself, FP is a record whose call goes there too:
 * the caller must not be left out.
 */
static void the_end_of_a_recursive_function(void **state)
{
	static const char *const rets[] = { "\xc3", "\xf3\xc3", "\xf2\xc3", "\xc2\x08\x01" };
	struct ustack_state s;
	size_t i;

	make_process(X86);
	put_call(X86, ENTRY + 0x60, ENTRY);
	fake_poke(&f, SP0, ENTRY + 0x60);
	for (i = 0; i < ARRAY_SIZE(rets); i++) {
		fill(X86, ENTRY + 0x40, ENTRY + 0x50);
		code(PC, rets[i], strlen(rets[i]));
		s = frame();
		s.exact = true;
		s.regs_in = USTACK_REGS_SAMPLE;
		assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
		assert_true(s.pc == ENTRY + 0x60 && s.sp == SP0 + 8 && fp_of(&s) == FP);
		assert_int_equal(f.mem.guessed, 0);
		assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
		assert_stepped(&s);
	}
	/* a jump by ret, as in retpolines: no call precedes its target */
	fake_poke(&f, SP0, ENTRY + 0x61);
	s = frame();
	s.exact = true;
	s.regs_in = USTACK_REGS_SAMPLE;
	fake_poke(&f, FP + 8, INDIRECT);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
}

/* Before the record is made: the call has put the return address at SP. */
static void the_begin_of_a_function(void **state)
{
	static const struct {
		u8 pc;
		u8 sp;
	} at[] = { { 0, 0 }, { 4, 0 }, { 5, 8 } };
	struct ustack_state s;
	size_t i;

	make_process(X86);
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		s = frame();
		s.exact = true;
		s.regs_in = USTACK_REGS_SAMPLE;
		s.pc = ENTRY + at[i].pc;
		s.sp = SP0 + 0x20 - at[i].sp;
		fake_poke(&f, SP0 + 0x18, FP);
		fake_poke(&f, SP0 + 0x20, CALLER);
		assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
		assert_true(s.pc == CALLER && s.sp == SP0 + 0x28 && fp_of(&s) == FP);
		assert_int_equal(f.mem.guessed, 0);
	}
	/* a call that went elsewhere */
	s = frame();
	s.exact = true;
	s.regs_in = USTACK_REGS_SAMPLE;
	s.pc = ENTRY;
	s.sp = SP0 + 0x10;
	fake_poke(&f, FP + 8, INDIRECT);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
}

static bool in_the_page(struct ustack_mem *mem, u64 addr)
{
	return addr - CODE < 0x1000;
}

#define FOLLOW(arch, change, want) do {					\
	struct ustack_state s, before;					\
									\
	make_process(arch);						\
	f.mem.may_follow = true;					\
	f.mem.guessed = 0;						\
	f.mem.followed = 0;						\
	s = frame();							\
	change;								\
	before = s;							\
	assert_reason(ustack_step_follow(arch, &s, &f.mem), want);	\
	assert_int_equal(f.mem.guessed,					\
			 (want) == USTACK_OK || (want) == USTACK_COMPLETE);	\
	assert_true(f.mem.followed == ((want) == USTACK_OK ? s.pc : 0));	\
	if ((want) == USTACK_OK)						\
		assert_true(s.sp == before.fp + 16 && s.sp_bound == (arch == A64)); \
	else								\
		assert_memory_equal(&s, &before, sizeof(s));		\
} while (0)

static void records_that_are_followed(void **state)
{
	const struct ustack_arch *arch;
	int i;

	fake_map(&f, 0x600000000000ull, 0x1000);	/* made at run time */
	f.mem.is_code = in_the_page;
	for (i = 0; i < 2; i++) {
		BOTH(arch, i);
		FOLLOW(arch, , USTACK_OK);
		FOLLOW(arch, fake_poke(&f, FP + 8, INDIRECT), USTACK_OK);
		FOLLOW(arch, fake_poke(&f, FP + 8, LITTER), USTACK_OK);
		FOLLOW(arch, s.sp = FP, USTACK_OK);
		/* in an interpreter, not after a call */
		FOLLOW(arch, s.pc = 0x600000000200ull;
		       fake_poke(&f, FP + 8, 0x600000000100ull), USTACK_OK);
		/* not from or in the code of a file, and where there is no memory */
		FOLLOW(arch, fake_poke(&f, FP + 8, 0x600000000100ull), USTACK_NO_ROW);
		FOLLOW(arch, s.pc = 0x600000000200ull;
		       fake_poke(&f, FP + 8, CALLER + 8), USTACK_NO_ROW);
		FOLLOW(arch, s.pc = 0x600000000200ull;
		       fake_poke(&f, FP + 8, 0x700000000000ull), USTACK_NO_ROW);
		FOLLOW(arch, fake_poke(&f, FP + 8, CALLER + 8), USTACK_NO_ROW);
		FOLLOW(arch, fake_poke(&f, FP + 8, 0x700000000000ull), USTACK_NO_ROW);
		FOLLOW(arch, fake_poke(&f, FP + 8, 5), USTACK_NO_ROW);
		FOLLOW(arch, s.sp = FP + 8, USTACK_NO_ROW);
		FOLLOW(arch, s.fp += 4, USTACK_NO_ROW);
		FOLLOW(arch, s.fp = STACK + STACK_LEN - 8, USTACK_STACK_FAULT);
		FOLLOW(arch, s.fp = STACK + STACK_LEN, USTACK_STACK_FAULT);
		FOLLOW(arch, s.sp = s.fp = STACK - 8; fake_poke(&f, STACK, CALLER),
		       USTACK_STACK_FAULT);
		FOLLOW(arch, s.fp_at = STACK - 8, USTACK_STACK_FAULT);
		FOLLOW(arch, f.mem.may_follow = false, USTACK_NO_ROW);
		/* the outermost record */
		FOLLOW(arch, fake_poke(&f, FP, 0); fake_poke(&f, FP + 8, 0), USTACK_COMPLETE);
		FOLLOW(arch, fake_poke(&f, FP + 8, 0), USTACK_NO_ROW);
	}
}

/* A record that points to itself ends the walk. */
static void a_circle_of_records(void **state)
{
	struct ustack_state s;

	make_process(X86);
	f.mem.may_follow = true;
	fake_poke(&f, FP, FP);
	s = frame();
	assert_reason(ustack_step_follow(X86, &s, &f.mem), USTACK_OK);
	assert_reason(ustack_step_follow(X86, &s, &f.mem), USTACK_NO_ROW);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(litter_does_not_matter), TEST(forms_of_records), TEST(ends_of_functions),
		TEST(a_loop_that_is_aligned), TEST(what_is_no_proof), TEST(the_largest_frame),
		TEST(the_end_of_a_recursive_function), TEST(the_begin_of_a_function),
		TEST(records_that_are_followed), TEST(a_circle_of_records),
	};

	return cmocka_run_group_tests_name("own_record", tests, NULL, NULL);
}
