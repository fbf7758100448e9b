// SPDX-License-Identifier: GPL-2.0-only
/* Tests CIEs, FDEs, pointers, the bytes between entries, and two sections in one handle. */
#include "maker.h"

#define ENTRY "0 r7+8 *(c-8) s"
#define BODY ENTRY "\n1 r7+16 *(c-8) s"
#define A64_BODY "0 r31 s s\n4 r31+16 s s"

static void next_is(struct reader *r, const char *want)
{
	assert_true(reader_next(r));
	assert_string_equal(fde_text(&r->fde), want);
}

static void test_versions(void **state)
{
	struct cie cie = maker_default(X86);
	u8 version;

	for (version = 0; version < 8; version++) {
		cie.version = version;
		check_cie(X86, &cie, 0x1b, 0, version == 1 || version == 3 || version == 4 ?
			  BODY : "lost: there is no CIE that libdw can read");
	}
}

static void test_augmentations(void **state)
{
	static const struct {
		const char *letters;
		const char *want;
		u8 data[16];
		u8 len;
		u8 encoding;
		s8 aug;
	} c[] = {
		{ "", BODY, { 0 }, 0, 0, -1 },
		{ "z", BODY, { 0 }, 0, 0, 0 },
		{ "zR", BODY, { 0x1b }, 1, 0x1b, 0 },
		{ "zRS", BODY, { 0x1b }, 1, 0x1b, 0 },
		/* the personality is before the encoding, and may be indirect */
		{ "zPLR", BODY, { 0x9b, 1, 2, 3, 4, 0x1b, 0x1b }, 7, 0x1b, 4 },
		{ "zPR", BODY, { 0x00, 1, 2, 3, 4, 5, 6, 7, 8, 0x1b }, 10, 0x1b, 0 },
		{ "zPR", BODY, { 0xff, 0x1b }, 2, 0x1b, 0 },
		{ "zPR", "lost: there is no CIE that libdw can read",
		  { 0x50, 0x1b }, 2, 0x1b, 0 },
		{ "eh", BODY, { 0 }, 0, 0, -1 },
		{ "S", BODY, { 0 }, 0, 0, -1 },
		{ "BS", BODY, { 0 }, 0, 0, -1 },
		{ "R", "lost: the CIE has an unknown augmentation", { 0x1b }, 1, 0x1b, -1 },
		{ "zRX", "lost: the CIE has an unknown augmentation", { 0x1b }, 1, 0x1b, 0 },
		{ "zR", "lost: there is no CIE that libdw can read", { 0 }, 0, 0, 0 },
	};
	struct cie cie = maker_default(X86);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		cie.augmentation = c[i].letters;
		cie.data = c[i].data;
		cie.data_len = c[i].len;
		check_cie(X86, &cie, c[i].encoding, c[i].aug, c[i].want);
	}
}

static void test_aarch64_augmentations(void **state)
{
	struct cie cie = maker_default(A64);

	cie.augmentation = "zRB";
	check_cie(A64, &cie, 0x1b, 0, A64_BODY);
	cie.augmentation = "zRBG";
	check_cie(A64, &cie, 0x1b, 0, A64_BODY);
}

static void test_signal(void **state)
{
	struct cie cie = maker_default(X86);
	struct maker m;
	struct reader r;

	maker_init(&m, X86);
	maker_fde(&m, TEXT, 100, P(0));
	cie.augmentation = "zRS";
	maker_cie(&m, &cie);
	maker_fde(&m, TEXT + 100, 100, P(0));
	reader_init(&r, &m);
	next_is(&r, ENTRY);
	assert_false(r.fde.signal);
	next_is(&r, ENTRY);
	assert_true(r.fde.signal);
	reader_release(&r);
}

static void test_encodings(void **state)
{
#define BASE "lost: a pointer is relative to a base that is not known"
	static const struct {
		u8 encoding;
		const char *want;
	} c[] = {
		{ 0x00, BODY }, { 0x03, BODY }, { 0x04, BODY }, { 0x0b, BODY },
		{ 0x0c, BODY }, { 0x01, BODY }, { 0x09, BODY }, { 0x10, BODY },
		{ 0x1b, BODY }, { 0x1c, BODY }, { 0x14, BODY },
		{ 0x2b, BASE }, { 0x3b, BASE }, { 0x4b, BASE }, { 0x5b, BASE },
		{ 0x9b, "lost: a pointer is indirect, through memory of the process" },
		{ 0x1f, "lost: a pointer has an unknown encoding" },
		{ 0x05, "lost: a pointer has an unknown encoding" },
	};
	struct cie cie = maker_default(X86);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		cie.data = &c[i].encoding;
		check_cie(X86, &cie, c[i].encoding, 0, c[i].want);
	}
}

