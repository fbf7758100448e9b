// SPDX-License-Identifier: GPL-2.0-only
/* Functions without names, from this program's own .eh_frame. */
#include "support.h"

#include <errno.h>
#include <inttypes.h>

#include "symbols/convert/from_cfi.h"
#include "formats/gsym/part.h"

#define SELF "/proc/self/exe"

extern const char __ehdr_start;

/* Two neighbouring functions, of which one will have a name. */
static noinline int first(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

static noinline int second(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 2;
}

static uint64_t link_address(int (*function)(int))
{
	return (uintptr_t)function - (uintptr_t)&__ehdr_start;
}

static const struct gsym_added *find(const struct gsym_part *part, uint64_t addr)
{
	size_t i;

	for (i = 0; i < part->nr_funcs; i++)
		if (part->funcs[i].start <= addr && part->funcs[i].end > addr)
			return &part->funcs[i];
	return NULL;
}

static void add(struct gsym_part *part, const char *name, uint64_t start, uint64_t end)
{
	struct gsym_new_function f = { .range = { start, end } };

	assert_int_equal(gsym_part_string(part, name, strlen(name), &f.name), 0);
	assert_int_equal(gsym_part_add(part, &f), 0);
}

static void nothing_is_named(void **state)
{
	struct gsym_part *part = gsym_part_new();
	uint64_t nr, at = link_address(first);
	const struct gsym_added *f;
	char name[32];

	assert_int_equal(first(second(1)), 4);
	assert_int_equal(gsym_from_cfi(SELF, part, &nr, NULL), 0);
	assert_true(nr > 2 && nr == part->nr_funcs);
	f = find(part, at);
	assert_non_null(f);
	assert_int_equal(f->start, at);
	snprintf(name, sizeof(name), "+%#" PRIx64, at);
	assert_string_equal(gsym_part_text(part, f->name), name);
	assert_ptr_not_equal(find(part, link_address(second)), f);
	gsym_part_free(part);
}

/* The number of unnamed functions beside one that is called "it" and has these addresses. */
static uint64_t beside(uint64_t start, uint64_t end, bool first_has_it)
{
	struct gsym_part *part = gsym_part_new();
	const struct gsym_added *f;
	uint64_t nr;

	add(part, "it", start, end);
	assert_int_equal(gsym_from_cfi(SELF, part, &nr, NULL), 0);
	assert_int_equal(part->nr_funcs, nr + 1);
	f = find(part, link_address(first) + 2);
	if (first_has_it)
		assert_true(!f || f == part->funcs);
	else
		assert_ptr_not_equal(f, part->funcs);
	f = find(part, link_address(second));
	assert_non_null(f);
	assert_int_equal(gsym_part_text(part, f->name)[0], GSYM_UNNAMED);
	gsym_part_free(part);
	return nr;
}

static void names_come_first(void **state)
{
	uint64_t at = link_address(first), all = beside(1, 2, false);

	/* the whole function, a part of it, and a byte of it without a size */
	assert_int_equal(beside(at, at + 1, true), all - 1);
	assert_int_equal(beside(at + 1, at + 2, true), all - 1);
	assert_int_equal(beside(at, at, true), all - 1);
	assert_int_equal(beside(at + 1, at + 1, true), all - 1);
	/* the last possible address */
	assert_int_equal(beside(UINT64_MAX, UINT64_MAX, false), all);
}

static void no_cfi(void **state)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	uint64_t nr = 1;

	assert_int_equal(gsym_from_cfi("/dev/null", part, &nr, &diag), 0);
	assert_int_equal(nr, 0);
	assert_int_equal(gsym_from_cfi("/nonexistent", part, &nr, &diag), 0);
	assert_int_equal(part->nr_funcs, 0);
	gsym_part_free(part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_named),
		cmocka_unit_test(names_come_first),
		cmocka_unit_test(no_cfi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
