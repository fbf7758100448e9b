/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/annotate. */
#ifndef USTACK_USER_ANNOTATE_PRIVATE_H
#define USTACK_USER_ANNOTATE_PRIVATE_H

#include "show/annotate/annotate.h"
#include "show/annotate/text.h"
#include "formats/names/style.h"
#include "symbols/symstore/lines.h"
#include "util/strings.h"

/**
 * struct annotate_own - what stays while functions are looked at
 * @p: the profile
 * @options: the caller's
 * @named: what became of a profile without names
 * @style: how they are shown
 * @strings: all texts
 * @images: by number of mapping; NULL where there is none
 * @room: of functions
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

/* A text that stays until annotate_free(). Return: NULL without memory. */
const char *annotate_text(struct annotate_own *own, const char *text, size_t len);

/* The name that people read of what gsym_frame has; good until the next call. */
const char *annotate_name(struct annotate_own *own, const struct symstore_image *image,
			  const char *name, const char *source);

/* Whether @name is the function that is asked for; anything is where none is. */
bool annotate_is_asked(const struct annotate_options *o, const char *name);

/* Bytes of a row's parts: what is longer is cut. */
#define ANNOTATE_LINE 1200u

/* "    1139:  jmp    1160 <work+0x18>". Return: @buf. */
const char *annotate_insn_text(const struct annotate_insn *insn, char buf[ANNOTATE_LINE]);

/* "work.c:44  sum += n / i;", without the text where there is none. Return: @buf. */
const char *annotate_source_text(const struct annotate_view *v, const struct annotate_function *f,
				 const struct annotate_frame *at, char buf[ANNOTATE_LINE]);

#endif /* USTACK_USER_ANNOTATE_PRIVATE_H */
