// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the frames of a stack of Perl. A sample has a function and a place for each
 * frame; here they are joined to one frame. Called by reader.c with its lock held.
 */
#include "symbols/lang/perl_frames.h"

#include <errno.h>

#include "symbols/lang/function_names.h"

/**
 * struct naming - state of the walk through a stack
 * @f: functions read so far
 * @p: the process; NULL if not known
 * @number: number of the process
 * @first: the innermost frame with a place, until the place is known to be in its
 *         function
 * @root: root of the operations that its statement belongs to
 */
struct naming {
	struct lang_functions *f;
	const struct lang_process *p;
	u64 number;
	struct lang_frame *first;
	u64 root;
};

static u32 flags_of(u64 first)
{
	return first >> LANG_FLAGS_SHIFT & 15;
}

/* Whether the pair is a frame without a sub, and of this kind. */
static bool is_what(const u64 *word, enum lang_perl_what what)
{
	return flags_of(word[0]) & LANG_PERL_NO_SUB && word[1] >> 32 == what;
}

static bool is_place(const u64 *word)
{
	return word[0] >> LANG_KIND_SHIFT == LANG_PERL_PLACE;
}

/* Sets the file and line of @ret from @place. */
static void put_place(struct naming *n, const u64 *word, const struct lang_function *place,
		      struct lang_frame *ret)
{
	const struct strings_entry *strings = n->f->strings.entries;

	/* an unreadable place has a name, [stale] or [gone] */
	if (*strings[place->name].s)
		return;
	ret->file = strings[place->file].s;
	ret->line = place->first_line ? place->first_line : (u32)word[1];
	if (flags_of(word[2]) & LANG_PERL_INNERMOST && place->root) {
		n->first = ret;
		n->root = place->root;
	}
}

/*
 * Removes the innermost place if it is not in its function: while Perl enters or leaves a
 * sub, the innermost statement belongs to another function. A block of eval belongs to
 * the function around it. If a root is not known, the place is kept.
 */
static void check_place(struct naming *n, const u64 *word, const struct lang_function *function)
{
	if (!n->first || is_what(word, LANG_PERL_EVAL_BLOCK))
		return;
	if (function->root && function->root != n->root) {
		n->first->file = "";
		n->first->line = 0;
	}
	n->first = NULL;
}

/* Return: 0, or -ENOMEM. */
static int name_frame(struct naming *n, const u64 *word, struct lang_frame *ret)
{
	u32 function, place;

	if (!n->p) {
		ret->name = LANG_NAME_GONE;
		return 0;
	}
	function = function_names_get(n->f, n->p, n->number, word[0], word[1]);
	place = function ? function_names_get(n->f, n->p, n->number, word[2], word[3]) : 0;
	if (!place)
		return -ENOMEM;
	ret->name = n->f->strings.entries[n->f->function[function].name].s;
	if (!ret->in_c)
		put_place(n, word, &n->f->function[place], ret);
	check_place(n, word, &n->f->function[function]);
	return 0;
}

int perl_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_frame *ret)
{
	struct naming n = { .f = f, .p = p, .number = number };
	size_t i = 0;
	int frames = 0;

	for (; i < nr; i++, frames++) {
		const u64 *at = word + 2 * i;

		ret[frames] = (struct lang_frame){
			.name = "", .file = "",
			.entry = flags_of(at[0]) & LANG_ENTRY,
			.hidden = is_what(at, LANG_PERL_CALL),
			.base = is_what(at, LANG_PERL_MAIN),
		};
		if (at[0] >> LANG_KIND_SHIFT != LANG_PERL)
			return -EPROTO;
		if (ret[frames].hidden)
			continue;
		ret[frames].in_c = !(flags_of(at[0]) & LANG_PERL_NO_SUB) && flags_of(at[0]) & LANG_IN_C;
		if (++i == nr || !is_place(at + 2))
			return -EPROTO;
		if (name_frame(&n, at, &ret[frames]))
			return -ENOMEM;
	}
	return frames;
}
