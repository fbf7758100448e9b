/* SPDX-License-Identifier: GPL-2.0-only */
/* From a sample's registers and piece of stack to its chain of pcs: kmod/callchain.c here. */
#ifndef USTACK_USER_STACKCOPY_WALK_H
#define USTACK_USER_STACKCOPY_WALK_H

#include "host/process/processes.h"
#include "capture/stackcopy/images.h"
#include "capture/stackcopy/made.h"
#include "capture/stackcopy/sample.h"

/**
 * struct walker - what walks have in common
 * @processes: asked
 * @images: asked, and grow
 * @max_frames: of a chain, at most SAMPLER_MAX_FRAMES
 * @no_guess: no step that is not proven
 * @made: reads code that processes have made; NULL: they are those of a file, and the memory of one that
 *	runs now is not read
 */
struct walker {
	struct processes *processes;
	struct images *images;
	u32 max_frames;
	bool no_guess;
	struct made *made;
};

/**
 * struct walked - a chain
 * @pcs: innermost first
 * @nr: of them
 * @why: it ended: a reason or enum sampler_why
 * @cut: it has as many frames as it may have
 */
struct walked {
	u64 pcs[SAMPLER_MAX_FRAMES];
	u32 nr;
	u8 why;
	bool cut;
};

/* Walks; what is in @ret before does not matter. */
void walk_sample(const struct walker *w, const struct sample *s, struct walked *ret);

#endif /* USTACK_USER_STACKCOPY_WALK_H */
