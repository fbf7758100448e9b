/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command that is started to be recorded. Its process waits until the
 * recording has begun.
 */
#ifndef USTACK_USER_RECORD_CHILD_H
#define USTACK_USER_RECORD_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

/**
 * struct child - a started command
 * @pid: process, 0 if there is none
 * @go: pipe to the process; a byte lets it run
 * @failed: pipe from the process; gives errno if the program cannot be run
 * @user_ns: CPU time in user mode of the command and its children, in
 *	nanoseconds, once it ended
 * @system_ns: the same in the kernel
 */
struct child {
	pid_t pid;
	int go;
	int failed;
	uint64_t user_ns;
	uint64_t system_ns;
};

#define CHILD_INIT { .pid = 0, .go = -1, .failed = -1 }

/**
 * child_prepare() - create the process, which waits
 * @c: initialized with CHILD_INIT; released by child_release()
 * @argv: command and arguments, ends with NULL
 * @quiet: throw away what it prints, and let it read nothing
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int child_prepare(struct child *c, char *const argv[], bool quiet, struct diag *diag);

/**
 * child_path() - find the command's program
 * @name: name as in the command
 * @ret: gets the path, on true
 * @room: size of @ret in bytes
 *
 * Searches as execvp(3) does. The result may be different when the command is
 * run.
 *
 * Return: false if it is not found.
 */
bool child_path(const char *name, char *ret, size_t room);

/*
 * Lets it run. @name: for @diag. Return: 0; a negative errno if the program
 * cannot be run.
 */
int child_run(struct child *c, const char *name, struct diag *diag);

/**
 * child_status() - get how the command ended
 * @c: the command
 * @wait: wait until it has ended
 *
 * Return: as in a shell, the exit status or 128 + the signal; -1 while it runs.
 */
int child_status(struct child *c, bool wait);

/*
 * Ends a process that still waits. A running command gets SIGTERM, as from perf
 * record; not waited for.
 */
void child_release(struct child *c);

#endif /* USTACK_USER_RECORD_CHILD_H */
