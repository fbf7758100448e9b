// SPDX-License-Identifier: GPL-2.0-only
/* The reader of Mach-O files, on files of all classes and byte orders, whole and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <errno.h>

#include <cmocka.h>

#include "formats/macho/macho.h"
#include "macho_file.h"

static const struct {
	bool wide;
	bool big;
} kinds[] = { { true, false }, { true, true }, { false, false }, { false, true } };

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

/* Offsets of the fields that a test damages. */
struct places {
	size_t text;	/* segment */
	size_t uuid;
	size_t symtab;
	size_t starts;
};

#define DATA 0x800u
#define SYMBOLS (DATA + 0x10)
#define STRINGS (DATA + 0x60)
#define STARTS (DATA + 0x80)
#define RELOCS (DATA + 0x90)
#define END (DATA + 0xa0)

static const char strings[] = "\0_main\0_data";

static void make(struct macho_file *f, bool wide, bool big, struct places *p)
{
	mf_start(f, wide, big, wide ? MACHO_X86_64 : MACHO_PPC, MACHO_EXECUTE);
	mf_segment(f, "__PAGEZERO", 0, 0x1000, 0);
	p->text = f->n;
	mf_segment(f, "__TEXT", 0x1000, 0x1000, 2);
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__text", .addr = 0x1800, .size = 16, .off = DATA,
		.reloc_off = RELOCS, .nr_relocs = 2,
		.flags = MACHO_PURE_INSTRUCTIONS | MACHO_SOME_INSTRUCTIONS });
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__sixteen_bytes_", .addr = 0x1810, .size = 16,
		.off = SYMBOLS });
	mf_segment(f, "__DATA", 0x2000, 0x1000, 1);
	mf_section(f, &(struct mf_section){
		.segment = "__DATA", .name = "__bss", .addr = 0x2000, .size = 0x1000,
		.flags = MACHO_ZEROFILL });
	p->uuid = f->n;
	mf_uuid(f, 0x40);
	p->symtab = f->n;
	mf_symtab(f, SYMBOLS, 3, STRINGS, sizeof(strings) + 4);
	p->starts = f->n;
	mf_starts(f, STARTS, 16);
	mf_end(f);

	f->n = SYMBOLS;
	mf_symbol(f, 1, MACHO_IN_SECTION | 1, 1, 0x1800);
	mf_symbol(f, 7, MACHO_IN_SECTION, 3, 0x2000);
	mf_symbol(f, sizeof(strings), MACHO_UNDEFINED | 1, 0, 0);
	f->n = STRINGS;
	mf_bytes(f, strings, sizeof(strings));
	mf_bytes(f, "tail", 4);
	f->n = STARTS;
	mf_bytes(f, "\x80\x10\x08\x00\x08", 5);	/* 0x800, 8, the end */
	f->n = RELOCS;
	mf_put(f, 4, 4);
	mf_put(f, 4, f->big ? 0x000002d5 : 0x5d000002);
	mf_put(f, 4, 0xe2000008);	/* scattered, but in 64-bit files */
	mf_put(f, 4, 0x1800);
	f->n = END;
}

/* Bytes in a buffer of exactly the size, for the sanitizer. */
static int open_copy(const struct macho_file *f, uint8_t **copy, struct macho *m,
		     struct diag *diag)
{
	*copy = malloc(f->n + !f->n);
	memcpy(*copy, f->bytes, f->n);
	*diag = (struct diag){ .offset = DIAG_NO_OFFSET };
	return macho_open(*copy, f->n, 0x100, "file", m, diag);
}

static void sections(const struct macho *m)
{
	static const char *const names[] = { "__text", "__sixteen_bytes_", "__bss" };
	struct macho_section s = { 0 };
	const uint8_t *bytes;
	unsigned int i;

	for (i = 0; macho_next_section(m, &s); i++) {
		assert_true(i < 3);
		assert_string_equal(s.name, names[i]);
		assert_string_equal(s.segment, i < 2 ? "__TEXT" : "__DATA");
		assert_int_equal(s.number, i + 1);
		assert_true(macho_is_text(&s) == !i);
		assert_int_equal(macho_section_bytes(m, &s, &bytes, NULL), 0);
		assert_ptr_equal(bytes, i < 2 ? m->bytes + DATA + 16 * i : NULL);
	}
	assert_int_equal(i, 3);
	assert_true(macho_find_section(m, "__DATA", "__bss", &s));
	assert_int_equal(s.addr, 0x2000);
	assert_false(macho_find_section(m, "__TEXT", "__bss", &s));
	assert_true(macho_find_section(m, NULL, "__bss", &s));
}

