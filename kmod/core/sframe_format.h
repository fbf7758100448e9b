/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SFrame versions 1, 2 and 3, as they are in a file. Field names and clause
 * numbers follow "The SFrame format" (binutils' sframe-spec): V1 of binutils
 * 2.40, V2 of 2.44, V3 of 2.47. All numbers are in target byte order, which is
 * little endian here.
 *
 * These are offsets and bits, not C structs: V1 entries have 17 bytes and V3's
 * 8-byte fields are only 4-aligned, so bytes are read through cursor.h.
 *
 * To add a version:
 *   1. its clauses here; decode.c: known_flags(), fde_len(), check_preamble(), its entries;
 *   2. verify.c: its differences from other versions; a kind in reason.def for each refusal;
 *   3. user/sframe: encode.[ch] write it, swap.c swaps it; user/cmd/sframe_input.c: --format;
 *   4. tests/judge/oracle/sframe_naive.py reads it, tests/toolchain assembles it, tests/judge/encode writes it;
 *   5. ustack-sframe-dump(1), ustack-sframe-synth(1), unwinding.md and CHANGELOG.md.
 */
#ifndef USTACK_CORE_SFRAME_FORMAT_H
#define USTACK_CORE_SFRAME_FORMAT_H

#define SFRAME_MAGIC 0xdee2u
#define SFRAME_MAGIC_SWAPPED 0xe2deu

/* "SFrame Header", sframe_preamble + sframe_header: 28 bytes in all versions.
 *   00 u16 magic    02 u8 version  03 u8 flags  04 u8 abi_arch
 *   05 s8 cfa_fixed_fp_offset      06 s8 cfa_fixed_ra_offset
 *   07 u8 auxhdr_len  08 u32 num_fdes  0c u32 num_fres  10 u32 fre_len
 *   14 u32 fdeoff     18 u32 freoff (both from the end of header + auxiliary)
 */
#define SFRAME_HEADER_LEN 28u

/* "SFrame Flags" */
#define SFRAME_F_FDE_SORTED 0x1u
#define SFRAME_F_FRAME_POINTER 0x2u		/* V1, V2 */
#define SFRAME_F_FDE_FUNC_START_PCREL 0x4u	/* V2 erratum 1, V3 */

/* "SFrame ABI/arch Identifier" */
#define SFRAME_ABI_AARCH64_BE 1u
#define SFRAME_ABI_AARCH64_LE 2u
#define SFRAME_ABI_AMD64_LE 3u
#define SFRAME_ABI_S390X_BE 4u

/* "SFrame Function Descriptor Entries"
 * V1: s32 start, u32 size, u32 fre_off, u32 num_fres, u8 info
 * V2: V1, u8 rep_size, u16 padding
 * V3: s64 start, u32 size, u32 attr_off; the attribute, in front of the rows:
 *     u16 num_fres, u8 info, u8 info2, u8 rep_size
 */
#define SFRAME_V1_FDE_LEN 17u
#define SFRAME_V2_FDE_LEN 20u
#define SFRAME_V3_FDE_LEN 16u
#define SFRAME_V3_ATTR_LEN 5u

/* "The SFrame FDE Info Word" */
#define SFRAME_FDE_FRE_TYPE(info) ((info) & 0xfu)	/* 0..2: 1, 2, 4 bytes */
#define SFRAME_FDE_PC_MASK(info) (((info) >> 4) & 1u)
#define SFRAME_FDE_SIGNAL(info) (((info) >> 7) & 1u)	/* V3 */
/* V3 info2 */
#define SFRAME_FDE_TYPE(info2) ((info2) & 0x1fu)
#define SFRAME_FDE_TYPE_DEFAULT 0u
#define SFRAME_FDE_TYPE_FLEX 1u
/*
 * Our extension, first version: flexible, but the CFA's control and offset are
 * followed by one word, the number of 8-byte words added after the dereference:
 * CFA = *(reg + offset) + 8 * n. Code that keeps its old SP in its frame needs
 * it (OpenSSL's has *(SP + 40) + 8), and no version of SFrame has it. The type
 * is the last one that the specification leaves free.
 */
#define SFRAME_FDE_TYPE_USTACK 0x1fu
#define SFRAME_USTACK_MAX_ADD 7u

/* "The SFrame FRE Info Word" */
#define SFRAME_FRE_BASE_SP(info) ((info) & 1u)
#define SFRAME_FRE_WORDS(info) (((info) >> 1) & 0xfu)
#define SFRAME_FRE_WORD_SIZE(info) (((info) >> 5) & 3u)	/* 0..2: 1, 2, 4 bytes */

/* V3 flexible control words */
#define SFRAME_FLEX_REG_P(ctl) ((ctl) & 1u)
#define SFRAME_FLEX_DEREF_P(ctl) (((ctl) >> 1) & 1u)
#define SFRAME_FLEX_REG(ctl) ((ctl) >> 3)

/* ELF */
#define USTACK_PT_GNU_SFRAME 0x6474e554u
#define USTACK_SHT_GNU_SFRAME 0x6ffffff4u

#endif /* USTACK_CORE_SFRAME_FORMAT_H */
