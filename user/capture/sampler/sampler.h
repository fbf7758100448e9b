/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampler: stacks of whatever the kernel can count, counted in the kernel.
 *
 *	options -> sampler_new -> sampler_start -> (sampler_wait, sampler_drain)... ->
 *	sampler_stop -> sampler_drain -> sampler_free
 *
 * BPF programs take the stacks and count them in maps; only what was counted in a window
 * crosses to user space, when it is drained. What was not counted is counted by cause:
 * sampler_counters(). Nothing else is lost.
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
 * The library never prints. Functions return 0 or a negative errno, and say in @diag,
 * which may be NULL, what is wrong and what mends it. The file of @diag is borrowed, from
 * the options or from the sampler: it is to be printed before either is gone.
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

struct keeper_maps;
struct lang_stack;
struct sampler;

/* Events of one sampler, frames of one stack, bytes of a thread's name with its NUL. */
#define SAMPLER_MAX_EVENTS 32u
#define SAMPLER_MAX_FRAMES 512u
#define SAMPLER_COMM 16u

/*
 * Why a user stack ended: a number below 32 of kmod/core/reason.def, as the module said
 * it, or one of these.
 */
enum sampler_why {
	/* to the outermost frame, but by steps of which some are not proven */
	SAMPLER_WHY_GUESSED = 0xf9,
	/* a task of another ABI than the kernel's own, 32-bit: it is not unwound here */
	SAMPLER_WHY_FOREIGN = 0xfa,
	/* stackcopy.h: the copied part of the stack ends here */
	SAMPLER_WHY_COPY_END = 0xfb,
	/* another walk came between, of perf say: not known */
	SAMPLER_WHY_UNCLEAR = 0xfc,
	/* there is no user stack: a thread of the kernel, or none was asked for */
	SAMPLER_WHY_NO_USER = 0xfd,
	/* the module is loaded, but the kernel walked: a 32-bit task, or "enabled" is 0 */
	SAMPLER_WHY_NOT_ASKED = 0xfe,
	/* the module is not loaded: the kernel walked, by frame pointers */
	SAMPLER_WHY_NO_MODULE = 0xff,
};

/**
 * struct sampler_event - what is sampled
 * @name: as perf has it where perf has it; borrowed until sampler_new() returns
 *	cpu-clock, task-clock, page-faults, context-switches, ...	software
 *	cycles, instructions, LLC-load-misses, ...			hardware
 *	r1a8, cpu/event=0xc0,umask=1/, cpu/mem-loads/			any PMU's
 *	sched:sched_wakeup, tracepoint:sched:sched_wakeup		tracepoint
 *	kprobe:FUNCTION, kretprobe:, or k:, kr:			kprobe
 *	uprobe:FILE:SYMBOL, uprobe:FILE:0xOFFSET, uretprobe:, u:, ur:	uprobe; FILE is a path,
 *		or a library's name such as libc: of what @pids and @tids have mapped, or of the
 *		dynamic linker's cache
 *	usdt:FILE:PROVIDER:NAME, U:		static probe of a program or library
 *	off-cpu				time that threads do not run, by where they wait
 *	With ":u" or ":k" behind a hardware or software event: user's or kernel's only.
 * @frequency: samples a second and CPU, of hardware and software events; 0 if @period
 *	counts. Clocks are sampled with a fixed period that has this frequency
 * @period: one sample for so many events; nanoseconds for clocks; if both are 0, 99 Hz
 *	for what has a rate, and every event for the rest. Tracepoints and probes are
 *	counted each, whatever this is; both must be 0 for them and for off-cpu
 */
struct sampler_event {
	const char *name;
	uint64_t frequency;
	uint64_t period;
};

