/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that is started to be recorded: it waits until the recording has begun. */
#ifndef USTACK_USER_RECORD_CHILD_H
#define USTACK_USER_RECORD_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

/**
 * struct child - a started command
 * @pid: 0 if there is none
 * @go: closed or written to let it run
 * @failed: gives errno if it cannot be run
 * @user_ns: CPU time of it and of what it waited for, once it has ended
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
 * child_prepare() - make its process, which waits
 * @c: holds CHILD_INIT; released by child_release()
 * @argv: ends with NULL
 * @quiet: what it prints is thrown away, and it has nothing to read
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int child_prepare(struct child *c, char *const argv[], bool quiet, struct diag *diag);

/**
 * child_path() - where the command's program will be found
 * @name: as the command has it
 * @ret: its path, on true
 * @room: bytes of @ret
 *
 * As execvp(3) looks for it; by the time it is run it may be elsewhere.
 *
 * Return: false if it is not found.
 */
bool child_path(const char *name, char *ret, size_t room);

/* Lets it run. Return: 0; a negative errno if the program cannot be run, with its name. */
int child_run(struct child *c, const char *name, struct diag *diag);

/**
 * child_status() - what became of it
 * @c: the command
 * @wait: until it has ended
 *
 * Return: as a shell has it: the exit status, or 128 + the signal; -1 while it runs.
 */
int child_status(struct child *c, bool wait);

/* Ends what still waits; what runs gets SIGTERM, as of perf record, and is not waited for. */
void child_release(struct child *c);

#endif /* USTACK_USER_RECORD_CHILD_H */
