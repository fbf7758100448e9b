/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers of the unit tests of the core: .sframe sections built record by record, the steps
 * from bytes to a table, and a process made of a few buffers. Sections, scratch memory and
 * tables are allocated with their exact sizes, so that the address sanitizer sees every
 * overrun.
 */
#ifndef USTACK_UNIT_SUPPORT_H
#define USTACK_UNIT_SUPPORT_H

/* cmocka.h needs these four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "core.h"
#include "sframe_format.h"

/* A string literal as bytes and their number */
#define B(s) (s), sizeof(s) - 1

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define X86 (&ustack_arch_x86_64)
#define A64 (&ustack_arch_aarch64)

/* Compares reasons by name, so that a failure shows more than two numbers. */
#define assert_reason(got, want) \
	_assert_string_equal(reason_name(got), reason_name(want), __FILE__, __LINE__)
const char *reason_name(unsigned int reason);

/* Info bytes of a function entry */
#define FN_ADDR1 0x00
#define FN_ADDR2 0x01
#define FN_ADDR4 0x02
#define FN_MASK 0x10
#define FN_SIGNAL 0x80
#define FN2_FLEX 0x01

struct sf_func {
	u64 start;
	u32 size;
	u32 nr_rows;	/* as claimed in the entry; sf_row() counts */
	u32 rows;	/* offset in sf.rows; in V3 the offset of the attribute */
	u8 info;
	u8 info2;
	u8 rep;
};

/*
 * One part of a section under construction; a test may change any field between sf_init() and
 * sf_emit().
 */
struct sf {
	const struct ustack_arch *arch;
	u8 version;
	u8 flags;
	u8 abi;
	s8 fp_fixed;
	s8 ra_fixed;
	u8 aux;
	enum ustack_anchor anchor;
	u64 vaddr;	/* address of the section that the part is put into */
	struct sf_func *funcs;
	u32 nr_funcs;
	u32 nr_rows;
	struct bytes rows;
};

/* As ld writes it: V1 and V2 section-anchored, V3 field-anchored; SORTED. */
void sf_init(struct sf *s, const struct ustack_arch *arch, u8 version);
void sf_func(struct sf *s, u64 start, u32 size, u8 info, u8 info2, u8 rep);
void sf_row(struct sf *s, const void *row, u32 len);
/*
 * Adds @n functions of 16 bytes, @step bytes apart from TEXT_START on, each with one row SP +
 * 8.
 */
void sf_many(struct sf *s, u32 n, u32 step);
/* Appends the part to @out and empties it. */
void sf_emit(struct sf *s, struct bytes *out);

#define SF_ROW(s, ...) \
	sf_row(s, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

#define SECTION_VADDR 0x400000ull
#define TEXT_START 0x1000ull
#define TEXT_END 0x200000ull

/* A section on its way to a table; image_release() releases it. */
struct image {
	struct bytes bytes;
	struct ustack_range text[2];
	struct ustack_section sec;
	void *scratch;
	struct ustack_table *table;
	u64 size;
};

void image_init(struct image *im, const struct ustack_arch *arch);
/* open, verify, compile and check im->bytes; stops at the first refusal */
enum ustack_reason image_make(struct image *im);
void image_release(struct image *im);
/* sf_emit() and image_make() of a single part */
enum ustack_reason image_of(struct image *im, struct sf *s);
/* The rule of a link-time pc; NULL if there is none. */
const struct ustack_rule *image_rule(const struct image *im, u64 pc);
/* A rule CFA = @op + @off whose other parts are not checked. */
void assert_cfa(const struct image *im, u64 pc, u8 op, s32 off);
void assert_no_row(const struct image *im, u64 pc);
/* The rows of sf_many(), and no row between them. */
void check_many(const struct image *im, u32 n, u32 step);

/* The contents of a file; fails the test if it cannot be read. */
void bytes_read_file(const char *path, struct bytes *ret);

/* A process: up to eight pieces of memory and the registers of one sample. */
struct fake {
	struct ustack_mem mem;
	struct {
		u64 start;
		u64 len;
		u8 *bytes;
	} map[8];
	unsigned int nr_maps;
	u64 regs[59];
	u64 known;	/* bit n: register n is part of the sample */
	unsigned int reads;
};

void fake_init(struct fake *f);
void fake_release(struct fake *f);
u8 *fake_map(struct fake *f, u64 start, u64 len);	/* zeroed */
void fake_poke(struct fake *f, u64 addr, u64 v);	/* 8 bytes */
void fake_code(struct fake *f, u64 addr, const void *code, u32 len);

#endif /* USTACK_UNIT_SUPPORT_H */
