// SPDX-License-Identifier: GPL-2.0-only
/* go_stacks.h: functions of Go that call on another stack, by the code after the call. */
#include "support.h"

#define CODE 0x460000ull
#define CODE_LEN 0x200u
#define AFTER 0x80u		/* the return address, as an offset in the code */
#define CALLER (CODE + 0x40)	/* where the goroutine's function goes on */
#define SYSTEM 0x7fff10000000ull	/* the stack that is used */
#define GOROUTINE 0xc000100000ull	/* the stack that was left */
#define TLS 0x5a0000ull
#define G 0xc000001000ull
#define M 0x5b0000ull
#define LEFT (GOROUTINE + 0x608)	/* SP there */

/* As Go 1.19 writes them: in programs with a fixed address, and in others. */
#define ASMCGOCALL_BEGIN "\x48\x8b\x7c\x24\x30\x48\x8b\x77\x08\x48\x2b\x74\x24\x28"
#define ASMCGOCALL_END "\x48\x89\xf4\x89\x44\x24\x18\xc3"
#define ASMCGOCALL ASMCGOCALL_BEGIN "\x64\x48\x89\x3c\x25\xf8\xff\xff\xff" ASMCGOCALL_END
#define ASMCGOCALL_RCX ASMCGOCALL_BEGIN "\x64\x48\x89\x39" ASMCGOCALL_END
#define NO_SWITCH "\x48\x8b\x74\x24\x28" ASMCGOCALL_END
#define SYSTEMSTACK_BEGIN "\x48\x8b\x58\x30\x48\x8b\x83\xc0\x00\x00\x00"
#define SYSTEMSTACK_END "\x48\x8b\x60\x38\x48\xc7\x40\x38\x00\x00\x00\x00\xc3"
#define SYSTEMSTACK "\x64\x48\x8b\x04\x25\xf8\xff\xff\xff" SYSTEMSTACK_BEGIN \
	"\x64\x48\x89\x04\x25\xf8\xff\xff\xff" SYSTEMSTACK_END
#define SYSTEMSTACK_RCX "\x64\x48\x8b\x01" SYSTEMSTACK_BEGIN "\x64\x48\x89\x01" SYSTEMSTACK_END
#define LOAD_RCX "\x48\xc7\xc1\xf8\xff\xff\xff"
#define LOAD_RCX_FROM "\x48\x8b\x0d\x79\x00\x00\x00"	/* CODE + AFTER + 0x80 */

static struct fake f;
static u8 *code;

static int setup(void **state)
{
	fake_init(&f);
	code = fake_map(&f, CODE, CODE_LEN);
	memset(code, 0xcc, CODE_LEN);
	fake_code(&f, CALLER - 5, B("\xe8\x00\x00\x00\x00"));
	fake_map(&f, SYSTEM, 0x100);
	fake_map(&f, GOROUTINE, 0x1000);
	fake_map(&f, TLS, 0x100);
	fake_map(&f, G, 0x100);
	fake_map(&f, M, 0x100);
	f.regs[USTACK_FS_BASE] = TLS + 0x48;
	f.known = 1ull << USTACK_FS_BASE;
	fake_poke(&f, LEFT, CALLER);
	/* what systemstack reads: the goroutine that runs, its thread, and what that one has left */
	fake_poke(&f, TLS + 0x40, SYSTEM + 0x80);
	fake_poke(&f, SYSTEM + 0x80 + 0x30, M);
	fake_poke(&f, M + 0xc0, G);
	fake_poke(&f, G + 0x38, LEFT);
	/* what asmcgocall reads: the goroutine, the end of its stack, and how far SP was from it */
	fake_poke(&f, SYSTEM + 0x30, G);
	fake_poke(&f, G + 0x08, GOROUTINE + 0x1000);
	fake_poke(&f, SYSTEM + 0x28, GOROUTINE + 0x1000 - LEFT);
	return 0;
}

static int teardown(void **state)
{
	fake_release(&f);
	return 0;
}

static void put(const char *bytes, u32 len)
{
	fake_code(&f, CODE + AFTER, bytes, len);
}

/* Steps from a frame whose callee returns to the code. */
static enum ustack_reason step_from(struct ustack_state *s)
{
	*s = (struct ustack_state){
		.pc = CODE + AFTER, .sp = SYSTEM, .fp = 0x1234, .fp_at = SYSTEM + 0x10,
	};
	return ustack_step_by_code(X86, s, &f.mem);
}

static void assert_left(void)
{
	struct ustack_state s;

	assert_reason(step_from(&s), USTACK_OK);
	assert_int_equal(s.pc, CALLER);
	assert_int_equal(s.sp, LEFT + 8);
	assert_int_equal(s.fp_at, SYSTEM + 0x10);
	assert_false(s.exact);
	assert_int_equal(s.regs_in, USTACK_REGS_UNKNOWN);
}

static void assert_stays(void)
{
	struct ustack_state s;

	assert_reason(step_from(&s), USTACK_NO_ROW);
	assert_int_equal(s.pc, CODE + AFTER);
	assert_int_equal(s.sp, SYSTEM);
}

