/* SPDX-License-Identifier: GPL-2.0-only */
/* From an event of the module to the file that it is about, opened for reading. */
#ifndef USTACK_USER_SUPPLY_LOCATE_H
#define USTACK_USER_SUPPLY_LOCATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "core.h"
#include "host/file/outcome.h"
#include "ustack.h"

/**
 * struct supply_file - an ELF file
 * @fd: open for reading, -1 if it is not
 * @path: for messages; borrowed
 * @st: what fstat(2) says
 * @elf: its headers
 */
struct supply_file {
	int fd;
	const char *path;
	struct stat st;
	struct ustack_elf elf;
};

#define SUPPLY_FILE_INIT { .fd = -1 }

/* The architecture that this program was built for, and the module with it. */
const struct ustack_arch *supply_native_arch(void);

/**
 * supply_file_open() - open a regular file, and nothing else
 * @f: holds SUPPLY_FILE_INIT; released by supply_file_release()
 * @at: directory that @path counts from, as for openat(2)
 * @path: must outlive @f
 * @in_root: @path cannot lead out of @at: links with an absolute path count from
 *           there
 *
 * The file is looked at before it is opened: opening a pipe can wait for ever, and
 * opening a device can do anything.
 *
 * Return: SUPPLY_CACHED for success, or why it cannot be had.
 */
enum supply_outcome supply_file_open(struct supply_file *f, int at,
				     const char *path, bool in_root);

/* Why a file cannot be had, of an errno. */
enum supply_outcome supply_outcome_of(int err);

/* Is the file still as it was when it was opened? By size and times: what is written
 * within one tick of the file system's clock, after the file was looked at, is missed.
 */
bool supply_file_unchanged(const struct supply_file *f);

/* Reads the headers. Return: SUPPLY_CACHED, SUPPLY_NOT_OURS, SUPPLY_BROKEN. */
enum supply_outcome supply_file_headers(struct supply_file *f,
					enum ustack_reason *reason);

/**
 * supply_locate() - open the file of an image, headers read
 * @f: holds SUPPLY_FILE_INIT; its path is @e's
 * @e: the event
 * @reason: on SUPPLY_BROKEN what is wrong with the headers
 *
 * What one of the ways of process_file.h leads to must be the same file by device,
 * inode and size; or, as overlayfs and btrfs show users other numbers than the
 * kernel has, by size and build id. In the root of another process it must be the
 * same by device, inode and size.
 *
 * Return: SUPPLY_CACHED for success, or why there is none.
 */
enum supply_outcome supply_locate(struct supply_file *f,
				  const struct ustack_event *e,
				  enum ustack_reason *reason);

/* The vDSO of this process as a file. Return: as supply_locate(). */
enum supply_outcome supply_locate_vdso(struct supply_file *f,
				       const struct ustack_event *e,
				       enum ustack_reason *reason);

void supply_file_release(struct supply_file *f);

#endif /* USTACK_USER_SUPPLY_LOCATE_H */
