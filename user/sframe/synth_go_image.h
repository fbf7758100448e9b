/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of a file as they are when it is loaded at its link-time address:
 * relative relocations are done.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_IMAGE_H
#define USTACK_USER_SFRAME_SYNTH_GO_IMAGE_H

#include "core.h"

/* One relative relocation: struct Elf64_Rela. */
struct go_rela {
	u64 at;
	u64 info;
	u64 value;
};

/**
 * struct go_image - a file
 * @fd: borrowed
 * @elf: borrowed
 * @rela: its relocations with an addend, in the file's order; malloc'd
 * @nr_rela: number of @rela
 */
struct go_image {
	int fd;
	const struct ustack_elf *elf;
	struct go_rela *rela;
	size_t nr_rela;
};

/* Reads the relocations; without that there are none. What cannot be read is not
 * there. Return: 0 or -ENOMEM.
 */
int go_image_relocate(struct go_image *m);
void go_image_release(struct go_image *m);

/* @len bytes of the file; false if they are not all in one segment. */
bool go_image_read(const struct go_image *m, u64 vaddr, void *buf, size_t len);

/* The word at @vaddr. */
bool go_image_word(const struct go_image *m, u64 vaddr, u64 *ret);

/**
 * go_image_find() - where words have a value
 * @m: the file
 * @value: not 0
 * @ret: the addresses, ascending within a segment
 * @max: room for them
 *
 * Return: how many were found, of aligned words outside of text; -ENOMEM.
 */
int go_image_find(const struct go_image *m, u64 value, u64 *ret, int max);

#endif /* USTACK_USER_SFRAME_SYNTH_GO_IMAGE_H */
