/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One stack of two: the thread's own, of machine code, and the frames of the language that its
 * interpreter ran. Each call of the interpreter's function is a frame of the first and runs frames
 * of the second up to the next entry. Nothing is made up: where the two do not agree both stay,
 * and it is said.
 */
#ifndef USTACK_USER_RECORD_LANG_STACK_H
#define USTACK_USER_RECORD_LANG_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/lang/reader.h"
#include "capture/sampler/sampler.h"

/* Frames of both. */
#define LANG_STACK_FRAMES (SAMPLER_MAX_FRAMES + LANG_SLOTS / 2)

/**
 * struct lang_step - a frame of the stack
 * @lang: it is one of the language
 * @caller: it is the thread's own, and has called the interpreter's function, which is left out
 * @index: in the count's @user, or in its language's frames
 */
struct lang_step {
	bool lang;
	bool caller;
	uint32_t index;
};

/**
 * struct lang_merged - the stack
 * @step: innermost first
 * @nr: of them
 * @said: what is to be said of it, a word; NULL if it is whole
 */
struct lang_merged {
	struct lang_step step[LANG_STACK_FRAMES];
	uint32_t nr;
	const char *said;
};

/**
 * record_lang_merge() - put both together
 * @c: the count; its @lang may be NULL
 * @whole: @c->user is whole, as far as is known
 * @native: keep the interpreter's frames, as the callers of what they run
 * @ret: filled
 */
void record_lang_merge(const struct sampler_count *c, bool whole, bool native,
		       struct lang_merged *ret);

/* The address at which a frame is: before the one that its call returns to. */
static inline uint64_t record_call_address(const uint64_t *pcs, size_t i)
{
	return pcs[i] - !!i;
}

#endif /* USTACK_USER_RECORD_LANG_STACK_H */
