/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/host/process: how peek.c asks a jail for memory of processes, and how the jail answers.
 *
 * Requests and answers are in memory that both share. Who waits for the other looks at it for some
 * microseconds (it spins), and then sleeps until a message comes by a socket: so a row of reads costs
 * no switch of the CPU, and nobody runs when nothing is asked. Where both are on one CPU nobody
 * spins, and the jail goes to another. The socket also carries the descriptors of memory, which the
 * jail keeps for the last few processes.
 *
 * The reader trusts nothing that is in the shared memory: the number of the request and all lengths
 * are its own, and bytes are copied once. A jail that lies can give wrong bytes, or no answer. Each
 * jail has shared memory of its own, as one that was left can write to it after it was killed, when
 * the page that it waits for comes.
 */
#ifndef USTACK_USER_PROCESS_PEEK_CHANNEL_H
#define USTACK_USER_PROCESS_PEEK_CHANNEL_H

#include <stdalign.h>

#include "host/process/peek.h"

/* Bytes that a request may ask for in all: tables of lines are the longest. */
#define PEEK_CHANNEL_BYTES 65536u
/* Descriptors that the jail keeps, each in the slot that its number leads to. */
#define PEEK_CHANNEL_SLOTS 8u
/* How long the reader looks for an answer before it sleeps: most jails that sleep on a CPU that does,
 * too, have answered by then.
 */
#define PEEK_CHANNEL_READER_NS 100000u
/* How long the jail looks for a request: the next one of a row comes some microseconds after the
 * answer.
 */
#define PEEK_CHANNEL_JAIL_NS 40000u
/* After an answer that did not come in time so many are not spun for: CPUs are busy with others. */
#define PEEK_CHANNEL_REST 16u

/**
 * struct peek_shared - memory that reader and jail share
 * @asked: number of the last request; the reader writes it
 * @reader_cpu: the CPU that the reader asked on
 * @reader_sleeps: the reader has to be sent a message at the next answer
 * @served: number of the last request that was answered; the jail writes it
 * @jail_cpu: the CPU that the jail answered on
 * @jail_sleeps: the jail has to be sent a message at the next request
 * @memory: number of the process memory that the request is about
 * @nr: of @range
 * @range: what is asked for
 * @some: fewer bytes of the one range will do
 * @good: the answer: whether all of it is in @bytes, one range after the other
 * @got: with @some: the answer: bytes
 * @bytes: what was read
 *
 * What the two sides spin on is in different cache lines.
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
 * @shared: with one jail
 * @fd: the reader's socket
 * @jail_fd: the jail's, until it has started; then -1
 * @number: of the last request
 * @held: number of the memory in each slot of the jail
 * @rest: answers that are not spun for, as one did not come in time
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
/* The jail has started, and has its end: the reader's copy is closed. */
void peek_channel_started(struct peek_channel *c);
void peek_channel_close(struct peek_channel *c);

/**
 * peek_channel_ask() - have memory read
 * @c: open, and its jail started
 * @jail: has no deadline, and then again none
 * @m: open
 * @range: @nr of them, which may be 0
 * @nr: PEEK_MAX_RANGES at most, of PEEK_CHANNEL_BYTES in all
 * @some: NULL, or how many bytes of the one range were read, as read(2) has them
 *
 * Return: 1: all bytes were read, or @some; 0: they are not all there; -EPIPE: the jail has gone; -ETIME: it
 * has not answered for PEEK_SECONDS. After an error the channel is to be closed.
 */
int peek_channel_ask(struct peek_channel *c, struct jail *jail, const struct peek_memory *m,
		     const struct peek_range *range, size_t nr, size_t *some);

/* In the jail: answers requests until the reader has gone. */
void peek_channel_serve(const struct peek_channel *c);

#endif /* USTACK_USER_PROCESS_PEEK_CHANNEL_H */
