// SPDX-License-Identifier: GPL-2.0-only
/* Steps by __eh_frame sections that are made here, and expressions. */
#include "bytes.h"

#include <dwarf.h>
#include <errno.h>

#include "darwin/eh_expr.h"
#include "darwin/eh_frame.h"
#include "sframe/cfi.h"

#define VADDR 0x5000u
#define FUNCTION 0x1000u
#define BASE 0x7000000000ull

static struct bytes section;
static uint64_t stack[32];
static struct diag diag;

/* A length, and padding to a multiple of 4. Return: start of its entry. */
static u32 begin(void)
{
	u32 at = section.len;

	bytes_le(&section, 0, 4);
	return at;
}

static void end(u32 at)
{
	u32 len;

	while (section.len % 4)
		bytes_le(&section, DW_CFA_nop, 1);
	len = section.len - at - 4;
	memcpy(section.p + at, &len, 4);
}

static u32 cie(const char *augmentation, u8 data_align, u8 ra, const u8 *program, u32 len)
{
	u32 at = begin();

	bytes_le(&section, 0, 4);
	bytes_le(&section, 1, 1);
	bytes_put(&section, augmentation, (u32)strlen(augmentation) + 1);
	bytes_le(&section, 1, 1);
	bytes_le(&section, data_align, 1);
	bytes_le(&section, ra, 1);
	bytes_le(&section, 1, 1);
	bytes_le(&section, DW_EH_PE_pcrel | DW_EH_PE_absptr, 1);
	bytes_put(&section, program, len);
	end(at);
	return at;
}

static u32 fde(u32 of, u32 word, u64 start, u32 size, const u8 *program, u32 len)
{
	u32 at = begin();

	bytes_le(&section, section.len - of, 4);
	bytes_le(&section, start - (VADDR + section.len), word);
	bytes_le(&section, size, word);
	bytes_le(&section, 0, 1);
	bytes_put(&section, program, len);
	end(at);
	return at;
}

static bool word_64(void *arg, uint64_t addr, uint64_t *ret)
{
	if (addr % 8 || addr / 8 >= 32)
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

static struct macho_image image;

static struct eh_frame *open_section(enum unwind_arch arch)
{
	struct eh_frame *eh = NULL;

	image = (struct macho_image){
		.m.path = "file", .arch = arch, .eh = section.p, .eh_len = section.len,
		.eh_addr = VADDR,
	};
	assert_int_equal(eh_frame_new(&image, &eh, &diag), 0);
	return eh;
}

static struct unwind_image process(enum unwind_arch arch)
{
	return (struct unwind_image){ .arch = arch, .path = "file", .base = BASE,
				      .word = arch == UNWIND_X86 ? word_32 : word_64 };
}

static void fill(void)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		stack[i] = 0x100 + i;
}

/* In __eh_frame of Darwin, 4 is ebp and 5 is esp. */
static void numbers_of_x86_are_darwins(void **state)
{
	static const u8 initial[] = { DW_CFA_def_cfa, 5, 4, DW_CFA_offset | 8, 1 };
	static const u8 program[] = { DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 8,
				      DW_CFA_offset | 4, 2, DW_CFA_advance_loc | 2,
				      DW_CFA_def_cfa_register, 4, DW_CFA_offset | 3, 3 };
	struct unwind_image p = process(UNWIND_X86);
	struct unwind_regs r = { .sp = 0x10, .inner = true };
	uint32_t *word = (uint32_t *)stack;
	struct eh_frame *eh;
	unsigned int i;

	p.base = 0x10000;
	section.len = 0;
	fde(cie("zR", 0x7c, 8, initial, sizeof(initial)), 4, FUNCTION, 0x20, program,
	    sizeof(program));
	eh = open_section(UNWIND_X86);
	for (i = 0; i < 64; i++)
		word[i] = 0x200 + i;
	/* nothing is pushed yet */
	r.pc = 0x10000 + FUNCTION;
	r.reg[5] = 0x20;
	r.known[5] = true;
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), 1);
	assert_int_equal(r.pc, 0x204);
	assert_int_equal(r.sp, 0x14);
	assert_int_equal(r.reg[5], 0x20);
	assert_true(r.known[5]);
	/* by ebp, of a caller */
	r.pc = 0x10000 + FUNCTION + 8;
	r.known[0] = true;
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), 1);
	assert_int_equal(r.sp, 0x28);
	assert_int_equal(r.pc, 0x209);
	assert_int_equal(r.reg[5], 0x208);
	assert_int_equal(r.reg[3], 0x207);
	assert_false(r.known[0]);
	assert_false(r.inner);
	eh_frame_free(eh);
}