static void test_short_encodings(void **state)
{
	static const u8 encodings[] = { 0x02, 0x0a };
	struct cie cie = maker_default(X86);
	u32 i;

	for (i = 0; i < 2; i++) {
		struct maker m = { .arch = X86, .encoding = encodings[i] };
		struct reader r;

		cie.data = &encodings[i];
		maker_cie(&m, &cie);
		maker_fde(&m, 0x8100, 0x10, P(0));
		reader_init(&r, &m);
		next_is(&r, ENTRY);
		assert_int_equal(r.fde.start, i ? 0xffffffffffff8100 : 0x8100);
		assert_int_equal(r.fde.end - r.fde.start, 0x10);
		reader_release(&r);
	}
}

static void test_columns(void **state)
{
	struct cie cie = maker_default(X86);

	cie.ra = 17;
	check_cie(X86, &cie, 0x1b, 0,
		  "lost: the CIE has its return addresses in an unknown column");
	cie = maker_default(A64);
	cie.ra = 32;
	cie.program = (const u8[]){ 0x0c, 31, 0, 0xa0, 1, 0x9e, 2 };
	cie.program_len = 7;
	check_cie(A64, &cie, 0x1b, 0, "0 r31 *(c-8) s\n4 r31+16 *(c-8) s");
	cie.ra = 31;
	check_cie(A64, &cie, 0x1b, 0,
		  "lost: the CIE has its return addresses in an unknown column");
}

static void test_cie_programs(void **state)
{
	static const u8 nops[4097];
	struct cie cie = maker_default(X86);

	cie.program = NULL;
	cie.program_len = 0;
	check_cie(X86, &cie, 0x1b, 0, "0 u s s");
	cie.program = nops;
	cie.program_len = 4000;
	check_cie(X86, &cie, 0x1b, 0, "0 u s s");
	cie.program_len = 4097;
	check_cie(X86, &cie, 0x1b, 0, "lost: the CIE's program is too long");
	cie.program = (const u8[]){ 0x0c, 7, 8, 0x41 };
	cie.program_len = 4;
	check_cie(X86, &cie, 0x1b, 0, "lost: a CIE advances the location");
	cie.program = (const u8[]){ 0x0c, 7, 8, 0xd0 };
	check_cie(X86, &cie, 0x1b, 0,
		  "lost: a CIE restores a rule that it has not set before");
	/* the start of a thread: the CIE says that there is no caller */
	cie.program = (const u8[]){ 0x0c, 7, 8, 0x07, 16 };
	cie.program_len = 5;
	check_cie(X86, &cie, 0x1b, 0, "0 r7+8 u s\n1 r7+16 u s");
}

static void test_terminators(void **state)
{
	struct maker m;
	struct reader r;
	u32 first, second;

	maker_init(&m, X86);
	bytes_le(&m.b, 0, 4);
	first = maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	bytes_le(&m.b, 0, 8);
	second = maker_fde(&m, TEXT + 100, 100, P(0));
	bytes_le(&m.b, 0, 4);
	bytes_le(&m.b, 0, 3);
	reader_init(&r, &m);
	next_is(&r, BODY);
	assert_int_equal(r.fde.offset, first);
	next_is(&r, ENTRY);
	assert_int_equal(r.fde.offset, second);
	assert_string_equal(r.fde.section, ".eh_frame");
	assert_false(reader_next(&r));
	assert_false(reader_next(&r));
	reader_release(&r);
}

static void test_wide(void **state)
{
	struct cie cie = maker_default(X86);
	struct maker m;
	struct reader r;

	maker_init(&m, X86);
	m.wide = true;
	maker_cie(&m, &cie);
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	m.wide = false;
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	reader_init(&r, &m);
	next_is(&r, BODY);
	next_is(&r, BODY);
	assert_false(reader_next(&r));
	reader_release(&r);
}

