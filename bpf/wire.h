/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface between the sampler's programs and user/capture/sampler: keys and values of
 * maps, limits, and the fates of samples. Both sides are built with this file, so it has no
 * version.
 */
#ifndef USTACK_BPF_WIRE_H
#define USTACK_BPF_WIRE_H

#include <linux/types.h>

/*
 * Limits. A stack has up to WIRE_FRAMES frames, and a struct scratch (count.bpf.h) has one
 * stack of each kind. It must stay below 32 KiB, the largest element of a per-CPU map.
 */
#define WIRE_FRAMES 512u
#define WIRE_CHUNK_FRAMES 8u
#define WIRE_CHUNKS (WIRE_FRAMES / WIRE_CHUNK_FRAMES)
#define WIRE_COMM 16u
#define WIRE_EVENTS 32u
#define WIRE_CPUS 8192u
/*
 * Programs that can interrupt one another on a CPU: in a task, in a task that preempts it, in
 * an interrupt, in an NMI.
 */
#define WIRE_LEVELS 4u
/* Frames of a thread that waits; its stacks are kept until it runs again. */
#define WIRE_WAIT_USER 128u
#define WIRE_WAIT_KERNEL 64u
/* Chunks that are remembered from the last stack: the callers of 128 frames. */
#define WIRE_RECENT 16u

/*
 * A stack is represented by the id of its innermost chunk. A chunk is 8 frames, outermost
 * first, and the id of the chunk that called it; only the innermost chunk may have fewer
 * frames. Keys are compared completely, so two stacks never have the same id; stacks with the
 * same callers share their chunks.
 *
 * @link: id of the chunk that called this one, 0 for the outermost chunk; the upper byte has
 *        the number of frames
 */
struct wire_chunk {
	__u64 link;
	__u64 pc[WIRE_CHUNK_FRAMES];
};

_Static_assert(sizeof(struct wire_chunk) == 72, "struct wire_chunk");

#define WIRE_LINK_SHIFT 56
#define WIRE_ID_MASK ((1ull << WIRE_LINK_SHIFT) - 1)
/* An id consists of CPU and level, and a number that begins with 1: 2^40 chunks of each. */
#define WIRE_ID_SHIFT 40

/* struct wire_key.flags */
#define WIRE_PREEMPTED 1u
#define WIRE_USER_CUT 2u
#define WIRE_KERNEL_CUT 4u

/*
 * The key of a count: samples with different keys are counted separately.
 * struct sampler_count in user/capture/sampler/sampler.h describes each member; @user, @kernel
 * and @lang (lang.h) are ids of stacks, 0 if there is none. @time is CLOCK_MONOTONIC nanoseconds
 * if times are asked for, else 0.
 */
struct wire_key {
	__u64 user;
	__u64 kernel;
	__u64 lang;
	__u64 epoch;
	__u64 cgroup;
	__u64 time;
	__u32 tgid;
	__u32 tid;
	char comm[WIRE_COMM];
	__u16 event;
	__u8 why;
	__u8 flags;
	__u32 pad;
};

_Static_assert(sizeof(struct wire_key) == 80, "struct wire_key");

struct wire_value {
	__u64 count;
	__u64 sum;
};

_Static_assert(sizeof(struct wire_value) == 16, "struct wire_value");

/*
 * Values of struct wire_key.why that are no reasons; the same as enum sampler_why:
 * user/capture/sampler/drain.c
 */
#define WIRE_WHY_COMPLETE 1
#define WIRE_WHY_GUESSED 0xf9
#define WIRE_WHY_FOREIGN 0xfa
#define WIRE_WHY_UNCLEAR 0xfc
#define WIRE_WHY_NO_USER 0xfd
#define WIRE_WHY_NOT_ASKED 0xfe
#define WIRE_WHY_NO_MODULE 0xff

#define WIRE_NO_EPOCH (~0ull)
/* The key in the map of processes for those without an entry; no process has this number. */
#define WIRE_PROC_NONE 0u

/*
 * Addresses, innermost first. There are zeros in front of them, so that the innermost chunk can
 * be taken like any other.
 */
#define WIRE_STACK(frames)                              \
	struct {                                        \
		__u64 zero[WIRE_CHUNK_FRAMES];          \
		__u64 pc[frames];                       \
	}

/*
 * A thread that does not run.
 *
 * @key: the key without @user, @kernel and @lang, which are set when it is counted
 * @since: time when it stopped running, CLOCK_MONOTONIC nanoseconds
 * @nr_user: number of frames in @user
 * @nr_kernel: number of frames in @kernel
 * @nr_lang: number of slots in its struct lang_wait (lang.h); 0 if there is none
 */
struct wire_wait {
	struct wire_key key;
	__u64 since;
	__u32 nr_user;
	__u32 nr_kernel;
	__u32 nr_lang;
	__u32 pad;
	WIRE_STACK(WIRE_WAIT_USER) user;
	WIRE_STACK(WIRE_WAIT_KERNEL) kernel;
};

