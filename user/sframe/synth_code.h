/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows from code: x86-64 text without CFI and without another table, such as V8's
 * builtins, hand-written assembly, and all of musl's. A function begins where a direct call of
 * decoded code goes, where one is seen to begin (synth_code_text.h), or where the file tells of
 * one and its code agrees (synth_code_hints.h, synth_code_look.c); what holds at its
 * instructions follows from what they do (synth_code_state.h), as far as that is
 * proven (synth_code_flow.h). Code that only indirect jumps lead to has no rows.
 * Documentation/decisions/0003-rows-from-code.md, 0009-rows-behind-calls.md.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_H

#include "sframe/synth.h"

struct code_flow;

/* Shorter text between functions is padding. */
#define CODE_MIN_AREA 32u
/* Files with less text without a table are left alone, unless it is at least this part of all
 * their text: every file has some start-up code, which is not worth a search for calls.
 */
#define CODE_MIN_TEXT 4096u
#define CODE_MIN_PART 8u

/**
 * synth_read_code() - add functions of text that no table knows
 * @s: its functions and gaps are final
 * @fd: the file; borrowed
 *
 * Return: 0 or -ENOMEM. Nothing is added to what is none of x86-64, or Go's, or has
 * CFI that cannot be read, or more than CODE_MAX_TEXT of such text.
 */
int synth_read_code(struct synth *s, int fd);

/**
 * synth_code_calls() - add what functions with rules call
 * @s: sorted
 * @fd: the file; borrowed
 * @f: has the text that is called
 *
 * What looks like such a call is one if the function, decoded from its start on, has
 * an instruction there.
 *
 * Return: 0 or -ENOMEM.
 */
int synth_code_calls(const struct synth *s, int fd, struct code_flow *f);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_H */
