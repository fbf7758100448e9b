/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a thread keeps the data that a runtime has for each thread. Included by lang.h. */
#ifndef USTACK_BPF_LANG_TSD_H
#define USTACK_BPF_LANG_TSD_H

#include <linux/types.h>

/*
 * Bytes of an entry of a thread's vector of modules (DTV); it begins with the pointer to the
 * module's block.
 */
#define LANG_DTV_ENTRY 16u
/* The pointer of a module that the thread has not used yet. */
#define LANG_DTV_UNUSED (~0ull)

/*
 * Where a thread's pointer for a pthread key is: *(thread pointer + @block) + @value. This
 * holds for the first 32 keys and for later ones. glibc describes it itself.
 *
 * @self: added to the thread pointer, it gives the result of pthread_self()
 */
struct lang_tsd {
	__s64 block;
	__s64 self;
	__u64 value;
};

#endif /* USTACK_BPF_LANG_TSD_H */
