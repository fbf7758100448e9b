// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks over stacks of a few words, through an x86-64 image that is made here: by Apple's
 * sections, and by the rules that they are converted to.
 */
#include "bytes.h"

#include <errno.h>

#include "darwin/convert.h"
#include "darwin/image.h"
#include "darwin/table.h"
#include "darwin/walk_core.h"

#define BASE 0x100000000ull	/* address for which it is linked, ... */
#define AT 0x7200000000ull	/* and its actual address */
#define STACK 0x7300000000ull

#define UNWIND_AT 0x800u
#define FRAME 0x1000u
#define IMMEDIATE 0x1040u
#define SILENT 0x1080u
#define WRONG 0x10a0u
#define STUBS 0x10c0u
#define HELPER 0x10d0u
#define END 0x1100u
#define NR_SECTIONS 4u

static struct bytes file;
static struct macho_image image;
static uint64_t stack[32];

static const struct {
	u32 at;
	u8 len;
	u8 code[24];
} codes[] = {
	/* push rbp; mov rbp,rsp; push rbx; push rax; call; add rsp,8; pop rbx; pop rbp; ret,
	 * and padding
	 */
	{ FRAME, 24, { 0x55, 0x48, 0x89, 0xe5, 0x53, 0x50, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 8,
		       0x5b, 0x5d, 0xc3, 0x0f, 0x1f, 0x44, 0, 0, 0x90 } },
	/* push rbp; sub rsp,16; call; add rsp,16; pop rbp; ret */
	{ IMMEDIATE, 16, { 0x55, 0x48, 0x83, 0xec, 16, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 16, 0x5d,
			   0xc3 } },
	/* lea rax,[rdi+rsi]; nop; ret */
	{ SILENT, 6, { 0x48, 0x8d, 0x04, 0x37, 0x90, 0xc3 } },
	/* endbr64; push rbp; mov rbp,rsp; mov r11,rax; leave; ret, as __rust_probestack */
	{ WRONG, 13, { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x49, 0x89, 0xc3, 0xc9,
		       0xc3 } },
};

static void put_at(u32 at, const void *p, u32 len)
{
	while (file.len < at + len)
		bytes_le(&file, 0, 1);
	memcpy(file.p + at, p, len);
}

static void put_section(u32 i, const char *name, u32 at, u32 size, u32 flags)
{
	u32 off = 32 + 72 + 80 * i;
	u64 addr = BASE + at, len = size;

	put_at(off, name, (u32)strlen(name));
	put_at(off + 16, "__TEXT", 6);
	put_at(off + 32, &addr, 8);
	put_at(off + 40, &len, 8);
	put_at(off + 48, &at, 4);
	put_at(off + 64, &flags, 4);
}

static void put_header(void)
{
	const u32 head[] = { 0xfeedfacf, 0x01000007, 3, 6, 1, 72 + 80 * NR_SECTIONS, 0, 0,
			     0x19, 72 + 80 * NR_SECTIONS };
	const u64 segment[] = { BASE, 0x2000, 0, 0x1100 };
	const u32 nr = NR_SECTIONS;

	put_at(0, head, sizeof(head));
	put_at(40, "__TEXT", 6);
	put_at(56, segment, sizeof(segment));
	put_at(96, &nr, 4);
}

static void make(void)
{
	static const u32 info[] = {
		1, 28, 0, 28, 0, 28, 2, FRAME, 52, 52, STUBS, 0, 52,
		2, 4 << 16 | 8,
		FRAME, 0x01010001, IMMEDIATE, 0x02040405, SILENT, 0, WRONG, 0x02010405,
	};
	struct macho m;
	size_t i;

	file.len = 0;
	put_header();
	put_section(0, "__text", FRAME, STUBS - FRAME, MACHO_PURE_INSTRUCTIONS);
	put_section(1, "__stubs", STUBS, 12, 8);
	put_section(2, "__stub_helper", HELPER, 26, MACHO_PURE_INSTRUCTIONS);
	put_section(3, "__unwind_info", UNWIND_AT, sizeof(info), 0);
	put_at(UNWIND_AT, info, sizeof(info));
	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		put_at(codes[i].at, codes[i].code, codes[i].len);
	put_at(END - 1, "", 1);
	macho_image_release(&image);
	assert_int_equal(macho_open(file.p, file.len, 0, "file", &m, NULL), 0);
	assert_int_equal(macho_image_init(&image, &m, NULL), 0);
	assert_true(image.has_unwind);
}

static bool find(void *arg, uint64_t addr, struct macho_place *ret)
{
	*ret = (struct macho_place){ .image = arg ? arg : &image, .base = AT };
	if (arg == (void *)1)
		ret->image = NULL;
	return addr >= AT && addr < AT + END;
}

static bool word(void *arg, uint64_t addr, uint64_t *ret)
{
	if (addr < STACK || addr % 8 || addr >= STACK + sizeof(stack))
		return false;
	*ret = stack[(addr - STACK) / 8];
	return true;
}

static struct sframe_section *rules;

static const struct ustack_table *table(void *arg, uint64_t addr, uint64_t *bias)
{
	*bias = AT - BASE;
	return macho_table_get(rules);
}

