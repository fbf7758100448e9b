/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one finder of files that processes have: by the mapping itself, by the path as the process
 * sees it, as this program sees it, and as other processes see it.
 */
#ifndef USTACK_USER_SUPPLY_PROCESS_FILE_H
#define USTACK_USER_SUPPLY_PROCESS_FILE_H

#include "host/file/locate.h"

/**
 * enum supply_way - how a file was reached, in the order in which ways are tried
 * @SUPPLY_BY_MAPPING: /proc/PID/map_files: the mapped file itself, also if it was deleted
 * @SUPPLY_BY_ROOT: its path in the root of the process, which a container's may be
 * @SUPPLY_BY_PATH: its path in the root of this program
 * @SUPPLY_BY_OTHER_ROOT: its path in the roots of other processes: in a container or a chroot
 *                        others have the same root as one that has gone, such as those that start
 *                        compilers and shells
 */
enum supply_way {
	SUPPLY_BY_MAPPING,
	SUPPLY_BY_ROOT,
	SUPPLY_BY_PATH,
	SUPPLY_BY_OTHER_ROOT,
	SUPPLY_NR_WAYS,
};

/**
 * struct supply_wanted - the file that is looked for
 * @path: as the process saw it; if it does not begin with "/", only the mapping can lead to it
 * @pid: the process; 0 if it is not known, so that only @path is left
 * @start: address of the mapping, for SUPPLY_BY_MAPPING
 * @end: behind it
 * @no_others: SUPPLY_BY_OTHER_ROOT is not tried
 * @judge: says whether what a way led to is the file: SUPPLY_CACHED if it is. May read its
 *         headers. What a path leads to may be any file: one that says of itself what it is, by its
 *         build id, can be believed in the root of the process, but not in others
 * @arg: for @judge
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
 * supply_process_file() - find it
 * @wanted: what is known of it
 * @ret: released by supply_file_release(); its path is @wanted's
 *
 * Return: SUPPLY_CACHED if it is open; else why not, of the way that says most.
 */
enum supply_outcome supply_process_file(const struct supply_wanted *wanted,
					struct supply_file *ret);

/* Whether @now, of a later way, is of more interest than @before. */
bool supply_says_more(enum supply_outcome now, enum supply_outcome before);

/* Return: a handle of the root folder of a process, to be closed; -1 with errno. */
int supply_open_root(uint32_t pid);

#endif /* USTACK_USER_SUPPLY_PROCESS_FILE_H */
