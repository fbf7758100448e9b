// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch stacks of perf.data as AutoFDO's text and BOLT's fdata: which branches and ranges are
 * counted, and which files are refused. The program is this one, and its function branches_test_loop().
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "perfdata_file.h"
#include "capture/branches/branches.h"
#include "sframe/elf_read.h"

#define BRANCH_TYPE (MADE_TYPE | PERF_SAMPLE_BRANCH_STACK)
#define SELF "/proc/self/exe"
/* where the program's code is mapped in the files, and addresses of its function there */
#define MAPPED 0x10000000ull
#define KERNEL 0xffffffff81000000ull
#define MISSED 1ull
#define WRONG_PATH (1ull << 24)

/*
 *	0: dec %edi   2: jz b   4: cmp $3,%edi   7: je 0   9: jmp 0   b: ret
 */
void branches_test_loop(void);
#ifdef __x86_64__
__asm__(".text\n"
	".globl branches_test_loop\n"
	".type branches_test_loop, @function\n"
	"branches_test_loop:\n"
	"1:	.byte 0xff, 0xcf\n"
	"	jz 2f\n"
	"	.byte 0x83, 0xff, 0x03\n"
	"	je 1b\n"
	"	jmp 1b\n"
	"2:	ret\n"
	".size branches_test_loop, . - branches_test_loop\n");
#else
void branches_test_loop(void)
{
}
#endif

static char path_of_self[4096];
static uint64_t offset_of_loop;
static uint64_t page_of_loop;
static uint64_t loop;
static char notes[1024];

static int take_bias(struct dl_phdr_info *info, size_t size, void *arg)
{
	*(uint64_t *)arg = info->dlpi_addr;
	return 1;
}

/* Finds the offset of branches_test_loop() in this program's file. */
static int find_loop(void **state)
{
	struct file file = FILE_INIT;
	struct ustack_elf elf;
	uint64_t bias = 0, at;
	unsigned int i;

	dl_iterate_phdr(take_bias, &bias);
	at = (uint64_t)(uintptr_t)branches_test_loop - bias;
	assert_non_null(realpath(SELF, path_of_self));
	assert_int_equal(file_open(&file, SELF, NULL), 0);
	assert_int_equal(elf_read_headers(&file, &elf, NULL), 0);
	for (i = 0; i < elf.nr_segments; i++)
		if (elf.segments[i].exec && at - elf.segments[i].vaddr < elf.segments[i].filesz)
			offset_of_loop = at - elf.segments[i].vaddr + elf.segments[i].off;
	file_release(&file);
	assert_int_not_equal(offset_of_loop, 0);
	page_of_loop = offset_of_loop & ~0xfffull;
	loop = MAPPED + (offset_of_loop - page_of_loop);
	return 0;
}

static void note(const char *text, void *arg)
{
	strncat(notes, text, sizeof(notes) - strlen(notes) - 2);
}

static void begin(struct buffer *b, uint64_t type)
{
	struct perf_event_attr attr = made_attr(type);

	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	pipe_begin(b, &attr, 1);
	put_comm(b, 7, 7, 1, "work", true);
	put_mmap(b, 7, 2, MAPPED, 0x2000, page_of_loop, path_of_self);
	put_mmap(b, 7, 2, 0x20000000, 0x1000, 0, "/none/lib.so");
}

/* A sample with branches: from, to, flags, the latest first. */
static void put_branches(struct buffer *b, uint64_t time, uint64_t nr, const uint64_t (*branch)[3],
			 uint64_t there)
{
	size_t at = record_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	put_u64(b, loop + 4);
	put_id(b, 7, 7, time);
	put_u64(b, 1);
	put_u64(b, nr);
	buffer_put(b, branch, there * sizeof(*branch));
	record_end(b, at);
}

static int load(struct buffer *b, const char *program, struct branches **ret, struct diag *diag)
{
	const struct branches_options o = { .program = program, .note = note };
	struct file_stream s;
	char path[32];
	int err;

	notes[0] = '\0';
	assert_int_equal(open_bytes(b->at, b->len, path, &s), 0);
	err = branches_load(&s, &o, ret, diag);
	diag_copy_name(diag);
	file_stream_release(&s);
	buffer_release(b);
	return err;
}

