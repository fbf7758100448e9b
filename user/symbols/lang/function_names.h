/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/lang: names of frames, by the reader of their language. Not
 * locked.
 */
#ifndef USTACK_USER_LANG_FUNCTION_NAMES_H
#define USTACK_USER_LANG_FUNCTION_NAMES_H

#include "symbols/lang/functions.h"
#include "symbols/lang/process.h"

/**
 * function_names_get() - find the function of a frame, or read it
 * @f: functions read so far
 * @p: the process, with a runtime
 * @number: number of the process, never used again
 * @first: first word of the frame
 * @second: second word of the frame
 *
 * Return: number of the function in @f; its name is LANG_NAME_STALE or LANG_NAME_GONE if
 * it could not be read. 0 if out of memory.
 */
u32 function_names_get(struct lang_functions *f, const struct lang_process *p, u64 number, u64 first,
		       u64 second);

/**
 * function_names_from_wish() - read a function that a BPF program has described
 * @f: functions read so far
 * @p: the process, with PHP or Perl
 * @number: number of the process, never used again
 * @word: words of a struct lang_wish with LANG_WISH_FUNCTION
 */
void function_names_from_wish(struct lang_functions *f, const struct lang_process *p, u64 number,
			 const __u64 *word);

#endif /* USTACK_USER_LANG_FUNCTION_NAMES_H */