/* A fault in one entry loses only that entry. */
static void test_losses(void **state)
{
	struct maker m;
	struct reader r;
	u32 at, cie;

	maker_init(&m, X86);
	at = maker_fde(&m, TEXT, 100, P(0x41, 0x3f));
	cie = m.cie;
	m.cie = at;
	maker_fde(&m, TEXT, 100, P(0));	/* an FDE for a CIE */
	m.cie = 0x7fffffff;
	maker_fde(&m, TEXT, 100, P(0));	/* nothing */
	m.cie = cie + 4;
	maker_fde(&m, TEXT, 100, P(0));	/* within */
	m.cie = cie;
	m.aug = 127;
	maker_fde(&m, TEXT, 100, P(0));
	m.b.len -= 128;			/* less than its augmentation data */
	m.b.p[m.b.len - 32 + 12] = 1;
	m.aug = 0;
	reader_init(&r, &m);
	next_is(&r, "lost: an instruction is unknown");
	assert_int_equal(r.fde.offset, at);
	assert_int_equal(r.fde.bad_off, at + 18);
	assert_int_equal(r.fde.start, TEXT);
	next_is(&r, "lost: there is no CIE that libdw can read");
	assert_true(reader_next(&r));
	assert_int_equal(r.fde.status, CFI_LOST);
	assert_true(reader_next(&r));
	assert_int_equal(r.fde.status, CFI_LOST);
	reader_release(&r);
}

static void test_recovers(void **state)
{
	struct maker m;
	struct reader r;

	maker_init(&m, X86);
	maker_fde(&m, TEXT, 100, P(0x41, 0x3f));
	m.aug = 3;
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	m.aug = 0;
	maker_fde(&m, TEXT, 100, P(0x41));
	reader_init(&r, &m);
	next_is(&r, "lost: an instruction is unknown");
	next_is(&r, BODY);
	next_is(&r, ENTRY);
	assert_false(reader_next(&r));
	assert_int_equal(cfi_stats(r.cfi)->good, 2);
	assert_int_equal(cfi_stats(r.cfi)->lost, 1);
	assert_int_equal(cfi_stats(r.cfi)->rows, 3);
	cfi_rewind(r.cfi);
	assert_int_equal(cfi_stats(r.cfi)->good, 0);
	next_is(&r, "lost: an instruction is unknown");
	next_is(&r, BODY);
	reader_release(&r);
}

static void test_wrong_length(void **state)
{
	struct maker m;
	struct reader r;
	u32 at;

	maker_init(&m, X86);
	maker_fde(&m, TEXT, 100, P(0));
	at = maker_fde(&m, TEXT, 100, P(0));
	maker_fde(&m, TEXT, 100, P(0));
	m.b.p[at + 2] = 1;
	reader_init(&r, &m);
	next_is(&r, ENTRY);
	next_is(&r, "lost: the entry has a wrong length; so the rest of the section is lost");
	assert_int_equal(r.fde.offset, at);
	assert_false(reader_next(&r));
	reader_release(&r);
}

static void test_nowhere(void **state)
{
	struct maker m;
	struct reader r;

	maker_init(&m, X86);
	maker_fde(&m, TEXT, 0, P(0));
	maker_fde(&m, 0, 100, P(0));
	maker_fde(&m, 0, 0, P(0));
	reader_init(&r, &m);
	next_is(&r, "empty");
	assert_int_equal(r.fde.start, TEXT);
	next_is(&r, "discarded");
	next_is(&r, "discarded");
	assert_false(reader_next(&r));
	assert_int_equal(cfi_stats(r.cfi)->discarded, 2);
	assert_int_equal(cfi_stats(r.cfi)->empty, 1);
	reader_release(&r);
	maker_init_debug(&m, X86);
	maker_fde(&m, UINT64_MAX, 100, P(0));
	maker_fde(&m, UINT64_MAX - 100, 101, P(0));
	maker_fde(&m, UINT64_MAX - 100, 100, P(0));
	reader_init(&r, &m);
	next_is(&r, "discarded");
	next_is(&r, "lost: the FDE's end is beyond 64 bits");
	next_is(&r, ENTRY);
	reader_release(&r);
}

/* More CIEs than the cache holds, each with a rule of its own, used in turns. */
static void test_many_cies(void **state)
{
	struct cie cie = maker_default(X86);
	struct maker m = { .arch = X86, .encoding = 0x1b };
	u32 cies[100], i;
	char want[32];
	u8 program[] = { 0x0c, 7, 0 };
	struct reader r;

	cie.program = program;
	cie.program_len = sizeof(program);
	for (i = 0; i < ARRAY_SIZE(cies); i++) {
		program[2] = (u8)i;
		maker_cie(&m, &cie);
		cies[i] = m.cie;
	}
	for (i = 0; i < 1000; i++) {
		m.cie = cies[i * 37 % 100];
		maker_fde(&m, TEXT + i, 1, P(0));
	}
	reader_init(&r, &m);
	for (i = 0; i < 1000; i++) {
		snprintf(want, sizeof(want), i * 37 % 100 ? "0 r7+%u s s" : "0 r7 s s",
			 i * 37 % 100);
		next_is(&r, want);
	}
	reader_release(&r);
}

