// SPDX-License-Identifier: GPL-2.0-only
/* Prologues and epilogues recognised by their instructions, one by one. */
#include "bytes.h"
#include "darwin/unwind_edge.h"
#include "util/hex.h"

#define NOTHING UNWIND_NONE

/* The expected state at an instruction: saved registers as pairs of number and offset. */
struct want {
	unsigned int at;
	enum unwind_kind kind;
	uint32_t size;
	unsigned int nr_saved;
	int saved[8];
};

static void check(enum unwind_arch arch, const char *hex, const struct want *want, size_t nr)
{
	uint8_t *bytes = malloc(strlen(hex) / 2);
	struct unwind_code c = { .bytes = bytes, .len = strlen(hex) / 2 };
	struct unwind_rule r;
	unsigned int i;
	bool found;

	assert_true(hex_bytes(hex, bytes, c.len));
	for (; nr--; want++) {
		c.at = want->at;
		found = unwind_edge(arch, &c, &r);
		if (found != (want->kind != NOTHING))
			fail_msg("at %u: %d", want->at, found);
		if (!found)
			continue;
		assert_int_equal(r.kind, want->kind);
		if (r.kind != UNWIND_FRAME)
			assert_int_equal(r.size, want->size);
		assert_int_equal(r.nr_saved, want->nr_saved);
		for (i = 0; i < r.nr_saved; i++) {
			assert_int_equal(r.saved[i].reg, want->saved[2 * i]);
			assert_int_equal(r.saved[i].off, want->saved[2 * i + 1]);
		}
	}
	free(bytes);
}

#define CHECK(arch, hex, want) check(arch, hex, want, sizeof(want) / sizeof(*(want)))

static void frames_of_x86_64(void **state)
{
	/* push rbp; mov rbp,rsp; push r15; push rbx; sub rsp,24; xor eax,eax; add rsp,24;
	 * pop rbx; pop r15; pop rbp; ret
	 */
	static const struct want want[] = {
		{ 0, UNWIND_IMMEDIATE, 8 },
		{ 1, UNWIND_IMMEDIATE, 16 },
		{ 4, UNWIND_FRAME },
		{ 6, UNWIND_FRAME },
		{ 11, UNWIND_FRAME },
		/* inside an instruction */
		{ 12, NOTHING },
		{ 13, UNWIND_IMMEDIATE, 56, 3, { 3, -32, 15, -24, 6, -16 } },
		{ 17, UNWIND_IMMEDIATE, 32, 3, { 3, -32, 15, -24, 6, -16 } },
		{ 18, UNWIND_IMMEDIATE, 24, 2, { 15, -24, 6, -16 } },
		{ 20, UNWIND_IMMEDIATE, 16, 1, { 6, -16 } },
		{ 21, UNWIND_IMMEDIATE, 8 },
		/* after the end */
		{ 22, NOTHING },
	};

	CHECK(UNWIND_X86_64, "554889e54157534883ec1831c04883c4185b415f5dc3", want);
}

static void frames_that_leave_otherwise(void **state)
{
	/* sub rsp,0x1008; nop; add rsp,0x1008; jmp elsewhere */
	static const struct want tail[] = {
		{ 0, UNWIND_IMMEDIATE, 8 },
		{ 7, UNWIND_IMMEDIATE, 0x1010 },
		{ 8, UNWIND_IMMEDIATE, 0x1010 },
		{ 15, UNWIND_IMMEDIATE, 8 },
	};
	/* pop rbp; jmp elsewhere */
	static const struct want popped[] = {
		{ 2, UNWIND_IMMEDIATE, 16, 1, { 6, -16 } },
		{ 3, UNWIND_IMMEDIATE, 8 },
	};
	/* pop rbp; jmp to the nop before it */
	static const struct want loop[] = { { 2, NOTHING }, { 3, NOTHING } };
	/* add rsp,8; jmp *rax */
	static const struct want indirect[] = {
		{ 2, UNWIND_IMMEDIATE, 16 },
		{ 6, UNWIND_IMMEDIATE, 8 },
	};
	/* pop rbp; jmp *rax */
	static const struct want popped_indirect[] = {
		{ 2, UNWIND_IMMEDIATE, 16, 1, { 6, -16 } },
		{ 3, UNWIND_IMMEDIATE, 8 },
	};
	/* mov rax,[rax+0x5d]; jmp *rax: not a pop, although its last byte looks like one */
	static const struct want displaced[] = { { 6, NOTHING } };
	/* leave; ret: the frame pointer still finds everything */
	static const struct want leave[] = { { 2, NOTHING }, { 3, UNWIND_IMMEDIATE, 8 } };
	/* vzeroupper; pop rcx; ret 16 */
	static const struct want other[] = { { 2, UNWIND_IMMEDIATE, 16, 1, { 2, -16 } } };
	/* pop rsp; ret */
	static const struct want pop_sp[] = { { 2, NOTHING }, { 3, UNWIND_IMMEDIATE, 8 } };

	CHECK(UNWIND_X86_64, "4881ec08100000904881c408100000e900100000", tail);
	CHECK(UNWIND_X86_64, "31c05de900100000", popped);
	CHECK(UNWIND_X86_64, "31c05debfb", loop);
	CHECK(UNWIND_X86_64, "31c04883c408ffe0", indirect);
	CHECK(UNWIND_X86_64, "31c05dffe0", popped_indirect);
	CHECK(UNWIND_X86_64, "31c0488b405dffe0", displaced);
	CHECK(UNWIND_X86_64, "31c0c9c3", leave);
	CHECK(UNWIND_X86_64, "31c0c5f87759c21000", other);
	CHECK(UNWIND_X86_64, "31c05cc3", pop_sp);
}

