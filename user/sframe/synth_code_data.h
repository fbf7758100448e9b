/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of a file that programs cannot change: segments that are loaded without the right to write. */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_DATA_H
#define USTACK_USER_SFRAME_SYNTH_CODE_DATA_H

#include "sframe/synth.h"

struct code_flow;

/**
 * struct code_data - a file's read-only segments
 * @fd: the file; borrowed
 * @elf: the headers of @fd; borrowed
 * @fixed: @fd is always loaded at its link-time address
 * @nr: number of @ranges
 * @ranges: link-time addresses
 */
struct code_data {
	int fd;
	const struct ustack_elf *elf;
	bool fixed;
	unsigned int nr;
	struct ustack_range ranges[USTACK_MAX_SEGMENTS];
};

/* Reads a file's program headers; a damaged file has no such data. */
void code_data_init(struct code_data *d, const struct synth *s, int fd);

/* Lets jumps through tables of @d be followed. @d must live as long as @f. */
void code_data_use(struct code_data *d, struct code_flow *f);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_DATA_H */
