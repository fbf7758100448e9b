/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampler: stacks at whatever the kernel can count, counted in the kernel.
 *
 *	options -> sampler_new -> sampler_start -> (sampler_wait, sampler_drain)... ->
 *	sampler_stop -> sampler_drain -> sampler_free
 *
 * BPF programs take the stacks and count them in maps. Only the counts of a
 * window reach user space, when they are drained. A sample that was not counted
 * is counted by its cause, see sampler_counters(). No sample is lost unseen.
 *
 *	struct sampler_event event = { .name = "cpu-clock", .frequency = 99 };
 *	struct sampler_options o = { .events = &event, .nr_events = 1 };
 *
 *	err = sampler_new(&o, &s, &diag) ?: sampler_start(s, &diag);
 *	while (!err && !stop) {
 *		err = sampler_wait(s, 1000, &diag);
 *		if (err >= 0)
 *			err = sampler_drain(s, take, context, &diag);
 *	}
 *	if (!err)
 *		err = sampler_stop(s, &diag) ?: sampler_drain(s, take, context, &diag);
 *	sampler_free(s);
 *
 * The library never prints. Functions return 0 or a negative errno, and write
 * to @diag, which may be NULL, what is wrong and how to fix it. @diag borrows
 * its file from the options or from the sampler: print it before either is
 * released.
 *
 * Context: one thread at a time for each sampler. BPF needs root, or CAP_BPF,
 * CAP_PERFMON and CAP_SYS_RESOURCE.
 */
#ifndef USTACK_USER_SAMPLER_H
#define USTACK_USER_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct table_maker_maps;
struct lang_stack;
struct sampler;

/*
 * Events of one sampler; frames of one stack; bytes of a thread's name with its
 * NUL.
 */
#define SAMPLER_MAX_EVENTS 32u
#define SAMPLER_MAX_FRAMES 512u
#define SAMPLER_COMM 16u

/*
 * Why a user stack ended: a number below 32 of kmod/core/reason.def, as the
 * kernel module reported it, or one of these.
 */
enum sampler_why {
	/* reached the outermost frame, but some steps are not proven */
	SAMPLER_WHY_GUESSED = 0xf9,
	/*
	 * the task has another ABI than the kernel's own, such as 32-bit: not
	 * unwound here
	 */
	SAMPLER_WHY_FOREIGN = 0xfa,
	/* stackcopy.h: the copied part of the stack ends here */
	SAMPLER_WHY_COPY_END = 0xfb,
	/*
	 * another walk came between, for example perf's: the reason is not
	 * known
	 */
	SAMPLER_WHY_UNCLEAR = 0xfc,
	/*
	 * there is no user stack: it is a kernel thread, or no user stack was
	 * asked for
	 */
	SAMPLER_WHY_NO_USER = 0xfd,
	/*
	 * the module is loaded, but the kernel walked: it is a 32-bit task, or
	 * "enabled" is 0
	 */
	SAMPLER_WHY_NOT_ASKED = 0xfe,
	/* the module is not loaded: the kernel walked, by frame pointers */
	SAMPLER_WHY_NO_MODULE = 0xff,
};

/**
 * struct sampler_event - what is sampled
 * @name: perf's name where perf has the event; borrowed until sampler_new()
 *	returns
 *	cpu-clock, task-clock, page-faults, context-switches, ...	software
 *	cycles, instructions, LLC-load-misses, ...			hardware
 *	r1a8, cpu/event=0xc0,umask=1/, cpu/mem-loads/			any PMU's
 *	sched:sched_wakeup, tracepoint:sched:sched_wakeup		tracepoint
 *	kprobe:FUNCTION, kretprobe:, or k:, kr:			kprobe
 *	uprobe:FILE:SYMBOL, uprobe:FILE:0xOFFSET, uretprobe:, u:, ur:	uprobe; FILE is a path,
 *		or a library's name such as libc: it is searched for in the mappings of @pids and
 *		@tids, then in the dynamic linker's cache
 *	usdt:FILE:PROVIDER:NAME, U:		static probe of a program or library
 *	off-cpu				time that threads do not run, by where they wait
 *	":u" or ":k" after a hardware or software event: user or kernel only
 * @frequency: samples a second and CPU, for hardware and software events; 0 if
 *	@period is set. Clocks are sampled with the fixed period that has this
 *	frequency
 * @period: number of events for one sample; nanoseconds for clocks. If both are
 *	0: 99 Hz for clocks and hardware events, and every event for the rest.
 *	Each event of a tracepoint or probe is counted; both must be 0 for them
 *	and for off-cpu
 */
