/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: what export.c shares with the formats, which are
 * text.
 */
#ifndef USTACK_USER_PROFILE_EXPORT_TEXT_H
#define USTACK_USER_PROFILE_EXPORT_TEXT_H

#include <stdio.h>

#include "profile/calltree.h"
#include "profile/export.h"

/**
 * struct export_path - the path from the root to a node
 * @nodes: node indices, outermost first, without the root
 * @nr: number of entries in @nodes
 * @room: entries that @nodes has memory for
 */
struct export_path {
	uint32_t *nodes;
	size_t nr;
	size_t room;
};

/* Finds the path to a node. Return: false without memory. */
bool export_path_to(struct export_path *path, const struct calltree *t, uint32_t node);

/*
 * Writes a format. Values are not negative. The caller checks the error flag of
 * @out. @tree is NULL for formats that do not use one. Return: 0, -ENOMEM, or
 * -EFBIG.
 */
typedef int export_writer(const struct profile *p, const struct calltree *tree,
			  const struct export_options *o, FILE *out);

export_writer export_folded, export_speedscope, export_perf, export_firefox, export_chrome;

#endif /* USTACK_USER_PROFILE_EXPORT_TEXT_H */
