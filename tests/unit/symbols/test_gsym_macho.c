// SPDX-License-Identifier: GPL-2.0-only
/* Finding the right file among dSYM bundles and slices; and the functions of Mach-O symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/convert/from_macho.h"
#include "symbols/convert/input.h"
#include "formats/gsym/part.h"
#include "formats/macho/macho.h"
#include "macho_file.h"

#define DATA 0x600u
#define STRINGS 0x700u
#define STARTS 0x780u
#define TEXT 0x100001000ull

static char folder[64];

/* In a folder of this test. */
static const char *path_of(const char *name)
{
	static char paths[4][256];
	static unsigned int n;
	char *p = paths[n++ % 4];

	snprintf(p, sizeof(paths[0]), "%s/%s", folder, name);
	return p;
}

static void write_file(const char *name, const void *p, size_t len)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, len, f), len);
	fclose(f);
}

static void make_bundle(const char *name)
{
	static const char *const parts[] = { "", "/Contents", "/Contents/Resources",
					     "/Contents/Resources/DWARF" };
	char path[128];
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		snprintf(path, sizeof(path), "%s%s", name, parts[i]);
		assert_int_equal(mkdir(path_of(path), 0700), 0);
	}
}

/* A name in the strings that start at the end of the file. */
static uint32_t name(struct macho_file *strings, const char *s)
{
	uint32_t at = (uint32_t)strings->n;

	mf_bytes(strings, s, strlen(s) + 1);
	return at;
}

struct symbol {
	const char *name;
	uint8_t type;
	uint8_t section;
	uint64_t value;
};

/* A library with two adjacent sections with code, and one with data. */
static void make(struct macho_file *f, const struct symbol *s, uint32_t nr, uint8_t uuid)
{
	struct macho_file strings = { .n = 1 };
	uint32_t i;

	mf_start(f, true, false, MACHO_ARM64, MACHO_EXECUTE);
	mf_uuid(f, uuid);
	mf_segment(f, "__TEXT", 0x100000000, 0x4000, 3);
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__text", .addr = TEXT, .size = 0x100,
		.flags = MACHO_PURE_INSTRUCTIONS });
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__stubs", .addr = TEXT + 0x100, .size = 0x10,
		.flags = MACHO_PURE_INSTRUCTIONS });
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__const", .addr = TEXT + 0x200, .size = 0x10 });
	mf_symtab(f, DATA, nr, STRINGS, 0x80);
	mf_starts(f, STARTS, 8);
	mf_end(f);
	f->n = DATA;
	for (i = 0; i < nr; i++)
		mf_symbol(f, name(&strings, s[i].name), s[i].type, s[i].section, s[i].value);
	memcpy(f->bytes + STRINGS, strings.bytes, 0x80);
	f->n = STARTS;
	/* TEXT, + 0x20, + 0x40, the end */
	mf_bytes(f, "\x80\x20\x20\x20\0\0\0\0", 8);
}

static const struct symbol symbols[] = {
	{ "_f", 0x24, 1, TEXT },		/* a stab */
	{ "_f", 0x0f, 1, TEXT },
	{ "ltmp0", 0x0e, 1, TEXT },
	{ "_local", 0x0e, 1, TEXT },
	{ "__ZN1n1gEi", 0x0e, 1, TEXT + 0x40 },
	{ "plain", 0x0e, 1, TEXT + 0x80 },
	{ "_", 0x0e, 1, TEXT + 0x90 },
	{ "_data", 0x0e, 3, TEXT + 0x200 },
	{ "_undefined", 0x01, 0, 0 },
	{ "_absolute", 0x03, 0, 1 },
};

#define NR_SYMBOLS (sizeof(symbols) / sizeof(*symbols))

static void read_symbols(struct gsym_part *part, struct gsym_symtab *ret)
{
	struct diag diag = { 0 };
	struct macho_file f;

	make(&f, symbols, NR_SYMBOLS, 1);
	write_file("library", f.bytes, f.n);
	assert_int_equal(gsym_from_macho(path_of("library"), 0, 0, part, ret, &diag), 0);
}

