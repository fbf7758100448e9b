/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds a file that a process has mapped: by the mapping itself, or by its path as seen
 * by the process, by this program, or by other processes.
 */
#ifndef USTACK_USER_SUPPLY_PROCESS_FILE_H
#define USTACK_USER_SUPPLY_PROCESS_FILE_H

#include "host/file/locate.h"

/**
 * enum supply_way - ways to a file, in the order in which they are tried
 * @SUPPLY_BY_MAPPING: /proc/PID/map_files: the mapped file itself, even if it was deleted
 * @SUPPLY_BY_ROOT: the path in the root of the process, which may be that of a container
 * @SUPPLY_BY_PATH: the path in the root of this program
 * @SUPPLY_BY_OTHER_ROOT: the path in the roots of other processes. In a container or
 *                 chroot other processes have the same root as one that has ended, for
 *                 example those that start compilers and shells
 */
enum supply_way {
	SUPPLY_BY_MAPPING,
	SUPPLY_BY_ROOT,
	SUPPLY_BY_PATH,
	SUPPLY_BY_OTHER_ROOT,
	SUPPLY_NR_WAYS,
};

/**
 * struct supply_wanted - what is known of the wanted file
 * @path: path as the process saw it; if it does not begin with "/", only the mapping can
 *        lead to the file
 * @pid: the process; 0 if it is not known, and only @path can be used
 * @start: start address of the mapping, for SUPPLY_BY_MAPPING
 * @end: end address of the mapping
 * @no_others: do not try SUPPLY_BY_OTHER_ROOT
 * @judge: decides whether the file found by a way is the wanted one: returns
 *         SUPPLY_CACHED if it is. May read its headers. A path may lead to any file; its
 *         build id, which anybody can forge, counts in the root of the process, but not
 *         in other roots
 * @arg: passed to @judge
 */
struct supply_wanted {
	const char *path;
	uint32_t pid;
	uint64_t start;
	uint64_t end;
	bool no_others;
	enum supply_outcome (*judge)(struct supply_file *f, enum supply_way way, const void *arg);
	const void *arg;
};

/**
 * supply_process_file() - find and open the file
 * @wanted: what is known of the file
 * @ret: released by supply_file_release(); its path is that of @wanted
 *
 * Return: SUPPLY_CACHED if the file is open; else the most informative reason.
 */
enum supply_outcome supply_process_file(const struct supply_wanted *wanted,
					struct supply_file *ret);

/* Whether @now, from a later way, says more than @before. */
bool supply_says_more(enum supply_outcome now, enum supply_outcome before);

/*
 * Opens the root folder of a process. Return: a descriptor, which the caller closes; -1
 * with errno.
 */
int supply_open_root(uint32_t pid);

#endif /* USTACK_USER_SUPPLY_PROCESS_FILE_H */
