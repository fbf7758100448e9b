/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections of CFI made entry by entry, and FDEs as text: a test says what it
 * expects as one string.
 */
#ifndef USTACK_CFI_MAKER_H
#define USTACK_CFI_MAKER_H

/* cmocka.h wants these four in front of it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/bytes.h"
#include "sframe/cfi.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define X86 (&ustack_arch_x86_64)
#define A64 (&ustack_arch_aarch64)

#define VADDR 0x400000ull
#define TEXT 0x401000ull

/* Bytes and their number */
#define P(...) ((const u8[]){ __VA_ARGS__ }), sizeof((const u8[]){ __VA_ARGS__ })

/**
 * struct maker - a section under construction
 * @debug: .debug_frame's syntax
 * @wide: entries with 64-bit lengths
 * @cie: offset of the CIE that FDEs get
 * @encoding: of the FDEs' addresses
 * @aug: bytes of the FDEs' augmentation data; -1 without a length
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
 * struct cie - as it is written
 * @version: 0 is 1
 * @augmentation: NULL is "zR"
 * @data: augmentation data; NULL is the encoding pcrel, sdata4
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

/* As compilers write it for the architecture; its "zR" CIE is there. */
void maker_init(struct maker *m, const struct ustack_arch *arch);
/* The same as .debug_frame: no augmentation, absolute addresses. */
void maker_init_debug(struct maker *m, const struct ustack_arch *arch);
/* A CIE like the architecture's but for what the test changes in it. */
struct cie maker_default(const struct ustack_arch *arch);
void maker_cie(struct maker *m, const struct cie *cie);
/* Returns the FDE's offset. */
u32 maker_fde(struct maker *m, u64 start, u64 len, const u8 *program, u32 n);

/* Reader over a copy of the exact size; freed by reader_release(). */
struct reader {
	u8 *bytes;
	struct cfi *cfi;
	struct cfi_fde fde;
};

void reader_init(struct reader *r, struct maker *m);
void reader_release(struct reader *r);
bool reader_next(struct reader *r);

/*
 * An FDE as a line for each row: "OFFSET CFA RA FP [SP]", SP if it is not the
 * CFA. u undefined, s same, c+8 a value, *(c-8) saved, r5, [hex] an expression.
 * "lost: WHY", "empty" and "discarded" are the others.
 */
const char *fde_text(const struct cfi_fde *fde);

/* One FDE of 100 bytes at TEXT with the architecture's CIE. */
void check_program(const struct ustack_arch *arch, const u8 *program, u32 n,
		   const char *want);
/* The same with another CIE. */
void check_cie(const struct ustack_arch *arch, const struct cie *cie,
	       u8 encoding, int aug, const char *want);

#endif /* USTACK_CFI_MAKER_H */
