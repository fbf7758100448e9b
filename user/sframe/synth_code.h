/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows from code: x86-64 text without CFI and without another table, such as V8's
 * builtins, hand-written assembly, and all of musl. A function begins at the target of
 * a direct call in decoded code, at a prologue after padding (synth_code_text.h), or at an
 * address that the file names if the code there agrees (synth_code_hints.h,
 * synth_code_look.c). The rules follow from what the instructions do
 * (synth_code_state.h), as far as that is proven (synth_code_flow.h). Code that only
 * indirect jumps reach has rows if the table of the jump is proven (synth_code_switch.h).
 * The reasons are in Documentation/decisions: 0003-rows-from-code.md, 0009-rows-behind-calls.md,
 * 0040-jump-tables.md, 0042-saved-registers.md.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_H

#include "sframe/synth.h"

struct code_flow;

/* Bytes; shorter text between functions is padding. */
#define CODE_MIN_AREA 32u
/* Files with less bytes of text without a table are skipped, unless it is at least this part
 * of all their text: the start-up code of every file (crtbegin.o and others: some 210 bytes)
 * is not worth a search for calls. A Rust program with panic=abort has 1,008 bytes, and a
 * function among them is below each of its stacks.
 */
#define CODE_MIN_TEXT 256u
#define CODE_MIN_PART 8u

/**
 * synth_read_code() - add functions from text that no table describes
 * @s: all functions and gaps from tables have been added
 * @fd: the file; borrowed
 *
 * Return: 0 or -ENOMEM. Nothing is added if the file is not of x86-64, or is Go's, or has
 * CFI that cannot be read, or more than CODE_MAX_TEXT of such text.
 */
int synth_read_code(struct synth *s, int fd);

/**
 * synth_code_calls() - add functions that functions with rules call
 * @s: sorted
 * @fd: the file; borrowed
 * @f: has the text whose functions are called
 *
 * Bytes that look like such a call are one if the calling function, decoded from its
 * start, has an instruction there.
 *
 * Return: 0 or -ENOMEM.
 */
int synth_code_calls(const struct synth *s, int fd, struct code_flow *f);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_H */
