/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ELF syntax: from a file to its executable ranges, build id and .sframe. Runs
 * in process context, where it may sleep; reads the file through a callback, a
 * few hundred bytes at a time.
 */
#ifndef USTACK_CORE_ELF_H
#define USTACK_CORE_ELF_H

#include "arch.h"
#include "core_env.h"
#include "bounds.h"
#include "reason.h"
#include "verify.h"

/**
 * struct ustack_file - source of a file's bytes
 * @size: bytes in the file
 * @read: reads exactly @len bytes at @off; false if that fails. Never called
 *        for a range outside [0, @size)
 */
struct ustack_file {
	u64 size;
	bool (*read)(const struct ustack_file *file, u64 off, void *buf,
		     u32 len);
};

/* One PT_LOAD, with the fields of the program header. */
struct ustack_segment {
	u64 off;
	u64 vaddr;
	u64 filesz;
	u64 memsz;
	bool exec;
};

/**
 * struct ustack_elf - the facts in a file's headers
 * @arch: architecture
 * @segments: PT_LOADs in file order
 * @nr_segments: number of @segments
 * @text: link-time address ranges of the executable segments
 * @nr_text: number of @text
 * @sframe_off: file offset of .sframe, 0 if there is none
 * @sframe_len: bytes of .sframe. If PT_GNU_SFRAME names it, from the section's
 *              own header, as the segment's size is wrong; else from the ELF
 *              section header
 * @sframe_vaddr: link-time address of .sframe
 * @build_id: GNU build id
 * @build_id_len: bytes of @build_id, 0 if there is none
 */
struct ustack_elf {
	const struct ustack_arch *arch;
	struct ustack_segment segments[USTACK_MAX_SEGMENTS];
	unsigned int nr_segments;
	struct ustack_range text[USTACK_MAX_SEGMENTS];
	unsigned int nr_text;
	u64 sframe_off;
	u32 sframe_len;
	u64 sframe_vaddr;
	u8 build_id[USTACK_MAX_BUILD_ID];
	u8 build_id_len;
};

/**
 * ustack_elf_read() - read the headers of a file
 * @file: the file
 * @ret: filled on success; a file without .sframe is a success
 *
 * Context: any that allows @file->read; needs a few hundred bytes of stack.
 * Return: USTACK_OK; NOT_ELF, ELF_CLASS, ELF_MACHINE, ELF_BROKEN, READ_ERROR,
 * NOT_EXECUTABLE.
 */
enum ustack_reason ustack_elf_read(const struct ustack_file *file,
				   struct ustack_elf *ret);

/**
 * ustack_elf_bias() - run-time minus link-time address of a mapping
 * @elf: the file
 * @start: run-time address of the mapping
 * @off: file offset that is mapped at @start
 * @len: bytes mapped
 * @ret: the bias, written on success only
 *
 * Return: whether the mapping contains file bytes of an executable segment.
 */
bool ustack_elf_bias(const struct ustack_elf *elf, u64 start, u64 off, u64 len,
		     u64 *ret);

#endif /* USTACK_CORE_ELF_H */