_Static_assert(sizeof(struct wire_wait) == 80 + 24 + 8 * (8 + 128 + 8 + 64), "struct wire_wait");

/*
 * A process whose executable mappings changed; @start tells it from another process with its
 * number.
 */
struct wire_proc {
	__u64 epoch;
	__u64 start;
};

_Static_assert(sizeof(struct wire_proc) == 16, "struct wire_proc");

/*
 * The fates of a sample: WIRE_FATE(NAME, name, fate, sentence). Each sample has one.
 * @fate is COUNTED, LEFT_OUT, LOST, or INFORMATION for counts of other things than samples.
 */
#define WIRE_FATES(WIRE_FATE)                                                             \
	WIRE_FATE(COUNTED, "counted", COUNTED, "counted with its stacks")                 \
	WIRE_FATE(IDLE, "idle", LEFT_OUT, "the CPU was idle")                             \
	WIRE_FATE(FILTERED, "filtered", LEFT_OUT, "did not pass the filters")             \
	WIRE_FATE(SHORT, "short-wait", LEFT_OUT,                                          \
		  "the thread did not run for less than the least time asked for")        \
	WIRE_FATE(NESTED, "nested", LOST, "too many samples within one another on a CPU") \
	WIRE_FATE(NO_BUFFER, "no-buffer", LOST,                                           \
		  "the kernel's buffer for stacks was in use or missing")                 \
	WIRE_FATE(CHUNKS_FULL, "stacks-full", LOST,                                       \
		  "the map of stacks was full: drain earlier, or give it more memory")    \
	WIRE_FATE(COUNTS_FULL, "counts-full", LOST,                                       \
		  "the map of counts was full: drain earlier, or give it more memory")    \
	WIRE_FATE(BUSY, "busy", LOST,                                                     \
		  "a map was locked by what the sample interrupted")                      \
	WIRE_FATE(WAITS_FULL, "waits-full", LOST, "too many threads wait at a time")      \
	WIRE_FATE(UNENDED, "unended", LOST,                                               \
		  "a thread ran again, and the kernel did not say when")                  \
	WIRE_FATE(NO_WINDOW, "no-window", LOST, "there was no map to count in")           \
	WIRE_FATE(WAITS, "waits", INFORMATION,                                            \
		  "threads that stopped running; counted when they run again")            \
	WIRE_FATE(MAPPINGS, "mapping-changes", INFORMATION,                               \
		  "changes of executable mappings, by mmap, mprotect, exec, and forks")     \
	WIRE_FATE(PROCS_FULL, "processes-full", INFORMATION,                              \
		  "changes of mappings that could not be kept: epochs are not known")     \
	WIRE_FATE(CHILDREN_FULL, "children-full", INFORMATION,                            \
		  "children of filtered processes that could not be followed")            \
	WIRE_FATE(LANG_READ, "language-read", INFORMATION,                                \
		  "samples with frames of a language")                                    \
	WIRE_FATE(LANG_NOT_YET, "language-not-yet", INFORMATION,                          \
		  "samples of processes that nobody had looked at for a language yet")    \
	WIRE_FATE(LANG_NO_STATE, "language-no-state", INFORMATION,                        \
		  "samples of threads that the language knows nothing of")                \
	WIRE_FATE(LANG_FAULTED, "language-faulted", INFORMATION,                          \
		  "frames of a language in memory that is not there")                     \
	WIRE_FATE(LANG_CUT, "language-cut", INFORMATION,                                  \
		  "more frames of a language than there was room for")                    \
	WIRE_FATE(LANG_TORN, "language-torn", INFORMATION,                                \
		  "frames of a language that made no sense, or were just being changed")   \
	WIRE_FATE(LANG_COMPILED, "language-compiled", INFORMATION,                        \
		  "samples of code that a language's JIT has made, of which frames are not read")

enum wire_fate {
#define WIRE_FATE_ENUM(name, text, fate, sentence) WIRE_##name,
	WIRE_FATES(WIRE_FATE_ENUM)
#undef WIRE_FATE_ENUM
	WIRE_NR_FATES,
};

/*
 * Counters of one CPU and level, so that nothing here needs to be atomic.
 *
 * @fate: number of samples by enum wire_fate
 * @weight: weight of the samples that programs saw, by event, whatever their fate
 */
struct wire_tally {
	__u64 fate[WIRE_NR_FATES];
	__u64 weight[WIRE_EVENTS];
};

_Static_assert(sizeof(struct wire_tally) == 8 * (WIRE_NR_FATES + 32), "struct wire_tally");

/* How full the maps of a window are. Programs change it; user space sets it to 0 with the maps. */
struct wire_fill {
	__u64 chunks;
	__u64 counts;
};

_Static_assert(sizeof(struct wire_fill) == 16, "struct wire_fill");

#endif /* USTACK_BPF_WIRE_H */
