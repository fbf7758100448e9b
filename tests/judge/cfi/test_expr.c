// SPDX-License-Identifier: GPL-2.0-only
/* Tests expressions that are recognised, and some that nearly are. */
#include "maker.h"
#include "sframe/cfi_expr.h"

static void check(const u8 *bytes, u32 len, bool has_cfa, struct cfi_expr want)
{
	/* a copy of the exact size, so that the sanitizer sees reads beyond it */
	u8 *copy = malloc(len + !len);
	struct cfi_expr got;

	if (len)
		memcpy(copy, bytes, len);
	got = cfi_expr_read(copy, len, has_cfa);
	free(copy);
	assert_int_equal(got.kind, want.kind);
	assert_int_equal(got.deref, want.deref);
	assert_int_equal(got.plt, want.plt);
	assert_int_equal(got.reg, want.reg);
	assert_int_equal(got.off, want.off);
	assert_int_equal(got.add, want.add);
}

#define REG(n, o) ((struct cfi_expr){ .kind = CFI_EXPR_REG, .reg = n, .off = o })
#define REG_DEREF(n, o, k) ((struct cfi_expr){ .kind = CFI_EXPR_REG, .deref = true, \
					       .reg = n, .off = o, .add = k })
#define CFA(o) ((struct cfi_expr){ .kind = CFI_EXPR_CFA, .off = o })
#define CFA_DEREF(o, k) ((struct cfi_expr){ .kind = CFI_EXPR_CFA, .deref = true, \
					    .off = o, .add = k })
#define OTHER ((struct cfi_expr){ .kind = CFI_EXPR_OTHER })

static void test_registers(void **state)
{
	check(P(0x77, 8), false, REG(7, 8));
	check(P(0x77, 0x78), false, REG(7, -8));
	check(P(0x92, 33, 8), false, REG(33, 8));
	check(P(0x92, 0x80, 0x80, 4, 8), false, OTHER);
	/* saved at rsp + 160 in a signal frame: the CFA below is not used */
	check(P(0x77, 0xa0, 1), true, REG(7, 160));
}

static void test_derefs(void **state)
{
	/* __restore_rt's CFA; a frame that realigned its stack; libcrypto's */
	check(P(0x77, 0xa0, 1, 6), false, REG_DEREF(7, 160, 0));
	check(P(0x76, 0x78, 6), false, REG_DEREF(6, -8, 0));
	check(P(0x77, 0x10, 6, 0x23, 8), false, REG_DEREF(7, 16, 8));
	check(P(0x77, 0x10, 6, 0x38, 0x22), false, REG_DEREF(7, 16, 8));
	check(P(0x77, 0x10, 6, 0x38, 0x1c), false, REG_DEREF(7, 16, -8));
	check(P(0x77, 0x10, 6, 6), false, OTHER);
}

static void test_sums(void **state)
{
	check(P(0x77, 8, 0x23, 8), false, REG(7, 16));
	check(P(0x77, 8, 0x38, 0x22), false, REG(7, 16));
	check(P(0x38, 0x77, 8, 0x22), false, REG(7, 16));
	check(P(0x38, 0x77, 0x10, 6, 0x22), false, REG_DEREF(7, 16, 8));
	check(P(0x77, 8, 0x11, 0x78, 0x22), false, REG(7, 0));
	check(P(0x77, 8, 0x09, 0xf8, 0x22), false, REG(7, 0));
	check(P(0x77, 8, 0x0b, 0xf8, 0xff, 0x22), false, REG(7, 0));
	check(P(0x77, 8, 0x0d, 0xf8, 0xff, 0xff, 0xff, 0x22), false, REG(7, 0));
	check(P(0x77, 8, 0x0f, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x22),
	      false, REG(7, 0));
	check(P(0x77, 8, 0x08, 0xf8, 0x22), false, REG(7, 256));
	check(P(0x77, 8, 0x0a, 0xf8, 0, 0x22), false, REG(7, 256));
	check(P(0x77, 8, 0x0c, 0xf8, 0, 0, 0, 0x22), false, REG(7, 256));
	check(P(0x77, 8, 0x0e, 0xf8, 0, 0, 0, 0, 0, 0, 0, 0x22), false, REG(7, 256));
	check(P(0x77, 8, 0x10, 0xf8, 1, 0x22, 0x96), false, REG(7, 256));
	/* sums of two registers, and numbers that do not fit */
	check(P(0x77, 8, 0x76, 8, 0x22), false, OTHER);
	check(P(0x77, 8, 0x76, 8, 0x1c), false, OTHER);
	check(P(0x38, 0x77, 8, 0x1c), false, OTHER);
	check(P(0x77, 8, 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x22),
	      false, OTHER);
	check(P(0x77, 8, 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x22),
	      false, OTHER);
	check(P(0x77, 8, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x1c), false, OTHER);
}

static void test_cfa(void **state)
{
	check(P(0x23, 8), true, CFA(8));
	check(P(0x38, 0x1c), true, CFA(-8));
	check(P(0x38, 0x1c, 6), true, CFA_DEREF(-8, 0));
	check(P(0x38, 0x1c, 6, 0x23, 16), true, CFA_DEREF(-8, 16));
	check(P(0x9c, 0x23, 8), true, CFA(8));
	check(NULL, 0, true, CFA(0));
	/* a CFA that is defined by the CFA */
	check(P(0x9c, 0x23, 8), false, OTHER);
	check(P(0x23, 8), false, OTHER);
}

static void test_plt(void **state)
{
	u8 n, plt[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
	u8 broken[sizeof(plt)];
	u32 i;

	for (n = 0; n < 16; n++) {
		plt[6] = (u8)(0x30 + n);
		check(plt, sizeof(plt), false,
		      (struct cfi_expr){ .kind = CFI_EXPR_PLT, .plt = n });
	}
	plt[6] = 0x40;
	check(plt, sizeof(plt), false, OTHER);
	plt[6] = 0x2f;
	check(plt, sizeof(plt), false, OTHER);
	plt[6] = 0x3b;
	check(plt, sizeof(plt), true, OTHER);
	check(plt, sizeof(plt) - 1, false, OTHER);
	for (i = 0; i < sizeof(plt); i++) {
		if (i == 6)
			continue;
		memcpy(broken, plt, sizeof(plt));
		broken[i]++;
		check(broken, sizeof(broken), false, OTHER);
	}
}

static void test_other(void **state)
{
	u32 op;

	check(NULL, 0, false, OTHER);
	check(P(0x38), false, OTHER);			/* only a number */
	check(P(0x38, 6), false, OTHER);		/* memory at a fixed address */
	check(P(6), false, OTHER);
	check(P(0x22), false, OTHER);
	check(P(0x1c), false, OTHER);
	check(P(0x22), true, OTHER);
	check(P(0x77), false, OTHER);			/* cut */
	check(P(0x77, 0x80), false, OTHER);
	check(P(0x77, 8, 0x23), false, OTHER);
	check(P(0x77, 8, 0x0e, 1, 2), false, OTHER);
	check(P(0x30, 0x30, 0x30, 0x30, 0x77, 8), false, OTHER);	/* deep */
	for (op = 0; op < 256; op++) {
		u8 bytes[] = { 0x77, 8, (u8)op };

		/* skip operations that do not change the value, or need no operand */
		if (op == 0x06 || op == 0x96 || (op >= 0x30 && op <= 0x4f))
			continue;
		check(bytes, sizeof(bytes), false, OTHER);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_derefs),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_cfa),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_other),
	};

	return cmocka_run_group_tests_name("cfi/expr", tests, NULL, NULL);
}