static void test_debug_frame(void **state)
{
	struct maker m;
	struct reader r;

	maker_init_debug(&m, X86);
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	m.wide = true;
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	m.wide = false;
	m.cie = 0x7ffffff0;
	maker_fde(&m, TEXT, 100, P(0));
	reader_init(&r, &m);
	next_is(&r, BODY);
	assert_string_equal(r.fde.section, ".debug_frame");
	next_is(&r, BODY);
	next_is(&r, "lost: there is no CIE that libdw can read");
	assert_false(reader_next(&r));
	reader_release(&r);
}

static void test_debug_frame_relative(void **state)
{
	struct cie cie = maker_default(X86);
	struct maker m = { .arch = X86, .encoding = 0x1b, .debug = true };
	struct reader r;

	maker_cie(&m, &cie);
	maker_fde(&m, TEXT, 100, P(0));
	reader_init(&r, &m);
	next_is(&r, "lost: a pointer is relative to a section without address");
	reader_release(&r);
}

/* .eh_frame wins where it is readable. */
static void test_overlap(void **state)
{
	static const struct {
		u64 start;
		u64 len;
		bool overlap;
	} debug[] = {
		{ 0x0fff, 1, false }, { 0x0fff, 2, true }, { 0x1000, 100, true },
		{ 0x1010, 1, true }, { 0x1063, 10, true }, { 0x1064, 10, false },
		{ 0x0100, 0x10000, true }, { 0x1ff0, 0x20, true },
		{ 0x3000, 100, false }, { 0x2010, 0x10, true }, { 0x2020, 0x10, false },
	};
	struct maker eh, m;
	struct cfi_raw raw[2];
	struct cfi_fde fde;
	struct cfi *cfi;
	u32 i;

	maker_init(&eh, X86);
	maker_fde(&eh, 0x2008, 0x18, P(0));
	maker_fde(&eh, 0x1000, 100, P(0));
	maker_fde(&eh, 0x2000, 0x10, P(0));
	maker_fde(&eh, 0x3000, 100, P(0x3f));	/* lost: covers nothing */
	maker_init_debug(&m, X86);
	for (i = 0; i < ARRAY_SIZE(debug); i++)
		maker_fde(&m, debug[i].start, debug[i].len, P(0));
	raw[0] = (struct cfi_raw){ eh.b.p, eh.b.len, VADDR, false };
	raw[1] = (struct cfi_raw){ m.b.p, m.b.len, 0, true };
	assert_int_equal(cfi_new_raw(X86, raw, 2, &cfi), 0);
	for (i = 0; i < 4; i++) {
		assert_int_equal(cfi_next(cfi, &fde), 1);
		assert_string_equal(fde.section, ".eh_frame");
		assert_false(fde.overlap);
	}
	for (i = 0; i < ARRAY_SIZE(debug); i++) {
		assert_int_equal(cfi_next(cfi, &fde), 1);
		assert_string_equal(fde.section, ".debug_frame");
		assert_int_equal(fde.overlap, debug[i].overlap);
	}
	assert_int_equal(cfi_next(cfi, &fde), 0);
	assert_int_equal(cfi_stats(cfi)->overlaps, 7);
	cfi_free(cfi);
	free(eh.b.p);
	free(m.b.p);
}

static void test_nothing(void **state)
{
	struct cfi_raw raw[9] = { { .bytes = "" } };
	struct cfi_fde fde;
	struct cfi *cfi;

	assert_int_equal(cfi_new_raw(X86, raw, 0, &cfi), 0);
	assert_int_equal(cfi_next(cfi, &fde), 0);
	cfi_free(cfi);
	assert_int_equal(cfi_new_raw(X86, raw, 1, &cfi), 0);
	assert_int_equal(cfi_next(cfi, &fde), 0);
	cfi_free(cfi);
	assert_true(cfi_new_raw(X86, raw, 9, &cfi) < 0);
	raw[0].debug = true;
	assert_true(cfi_new_raw(X86, raw, 2, &cfi) < 0);
	cfi_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_augmentations),
		cmocka_unit_test(test_aarch64_augmentations),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_short_encodings),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_cie_programs),
		cmocka_unit_test(test_terminators),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_recovers),
		cmocka_unit_test(test_wrong_length),
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_many_cies),
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_debug_frame_relative),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("cfi/entry", tests, NULL, NULL);
}
