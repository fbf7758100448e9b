/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the memory of other processes, without being blocked by memory of users'
 * processes.
 *
 * A page of a process can belong to a file on FUSE, which another process of the same
 * user serves, or does not serve. A reader of that page waits for ever and cannot be
 * killed. So a jail reads it (user/host/jail): it gets a descriptor of the memory and an
 * address, and is abandoned at its deadline. After that nothing is read from processes of
 * this user any more, so that only few jails can be lost in this way.
 *
 * Processes of root are read directly, without a switch to another process: root can harm
 * its own profiler more easily.
 */
#ifndef USTACK_USER_PROCESS_PEEK_H
#define USTACK_USER_PROCESS_PEEK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/jail/jail.h"

/* Limit in seconds for reading a page, for example from a swap device. */
#define PEEK_SECONDS 1u
/*
 * Limit for users whose memory did not answer; when it is reached, only root's memory is
 * read.
 */
#define PEEK_MAX_SILENT 8u
/* Limit for ranges in one request; more ranges are read one by one. */
#define PEEK_MAX_RANGES 16u

/**
 * struct peek_memory - memory of a process
 * @fd: descriptor of /proc/PID/mem (or maps), which refers to the same program after an
 *      exec; -1: none
 * @pid: the process
 * @payer: user who is charged for it (host/process/payer.h); root is checked again after
 *         a second
 * @payer_ns: CLOCK_MONOTONIC of that check in nanoseconds; 0: not checked
 * @number: number of this memory, never used again; not 0
 *
 * A copy refers to the same memory; only one of them is closed.
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
 * @m: any content; closed by peek_memory_close() in any case
 * @pid: the process
 *
 * Return: false if the process has ended or may not be read.
 */
bool peek_memory_open(struct peek_memory *m, uint32_t pid);
void peek_memory_close(struct peek_memory *m);

/*
 * The same for /proc/PID/maps, to be read by peek_read_text(). Reading it waits while the
 * process changes its mappings, and the process may itself wait for a page.
 */
bool peek_maps_open(struct peek_memory *m, uint32_t pid);

/**
 * struct peek_range - bytes to read
 * @addr: address in the process
 * @buf: gets @len bytes
 * @len: number of bytes
 */
struct peek_range {
	uint64_t addr;
	void *buf;
	size_t len;
};

struct peek_channel;

/**
 * struct peek - reads memory of processes
 * @lock: protects all that follows
 * @jail: the jail that reads; started when it is needed
 * @channel: connection to the jail
 * @silent: users whose memory did not answer
 * @nr_silent: number of @silent
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
 * @p: the opened reader
 * @m: the opened memory, or nothing is read; @payer may be updated
 * @addr: address in the process
 * @buf: gets @len bytes
 * @len: number of bytes
 *
 * Context: any thread, one at a time for @m. Takes up to two seconds if the memory does
 * not answer, which happens once for each user. Waits without a limit for root's memory.
 *
 * Return: whether all bytes were read.
 */
bool peek_read(struct peek *p, struct peek_memory *m, uint64_t addr, void *buf, size_t len);

/*
 * The same for several ranges, which costs little more than one. If false is returned,
 * the content of the buffers is undefined.
 */
bool peek_read_ranges(struct peek *p, struct peek_memory *m, const struct peek_range *range, size_t nr);

/**
 * peek_read_text() - read text of a file in /proc
 * @p: the opened reader
 * @m: from peek_maps_open()
 * @offset: offset in the text: where the last call ended, or 0
 * @buf: gets up to @len bytes
 * @len: size of @buf, at most PEEK_TEXT
 * @ret: number of bytes read; 0 at the end
 *
 * Return: whether it could be read.
 */
bool peek_read_text(struct peek *p, struct peek_memory *m, uint64_t offset, char *buf, size_t len,
		    size_t *ret);
#define PEEK_TEXT 65536u

/* Whether memory of this user's processes is no longer read. Context: any thread. */
bool peek_is_silent(struct peek *p, uint32_t payer);

#endif /* USTACK_USER_PROCESS_PEEK_H */
