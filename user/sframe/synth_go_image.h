/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of a file as they would be when it is loaded at its link-time address:
 * with relative relocations applied.
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
 * struct go_image - a file and its relocations
 * @fd: the file, borrowed
 * @elf: headers of the file, borrowed
 * @rela: the relative relocations, in the file's order; malloc'd
 * @nr_rela: number of @rela
 */
struct go_image {
	int fd;
	const struct ustack_elf *elf;
	struct go_rela *rela;
	size_t nr_rela;
};

/* Reads the relocations; before that there are none. Those that cannot be read are ignored.
 * Return: 0 or -ENOMEM.
 */
int go_image_relocate(struct go_image *m);
void go_image_release(struct go_image *m);

/* Reads @len bytes at @vaddr; false if they are not all in one segment. */
bool go_image_read(const struct go_image *m, u64 vaddr, void *buf, size_t len);

/* Reads the word at @vaddr, relocated; false if it is not in the file. */
bool go_image_word(const struct go_image *m, u64 vaddr, u64 *ret);

/**
 * go_image_find() - find the words that have a value
 * @m: the file
 * @value: the value, not 0
 * @ret: receives the addresses, ascending within a segment
 * @max: number of addresses that @ret has room for
 *
 * Return: number of words found, aligned and outside of text; -ENOMEM.
 */
int go_image_find(const struct go_image *m, u64 value, u64 *ret, int max);

#endif /* USTACK_USER_SFRAME_SYNTH_GO_IMAGE_H */
