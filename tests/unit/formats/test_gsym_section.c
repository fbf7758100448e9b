// SPDX-License-Identifier: GPL-2.0-only
/*
 * A GSYM file in an ELF file: both sizes, both byte orders, numbers that do not fit in the
 * header, and truncation by one byte.
 */
#include "support.h"

#include <elf.h>
#include <errno.h>

#include "formats/gsym/read.h"

#define GSYM_BYTES 24u
#define NR 4u		/* sections: none, .text, .shstrtab, .gsym */

/* An ELF file: header, names, the section .gsym, section headers at the very end. */
struct elf {
	bool wide;
	bool swap;
	uint8_t bytes[1024];
	size_t len;
	size_t headers;
	size_t header_size;
	size_t gsym;
	size_t names;
};

static const char names[] = "\0.text\0.shstrtab\0.gsym";
#define NAME_TEXT 1u
#define NAME_NAMES 7u
#define NAME_GSYM 17u

static void put(struct elf *e, size_t at, uint64_t v, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		e->bytes[at + (e->swap ? size - 1 - i : i)] = (uint8_t)(v >> 8 * i);
}

#define HEADER(e, field, v) \
	put(e, (e)->wide ? offsetof(Elf64_Ehdr, field) : offsetof(Elf32_Ehdr, field), v, \
	    (e)->wide ? sizeof(((Elf64_Ehdr *)0)->field) : sizeof(((Elf32_Ehdr *)0)->field))
#define SECTION(e, i, field, v) \
	put(e, (e)->headers + (i) * (e)->header_size + \
	    ((e)->wide ? offsetof(Elf64_Shdr, field) : offsetof(Elf32_Shdr, field)), v, \
	    (e)->wide ? sizeof(((Elf64_Shdr *)0)->field) : sizeof(((Elf32_Shdr *)0)->field))

static void make(struct elf *e, bool wide, bool big)
{
	*e = (struct elf){ .wide = wide, .swap = big };
	e->header_size = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	e->names = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	e->gsym = e->names + sizeof(names);
	e->headers = e->gsym + GSYM_BYTES;
	e->len = e->headers + NR * e->header_size;
	memcpy(e->bytes, ELFMAG, SELFMAG);
	e->bytes[EI_CLASS] = wide ? ELFCLASS64 : ELFCLASS32;
	e->bytes[EI_DATA] = big ? ELFDATA2MSB : ELFDATA2LSB;
	HEADER(e, e_shoff, e->headers);
	HEADER(e, e_shnum, NR);
	HEADER(e, e_shstrndx, 2);
	memcpy(e->bytes + e->names, names, sizeof(names));
	SECTION(e, 1, sh_name, NAME_TEXT);
	SECTION(e, 2, sh_name, NAME_NAMES);
	SECTION(e, 2, sh_offset, e->names);
	SECTION(e, 2, sh_size, sizeof(names));
	SECTION(e, 3, sh_name, NAME_GSYM);
	SECTION(e, 3, sh_offset, e->gsym);
	SECTION(e, 3, sh_size, GSYM_BYTES);
}

/* In memory of exactly @len bytes. */
static int find(const struct elf *e, size_t len, struct gsym_place *ret, struct diag *diag)
{
	uint8_t *copy = malloc(len + !len);
	int found;

	memcpy(copy, e->bytes, len);
	*diag = (struct diag){ .offset = DIAG_NO_OFFSET };
	found = gsym_section_find(copy, len, "it", ret, diag);
	free(copy);
	return found;
}

static void is_found(const struct elf *e)
{
	struct gsym_place p = { 0 };
	struct diag diag;

	assert_int_equal(find(e, e->len, &p, &diag), 1);
	assert_int_equal(p.off, e->gsym);
	assert_int_equal(p.len, GSYM_BYTES);
}

static void is_refused(const struct elf *e, uint64_t offset, const char *why)
{
	struct gsym_place p;
	struct diag diag;

	assert_int_equal(find(e, e->len, &p, &diag), -EBADMSG);
	assert_string_equal(diag.file, "it");
	assert_non_null(strstr(diag.text, why));
	assert_int_equal(diag.offset, offset);
}

