/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the file of an event of the module and opens it for reading. */
#ifndef USTACK_USER_SUPPLY_LOCATE_H
#define USTACK_USER_SUPPLY_LOCATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "core.h"
#include "host/file/outcome.h"
#include "ustack.h"

/**
 * struct supply_file - an opened ELF file
 * @fd: descriptor, open for reading; -1 if there is none
 * @path: path for messages; borrowed
 * @st: result of fstat(2)
 * @elf: ELF headers of the file
 */
struct supply_file {
	int fd;
	const char *path;
	struct stat st;
	struct ustack_elf elf;
};

#define SUPPLY_FILE_INIT { .fd = -1 }

/* The architecture for which this program, and so the module, was built. */
const struct ustack_arch *supply_native_arch(void);

/**
 * supply_file_open() - open a regular file, and nothing else
 * @f: holds SUPPLY_FILE_INIT; released by supply_file_release()
 * @at: folder to which @path is relative, as for openat(2)
 * @path: path of the file; must outlive @f
 * @in_root: treat @at as the root: @path cannot lead out of it, and links with an
 *           absolute path start from it
 *
 * The kind of file is checked before it is opened: opening a pipe can block for ever, and
 * opening a device can have any effect.
 *
 * Return: SUPPLY_CACHED for success, or the reason for the failure.
 */
enum supply_outcome supply_file_open(struct supply_file *f, int at,
				     const char *path, bool in_root);

/* The outcome for an errno of a failed open. */
enum supply_outcome supply_outcome_of(int err);

/*
 * Whether the file is still the same as when it was opened, by size and times. A write
 * within the same tick of the file system's clock is not noticed.
 */
bool supply_file_unchanged(const struct supply_file *f);

/*
 * Time stamps of file systems advance by ticks of at most 10 ms: writes within one tick have
 * the same time.
 */
#define SUPPLY_TICK_NS 20000000

/* Whether the file was written so late that another write may have the same time. */
bool supply_file_is_fresh(const struct supply_file *f);

/* Reads the headers. Return: SUPPLY_CACHED, SUPPLY_NOT_OURS, SUPPLY_BROKEN. */
enum supply_outcome supply_file_headers(struct supply_file *f,
					enum ustack_reason *reason);

/**
 * supply_locate() - open the file of an image and read its headers
 * @f: holds SUPPLY_FILE_INIT; its path is that of @e
 * @e: the event
 * @reason: what is wrong with the headers, for SUPPLY_BROKEN
 *
 * The file found by one of the ways in process_file.h must have the same device, inode
 * and size as in the event. As overlayfs and btrfs show users other device numbers than
 * the kernel has, the same size and build id are accepted, too, but not in the root of
 * another process.
 *
 * Return: SUPPLY_CACHED for success, or the reason why there is no file.
 */
enum supply_outcome supply_locate(struct supply_file *f,
				  const struct ustack_event *e,
				  enum ustack_reason *reason);

/* Opens a copy of this process's vDSO. Return: as supply_locate(). */
enum supply_outcome supply_locate_vdso(struct supply_file *f,
				       const struct ustack_event *e,
				       enum ustack_reason *reason);

void supply_file_release(struct supply_file *f);

#endif /* USTACK_USER_SUPPLY_LOCATE_H */
