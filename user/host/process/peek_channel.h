/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/host/process: how peek.c asks a jail for memory of processes, and how
 * the jail answers.
 *
 * Requests and answers are in memory that both share. A side that waits for the other
 * first polls this memory for some microseconds (it spins), then sleeps until it gets a
 * message on a socket. So a series of reads needs no switches between processes, and
 * nobody runs when nothing is asked. If both are on the same CPU, nobody spins and the
 * jail moves to another one. The socket also carries the descriptors of memory, which the
 * jail keeps for the last few processes.
 *
 * The reader trusts nothing in the shared memory: it uses its own copy of the request's
 * number and of all lengths, and copies bytes once. A lying jail can give wrong bytes or
 * no answer. Each jail has its own shared memory, as a killed jail can still write to it
 * later, when the page that it waits for arrives.
 */
#ifndef USTACK_USER_PROCESS_PEEK_CHANNEL_H
#define USTACK_USER_PROCESS_PEEK_CHANNEL_H

#include <stdalign.h>

#include "host/process/peek.h"

/* Limit for the bytes of a request; tables of lines are the longest. */
#define PEEK_CHANNEL_BYTES 65536u
/* Number of descriptors that the jail keeps; the number of a memory determines its slot. */
#define PEEK_CHANNEL_SLOTS 8u
/*
 * How long the reader spins for an answer before it sleeps. Most jails have answered by
 * then, even if they and their CPU were asleep.
 */
#define PEEK_CHANNEL_READER_NS 100000u
/*
 * How long the jail spins for a request: in a series, the next one comes after
 * microseconds.
 */
#define PEEK_CHANNEL_JAIL_NS 40000u
/*
 * Number of requests without spinning after an answer came too late: the CPUs are busy
 * with other work.
 */
#define PEEK_CHANNEL_REST 16u

/**
 * struct peek_shared - memory that reader and jail share
 * @asked: number of the last request; written by the reader
 * @reader_cpu: CPU on which the reader asked
 * @reader_sleeps: the next answer needs a message to the reader
 * @served: number of the last answered request; written by the jail
 * @jail_cpu: CPU on which the jail answered
 * @jail_sleeps: the next request needs a message to the jail
 * @memory: number of the memory to read
 * @nr: number of @range
 * @range: ranges to read
 * @some: reading a part of the only range is enough
 * @good: answer: all of it is in @bytes, one range after the other
 * @got: answer with @some: number of bytes
 * @bytes: bytes that were read
 *
 * The fields on which the two sides spin are in different cache lines.
 */
struct peek_shared {
	uint64_t asked;
	uint32_t reader_cpu;
	uint32_t reader_sleeps;
	alignas(64) uint64_t served;
	uint32_t jail_cpu;
	uint32_t jail_sleeps;
	alignas(64) uint64_t memory;
	uint32_t nr;
	struct {
		uint64_t addr;
		uint64_t len;
	} range[PEEK_MAX_RANGES];
	uint32_t some;
	uint32_t good;
	uint64_t got;
	alignas(64) uint8_t bytes[PEEK_CHANNEL_BYTES];
};

/**
 * struct peek_channel - the reader's end
 * @shared: memory shared with one jail
 * @fd: the reader's socket
 * @jail_fd: the jail's socket until the jail has started; then -1
 * @number: number of the last request
 * @held: number of the memory in each of the jail's slots
 * @rest: number of requests without spinning that are left
 */
struct peek_channel {
	struct peek_shared *shared;
	int fd;
	int jail_fd;
	uint64_t number;
	uint64_t held[PEEK_CHANNEL_SLOTS];
	unsigned int rest;
};

#define PEEK_CHANNEL_INIT { .fd = -1, .jail_fd = -1 }

/* Return: 0 or a negative errno. */
int peek_channel_open(struct peek_channel *c);
/* Closes the reader's copy of the jail's end, after the jail has started. */
void peek_channel_started(struct peek_channel *c);
void peek_channel_close(struct peek_channel *c);

/**
 * peek_channel_ask() - have memory read by the jail
 * @c: the opened channel of a started jail
 * @jail: the jail; it has no deadline before and after the call
 * @m: the opened memory
 * @range: ranges to read
 * @nr: number of ranges, 0 to PEEK_MAX_RANGES, with at most PEEK_CHANNEL_BYTES together
 * @some: NULL, or gets the number of bytes read of the only range, as read(2) returns it
 *
 * Return: 1: all bytes were read, or @some; 0: some bytes are not there; -EPIPE: the jail
 * is gone; -ETIME: it has not answered for PEEK_SECONDS. After an error the channel must
 * be closed.
 */
int peek_channel_ask(struct peek_channel *c, struct jail *jail, const struct peek_memory *m,
		     const struct peek_range *range, size_t nr, size_t *some);

/* Called in the jail: answers requests until the reader is gone. */
void peek_channel_serve(const struct peek_channel *c);

#endif /* USTACK_USER_PROCESS_PEEK_CHANNEL_H */
