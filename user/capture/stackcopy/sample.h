/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of perf's ring, as they are asked for here, and what is kept of them. */
#ifndef USTACK_USER_STACKCOPY_SAMPLE_H
#define USTACK_USER_STACKCOPY_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/sampler/sampler.h"
#include "util/native.h"

/* What a record is, that is kept until its turn comes. */
enum record_kind {
	RECORD_SAMPLE,
	RECORD_NAME,		/* a thread takes a name, or begins with its parent's */
	RECORD_THREAD,
	RECORD_OTHER,		/* not kept */
};

/**
 * struct sample - what is kept of a record
 * @kind: enum record_kind; all but @time, @tgid and @tid are of RECORD_SAMPLE, or said to
 *	be of another
 * @time: CLOCK_MONOTONIC nanoseconds
 * @order: in which it was read
 * @id: perf's of the event
 * @period: weight; 0 if the event's own period is
 * @cgroup: 0 if it is not known
 * @tgid: process
 * @tid: thread; of RECORD_THREAD the new one
 * @parent: of RECORD_THREAD: the thread that started it
 * @parent_tgid: of RECORD_THREAD: its process
 * @exec: of RECORD_NAME: a program began
 * @abi: PERF_SAMPLE_REGS_ABI_*; NONE: no user part
 * @asked: bytes of the stack that were to be copied
 * @nr_kernel: of @kernel
 * @stack_len: of @stack
 * @regs: by perf number, see util/native.h
 * @comm: of RECORD_NAME
 * @kernel: addresses, innermost first
 * @stack: from SP upwards
 */
struct sample {
	enum record_kind kind;
	uint64_t time;
	uint64_t order;
	uint64_t id;
	uint64_t period;
	uint64_t cgroup;
	uint32_t tgid;
	uint32_t tid;
	uint32_t parent;
	uint32_t parent_tgid;
	bool exec;
	uint32_t abi;
	uint32_t asked;
	uint32_t nr_kernel;
	uint32_t stack_len;
	uint64_t regs[NATIVE_PERF_REGS];
	char comm[SAMPLER_COMM];
	const uint64_t *kernel;
	const uint8_t *stack;
};

/* What events ask for: sample_type. User stacks and cgroups only where they can be had. */
#define SAMPLE_TYPE_ALWAYS                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |        \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define SAMPLE_TYPE_USER (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* Bytes that sample_id_all puts behind other records, of these types. */
#define SAMPLE_ID_BYTES 32u

/**
 * sample_parse() - read a record
 * @h: whole; its size is right, its contents need not be
 * @type: sample_type of all events of the ring
 * @ret: points into @h; RECORD_OTHER for what is of no interest here
 *
 * Return: false if it is not what the kernel writes.
 */
bool sample_parse(const struct perf_event_header *h, uint64_t type, struct sample *ret);

/**
 * sample_keep() - a copy that stands for itself
 * @s: as parsed
 * @bytes: gets its size
 *
 * Return: to be freed by free(); NULL without memory.
 */
struct sample *sample_keep(const struct sample *s, size_t *bytes);

#endif /* USTACK_USER_STACKCOPY_SAMPLE_H */
