// SPDX-License-Identifier: GPL-2.0-only
/* Compact unwinding: the tables of __unwind_info byte by byte, valid and damaged. */
#include <errno.h>
#include <stdio.h>

#include "bytes.h"
#include "darwin/unwind_info.h"

/* A section that ld64.lld 14 made for x86-64, up to the end of its page. */
static const uint32_t linked[] = {
	1, 0x1c, 6, 0x34, 0, 0x34, 2,
	0, 0x03044400, 0x02080000, 0x02061400, 0x02020400, 0x01020021,
	0x550, 0x4c, 0x4c,
	0x7a0, 0, 0x4c,
	3, 0x7000c, 0x28,
	0x04000010, 0x03000030, 0x010000c0, 0x02000110, 0x050001f0, 0x00000250, 0x00000250,
};

/* One of everything: a common encoding, a personality, a compressed page with a palette of
 * one, a regular page, LSDA for both.
 */
enum {
	COMMON = 7,
	PERSONALITY = 8,
	INDEX = 9,
	LSDA = 18,
	PACKED = 24,
	REGULAR = 30,
	WORDS = 36,
};

static const uint32_t whole[WORDS] = {
	1, 4 * COMMON, 1, 4 * PERSONALITY, 1, 4 * INDEX, 3,
	0x04000000,
	0x4008,
	0x1000, 4 * PACKED, 4 * LSDA,
	0x2000, 4 * REGULAR, 4 * LSDA + 16,
	0x3000, 0, 4 * LSDA + 24,
	0x1000, 0x7000, 0x1800, 0x7010, 0x2100, 0x7020,
	/* entries at 12, local encodings at 20 */
	3, 0x2000c, 0x10014, 0x00000000, 0x01000800, 0x54000001,
	/* entries at 8 */
	2, 0x20008, 0x2000, 0x02001000, 0x2100, 0x54000002,
};

static uint32_t words[64];

static int open_words(const uint32_t *from, size_t bytes, struct unwind_info *u, struct diag *d)
{
	static uint8_t *copy;

	free(copy);
	copy = malloc(bytes + !bytes);
	memcpy(copy, from, bytes);
	*d = (struct diag){ 0 };
	return unwind_info_open(copy, bytes, 0x100, "file", u, d);
}

static void open_whole(struct unwind_info *u)
{
	struct diag d;

	assert_int_equal(open_words(whole, sizeof(whole), u, &d), 0);
}

static void expect(const struct unwind_info *u, uint32_t off, uint32_t start, uint32_t end,
		   uint32_t encoding)
{
	struct unwind_entry e;
	struct diag d;

	assert_int_equal(unwind_info_find(u, off, &e, &d), 1);
	assert_int_equal(e.start, start);
	assert_int_equal(e.end, end);
	assert_int_equal(e.encoding, encoding);
}

static void reads_what_was_linked(void **state)
{
	static const uint32_t starts[] = { 0x560, 0x580, 0x610, 0x660, 0x740, 0x7a0, 0x7a0 };
	static const uint32_t encodings[] = { 0x02020400, 0x02061400, 0x03044400, 0x02080000,
					      0x01020021, 0, 0 };
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	struct unwind_info u;
	struct diag d;
	size_t i;

	assert_int_equal(open_words(linked, sizeof(linked), &u, &d), 0);
	for (i = 0; i < 7; i++) {
		assert_int_equal(unwind_info_next(&u, &it, &e, &d), 1);
		assert_int_equal(e.start, starts[i]);
		assert_int_equal(e.end, i < 6 ? starts[i + 1] : 0x7a0);
		assert_int_equal(e.encoding, encodings[i]);
	}
	assert_int_equal(unwind_info_next(&u, &it, &e, &d), 0);
	assert_int_equal(unwind_info_next(&u, &it, &e, &d), 0);
	expect(&u, 0x560, 0x560, 0x580, 0x02020400);
	expect(&u, 0x57f, 0x560, 0x580, 0x02020400);
	expect(&u, 0x79f, 0x740, 0x7a0, 0x01020021);
	assert_int_equal(unwind_info_find(&u, 0x7a0, &e, &d), 0);
	assert_int_equal(unwind_info_find(&u, 0x54f, &e, &d), 0);
}

