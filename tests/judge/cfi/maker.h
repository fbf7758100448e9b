/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes sections of CFI entry by entry, and prints FDEs as text, so that a test can
 * give its expectation as one string.
 */
#ifndef USTACK_CFI_MAKER_H
#define USTACK_CFI_MAKER_H

/* cmocka.h needs these four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/bytes.h"
#include "sframe/cfi.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define X86 (&ustack_arch_x86_64)
#define A64 (&ustack_arch_aarch64)

#define VADDR 0x400000ull
#define TEXT 0x401000ull

/* Bytes, and their number. */
#define P(...) ((const u8[]){ __VA_ARGS__ }), sizeof((const u8[]){ __VA_ARGS__ })

/**
 * struct maker - a section under construction
 * @b: the section's bytes
 * @arch: architecture of the code
 * @debug: .debug_frame's syntax
 * @wide: entries with 64-bit lengths
 * @cie: offset of the CIE of the next FDEs
 * @encoding: encoding of the FDEs' addresses
 * @aug: number of bytes of the FDEs' augmentation data; -1 for no length at all
 */
struct maker {
	struct bytes b;
	const struct ustack_arch *arch;
	bool debug;
	bool wide;
	u32 cie;
	u8 encoding;
	int aug;
};

/**
 * struct cie - fields of a CIE, as they are written
 * @version: version of the CIE
 * @augmentation: the letters
 * @data: augmentation data, @data_len bytes
 * @data_len: number of @data
 * @code_align: code alignment factor
 * @data_align: data alignment factor
 * @ra: column of the return address
 * @program: initial instructions, @program_len bytes
 * @program_len: number of @program
 */
struct cie {
	u8 version;
	const char *augmentation;
	const u8 *data;
	u32 data_len;
	u8 code_align;
	s8 data_align;
	u8 ra;
	const u8 *program;
	u32 program_len;
};

/* Starts an .eh_frame as compilers write it, with a "zR" CIE. */
void maker_init(struct maker *m, const struct ustack_arch *arch);
/* Starts a .debug_frame: no augmentation, absolute addresses. */
void maker_init_debug(struct maker *m, const struct ustack_arch *arch);
/* A CIE as compilers write it, for tests that change one field. */
struct cie maker_default(const struct ustack_arch *arch);
void maker_cie(struct maker *m, const struct cie *cie);
/* Returns the FDE's offset. */
u32 maker_fde(struct maker *m, u64 start, u64 len, const u8 *program, u32 n);

/* A reader over a copy of exactly the section's size; freed by reader_release(). */
struct reader {
	u8 *bytes;
	struct cfi *cfi;
	struct cfi_fde fde;
};

void reader_init(struct reader *r, struct maker *m);
void reader_release(struct reader *r);
bool reader_next(struct reader *r);

/*
 * An FDE as text, with a line for each row: "OFFSET CFA RA FP [SP]"; SP is printed if it
 * is not the CFA. u means undefined, s same, c+8 a value, *(c-8) a saved one, r5 a
 * register, [hex] an expression. Other FDEs are "lost: WHY", "empty" or "discarded".
 */
const char *fde_text(const struct cfi_fde *fde);

/* Checks one FDE of 100 bytes at TEXT with the architecture's CIE. */
void check_program(const struct ustack_arch *arch, const u8 *program, u32 n,
		   const char *want);
/* The same with another CIE. */
void check_cie(const struct ustack_arch *arch, const struct cie *cie,
	       u8 encoding, int aug, const char *want);

#endif /* USTACK_CFI_MAKER_H */
