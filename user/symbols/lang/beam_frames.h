/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: names the frames of a stack of the BEAM. Not locked. */
#ifndef USTACK_USER_LANG_BEAM_FRAMES_H
#define USTACK_USER_LANG_BEAM_FRAMES_H

#include "symbols/lang/functions.h"
#include "symbols/lang/process.h"
#include "symbols/lang/reader.h"

/**
 * beam_frames() - name the frames of a stack, and leave out what is none
 * @f: functions read so far
 * @p: the process
 * @number: number of the process
 * @word: pairs, innermost first
 * @nr: number of pairs, not 0
 * @ret: the stack; its @fate is set to how the BPF program's chain ended. Gets frames (@frame
 *       points to @frame), and the fate after the proof
 * @frame: room for @nr frames
 *
 * Return: 0, -ENOMEM, or -EPROTO if the BPF programs cannot have written the words.
 */
int beam_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_stack *ret, struct lang_frame *frame);

#endif /* USTACK_USER_LANG_BEAM_FRAMES_H */
