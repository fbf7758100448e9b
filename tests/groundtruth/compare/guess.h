/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An experiment: how often would a guess find the caller of code without CFI?
 *
 * The guesses for one frame, from its pc, SP and frame pointer:
 *  fp        the frame record at the frame pointer
 *  fp+call   the same, if it is a candidate
 *  lr        arm64, interrupted frames: the link register, if a candidate
 *  top       the word at SP, if a candidate
 *  scan      the first candidate of 64 words from SP up
 *  agreed    fp+call and scan, if they are the same
 *  blind     the module's own step for such code (blind.h)
 *  (true)    no guess: the true caller, if a candidate. More cannot be found, and
 *            more than this cannot lead on.
 * A candidate lies in a mapped file, behind a call, where there is CFI.
 *
 * What is right is known only where there is CFI, so the guesses are made as if
 * there were none at
 *  interrupted   frames whose pc was interrupted: mostly the topmost
 *  calling       frames that wait for a call to return
 *  stopped       frames at which the module stopped for want of a table or row
 * and at
 *  no-cfi        frames where libdw's chain ends for want of CFI: the real
 *                ones, of which only can be told whether CFI leads on from the
 *                guessed caller to the outermost frame. How good a sign that is,
 *                the other frames tell (calling ones are left out, they are many).
 *
 * To lead on, the caller's SP must be known. On arm64 a frame record lies at the
 * bottom of its frame and does not tell it: SP is taken as right above, and
 * fp leads on only through callers whose CFI goes by the frame pointer.
 */
#ifndef GT_GUESS_H
#define GT_GUESS_H

#include "subject.h"

struct guesses;

struct guesses *guesses_new(void);
void guess_sample(struct guesses *g, const struct subject *x);

/* in total, then for the FILES that have most frames */
void guesses_print(struct guesses *g, unsigned int files);
void guesses_free(struct guesses *g);

#endif /* GT_GUESS_H */