/* Return: what is written, until the next call. */
static const char *written(struct branches *counts, enum branches_format format)
{
	static char text[4096];
	char path[] = "/tmp/ustack-branches-XXXXXX";
	int fd = mkstemp(path);
	ssize_t n;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(branches_save(counts, format, path, NULL), 0);
	fd = open(path, O_RDONLY);
	n = read(fd, text, sizeof(text) - 1);
	unlink(path);
	assert_true(n >= 0);
	text[n] = '\0';
	close(fd);
	return text;
}

/* Checks AutoFDO's text; in @want "@" is followed by an offset in the loop. */
static void check_autofdo(struct branches *counts, const char *want)
{
	char text[1024], *p = text;

	for (; *want; want++) {
		if (*want == '@') {
			p += sprintf(p, "%llx", (unsigned long long)(offset_of_loop +
				     strtoull(want + 1, (char **)&want, 16)));
			want--;
		} else {
			*p++ = *want;
		}
	}
	*p = '\0';
	assert_string_equal(written(counts, BRANCHES_AUTOFDO), text);
}

/* From a library into the loop, three times around, and back. */
static void put_loop(struct buffer *b, uint64_t time)
{
	const uint64_t branch[][3] = {
		{ loop + 0xb, 0x20000050, 2 }, { loop + 2, loop + 0xb, 2 }, { loop + 7, loop, MISSED },
		{ loop + 9, loop, 2 }, { loop + 9, loop, MISSED }, { 0x20000040, loop, 2 },
	};

	put_branches(b, time, 6, branch, 6);
}

static void test_counts(void **state)
{
	struct branches *counts;
	struct buffer b = { 0 };

	begin(&b, BRANCH_TYPE);
	put_loop(&b, 5);
	put_loop(&b, 6);
	assert_int_equal(load(&b, SELF, &counts, NULL), 0);
	check_autofdo(counts, "4\n@0-@2:2\n@0-@7:2\n@0-@9:4\n@b-@b:2\n1\n@4:2\n"
		      "3\n@2->@b:2\n@7->@0:2\n@9->@0:4\n");
	/* the note tells that only the path says that it is this program */
	assert_non_null(strstr(notes, "no build id"));
	branches_free(counts);
}

#ifdef __x86_64__
/* Branches, edges between blocks, no return; what is outside has no name. */
static void test_fdata(void **state)
{
	struct branches *counts;
	struct buffer b = { 0 };

	begin(&b, BRANCH_TYPE);
	put_loop(&b, 5);
	put_loop(&b, 6);
	assert_int_equal(load(&b, SELF, &counts, NULL), 0);
	assert_string_equal(written(counts, BRANCHES_FDATA),
			    "1 branches_test_loop 2 1 branches_test_loop 4 0 6\n"
			    "1 branches_test_loop 2 1 branches_test_loop b 0 2\n"
			    "1 branches_test_loop 7 1 branches_test_loop 0 2 2\n"
			    "1 branches_test_loop 7 1 branches_test_loop 9 0 4\n"
			    "1 branches_test_loop 9 1 branches_test_loop 0 2 4\n"
			    "0 [unknown] 0 1 branches_test_loop 0 0 2\n");
	branches_free(counts);
}

/* A range through a jump, or from the middle of an instruction, adds nothing. */
static void test_fdata_impossible(void **state)
{
	const uint64_t branch[][3] = {
		{ loop + 0xb, 0x20000050, 2 }, { 0x20000040, loop + 4, 2 },
		{ loop + 7, 0x20000040, 2 }, { 0x20000040, loop + 1, 2 },
	};
	struct branches *counts;
	struct buffer b = { 0 };

	begin(&b, BRANCH_TYPE);
	put_branches(&b, 5, 4, branch, 4);
	assert_int_equal(load(&b, SELF, &counts, NULL), 0);
	assert_null(strstr(written(counts, BRANCHES_FDATA), "loop 7 1 branches_test_loop 9"));
	assert_null(strstr(written(counts, BRANCHES_FDATA), "loop 2 1 branches_test_loop 4"));
	branches_free(counts);
}
#endif

