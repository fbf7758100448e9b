// SPDX-License-Identifier: GPL-2.0-only
/* The sections of DWARF in Mach-O files: which sections they are, compression, relocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <errno.h>

#include <cmocka.h>
#include <zlib.h>

#include "formats/dwarf/object.h"
#include "formats/macho/macho.h"
#include "macho_file.h"

#define DATA 0x600u
#define SYMBOLS 0x700u
#define STRINGS 0x780u
#define RELOCS 0x7a0u

/* nlist's external, of a section; and undefined */
#define EXTERNAL 0x0f
#define UNDEFINED 0x01

static int open_file(const struct macho_file *f, struct dwarf_object **o, struct diag *diag)
{
	*diag = (struct diag){ .offset = DIAG_NO_OFFSET };
	return dwarf_object_open_bytes(f->bytes, f->n, "file", o, diag);
}

/* An object: __text at 0x10, another at 0x20, and @nr relocations for __debug_addr. */
static void start_object(struct macho_file *f, uint32_t cputype, bool big, uint32_t nr)
{
	bool wide = cputype & MACHO_CPU_64;

	mf_start(f, wide, big, cputype, MACHO_OBJECT);
	mf_segment(f, "", 0, 0x200, 4);
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__text", .addr = 0x10, .size = 16, .off = DATA,
		.flags = MACHO_PURE_INSTRUCTIONS });
	mf_section(f, &(struct mf_section){
		.segment = "__TEXT", .name = "__cold", .addr = 0x20, .size = 4, .off = DATA,
		.flags = MACHO_SOME_INSTRUCTIONS });
	mf_section(f, &(struct mf_section){
		.segment = "__DWARF", .name = "__debug_addr", .addr = 0x40, .size = 24,
		.off = DATA + 16, .reloc_off = RELOCS, .nr_relocs = nr });
	/* a section that is not DWARF's is not taken for one */
	mf_section(f, &(struct mf_section){
		.segment = "__DATA", .name = "__debug_info", .addr = 0x60, .size = 16,
		.off = DATA });
	mf_symtab(f, SYMBOLS, 2, STRINGS, 8);
	mf_end(f);
	f->n = DATA + 16;
	mf_put(f, 8, 0x100);
	mf_put(f, 8, 0x200);
	mf_put(f, 8, 0x300);
	f->n = SYMBOLS;
	mf_symbol(f, 1, EXTERNAL, 1, 0x18);
	mf_symbol(f, 4, UNDEFINED, 0, 64);
	f->n = STRINGS;
	mf_bytes(f, "\0_f\0_g\0", 8);
	f->n = RELOCS;
}

static void put_reloc(struct macho_file *f, uint32_t off, uint32_t symbol, unsigned int length,
		      bool external, unsigned int type)
{
	mf_put(f, 4, off);
	if (f->big)
		mf_put(f, 4, symbol << 8 | length << 5 | (uint32_t)external << 4 | type);
	else
		mf_put(f, 4, symbol | length << 25 | (uint32_t)external << 27 | type << 28);
}

static uint64_t number(const struct dwarf_object *o, uint64_t off, unsigned int size)
{
	struct cursor c = dwarf_object_at(o, DWARF_ADDR, off);

	return dwarf_uint(&c, size);
}

/*
 * Relocations that name a symbol add its value; those that name a section are already applied.
 */
static void relocations(void **state)
{
	static const struct {
		uint32_t cputype;
		unsigned int subtractor;
	} cpus[] = { { MACHO_X86_64, 5 }, { MACHO_ARM64, 1 } };
	struct dwarf_object *o;
	struct macho_file f;
	struct diag diag;
	size_t i;

	for (i = 0; i < 2; i++) {
		start_object(&f, cpus[i].cputype, false, 5);
		put_reloc(&f, 0, 0, 3, true, 0);
		put_reloc(&f, 8, 1, 3, false, 0);
		/* _g, which is not in this file, minus _f, in four bytes */
		put_reloc(&f, 16, 0, 2, true, cpus[i].subtractor);
		put_reloc(&f, 16, 1, 2, true, 0);
		put_reloc(&f, 20, 1, 2, false, cpus[i].subtractor);
		assert_int_equal(open_file(&f, &o, &diag), 0);
		assert_null(o->section[DWARF_INFO].data);
		assert_int_equal(number(o, 0, 8), 0x118);
		assert_int_equal(number(o, 8, 8), 0x200);
		assert_int_equal(number(o, 16, 4), 0x300 - 0x18);
		assert_int_equal(number(o, 20, 4), 0);
		/* __text and __cold touch */
		assert_int_equal(o->nr_text, 1);
		assert_true(dwarf_object_has_text(o, 0x10) && dwarf_object_has_text(o, 0x23));
		assert_false(dwarf_object_has_text(o, 0x24));
		dwarf_object_close(o);
	}
}

