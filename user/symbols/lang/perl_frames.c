// SPDX-License-Identifier: GPL-2.0-only
/* A frame's function and its place are read one by one; here they become one frame. */
#include "symbols/lang/perl_frames.h"

#include <errno.h>

#include "symbols/lang/function_names.h"

/**
 * struct naming - on the way through a stack
 * @first: the innermost frame that has a place, as long as it is not known to be in its function
 * @root: of the operations that its statement is one of
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

/* Whether the pair is of what is no sub, and of this. */
static bool is_what(const u64 *word, enum lang_perl_what what)
{
	return flags_of(word[0]) & LANG_PERL_NO_SUB && word[1] >> 32 == what;
}

static bool is_place(const u64 *word)
{
	return word[0] >> LANG_KIND_SHIFT == LANG_PERL_PLACE;
}

/* Writes the file and the line that are known of @place. */
static void put_place(struct naming *n, const u64 *word, const struct lang_function *place,
		      struct lang_frame *ret)
{
	const struct strings_entry *strings = n->f->strings.entries;

	/* it has a name where it could not be read */
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
 * The innermost statement is another function's while perl goes into a sub, or out of it. A block of
 * eval is a part of the function around it. What has no root that is known is believed.
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