struct sampler_event {
	const char *name;
	uint64_t frequency;
	uint64_t period;
};

/**
 * struct sampler_options - what to sample, where, and how much
 * @events: at least one; samples of all of them go to the same callback
 * @nr_events: number of entries in @events, up to SAMPLER_MAX_EVENTS
 * @pids: processes (thread groups), as numbered outside of all containers; none
 *	means all
 * @nr_pids: number of entries in @pids
 * @tids: threads; a thread passes if it is one of these or belongs to a process
 *	of @pids
 * @nr_tids: number of entries in @tids
 * @children: processes that these fork pass too; else only new threads of @pids
 *	do
 * @cgroup: path of a version 2 cgroup; it passes with all cgroups below it;
 *	NULL is all
 * @cpus: "0-3,7", as in /sys/devices/system/cpu/online; NULL is all, with those
 *	that come online later
 * @comm: name of threads; "java*" is every name that begins so; NULL is all
 * @by_thread: count each thread separately; else struct sampler_count has no
 *	tid
 * @timestamps: count each sample separately, with its time. Each sample then
 *	takes an element of the map of counts. The map is sized for the samples
 *	of a window at the rate asked for, within @memory; samples that do not
 *	fit are lost and counted ("counts-full")
 * @no_user: take no user stacks
 * @no_kernel: take no kernel stacks
 * @user_threads: leave out kernel threads
 * @offcpu_min_ns: shorter waits are left out, and counted as that
 * @offcpu_blocked_only: leave out waits of threads that could run (preemption)
 * @max_frames: maximum of frames, for user and for kernel stacks each; 0 is
 *	/proc/sys/kernel/perf_event_max_stack, which is also the upper limit
 * @window_ms: longest time between two drains, for the sizes of maps; 0 is
 *	5000. sampler_wait() returns earlier when maps fill up
 * @memory: limit for the maps in bytes; 0 is 64 MiB
 * @tables: the programs walk user stacks by unwind tables, not the kernel;
 *	sampler_maps() is for whoever makes the tables
 * @languages: read frames of languages too (symbols/lang/reader.h)
 * @note: gets texts about what is no error but should be known: an event that
 *	was replaced, a file that is missing, the module that came or went; may
 *	be NULL
 * @note_context: passed to @note
 *
 * A sample must pass all filters. All pointers are borrowed until sampler_new()
 * returns.
 */
struct sampler_options {
	const struct sampler_event *events;
	size_t nr_events;
	const uint32_t *pids;
	size_t nr_pids;
	const uint32_t *tids;
	size_t nr_tids;
	bool children;
	const char *cgroup;
	const char *cpus;
	const char *comm;
	bool by_thread;
	bool timestamps;
	bool no_user;
	bool no_kernel;
	bool user_threads;
	uint64_t offcpu_min_ns;
	bool offcpu_blocked_only;
	uint32_t max_frames;
	uint32_t window_ms;
	uint64_t memory;
	bool tables;
	bool languages;
	void (*note)(void *note_context, const char *text);
	void *note_context;
};

/**
 * struct sampler_count - the samples of one stack in one window
 * @tgid: process
 * @tid: thread, 0 unless the options have @by_thread
 * @epoch: CLOCK_MONOTONIC nanoseconds of the last change of the process's
 *	executable mappings before the samples: exec, fork of the process, mmap,
 *	mprotect. To resolve addresses of
 *	@user, use the mappings after all of perf's records (mmap, fork, exec; with that clock)
 *	whose time is not after @epoch: the epoch is taken when the change is made and recorded.
 *	0: no change since sampler_new(). SAMPLER_NO_EPOCH: not known, too many processes changed
 * @cgroup: id of the version 2 cgroup: the inode of its folder
 * @time: with @timestamps: CLOCK_MONOTONIC nanoseconds of the sample, for
 *	off-cpu of the end of the wait; else 0
 * @comm: name of the thread, ends with NUL
 * @event: index in options' @events
 * @why: why @user ended: a reason (kmod/core/reason.def) or enum sampler_why
 * @preempted: off-cpu: the thread could run; else it waited
 * @pending: off-cpu: the wait had not ended when the sampler was stopped
 * @user_cut: @user has the maximum of frames; there may be more
 * @kernel_cut: @kernel has the maximum of frames; there may be more
 * @user: user addresses, innermost first: the first one is where the thread
 *	was, the others are return addresses
 * @nr_user: number of entries in @user
 * @kernel: kernel addresses, in the same order; empty if the thread was not in
 *	the kernel
 * @nr_kernel: number of entries in @kernel
 * @lang: frames of the language that @user runs; NULL: none. Counts with the
 *	same addresses but other frames of a language are separate
 * @count: number of samples
 * @sum: sum of the samples' weights: periods (events, or nanoseconds for
 *	clocks), nanoseconds off-CPU, and for tracepoints and probes the same as
 *	@count
 *
 * No two counts of one window agree in all fields of their key, stacks
 * included.
 */
