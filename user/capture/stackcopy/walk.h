/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a sample's registers and copied stack to its frames, as kmod/callchain.c
 * does.
 */
#ifndef USTACK_USER_STACKCOPY_WALK_H
#define USTACK_USER_STACKCOPY_WALK_H

#include "host/process/processes.h"
#include "capture/stackcopy/images.h"
#include "capture/stackcopy/jit_memory.h"
#include "capture/stackcopy/sample.h"

/**
 * struct walker - what all walks have in common
 * @processes: mappings of the processes
 * @images: files and their tables; a walk may add some
 * @max_frames: limit for frames, at most SAMPLER_MAX_FRAMES
 * @no_guess: make no step that is not proven
 * @jit_memory: reads code that processes made; NULL if the processes are those of a
 *	recording: then the memory of processes that run now is not read
 */
struct walker {
	struct processes *processes;
	struct images *images;
	u32 max_frames;
	bool no_guess;
	struct jit_memory *jit_memory;
};

/**
 * struct walked - the result of a walk
 * @pcs: addresses, innermost first
 * @nr: number of entries in @pcs
 * @why: why the walk ended: a reason or enum sampler_why
 * @cut: there are as many frames as allowed; there may be more
 */
struct walked {
	u64 pcs[SAMPLER_MAX_FRAMES];
	u32 nr;
	u8 why;
	bool cut;
};

/* Walks the stack of a sample. @ret need not be initialized. */
void walk_sample(const struct walker *w, const struct sample *s, struct walked *ret);

#endif /* USTACK_USER_STACKCOPY_WALK_H */