static void reads_both_kinds_of_pages(void **state)
{
	struct unwind_entry e;
	struct unwind_info u;
	struct diag d;

	open_whole(&u);
	assert_int_equal(u.nr_common, 1);
	assert_int_equal(unwind_info_common(&u, 0), 0x04000000);
	assert_int_equal(u.nr_personalities, 1);
	assert_int_equal(unwind_info_personality(&u, 0), 0x4008);
	expect(&u, 0x1000, 0x1000, 0x1800, 0x04000000);
	expect(&u, 0x17ff, 0x1000, 0x1800, 0x04000000);
	expect(&u, 0x1800, 0x1800, 0x2000, 0x54000001);
	expect(&u, 0x1fff, 0x1800, 0x2000, 0x54000001);
	expect(&u, 0x2000, 0x2000, 0x2100, 0x02001000);
	expect(&u, 0x2100, 0x2100, 0x3000, 0x54000002);
	expect(&u, 0x2fff, 0x2100, 0x3000, 0x54000002);
	assert_int_equal(unwind_info_find(&u, 0xfff, &e, &d), 0);
	assert_int_equal(unwind_info_find(&u, 0x3000, &e, &d), 0);
	assert_int_equal(unwind_info_find(&u, UINT32_MAX, &e, &d), 0);
}

static void finds_lsda_of_the_own_page(void **state)
{
	static const struct {
		uint32_t off;
		int found;
		uint32_t lsda;
	} t[] = { { 0x1000, 1, 0x7000 }, { 0x1900, 1, 0x7010 }, { 0x2000, 0, 0 },
		  { 0x2100, 1, 0x7020 } };
	struct unwind_entry e;
	struct unwind_info u;
	uint32_t lsda;
	struct diag d;
	size_t i;

	open_whole(&u);
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		lsda = 0;
		assert_int_equal(unwind_info_find(&u, t[i].off, &e, &d), 1);
		assert_int_equal(unwind_info_lsda(&u, &e, &lsda, &d), t[i].found);
		assert_int_equal(lsda, t[i].lsda);
	}
}

static void of_equal_starts_the_last_one_counts(void **state)
{
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	struct unwind_info u;
	struct diag d;

	memcpy(words, whole, sizeof(whole));
	words[REGULAR + 4] = 0x2000;
	assert_int_equal(open_words(words, sizeof(whole), &u, &d), 0);
	expect(&u, 0x2000, 0x2000, 0x3000, 0x54000002);
	while (unwind_info_next(&u, &it, &e, &d) > 0)
		if (e.encoding == 0x02001000)
			assert_int_equal(e.start, e.end);
	assert_int_equal(it.seen, 4);
}

static void an_entry_without_a_page_says_nothing(void **state)
{
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	struct unwind_info u;
	struct diag d;

	memcpy(words, whole, sizeof(whole));
	words[INDEX + 1] = 0;
	assert_int_equal(open_words(words, sizeof(whole), &u, &d), 0);
	assert_int_equal(unwind_info_find(&u, 0x1000, &e, &d), 0);
	expect(&u, 0x2000, 0x2000, 0x2100, 0x02001000);
	assert_int_equal(unwind_info_next(&u, &it, &e, &d), 1);
	assert_int_equal(e.start, 0x2000);
	/* the last one has none, whatever its fields say */
	words[INDEX + 7] = 4 * REGULAR;
	assert_int_equal(open_words(words, sizeof(whole), &u, &d), 0);
	assert_int_equal(unwind_info_find(&u, 0x3000, &e, &d), 0);
}

static void damaged_headers_are_named(void **state)
{
	static const struct {
		unsigned int word;
		uint32_t value;
		uint32_t off;
		const char *text;
	} t[] = {
		{ 0, 2, 0, "not of version 1" },
		{ 1, 4 * WORDS, 4, "the common encodings reach beyond the section" },
		{ 2, 0x40000000, 4, "the common encodings reach beyond the section" },
		{ 3, UINT32_MAX, 12, "the personalities reach beyond the section" },
		{ 4, WORDS, 12, "the personalities reach beyond the section" },
		{ 5, 4 * WORDS - 8, 20, "the index reaches beyond the section" },
		{ 6, 0x15555556, 20, "the index reaches beyond the section" },
		{ 6, 0, 24, "the index has no last entry" },
	};
	struct unwind_info u;
	char text[128];
	struct diag d;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		memcpy(words, whole, sizeof(whole));
		words[t[i].word] = t[i].value;
		assert_int_equal(open_words(words, sizeof(whole), &u, &d), -EBADMSG);
		snprintf(text, sizeof(text), "__unwind_info: %s", t[i].text);
		assert_string_equal(d.text, text);
		assert_int_equal(d.offset, 0x100 + t[i].off);
	}
	for (i = 0; i < 28; i++) {
		assert_int_equal(open_words(whole, i, &u, &d), -EBADMSG);
		assert_string_equal(d.text, "__unwind_info: shorter than its header");
	}
}

