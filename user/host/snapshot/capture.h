/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes image maps of a running process, or of one that has left a core file. */
#ifndef USTACK_USER_IMAGEMAP_CAPTURE_H
#define USTACK_USER_IMAGEMAP_CAPTURE_H

#include "formats/imagemap/imagemap.h"

/* Platform of the image maps that are made here. */
#define IMAGEMAP_LINUX "linux"

/**
 * imagemap_from_process() - list the files with code that a process has mapped
 * @pid: the process; reading its map needs the right to trace it
 * @ret: holds IMAGEMAP_INIT; released by the caller; sorted
 * @diag: may be NULL
 *
 * Build ids are read from its memory, so that those of deleted and replaced files are
 * known, too. The process is not stopped: the map may or may not have what it maps
 * meanwhile.
 *
 * Return: 0; -ENODATA for a process without memory; another negative errno.
 */
int imagemap_from_process(uint32_t pid, struct imagemap *ret, struct diag *diag);

/**
 * imagemap_from_core() - the same for a core file of Linux
 * @path: path of an ELF file of any class and byte order, with NT_FILE
 * @ret: see imagemap_from_process()
 * @diag: may be NULL
 *
 * Build ids are read from the first pages of files, which the kernel dumps unless
 * /proc/PID/coredump_filter forbids it. Nothing is guessed that was not dumped.
 *
 * Return: 0; -EBADMSG if the file is not a core file or damaged, with offset and reason;
 * another negative errno.
 */
int imagemap_from_core(const char *path, struct imagemap *ret, struct diag *diag);

#endif /* USTACK_USER_IMAGEMAP_CAPTURE_H */
