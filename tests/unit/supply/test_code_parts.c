// SPDX-License-Identifier: GPL-2.0-only
/* Tables in parts: each address has the rule that it has in a table that is not divided. */
#include "support.h"

#include "sframe/encode.h"
#include "sframe/func.h"
#include "supply/code.h"
#include "util/cleanup.h"

#define BASE 0x10000u
#define STEP 64u
#define FUNCS 1000u
/* a function ends before the next one begins */
#define SIZE 48u

static const struct ustack_elf elf = {
	.arch = &ustack_arch_x86_64, .nr_segments = 1, .nr_text = 1,
	.segments = { { .off = BASE, .vaddr = BASE, .filesz = STEP * FUNCS, .exec = true } },
	.text = { { BASE, BASE + STEP * FUNCS } },
};

static struct sframe_encoded section = SFRAME_ENCODED_INIT;

static void by_sp(struct sframe_row *row, u32 start, s32 off)
{
	*row = (struct sframe_row){
		.start = start,
		.rule = { .cfa = USTACK_OP_SP, .cfa_off = off, .ra = USTACK_OP_CFA | USTACK_OP_DEREF, .ra_off = -8 },
	};
}

/* Functions of two rows, whose second rules differ. */
static int make_section(void **state)
{
	static const struct sframe_format format = { .arch = &ustack_arch_x86_64, .version = 3 };
	static struct sframe_func func[FUNCS];
	static struct sframe_row row[FUNCS][2];
	u32 i;

	for (i = 0; i < FUNCS; i++) {
		by_sp(&row[i][0], 0, 8);
		by_sp(&row[i][1], 1 + i % 32, 16 + 8 * (s32)(i % 50));
		func[i] = (struct sframe_func){
			.start = BASE + STEP * i, .size = SIZE, .nr_rows = 2, .rows = row[i],
		};
	}
	return sframe_encode(&format, func, FUNCS, NULL, &section, NULL);
}

static int drop_section(void **state)
{
	sframe_encoded_release(&section);
	return 0;
}

static struct code *make(u64 most, enum ustack_reason *why)
{
	return code_of_section(section.bytes, section.len, 0, &elf, most, why);
}

static s32 offset_at(const struct code *c, u64 addr)
{
	const struct ustack_rule *rule;
	unsigned int i = c->nr_tables;

	while (i-- > 1 && addr < c->from[i])
		;
	rule = ustack_lookup(c->tables[i], addr - c->tables[i]->base);
	return rule ? rule->cfa_off : 0;
}

static void same_rules(const struct code *a, const struct code *b)
{
	u64 addr;

	for (addr = BASE - STEP; addr < BASE + STEP * (FUNCS + 1); addr++)
		assert_int_equal(offset_at(a, addr), offset_at(b, addr));
}

static void check_parts(const struct code *whole, const struct code *c, u64 most)
{
	unsigned int i;

	assert_int_equal(c->from[0], BASE);
	for (i = 0; i < c->nr_tables; i++) {
		assert_true(c->tables[i]->size <= most);
		assert_true(!i || c->from[i] > c->from[i - 1]);
		assert_int_equal((uintptr_t)c->tables[i] % 8, 0);
	}
	assert_int_equal(c->covered, whole->covered);
	assert_int_equal(c->nr_segments, 1);
	same_rules(whole, c);
}

static void a_table_in_parts(void **state)
{
	_cleanup_(cleanup_free) struct code *whole = NULL, *c = NULL;
	enum ustack_reason why;
	unsigned int nr = 1;
	u64 most;

	whole = make(0, &why);
	assert_non_null(whole);
	assert_int_equal(whole->nr_tables, 1);
	assert_ptr_equal(whole->tables[0], &whole->table);
	assert_int_equal(offset_at(whole, BASE + STEP * 7), 8);
	assert_int_equal(offset_at(whole, BASE + STEP * 7 + 8), 16 + 8 * 7);
	for (most = whole->table.size; (c = make(most, &why)); most -= 64) {
		/* as few parts as possible, and each number of them */
		assert_in_range(c->nr_tables, nr, nr + 1);
		nr = c->nr_tables;
		check_parts(whole, c, most);
		free(c);
	}
	assert_int_equal(nr, CODE_MAX_TABLES);
	assert_int_equal(why, USTACK_TOO_LARGE);
}

static void too_many_parts(void **state)
{
	_cleanup_(cleanup_free) struct code *whole = NULL;
	enum ustack_reason why;

	whole = make(0, &why);
	assert_non_null(whole);
	assert_null(make(whole->table.size / (CODE_MAX_TABLES + 1), &why));
	assert_int_equal(why, USTACK_TOO_LARGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_in_parts),
		cmocka_unit_test(too_many_parts),
	};

	return cmocka_run_group_tests(tests, make_section, drop_section);
}
