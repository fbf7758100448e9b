/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a section to a file: bare, or in an ELF file that contains nothing else,
 * for readers which need one (readelf and objdump --sframe, ustack sframe).
 */
#ifndef USTACK_USER_SFRAME_ELF_WRITE_H
#define USTACK_USER_SFRAME_ELF_WRITE_H

#include "core.h"
#include "util/diag.h"

/**
 * struct sframe_image - a section and its place among the text
 * @arch: architecture of the code
 * @bytes: the section, borrowed
 * @len: number of @bytes, not 0
 * @vaddr: link-time address of the section, a multiple of 8
 * @text: executable link-time ranges that the section describes, borrowed; none is
 *        empty, they ascend and overlap neither each other nor the section
 * @nr_text: number of entries in @text, 1 to USTACK_MAX_SEGMENTS - 1
 */
struct sframe_image {
	const struct ustack_arch *arch;
	const u8 *bytes;
	u32 len;
	u64 vaddr;
	const struct ustack_range *text;
	unsigned int nr_text;
};

/**
 * sframe_free_vaddr() - choose an address for a section that is in no file yet
 * @text: as in struct sframe_image
 * @nr_text: number of entries in @text
 *
 * Return: the first page after the text, of the largest page size; 0 if there is
 * no text.
 */
u64 sframe_free_vaddr(const struct ustack_range *text, unsigned int nr_text);

/**
 * sframe_write_elf() - write a minimal ELF file
 * @path: created, or overwritten; a regular file, and not @image's source
 * @image: what to write
 * @diag: may be NULL
 *
 * The file is a shared object (ET_DYN) with a .sframe and its segments, and for
 * each range of text a segment that is a hole in the file: as long as the text, as
 * readers expect, but without disk space. An incomplete file is removed.
 *
 * Return: 0 or a negative errno; EINVAL for addresses that no file can have.
 */
int sframe_write_elf(const char *path, const struct sframe_image *image,
		     struct diag *diag);

/**
 * sframe_write_raw() - write the bare bytes
 * @path: created, or overwritten; may be a pipe
 * @bytes: the section
 * @len: number of @bytes
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int sframe_write_raw(const char *path, const u8 *bytes, u32 len,
		     struct diag *diag);

#endif /* USTACK_USER_SFRAME_ELF_WRITE_H */
