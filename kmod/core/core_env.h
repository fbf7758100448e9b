/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the core needs from where it is built: integer names, memcpy and
 * friends, branch hints. The only file of kmod/core with __KERNEL__ in it and
 * the only one that includes anything from outside the folder.
 */
#ifndef USTACK_CORE_ENV_H
#define USTACK_CORE_ENV_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>

/*
 * Called between slices of work that a file can make long. Lets others run; may
 * sleep. Return: true when the task is being killed or exits, and the work is to
 * end. Neither happens to a kworker, so its work goes on.
 */
static inline bool ustack_resched_or_abort(void)
{
	cond_resched();
	return fatal_signal_pending(current) || current->flags & PF_EXITING;
}

/* @index, which is below @size and comes from the process, also where the CPU
 * runs ahead of the test that proved it.
 */
#define ustack_nospec(index, size) array_index_nospec(index, size)
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define noinline __attribute__((__noinline__))
#ifndef ustack_resched_or_abort	/* or a test's */
#define ustack_resched_or_abort() false
#endif
#ifndef ustack_nospec	/* or a benchmark's, or a test's */
#define ustack_nospec(index, size) (index)
#endif
#endif /* __KERNEL__ */

/* Unaligned little-endian loads. Both supported targets and every host that
 * ustack is built for are little endian; the build refuses any other.
 */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little endian only");

static __always_inline u16 ustack_le16(const void *p)
{
	u16 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

static __always_inline u32 ustack_le32(const void *p)
{
	u32 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

static __always_inline u64 ustack_le64(const void *p)
{
	u64 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
}

#endif /* USTACK_CORE_ENV_H */
