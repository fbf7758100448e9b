/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of perf's rings, as this room asks for them, and the part of them
 * that is kept.
 */
#ifndef USTACK_USER_STACKCOPY_SAMPLE_H
#define USTACK_USER_STACKCOPY_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/sampler/sampler.h"
#include "util/native.h"

/* Kinds of records. */
enum record_kind {
	RECORD_SAMPLE,
	RECORD_NAME,		/* a thread gets a name */
	RECORD_THREAD,		/* a thread begins, with its parent's name */
	RECORD_OTHER,		/* not kept */
};

/**
 * struct sample - the part of a record that is kept
 * @kind: enum record_kind; fields other than @time, @order, @tgid and @tid
 *	belong to RECORD_SAMPLE unless another kind is named
 * @time: CLOCK_MONOTONIC nanoseconds
 * @order: number in the order of reading
 * @id: perf's id of the event
 * @period: weight; 0 if it is the event's own period
 * @cgroup: id of the cgroup, 0 if not known
 * @tgid: process
 * @tid: thread; the new thread for RECORD_THREAD
 * @parent: RECORD_THREAD: the thread that started it
 * @parent_tgid: RECORD_THREAD: process of @parent
 * @exec: RECORD_NAME: the name comes from a program that began
 * @abi: PERF_SAMPLE_REGS_ABI_*; NONE: there is no user part
 * @asked: bytes of the stack that were to be copied
 * @nr_kernel: number of entries in @kernel
 * @stack_len: number of bytes in @stack
 * @regs: registers by perf's number, see util/native.h
 * @comm: RECORD_NAME: name of the thread
 * @kernel: kernel addresses, innermost first
 * @stack: the copied part of the stack, from SP upwards
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

/*
 * sample_type of the events. The user stack and the cgroup are added where they
 * can be had.
 */
#define SAMPLE_TYPE_ALWAYS                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |        \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define SAMPLE_TYPE_USER (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* Bytes that sample_id_all appends to other records, for these types. */
#define SAMPLE_ID_BYTES 32u

/**
 * sample_parse() - read a record
 * @h: the whole record; its size is right, its contents may be anything
 * @type: sample_type of all events of the ring
 * @ret: points into @h; RECORD_OTHER for records that are not used here
 *
 * Return: false if the kernel does not write such a record.
 */
bool sample_parse(const struct perf_event_header *h, uint64_t type, struct sample *ret);

/**
 * sample_keep() - copy a sample with all that it points to
 * @s: as parsed
 * @bytes: gets the size of the copy
 *
 * Return: the copy, to be freed by free(); NULL without memory.
 */
struct sample *sample_keep(const struct sample *s, size_t *bytes);

#endif /* USTACK_USER_STACKCOPY_SAMPLE_H */
