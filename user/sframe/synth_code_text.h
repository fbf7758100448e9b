/* SPDX-License-Identifier: GPL-2.0-only */
/* The text that is analysed: address ranges whose bytes are numbered from 0 on. */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_TEXT_H
#define USTACK_USER_SFRAME_SYNTH_CODE_TEXT_H

#include "sframe/x86_insn.h"

#define CODE_NOWHERE UINT32_MAX

/**
 * struct code_area - one range
 * @start: link-time address
 * @size: number of bytes
 * @first: number of its first byte
 * @bytes: contents, borrowed
 */
struct code_area {
	u64 start;
	u32 size;
	u32 first;
	const u8 *bytes;
};

/**
 * struct code_text - all ranges
 * @areas: ascending, not overlapping; malloc'd
 * @nr: number of @areas
 * @size: sum of the areas' sizes
 */
struct code_text {
	struct code_area *areas;
	u32 nr;
	u32 size;

	/* private */
	u32 room;
};

/* Adds an area after the others. Return: 0 or -ENOMEM. */
int code_text_add(struct code_text *t, u64 start, u32 size, const u8 *bytes);
void code_text_release(struct code_text *t);

/* The number of the byte at address @pc, or CODE_NOWHERE. */
u32 code_text_at(const struct code_text *t, u64 pc);

/* The area that contains the byte with number @at. */
const struct code_area *code_text_area(const struct code_text *t, u32 at);

/* Decodes the instruction at @at. Return: false if it is unknown, or the area ends in it. */
bool code_text_insn(const struct code_area *a, u32 at, struct x86_insn *ret);

/* Whether padding is at @off of an area: int3, a nop, or zeros. */
bool code_text_pads(const struct code_area *a, u32 off);

/* The first offset from @off of an area on where no padding is, or the area's size. */
u32 code_text_skip_padding(const struct code_area *a, u32 off);

/* Whether padding ends at @off of an area, long enough not to be there by chance. */
bool code_text_ends(const struct code_area *a, u32 off);

/* Whether a function is seen to begin at @off of an area: after padding, aligned, and
 * with push %rbp and mov %rsp, %rbp.
 */
bool code_text_begins(const struct code_area *a, u32 off);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_TEXT_H */
