/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the module is not: perf copies the registers and a piece of the stack of every
 * sample, and they are unwound here, by the module's core and the same tables.
 *
 *	perf's rings -> reader.h (a thread) -> samples in order of time -> walk.h,
 *	with tables from images.h -> counts.h -> sampler_take
 *
 *	options -> stackcopy_new -> stackcopy_start -> (poll stackcopy_fd, stackcopy_drain)
 *	... -> stackcopy_stop -> stackcopy_drain -> stackcopy_free
 *
 * Samples are counted as struct sampler_count has them, with the same reasons; a walk that
 * needs more of the stack than was copied ends as SAMPLER_WHY_COPY_END. No word of a stack
 * is ever read later: the process has gone on.
 *
 * Code is read later, in two places: a file's bytes from the file, and those of code that a
 * process made itself from the process, if it still is there. They only decide whether a
 * return address stands behind a call, where no table knows the code.
 *
 * The library never prints. Functions return 0 or a negative errno, and say in @diag,
 * which may be NULL, what is wrong and what mends it.
 *
 * Processes are sampled by events of CPUs and a filter in the kernel (capture/sampler/filter.h), where
 * that is permitted; else by events that are inherited, and then what runs for less than a
 * period is not sampled as often as it ought to be.
 *
 * Context: one thread at a time for each. Root, CAP_PERFMON or perf_event_paranoid below 1
 * for all of the machine; own processes can be sampled by everybody, without the kernel's
 * part where perf_event_paranoid is 2.
 */
#ifndef USTACK_USER_STACKCOPY_H
#define USTACK_USER_STACKCOPY_H

#include "host/process/processes.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

struct stackcopy;

/*
 * Bytes of a stack that are copied: all that perf can copy, as long as rings have room for the
 * samples of half a second; else STACKCOPY_FEWER_BYTES. Documentation/measurements.md#stackcopy
 * shows what fewer lose.
 */
#define STACKCOPY_MAX_BYTES 65528u
#define STACKCOPY_FEWER_BYTES 32768u

/**
 * struct stackcopy_options - what to sample, and what is known of processes
 * @sampler: as for the sampler, but: events are those of perf_event_open(2), software and
 *	hardware; what is off-cpu's is refused; CPUs that come online later are sampled if
 *	all of the machine is; a @cgroup and processes exclude one another; @memory is of
 *	samples that wait to be unwound (0: 256 MiB) and, as much again, of tables. Borrowed
 *	until stackcopy_new() returns, but for @note_context
 * @stack_bytes: a multiple of 8; 0 is what rings have room for, see above
 * @processes: must outlive it; is only asked, but for what asking changes
 * @catch_up: brings @processes up to date: when it returns 0, all that happened before
 *	the call is known. Called once in every drain
 * @arg: for @catch_up
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
 * @options: see there
 * @ret: freed by stackcopy_free()
 * @diag: what is wrong, and what mends it
 *
 * Threads that processes start from here on are sampled with them. "cycles" is replaced by
 * cpu-clock where the machine does not have it, and the kernel is left out where that is
 * all that is permitted: the options' note says so.
 *
 * Return: 0; -EINVAL for an option or event that makes no sense, -ENOENT for an event
 * that is not there, -EOPNOTSUPP for what only the sampler can, -EACCES or -EPERM, -ESRCH
 * if no process is left, another one.
 */
int stackcopy_new(const struct stackcopy_options *options, struct stackcopy **ret,
		  struct diag *diag);

/* Ends everything, whatever state it is in; NULL is fine. */
void stackcopy_free(struct stackcopy *s);

/* Begin to sample. */
int stackcopy_start(struct stackcopy *s, struct diag *diag);

/* Return: a descriptor that polls as readable when much waits: drain then. */
int stackcopy_fd(const struct stackcopy *s);

/**
 * stackcopy_drain() - unwind and count what came up to now, and hand it out
 * @s: started; may be stopped
 * @take: gets each count
 * @context: its
 * @diag: may be NULL
 *
 * All samples up to its call are in it. A table that is not there yet is made meanwhile.
 *
 * Return: 0, what @take or @catch_up returned, or a negative errno.
 */
int stackcopy_drain(struct stackcopy *s, sampler_take take, void *context,
		    struct diag *diag);

/* Sample no more; what came waits to be drained, once. */
int stackcopy_stop(struct stackcopy *s, struct diag *diag);

/* As sampler_set_rate(), for all of the machine: -EOPNOTSUPP for processes and cgroups. */
int stackcopy_set_rate(struct stackcopy *s, size_t event, uint64_t hz, struct diag *diag);

/* As sampler_counters(). */
void stackcopy_counters(const struct stackcopy *s, struct sampler_counter *ret);
size_t stackcopy_nr_counters(void);

/* Unwind tables that are in memory, their bytes, and the CPU time that making tables took. */
void stackcopy_tables(const struct stackcopy *s, uint64_t *nr, uint64_t *bytes, uint64_t *ns);

/* As sampler_event_info(), with @events 0: what the kernel counts is not asked. */
int stackcopy_event_info(const struct stackcopy *s, size_t event,
			 struct sampler_event_info *ret);

#endif /* USTACK_USER_STACKCOPY_H */
