/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the memory of other processes, without waiting for that of users.
 *
 * A page of a process can be a page of a file on FUSE, which another process of the same user serves,
 * or does not: who reads it waits for ever, and cannot be killed then. So a jail reads (user/host/jail):
 * it is given the descriptor of the memory and an address, and is left at its deadline. After that
 * nothing is read of this user's processes any more, so that few jails can be lost in this way.
 *
 * Processes of root are read directly, which needs no switch of the CPU: root need not harm its own
 * profiler in such a way.
 */
#ifndef USTACK_USER_PROCESS_PEEK_H
#define USTACK_USER_PROCESS_PEEK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/jail/jail.h"

/* Seconds that a page may take, of a swap device, say. */
#define PEEK_SECONDS 1u
/* Users whose memory did not answer. With so many, nothing is read of anybody but root. */
#define PEEK_MAX_SILENT 8u
/* Ranges that are asked for at once; more are asked for one by one. */
#define PEEK_MAX_RANGES 16u

/**
 * struct peek_memory - the memory of a process
 * @fd: of /proc/PID/mem (or maps), which stays that of this program after execve; -1: none
 * @pid: the process
 * @payer: who is charged for it (host/process/payer.h); root as of a second ago at most when memory is read
 * @payer_ns: CLOCK_MONOTONIC of when that was seen; 0: it was not
 * @number: of this memory, never used again; not 0
 *
 * A copy is the same memory; one of them is closed.
 */
struct peek_memory {
	int fd;
	uint32_t pid;
	uint32_t payer;
	uint64_t payer_ns;
	uint64_t number;
};

#define PEEK_MEMORY_INIT { .fd = -1 }

/**
 * peek_memory_open() - open the memory of a process
 * @m: any; closed by peek_memory_close() in any case
 * @pid: the process
 *
 * Return: false if it is gone or may not be read.
 */
bool peek_memory_open(struct peek_memory *m, uint32_t pid);
void peek_memory_close(struct peek_memory *m);

/* The same of /proc/PID/maps, for peek_read_text(): who reads it waits for a process that changes its
 * mappings, which may itself wait for a page.
 */
bool peek_maps_open(struct peek_memory *m, uint32_t pid);

/**
 * struct peek_range - what is read
 * @addr: in the process
 * @buf: gets @len bytes
 * @len: any
 */
struct peek_range {
	uint64_t addr;
	void *buf;
	size_t len;
};

struct peek_channel;

/**
 * struct peek - a reader
 * @lock: for what follows
 * @jail: that reads; started when it is needed
 * @channel: to it
 * @silent: users whose memory did not answer
 * @nr_silent: of @silent
 */
struct peek {
	pthread_mutex_t lock;
	struct jail jail;
	struct peek_channel *channel;
	uint32_t silent[PEEK_MAX_SILENT];
	unsigned int nr_silent;
};

/* Return: 0 or -ENOMEM. */
int peek_open(struct peek *p);
void peek_close(struct peek *p);

/**
 * peek_read() - copy memory of a process
 * @p: open
 * @m: open, or nothing is read; its payer is looked at again
 * @addr: in the process
 * @buf: gets @len bytes
 * @len: any
 *
 * Context: any thread, one at a time for @m. Takes two seconds when the memory does not answer, which
 * happens once for a user; waits for root's.
 *
 * Return: whether all bytes were read.
 */
bool peek_read(struct peek *p, struct peek_memory *m, uint64_t addr, void *buf, size_t len);

/* The same of several ranges, which costs little more than one. What is in buffers on false may be
 * anything.
 */
bool peek_read_ranges(struct peek *p, struct peek_memory *m, const struct peek_range *range, size_t nr);

/**
 * peek_read_text() - read the text of a file of /proc
 * @p: open
 * @m: of peek_maps_open()
 * @offset: in the text; where the last call ended, or 0
 * @buf: gets up to @len bytes
 * @len: PEEK_TEXT at most
 * @ret: bytes that were read; 0 at the end
 *
 * Return: whether it could be read.
 */
bool peek_read_text(struct peek *p, struct peek_memory *m, uint64_t offset, char *buf, size_t len,
		    size_t *ret);
#define PEEK_TEXT 65536u

/* Whether nothing is read of this user's processes. Context: any thread. */
bool peek_is_silent(struct peek *p, uint32_t payer);

#endif /* USTACK_USER_PROCESS_PEEK_H */
