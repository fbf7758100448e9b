// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the frames of a stack of Ruby. A sample has the code of each frame, and for
 * methods the name of the class; here they are joined. Called by reader.c with its lock
 * held.
 */
#include "symbols/lang/ruby_frames.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/lang/function_names.h"
#include "symbols/lang/ruby_lines.h"
#include "symbols/lang/ruby_text.h"

static enum lang_kind kind_of(u64 first)
{
	return (enum lang_kind)(first >> LANG_KIND_SHIFT);
}

static u32 flags_of(u64 first)
{
	return first >> LANG_FLAGS_SHIFT & 15;
}

/* Whether the name states that the function, or the class, could not be read. */
static bool is_unknown(const char *name)
{
	return !strcmp(name, LANG_NAME_STALE) || !strcmp(name, LANG_NAME_GONE);
}

/*
 * The method's name within a label of code: names of methods in Ruby have no spaces, and
 * come last. Functions in C may have any name.
 */
static const char *method_in(const char *label, bool in_c)
{
	const char *space = in_c ? NULL : strrchr(label, ' ');

	return space ? space + 1 : label;
}

/* Puts the class of the pair @word into the name of @frame. Return: 0 or -ENOMEM. */
static int add_class(struct lang_functions *f, const struct lang_process *p, u64 number,
		     const u64 *word, struct lang_frame *frame)
{
	const char *method = method_in(frame->name, frame->in_c), *class;
	u32 n = function_names_get(f, p, number, word[0], word[1]), name;
	char text[2 * RUBY_TEXT_BYTES];
	int len;

	if (!n)
		return -ENOMEM;
	class = f->strings.entries[f->function[n].name].s;
	if (is_unknown(frame->name) || is_unknown(class))
		return 0;
	len = snprintf(text, sizeof(text), "%.*s%s%c%s", (int)(method - frame->name), frame->name,
		       class, flags_of(word[0]) & LANG_RUBY_OF_CLASS ? '.' : '#', method);
	if (strings_add(&f->strings, text, (size_t)len, &name))
		return -ENOMEM;
	frame->name = f->strings.entries[name].s;
	return 0;
}

/* Names a frame that runs code, or a function in C. Return: 0 or -ENOMEM. */
static int add_code(struct lang_functions *f, const struct lang_process *p, u64 number,
		    const u64 *word, struct lang_frame *frame)
{
	u32 n = function_names_get(f, p, number, word[0], word[1]);
	const struct lang_function *x = &f->function[n];

	if (!n)
		return -ENOMEM;
	frame->name = f->strings.entries[x->name].s;
	frame->file = f->strings.entries[x->file].s;
	frame->start_line = x->first_line;
	frame->line = ruby_lines_line(x->table, x->table_len, (u32)word[1]);
	return 0;
}

int ruby_frames(struct lang_functions *f, const struct lang_process *p, u64 number, const u64 *word,
		size_t nr, struct lang_frame *ret)
{
	int frames = 0, err = 0;
	size_t i;

	for (i = 0; i < nr && !err; i++, frames++) {
		const u64 *at = word + 2 * i;
		bool has_class = i + 1 < nr && kind_of(at[2]) == LANG_RUBY_CLASS;

		if (kind_of(at[0]) != LANG_RUBY)
			return -EPROTO;
		ret[frames] = (struct lang_frame){
			.name = LANG_NAME_GONE, .file = "",
			.entry = flags_of(at[0]) & LANG_ENTRY, .in_c = flags_of(at[0]) & LANG_IN_C,
		};
		i += has_class;
		if (p)
			err = add_code(f, p, number, at, &ret[frames]);
		if (p && !err && has_class)
			err = add_class(f, p, number, at + 2, &ret[frames]);
	}
	return err ? err : frames;
}