struct sampler_count {
	uint32_t tgid;
	uint32_t tid;
	uint64_t epoch;
	uint64_t cgroup;
	uint64_t time;
	char comm[SAMPLER_COMM];
	uint32_t event;
	uint8_t why;
	bool preempted;
	bool pending;
	bool user_cut;
	bool kernel_cut;
	const uint64_t *user;
	size_t nr_user;
	const uint64_t *kernel;
	size_t nr_kernel;
	const struct lang_stack *lang;
	uint64_t count;
	uint64_t sum;
};

#define SAMPLER_NO_EPOCH UINT64_MAX

/**
 * typedef sampler_take - receives one count
 * @context: as given to sampler_drain()
 * @count: valid until it returns, with all that it points to
 *
 * Return: 0, or a negative errno, which ends sampler_drain(): counts that were
 * not handed out yet are lost.
 */
typedef int (*sampler_take)(void *context, const struct sampler_count *count);

/**
 * sampler_new() - check the options, load the programs
 * @options: what to sample
 * @ret: freed by sampler_free()
 * @diag: gets what is wrong and how to fix it
 *
 * Nothing is sampled yet, but the programs that follow changes of processes'
 * mappings run, so that @pids that are forked from now on have an epoch.
 *
 * Return: 0; -EINVAL for an option or event that makes no sense; -ENOENT for
 * one that does not exist; -EPERM; -EOPNOTSUPP if the kernel lacks what is
 * needed; another negative errno.
 */
int sampler_new(const struct sampler_options *options, struct sampler **ret,
		struct diag *diag);

/* Ends everything, in any state; @s may be NULL. */
void sampler_free(struct sampler *s);

/**
 * sampler_start() - begin to sample
 * @s: not started
 * @diag: see sampler_new()
 *
 * After a failure only sampler_free() may be called. If the machine lacks the
 * hardware event "cycles", cpu-clock with the same frequency replaces it, and
 * the options' @note gets a text.
 */
int sampler_start(struct sampler *s, struct diag *diag);

/**
 * sampler_fd() - a descriptor to wait for
 * @s: in any state
 *
 * Return: a descriptor, owned by @s, that polls as readable when maps are half
 * full: drain then.
 */
int sampler_fd(const struct sampler *s);

/**
 * sampler_wait() - wait until it is time to drain
 * @s: started
 * @timeout_ms: longest time to wait; -1 waits for full maps only
 * @diag: may be NULL
 *
 * Return: 1 if maps are half full; 0 when time is up; -EINTR if a signal came;
 * another negative errno.
 */
int sampler_wait(struct sampler *s, int timeout_ms, struct diag *diag);

/**
 * sampler_set_rate() - change the rate of an event
 * @s: started
 * @event: index of an event that has a frequency or is a clock
 * @hz: samples a second and CPU, 1 to 1 000 000 000
 * @diag: may be NULL
 *
 * The weight of each sample is the period that it was taken with, so sums stay
 * right. Only the part of a period that each CPU had counted before the change
 * is in no sample.
 *
 * Return: 0; -EINVAL for an event without a rate; another negative errno. After
 * a failure CPUs may not be sampled until the next sampler_drain() opens them
 * again.
 */
int sampler_set_rate(struct sampler *s, size_t event, uint64_t hz, struct diag *diag);

