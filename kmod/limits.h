/* SPDX-License-Identifier: GPL-2.0 */
/* Sizes, depths and budgets of the module, each with its arithmetic. */
#ifndef USTACK_LIMITS_H
#define USTACK_LIMITS_H

/* Tables take about 4 bytes a row, 80 KB for a MB of text. 256 MiB hold all of
 * a large desktop's code several times over.
 */
#define USTACK_BUDGET_MB_DEFAULT 256u

/* perf's own default is 127 and its sysctl allows more; a walk of 1,024 frames
 * takes some 20 us.
 */
#define USTACK_MAX_FRAMES_DEFAULT 512u
#define USTACK_MAX_FRAMES_LIMIT 4096u

/* Buckets of the two hash tables. A busy host has 10,000 processes and 5,000
 * mapped files.
 */
#define USTACK_SPACE_HASH_BITS 12
#define USTACK_IMAGE_HASH_BITS 12

/* Executable mappings of one process. Browsers have some 300; every change
 * copies the list, so that this bounds a hostile process's cost as well (32
 * bytes each, 128 KiB). What is mapped beyond has no table.
 */
#define USTACK_MAX_MAPPINGS 4096u

/* Images nobody has mapped that are remembered, with or without table, so that
 * the next process finds them. An image record takes about 300 bytes.
 */
#define USTACK_MAX_IDLE_IMAGES 16384u

/* Longest path kept for people and the daemon; longer ones are left out. */
#define USTACK_MAX_PATH 512u

/* Processes met for the first time that wait for being learned, on one CPU. */
#define USTACK_SIGHTS 16u

/* A process whose mmap_lock is taken is tried again so often, and for so long: a
 * fault or an mmap() holds it for microseconds. After that it waits for its next
 * sample, as the lock may be held by a file system whose server does not answer.
 */
#define USTACK_SIGHT_RETRY_MS 20u
#define USTACK_SIGHT_GIVE_UP_MS 1000u

#endif /* USTACK_LIMITS_H */