static void damaged_pages_are_named(void **state)
{
	static const struct {
		unsigned int word;
		uint32_t value;
		uint32_t find;
		const char *text;
	} t[] = {
		{ INDEX + 3, 0xfff, 0, "the index is not ascending" },
		{ INDEX + 1, 4 * WORDS - 3, 0x1000, "a page is outside of the section" },
		{ INDEX + 1, UINT32_MAX, 0x1000, "a page is outside of the section" },
		{ PACKED, 1, 0x1000, "a page is neither regular nor compressed" },
		{ PACKED + 1, 0xffff000c, 0x1000, "a page's entries reach beyond the section" },
		{ PACKED + 1, 0x2ffff, 0x1000, "a page's entries reach beyond the section" },
		{ PACKED + 1, 0xc, 0x1000, "a page has no entries" },
		{ PACKED + 2, 0xf0014, 0x1000, "a page's encodings reach beyond the section" },
		{ PACKED + 2, 0x14, 0x1800,
		  "an entry's encoding is neither common nor of its page" },
		{ PACKED + 4, 0x02000800, 0x1800,
		  "an entry's encoding is neither common nor of its page" },
		{ PACKED + 4, 0x01001001, 0x1000, "an entry is outside of its page's range" },
		{ PACKED + 3, 1, 0x1000, "a page begins after its entry in the index" },
		{ REGULAR + 1, 0x30008, 0x2000, "a page's entries reach beyond the section" },
		{ REGULAR + 2, 0x1fff, 0x2000, "an entry is outside of its page's range" },
		{ REGULAR + 4, 0x3001, 0x2000, "an entry is outside of its page's range" },
	};
	struct unwind_entry e;
	struct unwind_info u;
	char text[128];
	struct diag d;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct unwind_iter it = { 0 };
		int found;

		memcpy(words, whole, sizeof(whole));
		words[t[i].word] = t[i].value;
		assert_int_equal(open_words(words, sizeof(whole), &u, &d), 0);
		snprintf(text, sizeof(text), "__unwind_info: %s", t[i].text);
		if (t[i].find) {
			assert_int_equal(unwind_info_find(&u, t[i].find, &e, &d), -EBADMSG);
			assert_string_equal(d.text, text);
		}
		do
			found = unwind_info_next(&u, &it, &e, &d);
		while (found > 0);
		/* the start of a page matters only to a search */
		assert_int_equal(found, t[i].word == PACKED + 3 ? 0 : -EBADMSG);
		if (found)
			assert_string_equal(d.text, text);
		assert_int_equal(unwind_info_next(&u, &it, &e, &d), 0);
	}
	memcpy(words, whole, sizeof(whole));
	words[INDEX + 5] = 0;
	assert_int_equal(open_words(words, sizeof(whole), &u, &d), 0);
	assert_int_equal(unwind_info_find(&u, 0x1000, &e, &d), 1);
	assert_int_equal(unwind_info_lsda(&u, &e, words, &d), -EBADMSG);
	assert_string_equal(d.text, "__unwind_info: a page's LSDA entries are not in the section");
}

/* A few hundred bytes that would take hours to read: every page is the same one. */
static void pages_over_each_other_end(void **state)
{
	static uint32_t big[4096];
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	struct unwind_info u;
	uint32_t i;
	struct diag d;
	int found;

	memcpy(big, (uint32_t[]){ 1, 28, 1, 28, 0, 32, 1001, 0x04000000 }, 32);
	for (i = 0; i < 1001; i++)
		memcpy(big + 8 + 3 * i, (uint32_t[]){ i, 4 * 3100, 0 }, 12);
	memcpy(big + 3100, (uint32_t[]){ 3, 900u << 16 | 12, 0 }, 12);
	assert_int_equal(open_words(big, sizeof(big), &u, &d), 0);
	do
		found = unwind_info_next(&u, &it, &e, &d);
	while (found > 0);
	assert_int_equal(found, -EBADMSG);
	assert_string_equal(d.text, "__unwind_info: pages overlap");
	assert_int_equal(it.seen, 4097);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_was_linked),
		cmocka_unit_test(reads_both_kinds_of_pages),
		cmocka_unit_test(finds_lsda_of_the_own_page),
		cmocka_unit_test(of_equal_starts_the_last_one_counts),
		cmocka_unit_test(an_entry_without_a_page_says_nothing),
		cmocka_unit_test(damaged_headers_are_named),
		cmocka_unit_test(damaged_pages_are_named),
		cmocka_unit_test(pages_over_each_other_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
