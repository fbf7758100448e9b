/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An experiment: how often would a guess find the caller of code without CFI?
 *
 * The guesses for one frame, from its pc, SP and frame pointer:
 *  fp        the frame record at the frame pointer
 *  fp+call   the same, if it is a candidate
 *  lr        arm64, interrupted frames: the link register, if it is a candidate
 *  top       the word at SP, if it is a candidate
 *  scan      the first candidate of 64 words from SP up
 *  agreed    fp+call and scan, if they are the same
 *  blind     the module's own step for such code (blind.h)
 *  (true)    not a guess: the true caller, if it is a candidate. This is an upper limit for
 *            the right guesses, and for the guesses that lead on.
 * A candidate lies in a mapped file, after a call, at an address with CFI.
 *
 * The right answer is known only where there is CFI, so the guesses ignore the CFI at
 *  interrupted   frames whose pc was interrupted, mostly the topmost
 *  calling       frames that wait for a call to return
 *  stopped       frames at which the module stopped because a table or row is missing
 * and are also made at
 *  no-cfi        frames where libdw's chain ends because CFI is missing. These are the real
 *                cases. Only one thing can be checked for them: whether CFI leads from the
 *                guessed caller to the outermost frame. The other frames show how reliable
 *                this check is (calling frames are left out, because they are many).
 *
 * To lead on, the caller's SP must be known. On arm64 a frame record lies at the bottom of its
 * frame and does not tell SP. SP is taken to be directly above the record, and fp leads on only
 * through callers whose CFI uses the frame pointer.
 */
#ifndef GT_GUESS_H
#define GT_GUESS_H

#include "subject.h"

struct guesses;

struct guesses *guesses_new(void);
void guess_sample(struct guesses *g, const struct subject *x);

/* in total, then for the FILES files that have most frames */
void guesses_print(struct guesses *g, unsigned int files);
void guesses_free(struct guesses *g);

#endif /* GT_GUESS_H */
