/* SPDX-License-Identifier: GPL-2.0-only */
/* The core's reader of ELF headers, for files in user space. */
#ifndef USTACK_USER_SFRAME_ELF_READ_H
#define USTACK_USER_SFRAME_ELF_READ_H

#include "core.h"
#include "util/diag.h"
#include "util/file.h"

/**
 * elf_read_headers() - read a file's headers as the module would
 * @file: open
 * @ret: filled on success; a file without .sframe is a success
 * @diag: may be NULL
 *
 * Return: 0, or -EBADMSG with a reason.
 */
int elf_read_headers(const struct file *file, struct ustack_elf *ret,
		     struct diag *diag);

/**
 * elf_read_fd() - the same for a descriptor
 * @fd: open for reading, a regular file; borrowed
 * @path: for messages
 * @ret: as for elf_read_headers()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int elf_read_fd(int fd, const char *path, struct ustack_elf *ret,
		struct diag *diag);

/**
 * elf_read_at() - read bytes of a segment
 * @fd: the file; borrowed
 * @elf: headers of the file
 * @vaddr: link-time address of the first byte
 * @buf: room for @len bytes
 * @len: number of bytes
 *
 * Return: false if the bytes are not all in the file, within one segment.
 */
bool elf_read_at(int fd, const struct ustack_elf *elf, u64 vaddr, void *buf,
		 u64 len);

/* elf_read_code() - the same, but only from executable segments */
bool elf_read_code(int fd, const struct ustack_elf *elf, u64 vaddr, void *code,
		   u64 len);

#endif /* USTACK_USER_SFRAME_ELF_READ_H */
