// SPDX-License-Identifier: GPL-2.0-only
/* Prologues and epilogues by their instructions, one by one. */
#include "bytes.h"
#include "macho/unwind_edge.h"
#include "util/hex.h"

#define NOTHING UNWIND_NONE

/* What is expected at an instruction: saved registers as pairs of number and offset. */
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
		/* behind the end */
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
		/* add's last byte is no pop: nothing shows that the frame is gone */
		{ 15, NOTHING },
	};
	/* pop rbp; jmp elsewhere */
	static const struct want popped[] = {
		{ 2, UNWIND_IMMEDIATE, 16, 1, { 6, -16 } },
		{ 3, UNWIND_IMMEDIATE, 8 },
	};
	/* pop rbp; jmp to the nop in front of it */
	static const struct want loop[] = { { 2, NOTHING }, { 3, NOTHING } };
	/* add rsp,8; jmp *rax */
	static const struct want indirect[] = { { 2, UNWIND_IMMEDIATE, 16 }, { 6, NOTHING } };
	/* leave; ret: the frame pointer still finds all */
	static const struct want leave[] = { { 2, NOTHING }, { 3, UNWIND_IMMEDIATE, 8 } };
	/* vzeroupper; pop rcx; ret 16 */
	static const struct want other[] = { { 2, UNWIND_IMMEDIATE, 16, 1, { 2, -16 } } };
	/* pop rsp; ret */
	static const struct want pop_sp[] = { { 2, NOTHING }, { 3, UNWIND_IMMEDIATE, 8 } };

	CHECK(UNWIND_X86_64, "4881ec08100000904881c408100000e900100000", tail);
	CHECK(UNWIND_X86_64, "31c05de900100000", popped);
	CHECK(UNWIND_X86_64, "31c05debfb", loop);
	CHECK(UNWIND_X86_64, "31c04883c408ffe0", indirect);
	CHECK(UNWIND_X86_64, "31c0c9c3", leave);
	CHECK(UNWIND_X86_64, "31c0c5f87759c21000", other);
	CHECK(UNWIND_X86_64, "31c05cc3", pop_sp);
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

static void frames_of_arm64(void **state)
{
	/* sub sp,sp,#48; stp x20,x19,[sp,#16]; stp x29,x30,[sp,#32]; add x29,sp,#32;
	 * mov x0,#0; ldp x29,x30,[sp,#32]; ldp x20,x19,[sp,#16]; add sp,sp,#48; ret
	 */
	static const struct want want[] = {
		{ 0, UNWIND_FRAMELESS, 0 },
		{ 4, UNWIND_FRAMELESS, 48 },
		{ 12, UNWIND_FRAMELESS, 48 },
		/* the encoding is right from here on */
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
	/* mov x0,#0; add sp,sp,#16; b elsewhere; then the same, b within */
	static const struct want tail[] = { { 4, UNWIND_FRAMELESS, 16 }, { 8, UNWIND_FRAMELESS, 0 } };
	static const struct want loop[] = { { 4, NOTHING }, { 8, NOTHING } };

	CHECK(UNWIND_ARM64, "ffc300d1f44f01a9fd7b02a9fd830091000080d2fd7b42a9f44f41a9ffc30091c0035fd6",
	      want);
	CHECK(UNWIND_ARM64, "7f2303d5e923be6dfe0b00f91f2003d5000080d2fe0b40f9e923c26cff0f5fd6",
	      doubles);
	CHECK(UNWIND_ARM64, "000080d2ff43009100040014", tail);
	CHECK(UNWIND_ARM64, "000080d2ff430091feffff17", loop);
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
	/* rbp is no frame pointer's here: another register is below the return address */
	c = (struct unwind_code){ .bytes = late, .len = sizeof(late) };
	assert_false(unwind_edge_has_frame(UNWIND_X86_64, &c));
}

/* Instructions that are cut off, wherever they are, are none. */
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
		cmocka_unit_test(frames_of_x86),
		cmocka_unit_test(frames_of_arm64),
		cmocka_unit_test(functions_with_frames),
		cmocka_unit_test(ends_are_respected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