static struct unwind_regs at(u32 off, u32 sp)
{
	return (struct unwind_regs){ .pc = AT + off, .sp = STACK + 8 * sp, .inner = true };
}

/*
 * Both walks must find the frame that contains @off, by @how, and then the word at @ra, which
 * is outside.
 */
static void check(struct unwind_regs r, unsigned int ra, enum macho_how how)
{
	struct macho_walk w = { .arch = UNWIND_X86_64, .find = find, .word = word };
	struct macho_frame f[4];
	enum macho_end end;
	unsigned int i;
	size_t nr;

	for (i = 0; i < 32; i++)
		stack[i] = AT + WRONG + 0x10 + i;
	stack[ra] = 0x5555;
	nr = macho_walk(&w, &r, f, 2, &end, NULL);
	assert_int_equal(nr, 2);
	assert_int_equal(f[1].how, how);
	assert_int_equal(f[1].pc, 0x5555);
	assert_int_equal(f[1].sp, STACK + 8 * (ra + 1));
	nr = macho_walk_core(&w, table, &r, f, 2, &end);
	assert_int_equal(nr, 2);
	assert_int_equal(f[1].how, MACHO_BY_RULE);
	assert_int_equal(f[1].pc, 0x5555);
	assert_int_equal(f[1].sp, STACK + 8 * (ra + 1));
}

static void convert(void)
{
	make();
	macho_table_free(rules);
	rules = NULL;
	assert_int_equal(macho_table_new(&image, NULL, &rules, NULL), 0);
}

/* Padding after a prologue or epilogue: encodings are wrong there, the code is right. */
static void prologues_and_epilogues_are_right(void **state)
{
	struct unwind_regs r = at(FRAME, 4);

	convert();
	/* the caller's register, which the encoding would take for this function's */
	r.reg[6] = STACK + 160;
	r.known[6] = true;
	check(r, 4, MACHO_BY_CODE);
	r.pc = AT + FRAME + 1;
	check(r, 5, MACHO_BY_CODE);
	r.reg[6] = STACK + 8 * 10;
	r.pc = AT + FRAME + 4;
	check(r, 11, MACHO_BY_CODE);
	r.pc = AT + FRAME + 11;
	check(r, 7, MACHO_BY_CODE);
	r.pc = AT + FRAME + 15;
	check(r, 6, MACHO_BY_CODE);
	r.pc = AT + FRAME + 17;
	check(r, 4, MACHO_BY_CODE);
	r = at(IMMEDIATE + 5, 4);
	check(r, 7, MACHO_BY_CODE);
	r.inner = false;
	r.pc = AT + IMMEDIATE + 10;
	check(r, 7, MACHO_BY_COMPACT);
}

/* Padding belongs to the entry before it; only a wrong jump runs there. */
static void padding_is_the_function_in_front(void **state)
{
	struct unwind_regs r = at(FRAME + 20, 4);

	convert();
	r.reg[6] = STACK + 8 * 10;
	r.known[6] = true;
	check(r, 11, MACHO_BY_COMPACT);
}

static void stubs_have_no_entries(void **state)
{
	struct unwind_regs r = at(STUBS + 6, 4);

	convert();
	check(r, 4, MACHO_BY_STUB);
	/* lea, push, jmp of the shared part, after the number of the import */
	r.pc = AT + HELPER;
	check(r, 5, MACHO_BY_STUB);
	r.pc = AT + HELPER + 7;
	check(r, 5, MACHO_BY_STUB);
	r.pc = AT + HELPER + 9;
	check(r, 6, MACHO_BY_STUB);
	/* push and jmp of the first import */
	r.pc = AT + HELPER + 16;
	check(r, 4, MACHO_BY_STUB);
	r.pc = AT + HELPER + 21;
	check(r, 5, MACHO_BY_STUB);
}

static void silence_is_guessed_at(void **state)
{
	struct macho_walk w = { .arch = UNWIND_X86_64, .find = find, .word = word };
	struct unwind_regs r = at(SILENT + 4, 4);
	struct macho_frame f[4];
	struct diag diag;
	enum macho_end end;
	unsigned int i;

	make();
	for (i = 0; i < 32; i++)
		stack[i] = 0;
	stack[4] = AT + FRAME + 11;
	stack[10] = 0;
	stack[11] = 0x5555;
	r.reg[6] = STACK + 8 * 10;
	r.known[6] = true;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 3);
	assert_int_equal(f[1].how, MACHO_BY_LEAF);
	assert_int_equal(f[2].how, MACHO_BY_COMPACT);
	assert_int_equal(f[2].encoding, 0x01010001);
	/* no return address there: by the frame pointer, to a place in an image */
	stack[4] = 0x1234;
	stack[11] = AT + FRAME + 11;
	assert_int_equal(macho_walk(&w, &r, f, 1, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_DEPTH);
	assert_int_equal(macho_walk(&w, &r, f, 2, &end, &diag), 2);
	assert_int_equal(f[1].how, MACHO_BY_FRAME_POINTER);
	/* nor there */
	stack[11] = 0x1234;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_NO_INFO);
	assert_string_equal(diag.text, "");
	/* no file: the same */
	w.arg = (void *)1;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_NO_FILE);
}

