/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: frames of Ruby from the words of a sample. Not locked. */
#ifndef USTACK_USER_LANG_RUBY_FRAMES_H
#define USTACK_USER_LANG_RUBY_FRAMES_H

#include "symbols/lang/functions.h"
#include "symbols/lang/process.h"
#include "symbols/lang/reader.h"

/**
 * ruby_frames() - name the frames of a stack
 * @f: functions read so far
 * @p: the process; NULL if it is no longer known: then no frame has a name
 * @number: number of the process, never used again
 * @word: pairs of words, innermost frame first; a frame's pair may be followed by one
 *        with the name of its class
 * @nr: number of pairs
 * @ret: room for @nr frames
 *
 * A method is called Server#handle, or Server.create if it is one of the class itself:
 * the label of the frame, "block in handle" say, ends with the name of the method, and
 * the class is put before that name.
 *
 * Return: number of frames in @ret; -ENOMEM; -EPROTO if the BPF programs cannot have
 * written the words.
 */
int ruby_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_frame *ret);

#endif /* USTACK_USER_LANG_RUBY_FRAMES_H */