static void symbols(const struct macho *m)
{
	struct macho_symtab tab;
	struct macho_symbol s;

	assert_int_equal(macho_symtab_open(m, &tab, NULL), 0);
	assert_int_equal(tab.nr, 3);
	macho_symbol_get(&tab, 0, &s);
	assert_string_equal(s.name, "_main");
	assert_int_equal(s.type, 0xf);
	assert_int_equal(s.section, 1);
	assert_int_equal(s.value, 0x1800);
	macho_symbol_get(&tab, 1, &s);
	assert_string_equal(s.name, "_data");
	assert_int_equal(s.value, 0x2000);
	/* "tail" does not end */
	macho_symbol_get(&tab, 2, &s);
	assert_null(s.name);
}

static void starts(const struct macho *m)
{
	struct macho_starts s;
	uint64_t addr;

	assert_int_equal(macho_starts_open(m, &s, NULL), 0);
	assert_true(macho_starts_next(&s, &addr));
	assert_int_equal(addr, 0x1800);
	assert_true(macho_starts_next(&s, &addr));
	assert_int_equal(addr, 0x1808);
	assert_false(macho_starts_next(&s, &addr));
	assert_false(macho_starts_next(&s, &addr));
}

static void relocs(const struct macho *m)
{
	struct macho_section s;
	struct macho_reloc r;

	assert_true(macho_find_section(m, NULL, "__text", &s));
	assert_true(macho_has_relocs(m, &s));
	macho_reloc_get(m, &s, 0, &r);
	assert_int_equal(r.off, 4);
	assert_int_equal(r.symbol, 2);
	assert_int_equal(r.type, 5);
	assert_int_equal(r.length, 2);
	assert_true(r.external && r.pc_relative && !r.scattered);
	macho_reloc_get(m, &s, 1, &r);
	assert_true(r.scattered == !m->wide);
	assert_int_equal(r.off, m->wide ? 0xe2000008 : 8);
	if (!m->wide) {
		assert_int_equal(r.type, 2);
		assert_int_equal(r.length, 2);
		assert_true(r.pc_relative);
	}
	s.nr_relocs = 3;
	assert_false(macho_has_relocs(m, &s));
}

static void whole(void **state)
{
	struct macho_file f;
	struct diag diag;
	struct places p;
	struct macho m;
	uint8_t *copy;
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		make(&f, kinds[i].wide, kinds[i].big, &p);
		assert_int_equal(macho_identify(f.bytes, f.n), MACHO_THIN);
		assert_int_equal(open_copy(&f, &copy, &m, &diag), 0);
		assert_true(m.wide == kinds[i].wide);
		assert_int_equal(m.filetype, MACHO_EXECUTE);
		assert_int_equal(m.base, 0x1000);
		assert_int_equal(m.uuid[0], 0x40);
		assert_int_equal(m.uuid[15], 0x4f);
		sections(&m);
		symbols(&m);
		starts(&m);
		relocs(&m);
		free(copy);
	}
}

/* A file without any load command is valid. */
static void empty(void **state)
{
	struct macho_starts starts;
	struct macho_section s = { 0 };
	struct macho_symtab tab;
	struct macho_file f;
	struct diag diag;
	uint64_t addr;
	struct macho m;
	uint8_t *copy;

	mf_start(&f, true, false, MACHO_ARM64, MACHO_OBJECT);
	assert_int_equal(open_copy(&f, &copy, &m, &diag), 0);
	assert_null(m.uuid);
	assert_int_equal(m.base, 0);
	assert_false(macho_next_section(&m, &s));
	assert_int_equal(macho_symtab_open(&m, &tab, NULL), 0);
	assert_int_equal(tab.nr, 0);
	assert_int_equal(macho_starts_open(&m, &starts, NULL), 0);
	assert_false(macho_starts_next(&starts, &addr));
	free(copy);
}

