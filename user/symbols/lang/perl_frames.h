/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: frames of Perl, of the words that a sample has. Not locked. */
#ifndef USTACK_USER_LANG_PERL_FRAMES_H
#define USTACK_USER_LANG_PERL_FRAMES_H

#include "symbols/lang/functions.h"
#include "symbols/lang/process.h"
#include "symbols/lang/reader.h"

/**
 * perl_frames() - name the frames of a stack
 * @f: what was read so far
 * @p: the process; NULL if it is not known any more: then no frame has a name
 * @number: of the process, never used again
 * @word: pairs of words, innermost first; a frame has one or two
 * @nr: number of pairs
 * @ret: room for @nr frames
 *
 * Return: frames in @ret; -ENOMEM; -EPROTO if the words are none of the programs'.
 */
int perl_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_frame *ret);

#endif /* USTACK_USER_LANG_PERL_FRAMES_H */
