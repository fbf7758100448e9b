// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a segment: the search for heads of later records after damage, wherever they are,
 * so that no readable record is cut off; and the last definitions, which are the dictionary for
 * compressing the next ones and a part of the format.
 */
#include "store_random.h"

#include <fcntl.h>

#include "serve/store/limits.h"
#include "serve/store/segment.h"

enum { NUMBER = 7 };

/*
 * A segment with a header, @damage bytes that are not a record, and the head of record @record.
 */
static void make_segment(const char *dir, size_t damage, uint32_t record)
{
	const struct store_segment g = { .number = NUMBER };
	const struct store_head h = { .time_ns = BEGIN };
	uint8_t header[STORE_HEADER_BYTES], head[STORE_HEAD_BYTES];
	char path[400];
	FILE *out;

	store_header_put(&g, header);
	store_head_put(&g, record, &h, head);
	snprintf(path, sizeof(path), "%s/0000000000000007.seg", dir);
	out = fopen(path, "w");
	assert_int_equal(fwrite(header, 1, sizeof(header), out), sizeof(header));
	while (damage--)
		fputc('U', out);
	assert_int_equal(fwrite(head, 1, sizeof(head), out), sizeof(head));
	assert_int_equal(fclose(out), 0);
}

static int64_t later(size_t damage, uint32_t record)
{
	struct store_segment *s;
	char *dir = make_dir();
	int fd = open(dir, O_RDONLY | O_DIRECTORY);
	int64_t ret;

	make_segment(dir, damage, record);
	assert_int_equal(store_segment_open(fd, dir, NUMBER, O_RDONLY, &s, NULL), 0);
	assert_int_equal(s->end, STORE_HEADER_BYTES);
	ret = store_segment_later(s);
	store_segment_free(s);
	close(fd);
	remove_dir(dir);
	return ret;
}

/* The head is the last in the file; it is searched for in pieces of 1 MiB. */
static void test_later(void **state)
{
	enum { PIECE = 1 << 20 };
	static const size_t damages[] = {
		0, 1, 5, PIECE - 129, PIECE - 128, PIECE - 65, PIECE - 64, PIECE - 63, PIECE - 1, PIECE,
		PIECE + 1, 2 * PIECE - 128, 2 * PIECE - 63, 2 * PIECE - 1, 2 * PIECE + 3,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(damages); i++) {
		assert_int_equal(later(damages[i], 1), STORE_HEADER_BYTES + damages[i]);
		assert_int_equal(later(damages[i], UINT32_MAX), STORE_HEADER_BYTES + damages[i]);
		/* the missing record itself does not count as a later one */
		assert_int_equal(later(damages[i], 0), 0);
	}
}

/* The last bytes of all definitions, whatever the pieces were. */
static void test_tail(void **state)
{
	static const size_t pieces[] = {
		0, 1, 100, 70000, STORE_TAIL_BYTES - 70102, 1, 0, 5, STORE_TAIL_BYTES / 2,
		STORE_TAIL_BYTES - 1, 1, STORE_TAIL_BYTES, 3, STORE_TAIL_BYTES + 1, 200000, 200000,
		2 * STORE_TAIL_BYTES + 7, 12,
	};
	struct store_segment g = { .number = NUMBER };
	uint8_t *all = malloc(4u << 20);
	size_t len = 0, want, i, k;

	for (i = 0; i < ARRAY_SIZE(pieces); i++) {
		assert_true(len + pieces[i] <= 4u << 20);
		for (k = 0; k < pieces[i]; k++)
			all[len + k] = (uint8_t)random_below(256);
		assert_int_equal(store_segment_remember(&g, all + len, pieces[i]), 0);
		len += pieces[i];
		want = len < STORE_TAIL_BYTES ? len : STORE_TAIL_BYTES;
		assert_int_equal(g.tail.len, want);
		assert_memory_equal(g.tail.at, all + len - want, want);
	}
	buffer_release(&g.tail);
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_tail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
