/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For machines without the kernel module: perf copies the registers and a piece
 * of the stack with every sample, and they are unwound here, by the module's
 * core and the same tables.
 *
 *	perf's rings -> reader.h (a thread) -> samples in order of time -> walk.h,
 *	with tables from images.h -> counts.h -> sampler_take
 *
 *	options -> stackcopy_new -> stackcopy_start -> (poll stackcopy_fd, stackcopy_drain)
 *	... -> stackcopy_stop -> stackcopy_drain -> stackcopy_free
 *
 * Samples are counted as struct sampler_count, with the same reasons. A walk
 * that needs more of the stack than was copied ends as SAMPLER_WHY_COPY_END. No
 * word of a stack is ever read later, because the process has gone on.
 *
 * Code is read later: code in a file from the file, and code that a process
 * made from the process, if it is still there. It only decides whether a return
 * address follows a call, where no table knows the code.
 *
 * The library never prints. Functions return 0 or a negative errno, and write
 * to @diag, which may be NULL, what is wrong and how to fix it.
 *
 * Processes are sampled by events of CPUs and a filter in the kernel
 * (capture/sampler/filter.h), where that is permitted; else by inherited
 * events, and then processes and threads that run for less than a period are
 * sampled too rarely.
 *
 * Context: one thread at a time for each. To sample the whole machine takes
 * root, CAP_PERFMON or perf_event_paranoid below 1. Everybody can sample their
 * own processes, without the kernel's part where perf_event_paranoid is 2.
 */
#ifndef USTACK_USER_STACKCOPY_H
#define USTACK_USER_STACKCOPY_H

#include "host/process/processes.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

struct stackcopy;

/*
 * Bytes of a stack to copy: as much as perf can copy, if rings have room for
 * the samples of half a second then; else STACKCOPY_FEWER_BYTES.
 * Documentation/measurements.md#stackcopy shows what is lost with fewer bytes.
 */
#define STACKCOPY_MAX_BYTES 65528u
#define STACKCOPY_FEWER_BYTES 32768u

/**
 * struct stackcopy_options - what to sample
 * @sampler: as for the sampler, with these differences: only software and
 *	hardware events of perf_event_open(2); options for off-cpu are refused;
 *	CPUs that come online later are sampled only with the whole machine; a
 *	@cgroup and processes exclude one another; @memory limits the samples
 *	that wait to be unwound (0: 256 MiB) and, separately, the tables.
 *	Borrowed until stackcopy_new() returns, except @note_context
 * @stack_bytes: bytes of each stack to copy, a multiple of 8; 0 is as many as
 *	rings have room for
 * @processes: mappings of the processes; must outlive the stackcopy, which only
 *	looks things up
 * @catch_up: brings @processes up to date: when it returns 0, all that happened
 *	before the call is known. Called once in every drain
 * @arg: passed to @catch_up
 */
struct stackcopy_options {
	const struct sampler_options *sampler;
	uint32_t stack_bytes;
	struct processes *processes;
	int (*catch_up)(void *arg);
	void *arg;
};

/**
 * stackcopy_new() - check the options, open the events
 * @options: what to sample
 * @ret: freed by stackcopy_free()
 * @diag: gets what is wrong and how to fix it
 *
 * Threads that the processes start from now on are sampled too. If the machine
 * lacks "cycles", cpu-clock replaces it, and if only user code may be sampled,
 * the kernel is left out: the options'
 * @note gets a text in both cases.
 *
 * Return: 0; -EINVAL for an option or event that makes no sense; -ENOENT for an
 * event that does not exist; -EOPNOTSUPP for events that only the sampler can
 * take; -EACCES or -EPERM; -ESRCH if no process is left; another negative
 * errno.
 */
int stackcopy_new(const struct stackcopy_options *options, struct stackcopy **ret,
		  struct diag *diag);

/* Ends everything, in any state; @s may be NULL. */
void stackcopy_free(struct stackcopy *s);

/* Begins to sample. */
int stackcopy_start(struct stackcopy *s, struct diag *diag);

/*
 * Return: a descriptor that polls as readable when many samples wait: drain
 * then.
 */
int stackcopy_fd(const struct stackcopy *s);

/**
 * stackcopy_drain() - unwind, count and hand out the samples taken up to now
 * @s: started; may be stopped
 * @take: receives each count
 * @context: passed to @take
 * @diag: may be NULL
 *
 * Takes all samples up to the call. Makes the tables that are missing.
 *
 * Return: 0, what @take or @catch_up returned, or a negative errno.
 */
int stackcopy_drain(struct stackcopy *s, sampler_take take, void *context,
		    struct diag *diag);

/* Stops sampling. One more stackcopy_drain() hands out the rest. */
int stackcopy_stop(struct stackcopy *s, struct diag *diag);

/*
 * As sampler_set_rate(), for the whole machine only: -EOPNOTSUPP for processes
 * and cgroups.
 */
int stackcopy_set_rate(struct stackcopy *s, size_t event, uint64_t hz, struct diag *diag);

/* As sampler_counters(). */
void stackcopy_counters(const struct stackcopy *s, struct sampler_counter *ret);
size_t stackcopy_nr_counters(void);

/*
 * @nr, @bytes: unwind tables in memory. @ns: nanoseconds of CPU time that
 * making tables took.
 */
void stackcopy_tables(const struct stackcopy *s, uint64_t *nr, uint64_t *bytes, uint64_t *ns);

/* As sampler_event_info(), with @events 0: the kernel's count is not read. */
int stackcopy_event_info(const struct stackcopy *s, size_t event,
			 struct sampler_event_info *ret);

#endif /* USTACK_USER_STACKCOPY_H */
