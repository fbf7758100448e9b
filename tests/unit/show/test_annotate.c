// SPDX-License-Identifier: GPL-2.0-only
/* Parses lines of objdump, and tests the messages of annotate if there is no code. */
#include "support.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "show/annotate/annotate.h"
#include "show/annotate/objdump.h"
#include "show/annotate/source.h"
#include "core.h"
#include "show/report/select.h"

/* An instruction whose address must be @want; 0 means that the line has none. */
static void refers(const char *line, uint64_t want)
{
	uint64_t address = 0;
	struct objdump_line got;
	size_t at, end;

	assert_true(objdump_line(line, strlen(line), &got));
	if (objdump_reference(got.text, got.len, &at, &end, &address) != (want != 0))
		fail_msg("'%s': %s", line, want ? "nothing" : "an address");
	assert_int_equal(want ? address : 0, want);
}

static void test_lines(void **state)
{
	static const char *const none[] = {
		"", "\n", "a.bin:     file format binary", "0000000000001249 <.data>:", "  1249:", "  1249:\t",
		"  1249:\t  ", "  g:\tret", "  11111111111111111:\tret", "Disassembly of section .data:",
		"  12 49:\tret",
	};
	struct objdump_line line;
	size_t i;

	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (objdump_line(none[i], strlen(none[i]), &line))
			fail_msg("'%s' is an instruction", none[i]);
	assert_true(objdump_line("ffffffffffffffff:\tret  ", 23, &line));
	assert_int_equal(line.address, UINT64_MAX);
	assert_int_equal(line.len, 3);
	assert_memory_equal(line.text, "ret", 3);
}

static void test_references(void **state)
{
	refers(" 1:\tcall   0x10b0", 0x10b0);
	refers(" 1:\tjne    0x1330", 0x1330);
	refers(" 1:\tbnd jmp 0x1330", 0x1330);
	refers(" 1:\tjne,pn 0x1330", 0x1330);
	refers(" 1:\tloop   0x1330", 0x1330);
	refers(" 1:\tlea    -0xa5(%rip),%rcx        # 0x12bf", 0x12bf);
	refers(" 1:\tlea    rcx,[rip+0xffffffffffffff5b]        # 0x12bf", 0x12bf);
	refers(" 1:\tbl\t0x1322e0", 0x1322e0);
	refers(" 1:\tb.eq\t0x36038  // b.none", 0x36038);
	refers(" 1:\tcbnz\tw0, 0x36538", 0x36538);
	refers(" 1:\ttbz\tw0, #3, 0x36538", 0x36538);
	refers(" 1:\tadrp\tx0, 0x134000", 0x134000);
	/* constants */
	refers(" 1:\tmov    $0x124f80,%edi", 0);
	refers(" 1:\tmov    edi,0x124f80", 0);
	refers(" 1:\tpush   0x10", 0);
	refers(" 1:\tret    0x8", 0);
	refers(" 1:\tint    0x80", 0);
	refers(" 1:\t.byte 0xbb", 0);
	refers(" 1:\t.inst\t0x00000000 ; undefined", 0);
	refers(" 1:\tmov\tx4, #0x0                   \t// #0", 0);
	refers(" 1:\tmov    0x10(%rax),%rdx", 0);
	refers(" 1:\tcall   *0x10(%rax)", 0);
	refers(" 1:\tcall   0x", 0);
	refers(" 1:\tcall   0x11111111111111111", 0);
	refers(" 1:\tret", 0);
}

static int count_insn(const struct objdump_line *line, void *arg)
{
	++*(unsigned int *)arg;
	return 0;
}

/* Any bytes are decoded as instructions or "(bad)". */
static void test_random_code(void **state)
{
	const struct ustack_arch *const archs[] = { &ustack_arch_x86_64, &ustack_arch_aarch64 };
	uint8_t code[4096];
	unsigned int nr;
	size_t i;

	if (access("/usr/bin/objdump", X_OK) || access("/usr/bin/aarch64-linux-gnu-objdump", X_OK))
		skip();
	for (i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t)(i * 2654435761u >> 11);
	for (i = 0; i < 2; i++) {
		struct objdump_request q = { .arch = archs[i], .code = code, .len = sizeof(code),
					     .address = 0x401000 };

		nr = 0;
		assert_int_equal(objdump_run(&q, count_insn, &nr, NULL), 0);
		assert_true(nr >= sizeof(code) / 15);
		nr = 0;
		q.len = 1;
		objdump_run(&q, count_insn, &nr, NULL);
		assert_true(nr <= 1);
	}
}

struct told {
	char text[512];
	unsigned int nr;
};

