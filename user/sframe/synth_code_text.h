/* SPDX-License-Identifier: GPL-2.0-only */
/* The text that is looked at: ranges of addresses, whose bytes have numbers. */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_TEXT_H
#define USTACK_USER_SFRAME_SYNTH_CODE_TEXT_H

#include "sframe/x86_insn.h"

#define CODE_NOWHERE UINT32_MAX

/**
 * struct code_area - one range
 * @start: link-time address
 * @size: bytes
 * @first: number of its first byte
 * @bytes: borrowed
 */
struct code_area {
	u64 start;
	u32 size;
	u32 first;
	const u8 *bytes;
};

/**
 * struct code_text - all of them
 * @areas: ascending, not overlapping; malloc'd
 * @nr: number of @areas
 * @size: bytes of all
 */
struct code_text {
	struct code_area *areas;
	u32 nr;
	u32 size;

	/* private */
	u32 room;
};

/* Adds an area behind the others. Return: 0 or -ENOMEM. */
int code_text_add(struct code_text *t, u64 start, u32 size, const u8 *bytes);
void code_text_release(struct code_text *t);

/* The number of an address, or CODE_NOWHERE. */
u32 code_text_at(const struct code_text *t, u64 pc);

/* The area of a number. */
const struct code_area *code_text_area(const struct code_text *t, u32 at);

/* Decodes. Return: false if it cannot be, or the area ends. */
bool code_text_insn(const struct code_area *a, u32 at, struct x86_insn *ret);

/* Whether there is padding at @off of an area: int3, a nop, or zeros. */
bool code_text_pads(const struct code_area *a, u32 off);

/* Whether padding ends there, that is none by chance. */
bool code_text_ends(const struct code_area *a, u32 off);

/* Whether a function is seen to begin at @off of an area: behind padding, aligned, and
 * with push %rbp and mov %rsp, %rbp.
 */
bool code_text_begins(const struct code_area *a, u32 off);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_TEXT_H */
