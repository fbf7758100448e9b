/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A jail: a process of its own in which work is done that may go wrong, such as reading a file of
 * the profiled users, which can be made to break its reader. Work that crashes, never ends, eats
 * memory or is taken over costs this process and no more.
 *
 * What all jails have in common is set in jail.c and not to be chosen: no terminal; no
 * descriptor but those that it is given; default actions of signals, none blocked, and those that
 * a terminal or a shutdown sends ignored; no core dump; no new rights by executing a program; no
 * other process, neither made nor signalled nor looked into (filter.h); death with the thread
 * that started it. What differs is struct jail_limits.
 */
#ifndef USTACK_USER_JAIL_JAIL_H
#define USTACK_USER_JAIL_JAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * enum jail_paths - what a jail may do with files by their names
 * @JAIL_NO_PATHS: nothing: it has the descriptors that it was given
 * @JAIL_READ_PATHS: open files for reading
 * @JAIL_WRITE_PATHS: make, change and remove files, too
 *
 * Each as far as the user and the capabilities of the jail allow it. None changes permissions.
 */
enum jail_paths {
	JAIL_NO_PATHS,
	JAIL_READ_PATHS,
	JAIL_WRITE_PATHS,
};

/* Capabilities that are for reading files and /proc of others: 1 << CAP_... */
#define JAIL_READ_OTHERS (1ull << 2 | 1ull << 19 | 1ull << 40)

/* Descriptors beside the three standard ones that a jail can be given */
#define JAIL_MAX_KEEP 4u

/**
 * struct jail_limits - what a jail may do; zeroed, it may do nothing but compute
 * @same_user: it stays the caller's user. Else root becomes nobody; whoever may not change its user
 *             stays who it is in any case
 * @capabilities: 1 << CAP_..., for each that stays, as far as the caller has it
 * @paths: files by their names
 * @folder: descriptor of the folder below which JAIL_WRITE_PATHS holds, open in any way; 0: it holds
 *          everywhere. It is not for work on /proc of other processes, which is closed then. On a
 *          kernel without Landlock (5.13, and named in its lsm=) it means nothing
 * @network: it may open sockets
 * @program: it may execute a program, which has the same limits
 * @memory: bytes of address space that it may take beside those that the caller has; 0: no limit
 * @file_bytes: length of the longest file that it may write; writing more ends it by SIGXFSZ
 * @cpu_seconds: CPU time; then it is ended by SIGXCPU; 0: no limit
 * @seconds: time from its start to its deadline, CLOCK_MONOTONIC; 0: none until jail_give_time()
 * @nice: is added to its niceness
 * @in: descriptor that becomes its standard input; 0: nothing can be read there
 * @out: descriptor that becomes its standard output; 0: what is written there is lost. So is what
 *       is written to standard error
 * @keep: descriptors that it has under the same numbers; those below 3 count for nothing
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
 * struct jail - a jail, as its starter has it
 * @pid: the process; 0 if there is none, and then the others are of no meaning
 * @fd: pidfd of it
 * @deadline: nanoseconds of CLOCK_MONOTONIC; UINT64_MAX: none
 * @nobody: it may have another user than this process
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
 * @JAIL_EXITED: its work returned or it exited, with a status
 * @JAIL_SIGNALLED: by a signal
 * @JAIL_LATE: it was killed at its deadline
 * @JAIL_NOT_BUILT: a right could not be taken from it, and so its work did not begin
 */
enum jail_how {
	JAIL_EXITED,
	JAIL_SIGNALLED,
	JAIL_LATE,
	JAIL_NOT_BUILT,
};

/**
 * struct jail_end - the end of a jail
 * @how: it ended
 * @value: exit status or signal; 0 for the others
 */
struct jail_end {
	enum jail_how how;
	int value;
};

/* Exit status of JAIL_NOT_BUILT: no work returns it. */
#define JAIL_STATUS_NOT_BUILT 125

/**
 * jail_start() - start a jail
 * @j: JAIL_INIT or any that has ended; to be ended by jail_end() or jail_kill()
 * @limits: copied
 * @work: is called in the jail; what it returns is the exit status, 0 to 124. Nothing that it
 *        leaves has more to be believed than the file that it read
 * @arg: for @work, as it is at this call
 *
 * Context: any thread. The jail dies when this thread ends, so that it is to be a thread that
 * lives as long as the jail is of use.
 *
 * Return: 0; -EAGAIN: so many killed ones hang in the kernel that no other is started; another
 * negative errno.
 */
int jail_start(struct jail *j, const struct jail_limits *limits, int (*work)(void *arg), void *arg);

/* Its deadline is @seconds from now on, and if that is 0 it has none. */
void jail_give_time(struct jail *j, unsigned int seconds);

/* Milliseconds to its deadline, as poll(2) takes them: -1 if there is none, 0 if it has passed. */
int jail_time_left(const struct jail *j);

/**
 * jail_read() - read what a jail writes, to its deadline at the latest
 * @j: started
 * @fd: pipe from it
 * @buf: gets up to @len bytes
 * @len: any
 *
 * Return: as read(2); -ETIME when the deadline has passed, another negative errno.
 */
ssize_t jail_read(const struct jail *j, int fd, void *buf, size_t len);

/**
 * jail_end() - has it ended?
 * @j: started; nothing is left to be done for it on true
 * @wait: until it has, or until its deadline
 * @ret: how, on true
 *
 * One that has not ended at its deadline is killed, as by jail_kill().
 *
 * Return: false while it goes on.
 */
bool jail_end(struct jail *j, bool wait, struct jail_end *ret);

/**
 * jail_kill() - end it, whatever it does
 * @j: any; JAIL_INIT afterwards
 *
 * Waits a second at most for its death. One that hangs in the kernel, on a file server that does
 * not answer, say, dies when it comes out of there, and is reaped by a later call of this file.
 */
void jail_kill(struct jail *j);

/* Bytes of jail_end_text() */
#define JAIL_TEXT 96u

/* "the process that read it ..." with how it has ended, for messages. Return: @buf. */
const char *jail_end_text(const struct jail_end *end, char buf[JAIL_TEXT]);

#endif /* USTACK_USER_JAIL_JAIL_H */