static void tell(const char *text, void *arg)
{
	struct told *t = arg;

	snprintf(t->text, sizeof(t->text), "%s", text);
	t->nr++;
}

static void test_sources(void **state)
{
	char dir[] = "/tmp/annotate.XXXXXX", path[512];
	struct told told = { .nr = 0 };
	struct sources *s;
	const char *line;
	size_t len = 9;
	FILE *out;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.c", dir);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs("one\n\nthree", out);
	fclose(out);
	s = sources_new(dir, tell, &told);
	assert_non_null(s);
	line = sources_line(s, path, 1, 0, &len);
	assert_int_equal(len, 3);
	assert_memory_equal(line, "one", 3);
	assert_non_null(sources_line(s, "elsewhere/a.c", 2, 0, &len));
	assert_int_equal(len, 0);
	line = sources_line(s, path, 3, 0, &len);
	assert_int_equal(len, 5);
	assert_memory_equal(line, "three", 5);
	assert_null(sources_line(s, path, 4, 0, &len));
	assert_null(sources_line(s, path, UINT32_MAX, 0, &len));
	assert_null(sources_line(s, path, 0, 0, &len));
	assert_null(sources_line(s, "", 1, 0, &len));
	assert_int_equal(told.nr, 0);
	assert_null(sources_line(s, "b.c", 1, 0, &len));
	assert_null(sources_line(s, "b.c", 2, 0, &len));
	assert_int_equal(told.nr, 1);
	assert_non_null(strstr(told.text, "b.c: the source was not found"));
	assert_non_null(sources_line(s, path, 1, 1, &len));
	assert_non_null(sources_line(s, path, 1, 1, &len));
	assert_int_equal(told.nr, 2);
	assert_non_null(strstr(told.text, "was changed after the program"));
	/* a special file is not waited for */
	assert_null(sources_line(s, "/dev/zero", 1, 0, &len));
	sources_free(s);
	unlink(path);
	rmdir(dir);
}

/* Return: the message of annotate for a sample in @file at @address, in the function "f". */
static int why(const char *file, uint64_t address, const struct profile_mapping *m, struct diag *diag)
{
	struct profile *p = profile_new();
	struct symstore *store;
	struct annotate *a = NULL;
	struct profile_mapping mapping = *m;
	struct profile_function f = { .name = profile_string(p, "f") };
	struct profile_line line;
	struct annotate_options o = { .function = "f", .file = "profile" };
	const int64_t one = 1;
	int err;

	o.value = profile_value_type(p, "samples", "count");
	mapping.file = profile_string(p, file);
	line = (struct profile_line){ .function = profile_function(p, &f) };
	profile_add(p, profile_stack(p, 0, profile_location_named(p, profile_mapping(p, &mapping), address,
								  &line, 1)),
		    0, &one);
	assert_int_equal(symstore_new(&(struct symstore_options){ .threads = 1 }, &store, diag), 0);
	o.store = store;
	err = annotate_new(p, &o, &a, diag);
	if (!err)
		err = annotate_code(a, &a->functions[0], diag);
	diag_copy_name(diag);
	annotate_free(a);
	symstore_free(store);
	profile_free(p);
	return err;
}

static void test_no_code(void **state)
{
	const struct profile_mapping file = { .start = 0x1000, .limit = 0x2000, .offset = 0x1000 };
	const struct profile_mapping nothing = { .start = 0 };
	static const struct {
		const char *file;
		uint64_t address;
		const char *says;
	} cases[] = {
		{ "[kernel.kallsyms]", 0xffffffff81000000, "belongs to the kernel" },
		{ "[ext4]", 0xffffffffc0000010, "belongs to the kernel" },
		{ "[jit:7]", 0x1010, "made this code itself" },
		{ "[cpython]", 0, "no instructions of its own" },
		{ "[php]", 0, "no instructions of its own" },
		{ "[ruby]", 0, "no instructions of its own" },
		{ "[perl]", 0, "no instructions of its own" },
		{ "/usr/bin/f", 0, "no addresses" },
		{ "[anon]", 0x1010, "which file" },
		{ "", 0x1010, "which file" },
		{ "/nowhere/f", 0x1010, "it can no longer be found" },
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(why(cases[i].file, cases[i].address, &file, &diag) < 0);
		if (!strstr(diag.text, cases[i].says))
			fail_msg("%s: '%s'", cases[i].file, diag.text);
	}
	assert_true(why("/usr/bin/f", 0x7f0000001010, &nothing, &diag) < 0);
	assert_non_null(strstr(diag.text, "annotate the perf.data"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_random_code),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_no_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
