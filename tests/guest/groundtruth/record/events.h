/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf events of a recording. Each CPU has two rings: a small one for mappings and tasks,
 * which samples never overrun, and one for samples and reasons.
 */
#ifndef GT_EVENTS_H
#define GT_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SAMPLE_ID_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define SAMPLE_TYPE (SAMPLE_ID_TYPE | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | \
		     PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

struct event_opts {
	unsigned int freq;
	unsigned int stack;		/* bytes of stack to copy */
	unsigned int max_stack;		/* maximum number of frames */
	unsigned int pages;		/* pages of a sample ring */
	bool with_kernel;		/* also sample in the kernel */
	bool system_wide;
	bool cpu_clock;			/* use it even if there are cycles */
	int program;			/* BPF program to run at each sample; -1: none */
};

struct ring {
	int fd;
	unsigned int cpu;
	unsigned int stream;
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t size;
};

struct events {
	struct ring *rings;
	unsigned int ring_count;
	int *fds;			/* descriptors of all events */
	unsigned int fd_count;
	unsigned int cpus;
	unsigned int hw_cycles;
	uint64_t reg_mask;
	uint64_t *tp_ids;		/* identifiers of the tracepoint's events */
	unsigned int tp_count;
};

/**
 * events_open() - open all events; they do not count yet
 * @pid: the task to follow; ignored when system-wide
 * @tracepoint: id of the reason tracepoint, or -1
 */
void events_open(struct events *ev, const struct event_opts *opts, pid_t pid,
		 int tracepoint);
void events_enable(struct events *ev);
void events_disable(struct events *ev);
bool events_is_tracepoint(const struct events *ev, uint64_t id);

#endif /* GT_EVENTS_H */
