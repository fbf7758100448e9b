/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The core's environment: integer names, memcpy and friends, branch hints, for
 * each place where it is built. The only file of kmod/core with __KERNEL__ in
 * it and the only one that includes anything from outside the folder.
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
 * sleep. Return: true when the task is being killed or exits; then the work
 * must end. Neither happens to a kworker, so its work goes on.
 */
static inline bool ustack_resched_or_abort(void)
{
	cond_resched();
	return fatal_signal_pending(current) || current->flags & PF_EXITING;
}

/*
 * Returns @index, which comes from the process and is below @size, also when
 * the CPU speculates past the test that proved it.
 */
#define ustack_nospec(index, size) array_index_nospec(index, size)
#elif defined(__bpf__)
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* A function has at most five arguments, and none is a struct. */
#define noinline inline __attribute__((__always_inline__))
#define memcpy __builtin_memcpy
#define memcmp __builtin_memcmp
/* The verifier's rules end a program, and it does not speculate past a mask. */
#define ustack_resched_or_abort() false
#define ustack_nospec(index, size) (index)
#define USTACK_BOUNDED(i, n) ((i) < (n))
/*
 * A loop of more rounds than the verifier should follow one by one; @round is a
 * function.
 */
#define ustack_repeat(n, round, to) bpf_loop(n, round, to, 0)
/*
 * Returns the same value, but the verifier knows nothing about it: it follows
 * once what it would follow for each value that it has computed. The variable
 * is always 0; neither the verifier nor the compiler can know that.
 */
static u64 ustack_always_0;

static __always_inline u64 ustack_nothing(void)
{
	u64 nothing;

	asm("%0 = *(u64 *)(%1 + 0)" : "=r"(nothing) : "r"(&ustack_always_0));
	return nothing;
}

#define ustack_forget(x) ((x) ^ (typeof(x))ustack_nothing())
/*
 * BPF has no instruction for this, and clang 14 does not terminate when it
 * looks for a replacement. The lowest bit, 2^(8 * n + 7), moves the constant's
 * byte n into the uppermost one.
 */
#define ustack_first_byte(high) \
	((u32)(((((high) & -(high)) >> 7) * 0x0001020304050607ull) >> 56))

/* Tables are in bins: ref.h. A load may begin at the last byte of a bin. */
#define USTACK_BINS
#define USTACK_BIN_BYTES (16u << 20)
/*
 * No call goes through a pointer: step.h. All functions are in one unit, so
 * that the compiler sees which architecture it is.
 */
#define USTACK_DIRECT_MEM
#define USTACK_CORE static __attribute__((__unused__))
#define USTACK_CORE_EXTERN USTACK_CORE
/* Largest number of frames of a stride; then the program's loop goes on. */
#define USTACK_STRIDE_ROUNDS 4u
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
#ifndef ustack_resched_or_abort	/* a test may define it */
#define ustack_resched_or_abort() false
#endif
#ifndef ustack_nospec	/* a benchmark or a test may define it */
#define ustack_nospec(index, size) (index)
#endif
#endif /* __KERNEL__ */

#ifndef USTACK_BOUNDED	/* defined before if a verifier must see it */
/* The bound of a loop that has other ends: round @i of at most @n. */
#define USTACK_BOUNDED(i, n) ((void)(i), true)
#endif

#ifndef ustack_repeat	/* defined before if a verifier must see the end */
/*
 * Calls @round with 0 to @n - 1 and @to, until it returns other than 0. @round
 * is a constant, and so inlined.
 */
static __always_inline void ustack_repeat(u32 n, long (*round)(u32 i, void *to), void *to)
{
	u32 i;

	for (i = 0; i < n && !round(i, to); i++)
		;
}
#endif

#ifndef ustack_forget	/* defined before if a verifier follows values */
#define ustack_forget(x) (x)
#endif

#ifndef USTACK_CORE	/* static if the whole core is one unit */
/* Marks functions that are called from another file than their own. */
#define USTACK_CORE
#define USTACK_CORE_EXTERN extern
#endif

#ifndef ustack_first_byte
/*
 * Number of the first byte with a high bit in @high, which has only high bits
 * and at least one.
 */
#define ustack_first_byte(high) ((u32)__builtin_ctzll(high) >> 3)
#endif

/*
 * Unaligned little-endian loads. Both targets, and every host that ustack is
 * built for, are little endian; the build refuses any other.
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
