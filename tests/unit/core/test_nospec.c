// SPDX-License-Identifier: GPL-2.0-only
/*
 * An index that a process chooses is masked before it is used (Spectre v1): tables are read
 * with the result of the mask, and not with its input. The kernel's mask is
 * array_index_nospec(). The mask of this test returns another index, so that its use is
 * noticed.
 */
#include <stdbool.h>
#include <stdint.h>

#define ustack_nospec(index, size) watch(index, size)

/* The last call, and the index that the mask returns. */
static struct {
	uint64_t index;
	uint64_t size;
	unsigned int nr;
	bool other;
	uint64_t give;
} seen;

static inline uint64_t watch(uint64_t index, uint64_t size)
{
	seen.index = index;
	seen.size = size;
	seen.nr++;
	return seen.other ? seen.give : index;
}

#include "support.h"

#define STACK 0x7ffc00000000ull
#define MAP 0x555500001000ull	/* link-time 0x1000 */

/* The CFA is SP + 8, 16, 24, ... in functions of 64 bytes, each with a stretch of the map. */
static void make_table(struct image *im)
{
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	for (i = 0; i < 8; i++) {
		sf_func(&s, 0x1000 + 64 * i, 64, 0, 0, 0);
		SF_ROW(&s, 0, 3, (u8)(8 + 8 * i));
	}
	assert_reason(image_of(im, &s), USTACK_OK);
	memset(&seen, 0, sizeof(seen));
}

static void lookups_use_the_masked_offset(void **state)
{
	const struct ustack_rule *rule;
	struct image im;

	make_table(&im);
	rule = ustack_lookup(im.table, 70);
	assert_int_equal(rule->cfa_off, 16);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.index, 70);
	assert_int_equal(seen.size, im.table->range);
	seen.other = true;
	seen.give = 200;
	rule = ustack_lookup(im.table, 70);
	assert_int_equal(rule->cfa_off, 32);
	/* a refused index is not used at all */
	assert_null(ustack_lookup(im.table, im.table->range));
	assert_int_equal(seen.nr, 2);
	image_release(&im);
}

static bool read_word(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	return mem->read_u64(mem, addr, ret);
}

static bool store_one(void *to, u64 pc)
{
	*(u64 *)to = pc;
	return true;
}

/* SP after one stride from @pc. */
static u64 stride_from(const struct image *im, struct fake *f, u64 pc)
{
	struct ustack_window w = { im->table, MAP, im->table->range, 0 };
	struct ustack_state s = {
		.pc = pc, .sp = STACK, .exact = true,
		.regs_in = USTACK_REGS_SAMPLE, .scratch_in = USTACK_REGS_SAMPLE,
	};
	u64 last = 0;

	ustack_stride(&w, &s, &f->mem, read_word, store_one, &last);
	return s.sp;
}

static void strides_use_the_masked_offset(void **state)
{
	struct image im;
	struct fake f;
	u32 i;

	make_table(&im);
	fake_init(&f);
	fake_map(&f, STACK, 0x100);
	/* all return addresses are outside the text: a stride is one frame long */
	for (i = 0; i < 0x100; i += 8)
		fake_poke(&f, STACK + i, MAP + 0x100000);
	assert_true(stride_from(&im, &f, MAP + 70) == STACK + 16);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.index, 70);
	assert_int_equal(seen.size, im.table->range);
	seen.other = true;
	seen.give = 200;
	assert_true(stride_from(&im, &f, MAP + 70) == STACK + 32);
	fake_release(&f);
	image_release(&im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lookups_use_the_masked_offset),
		cmocka_unit_test(strides_use_the_masked_offset),
	};

	return cmocka_run_group_tests_name("nospec", tests, NULL, NULL);
}
