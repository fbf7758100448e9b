// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpad's text: the contents of a file are read back from the GSYM file made from it; lines
 * that break the rules are refused by their number.
 */
#include "support.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/from_breakpad.h"
#include "util/text_lines.h"

#define MODULE "MODULE Linux x86_64 2236B6D4B7E773E303C9E01F9A8138B50 prog\n"

/* A text, its contents, and the GSYM file made from it. */
struct made {
	char path[32];
	int fd;
	struct gsym_part *part;
	struct gsym_breakpad found;
	struct gsym_write_stats stats;
	struct diag diag;
	int err;
	uint8_t *bytes;
	struct gsym *g;
};

static void made_write(struct made *m)
{
	struct gsym_write_options o = { .layout = GSYM_LLVM_1 };
	int fd = memfd_create("out", 0);
	size_t len;

	assert_int_equal(gsym_write(&m->part, 1, &o, fd, "out", &m->stats, &m->diag), 0);
	len = (size_t)lseek(fd, 0, SEEK_END);
	m->bytes = malloc(len);
	assert_int_equal(pread(fd, m->bytes, len, 0), len);
	close(fd);
	assert_int_equal(gsym_open_bytes(m->bytes, len, "out", &m->g, &m->diag), 0);
}

static void made_init_bytes(struct made *m, const char *text, size_t len)
{
	*m = (struct made){ .fd = memfd_create("text", 0), .part = gsym_part_new() };
	snprintf(m->path, sizeof(m->path), "/proc/self/fd/%d", m->fd);
	assert_int_equal(write(m->fd, text, len), len);
	m->err = gsym_from_breakpad(m->path, m->part, &m->found, &m->diag);
	if (!m->err)
		made_write(m);
}

static void made_init(struct made *m, const char *text)
{
	made_init_bytes(m, text, strlen(text));
}

static void made_release(struct made *m)
{
	gsym_close(m->g);
	gsym_part_free(m->part);
	free(m->bytes);
	close(m->fd);
}

/* "function dir/file:line" of each frame, innermost first, at an address */
static void assert_frames(const struct made *m, uint64_t addr, const char *want)
{
	struct gsym_frame f[GSYM_MAX_FRAMES];
	int n = gsym_lookup(m->g, addr, f, GSYM_MAX_FRAMES), i;
	char got[512] = "";
	size_t at = 0;

	assert_true(n >= 0);
	for (i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%s %s|%s:%u", i ? "; " : "",
				       f[i].function, f[i].dir, f[i].file, f[i].line);
	assert_string_equal(got, want);
}

static void all_records(void **state)
{
	static const uint8_t uuid[] = "\xd4\xb6\x36\x22\xe7\xb7\xe3\x73"
		"\x03\xc9\xe0\x1f\x9a\x81\x38\xb5";
	struct made m;

	made_init(&m, MODULE
		  "FILE 0 /src/a.c\nFILE 7 b.h\r\nFILE 9 C:\\x\\y.c\nFILE 10 /z.c\n"
		  "INLINE_ORIGIN 3 outer(int, char)\n"
		  "FUNC m 1000 40 0 f(int) const\n"
		  "INLINE 0 5 0 3 1010 10 1030 8\n"
		  "INLINE 1 6 7 4 1018 4\n"
		  "1000 10 4 0\n1010 10 20 7\n1020 8 6 9\n1030 10 8 10\n"
		  "\n"
		  "STACK CFI INIT 1000 40 .cfa: $rsp 8 +\n"
		  "FUNC 2000 0 0 no size\n"
		  "PUBLIC m 3000 8 public one\n"
		  "PUBLIC 1004 0 within\n"
		  "INLINE_ORIGIN 4 late\n"
		  "FUNC 4000 10 0 last\n"
		  "4000 10 1 0");
	assert_int_equal(m.err, 0);
	assert_int_equal(m.found.uuid_len, 16);
	assert_memory_equal(m.found.uuid, uuid, 16);
	assert_int_equal(m.found.functions, 3);
	assert_int_equal(m.found.symbols, 2);
	assert_int_equal(m.found.lines, 5);
	assert_int_equal(m.found.calls, 2);
	assert_int_equal(m.stats.functions, 4);
	assert_frames(&m, 0x1000, "f(int) const /src|a.c:4");
	assert_frames(&m, 0x1004, "f(int) const /src|a.c:4");
	assert_frames(&m, 0x1018, "late |b.h:20; outer(int, char) |b.h:6; f(int) const /src|a.c:5");
	assert_frames(&m, 0x101c, "outer(int, char) |b.h:20; f(int) const /src|a.c:5");
	assert_frames(&m, 0x1020, "f(int) const C:\\x|y.c:6");
	assert_frames(&m, 0x1030, "outer(int, char) /|z.c:8; f(int) const /src|a.c:5");
	assert_frames(&m, 0x2004, "no size |:0");
	assert_frames(&m, 0x3001, "public one |:0");
	assert_frames(&m, 0x400f, "last /src|a.c:1");
	assert_frames(&m, 0x4010, "");
	made_release(&m);
}

