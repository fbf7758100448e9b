/* SPDX-License-Identifier: GPL-2.0-only */
/* Which addresses are those of words in user memory. */
#ifndef USTACK_USER_WORD_H
#define USTACK_USER_WORD_H

#include <linux/bitops.h>
#include <linux/types.h>

/**
 * ustack_untag() - an address without its tag
 * @addr: as a register or a pointer on the stack has it
 * @tag_bits: high bits that the CPU ignores in user addresses: 8 on arm64, where MTE
 *            and HWASan keep tags of heap memory in them, stacks there included; else 0
 *
 * As the kernel's untagged_addr(): an address of the kernel stays one. The access
 * itself needs the tag, which the CPU may compare with the memory's.
 *
 * Context: NMI-safe.
 */
static __always_inline u64 ustack_untag(u64 addr, unsigned int tag_bits)
{
	return addr & (u64)sign_extend64(addr, 63 - tag_bits);
}

/* Whether all of the word at @addr is below @user_end. Context: NMI-safe. */
static __always_inline bool ustack_is_user_word(u64 addr, u64 user_end,
						unsigned int tag_bits)
{
	return ustack_untag(addr, tag_bits) <= user_end - sizeof(u64);
}

#endif /* USTACK_USER_WORD_H */
