// SPDX-License-Identifier: GPL-2.0-only
/* Programs that only their owner may read get tables, too. */
#include "support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supply/section.h"

/* A copy of this program that only its owner can open; it has no name. */
static int private_copy(void)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
	char bytes[65536];
	ssize_t n;

	assert_true(from >= 0 && to >= 0);
	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		assert_int_equal(write(to, bytes, (size_t)n), n);
	assert_int_equal(n, 0);
	close(from);
	return to;
}

/* The process that reads the file has no rights, not even root's, but only the descriptor. */
static void a_private_file(void **state)
{
	const struct supply_order order = { NULL, SUPPLY_MAY_BE_LARGE | SUPPLY_IN_JAIL };
	struct supply_file f = { .fd = private_copy(), .path = "private" };
	struct cache_entry e = CACHE_ENTRY_INIT;
	struct supply_result result = { 0 };
	enum ustack_reason reason;

	assert_int_equal(fstat(f.fd, &f.st), 0);
	assert_int_equal(supply_file_headers(&f, &reason), SUPPLY_CACHED);
	supply_section(&order, &f, &e, &result);
	assert_string_equal(result.text, "");
	assert_non_null(e.bytes);
	assert_true(e.functions > 100);
	cache_entry_release(&e);
	supply_file_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_private_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