/**
 * sampler_drain() - hand out what was counted since the last time
 * @s: started; may be stopped
 * @take: receives each count
 * @context: passed to @take
 * @diag: may be NULL
 *
 * Samples taken meanwhile go to the next window. Also opens events on CPUs that
 * came online, and looks whether the module was loaded. During that, and during
 * sampler_new() and sampler_start(), libbpf's print function is replaced.
 *
 * Return: 0, what @take returned, or a negative errno.
 */
int sampler_drain(struct sampler *s, sampler_take take, void *context, struct diag *diag);

/**
 * sampler_stop() - stop sampling
 * @s: started
 * @diag: may be NULL
 *
 * When it returns, no program counts any more. Waits that have not ended are
 * counted up to now. One more sampler_drain() hands out the rest.
 */
int sampler_stop(struct sampler *s, struct diag *diag);

/* The outcome of a sample. */
enum sampler_fate {
	SAMPLER_COUNTED,	/* in a count that was, or will be, drained */
	SAMPLER_LEFT_OUT,	/* on purpose: idle CPUs, filters, short waits */
	SAMPLER_LOST,
	SAMPLER_INFORMATION,	/* counts something other than samples, such as epochs */
};

/**
 * struct sampler_counter - how many samples had one outcome
 * @name: short, of small letters and '-'; stays the same in all versions
 * @text: the sentence to show
 * @fate: the outcome
 * @value: number since sampler_start()
 *
 * The sum of all values, except those of SAMPLER_INFORMATION, is the number of
 * samples that the programs saw.
 */
struct sampler_counter {
	const char *name;
	const char *text;
	enum sampler_fate fate;
	uint64_t value;
};

/**
 * sampler_counters() - how many samples had which outcome
 * @s: in any state
 * @ret: array of sampler_nr_counters() entries, always the same ones in the
 *	same order
 *
 * Return: 0 or a negative errno.
 */
int sampler_counters(struct sampler *s, struct sampler_counter *ret);
size_t sampler_nr_counters(void);

/**
 * struct sampler_event_info - one event, as it is sampled
 * @name: name as in the options, or the name of the event that replaced it
 * @unit: unit of @sum: "nanoseconds" or "events"
 * @period: events between two samples; 0 if there is a frequency, 1 if every
 *	event is counted
 * @frequency: samples a second and CPU; 0 if there is a period
 * @events: what the kernel counted on all CPUs while it sampled (nanoseconds
 *	for clocks); 0 for tracepoints, probes, off-cpu, and for clocks with
 *	":u" or ":k"
 * @weighed: weight of the samples that programs saw. If @events is larger by a
 *	period or more on each CPU, the kernel did not sample the rest: its
 *	limit (perf_event_max_sample_rate) was met, or a BPF program ran
 *	already. Counted as "missed", in samples, where the period is known
 * @inherited: set by stackcopy.h only: processes and threads that run for less
 *	than a period have too few samples, or none
 * @user_only: set by stackcopy.h only: samples in the kernel are left out
 */
struct sampler_event_info {
	const char *name;
	const char *unit;
	uint64_t period;
	uint64_t frequency;
	uint64_t events;
	uint64_t weighed;
	bool inherited;
	bool user_only;
};

/**
 * sampler_event_info() - get how an event is sampled, and how much was counted
 * @s: started; may be stopped
 * @event: index in options' @events
 * @ret: gets the description; @s owns its strings
 *
 * Return: 0, -EINVAL if there is no such event, another negative errno.
 */
int sampler_event_info(struct sampler *s, size_t event, struct sampler_event_info *ret);

/*
 * Return: whether an event is a perf event, sampled with a frequency or a
 * period; every tracepoint, probe and wait is counted. Also true for a name
 * that is no event, which sampler_new() refuses.
 */
bool sampler_event_has_rate(const char *name);

/*
 * Names of events that consist of one word, for option tables. Return: the
 * @i'th; NULL after the last.
 */
const char *sampler_event_word(unsigned int i);

/*
 * Return: whether the module's reasons are attached now. Then the module cannot
 * be unloaded.
 */
bool sampler_has_module(const struct sampler *s);

/**
 * sampler_maps() - get the maps that stacks are walked by, with @tables of the
 * options
 * @s: the sampler
 * @ret: for table_maker_new(); valid as long as @s
 */
void sampler_maps(const struct sampler *s, struct table_maker_maps *ret);

#endif /* USTACK_USER_SAMPLER_H */
