// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the frames of a stack of the BEAM. The BPF program has sent each word of the stack that
 * may be a return address, with its place. The code of a frame proves where its return address
 * is (beam_size.h): the word there is the caller, words before it are old ones, and if there is
 * none the chain ends as torn. Where the code is gone, or proves nothing, the next word is the
 * caller, except of the innermost frame: during calls all variables of a frame are set, as the
 * virtual machine itself looks for return addresses like this (erts_garbage_collect(),
 * gather_stacktrace()). Called by reader.c with its lock held.
 */
#include "symbols/lang/beam_frames.h"

#include <errno.h>

#include "symbols/lang/function_names.h"

static u32 flags_of(const u64 *word)
{
	return word[0] >> LANG_FLAGS_SHIFT & 15;
}

/* Return: index of the pair at slot @to, from pair @i at slot @slot on; @nr if there is none. */
static size_t pair_at(const u64 *word, size_t nr, size_t i, u64 slot, u64 to)
{
	while (slot < to && ++i < nr)
		slot += (u32)word[2 * i + 1];
	return slot == to ? i : nr;
}

static void put_frame(const struct lang_functions *f, const struct lang_function *function,
		      struct lang_stack *ret, struct lang_frame *frame)
{
	const struct strings_entry *strings = f->strings.entries;
	const char *name = strings[function->name].s;

	if (*name)
		frame[ret->nr++] = (struct lang_frame){
			.name = name, .file = strings[function->file].s,
			.line = function->line, .start_line = function->first_line, .entry = true,
		};
}

/*
 * The chain could not be followed to its end. If the BPF program did not reach it either, it has
 * said why.
 */
static void end_torn(struct lang_stack *ret)
{
	if (ret->fate == LANG_WHOLE)
		ret->fate = LANG_TORN;
}

int beam_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_stack *ret, struct lang_frame *frame)
{
	bool nameless = false;
	u64 slot = 0;
	size_t i = 0, next;
	u32 n, size;

	ret->nr = 0;
	ret->frame = frame;
	ret->native = word[0] & LANG_POINTER;
	if (!(flags_of(word) & LANG_BEAM_INNERMOST))
		return -EPROTO;
	for (;; i = next) {
		const u64 *at = word + 2 * i;

		if (at[0] >> LANG_KIND_SHIFT != LANG_BEAM)
			return -EPROTO;
		/* the outermost function returns to it */
		if ((at[0] & LANG_POINTER) == p->found.beam.normal_exit && i + 1 == nr)
			return 0;
		n = function_names_get(f, p, number, at[0], at[1]);
		if (!n)
			return -ENOMEM;
		put_frame(f, &f->function[n], ret, frame);
		if (!ret->nr)
			nameless = true;
		else if (nameless && ret->nr == 1 && f->function[n].root & BEAM_CALLS_FRAGMENT)
			nameless = false;
		ret->keeps_native = nameless;
		size = (u32)f->function[n].root;
		if (!size && i && i + 1 < nr)
			size = (u32)word[2 * i + 3];
		next = size ? pair_at(word, nr, i, slot, slot + size) : nr;
		if (next == nr) {
			end_torn(ret);
			return 0;
		}
		slot += size;
	}
}
