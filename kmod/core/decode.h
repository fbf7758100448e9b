/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decode: SFrame syntax, one record at a time. Nothing here reads more than the
 * record; verify.h proves the whole section.
 */
#ifndef USTACK_CORE_DECODE_H
#define USTACK_CORE_DECODE_H

#include "core_env.h"
#include "cursor.h"
#include "reason.h"
#include "rule.h"

struct ustack_arch;

/**
 * struct ustack_part - one SFrame header and the part of the section that it describes
 * @off: offset of the header from the start of the section
 * @fdes: offset of the first function entry
 * @fres: offset of the first frame row
 * @end: first offset after the part: header + auxiliary + freoff + fre_len
 * @nr_fdes: number of function entries
 * @nr_fres: number of frame rows that the header claims
 * @version: 1, 2 or 3
 * @flags: SFRAME_F_*
 * @fde_len: bytes of one function entry
 * @ra_fixed: CFA-relative slot of the return address, 0 if it varies
 *
 * ld writes one part. Linkers that do not know SFrame concatenate the parts of
 * all objects.
 */
struct ustack_part {
	u32 off;
	u32 fdes;
	u32 fres;
	u32 end;
	u32 nr_fdes;
	u32 nr_fres;
	u8 version;
	u8 flags;
	u8 fde_len;
	s8 ra_fixed;
};

/**
 * struct ustack_func - one function entry, whatever the version
 * @start: link-time address of the function
 * @size: bytes of text
 * @rows: offset of the first row from the start of the section
 * @rows_end: first offset that no row may reach
 * @nr_rows: number of rows; 0 means "no information", never "outermost",
 *           because assemblers write it for functions that they cannot express
 * @field: offset of the start field from the start of the section
 * @fre_type: width of row starts: 0, 1, 2 for 1, 2, 4 bytes
 * @block: 0, or the size of the repeating block of a pc-mask function; V1 has
 *         no such field, its blocks have 16 bytes
 * @is_mask: pc-mask function
 * @is_flex: rows are flexible (V3)
 * @is_added: flexible rows have one more word: see SFRAME_FDE_TYPE_USTACK
 * @is_signal: a signal trampoline (V3)
 * @version: version of the function's part
 */
struct ustack_func {
	u64 start;
	u32 size;
	u32 rows;
	u32 rows_end;
	u32 nr_rows;
	u32 field;
	u8 fre_type;
	u8 block;
	u8 is_mask : 1;
	u8 is_flex : 1;
	u8 is_added : 1;
	u8 is_signal : 1;
	u8 version;
};

_Static_assert(sizeof(struct ustack_func) == 32, "scratch for every function");

/**
 * struct ustack_row - one decoded frame row
 * @start: first pc of the row, relative to the function's start (for a pc-mask
 *         function, relative to the start of the block)
 * @rule: rule that holds from there to the next row
 */
struct ustack_row {
	u32 start;
	struct ustack_rule rule;
};

/**
 * ustack_decode_part() - read the header at @off
 * @bytes: the section
 * @off: offset of the header
 * @len: bytes of the section
 * @arch: the architecture that the section must be for
 * @ret: the part, written on success only
 *
 * Context: any.
 * Return: USTACK_OK; TRUNCATED, BAD_MAGIC, FOREIGN_ENDIAN, BAD_VERSION,
 * BAD_FLAGS, WRONG_ARCH, NOT_PCREL or BAD_HEADER.
 */
enum ustack_reason ustack_decode_part(const u8 *bytes, u32 off, u32 len,
				      const struct ustack_arch *arch,
				      struct ustack_part *ret);

/* The base of a function's start field. */
enum ustack_anchor {
	USTACK_ANCHOR_SECTION,	/* the start of .sframe: V1, V2 without PCREL, linked */
	USTACK_ANCHOR_FIELD,	/* the field itself: PCREL, V3, unlinked or concatenated */
};

/**
 * ustack_decode_func() - read one function entry
 * @bytes: the section
 * @part: part of the section that contains the entry
 * @index: number of the entry, below @part->nr_fdes
 * @vaddr: link-time address of the section
 * @anchor: base of the start field
 * @ret: the function, written on success only
 *
 * Context: any.
 * Return: USTACK_OK; BAD_FDE, TRUNCATED.
 */
enum ustack_reason ustack_decode_func(const u8 *bytes,
				      const struct ustack_part *part, u32 index,
				      u64 vaddr, enum ustack_anchor anchor,
				      struct ustack_func *ret);

/* Makes a cursor over the rows of @func. */
static inline void ustack_rows_init(struct ustack_cursor *c, const u8 *bytes,
				    const struct ustack_func *func)
{
	ustack_cursor_init(c, bytes, func->rows, func->rows_end);
}

/**
 * ustack_decode_row() - read the next row of a function
 * @c: cursor from ustack_rows_init(); on success it is moved to the end of the
 *     row
 * @func: the function
 * @arch: architecture of @func
 * @ret: the row, written on success only
 *
 * Context: any.
 * Return: USTACK_OK; TRUNCATED, BAD_FRE, BAD_OPERAND.
 */
enum ustack_reason ustack_decode_row(struct ustack_cursor *c,
				     const struct ustack_func *func,
				     const struct ustack_arch *arch,
				     struct ustack_row *ret);

#endif /* USTACK_CORE_DECODE_H */
