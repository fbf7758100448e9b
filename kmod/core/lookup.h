/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lookup: pc -> rule. Sample-path code: NMI-safe; reads the table only, which
 * is in kernel memory, proven and immutable, so that nothing is checked again.
 */
#ifndef USTACK_CORE_LOOKUP_H
#define USTACK_CORE_LOOKUP_H

#include "core_env.h"
#include "table.h"

/*
 * How many of the 8 ascending bytes of @keys, all below 128, are <= @key, which
 * is too. Whatever is behind the first greater byte, or the first one that is
 * no key, does not matter to those in front of it.
 */
static __always_inline u32 ustack_count_le8(u64 keys, u32 key)
{
	/* Bit 7 of each byte of the difference: key >= its byte of keys. */
	u64 ge = (key | 0x80) * 0x0101010101010101ull - keys;
	u64 less = ~ge & 0x8080808080808080ull;

	return likely(less) ? (u32)__builtin_ctzll(less) >> 3 : 8;
}

/* Row of offset @low in the block of @n keys from @lo on. */
static __always_inline u32 ustack_row_narrow(const u8 *keys, u32 lo, u32 n,
					     u32 low)
{
	u32 count;

	/* At most 128 keys, 16 rounds; nearly always one. The load may run past
	 * the block, and past the keys into the rules behind them, but never
	 * out of the table: the palette has at least 16 bytes.
	 */
	for (;;) {
		count = ustack_count_le8(ustack_le64(keys + lo), low);
		if (likely(count < 8) || n <= 8)
			return lo + (count < n ? count : n) - 1;
		lo += 8;
		n -= 8;
	}
}

/* The same for 2-byte keys: at most 65,536 keys, 17 rounds. */
static inline u32 ustack_row_wide(const u16 *keys, u32 lo, u32 hi, u16 low)
{
	u32 mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (keys[mid] <= low)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - 1;
}

/**
 * ustack_table_row() - the row of a pc
 * @t: the table
 * @rel: pc - base, below @t->range
 *
 * Return: row number; the row covers @rel.
 */
static __always_inline u32 ustack_table_row(const struct ustack_table *t,
					    u32 rel)
{
	const u8 *keys = ustack_table_keys(t);
	const u32 *bucket = &t->index[rel >> 16];
	const u16 *block;

	if (unlikely(t->layout & USTACK_TABLE_WIDE_KEYS))
		return ustack_row_wide((const u16 *)keys, bucket[0], bucket[1],
				       (u16)rel);
	block = ustack_table_blocks(t) + (rel >> USTACK_BLOCK_SHIFT);
	/* Modulo 65,536: fewer keys than that are in front of a block. */
	return ustack_row_narrow(keys, bucket[0] + (u16)(block[0] - bucket[0]),
				 (u16)(block[1] - block[0]),
				 rel & ((1u << USTACK_BLOCK_SHIFT) - 1));
}

/**
 * ustack_mask_rule() - the rule of a pc in a pc-mask function
 * @t: the table
 * @mask: its palette entry with USTACK_RULE_MASK
 * @rel: pc - base
 *
 * Return: the rule; NULL in front of the block's first row.
 */
static noinline __attribute__((__unused__)) const struct ustack_rule *
ustack_mask_rule(const struct ustack_table *t, const struct ustack_rule *mask,
		 u32 rel)
{
	u32 off = (rel - (u32)mask->cfa_off) % (u32)mask->ra_off;
	const struct ustack_rule *row, *found = NULL;

	/* fp_off < 256: the block's size is one byte and its rows ascend */
	for (row = mask + 1; row <= mask + mask->fp_off; row++) {
		if ((u32)row->cfa_off > off)
			break;
		found = row;
	}
	return found ? ustack_table_palette(t) + found->ra_off : NULL;
}

/* What strides know of @rel, below @t->range, by the keys: calls no function. */
static __always_inline const struct ustack_plain *
ustack_lookup_plain(const struct ustack_table *t, u32 rel)
{
	bool rare;
	u32 index;

	index = ustack_table_usual_index(t, ustack_table_row(t, rel), &rare);
	return ustack_table_plain(t) + (unlikely(rare) ? 0 : index);
}

/**
 * ustack_lookup_keys() - the rule of a pc, by the keys
 * @t: the table
 * @rel: pc - base, below @t->range
 *
 * Return: as ustack_lookup().
 */
static __always_inline const struct ustack_rule *
ustack_lookup_keys(const struct ustack_table *t, u32 rel)
{
	u32 index = ustack_table_rule_index(t, ustack_table_row(t, rel));
	const struct ustack_rule *rule;

	if (unlikely(!index))
		return NULL;
	rule = ustack_table_palette(t) + index;
	if (unlikely(rule->flags & USTACK_RULE_MASK))
		return ustack_mask_rule(t, rule, rel);
	return rule;
}

/**
 * ustack_lookup() - the rule of a pc
 * @t: the table
 * @rel: link-time pc minus @t->base; any value
 *
 * Context: NMI-safe; bounded work: one bucket or block, one repetition of a PLT.
 * Return: the rule, valid as long as the table; NULL where there is no row.
 */
static __always_inline const struct ustack_rule *
ustack_lookup(const struct ustack_table *t, u64 rel)
{
	const struct ustack_rule *rule;

	if (unlikely(rel >= t->range))
		return NULL;
	rel = ustack_nospec(rel, t->range);
	rule = ustack_table_palette(t) + ustack_table_map(t)[rel >> t->map_shift];
	if (likely(ustack_ops_are_plain(ustack_rule_ops(rule))))
		return rule;
	return ustack_lookup_keys(t, (u32)rel);
}

#endif /* USTACK_CORE_LOOKUP_H */