/* Kernel ends, a branch that was not taken, the latest one twice, a range backwards or too long. */
static void test_left_out(void **state)
{
	const uint64_t branch[][3] = {
		{ loop + 0x1800, loop, 2 }, { loop + 0x1800, loop, 2 },	/* twice */
		{ KERNEL, loop + 4, 2 }, { loop + 2, KERNEL, 2 },	/* interrupted */
		{ loop + 9, loop + 7, WRONG_PATH }, { 0, loop, 2 },
	};
	const uint64_t backwards[][3] = {
		{ loop, loop + 2, 2 }, { loop + 9, loop + 7, 2 }, { 0x20000010, 0x20000020, 2 },
	};
	struct branches *counts;
	struct buffer b = { 0 };

	begin(&b, BRANCH_TYPE);
	put_branches(&b, 5, 6, branch, 6);
	assert_int_equal(load(&b, SELF, &counts, NULL), 0);
	check_autofdo(counts, "2\n@0-@2:1\n@4-@1800:1\n1\n@4:1\n1\n@1800->@0:1\n");
	branches_free(counts);
	begin(&b, BRANCH_TYPE);
	put_branches(&b, 5, 3, backwards, 3);
	assert_int_equal(load(&b, SELF, &counts, NULL), 0);
	check_autofdo(counts, "0\n1\n@4:1\n2\n@0->@2:1\n@9->@7:1\n");
	assert_non_null(strstr(notes, "1 ranges"));
	branches_free(counts);
}

/* A process that has executed another program has no branches of the old one. */
static void test_exec(void **state)
{
	struct branches *counts;
	struct buffer b = { 0 };

	begin(&b, BRANCH_TYPE);
	put_loop(&b, 5);
	put_comm(&b, 7, 7, 6, "other", true);
	put_loop(&b, 7);
	assert_int_equal(load(&b, SELF, &counts, NULL), 0);
	check_autofdo(counts, "4\n@0-@2:1\n@0-@7:1\n@0-@9:2\n@b-@b:1\n1\n@4:1\n"
		      "3\n@2->@b:1\n@7->@0:1\n@9->@0:2\n");
	branches_free(counts);
}

/* A count of branches that the record does not have, up to one that wraps when it is multiplied. */
static void test_damaged(void **state)
{
	static const uint64_t counts[] = { 7, 1u << 20, UINT64_MAX / 24 + 1, UINT64_MAX };
	const uint64_t branch[6][3] = { { 0 } };
	struct branches *ret;
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct diag diag = { .offset = DIAG_NO_OFFSET };
		struct buffer b = { 0 };
		size_t at;

		begin(&b, BRANCH_TYPE);
		at = b.len;
		put_branches(&b, 5, counts[i], branch, 6);
		assert_int_equal(load(&b, SELF, &ret, &diag), -EBADMSG);
		assert_int_equal(diag.offset, at);
		assert_non_null(strstr(diag.text, "shorter than its event's description"));
	}
}

static void refused(struct buffer *b, const char *program, int err, const char *text)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct branches *ret;

	assert_int_equal(load(b, program, &ret, &diag), -err);
	assert_non_null(strstr(diag.text, text));
}

static void test_refused(void **state)
{
	struct perf_event_attr attr = made_attr(BRANCH_TYPE);
	struct buffer b = { 0 };

	begin(&b, MADE_TYPE);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 7, 5, loop, 1, NULL, 0);
	refused(&b, SELF, ENODATA, "no branch stacks");
	pipe_begin(&b, &attr, 1);
	put_mmap(&b, 7, 2, MAPPED, 0x2000, page_of_loop, "/none/other");
	put_loop(&b, 5);
	refused(&b, SELF, ENODATA, "no process that had mapped");
	begin(&b, BRANCH_TYPE);
	put_loop(&b, 5);
	refused(&b, "/dev/null", EBADMSG, "");
	buffer_put(&b, "no file of perf", 16);
	refused(&b, SELF, EINVAL, "not a file of perf record");
}

static void test_formats(void **state)
{
	enum branches_format f;

	assert_true(branches_format_find("fdata", &f));
	assert_int_equal(f, BRANCHES_FDATA);
	assert_false(branches_format_find("pprof", &f));
	assert_string_equal(branches_format_word(0), "autofdo");
	assert_null(branches_format_word(BRANCHES_NR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
#ifdef __x86_64__
		cmocka_unit_test(test_fdata),
		cmocka_unit_test(test_fdata_impossible),
#endif
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, find_loop, NULL);
}