/* Each of the four kinds. */
#define EACH(e, ...) do {						\
	unsigned int kind_;						\
									\
	for (kind_ = 0; kind_ < 4; kind_++) {				\
		make(e, kind_ & 1, kind_ & 2);				\
		__VA_ARGS__;						\
	}								\
} while (0)

static void found(void **state)
{
	struct elf e;

	EACH(&e, is_found(&e));
	/* the section of names is empty except for the end of this name */
	EACH(&e, SECTION(&e, 3, sh_offset, e.len - GSYM_BYTES);
	     e.gsym = e.len - GSYM_BYTES; is_found(&e));
}

/* More sections than the header's fields can count. */
static void numbers_in_the_first_section(void **state)
{
	struct elf e;

	EACH(&e, HEADER(&e, e_shnum, 0); SECTION(&e, 0, sh_size, NR); is_found(&e));
	EACH(&e, HEADER(&e, e_shstrndx, SHN_XINDEX); SECTION(&e, 0, sh_link, 2); is_found(&e));
	EACH(&e, HEADER(&e, e_shnum, 0); SECTION(&e, 0, sh_size, NR + 1);
	     is_refused(&e, e.headers, "section headers"));
	EACH(&e, HEADER(&e, e_shnum, 0); is_refused(&e, e.headers, "section headers"));
	EACH(&e, HEADER(&e, e_shstrndx, SHN_XINDEX); SECTION(&e, 0, sh_link, NR);
	     is_refused(&e, e.headers, "section headers"));
}

static void refused(void **state)
{
	struct elf e;

	EACH(&e, HEADER(&e, e_shoff, 0); is_refused(&e, 0, "no section"));
	EACH(&e, HEADER(&e, e_shnum, NR + 1); is_refused(&e, e.headers, "section headers"));
	EACH(&e, HEADER(&e, e_shstrndx, NR); is_refused(&e, e.headers, "section headers"));
	EACH(&e, HEADER(&e, e_shoff, e.len); is_refused(&e, 0, "section headers"));
	EACH(&e, HEADER(&e, e_shoff, e.len - e.header_size + 1);
	     is_refused(&e, 0, "section headers"));
	EACH(&e, SECTION(&e, 2, sh_offset, e.len - sizeof(names) + 1);
	     is_refused(&e, e.headers, "section names"));
	EACH(&e, SECTION(&e, 3, sh_name, NAME_TEXT); is_refused(&e, 0, "no section .gsym"));
	/* after the last section */
	EACH(&e, HEADER(&e, e_shnum, NR - 1); is_refused(&e, 0, "no section .gsym"));
	/* the name is truncated, or after the names */
	EACH(&e, SECTION(&e, 2, sh_size, sizeof(names) - 1);
	     is_refused(&e, 0, "no section .gsym"));
	EACH(&e, SECTION(&e, 3, sh_name, sizeof(names) + 1);
	     is_refused(&e, 0, "no section .gsym"));
	EACH(&e, SECTION(&e, 3, sh_name, NAME_GSYM + 1); is_refused(&e, 0, "no section .gsym"));
	EACH(&e, SECTION(&e, 3, sh_size, e.len - e.gsym + 1);
	     is_refused(&e, e.headers + 3 * e.header_size, "cut off"));
	EACH(&e, SECTION(&e, 3, sh_flags, SHF_COMPRESSED);
	     is_refused(&e, e.headers + 3 * e.header_size, "compressed"));
	EACH(&e, SECTION(&e, 3, sh_flags, SHF_ALLOC); is_found(&e));
}

static void cut(void **state)
{
	struct gsym_place p;
	struct diag diag;
	struct elf e;
	size_t len;

	EACH(&e, for (len = 0; len < e.len; len++)
		assert_int_equal(find(&e, len, &p, &diag), len < EI_NIDENT ? 0 : -EBADMSG));
	/* only the header, and one byte less */
	EACH(&e, e.len = e.names; HEADER(&e, e_shoff, 0); is_refused(&e, 0, "no section .gsym");
	     e.len--; is_refused(&e, 0, "its ELF header is cut off"));
	/* not an ELF file at all */
	EACH(&e, e.bytes[1]++; assert_int_equal(find(&e, e.len, &p, &diag), 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),
		cmocka_unit_test(numbers_in_the_first_section),
		cmocka_unit_test(refused),
		cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests_name("gsym_section", tests, NULL, NULL);
}