/* A frame that is made after a test, and the path without it. */
static void frames_that_are_late(void **state)
{
	/* test rsi,rsi; je 12; push rbp; mov rbp,rsp; xor eax,eax; pop rbp; 12: xor eax,eax; ret */
	static const struct want shared[] = {
		{ 0, UNWIND_IMMEDIATE, 8 },
		{ 3, UNWIND_IMMEDIATE, 8 },
		{ 5, UNWIND_IMMEDIATE, 8 },
		{ 6, UNWIND_IMMEDIATE, 16 },
		{ 9, UNWIND_FRAME },
		{ 11, UNWIND_IMMEDIATE, 16, 1, { 6, -16 } },
		{ 12, UNWIND_IMMEDIATE, 8 },
		{ 14, UNWIND_IMMEDIATE, 8 },
	};
	/*
	 * test rsi,rsi; je 7; xor eax,eax; 7: ret. It has no frame, whatever the encoding says
	 */
	static const struct want none[] = {
		{ 3, NOTHING },
		{ 5, NOTHING },
		{ 7, UNWIND_IMMEDIATE, 8 },
	};
	/* test rsi,rsi; mov rbp,rsi; push rbp; ret: the frame pointer is not the caller's */
	static const struct want lost[] = { { 3, NOTHING }, { 6, NOTHING } };
	/* lea rsp,[rsp-24]; xor eax,eax; lea rsp,[rsp+24]; jmp elsewhere */
	static const struct want lea[] = {
		{ 5, UNWIND_IMMEDIATE, 32 },
		{ 7, UNWIND_IMMEDIATE, 32 },
		{ 12, UNWIND_IMMEDIATE, 8 },
	};
	/* cbz x1,20; stp x29,x30,[sp,#-16]!; mov x29,sp; mov x0,#0; ldp x29,x30,[sp],#16;
	 * 20: mov x0,#0; ret
	 */
	static const struct want arm64[] = {
		{ 0, UNWIND_FRAMELESS },
		{ 4, UNWIND_FRAMELESS },
		{ 8, UNWIND_FRAMELESS, 16 },
		{ 12, NOTHING },
		{ 16, UNWIND_FRAMELESS, 16, 2, { 29, -16, 30, -8 } },
		{ 20, UNWIND_FRAMELESS },
		{ 24, UNWIND_FRAMELESS },
	};

	CHECK(UNWIND_X86_64, "4885f67407554889e531c05d31c0c3", shared);
	CHECK(UNWIND_X86_64, "4885f6740231c0c3", none);
	CHECK(UNWIND_X86_64, "4885f64889f555c3", lost);
	CHECK(UNWIND_X86_64, "488d6424e831c0488d642418e900100000", lea);
	CHECK(UNWIND_ARM64, "a10000b4fd7bbfa9fd030091000080d2fd7bc1a8000080d2c0035fd6", arm64);
}

static void frames_of_x86(void **state)
{
	/* push ebp; mov ebp,esp; push edi; sub esp,20; xor eax,eax; add esp,20; pop edi;
	 * pop ebp; ret
	 */
	static const struct want want[] = {
		{ 0, UNWIND_IMMEDIATE, 4 },
		{ 1, UNWIND_IMMEDIATE, 8 },
		{ 3, UNWIND_FRAME },
		{ 4, UNWIND_FRAME },
		{ 9, UNWIND_IMMEDIATE, 32, 2, { 7, -12, 5, -8 } },
		{ 12, UNWIND_IMMEDIATE, 12, 2, { 7, -12, 5, -8 } },
		{ 14, UNWIND_IMMEDIATE, 4 },
	};

	CHECK(UNWIND_X86, "5589e55783ec1431c083c4145f5dc3", want);
}

