/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: samples one by one, with recorded or made-up times,
 * for formats that need them.
 */
#ifndef USTACK_USER_PROFILE_EXPORT_TIMES_H
#define USTACK_USER_PROFILE_EXPORT_TIMES_H

#include <stdbool.h>

#include "profile/export.h"
#include "util/intern.h"

/**
 * struct export_thread - a thread that has samples
 * @pid: process, 0 if not known
 * @tid: thread
 * @sample: index of its first sample, whose labels name the thread
 * @ns: with made-up times: nanoseconds that its samples so far take
 */
struct export_thread {
	int64_t pid;
	int64_t tid;
	uint32_t sample;
	uint64_t ns;
};

/**
 * struct export_time - a sample
 * @ns: time in nanoseconds
 * @length: nanoseconds that it stands for; 0 if not known: up to the next
 *	sample
 * @value: value of the type that is written
 * @sample: index in the profile's @samples
 * @thread: index in struct export_threads
 */
struct export_time {
	uint64_t ns;
	uint64_t length;
	int64_t value;
	uint32_t sample;
	uint32_t thread;
};

/**
 * struct export_threads - threads; call export_threads_init() first
 * @at: the threads
 * @nr: number of entries in @at
 * @room: entries that @at has memory for
 * @index: finds a thread by pid and tid
 */
struct export_threads {
	struct export_thread *at;
	size_t nr;
	size_t room;
	struct intern index;
};

void export_threads_init(struct export_threads *t);
void export_threads_release(struct export_threads *t);

/*
 * Return: name of the thread or, if it has none, of its process (or the other
 * way round), or "".
 */
const char *export_thread_name(const struct profile *p, const struct export_thread *t);
const char *export_process_name(const struct profile *p, const struct export_thread *t);

/**
 * export_times() - call a function for each sample
 * @p: the profile
 * @o: with moments: each of them is a sample, in ascending order of time.
 *	Without: each sample comes as often as it was met; times of each thread
 *	begin at 0
 * @threads: gets the threads
 * @take: receives each sample; any result but 0 ends it
 * @arg: passed to @take
 *
 * Return: 0; what @take returned; -ENOMEM; -EFBIG above EXPORT_MAX_BLOCKS.
 */
int export_times(const struct profile *p, const struct export_options *o,
		 struct export_threads *threads,
		 int (*take)(const struct export_time *t, void *arg), void *arg);

/**
 * struct export_timeline - all samples, sorted by thread and then by time
 * @threads: threads of the samples
 * @at: the samples
 * @nr: number of entries in @at
 * @room: entries that @at has memory for
 */
struct export_timeline {
	struct export_threads threads;
	struct export_time *at;
	size_t nr;
	size_t room;
};

/* Return: as export_times(); must be released in either case. */
int export_timeline(const struct profile *p, const struct export_options *o,
		    struct export_timeline *ret);
void export_timeline_release(struct export_timeline *t);

#endif /* USTACK_USER_PROFILE_EXPORT_TIMES_H */