/* As _sigtramp() does it: rbx points to a pointer to the interrupted registers. */
static void signals_interrupt(void **state)
{
	static const u8 initial[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 };
	static const u8 program[] = {
		DW_CFA_def_cfa_expression, 6, DW_OP_breg3, 8, DW_OP_deref, DW_OP_plus_uconst,
		0x10, DW_OP_deref,
		DW_CFA_expression, 16, 5, DW_OP_breg3, 8, DW_OP_deref, DW_OP_plus_uconst, 0x18,
		DW_CFA_expression, 3, 5, DW_OP_breg3, 8, DW_OP_deref, DW_OP_plus_uconst, 0x20,
		DW_CFA_expression, 0, 5, DW_OP_breg3, 8, DW_OP_deref, DW_OP_plus_uconst, 0x28,
		DW_CFA_undefined, 1, DW_CFA_same_value, 12, DW_CFA_register, 13, 3,
		DW_CFA_val_offset, 14, 2,
	};
	struct unwind_image p = process(UNWIND_X86_64);
	struct unwind_regs r = { .pc = BASE + FUNCTION + 2, .sp = 0xf0 };
	struct eh_frame *eh;

	section.len = 0;
	fde(cie("zRS", 0x78, 16, initial, sizeof(initial)), 8, FUNCTION, 0x20, program,
	    sizeof(program));
	eh = open_section(UNWIND_X86_64);
	fill();
	stack[3] = 0x40;
	stack[10] = 0x80;	/* the interrupted stack was below that of the handler */
	r.reg[3] = 0x10;
	r.known[3] = r.known[1] = r.known[12] = true;
	r.reg[12] = 12;
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), 1);
	assert_int_equal(r.sp, 0x80);
	assert_int_equal(r.pc, 0x10b);
	assert_int_equal(r.reg[3], 0x10c);
	assert_int_equal(r.reg[0], 0x10d);
	assert_true(r.known[0]);
	assert_false(r.known[1]);
	assert_int_equal(r.reg[12], 12);
	assert_int_equal(r.reg[13], 0x10);
	assert_int_equal(r.reg[14], 0x80 - 16);
	assert_true(r.inner);
	eh_frame_free(eh);
}

