// SPDX-License-Identifier: GPL-2.0-only
/* The search of the stack for the caller of code that the process has made, and the way back. */
#include "frame.h"
#include "bounds.h"

#define MADE 0x600000000000ull
#define PC (MADE + 0x400)
#define FAR (MADE + (64u << 20) + 0x1800)
#define CALLER (CODE + 0x200)	/* after a call by a register */
#define OTHER (CODE + 0x300)	/* after a call of CODE + 0x800 */
#define DATA (CODE + 0x500)	/* after no call */

static bool in_the_page(struct ustack_mem *mem, u64 addr)
{
	return addr - CODE < 0x1000 || (!mem->files_only && addr - MADE < 0x1000);
}

static void put_call(u64 ra, u64 target)
{
	static const u8 call_reg[] = { 0xff, 0xd0 };
	u8 call[5] = { 0xe8 };
	u32 rel = (u32)(target - ra);

	memcpy(call + 1, &rel, sizeof(rel));
	if (target)
		fake_code(&f, ra - sizeof(call), call, sizeof(call));
	else
		fake_code(&f, ra - sizeof(call_reg), call_reg, sizeof(call_reg));
}

static struct ustack_state made_frame(void)
{
	struct ustack_state s = sample();

	s.pc = PC;
	s.fp = 0x1234;
	return s;
}

static int setup_search(void **state)
{
	setup(state);
	fake_map(&f, MADE, 0x1000);
	fake_map(&f, FAR & ~0xfffull, 0x1000);
	put_call(CALLER, 0);
	put_call(OTHER, CODE + 0x800);
	f.mem.is_code = in_the_page;
	f.mem.may_guess = true;
	f.mem.may_search = true;
	f.mem.frames = 3;
	return 0;
}

/* A refused step must leave the frame unchanged. */
static void refused(struct ustack_state s)
{
	const struct ustack_state before = s;

	assert_reason(ustack_step_search(X86, &s, &f.mem), USTACK_NO_ROW);
	assert_memory_equal(&s, &before, sizeof(s));
	assert_int_equal(f.mem.guessed, 0);
	assert_false(f.mem.search.on);
}

