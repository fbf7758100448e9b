// SPDX-License-Identifier: GPL-2.0-only
/* Steps by compact unwinding, over stacks of a few words. */
#include <errno.h>

#include "bytes.h"
#include "darwin/unwind_step.h"

#define IMAGE 0x1003fc000ull
#define NR_ENTRIES 5u

static uint32_t section[13 + 2 + 2 * NR_ENTRIES];
static struct unwind_info info;
static uint64_t stack[16];
static struct diag diag;

/*
 * One regular page: five functions, of 0x1000 bytes each from @start[0] on, or at the given
 * starts.
 */
static void make(const uint32_t start[NR_ENTRIES], const uint32_t encoding[NR_ENTRIES])
{
	const uint32_t head[] = { 1, 28, 0, 28, 0, 28, 2, start[0], 52, 52,
				  start[NR_ENTRIES - 1] + 0x1000, 0, 52, 2, NR_ENTRIES << 16 | 8 };
	uint32_t i;

	memcpy(section, head, sizeof(head));
	for (i = 0; i < NR_ENTRIES; i++) {
		section[15 + 2 * i] = start[i];
		section[16 + 2 * i] = encoding[i];
	}
	assert_int_equal(unwind_info_open(section, sizeof(section), 0, "file", &info, NULL), 0);
}

/* The stack is at 0. */
static bool word_64(void *arg, uint64_t addr, uint64_t *ret)
{
	if (addr % 8 || addr >= sizeof(stack))
		return false;
	*ret = stack[addr / 8];
	return true;
}

static bool word_32(void *arg, uint64_t addr, uint64_t *ret)
{
	uint32_t v;

	if (addr % 4 || addr >= sizeof(stack))
		return false;
	memcpy(&v, (char *)stack + addr, sizeof(v));
	*ret = v;
	return true;
}

/* sub $0x28,%rsp has its immediate 4 bytes after the start of the third function. */
static bool code(void *arg, uint32_t off, uint32_t *ret)
{
	*ret = 0x28;
	return off == 0x3004;
}

static struct unwind_image image_of(enum unwind_arch arch)
{
	return (struct unwind_image){ .arch = arch, .u = &info, .base = IMAGE, .code = code,
				      .word = arch == UNWIND_X86 ? word_32 : word_64 };
}

/* The walk in the tests of the framehop crate; the section is made up for it. */
static void walks_a_stack_of_arm64(void **state)
{
	static const uint32_t start[] = { 0xe4000, 0x100000, 0x110000, 0x129000, 0x12c000 };
	static const uint32_t encoding[] = { 0x04000001, 0x04000000, 0, 0x02000000, 0x04000000 };
	static const uint64_t words[] = { 1, 2, 3, 4, 0x40, IMAGE + 0x100dc4, 5, 6, 0x70,
					  IMAGE + 0x12ca28, 7, 8, 9, 10, 0, 0 };
	static const uint64_t pcs[] = { 0xe4830, 0x100dc4, 0x12ca28 };
	static const uint64_t sps[] = { 0x10, 0x30, 0x50 };
	struct unwind_image image = image_of(UNWIND_ARM64);
	struct unwind_regs regs = { .pc = IMAGE + 0x1292c0, .sp = 0x10, .has_lr = true,
				    .lr = IMAGE + 0xe4830, .inner = true };
	size_t i;

	make(start, encoding);
	memcpy(stack, words, sizeof(words));
	/* signed return addresses, as arm64e has them */
	image.strip = 0xffffffffffull;
	stack[5] |= 0x5a5a0000ull << 32;
	regs.reg[29] = 0x20;
	regs.known[29] = true;
	/* in a frame that has called another function, LR has another value */
	regs.inner = false;
	assert_int_equal(unwind_step(&image, &regs, &diag), -ENODATA);
	regs.inner = true;
	for (i = 0; i < 3; i++) {
		assert_int_equal(unwind_step(&image, &regs, &diag), 1);
		assert_int_equal(regs.pc, IMAGE + pcs[i]);
		assert_int_equal(regs.sp, sps[i]);
		assert_false(regs.has_lr);
		assert_int_equal(regs.known[19], i >= 1);
	}
	assert_int_equal(regs.reg[19], 4);
	assert_int_equal(regs.reg[20], 3);
	assert_int_equal(unwind_step(&image, &regs, &diag), 0);
	assert_int_equal(regs.pc, IMAGE + 0x12ca28);
}

static const uint32_t starts[] = { 0x1000, 0x2000, 0x3000, 0x4000, 0x5000 };
/* frame with rbx, immediate with rbx and r12, indirect with rbx, DWARF, none */
static const uint32_t encodings[] = { 0x01010001, 0x02040800, 0x03044400, 0x04000018, 0 };

static struct unwind_regs regs_at(uint64_t off, uint64_t sp)
{
	return (struct unwind_regs){ .pc = IMAGE + off, .sp = sp };
}

static void fill(void)
{
	unsigned int i;

	make(starts, encodings);
	for (i = 0; i < 16; i++)
		stack[i] = 0x100 + i;
}

