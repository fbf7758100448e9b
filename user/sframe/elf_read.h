/* SPDX-License-Identifier: GPL-2.0-only */
/* The core's reader of ELF headers, over files of user space. */
#ifndef USTACK_USER_SFRAME_ELF_READ_H
#define USTACK_USER_SFRAME_ELF_READ_H

#include "core.h"
#include "util/diag.h"
#include "util/file.h"

/**
 * elf_read_headers() - what the module would make of a file
 * @file: open
 * @ret: filled on success; a file without .sframe is a success
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with a reason.
 */
int elf_read_headers(const struct file *file, struct ustack_elf *ret,
		     struct diag *diag);

/**
 * elf_read_fd() - the same of a descriptor
 * @fd: open for reading, a regular file; borrowed
 * @path: for messages
 * @ret: see above
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int elf_read_fd(int fd, const char *path, struct ustack_elf *ret,
		struct diag *diag);

/**
 * elf_read_at() - bytes of a segment, as the file has them
 * @fd: the file; borrowed
 * @elf: its headers
 * @vaddr: link-time address
 * @buf: room for them
 * @len: how many
 *
 * Return: false if they are not all there, in one segment.
 */
bool elf_read_at(int fd, const struct ustack_elf *elf, u64 vaddr, void *buf,
		 u64 len);

/* The same, of executable segments alone. */
bool elf_read_code(int fd, const struct ustack_elf *elf, u64 vaddr, void *code,
		   u64 len);

#endif /* USTACK_USER_SFRAME_ELF_READ_H */
