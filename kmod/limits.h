/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes, depths and budgets of the module, each with its arithmetic. */
#ifndef USTACK_LIMITS_H
#define USTACK_LIMITS_H

/*
 * Tables take about 4 bytes a row, 80 KB for a MB of text. 256 MiB hold all
 * code of a large desktop several times.
 */
#define USTACK_BUDGET_MB_DEFAULT 256u

/*
 * An unprivileged user's share of the budget is this part of it: 64 MiB by
 * default, the tables of 800 MB of text. All of them together leave one share
 * to the machine.
 */
#define USTACK_SHARE_OF_BUDGET 4u

/* Buckets of the table of users who have tables or builds. */
#define USTACK_PAYER_HASH_BITS 6

/*
 * Builds at one time: they bound the memory that any number of tasks can make
 * the module take. One of them may be of a large section: a snapshot (64 MiB at
 * most), scratch (twice that) and a table. The others take four times the small
 * size: 96 MiB.
 */
#define USTACK_LOCAL_BUILDS 4u
#define USTACK_REMOTE_BUILDS 2u
#define USTACK_LARGE_SECTION (8u << 20)

/*
 * perf's own default is 127 and its sysctl allows more; a walk of 1,024 frames
 * takes some 20 us.
 */
#define USTACK_MAX_FRAMES_DEFAULT 512u
#define USTACK_MAX_FRAMES_LIMIT 4096u

/*
 * Flags for memory whose amount a file's size decides: charged to the task's
 * control group, and refused rather than gained by killing a process.
 */
#define USTACK_GFP_LARGE (GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

/*
 * Flags for the data of a process, above all mapping lists, at most 220 KiB:
 * charged to its control group, also beyond the group's limit. A container is
 * at its limit whenever its page cache has filled it, and would lose stacks if
 * charges failed then; waiting for reclaim there could mean waiting for a file
 * server. For each mapping the kernel has allocated more before, and that is
 * refused beyond the limit. The last reserves are left to interrupts.
 */
#define USTACK_GFP_PROCESS \
	(GFP_ATOMIC | __GFP_NOMEMALLOC | __GFP_ACCOUNT | __GFP_NOWARN)

/* Counters of devices with images. */
#define USTACK_DEVICE_HASH_BITS 8

/*
 * Largest number of uretprobes that a task can have pending: the kernel's
 * MAX_URETPROBE_DEPTH.
 */
#define USTACK_MAX_URETPROBES 64u

/*
 * Searches for uretprobes in a walk: each is found once by a table's step and
 * once by a blind one. A stack full of the trampoline's address costs 8,192
 * comparisons of some 10 ns, not 64 for each of its frames.
 */
#define USTACK_MAX_URETPROBE_LOOKUPS (2 * USTACK_MAX_URETPROBES)

/*
 * Largest frame of a probed function, if the place of the address in the frame
 * is not known.
 */
#define USTACK_MAX_URETPROBE_FRAME (1u << 20)

/* Buckets of the two hash tables. A busy host has 10,000 processes and 5,000
 * mapped files.
 */
#define USTACK_SPACE_HASH_BITS 12
#define USTACK_IMAGE_HASH_BITS 12

/*
 * Executable mappings of one process. Browsers have some 300. Each takes 32
 * bytes and its part of a chunk's header, so a hostile process can take up to
 * 220 KiB. Further mappings have no table.
 */
#define USTACK_MAX_MAPPINGS 4096u

/*
 * Mappings of one chunk: 31 of 32 bytes and a header of 32 are 1 KiB. A chunk
 * with fewer than the minimum is joined with its neighbour: 9 + 10 to 9 + 31
 * mappings become one chunk of at most 26 or two of at least 13. Both are far
 * from the limits, so changes at the same place do not join and split again and
 * again. Larger chunks make each change more expensive: decisions/0010.
 */
#define USTACK_CHUNK_MAPPINGS 31u
#define USTACK_CHUNK_FILL 26u
#define USTACK_CHUNK_MIN 10u

/*
 * Chunks of one process: at most one has fewer mappings than the minimum. A
 * slot of the directory takes 16 bytes: with the header of 32, a process with
 * 4,096 mappings needs 6.6 KB of two pages, one with 1,000 needs 1 KB.
 */
#define USTACK_MAX_CHUNKS (USTACK_MAX_MAPPINGS / USTACK_CHUNK_MIN + 1)

/*
 * Number of remembered images without a table and without a mapping, so that
 * the next process need not read them. An image record takes about 300 bytes.
 * Images with a table are bounded by the budget.
 */
#define USTACK_MAX_IDLE_IMAGES 16384u

/*
 * Longest path that is kept for people and the daemon; longer ones are left
 * out.
 */
#define USTACK_MAX_PATH 512u

/* Number of newly met processes that can wait to be learned, on one CPU. */
#define USTACK_SIGHTS 16u

/*
 * Retry interval and time limit for a process whose mmap_lock is taken: a fault
 * or an mmap() holds it for microseconds. After that the process waits for its
 * next sample, as a file system whose server does not answer may hold the lock.
 */
#define USTACK_SIGHT_RETRY_MS 20u
#define USTACK_SIGHT_GIVE_UP_MS 1000u

#endif /* USTACK_LIMITS_H */