/* Sets four bytes at @off of a 64-bit file to @value: macho_open() must fail with @text. */
static void damage(const struct places *p, size_t off, uint32_t value, uint64_t at,
		   const char *text)
{
	struct macho_file f;
	struct places again;
	struct diag diag;
	struct macho m;
	uint8_t *copy;

	make(&f, true, false, &again);
	assert_int_equal(p->text, again.text);
	mf_put_at(&f, off, 4, value);
	assert_int_equal(open_copy(&f, &copy, &m, &diag), -EBADMSG);
	assert_string_equal(diag.text, text);
	assert_string_equal(diag.file, "file");
	assert_int_equal(diag.offset, 0x100 + at);
	free(copy);
}

static void damaged_commands(void **state)
{
	struct macho_file f;
	struct places p;

	make(&f, true, false, &p);
	damage(&p, 0, 0x7f454c46, 0, "not a Mach-O file");
	damage(&p, 20, 0x10000, 20, "its load commands are cut off");
	damage(&p, 20, 0xffffffff, 20, "its load commands are cut off");
	damage(&p, 16, 0xffffffff, p.starts + 16, "its load commands are cut off");
	damage(&p, p.uuid + 4, 0, p.uuid, "a load command has an impossible size");
	damage(&p, p.uuid + 4, 4, p.uuid, "a load command has an impossible size");
	damage(&p, p.uuid + 4, 0xfffffff8, p.uuid, "a load command has an impossible size");
	damage(&p, p.uuid + 4, 8, p.uuid, "a load command is cut off");
	damage(&p, p.text + 64, 3, p.text, "a segment has more sections than it has room for");
	damage(&p, p.text + 64, 0x40000000, p.text,
	       "a segment has more sections than it has room for");
	damage(&p, p.uuid, MACHO_SEGMENT_64, p.uuid, "a segment's load command is cut off");
	damage(&p, p.uuid, MACHO_SYMTAB, p.symtab, "a load command is there twice");
}

static void damaged_tables(void **state)
{
	struct macho_starts starts;
	struct macho_section s;
	struct macho_symtab tab;
	const uint8_t *bytes;
	struct macho_file f;
	struct diag diag;
	struct places p;
	uint64_t addr;
	struct macho m;
	uint8_t *copy;

	make(&f, true, false, &p);
	mf_put_at(&f, p.text + 72 + 48, 4, END - 15);
	mf_put_at(&f, p.symtab + 12, 4, 0x10000000);
	mf_put_at(&f, p.starts + 8, 4, END - 15);
	assert_int_equal(open_copy(&f, &copy, &m, &diag), 0);
	assert_true(macho_find_section(&m, NULL, "__text", &s));
	assert_int_equal(macho_section_bytes(&m, &s, &bytes, &diag), -EBADMSG);
	assert_string_equal(diag.text, "section __text ends after the end of the file");
	assert_int_equal(diag.offset, 0x100 + p.text + 72);
	assert_int_equal(macho_symtab_open(&m, &tab, &diag), -EBADMSG);
	assert_string_equal(diag.text, "symbols are after the end of the file");
	assert_int_equal(macho_starts_open(&m, &starts, &diag), -EBADMSG);
	assert_string_equal(diag.text, "starts of functions are after the end of the file");
	free(copy);

	make(&f, true, false, &p);
	mf_put_at(&f, p.symtab + 20, 4, 0xffffffff);
	memset(f.bytes + STARTS, 0xff, 16);
	assert_int_equal(open_copy(&f, &copy, &m, &diag), 0);
	assert_int_equal(macho_symtab_open(&m, &tab, &diag), -EBADMSG);
	assert_string_equal(diag.text, "names of symbols are after the end of the file");
	assert_int_equal(macho_starts_open(&m, &starts, &diag), 0);
	assert_false(macho_starts_next(&starts, &addr));
	free(copy);
}

/*
 * If it is cut off anywhere before the data that commands refer to, it is refused or read as a
 * whole.
 */
