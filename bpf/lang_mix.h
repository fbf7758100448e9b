/* SPDX-License-Identifier: GPL-2.0-only */
/* The step that fingerprints (cookies) of functions are made with, one word after the other. */
#ifndef USTACK_BPF_LANG_MIX_H
#define USTACK_BPF_LANG_MIX_H

#include <linux/types.h>

static inline __u64 lang_mix(__u64 sum, __u64 word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
	sum ^= sum >> 29;
	/* one word after the other: a program's stack is small */
	__asm__ volatile("" : "+r"(sum) : : "memory");
	return sum;
}

#endif /* USTACK_BPF_LANG_MIX_H */
