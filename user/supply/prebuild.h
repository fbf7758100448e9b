/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills a cache ahead: every ELF file below some paths, by several workers. And the
 * module, if it is to know the files before anybody maps them.
 */
#ifndef USTACK_USER_SUPPLY_PREBUILD_H
#define USTACK_USER_SUPPLY_PREBUILD_H

#include <stdint.h>
#include <time.h>

#include "host/module/module.h"
#include "supply/cache.h"
#include "host/file/outcome.h"
#include "util/diag.h"

/* Half a gigabyte of address space each, and no machine has more to give. */
#define PREBUILD_MAX_JOBS 256u

/**
 * struct prebuild_options - what to do
 * @cache: to be filled
 * @m: gets the tables too, as far as it has room; NULL for none
 * @jobs: workers, 1 to PREBUILD_MAX_JOBS
 * @since: only files that were changed, renamed or given other rights at or after this time
 *         (st_ctime: a package's file keeps the st_mtime of who made it); NULL for all
 * @list: a file with the path of a file in each line, "-" is standard input: done before the
 *        operands. What is not there any more and what is no regular file is passed over, as a
 *        package manager lists folders, links and what it has removed too; NULL for none
 * @say: prints a line on a file that was skipped or a folder that cannot be read
 * @progress: called a few times a second with what was done; NULL for nothing
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
 * struct prebuild_result - what was done
 * @tally: of the files that were opened
 * @files: regular files met, each inode once; without those that are too old
 * @unreadable: folders and files that could not be looked at
 * @missing: operands that are not there
 */
struct prebuild_result {
	struct supply_tally tally;
	uint64_t files;
	uint64_t unreadable;
	uint64_t missing;
};

/**
 * prebuild_run() - fill a cache
 * @o: how
 * @paths: files and folders, ended by NULL, may be none; a link given here is followed, others
 *         are not, as what they lead to has a place of its own
 * @ret: what was done, filled in any case
 * @diag: may be NULL
 *
 * What does not get better by waiting (a file without a build id, another
 * architecture) is counted and not said. File systems without files (proc, sysfs)
 * are passed over.
 *
 * Return: 0 or a negative errno; -EINTR when SIGINT or SIGTERM ended it; -EBADMSG for a line of
 * the list that is longer than any path or has a NUL in it.
 */
int prebuild_run(const struct prebuild_options *o, char *const *paths,
		 struct prebuild_result *ret, struct diag *diag);

#endif /* USTACK_USER_SUPPLY_PREBUILD_H */
