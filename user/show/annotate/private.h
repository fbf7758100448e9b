/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/show/annotate: the state that its parts share. */
#ifndef USTACK_USER_ANNOTATE_PRIVATE_H
#define USTACK_USER_ANNOTATE_PRIVATE_H

#include "show/annotate/annotate.h"
#include "show/annotate/text.h"
#include "formats/names/style.h"
#include "symbols/symstore/lines.h"
#include "util/strings.h"

/**
 * struct annotate_own - the private part of struct annotate
 * @p: the profile
 * @options: the caller's options
 * @named: result of naming a profile that had no names
 * @style: how names are shown
 * @strings: all texts
 * @images: by number of a mapping; NULL where there is none
 * @room: entries that the array of functions has memory for
 */
struct annotate_own {
	struct profile *p;
	const struct annotate_options *options;
	struct symstore_named named;
	struct names *style;
	struct strings strings;
	struct symstore_image **images;
	size_t room;
};

/* Return: copy of a text, valid until annotate_free(); NULL without memory. */
const char *annotate_text(struct annotate_own *own, const char *text, size_t len);

/*
 * Return: the name to show for a name of struct gsym_frame; valid until the
 * next call.
 */
const char *annotate_name(struct annotate_own *own, const struct symstore_image *image,
			  const char *name, const char *source);

/*
 * Return: whether @name is the function that the options ask for; true if they
 * ask for none.
 */
bool annotate_is_asked(const struct annotate_options *o, const char *name);

/* Size of a row's parts; longer ones are cut. */
#define ANNOTATE_LINE 1200u

/* Writes "    1139:  jmp    1160 <work+0x18>". Return: @buf. */
const char *annotate_insn_text(const struct annotate_insn *insn, char buf[ANNOTATE_LINE]);

/*
 * Writes "work.c:44 sum += n / i;", without the code if it is not known.
 * Return: @buf.
 */
const char *annotate_source_text(const struct annotate_view *v, const struct annotate_function *f,
				 const struct annotate_frame *at, char buf[ANNOTATE_LINE]);

#endif /* USTACK_USER_ANNOTATE_PRIVATE_H */