static void frames_of_x86_that_are_late(void **state)
{
	/* mov eax,[esp+8]; test eax,eax; je 14; push ebp; mov ebp,esp; xor eax,eax; pop ebp;
	 * 14: inc eax; ret
	 */
	static const struct want shared[] = {
		{ 0, UNWIND_IMMEDIATE, 4 },
		{ 4, UNWIND_IMMEDIATE, 4 },
		{ 6, UNWIND_IMMEDIATE, 4 },
		{ 8, UNWIND_IMMEDIATE, 4 },
		{ 9, UNWIND_IMMEDIATE, 8 },
		{ 11, UNWIND_FRAME },
		{ 13, UNWIND_IMMEDIATE, 8, 1, { 5, -8 } },
		{ 14, UNWIND_IMMEDIATE, 4 },
		{ 15, UNWIND_IMMEDIATE, 4 },
	};
	/* the same with inc esp in place of the test: SP is not what it was */
	static const struct want lost[] = { { 4, NOTHING }, { 6, NOTHING }, { 8, NOTHING } };
	/* the same with pusha: so are many words on the stack */
	static const struct want pusha[] = { { 5, NOTHING }, { 7, NOTHING } };
	/* inc eax; pop ebp; jmp *eax: of 64 bits, the first two were one instruction */
	static const struct want indirect[] = {
		{ 1, UNWIND_IMMEDIATE, 8, 1, { 5, -8 } },
		{ 2, UNWIND_IMMEDIATE, 4 },
	};

	CHECK(UNWIND_X86, "8b44240885c074065589e531c05d40c3", shared);
	CHECK(UNWIND_X86, "8b442408449074065589e531c05d40c3", lost);
	CHECK(UNWIND_X86, "8b4424086074065589e531c05d40c3", pusha);
	CHECK(UNWIND_X86, "405dffe0", indirect);
}

static void frames_of_arm64(void **state)
{
	/* sub sp,sp,#48; stp x20,x19,[sp,#16]; stp x29,x30,[sp,#32]; add x29,sp,#32;
	 * mov x0,#0; ldp x29,x30,[sp,#32]; ldp x20,x19,[sp,#16]; add sp,sp,#48; ret
	 */
	static const struct want want[] = {
		{ 0, UNWIND_FRAMELESS, 0 },
		{ 4, UNWIND_FRAMELESS, 48 },
		{ 12, UNWIND_FRAMELESS, 48 },
		/* from here on the encoding is right */
		{ 16, NOTHING },
		{ 20, UNWIND_FRAMELESS, 48, 4, { 29, -16, 30, -8, 20, -32, 19, -24 } },
		{ 24, UNWIND_FRAMELESS, 48, 2, { 20, -32, 19, -24 } },
		{ 28, UNWIND_FRAMELESS, 48 },
		{ 32, UNWIND_FRAMELESS, 0 },
	};
	/* pacibsp; stp d9,d8,[sp,#-32]!; str x30,[sp,#16]; nop; mov x0,#0; ldr x30,[sp,#16];
	 * ldp d9,d8,[sp],#32; retab
	 */
	static const struct want doubles[] = {
		{ 4, UNWIND_FRAMELESS, 0 },
		{ 8, UNWIND_FRAMELESS, 32 },
		{ 16, UNWIND_FRAMELESS, 32 },
		{ 20, UNWIND_FRAMELESS, 32, 3, { 30, -16, 73, -32, 72, -24 } },
		{ 24, UNWIND_FRAMELESS, 32, 2, { 73, -32, 72, -24 } },
		{ 28, UNWIND_FRAMELESS, 0 },
	};
	/* mov x0,#0; ldp xzr,x30,[sp],#16; ret */
	static const struct want padded[] = { { 4, UNWIND_FRAMELESS, 16, 1, { 30, -8 } } };
	/* mov x0,#0; add sp,sp,#16; b elsewhere; then the same, b within */
	static const struct want tail[] = { { 4, UNWIND_FRAMELESS, 16 }, { 8, UNWIND_FRAMELESS, 0 } };
	static const struct want loop[] = { { 4, NOTHING }, { 8, NOTHING } };

	CHECK(UNWIND_ARM64, "ffc300d1f44f01a9fd7b02a9fd830091000080d2fd7b42a9f44f41a9ffc30091c0035fd6",
	      want);
	CHECK(UNWIND_ARM64, "7f2303d5e923be6dfe0b00f91f2003d5000080d2fe0b40f9e923c26cff0f5fd6",
	      doubles);
	CHECK(UNWIND_ARM64, "000080d2ff7bc1a8c0035fd6", padded);
	CHECK(UNWIND_ARM64, "000080d2ff43009100040014", tail);
	CHECK(UNWIND_ARM64, "000080d2ff430091feffff17", loop);
}