static const struct {
	const char *bytes;
	u32 len;
	u32 tail;	/* bytes at the end that need not be there */
} kinds[] = {
	{ B(ASMCGOCALL), 0 },
	{ B(LOAD_RCX ASMCGOCALL_RCX), 0 },
	{ B(LOAD_RCX_FROM ASMCGOCALL_RCX), 0 },
	{ B(SYSTEMSTACK), 9 },
	{ B(LOAD_RCX SYSTEMSTACK_RCX), 9 },
	{ B(LOAD_RCX_FROM SYSTEMSTACK_RCX), 9 },
};

static void every_kind(void **state)
{
	unsigned int i;

	fake_poke(&f, CODE + AFTER + 0x80, (u64)-8);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		put(kinds[i].bytes, kinds[i].len);
		assert_left();
	}
}

/* C that was called on the thread's own stack. */
static void no_switch(void **state)
{
	put(B(NO_SWITCH));
	fake_poke(&f, SYSTEM + 0x28, LEFT);
	assert_left();
	put(B("\x48\x8b\x74\x24\x28\x48\x89\xf4\x89\x44\x24\x18\xc2"));
	assert_stays();
}

/* Displacements of other versions: none, and four bytes. */
static void other_places(void **state)
{
	put(B("\x48\x8b\x7c\x24\x08\x48\x8b\xb7\x88\x00\x00\x00\x48\x2b\x34\x24"
	      "\x64\x48\x89\x3c\x25\xf8\xff\xff\xff" ASMCGOCALL_END));
	fake_poke(&f, SYSTEM + 8, G);
	fake_poke(&f, G + 0x88, LEFT + 0x10);
	fake_poke(&f, SYSTEM, 0x10);
	assert_left();
	put(B("\x48\x8b\xbc\x24\x80\x00\x00\x00\x48\x8b\x37\x48\x2b\xb4\x24\x88\x00\x00\x00"
	      "\x64\x48\x89\x3c\x25\xf8\xff\xff\xff" ASMCGOCALL_END));
	fake_poke(&f, SYSTEM + 0x80, G);
	fake_poke(&f, G, LEFT + 0x20);
	fake_poke(&f, SYSTEM + 0x88, 0x20);
	assert_left();
}

/* Each byte of each kind but its displacements: another one there is other code. */
static void every_bit(void **state)
{
	struct ustack_state s;
	unsigned int i, bit;
	u64 same;
	u32 at;

	fake_poke(&f, CODE + AFTER + 0x80, (u64)-8);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (at = 0, same = 0; at < kinds[i].len - kinds[i].tail; at++)
			for (bit = 0; bit < 8; bit++) {
				put(kinds[i].bytes, kinds[i].len);
				code[AFTER + at] ^= (u8)(1 << bit);
				same += step_from(&s) == USTACK_OK && s.sp == LEFT + 8;
			}
		/* the byte of the last displacement, and those of what is stored in fs */
		assert_true(same <= 8 + 32);
	}
}

/* Instructions of each kind in an order, or of a form, that no compiler has written. */
static void mixtures(void **state)
{
	/* a load that asmcgocall begins with, and then the other function */
	put(B("\x48\x8b\x7c\x24\x30" SYSTEMSTACK));
	assert_stays();
	/* mov %rax, %rbx where a load should be */
	put(B("\x64\x48\x8b\x04\x25\xf8\xff\xff\xff\x48\x8b\xd8\x30\x00\x00"
	      "\x48\x8b\x83\xc0\x00\x00\x00\x64\x48\x89\x04\x25\xf8\xff\xff\xff"
	      SYSTEMSTACK_END));
	assert_stays();
	/* a store to fs without its address */
	put(B(ASMCGOCALL_BEGIN "\x64\x48\x89\x3c" ASMCGOCALL_END));
	assert_stays();
}

static void words_that_cannot_be_read(void **state)
{
	static const u64 words[] = { TLS + 0x40, SYSTEM + 0xb0, M + 0xc0, G + 0x38, LEFT };
	unsigned int i;

	put(B(SYSTEMSTACK));
	assert_left();
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		u64 was;

		assert_true(f.mem.read_u64(&f.mem, words[i], &was));
		fake_poke(&f, words[i], 0x7777777777770000ull);
		assert_stays();
		fake_poke(&f, words[i], was);
	}
	f.known = 0;
	assert_stays();
}

static void what_is_no_caller(void **state)
{
	put(B(ASMCGOCALL));
	fake_poke(&f, LEFT, CALLER + 1);	/* after no call */
	assert_stays();
	fake_poke(&f, LEFT, 0);
	assert_stays();
	fake_poke(&f, LEFT, CALLER);
	fake_poke(&f, SYSTEM + 0x28, GOROUTINE + 0x1000 - LEFT + 4);
	assert_stays();
}

/* A sampled frame is at these instructions only after the call. */
static void sampled_there(void **state)
{
	struct ustack_state s = {
		.pc = CODE + AFTER, .sp = SYSTEM, .exact = true, .regs_in = USTACK_REGS_SAMPLE,
	};

	put(B(ASMCGOCALL));
	assert_reason(ustack_step_by_code(X86, &s, &f.mem), USTACK_NO_ROW);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_kind),
		TEST(no_switch),
		TEST(other_places),
		TEST(every_bit),
		TEST(mixtures),
		TEST(words_that_cannot_be_read),
		TEST(what_is_no_caller),
		TEST(sampled_there),
	};

	return cmocka_run_group_tests_name("go_stacks", tests, NULL, NULL);
}
