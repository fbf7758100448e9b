/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the memory of other processes, without waiting for that of users.
 *
 * A page of a process can be a page of a file on FUSE, which another process of the same user serves,
 * or does not: who reads it waits for ever, and cannot be killed then. So a jail reads (user/jail):
 * it is given the descriptor of the memory and an address, and is left at its deadline. After that
 * nothing is read of this user's processes any more, so that few jails can be lost in this way.
 *
 * Processes of root are read directly, which is forty times as fast: root need not harm its own
 * profiler in such a way.
 */
#ifndef USTACK_USER_PROCESS_PEEK_H
#define USTACK_USER_PROCESS_PEEK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "jail/jail.h"

/* Seconds that a page may take, of a swap device, say. */
#define PEEK_SECONDS 1u
/* Users whose memory did not answer. With so many, nothing is read of anybody but root. */
#define PEEK_MAX_SILENT 8u

/**
 * struct peek - a reader
 * @lock: for what follows
 * @jail: that reads; started when it is needed
 * @fd: socket to it
 * @shared: memory that it reads to
 * @silent: users whose memory did not answer
 * @nr_silent: of @silent
 */
struct peek {
	pthread_mutex_t lock;
	struct jail jail;
	int fd;
	uint8_t *shared;
	uid_t silent[PEEK_MAX_SILENT];
	unsigned int nr_silent;
};

/* Return: 0 or -ENOMEM. */
int peek_open(struct peek *p);
void peek_close(struct peek *p);

/**
 * peek_read() - copy memory of a process
 * @p: open
 * @mem: descriptor of /proc/PID/mem
 * @owner: user of the process
 * @addr: in the process
 * @buf: gets @len bytes
 * @len: any
 *
 * Context: any thread. Takes two seconds when the memory does not answer, which happens once for a
 * user; waits for root's.
 *
 * Return: whether all bytes were read.
 */
bool peek_read(struct peek *p, int mem, uid_t owner, uint64_t addr, void *buf, size_t len);

/* Whether nothing is read of this user's processes. Context: any thread. */
bool peek_is_silent(struct peek *p, uid_t owner);

#endif /* USTACK_USER_PROCESS_PEEK_H */