/* Bytes of instructions of arm64. */
static size_t put_code(uint8_t *bytes, const uint32_t *code, size_t nr)
{
	size_t i;

	for (i = 0; i < 4 * nr; i++)
		bytes[i] = (uint8_t)(code[i / 4] >> i % 4 * 8);
	return 4 * nr;
}

#define LDP_FP_LR 0xa8c17bfdu	/* ldp x29,x30,[sp],#16 */
#define MOV_X0 0xd2800000u
#define B_OUT 0x14000400u

/*
 * Epilogues of arm64e, each instruction tested: from the instruction after the ldp on, x29 and
 * LR are the caller's again, and no instruction may be taken for one of the body.
 */
static void leaves_of_arm64e(void **state)
{
	static const uint32_t leaves[][8] = {
		/* autibsp, or autiasp; then LLVM's check by the high bits; b */
		{ 0xd50323ff, 0xca1e07d0, 0xb6f00050, 0xd4388e20, B_OUT },
		{ 0xd50323bf, 0xca1e07d1, 0xb6f00051, 0xd4388e00, 0xd61f0200 },
		/* the same with a branch to a brk at the function's end */
		{ 0xd50323ff, 0xca1e07d0, 0xb7f00070, B_OUT },
		/* mov x16,x30; xpaclri; cmp; b.eq; brk: by its strip */
		{ 0xd50323bf, 0xaa1e03f0, 0xd50320ff, 0xeb1e021f, 0x54000040, 0xd4388e20, B_OUT },
		/* xpaci x16 */
		{ 0xd50323bf, 0xaa1e03f0, 0xdac143f0, 0xeb1003df, 0x54000040, 0xd4388e20, B_OUT },
		/* ldr w16,[x30]: by a load */
		{ 0xd50323bf, 0xb94003d0, B_OUT },
		/* autib x30,sp; autia x30,sp */
		{ 0xdac117fe, B_OUT },
		{ 0xdac113fe, B_OUT },
		/* mov x16,x8; mov x17,#n; braa x16,x17 */
		{ 0xd50323ff, 0xaa0803f0, 0xd2824691, 0xd71f0a11 },
		/* mov x17,x8; movk x17,#n,lsl #48; brab x16,x17; braaz x16; brabz x16 */
		{ 0xd50323ff, 0xaa0803f1, 0xf2e24691, 0xd71f0e11 },
		{ 0xd50323ff, 0xd61f0a1f },
		{ 0xd50323ff, 0xd61f0e1f },
		/* adrp x16; ldr x16,[x16]; br x16 */
		{ 0xd50323ff, 0x90000010, 0xf9400210, 0xd61f0200 },
		/* br x1 alone; returns that authenticate */
		{ 0xd61f0020 },
		{ 0xd65f0bff },
		{ 0xd65f0fff },
		{ 0xd50323ff, 0xd65f03c0 },
	};
	uint32_t code[10];
	uint8_t bytes[sizeof(code)];
	struct unwind_code c = { .bytes = bytes };
	struct unwind_rule r;
	size_t i, n;

	for (i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
		code[0] = MOV_X0;
		code[1] = LDP_FP_LR;
		for (n = 0; n < 8 && leaves[i][n]; n++)
			code[n + 2] = leaves[i][n];
		c.len = put_code(bytes, code, n + 2);
		for (c.at = 4; c.at < c.len; c.at += 4) {
			if (!unwind_edge(UNWIND_ARM64, &c, &r))
				fail_msg("leave %zu at %zu is body", i, c.at);
			assert_int_equal(r.kind, UNWIND_FRAMELESS);
			assert_int_equal(r.size, c.at == 4 ? 16 : 0);
			assert_int_equal(r.nr_saved, c.at == 4 ? 2 : 0);
		}
	}
}