static void steps_on_x86_64(void **state)
{
	struct unwind_image image = image_of(UNWIND_X86_64);
	struct unwind_regs r = regs_at(0x1010, 0);

	fill();
	r.reg[6] = 0x20;
	r.known[6] = true;
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x30);
	assert_int_equal(r.pc, 0x105);
	assert_int_equal(r.reg[6], 0x104);
	assert_int_equal(r.reg[3], 0x103);
	/* four words; rbx is the lower of the two below the return address */
	r = regs_at(0x2010, 0x8);
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x28);
	assert_int_equal(r.pc, 0x104);
	assert_int_equal(r.reg[3], 0x102);
	assert_int_equal(r.reg[12], 0x103);
	assert_false(r.known[6]);
	/* 0x28 from the code, and two words */
	r = regs_at(0x3010, 0x8);
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x40);
	assert_int_equal(r.pc, 0x107);
	assert_int_equal(r.reg[3], 0x106);
}

static void steps_on_x86(void **state)
{
	struct unwind_image image = image_of(UNWIND_X86);
	struct unwind_regs r = regs_at(0x1010, 0);
	uint32_t *word = (uint32_t *)stack;
	unsigned int i;

	fill();
	for (i = 0; i < 32; i++)
		word[i] = 0x200 + i;
	r.reg[5] = 0x20;
	r.known[5] = true;
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x28);
	assert_int_equal(r.pc, 0x209);
	assert_int_equal(r.reg[5], 0x208);
	assert_int_equal(r.reg[3], 0x207);
	r = regs_at(0x2010, 0x8);
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x18);
	assert_int_equal(r.pc, 0x205);
	assert_int_equal(r.reg[3], 0x203);
	assert_int_equal(r.reg[1], 0x204);
}

/* The return address after a function's last call is the first byte of the next function. */
static void callers_are_asked_for_their_call(void **state)
{
	struct unwind_image image = image_of(UNWIND_X86_64);
	struct unwind_regs r = regs_at(0x3000, 0x8);

	fill();
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x28);
	/* a function sampled there has only just been called */
	r = regs_at(0x3000, 0x8);
	r.inner = true;
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.sp, 0x10);
	assert_int_equal(r.pc, 0x101);
}

/* After push %rbp, rbp is still the caller's: its frame is taken for that of this function. */
static void prologues_are_wrong(void **state)
{
	struct unwind_image image = image_of(UNWIND_X86_64);
	struct unwind_regs r = regs_at(0x1001, 0x8);

	fill();
	r.inner = true;
	r.reg[6] = 0x40;
	r.known[6] = true;
	assert_int_equal(unwind_step(&image, &r, &diag), 1);
	assert_int_equal(r.pc, 0x109);
	assert_int_not_equal(r.pc, stack[2]);
}

static void fails(enum unwind_arch arch, struct unwind_regs r, int err, const char *text)
{
	struct unwind_image image = image_of(arch);
	struct unwind_regs before = r;

	diag = (struct diag){ 0 };
	assert_int_equal(unwind_step(&image, &r, &diag), err);
	assert_string_equal(diag.text, text);
	assert_memory_equal(&r, &before, sizeof(r));
}

static void failures_are_named(void **state)
{
	struct unwind_regs r;

	fill();
	fails(UNWIND_X86_64, regs_at(0x800, 0), -ENOENT, "no entry covers 0x1003fc800");
	fails(UNWIND_X86_64, regs_at(0x6001, 0), -ENOENT, "no entry covers 0x100402001");
	fails(UNWIND_X86_64, regs_at(0x5010, 0), -ENOENT, "the encoding is 0 at 0x100401010");
	fails(UNWIND_X86_64, regs_at(0x4010, 0), -EOPNOTSUPP, "only __eh_frame covers 0x100400010");
	fails(UNWIND_X86_64, regs_at(0x1010, 0), -ENODATA, "the frame pointer is not known");
	fails(UNWIND_X86_64, regs_at(0x2010, 0x70), -EFAULT, "the stack has no word at 0x88");
	fails(UNWIND_X86_64, regs_at(0x2010, UINT64_MAX - 7), -EBADMSG,
	      "the stack does not go up");
	r = regs_at(0x1010, 0x38);
	r.reg[6] = 0x20;
	r.known[6] = true;
	fails(UNWIND_X86_64, r, -EBADMSG, "the stack does not go up");
	section[20] = 0x03054400;
	fails(UNWIND_X86_64, regs_at(0x3010, 0), -EFAULT,
	      "the size of a frame is in code that is not there");
	section[16] = 0x09000000;
	fails(UNWIND_X86_64, regs_at(0x1010, 0), -EBADMSG, "a mode that x86 does not have");
	section[16] = 0x02001000;
	fails(UNWIND_ARM64, regs_at(0x1010, 0), -ENODATA, "the link register is not known");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks_a_stack_of_arm64),
		cmocka_unit_test(steps_on_x86_64),
		cmocka_unit_test(steps_on_x86),
		cmocka_unit_test(callers_are_asked_for_their_call),
		cmocka_unit_test(prologues_are_wrong),
		cmocka_unit_test(failures_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
