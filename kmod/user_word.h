/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells which addresses are those of words in user memory. */
#ifndef USTACK_USER_WORD_H
#define USTACK_USER_WORD_H

#include <linux/bitops.h>
#include <linux/types.h>

/**
 * ustack_untag() - remove the tag from an address
 * @addr: an address from a register, or a pointer from the stack
 * @tag_bits: high bits that the CPU ignores in user addresses: 8 on arm64,
 *            where MTE and HWASan keep tags of the heap and of stacks in them;
 *            otherwise 0
 *
 * Like the kernel's untagged_addr(): a kernel address stays a kernel address.
 * The access itself needs the tag, which the CPU may compare with that of the
 * memory.
 *
 * Context: NMI-safe.
 */
static __always_inline u64 ustack_untag(u64 addr, unsigned int tag_bits)
{
	return addr & (u64)sign_extend64(addr, 63 - tag_bits);
}

/* Whether the whole word at @addr is below @user_end. Context: NMI-safe. */
static __always_inline bool ustack_is_user_word(u64 addr, u64 user_end,
						unsigned int tag_bits)
{
	return ustack_untag(addr, tag_bits) <= user_end - sizeof(u64);
}

#endif /* USTACK_USER_WORD_H */