/* 32-bit relocations, of both byte orders, and scattered ones, which are already applied. */
static void relocations_32(void **state)
{
	struct dwarf_object *o;
	struct macho_file f;
	struct diag diag;
	int big;

	for (big = 0; big < 2; big++) {
		start_object(&f, big ? MACHO_PPC : MACHO_X86, big, big ? 1 : 3);
		put_reloc(&f, big ? 4 : 0, 0, 2, true, 0);
		if (!big) {
			/* scattered: GENERIC_RELOC_LOCAL_SECTDIFF and PAIR */
			mf_put(&f, 4, 0x80000000 | 2 << 28 | 4 << 24 | 8);
			mf_put(&f, 4, 0x18);
			mf_put(&f, 4, 0x80000000 | 2 << 28 | 1 << 24);
			mf_put(&f, 4, 0x10);
		}
		assert_int_equal(open_file(&f, &o, &diag), 0);
		assert_int_equal(number(o, big ? 4 : 0, 4), 0x118);
		assert_int_equal(number(o, big ? 12 : 8, 4), 0x200);
		dwarf_object_close(o);
	}
}

static void refuse(uint32_t off, uint32_t symbol, unsigned int type, uint32_t nr,
		   const char *text)
{
	struct dwarf_object *o;
	struct macho_file f;
	struct diag diag;

	start_object(&f, MACHO_ARM64, false, nr);
	put_reloc(&f, off, symbol, 3, true, type);
	assert_int_equal(open_file(&f, &o, &diag), -EBADMSG);
	assert_string_equal(diag.text, text);
	assert_string_equal(diag.file, "file");
}

static void bad_relocations(void **state)
{
	refuse(17, 0, 0, 1, "a relocation of __debug_addr refers to nothing in the file");
	refuse(0, 2, 0, 1, "a relocation of __debug_addr refers to nothing in the file");
	refuse(0x80000000, 0, 0, 1, "a relocation of __debug_addr refers to nothing in the file");
	refuse(0, 0, 2, 1, "unknown type 2 of a relocation for __debug_addr");
	refuse(0, 0, 0, 2, "relocations of __debug_addr are after the end of the file");
}

/* The file of a dSYM bundle: truncated section names, one compressed section. */
static void linked(void **state)
{
	static const char text[] = "abc\0defdefdefdefdefdefdefdefdefdefdefdefdefdef";
	uint8_t packed[256];
	uLongf len = sizeof(packed);
	struct dwarf_object *o;
	struct macho_file f;
	struct diag diag;

	assert_int_equal(compress(packed, &len, (const Bytef *)text, sizeof(text)), Z_OK);
	mf_start(&f, true, false, MACHO_X86_64, MACHO_DSYM);
	mf_uuid(&f, 1);
	mf_segment(&f, "__TEXT", 0x100000000, 0x1000, 1);
	mf_section(&f, &(struct mf_section){
		.segment = "__TEXT", .name = "__text", .addr = 0x100000100, .size = 16,
		.flags = MACHO_PURE_INSTRUCTIONS });
	mf_segment(&f, "__DWARF", 0x100001000, 0x1000, 3);
	mf_section(&f, &(struct mf_section){ .segment = "__DWARF", .name = "__debug_str_offsets",
					     .size = 8, .off = DATA });
	mf_section(&f, &(struct mf_section){ .segment = "__DWARF", .name = "__zdebug_str",
					     .size = 12 + len, .off = DATA + 8 });
	mf_section(&f, &(struct mf_section){ .segment = "__DWARF", .name = "__debug_line_str",
					     .size = 4, .off = DATA });
	mf_end(&f);
	f.n = DATA;
	mf_put(&f, 8, 0x1234);
	mf_bytes(&f, "ZLIB\0\0\0\0\0\0\0", 11);
	mf_put(&f, 1, sizeof(text));
	mf_bytes(&f, packed, len);
	assert_int_equal(open_file(&f, &o, &diag), 0);
	assert_int_equal(o->base, 0x100000000);
	assert_int_equal(o->uuid_len, 16);
	assert_int_equal(o->uuid[15], 16);
	assert_int_equal(o->section[DWARF_STR_OFFSETS].size, 8);
	assert_int_equal(o->section[DWARF_LINE_STR].file_off, DATA);
	assert_int_equal(o->section[DWARF_STR].size, sizeof(text));
	assert_string_equal(dwarf_object_string(o, DWARF_STR, 4), text + 4);
	assert_string_equal(o->section[DWARF_STR].name, "__zdebug_str");
	dwarf_object_close(o);

	f.n -= 8;
	assert_int_equal(open_file(&f, &o, &diag), -EBADMSG);
	assert_string_equal(diag.text, "section __zdebug_str ends after the end of the file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relocations),
		cmocka_unit_test(relocations_32),
		cmocka_unit_test(bad_relocations),
		cmocka_unit_test(linked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
