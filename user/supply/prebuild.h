/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills a cache ahead of time: several workers read every ELF file below some paths. The module
 * can get the tables, too, before anybody maps the files.
 */
#ifndef USTACK_USER_SUPPLY_PREBUILD_H
#define USTACK_USER_SUPPLY_PREBUILD_H

#include <stdint.h>
#include <time.h>

#include "host/module/module.h"
#include "supply/cache.h"
#include "host/file/outcome.h"
#include "util/diag.h"

/* Each needs half a gigabyte of address space, and no machine has more. */
#define PREBUILD_MAX_JOBS 256u

/**
 * struct prebuild_options - options of a run
 * @cache: the cache to fill
 * @m: the module, which gets tables too as far as it has room; NULL for none
 * @jobs: number of workers, 1 to PREBUILD_MAX_JOBS
 * @since: only files that were changed, renamed or given other rights at or after this time
 *         (st_ctime: a package's file has the st_mtime of its build); NULL for all
 * @list: a file with one path in each line, "-" is standard input; read before the operands.
 *        Paths that do not exist or are not regular files are skipped, as a package manager
 *        also lists folders, links and removed files; NULL for none
 * @say: prints a line about a skipped file or an unreadable folder
 * @progress: called a few times a second with the counts so far; NULL for none
 */
struct prebuild_options {
	const struct cache *cache;
	const struct module *m;
	unsigned int jobs;
	const struct timespec *since;
	const char *list;
	void (*say)(const char *line);
	void (*progress)(const struct supply_tally *t, uint64_t files);
};

/**
 * struct prebuild_result - counts of a run
 * @tally: outcomes of the files that were opened
 * @files: number of regular files met, each inode once, without those that are too old
 * @unreadable: number of folders and files that could not be read
 * @missing: number of operands that do not exist
 */
struct prebuild_result {
	struct supply_tally tally;
	uint64_t files;
	uint64_t unreadable;
	uint64_t missing;
};

/**
 * prebuild_run() - fill a cache
 * @o: options
 * @paths: files and folders, ended by NULL, may be none; a link given here is followed, others
 *         are not, as their targets have places of their own
 * @ret: counts, filled in any case
 * @diag: may be NULL
 *
 * Files that a retry does not help (without a build id, for another architecture) are counted
 * and not reported. File systems without real files (proc, sysfs) are skipped.
 *
 * Return: 0 or a negative errno; -EINTR when SIGINT or SIGTERM ended it; -EBADMSG for a line of
 * the list that is longer than any path or has a NUL in it.
 */
int prebuild_run(const struct prebuild_options *o, char *const *paths,
		 struct prebuild_result *ret, struct diag *diag);

#endif /* USTACK_USER_SUPPLY_PREBUILD_H */
