/* SPDX-License-Identifier: GPL-2.0-only */
/* Computes the fingerprints (cookies) of functions: mixes words and strings into a sum. */
#ifndef USTACK_BPF_LANG_MIX_H
#define USTACK_BPF_LANG_MIX_H

#include <linux/types.h>

static inline __u64 lang_mix(__u64 sum, __u64 word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
	sum ^= sum >> 29;
	/* one word after the other, because a program's stack is small */
	__asm__ volatile("" : "+r"(sum) : : "memory");
	return sum;
}

/* The first and the last words of a string that go into the fingerprint. */
#define LANG_ENDS_WORDS 4u
#define LANG_ENDS_BYTES (8 * LANG_ENDS_WORDS)

/**
 * struct lang_ends - the parts of a string that go into the fingerprint
 * @len: length in bytes
 * @head: first bytes, followed by zeros
 * @tail: last bytes, if @head does not have them all; else zeros
 */
struct lang_ends {
	__u64 len;
	__u64 head[LANG_ENDS_WORDS];
	__u64 tail[LANG_ENDS_WORDS];
};

static inline __u64 lang_mix_ends(__u64 sum, const struct lang_ends *t)
{
	__u64 i;

	sum = lang_mix(sum, t->len);
#pragma GCC unroll 4
	for (i = 0; i < LANG_ENDS_WORDS; i++)
		sum = lang_mix(sum, t->head[i]);
#pragma GCC unroll 4
	for (i = 0; i < LANG_ENDS_WORDS; i++)
		sum = lang_mix(sum, t->tail[i]);
	return sum;
}

#endif /* USTACK_BPF_LANG_MIX_H */