static void found(struct ustack_state s, u64 ra, u64 at)
{
	const u64 fp = s.fp, fp_at = s.fp_at;
	u32 before = f.mem.guessed;

	assert_reason(ustack_step_search(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == ra && s.sp == at + 8 && s.fp == fp && s.fp_at == fp_at);
	assert_true(!s.exact && !s.sp_bound && !s.lr && s.regs_in == USTACK_REGS_UNKNOWN &&
		    s.scratch_in == USTACK_REGS_UNKNOWN);
	assert_int_equal(f.mem.guessed, before + 1);
	assert_false(f.mem.files_only);
}

static void the_first_return_address(void **state)
{
	struct ustack_state s = made_frame();

	fake_poke(&f, SP0, 17);
	fake_poke(&f, SP0 + 8, DATA);
	fake_poke(&f, SP0 + 16, ~0ull);
	fake_poke(&f, SP0 + 24, CALLER);
	fake_poke(&f, SP0 + 32, OTHER);
	found(s, CALLER, SP0 + 24);
	s = made_frame();
	s.exact = false;
	s.sp += 32;
	s.fp_at = SP0 + 0x100;
	found(s, OTHER, SP0 + 32);
}

static void the_way_back(void **state)
{
	struct ustack_state s = made_frame();
	u32 scanned;

	fake_poke(&f, SP0 + 8, CALLER);
	fake_poke(&f, SP0 + 40, OTHER);
	f.mem.guessed = 2;
	f.mem.followed = 0x77;
	found(s, CALLER, SP0 + 8);
	f.mem.guessed = 9;
	f.mem.followed = 0x88;
	f.mem.frames = 13;
	scanned = f.mem.scanned;
	s = caller();
	assert_true(ustack_step_back(&s, &f.mem));
	assert_true(s.pc == PC && s.sp == SP0 && s.exact);
	assert_int_equal(f.mem.search.frames, 3);
	assert_int_equal(f.mem.guessed, 2);
	assert_true(f.mem.followed == 0x77);
	/* what was in vain is counted */
	assert_int_equal(f.mem.scanned, scanned + 16 + 40);
	f.mem.frames = 3;
	found(s, OTHER, SP0 + 40);
	assert_true(ustack_step_back(&s, &f.mem));
	f.mem.guessed = 0;
	refused(s);
	assert_false(ustack_step_back(&s, &f.mem));
	/* not again in this frame, but in another one */
	refused(s);
	s.sp += 8;
	found(s, CALLER, SP0 + 8);
}

static void no_search(void **state)
{
	struct ustack_state s = made_frame();

	assert_false(ustack_step_back(&s, &f.mem));
	fake_poke(&f, SP0, CALLER);
	f.mem.may_guess = false;
	refused(s);
	f.mem.may_guess = true;
	f.mem.may_search = false;
	refused(s);
	f.mem.may_search = true;
	assert_reason(ustack_step_search(A64, &s, &f.mem), USTACK_NO_ROW);
	s.sp -= 4;
	refused(s);
	s.sp += 4;
	found(s, CALLER, SP0);
}

/* A caller that is made code itself would be left out. */
static void made_code_that_called(void **state)
{
	struct ustack_state s = made_frame();

	fake_poke(&f, SP0, MADE + 0x800);
	fake_poke(&f, SP0 + 8, CALLER);
	found(s, CALLER, SP0 + 8);	/* it follows no call */
	f.mem.search.from.pc = f.mem.guessed = 0;
	put_call(MADE + 0x800, MADE + 0x3c0);
	refused(s);
	f.mem.search.from.pc = 0;
	fake_poke(&f, SP0, MADE + 0x900);
	put_call(MADE + 0x900, 0);
	refused(s);
	f.mem.search.from.pc = 0;
	fake_poke(&f, SP0, MADE + 0x800);
	put_call(MADE + 0x800, MADE + 0x500);	/* a function above the pc */
	found(s, CALLER, SP0 + 8);
	/* too far away to be code of the same compiler */
	f.mem.search.from.pc = f.mem.guessed = 0;
	fake_poke(&f, SP0, FAR);
	put_call(FAR, 0);
	found(s, CALLER, SP0 + 8);
}

/* FP leads on in made code, as in an interpreter, whose return addresses follow no call. */
static void a_chain_of_records(void **state)
{
	struct ustack_state s = made_frame();
	const u64 fp = SP0 + 0x40;

	fake_poke(&f, SP0 + 0x60, CALLER);
	fake_poke(&f, fp, fp + 0x80);
	fake_poke(&f, fp + 8, MADE + 0x900);
	s.fp = fp;
	refused(s);
	f.mem.search.from.pc = 0;
	s.fp = 0;
	s.fp_at = SP0 + 0x30;
	fake_poke(&f, SP0 + 0x30, fp);
	refused(s);
	/* a record right at SP */
	f.mem.search.from.pc = 0;
	s.fp_at = 0;
	s.fp = s.sp = fp;
	refused(s);
#define NO_CHAIN(change) do {						\
	fake_poke(&f, fp, fp + 0x80);					\
	fake_poke(&f, fp + 8, MADE + 0x900);				\
	s = made_frame();						\
	s.fp = fp;							\
	change;								\
	f.mem.search.from.pc = f.mem.guessed = 0;			\
	found(s, CALLER, SP0 + 0x60);					\
} while (0)
	NO_CHAIN(fake_poke(&f, fp, fp));
	NO_CHAIN(fake_poke(&f, fp, fp + 0x84));
	NO_CHAIN(fake_poke(&f, fp, fp + (1u << 20)));
	NO_CHAIN(fake_poke(&f, fp + 8, DATA));
	NO_CHAIN(fake_poke(&f, fp + 8, 17));
	NO_CHAIN(fake_poke(&f, fp + 8, FAR));
	NO_CHAIN(s.fp = SP0 - 8; fake_poke(&f, SP0 - 8, SP0 + 8); fake_poke(&f, SP0, MADE + 0x900));
	NO_CHAIN(s.fp += 4; fake_poke(&f, fp + 4, fp + 0x80); fake_poke(&f, fp + 12, MADE + 0x900));
	NO_CHAIN(s.fp = STACK + STACK_LEN);
}

static void bounds_of_the_search(void **state)
{
	struct ustack_state s = made_frame();

	fake_poke(&f, SP0 + USTACK_MAX_FP_FRAME, CALLER);
	refused(s);
	assert_int_equal(f.mem.scanned, USTACK_MAX_FP_FRAME / 8);
	f.mem.search.from.pc = 0;
	fake_poke(&f, SP0 + USTACK_MAX_FP_FRAME - 8, OTHER);
	found(s, OTHER, SP0 + USTACK_MAX_FP_FRAME - 8);
	f.mem.search.from.pc = f.mem.guessed = 0;
	f.mem.scanned = USTACK_MAX_SCAN - 1;
	refused(s);
	f.mem.search.from.pc = 0;
	f.mem.scanned = USTACK_MAX_SCAN;
	fake_poke(&f, SP0, CALLER);
	refused(s);
	/* the end of the stack */
	f.mem.scanned = 0;
	s.sp = STACK + STACK_LEN - 16;
	refused(s);
	assert_int_equal(f.mem.scanned, 3);
}

/* A word at SP that follows a call in made code is a worse guess. */
static void before_the_word_at_sp(void **state)
{
	struct ustack_state s = made_frame();

	fake_poke(&f, SP0, FAR);
	put_call(FAR, 0);
	fake_poke(&f, SP0 + 16, CALLER);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CALLER);
	assert_true(ustack_step_back(&s, &f.mem));
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == FAR && s.sp == SP0 + 8);
	assert_int_equal(f.mem.guessed, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_search, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_first_return_address), TEST(the_way_back), TEST(no_search),
		TEST(made_code_that_called), TEST(a_chain_of_records), TEST(bounds_of_the_search),
		TEST(before_the_word_at_sp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
