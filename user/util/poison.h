/* SPDX-License-Identifier: MIT */
/*
 * Included last by every source that does not include kmod/core: the kernel's
 * integer names may be used only by the core and by code that calls it.
 */
#ifndef USTACK_USER_POISON_H
#define USTACK_USER_POISON_H

#pragma GCC poison u8 u16 u32 u64 s8 s16 s32 s64

#endif /* USTACK_USER_POISON_H */
