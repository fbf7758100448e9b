/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: frames of Perl from the words of a sample. Not locked. */
#ifndef USTACK_USER_LANG_PERL_FRAMES_H
#define USTACK_USER_LANG_PERL_FRAMES_H

#include "symbols/lang/functions.h"
#include "symbols/lang/process.h"
#include "symbols/lang/reader.h"

/**
 * perl_frames() - name the frames of a stack
 * @f: functions read so far
 * @p: the process; NULL if it is no longer known: then no frame has a name
 * @number: number of the process, never used again
 * @word: pairs of words, innermost frame first; one or two pairs for a frame
 * @nr: number of pairs
 * @ret: room for @nr frames
 *
 * Return: number of frames in @ret; -ENOMEM; -EPROTO if the BPF programs cannot have
 * written the words.
 */
int perl_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_frame *ret);

#endif /* USTACK_USER_LANG_PERL_FRAMES_H */