/* __rust_probestack of real programs has an encoding that cannot be. */
static void damage_falls_back_to_a_frame_that_the_code_makes(void **state)
{
	struct macho_walk w = { .arch = UNWIND_X86_64, .find = find, .word = word };
	struct unwind_regs r = at(WRONG + 11, 4);
	struct macho_frame f[4];
	struct diag diag;
	enum macho_end end;

	make();
	memset(stack, 0, sizeof(stack));
	stack[11] = AT + FRAME + 11;
	r.reg[6] = STACK + 8 * 10;
	r.known[6] = true;
	assert_int_equal(macho_walk(&w, &r, f, 2, &end, &diag), 2);
	assert_int_equal(f[1].how, MACHO_BY_FRAME_POINTER);
	stack[11] = 0x1234;
	assert_int_equal(macho_walk(&w, &r, f, 2, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_DAMAGED);
	assert_string_equal(diag.text, "the frame is too small for what is saved in it");
}

static void ends_are_named(void **state)
{
	struct macho_walk w = { .arch = UNWIND_X86_64, .find = find, .word = word };
	struct unwind_regs r = at(IMMEDIATE + 10, 40);
	struct macho_frame f[4];
	struct diag diag;
	enum macho_end end;

	make();
	r.inner = false;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_NO_STACK);
	assert_string_equal(diag.text, "the stack has no word at 0x7300000158");
	r = at(FRAME + 11, 4);
	r.inner = false;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_NO_REGISTER);
	r = at(IMMEDIATE + 10, 4);
	r.inner = false;
	memset(stack, 0, sizeof(stack));
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_COMPLETE);
	r.known[6] = true;
	r.pc = 0x1234;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_COMPLETE);
	r.known[6] = false;
	assert_int_equal(macho_walk(&w, &r, f, 4, &end, &diag), 1);
	assert_int_equal(end, MACHO_END_NO_IMAGE);
}

static bool has_gap(const struct macho_rules *r, const char *name, u64 start, u64 size)
{
	size_t i;

	for (i = 0; i < r->nr_gaps; i++)
		if (!strcmp(r->gaps[i].name, name) && r->gaps[i].start == start &&
		    r->gaps[i].size == size)
			return true;
	return false;
}

static void what_is_left_out_is_named(void **state)
{
	struct macho_rules r = MACHO_RULES_INIT;
	struct sframe_encoded e = SFRAME_ENCODED_INIT;

	make();
	assert_int_equal(macho_convert(&image, NULL, &r, NULL), 0);
	assert_int_equal(r.compact, 2);
	assert_int_equal(r.stubs, 2);
	assert_int_equal(r.nr_funcs, 4);
	assert_int_equal(r.nr_gaps, 2);
	assert_true(has_gap(&r, "NONE", BASE + SILENT, WRONG - SILENT));
	assert_true(has_gap(&r, "DAMAGED", BASE + WRONG, STUBS - WRONG));
	assert_int_equal(r.text.start, BASE + FRAME);
	assert_int_equal(r.text.end, BASE + HELPER + 26);
	assert_int_equal(macho_convert_encode(&r, 2, &e, NULL), 0);
	assert_int_equal(e.nr_funcs, 4);
	assert_int_equal(e.nr_refused, 0);
	sframe_encoded_release(&e);
	macho_rules_release(&r);
	/* the same encodings on i386 */
	image.arch = UNWIND_X86;
	assert_int_equal(macho_convert(&image, NULL, &r, NULL), -EINVAL);
	macho_rules_release(&r);
	image.arch = UNWIND_X86_64;
}

/* References to DWARF that does not exist, and to a size in code that does not exist. */
static void what_is_elsewhere_is_left_out(void **state)
{
	struct macho_rules r = MACHO_RULES_INIT;
	u32 dwarf = 0x04000100, indirect = 0x03f04400;

	make();
	put_at(UNWIND_AT + 60 + 4, &dwarf, 4);
	put_at(UNWIND_AT + 60 + 12, &indirect, 4);
	assert_int_equal(macho_convert(&image, NULL, &r, NULL), 0);
	assert_true(has_gap(&r, "NO_FDE", BASE + FRAME, IMMEDIATE - FRAME));
	assert_true(has_gap(&r, "NO_CODE", BASE + IMMEDIATE, SILENT - IMMEDIATE));
	assert_int_equal(r.compact, 0);
	macho_rules_release(&r);
}

static int release(void **state)
{
	macho_table_free(rules);
	macho_image_release(&image);
	free(file.p);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prologues_and_epilogues_are_right),
		cmocka_unit_test(padding_is_the_function_in_front),
		cmocka_unit_test(stubs_have_no_entries),
		cmocka_unit_test(silence_is_guessed_at),
		cmocka_unit_test(damage_falls_back_to_a_frame_that_the_code_makes),
		cmocka_unit_test(ends_are_named),
		cmocka_unit_test(what_is_left_out_is_named),
		cmocka_unit_test(what_is_elsewhere_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
