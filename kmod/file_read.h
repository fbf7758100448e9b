/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounded reads of one file, and the ELF headers through them. */
#ifndef USTACK_FILE_READ_H
#define USTACK_FILE_READ_H

#include <linux/fs.h>

#include "elf.h"

/**
 * ustack_file_elf() - read a file's ELF headers
 * @file: the file, open for reading; borrowed
 * @ret: filled on success
 *
 * Context: process, may sleep; not under mmap_lock (file systems take their
 * locks outside of it).
 * Return: the reasons of ustack_elf_read().
 */
enum ustack_reason ustack_file_elf(struct file *file, struct ustack_elf *ret);

/**
 * ustack_file_snapshot() - copy a range of a file
 * @file: the file, open for reading; borrowed
 * @off: offset of the range
 * @len: bytes, at most USTACK_MAX_SECTION
 * @ret: the copy; the caller frees it with kvfree(); written on success only
 *
 * Context: see ustack_file_elf().
 * Return: USTACK_OK; READ_ERROR, NO_MEMORY, TOO_LARGE.
 */
enum ustack_reason ustack_file_snapshot(struct file *file, u64 off, u32 len,
					u8 **ret);

#endif /* USTACK_FILE_READ_H */
