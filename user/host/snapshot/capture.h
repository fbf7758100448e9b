/* SPDX-License-Identifier: GPL-2.0-only */
/* Image maps of what is or was a process. */
#ifndef USTACK_USER_IMAGEMAP_CAPTURE_H
#define USTACK_USER_IMAGEMAP_CAPTURE_H

#include "formats/imagemap/imagemap.h"

/* What is written as the platform of a map that is made here. */
#define IMAGEMAP_LINUX "linux"

/**
 * imagemap_from_process() - the files that a process has mapped and that have text
 * @pid: the process; who may not trace it may not read its map
 * @ret: holds IMAGEMAP_INIT; released by the caller; sorted
 * @diag: may be NULL
 *
 * Build ids are those in its memory: those of deleted and of replaced files, too. The
 * process is not stopped: what it maps meanwhile may be in the map or not.
 *
 * Return: 0; -ENODATA for a process without memory; another negative errno.
 */
int imagemap_from_process(uint32_t pid, struct imagemap *ret, struct diag *diag);

/**
 * imagemap_from_core() - the same of a core file of Linux
 * @path: ELF file of any class and byte order, with NT_FILE
 * @ret: see imagemap_from_process()
 * @diag: may be NULL
 *
 * Build ids come from the first pages of files, which the kernel dumps unless
 * /proc/PID/coredump_filter says otherwise. What was not dumped is not guessed.
 *
 * Return: 0; -EBADMSG for what is no core file or damaged, with offset and reason;
 * another negative errno.
 */
int imagemap_from_core(const char *path, struct imagemap *ret, struct diag *diag);

#endif /* USTACK_USER_IMAGEMAP_CAPTURE_H */