/* Code between lines has no line, not that of the line before it. */
static void gaps(void **state)
{
	struct made m;

	made_init(&m, MODULE "FILE 1 a.c\nFUNC 100 40 0 f\n"
		  "110 4 7 1\n120 4 8 1\n118 8 9 1\n");
	assert_int_equal(m.err, 0);
	assert_frames(&m, 0x113, "f |a.c:7");
	assert_frames(&m, 0x11f, "f |a.c:9");
	assert_frames(&m, 0x120, "f |a.c:8");
	assert_frames(&m, 0x117, "f |:0");
	assert_frames(&m, 0x124, "f |:0");
	made_release(&m);
}

/* Calls are cut to the code of their caller; an empty call is removed with its own calls. */
static void misplaced(void **state)
{
	struct made m;

	made_init(&m, MODULE "FILE 1 a.c\nINLINE_ORIGIN 1 g\nINLINE_ORIGIN 2 h\n"
		  "FUNC 100 40 0 f\n100 40 1 1\n"
		  "INLINE 0 5 1 1 130 30 f0 20 105 10\n"
		  "INLINE 1 6 1 2 100 50\n"
		  "INLINE 0 7 1 1 200 10\n"
		  "INLINE 1 8 1 2 120 4\n"
		  "INLINE 0 9 1 2 118 4 114 8\n");
	assert_int_equal(m.err, 0);
	assert_int_equal(m.found.calls, 3);
	assert_int_equal(m.found.misplaced, 2);
	assert_frames(&m, 0x10f, "h |a.c:1; g |a.c:6; f |a.c:5");
	assert_frames(&m, 0x13f, "h |a.c:1; g |a.c:6; f |a.c:5");
	assert_frames(&m, 0x116, "h |a.c:1; f |a.c:9");
	assert_frames(&m, 0x120, "f |a.c:1");
	made_release(&m);
}

/* INLINE without the file of the call, as Breakpad wrote it first; other ids */
static void other_forms(void **state)
{
	struct made m;

	made_init(&m, "MODULE mac arm64 000102030405060708090A0B0C0D0E0F0 a b\n"
		  "FILE 1 a.c\nFILE 1 other.c\nINLINE_ORIGIN 1 g\n"
		  "FUNC 100 40 0 f\n100 40 1 1\nINLINE 0 5 1 110 10\nFUNC 200 10 0\n200 10 1 1\n");
	assert_int_equal(m.err, 0);
	assert_int_equal(m.found.uuid_len, 16);
	assert_memory_equal(m.found.uuid, "\0\1\2\3\4\5\6\7", 8);
	assert_int_equal(m.found.nameless, 1);
	assert_frames(&m, 0x110, "g |a.c:1; f |:5");
	made_release(&m);
	made_init(&m, MODULE "INFO CODE_ID D4B63622E7B7E37303C9E01F9A8138B5DA8E41D9\n");
	assert_int_equal(m.err, 0);
	assert_int_equal(m.found.uuid_len, 20);
	assert_memory_equal(m.found.uuid + 16, "\xda\x8e\x41\xd9", 4);
	made_release(&m);
}