static void hints_are_proven(void **state)
{
	static const u8 initial[] = { DW_CFA_def_cfa, 31, 0 };
	static const u8 program[] = { DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 1,
				      DW_CFA_offset | 29, 2 };
	struct unwind_image p = process(UNWIND_ARM64);
	const struct unwind_regs from = { .pc = BASE + FUNCTION + 0x28, .sp = 0x10 };
	u32 first, second, of, hint;
	struct unwind_regs r;
	struct eh_frame *eh;
	struct cfi_fde found;

	section.len = 0;
	of = cie("zR", 0x78, 30, initial, sizeof(initial));
	first = fde(of, 8, FUNCTION, 0x20, NULL, 0);
	second = fde(of, 8, FUNCTION + 0x20, 0x20, program, sizeof(program));
	eh = open_section(UNWIND_ARM64);
	fill();
	p.strip = 0xffff;
	stack[3] = 0x5a0103;
	/*
	 * the right offset, another entry's, 0, a CIE, inside an entry, after the end: all find
	 * the same
	 */
	for (hint = 0; hint < section.len + 8; hint++) {
		r = from;
		assert_int_equal(eh_frame_step(eh, &p, hint, &r, &diag), 1);
		assert_int_equal(r.pc, 0x103);
		assert_int_equal(r.reg[29], 0x102);
		assert_int_equal(r.sp, 0x20);
	}
	assert_int_equal(eh_frame_find(eh, FUNCTION + 0x3f, first, &found, &diag), 0);
	assert_int_equal(found.offset, second);
	assert_int_equal(eh_frame_find(eh, FUNCTION + 0x40, second, &found, &diag), -ENOENT);
	assert_string_equal(diag.text, "__eh_frame has no entry for 0x1040");
	/* the first function is a leaf: its return address is still in its register */
	r = (struct unwind_regs){ .pc = BASE + FUNCTION, .sp = 0x10, .inner = true };
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), -ENODATA);
	r.has_lr = true;
	r.lr = 0x777;
	/* a function that has called another one has a different address there */
	r.inner = false;
	r.pc++;
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), -ENODATA);
	r.inner = true;
	r.pc--;
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), 1);
	assert_int_equal(r.pc, 0x777);
	assert_int_equal(r.sp, 0x10);
	assert_false(r.has_lr);
	eh_frame_free(eh);
}

static void check_failure(const u8 *program, u32 len, uint64_t sp, int err, const char *text)
{
	static const u8 initial[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 };
	struct unwind_image p = process(UNWIND_X86_64);
	struct unwind_regs r = { .pc = BASE + FUNCTION + 2, .sp = sp }, before = r;
	struct eh_frame *eh;

	section.len = 0;
	fde(cie("zR", 0x78, 16, initial, sizeof(initial)), 8, FUNCTION, 0x20, program, len);
	eh = open_section(UNWIND_X86_64);
	fill();
	diag = (struct diag){ .offset = 0 };
	assert_int_equal(eh_frame_step(eh, &p, 0, &r, &diag), err);
	assert_string_equal(diag.text, text);
	assert_memory_equal(&r, &before, sizeof(r));
	eh_frame_free(eh);
}

#define FAILURE(sp, err, text, ...)                                      \
	check_failure((const u8[]){ __VA_ARGS__ },                       \
		      sizeof((const u8[]){ __VA_ARGS__ }), sp, err, text)

static void failures_are_named(void **state)
{
	FAILURE(0x10, 0, "", DW_CFA_undefined, 16);
	FAILURE(0x1000, -EFAULT, "the stack has no word at 0x1000", DW_CFA_nop);
	FAILURE(0x10, -EBADMSG, "the stack does not go up", DW_CFA_def_cfa_offset, 0);
	FAILURE(0x10, -ENODATA, "0x1001 needs a register that is not known",
		DW_CFA_def_cfa_register, 3);
	FAILURE(0x10, -ENODATA, "0x1001 needs a register that is not known",
		DW_CFA_same_value, 16);
	FAILURE(0x10, -ENODATA, "0x1001: an expression needs a register that is not known",
		DW_CFA_def_cfa_expression, 2, DW_OP_breg3, 0);
	FAILURE(0x10, -EBADMSG, "0x1001: an expression does not end",
		DW_CFA_def_cfa_expression, 3, DW_OP_skip, 0xfd, 0xff);
	/* a damaged entry covers nothing */
	FAILURE(0x10, -ENOENT, "__eh_frame has no entry for 0x1001", 0x3f);
}

static bool reg(void *arg, uint64_t n, uint64_t *ret)
{
	*ret = 0x10 * n;
	return n < 8;
}