/**
 * struct sampler_options - what to sample, of what, how much of it
 * @events: at least one; all samples of all of them go to one callback
 * @nr_events: up to SAMPLER_MAX_EVENTS
 * @pids: processes (thread groups), as numbered outside of all containers; none means all
 * @nr_pids: of @pids
 * @tids: threads; a thread passes if it is one of these or of a process of @pids
 * @nr_tids: of @tids
 * @children: what these fork passes, too; else only new threads of @pids do
 * @cgroup: path of a version 2 cgroup; it and what is below it passes; NULL is all
 * @cpus: "0-3,7", as in /sys/devices/system/cpu/online; NULL is all, also those that come
 *	online later
 * @comm: name of threads; "java*" is every name that begins so; NULL is all
 * @by_thread: count threads apart; else struct sampler_count has no tid
 * @timestamps: count each sample apart, with its time. Each then takes what a stack that was not
 *	met before takes: an element of the map of counts, which is sized for the samples of a window
 *	at the rate asked for, within @memory; what does not fit is lost, and counted ("counts-full")
 * @no_user: take no user stacks
 * @no_kernel: take no kernel stacks
 * @user_threads: leave out threads of the kernel
 * @offcpu_min_ns: shorter waits are counted as left out
 * @offcpu_blocked_only: leave out waits of threads that could run (preemption)
 * @max_frames: of user and of kernel stacks each; 0 is what
 *	/proc/sys/kernel/perf_event_max_stack says, which is the most
 * @window_ms: drained at least so often, for sizes of maps; 0 is 5000. sampler_wait()
 *	says when it has to be earlier
 * @memory: bytes that maps may take; 0 is 64 MiB; what is asked for is bounded by it and
 *	by what the kernel has
 * @tables: user stacks are walked by unwind tables in the programs, not by the kernel; who
 *	makes the tables gets sampler_maps()
 * @languages: frames of languages are read, too (symbols/lang/reader.h)
 * @note: gets what is not an error and has to be known, in words: an event that was
 *	replaced, a file that is missing, the module that came or went; may be NULL
 * @note_context: its
 *
 * All filters have to pass. All pointers are borrowed until sampler_new() returns.
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
 * struct sampler_count - what was counted of one stack in one window
 * @tgid: process
 * @tid: thread, 0 unless options have @by_thread
 * @epoch: CLOCK_MONOTONIC nanoseconds of the last change of the process's executable
 *	mappings before the samples: exec, fork of the process, mmap, mprotect. Addresses
 *	of @user are to be resolved in the mappings as perf's records with a time not after
 *	@epoch left them (mmap, fork, exec; with that clock): an epoch is taken when the
 *	change is made and recorded. 0: none since sampler_new(). SAMPLER_NO_EPOCH: not
 *	known, too many processes changed
 * @cgroup: id of the version 2 cgroup: the inode of its folder
 * @time: with @timestamps: CLOCK_MONOTONIC nanoseconds of the sample; of off-cpu, when the wait
 *	ended; else 0
 * @comm: name of the thread, ends with NUL
 * @event: index in options' @events
 * @why: why @user ended: a reason (kmod/core/reason.def) or enum sampler_why
 * @preempted: off-cpu: the thread could run; else it waited
 * @pending: off-cpu: the wait had not ended when the sampler was stopped
 * @user_cut: @user has as many frames as it could have; there may be more
 * @kernel_cut: the same of @kernel
 * @user: addresses, innermost first: the first one is where the thread was, the others
 *	are return addresses
 * @nr_user: of @user
 * @kernel: the same of the kernel; empty if it was not in the kernel
 * @nr_kernel: of @kernel
 * @lang: frames of the language that @user runs; NULL: none. The same addresses may have been
 *	counted with others
 * @count: samples
 * @sum: of their weights: periods (events; nanoseconds for clocks), nanoseconds off-CPU,
 *	and for tracepoints and probes the same as @count
 *
 * Two counts of one window never have all of their key, stacks included, in common.
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
 * typedef sampler_take - gets what was drained
 * @context: as given to sampler_drain()
 * @count: valid until it returns, with all that it points to
 *
 * Return: 0, or a negative errno, which ends sampler_drain(): what it had not handed out
 * yet is lost.
 */
typedef int (*sampler_take)(void *context, const struct sampler_count *count);

/**
 * sampler_new() - check the options, load the programs
 * @options: see there
 * @ret: freed by sampler_free()
 * @diag: what is wrong, and what mends it
 *
 * Nothing is sampled yet; the programs that follow changes of processes' mappings run,
 * so that @pids that are forked from here on have an epoch.
 *
 * Return: 0; -EINVAL for an option or event that makes no sense, -ENOENT for one that
 * is not there, -EPERM, -EOPNOTSUPP for a kernel without what is needed, another one.
 */
int sampler_new(const struct sampler_options *options, struct sampler **ret,
		struct diag *diag);

/* Ends everything, whatever state it is in; NULL is fine. */
void sampler_free(struct sampler *s);

/**
 * sampler_start() - begin to sample
 * @s: not started
 * @diag: see sampler_new()
 *
 * When it fails, nothing but sampler_free() makes sense. A hardware event that the machine
 * does not have is replaced by cpu-clock with the same frequency, if it is "cycles":
 * options' @note says so.
 */
int sampler_start(struct sampler *s, struct diag *diag);

/**
 * sampler_fd() - a descriptor to wait at
 * @s: any
 *
 * Return: a descriptor of @s's that polls as readable when maps are half full: drain then.
 */
int sampler_fd(const struct sampler *s);

/**
 * sampler_wait() - wait until it is time to drain
 * @s: started
 * @timeout_ms: at most so long; -1 waits for full maps only
 * @diag: may be NULL
 *
 * Return: 1 if maps are half full, 0 when time is up, -EINTR if a signal came, another
 * negative errno.
 */
