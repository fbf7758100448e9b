/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples one by one, with times, for forms that need them: those that were recorded, or made-up
 * ones. For user/profile alone.
 */
#ifndef USTACK_USER_PROFILE_EXPORT_TIMES_H
#define USTACK_USER_PROFILE_EXPORT_TIMES_H

#include <stdbool.h>

#include "profile/export.h"
#include "util/intern.h"

/**
 * struct export_thread - a thread that has samples
 * @pid: process, 0 if it is not known
 * @tid: thread
 * @sample: index of its first sample: its labels name the thread
 * @ns: of made-up times: what its samples so far have taken
 */
struct export_thread {
	int64_t pid;
	int64_t tid;
	uint32_t sample;
	uint64_t ns;
};

/**
 * struct export_time - a sample
 * @ns: when
 * @length: nanoseconds that it stands for; 0 if that is not known: up to the next one
 * @value: of the value type that is written
 * @sample: index in the profile's @samples
 * @thread: index
 */
struct export_time {
	uint64_t ns;
	uint64_t length;
	int64_t value;
	uint32_t sample;
	uint32_t thread;
};

/**
 * struct export_threads - all zeros, and export_times_init(), is none
 * @at: @nr of them, by number
 * @nr: of @at
 */
struct export_threads {
	struct export_thread *at;
	size_t nr;
	size_t room;
	struct intern index;
};

void export_threads_init(struct export_threads *t);
void export_threads_release(struct export_threads *t);

/* The thread's name, or its process's, or "". */
const char *export_thread_name(const struct profile *p, const struct export_thread *t);
const char *export_process_name(const struct profile *p, const struct export_thread *t);

/**
 * export_times() - tell of each sample
 * @p: the profile
 * @o: its moments are told, in ascending order of time; without them samples are told as often as they
 *     were met, each thread's from 0 on, each as long as it took
 * @threads: gets the threads
 * @take: not 0 ends it
 * @arg: for @take
 *
 * Return: 0; what @take returned; -ENOMEM; -EFBIG above EXPORT_MAX_BLOCKS.
 */
int export_times(const struct profile *p, const struct export_options *o,
		 struct export_threads *threads,
		 int (*take)(const struct export_time *t, void *arg), void *arg);

/**
 * struct export_timeline - all samples, by thread and then by time
 * @threads: of them
 * @at: @nr of them
 */
struct export_timeline {
	struct export_threads threads;
	struct export_time *at;
	size_t nr;
	size_t room;
};

/* Return: as export_times(); to be released in either case. */
int export_timeline(const struct profile *p, const struct export_options *o,
		    struct export_timeline *ret);
void export_timeline_release(struct export_timeline *t);

#endif /* USTACK_USER_PROFILE_EXPORT_TIMES_H */