static void refused(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{ "", "an empty file" },
		{ "FUNC 1 2 3 f\n", "line 1: not a Breakpad" },
		{ "MODULE Linux\n", "line 1: a MODULE record" },
		{ MODULE "FILE a.c\n", "line 2: a FILE record" },
		{ MODULE "INLINE_ORIGIN f\n", "line 2: an INLINE_ORIGIN record" },
		{ MODULE "\nFUNC 10 f\n", "line 3: a function without" },
		{ MODULE "FUNC ffffffffffffffff 2 0 f\n", "line 2: a function without" },
		{ MODULE "FUNC 10000000000000000 2 0 f\n", "line 2: a function without" },
		{ MODULE "PUBLIC 10\n", "line 2: a symbol without" },
		{ MODULE "FILE 1 a\n10 2 3 1\n", "line 3: a line record before" },
		{ MODULE "FUNC 10 2 0 f\n10 2 3 1\n", "line 3: file 1 is not defined" },
		{ MODULE "FUNC 10 2 0 f\n10 2 3\n", "line 3: neither a record" },
		{ MODULE "FUNC 10 2 0 f\nFILE 1 a\n10 2 4294967296 1\n", "line 4: line 42949" },
		{ MODULE "HELLO 10\n", "line 2: a line record before" },
		{ MODULE "INLINE 0 1 1 1 10 2\n", "line 2: an inlined call before" },
		{ MODULE "FUNC 10 2 0 f\nINLINE 1 1 1 1 10 2\n", "line 3: an inlined call of depth 1" },
		{ MODULE "FUNC 10 2 0 f\nINLINE 0 1 1 1 10 2\n", "line 3: file 1 is not defined" },
		{ MODULE "FUNC 10 2 0 f\nINLINE 0 1 1 10 2\n", "line 3: inlined function 1" },
		{ MODULE "FUNC 10 2 0 f\nINLINE_ORIGIN 1 g\nINLINE 0 1 1\n", "line 4: an inlined call without addr" },
		{ MODULE "FUNC 10 2 0 f\nINLINE_ORIGIN 1 g\nINLINE 0 1 1 1z 2\n", "line 4: not an address" },
	};
	struct made m;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		made_init(&m, cases[i].text);
		assert_int_equal(m.err, -EBADMSG);
		if (!strstr(m.diag.text, cases[i].why))
			fail_msg("%s: %s, wanted %s", cases[i].text, m.diag.text, cases[i].why);
		made_release(&m);
	}
	made_init_bytes(&m, MODULE "FILE 1 a\0b\n", sizeof(MODULE "FILE 1 a\0b\n") - 1);
	assert_int_equal(m.err, -EBADMSG);
	assert_string_equal(m.diag.text, "line 2: a NUL");
	assert_int_equal(m.diag.offset, sizeof(MODULE) - 1);
	made_release(&m);
}

/* As long as allowed, repeatedly, and longer */
static void long_lines(void **state)
{
	size_t head = sizeof(MODULE) - 1, len = head + 5 * (TEXT_LINE_MAX + 1ul), i;
	char *text = malloc(len + 2);
	struct made m;

	memcpy(text, MODULE, head);
	memset(text + head, 'x', len + 2 - head);
	for (i = 0; i < 5; i++) {
		memcpy(text + head + i * (TEXT_LINE_MAX + 1), "INFO ", 5);
		text[head + (i + 1) * (TEXT_LINE_MAX + 1) - 1] = '\n';
	}
	made_init_bytes(&m, text, len);
	assert_int_equal(m.err, 0);
	made_release(&m);
	text[len - 1] = 'x';
	made_init_bytes(&m, text, len + 1);
	assert_int_equal(m.err, -EBADMSG);
	assert_string_equal(m.diag.text, "line 6: more than 1048576 bytes");
	made_release(&m);
	free(text);
}

/* Deeper than readers follow */
static void too_deep(void **state)
{
	char text[32768] = MODULE "FILE 1 a\nINLINE_ORIGIN 1 g\nFUNC 10 20 0 f\n10 20 1 1\n";
	struct made m;
	unsigned int i;

	for (i = 0; i < GSYM_MAX_DEPTH; i++)
		snprintf(text + strlen(text), 64, "INLINE %u %u 1 1 10 10\n", i, i);
	made_init(&m, text);
	assert_int_equal(m.err, 0);
	assert_int_equal(m.found.calls, GSYM_MAX_DEPTH);
	made_release(&m);
	snprintf(text + strlen(text), 64, "INLINE %u %u 1 1 10 10\n", i, i);
	made_init(&m, text);
	assert_int_equal(m.err, -EBADMSG);
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_records), cmocka_unit_test(gaps),
		cmocka_unit_test(misplaced),   cmocka_unit_test(other_forms),
		cmocka_unit_test(refused),     cmocka_unit_test(long_lines),
		cmocka_unit_test(too_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
