/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A jail: a separate process for work that may go wrong, such as reading a file of the
 * profiled users, who may have made it to attack its reader. If the work crashes, never
 * ends, uses up memory or is taken over by an attacker, only this process is affected.
 *
 * Some things are the same for all jails, and jail.c sets them: no terminal; no
 * descriptors except those it is given; default signal actions, no blocked signals, but
 * signals from a terminal or a shutdown are ignored; no core dump; no new rights by
 * executing a program; no creating, signalling or inspecting of other processes
 * (seccomp.h); it dies with the thread that started it. All else is set by struct
 * jail_limits.
 */
#ifndef USTACK_USER_JAIL_JAIL_H
#define USTACK_USER_JAIL_JAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * enum jail_paths - what a jail may do with files by their names
 * @JAIL_NO_PATHS: nothing; it can only use descriptors that it was given
 * @JAIL_READ_PATHS: open files for reading
 * @JAIL_WRITE_PATHS: also create, change and remove files
 *
 * File permissions for the user and the capabilities of the jail apply in addition. No
 * jail may change permissions.
 */
enum jail_paths {
	JAIL_NO_PATHS,
	JAIL_READ_PATHS,
	JAIL_WRITE_PATHS,
};

/* The capabilities for reading files and /proc entries of other users, 1 << CAP_... */
#define JAIL_READ_OTHERS (1ull << 2 | 1ull << 19 | 1ull << 40)

/* Limit for the descriptors besides the three standard ones that a jail can be given. */
#define JAIL_MAX_KEEP 4u

/**
 * struct jail_limits - what a jail may do; if zeroed, it can only compute
 * @same_user: the jail stays the caller's user. Else it becomes nobody, if the caller may
 *             change its user
 * @capabilities: capabilities that it keeps if the caller has them, as 1 << CAP_...
 * @paths: what it may do with files by their names
 * @folder: descriptor of the folder to which JAIL_WRITE_PATHS is limited; 0: not limited.
 *          With a folder the jail cannot read /proc of other processes. Without Landlock
 *          in the kernel (5.13 and later, and enabled by lsm=) this has no effect
 * @network: the jail may open sockets
 * @program: the jail may execute a program, which has the same limits
 * @memory: limit for its address space, in bytes beyond that of the caller; 0: no limit
 * @file_bytes: limit for the size of a file that it writes, in bytes; SIGXFSZ ends it
 *              there
 * @cpu_seconds: limit for its CPU time, where SIGXCPU ends it; 0: no limit
 * @seconds: time from its start to its deadline, CLOCK_MONOTONIC; 0: none until
 *           jail_give_time()
 * @nice: added to its niceness
 * @in: descriptor that becomes its standard input; 0: standard input is empty
 * @out: descriptor that becomes its standard output; 0: output is discarded. Standard
 *       error always is
 * @keep: descriptors that stay open under the same numbers; values below 3 are ignored
 */
struct jail_limits {
	bool same_user;
	uint64_t capabilities;
	enum jail_paths paths;
	int folder;
	bool network;
	bool program;
	uint64_t memory;
	uint64_t file_bytes;
	unsigned int cpu_seconds;
	unsigned int seconds;
	int nice;
	int in;
	int out;
	int keep[JAIL_MAX_KEEP];
};

/**
 * struct jail - a running jail
 * @pid: number of the process; 0 if there is none, and the other fields mean nothing
 * @fd: pidfd of the process
 * @deadline: CLOCK_MONOTONIC in nanoseconds; UINT64_MAX: none
 * @nobody: the jail may run as nobody and not as this process's user
 */
struct jail {
	pid_t pid;
	int fd;
	uint64_t deadline;
	bool nobody;
};

#define JAIL_INIT { .pid = 0 }

/**
 * enum jail_how - how a jail has ended
 * @JAIL_EXITED: the work returned or exited, with a status
 * @JAIL_SIGNALLED: a signal ended it
 * @JAIL_LATE: the jail was killed at its deadline
 * @JAIL_NOT_BUILT: some right could not be taken from it, so the work did not begin
 */
enum jail_how {
	JAIL_EXITED,
	JAIL_SIGNALLED,
	JAIL_LATE,
	JAIL_NOT_BUILT,
};

/**
 * struct jail_end - the end of a jail
 * @how: how it has ended
 * @value: exit status or number of the signal; else 0
 */
struct jail_end {
	enum jail_how how;
	int value;
};

/* Exit status for JAIL_NOT_BUILT; work must not return it. */
#define JAIL_STATUS_NOT_BUILT 125

/**
 * jail_start() - start a jail
 * @j: JAIL_INIT, or a jail that has ended; to be ended by jail_end() or jail_kill()
 * @limits: what the jail may do; copied
 * @work: called in the jail; its return value, 0 to 124, is the exit status. Its results
 *        are as untrusted as the file that it read
 * @arg: passed to @work, with its content at the time of this call
 *
 * Context: any thread. The jail dies when this thread ends, so it must be a thread that
 * lives as long as the jail is needed.
 *
 * Return: 0; -EAGAIN if so many killed jails hang in the kernel that no other is started;
 * another negative errno.
 */
int jail_start(struct jail *j, const struct jail_limits *limits, int (*work)(void *arg), void *arg);

/* Sets the deadline to @seconds from now; 0: no deadline. */
void jail_give_time(struct jail *j, unsigned int seconds);

/* Milliseconds to the deadline, for poll(2): -1 if there is none, 0 if it has passed. */
int jail_time_left(const struct jail *j);

/**
 * jail_read() - read what a jail writes, until its deadline
 * @j: the running jail
 * @fd: pipe from the jail
 * @buf: gets up to @len bytes
 * @len: size of @buf
 *
 * Return: as read(2); -ETIME if the deadline has passed; another negative errno.
 */
ssize_t jail_read(const struct jail *j, int fd, void *buf, size_t len);

/**
 * jail_end() - check whether a jail has ended
 * @j: the running jail; needs no further call if true is returned
 * @wait: wait until it ends or until its deadline
 * @ret: how it has ended; set if true is returned
 *
 * A jail that has not ended at its deadline is killed by jail_kill().
 *
 * Return: false if it is still running.
 */
bool jail_end(struct jail *j, bool wait, struct jail_end *ret);

/**
 * jail_kill() - end a jail, whatever it does
 * @j: any jail; JAIL_INIT afterwards
 *
 * Waits at most a second for its death. A jail that hangs in the kernel, for example on a
 * file server that does not answer, dies when it leaves the kernel, and a later call of
 * this file reaps it.
 */
void jail_kill(struct jail *j);

/* Bytes of the buffer for jail_end_text(). */
#define JAIL_TEXT 96u

/* Writes "the process that read it ..." and how it ended, for messages. Return: @buf. */
const char *jail_end_text(const struct jail_end *end, char buf[JAIL_TEXT]);

#endif /* USTACK_USER_JAIL_JAIL_H */