/* Code that looks like an epilogue, but belongs to the body: its frame is complete. */
static void bodies_of_arm64e(void **state)
{
	static const uint32_t bodies[][4] = {
		/* cmp; br through a jump table: nothing was restored */
		{ MOV_X0, 0xeb1003df, 0xd61f0200 },
		/*
		 * a trap of the program itself ends the code: the ldp belongs to another path
		 */
		{ MOV_X0, 0xd4200020, LDP_FP_LR, 0xd65f03c0 },
		/* mov x19,x0 uses a register that an epilogue does not use */
		{ MOV_X0, 0xaa0003f3, LDP_FP_LR, 0xd65f03c0 },
	};
	uint8_t bytes[16];
	struct unwind_code c = { .bytes = bytes, .at = 4 };
	struct unwind_rule r;
	size_t i;

	for (i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		c.len = put_code(bytes, bodies[i], bodies[i][3] ? 4 : 3);
		assert_false(unwind_edge(UNWIND_ARM64, &c, &r));
	}
	c.len = put_code(bytes, bodies[0], 3);
	c.at = 8;
	assert_false(unwind_edge(UNWIND_ARM64, &c, &r));
}

static void calls_of_both(void **state)
{
	static const uint32_t calls[] = { 0x94000400, 0xd63f0020, 0xd73f0a11, 0xd63f0a1f };
	static const uint8_t x86[] = { 0x50, 0xe8, 0, 0, 0, 0, 0xff, 0xd0, 0x41, 0xff, 0xd3, 0xc3 };
	static const bool is_call[] = { 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0 };
	uint8_t bytes[sizeof(calls)];
	struct unwind_code c = { .bytes = bytes };

	c.len = put_code(bytes, calls, 4);
	for (c.at = 0; c.at < c.len; c.at += 4)
		assert_true(unwind_edge_calls(UNWIND_ARM64, &c));
	put_code(bytes, (uint32_t[]){ B_OUT, 0xd61f0020, LDP_FP_LR, MOV_X0 }, 4);
	for (c.at = 0; c.at < c.len; c.at += 4)
		assert_false(unwind_edge_calls(UNWIND_ARM64, &c));
	c = (struct unwind_code){ .bytes = x86, .len = sizeof(x86) };
	for (c.at = 0; c.at < c.len; c.at++)
		if (c.at < 2 || c.at == 6 || c.at == 8 || c.at == 11)
			assert_int_equal(unwind_edge_calls(UNWIND_X86_64, &c), is_call[c.at]);
}

static void functions_with_frames(void **state)
{
	static const uint8_t frame[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0xc3 };
	static const uint8_t none[] = { 0x48, 0x8d, 0x04, 0x37, 0xc3 };
	static const uint8_t late[] = { 0x53, 0x55, 0x48, 0x89, 0xe5, 0xc3 };
	struct unwind_code c = { .bytes = frame, .len = sizeof(frame) };

	assert_true(unwind_edge_has_frame(UNWIND_X86_64, &c));
	c.len = 5;
	assert_false(unwind_edge_has_frame(UNWIND_X86_64, &c));
	c = (struct unwind_code){ .bytes = none, .len = sizeof(none) };
	assert_false(unwind_edge_has_frame(UNWIND_X86_64, &c));
	/* rbp is not a frame pointer here: another register is below the return address */
	c = (struct unwind_code){ .bytes = late, .len = sizeof(late) };
	assert_false(unwind_edge_has_frame(UNWIND_X86_64, &c));
}

/* Truncated instructions do not count, wherever they are. */
static void ends_are_respected(void **state)
{
	static const char hex[] = "554889e541574881ec000100004881c4000100005dc3";
	uint8_t bytes[sizeof(hex) / 2];
	struct unwind_code c;
	struct unwind_rule r;
	size_t len, arch;

	assert_true(hex_bytes(hex, bytes, sizeof(bytes)));
	for (arch = UNWIND_X86; arch <= UNWIND_ARM64; arch++) {
		for (len = 0; len <= sizeof(bytes); len++) {
			uint8_t *copy = malloc(len + !len);

			memcpy(copy, bytes, len);
			c = (struct unwind_code){ .bytes = copy, .len = len };
			for (c.at = 0; c.at <= len; c.at++)
				unwind_edge(arch, &c, &r);
			free(copy);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_of_x86_64),
		cmocka_unit_test(frames_that_leave_otherwise),
		cmocka_unit_test(frames_that_are_late),
		cmocka_unit_test(frames_of_x86),
		cmocka_unit_test(frames_of_x86_that_are_late),
		cmocka_unit_test(frames_of_arm64),
		cmocka_unit_test(leaves_of_arm64e),
		cmocka_unit_test(bodies_of_arm64e),
		cmocka_unit_test(calls_of_both),
		cmocka_unit_test(functions_with_frames),
		cmocka_unit_test(ends_are_respected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