static void cut_off(void **state)
{
	struct macho_file f;
	struct diag diag;
	struct places p;
	struct macho m;
	uint8_t *copy;
	size_t i, n;

	for (i = 0; i < NR_KINDS; i++) {
		for (n = 0; n < DATA; n++) {
			make(&f, kinds[i].wide, kinds[i].big, &p);
			f.n = n;
			assert_int_equal(open_copy(&f, &copy, &m, &diag),
					 n < p.starts + 16 ? -EBADMSG : 0);
			free(copy);
		}
	}
}

static size_t make_fat(uint8_t *p, bool wide, uint32_t nr, uint64_t off, uint64_t len)
{
	struct macho_file f = { .big = true };
	uint32_t i;

	mf_put(&f, 4, wide ? 0xcafebabf : 0xcafebabe);
	mf_put(&f, 4, nr);
	for (i = 0; i < 2; i++) {
		mf_put(&f, 4, i ? MACHO_ARM64 : MACHO_X86_64);
		mf_put(&f, 4, i ? 0x80000002 : 3);
		mf_put(&f, wide ? 8 : 4, off + 16 * i);
		mf_put(&f, wide ? 8 : 4, len);
		mf_put(&f, 4, 4);
		if (wide)
			mf_put(&f, 4, 0);
	}
	memcpy(p, f.bytes, 128);
	return 128;
}

static void fat(void **state)
{
	struct macho_slice s;
	struct diag diag = { 0 };
	struct macho_fat fat;
	uint8_t bytes[128];
	int wide;

	for (wide = 0; wide < 2; wide++) {
		make_fat(bytes, wide, 2, 96, 16);
		assert_int_equal(macho_identify(bytes, sizeof(bytes)), MACHO_FAT);
		assert_int_equal(macho_fat_open(bytes, sizeof(bytes), "f", &fat, NULL), 0);
		assert_int_equal(fat.nr, 2);
		macho_fat_get(&fat, 1, &s);
		assert_int_equal(s.cputype, MACHO_ARM64);
		assert_int_equal(s.off, 112);
		assert_int_equal(s.len, 16);
		assert_string_equal(macho_arch_name(s.cputype, s.cpusubtype), "arm64e");

		assert_int_equal(macho_fat_open(bytes, 127, "f", &fat, &diag), -EBADMSG);
		assert_string_equal(diag.text, "a slice ends after the end of the file");
		assert_int_equal(diag.offset, wide ? 40 : 28);
		assert_int_equal(macho_fat_open(bytes, 8 + 39, "f", &fat, &diag), -EBADMSG);
		assert_string_equal(diag.text, "its table of slices is cut off");
		make_fat(bytes, wide, 2, 96, wide ? UINT64_MAX - 90 : UINT32_MAX - 90);
		assert_int_equal(macho_fat_open(bytes, 128, "f", &fat, &diag), -EBADMSG);
	}
	/* a class of Java 8 */
	make_fat(bytes, false, 52, 96, 16);
	assert_int_equal(macho_identify(bytes, sizeof(bytes)), MACHO_NONE);
	assert_int_equal(macho_fat_open(bytes, 128, "f", &fat, &diag), -EBADMSG);
	assert_int_equal(macho_identify(bytes, 7), MACHO_NONE);
}

static void archs(void **state)
{
	assert_string_equal(macho_arch_name(MACHO_X86_64, 3), "x86_64");
	assert_string_equal(macho_arch_name(MACHO_X86_64, 0x80000003), "x86_64");
	assert_string_equal(macho_arch_name(MACHO_ARM, 9), "armv7");
	assert_null(macho_arch_name(MACHO_PPC64 + 1, 0));
	assert_true(macho_arch_is("arm64", MACHO_ARM64, 0));
	assert_false(macho_arch_is("arm64", MACHO_ARM64, 2));
	assert_true(macho_arch_is("0x100000c", MACHO_ARM64, 2));
	assert_true(macho_arch_is("16777223", MACHO_X86_64, 3));
	assert_false(macho_arch_is("16777223x", MACHO_X86_64, 3));
	assert_false(macho_arch_is("", 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(empty),
		cmocka_unit_test(damaged_commands),
		cmocka_unit_test(damaged_tables),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(fat),
		cmocka_unit_test(archs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
