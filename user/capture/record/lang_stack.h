/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges two stacks into one: the thread's own, of machine code, and the frames
 * of the language that its interpreter ran. Each call of the interpreter's
 * function is a frame of the first stack and runs frames of the second, up to
 * the next entry. No frame is invented: where the two do not agree, both stay,
 * and struct lang_merged has a word for it.
 */
#ifndef USTACK_USER_RECORD_LANG_STACK_H
#define USTACK_USER_RECORD_LANG_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/lang/reader.h"
#include "capture/sampler/sampler.h"

/* Room for the frames of both stacks. */
#define LANG_STACK_FRAMES (SAMPLER_MAX_FRAMES + LANG_SLOTS / 2)

/**
 * struct lang_step - a frame of the merged stack
 * @lang: true for a frame of the language, not of machine code
 * @caller: true for a frame of machine code that called the interpreter's
 *	function, whose own frame is left out
 * @index: index in the count's @user, or in the frames of its language
 */
struct lang_step {
	bool lang;
	bool caller;
	uint32_t index;
};

/**
 * struct lang_merged - the merged stack
 * @step: frames, innermost first
 * @nr: number of entries in @step
 * @said: word for what is wrong with the language's frames; NULL if nothing is
 */
struct lang_merged {
	struct lang_step step[LANG_STACK_FRAMES];
	uint32_t nr;
	const char *said;
};

/**
 * record_lang_merge() - merge both stacks of a count
 * @c: the count; its @lang may be NULL
 * @whole: @c->user is complete, as far as is known
 * @native: keep the interpreter's frames, as callers of what they run
 * @ret: gets the merged stack
 */
void record_lang_merge(const struct sampler_count *c, bool whole, bool native,
		       struct lang_merged *ret);

/*
 * Return: address within the call of frame @i: one less than the address that
 * it returns to.
 */
static inline uint64_t record_call_address(const uint64_t *pcs, size_t i)
{
	return pcs[i] - !!i;
}

#endif /* USTACK_USER_RECORD_LANG_STACK_H */