static void functions(void **state)
{
	static const char *const names[] = { "f", "ltmp0", "local", "_ZN1n1gEi", "plain" };
	struct gsym_part *part = gsym_part_new();
	struct gsym_symtab s;
	size_t i;

	read_symbols(part, &s);
	assert_int_equal(s.base, 0x100000000);
	assert_int_equal(s.uuid_len, 16);
	assert_int_equal(s.uuid[1], 2);
	assert_false(s.big_endian);
	assert_int_equal(s.nr_text, 2);
	assert_int_equal(s.text[0].end, s.text[1].start);
	assert_int_equal(s.nr_starts, 3);
	assert_int_equal(s.starts[2], TEXT + 0x40);
	assert_int_equal(s.symbols, 5);
	assert_int_equal(part->nr_funcs, 5);
	for (i = 0; i < 5; i++) {
		assert_string_equal(gsym_part_text(part, part->funcs[i].name), names[i]);
		assert_int_equal(part->funcs[i].start, part->funcs[i].end);
	}
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

/*
 * Expected: the external name of several, ends at the starts of others, the end of the section.
 */
static void written(void **state)
{
	static const struct {
		const char *name;
		uint64_t off;
		uint64_t size;
	} want[] = {
		{ "f", 0, 0x20 },	/* no symbol names the function that starts there */
		{ "_ZN1n1gEi", 0x40, 0 },
		{ "plain", 0x80, 0x80 },
	};
	struct gsym_part *part = gsym_part_new();
	int fd = memfd_create("out", 0);
	struct gsym_write_options o = { .layout = GSYM_LLVM_1 };
	struct gsym_symtab s;
	struct gsym_function f;
	struct gsym *g;
	char path[32];
	size_t i;

	read_symbols(part, &s);
	o.base = s.base;
	o.text = s.text;
	o.nr_text = s.nr_text;
	o.starts = s.starts;
	o.nr_starts = s.nr_starts;
	assert_int_equal(gsym_write(&part, 1, &o, fd, "out", NULL, NULL), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(gsym_open(path, &g, NULL), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(gsym_function(g, (uint32_t)i, &f), 0);
		assert_string_equal(f.name, want[i].name);
		assert_int_equal(f.start, TEXT + want[i].off);
		assert_int_equal(f.size, want[i].size);
	}
	assert_null(gsym_lookup_name(g, TEXT + 0x20, NULL));
	gsym_close(g);
	close(fd);
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

static void damaged(void **state)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;
	struct macho_file f;

	make(&f, symbols, NR_SYMBOLS, 1);
	mf_put_at(&f, DATA + 16, 4, 0x1000);
	write_file("damaged", f.bytes, f.n);
	assert_int_equal(gsym_from_macho(path_of("damaged"), 0, 0, part, &s, &diag), -EBADMSG);
	assert_string_equal(diag.text, "the name of symbol 1 is not in the table");
	assert_int_equal(gsym_from_macho(path_of("damaged"), f.n, 1, part, &s, &diag), -EBADMSG);
	assert_string_equal(diag.text, "it ends before the selected slice");
	assert_int_equal(gsym_from_macho("/nowhere", 0, 0, part, &s, &diag), -ENOENT);
	gsym_part_free(part);
}

/* Thousands of names that are suffixes of one long name. */
static void shared_names(void **state)
{
	enum { NR = 2000, LEN = 8000, AT = DATA + 16 * NR };
	struct gsym_part *part = gsym_part_new();
	static struct macho_file f;
	struct diag diag = { 0 };
	struct gsym_symtab s;
	uint8_t *bytes;
	uint32_t i;

	make(&f, symbols, 1, 1);
	f.n = DATA;
	bytes = calloc(1, AT + LEN);
	memset(bytes + AT, 'a', LEN - 1);
	mf_put_at(&f, 32 + 24 + 72 + 3 * 80 + 12, 4, NR);
	mf_put_at(&f, 32 + 24 + 72 + 3 * 80 + 16, 4, AT);
	mf_put_at(&f, 32 + 24 + 72 + 3 * 80 + 20, 4, LEN);
	memcpy(bytes, f.bytes, DATA);
	for (i = 0; i < NR; i++) {
		f.n = 0;
		mf_symbol(&f, i + 1, 0x0f, 1, TEXT + i % 0x100);
		memcpy(bytes + DATA + 16 * i, f.bytes, 16);
	}
	write_file("shared", bytes, AT + LEN);
	free(bytes);
	assert_int_equal(gsym_from_macho(path_of("shared"), 0, 0, part, &s, &diag), -EBADMSG);
	assert_string_equal(diag.text, "too many names of symbols share the same bytes");
	assert_true(part->nr_funcs > 100 && part->nr_funcs < 200);
	gsym_part_free(part);
}

static void kinds(void **state)
{
	struct diag diag = { 0 };
	struct gsym_inputs in;

	write_file("text", "MODULE Linux x86_64", 19);
	assert_int_equal(gsym_inputs_find(path_of("text"), NULL, &in, &diag), 0);
	assert_int_equal(in.nr, 1);
	assert_int_equal(in.p[0].kind, GSYM_INPUT_BREAKPAD);
	gsym_inputs_release(&in);
	assert_int_equal(gsym_inputs_find(path_of("text"), "arm64", &in, &diag), -EINVAL);
	assert_string_equal(diag.text, "not a Mach-O file: it has no slice for arm64");
	write_file("short", "MOD", 3);
	assert_int_equal(gsym_inputs_find(path_of("short"), NULL, &in, &diag), 0);
	assert_int_equal(in.p[0].kind, GSYM_INPUT_ELF);
	gsym_inputs_release(&in);
	assert_int_equal(gsym_inputs_find(folder, NULL, &in, &diag), -EISDIR);
	assert_int_equal(gsym_inputs_find("/nowhere", NULL, &in, &diag), -ENOENT);
}

/*
 * A slice for ARM64 with @uuid at 0x1000, and one for another processor that is not a Mach-O
 * file.
 */
static void write_fat(const char *file, uint8_t uuid)
{
	static uint8_t bytes[0x3000];
	struct macho_file f, head = { .big = true };

	make(&f, symbols, NR_SYMBOLS, uuid);
	mf_put(&head, 4, 0xcafebabe);
	mf_put(&head, 4, 2);
	mf_put(&head, 8, (uint64_t)MACHO_X86_64 << 32 | 3);
	mf_put(&head, 8, 0x2000ull << 32 | 16);
	mf_put(&head, 4, 12);
	mf_put(&head, 8, (uint64_t)MACHO_ARM64 << 32);
	mf_put(&head, 8, 0x1000ull << 32 | f.n);
	memcpy(bytes, head.bytes, head.n);
	memcpy(bytes + 0x1000, f.bytes, f.n);
	write_file(file, bytes, sizeof(bytes));
}

static void slices(void **state)
{
	struct diag diag = { 0 };
	struct gsym_inputs in;

	write_fat("fat", 1);
	assert_int_equal(gsym_inputs_find(path_of("fat"), "arm64", &in, &diag), 0);
	assert_int_equal(in.nr, 1);
	assert_int_equal(in.p[0].off, 0x1000);
	assert_string_equal(in.p[0].arch, "arm64");
	assert_int_equal(in.p[0].kind, GSYM_INPUT_MACHO);
	gsym_inputs_release(&in);
	assert_int_equal(gsym_inputs_find(path_of("fat"), "0x100000c", &in, &diag), 0);
	gsym_inputs_release(&in);
	assert_int_equal(gsym_inputs_find(path_of("fat"), "i386", &in, &diag), -ENOENT);
	assert_string_equal(diag.text, "nothing of i386 in it");
	assert_int_equal(gsym_inputs_find(path_of("fat"), NULL, &in, &diag), -EBADMSG);
	assert_string_equal(diag.text, "not a Mach-O file");
	assert_int_equal(diag.offset, 0x2000);
}

static void bundles(void **state)
{
	const char inner[] = "prog.dSYM/Contents/Resources/DWARF/prog";
	struct diag diag = { 0 };
	struct gsym_inputs in;
	struct macho_file f;

	make(&f, symbols, NR_SYMBOLS, 7);
	write_file("prog", f.bytes, f.n);
	make_bundle("prog.dSYM");
	assert_int_equal(gsym_inputs_find(path_of("prog.dSYM"), NULL, &in, &diag), -ENOENT);
	assert_int_equal(gsym_inputs_find(path_of("prog"), NULL, &in, &diag), 0);
	assert_string_equal(in.p[0].path, path_of("prog"));
	assert_false(in.p[0].other_dsym);
	gsym_inputs_release(&in);

	/* with another UUID; then damaged, which matters only before the wanted slice */
	write_file(inner, f.bytes, f.n);
	make(&f, symbols, NR_SYMBOLS, 8);
	write_file("prog", f.bytes, f.n);
	assert_int_equal(gsym_inputs_find(path_of("prog"), NULL, &in, &diag), 0);
	assert_string_equal(in.p[0].path, path_of("prog"));
	assert_true(in.p[0].other_dsym);
	gsym_inputs_release(&in);
	write_fat(inner, 8);
	assert_int_equal(gsym_inputs_find(path_of("prog"), NULL, &in, &diag), -EBADMSG);
	assert_string_equal(diag.file, path_of("prog"));

	write_file(inner, f.bytes, f.n);
	assert_int_equal(gsym_inputs_find(path_of("prog"), NULL, &in, &diag), 0);
	assert_string_equal(in.p[0].path, path_of(inner));
	assert_int_equal(in.p[0].len, f.n);
	gsym_inputs_release(&in);
	assert_int_equal(gsym_inputs_find(path_of("prog.dSYM/"), "arm64", &in, &diag), 0);
	assert_int_equal(in.nr, 1);
	gsym_inputs_release(&in);
	write_file("prog.dSYM/Contents/Resources/DWARF/other", "x", 1);
	assert_int_equal(gsym_inputs_find(path_of("prog.dSYM"), NULL, &in, &diag), -EINVAL);
}

static int make_folder(void **state)
{
	strcpy(folder, "/tmp/test_gsym_macho.XXXXXX");
	return !mkdtemp(folder);
}

static int remove_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(written),
		cmocka_unit_test(damaged),
		cmocka_unit_test(shared_names),
		cmocka_unit_test(kinds),
		cmocka_unit_test(slices),
		cmocka_unit_test(bundles),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