static int64_t eval_as(unsigned int word, const u8 *bytes, u32 len, int want)
{
	struct eh_expr_env env = { .word = word, .reg = reg, .read = word_64 };
	u8 *copy = malloc(len);
	const char *why;
	uint64_t ret = 0, first = 0x77;
	int err;

	memcpy(copy, bytes, len);
	err = eh_expr_eval(copy, len, &env, &first, &ret, &why);
	free(copy);
	assert_int_equal(err, want);
	assert_int_equal(why != NULL, want != 0);
	return (int64_t)ret;
}

#define EVAL(...) \
	eval_as(8, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }), 0)
#define EVAL_32(...) \
	eval_as(4, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }), 0)
#define REFUSED(err, ...) \
	eval_as(8, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }), err)

static void expressions_have_values(void **state)
{
	fill();
	assert_int_equal(EVAL(DW_OP_nop), 0x77);
	assert_int_equal(EVAL(DW_OP_lit5, DW_OP_minus), 0x72);
	assert_int_equal(EVAL(DW_OP_breg2, 0x78), 0x18);
	assert_int_equal(EVAL(DW_OP_bregx, 3, 8, DW_OP_lit2, DW_OP_mul), 0x70);
	assert_int_equal(EVAL(DW_OP_lit8, DW_OP_deref), 0x101);
	assert_int_equal(EVAL(DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_lt), 1);
	assert_int_equal(EVAL(DW_OP_const2u, 0x34, 0x12), 0x1234);
	assert_int_equal(EVAL(DW_OP_const4s, 0xff, 0xff, 0xff, 0xff), -1);
	assert_int_equal(EVAL(DW_OP_lit7, DW_OP_neg, DW_OP_lit2, DW_OP_div), -3);
	assert_int_equal(EVAL(DW_OP_lit7, DW_OP_neg, DW_OP_lit1, DW_OP_shra), -4);
	assert_int_equal(EVAL(DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl), 0);
	assert_int_equal(EVAL(DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop), 1);
	assert_int_equal(EVAL(DW_OP_lit1, DW_OP_lit2, DW_OP_swap, DW_OP_minus), 1);
	assert_int_equal(EVAL(DW_OP_lit9, DW_OP_lit2, DW_OP_pick, 1), 9);
	assert_int_equal(EVAL(DW_OP_lit9, DW_OP_lit2, DW_OP_over, DW_OP_mod), 2);
	/* as in ld's PLT: 8 more from byte 11 on */
	assert_int_equal(EVAL(DW_OP_lit12, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge,
			      DW_OP_lit3, DW_OP_shl), 8);
	/* if 0 then skip the 5 */
	assert_int_equal(EVAL(DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit5), 5);
	assert_int_equal(EVAL(DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit5), 0x77);
	assert_int_equal(EVAL_32(DW_OP_lit1, DW_OP_neg), 0xffffffff);
	assert_int_equal(EVAL_32(DW_OP_lit4, DW_OP_neg, DW_OP_lit1, DW_OP_shra), 0xfffffffe);
}

static void expressions_are_refused(void **state)
{
	REFUSED(-EBADMSG, DW_OP_drop, DW_OP_drop);
	REFUSED(-EBADMSG, DW_OP_drop);
	REFUSED(-EBADMSG, DW_OP_const4u, 1);
	REFUSED(-EBADMSG, DW_OP_lit0, DW_OP_div);
	REFUSED(-EBADMSG, DW_OP_pick, 1);
	REFUSED(-EBADMSG, DW_OP_skip, 1, 0);
	REFUSED(-EBADMSG, DW_OP_call_frame_cfa);
	REFUSED(-EBADMSG, DW_OP_dup, DW_OP_skip, 0xfc, 0xff);
	REFUSED(-ENODATA, DW_OP_breg9, 0);
	REFUSED(-ENODATA, DW_OP_lit1, DW_OP_deref);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_x86_are_darwins),
		cmocka_unit_test(signals_interrupt),
		cmocka_unit_test(hints_are_proven),
		cmocka_unit_test(failures_are_named),
		cmocka_unit_test(expressions_have_values),
		cmocka_unit_test(expressions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
