/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms of export.h that are text: for user/profile alone. */
#ifndef USTACK_USER_PROFILE_EXPORT_TEXT_H
#define USTACK_USER_PROFILE_EXPORT_TEXT_H

#include <stdio.h>

#include "profile/calltree.h"
#include "profile/export.h"

/**
 * struct export_path - the way from the root to a node
 * @nodes: outermost first, without the root
 * @nr: of them
 */
struct export_path {
	uint32_t *nodes;
	size_t nr;
	size_t room;
};

/* Return: false if there is no memory. */
bool export_path_to(struct export_path *path, const struct calltree *t, uint32_t node);

/* What writes a form: values are positive; failures of @out are found by its error flag. @tree is
 * NULL for forms that take none. Return: 0, -ENOMEM, or -EFBIG.
 */
typedef int export_writer(const struct profile *p, const struct calltree *tree,
			  const struct export_options *o, FILE *out);

export_writer export_folded, export_speedscope, export_perf, export_firefox, export_chrome;

#endif /* USTACK_USER_PROFILE_EXPORT_TEXT_H */
