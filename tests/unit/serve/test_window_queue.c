// SPDX-License-Identifier: GPL-2.0-only
/*
 * The retry queue for windows that the store does not accept now, with a store that does what
 * the test says.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/daemon/window_queue.h"

static int refuse;		/* error of store_append() */
static unsigned int after;	/* after it has accepted so many windows */
static uint64_t taken[1000];
static unsigned int nr_taken;

int store_append(struct store *s, const struct profile *window, struct store_position *ret,
		 struct diag *diag)
{
	if (refuse && !after)
		return refuse;
	after -= after != 0;
	taken[nr_taken++] = window->time_ns;
	ret->record = nr_taken;
	return 0;
}

static struct profile *window_at(uint64_t time)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	p->time_ns = time;
	return p;
}

static int set_up(void **state)
{
	refuse = 0;
	after = nr_taken = 0;
	return 0;
}

static void expect_taken(uint64_t first, uint64_t last)
{
	unsigned int i;

	assert_int_equal(nr_taken, last - first + 1);
	for (i = 0; i < nr_taken; i++)
		assert_int_equal(taken[i], first + i);
}

static void test_order(void **state)
{
	struct window_queue k = { 0 };
	uint64_t t;

	for (t = 1; t <= 10; t++) {
		refuse = t >= 3 && t < 8 ? -ENOSPC : 0;
		assert_int_equal(window_queue_add(&k, window_at(t), NULL), refuse);
		assert_int_equal(k.nr_waiting, refuse ? t - 2 : 0);
	}
	expect_taken(1, 10);
	assert_int_equal(k.failures, 5);
	assert_int_equal(k.dropped, 0);
	assert_int_equal(k.end.record, 10);
	window_queue_release(&k);
}

/* The disk becomes full again during the retries. */
static void test_some(void **state)
{
	struct window_queue k = { 0 };
	uint64_t t;

	refuse = -ENOSPC;
	for (t = 1; t <= 5; t++)
		window_queue_add(&k, window_at(t), NULL);
	after = 3;
	assert_int_equal(window_queue_add(&k, window_at(6), NULL), -ENOSPC);
	assert_int_equal(k.nr_waiting, 3);
	refuse = 0;
	window_queue_release(&k);
	expect_taken(1, 6);
	assert_int_equal(k.dropped, 0);
}

static void test_too_long(void **state)
{
	struct window_queue k = { 0 };
	uint64_t t;

	refuse = -EIO;
	for (t = 1; t <= WINDOW_QUEUE_MAX + 5; t++)
		window_queue_add(&k, window_at(t), NULL);
	assert_int_equal(k.dropped, 5);
	assert_int_equal(k.nr_waiting, WINDOW_QUEUE_MAX);
	refuse = 0;
	assert_int_equal(window_queue_add(&k, window_at(t), NULL), 0);
	/* the oldest windows were removed, which also made room for this one */
	expect_taken(7, WINDOW_QUEUE_MAX + 6);
	refuse = -EIO;
	window_queue_add(&k, window_at(t), NULL);
	window_queue_release(&k);
	assert_int_equal(k.dropped, 7);
}

/* A window that no store accepts. */
static void test_too_large(void **state)
{
	struct window_queue k = { 0 };

	refuse = -ENOSPC;
	window_queue_add(&k, window_at(1), NULL);
	window_queue_add(&k, window_at(2), NULL);
	refuse = -EFBIG;
	after = 1;
	assert_int_equal(window_queue_add(&k, window_at(3), NULL), 0);
	assert_int_equal(k.nr_waiting, 0);
	assert_int_equal(k.dropped, 2);
	refuse = 0;
	assert_int_equal(window_queue_add(&k, window_at(4), NULL), 0);
	assert_int_equal(nr_taken, 2);
	assert_int_equal(taken[1], 4);
	window_queue_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order, set_up),
		cmocka_unit_test_setup(test_some, set_up),
		cmocka_unit_test_setup(test_too_long, set_up),
		cmocka_unit_test_setup(test_too_large, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