int sampler_wait(struct sampler *s, int timeout_ms, struct diag *diag);

/**
 * sampler_set_rate() - sample an event more, or less, often from now on
 * @s: started
 * @event: index of one that has a frequency, or is a clock
 * @hz: samples a second and CPU, 1 to 1 000 000 000
 * @diag: may be NULL
 *
 * The weight of each sample is the period that it was taken with, so sums stay right. What
 * each CPU has counted of a period by then, less than one, is in no sample.
 *
 * Return: 0; -EINVAL for an event without a rate; another negative errno, and then CPUs are
 * not sampled until sampler_drain() has found them again.
 */
int sampler_set_rate(struct sampler *s, size_t event, uint64_t hz, struct diag *diag);

/**
 * sampler_drain() - hand out what was counted since the last time
 * @s: started; may be stopped
 * @take: gets each count
 * @context: its
 * @diag: may be NULL
 *
 * Samples that come meanwhile go to the next window. Also looks for CPUs that came
 * online, and whether the module was loaded. While it is looked for, and in
 * sampler_new() and sampler_start(), libbpf's function that prints is replaced.
 *
 * Return: 0, what @take returned, or a negative errno.
 */
int sampler_drain(struct sampler *s, sampler_take take, void *context, struct diag *diag);

/**
 * sampler_stop() - sample no more
 * @s: started
 * @diag: may be NULL
 *
 * When it returns no program counts any more. Waits that have not ended are counted up to
 * now; all of it waits to be drained, once.
 */
int sampler_stop(struct sampler *s, struct diag *diag);

/* What became of samples. */
enum sampler_fate {
	SAMPLER_COUNTED,	/* in a count that was, or will be, drained */
	SAMPLER_LEFT_OUT,	/* on purpose: idle CPUs, filters, short waits */
	SAMPLER_LOST,
	SAMPLER_INFORMATION,	/* of something else, such as epochs */
};

/**
 * struct sampler_counter - how many samples had one fate
 * @name: short, of small letters and '-'; stays the same in all versions
 * @text: the sentence
 * @fate: see there
 * @value: since sampler_start()
 *
 * The samples that programs saw are the sum of all values but those of
 * SAMPLER_INFORMATION.
 */
struct sampler_counter {
	const char *name;
	const char *text;
	enum sampler_fate fate;
	uint64_t value;
};

/**
 * sampler_counters() - what became of samples
 * @s: any
 * @ret: as many as sampler_nr_counters() says, always the same in the same order
 *
 * Return: 0 or a negative errno.
 */
int sampler_counters(struct sampler *s, struct sampler_counter *ret);
size_t sampler_nr_counters(void);

/**
 * struct sampler_event_info - one event, as it is sampled
 * @name: as in the options; of what replaced it, if something did
 * @unit: of @sum: "nanoseconds" or "events"
 * @period: between samples; 0 if a frequency is kept, 1 if every event is counted
 * @frequency: that is kept, a second and CPU; 0 if there is a period
 * @events: that the kernel counted on all CPUs while it sampled (nanoseconds for
 *	clocks); 0 for tracepoints, probes, off-cpu, and for clocks with ":u" or ":k"
 * @weighed: of these, the weight of samples that programs saw. What @events has more,
 *	and is not less than a period on each CPU, the kernel did not sample: its limits
 *	(perf_event_max_sample_rate), or a program of BPF that ran already. Counted as
 *	"missed", in samples, where the period is known
 * @inherited: of stackcopy.h: processes and threads that run for less than a period have fewer
 *	samples than they ought to, or none
 * @user_only: of stackcopy.h: samples in the kernel are left out
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
 * sampler_event_info() - how an event is sampled, and how much there was of it
 * @s: started; may be stopped
 * @event: index in options' @events
 * @ret: strings are @s's
 *
 * Return: 0, -EINVAL if there is no such event, another negative errno.
 */
int sampler_event_info(struct sampler *s, size_t event, struct sampler_event_info *ret);

/*
 * Whether an event is perf's, sampled with a frequency or a period; every tracepoint, probe and
 * wait counts. True also of what is no event: sampler_new() refuses it.
 */
bool sampler_event_has_rate(const char *name);

/* Names of events that need no more words, for option tables. Return: the @i'th; NULL after the
 * last.
 */
const char *sampler_event_word(unsigned int i);

/* Whether the module's reasons are attached to now. The module cannot be unloaded then. */
bool sampler_has_module(const struct sampler *s);

/**
 * sampler_maps() - what stacks are walked by, with @tables of the options
 * @s: the sampler
 * @ret: for keeper_new(), as long as @s is there
 */
void sampler_maps(const struct sampler *s, struct keeper_maps *ret);

#endif /* USTACK_USER_SAMPLER_H */
