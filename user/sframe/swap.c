// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sections of big-endian files: `ustack sframe dump` shows them; nothing unwinds by them.
 * Their numbers are byte-swapped in place, by the layout in kmod/core/sframe_format.h, so
 * that the core's decoder can read them.
 */
#include "sframe/swap.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "decode.h"
#include "sframe_format.h"
#include "util/cleanup.h"

/*
 * "s390x" in the SFrame format. The CFA's offset is stored minus 160, in units of 8 bytes.
 * In rows that are not flexible, a slot with bit 0 set is a register, and slot 0 means that
 * the return address is not saved: it is in r14.
 */
#define S390X_CFA_LESS 160
#define S390X_CFA_UNIT 8
#define S390X_RA_REG 14u

static void s390x_register(u8 *op, s32 *off)
{
	if (*op == USTACK_OP_NONE || !(*off & 1))
		return;
	*op = (u8)USTACK_OP_REG((u32)*off >> 1 & 0x1f);
	*off = 0;
}

static void s390x_row(struct ustack_rule *rule, bool flexible)
{
	if (rule->flags & USTACK_RULE_OUTERMOST)
		return;
	if (rule->ra == USTACK_OP_NONE || (!flexible && !rule->ra_off)) {
		rule->ra = (u8)USTACK_OP_REG(S390X_RA_REG);
		rule->ra_off = 0;
	}
	rule->cfa_off = (s32)((u32)rule->cfa_off * S390X_CFA_UNIT + S390X_CFA_LESS);
	if (flexible)
		return;
	s390x_register(&rule->ra, &rule->ra_off);
	s390x_register(&rule->fp, &rule->fp_off);
}

/* Enough to show rows; nothing unwinds by it. */
static const struct ustack_arch s390x = {
	.name = "s390x",
	.sframe_abi = SFRAME_ABI_S390X_BE,
	.sp_reg = 15,
	.fp_reg = 11,
	.max_reg = 31,
	.insn_align = 2,
	.elf_machine = EM_S390,
};

const struct sframe_foreign *sframe_foreign_by_machine(u16 machine)
{
	static const struct sframe_foreign z = { &s390x, SFRAME_ABI_S390X_BE, s390x_row };
	static const struct sframe_foreign aarch64 = {
		&ustack_arch_aarch64, SFRAME_ABI_AARCH64_BE, NULL,
	};

	return machine == EM_AARCH64 ? &aarch64 : machine == EM_S390 ? &z : NULL;
}

/**
 * struct swap - a section that is being byte-swapped
 * @bytes: the section
 * @len: number of @bytes
 * @done: one for each byte: the size of the number that starts here and has been swapped,
 *        INSIDE for the other bytes of such a number, else 0
 * @rows_left: rows that may still be read, as in struct sframe_walk
 */
struct swap {
	u8 *bytes;
	u32 len;
	u8 *done;
	u32 rows_left;
};

#define INSIDE 0xff

/* Swaps a number of @n bytes once. Return: false if it is cut, or overlaps another one. */
static bool number(struct swap *s, u64 at, u32 n)
{
	u32 i;
	u8 b;

	if (at > s->len || s->len - at < n)
		return false;
	if (s->done[at] == n)
		return true;
	for (i = 0; i < n; i++)
		if (s->done[at + i])
			return false;
	for (i = 0; i < n / 2; i++) {
		b = s->bytes[at + i];
		s->bytes[at + i] = s->bytes[at + n - 1 - i];
		s->bytes[at + n - 1 - i] = b;
	}
	memset(s->done + at, INSIDE, n);
	s->done[at] = (u8)n;
	return true;
}

/* Swaps adjacent numbers; @sizes has a digit for each number's bytes: "448". */
static bool numbers(struct swap *s, u64 at, const char *sizes)
{
	for (; *sizes; sizes++) {
		if (!number(s, at, (u32)(*sizes - '0')))
			return false;
		at += (u32)(*sizes - '0');
	}
	return true;
}

static void swap_rows(struct swap *s, u64 at, u32 nr, unsigned int fre_type)
{
	u32 i, w;
	u8 info;

	for (i = 0; i < nr && s->rows_left; i++, s->rows_left--) {
		if (fre_type > 2 || !number(s, at, 1u << fre_type) ||
		    !number(s, at + (1u << fre_type), 1))
			return;
		at += 1u << fre_type;
		info = s->bytes[at++];
		for (w = 0; w < SFRAME_FRE_WORDS(info); w++) {
			if (SFRAME_FRE_WORD_SIZE(info) > 2 ||
			    !number(s, at, 1u << SFRAME_FRE_WORD_SIZE(info)))
				return;
			at += 1u << SFRAME_FRE_WORD_SIZE(info);
		}
	}
}

/* Swaps the attribute before a function's rows, which V3 has, and the rows. */
static void swap_attribute(struct swap *s, u64 at)
{
	if (numbers(s, at, "2111"))
		swap_rows(s, at + SFRAME_V3_ATTR_LEN, ustack_le16(s->bytes + at),
			  SFRAME_FDE_FRE_TYPE(s->bytes[at + 2]));
}

static void swap_entry(struct swap *s, u8 version, u64 at, u64 rows)
{
	const u8 *p = s->bytes + at;

	if (version == 3) {
		if (numbers(s, at, "844"))
			swap_attribute(s, rows + ustack_le32(p + 12));
	} else if (numbers(s, at, version == 2 ? "4444112" : "44441")) {
		swap_rows(s, rows + ustack_le32(p + 8), ustack_le32(p + 12),
			  SFRAME_FDE_FRE_TYPE(p[16]));
	}
}

/* Swaps a part's header and entries. Return: offset of the next part; 0 if there is none. */
static u64 swap_part(struct swap *s, u64 off, const struct sframe_foreign *foreign)
{
	static const u8 size[] = { SFRAME_V1_FDE_LEN, SFRAME_V2_FDE_LEN, SFRAME_V3_FDE_LEN };
	u64 fdes, rows;
	u8 version, *p;
	u32 i, nr;

	if (off > s->len || s->len - off < SFRAME_HEADER_LEN || !numbers(s, off, "211111144444"))
		return 0;
	p = s->bytes + off;
	/* a little-endian identifier here belongs to another architecture */
	p[4] = p[4] == foreign->abi ? foreign->arch->sframe_abi : 0;
	version = p[2];
	nr = ustack_le32(p + 8);
	fdes = off + SFRAME_HEADER_LEN + p[7] + ustack_le32(p + 20);
	rows = off + SFRAME_HEADER_LEN + p[7] + ustack_le32(p + 24);
	if (ustack_le16(p) != SFRAME_MAGIC || version < 1 || version > 3)
		return 0;
	for (i = 0; i < nr && fdes <= s->len && s->len - fdes >= size[version - 1]; i++) {
		swap_entry(s, version, fdes, rows);
		fdes += size[version - 1];
	}
	/* parts are aligned to 8 bytes */
	return (rows + ustack_le32(p + 16) + 7) & ~7ull;
}

int sframe_swap(u8 *bytes, u32 len, const struct sframe_foreign *foreign)
{
	_cleanup_(cleanup_free) u8 *done = calloc(1, len + 1ull);
	/* the shortest row has two bytes */
	struct swap s = { .bytes = bytes, .len = len, .done = done, .rows_left = len / 2 };
	u64 next = 0;

	if (!done)
		return -ENOMEM;
	do
		next = swap_part(&s, next, foreign);
	while (next);
	return 0;
}
