/* SPDX-License-Identifier: GPL-2.0-only */
/* Where threads keep what a runtime has for each of them. Included by lang.h. */
#ifndef USTACK_BPF_LANG_TSD_H
#define USTACK_BPF_LANG_TSD_H

#include <linux/types.h>

/* Bytes of an entry of the vector of modules, which begins with the pointer to the module's block. */
#define LANG_DTV_ENTRY 16u
/* The pointer of a module that the thread has not used yet. */
#define LANG_DTV_UNUSED (~0ull)

/*
 * Where a thread's pointer of a pthread key is, of a key that is one of the first 32 or not:
 * *(thread pointer + @block) + @value. glibc describes it itself.
 *
 * @self: added to the thread pointer it is what pthread_self() returns
 */
struct lang_tsd {
	__s64 block;
	__s64 self;
	__u64 value;
};

#endif /* USTACK_BPF_LANG_TSD_H */
