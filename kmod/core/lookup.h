/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lookup: pc -> rule. Sample-path code: NMI-safe; reads the table only, which
 * is in kernel memory, proven and immutable, so that nothing is checked again.
 */
#ifndef USTACK_CORE_LOOKUP_H
#define USTACK_CORE_LOOKUP_H

#include "core_env.h"
#include "table.h"

/* How many of the 8 ascending bytes of @keys are <= @key. */
static __always_inline u32 ustack_count_le8(u64 keys, u8 key)
{
	const u64 high = 0x8080808080808080ull;
	u64 k = key * 0x0101010101010101ull;
	/* Bit 7 of each byte: the low 7 bits of k are >= those of keys. */
	u64 low_ge = (k | high) - (keys & ~high);
	/* k >= key, by the high bits, or by the low ones where those are equal */
	u64 ge = ((k & ~keys) | (~(k ^ keys) & low_ge)) & high;

	/* Ascending keys: the first byte that is greater ends the count. */
	ge = ~ge & high;
	return ge ? (u32)__builtin_ctzll(ge) >> 3 : 8;
}

/* Row of offset @low in the bucket [@lo, @hi), 1-byte keys. */
static __always_inline u32 ustack_row_narrow(const u8 *keys, u32 lo, u32 hi,
					     u8 low)
{
	u32 n;

	/* At most 256 keys, 32 rounds; nearly always one. The load may run past
	 * the bucket, and past the keys into the rules behind them, but never
	 * out of the table: the palette has at least 16 bytes.
	 */
	for (;;) {
		n = ustack_count_le8(ustack_le64(keys + lo), low);
		if (likely(n >= hi - lo))
			return hi - 1;
		if (n < 8)
			return lo + n - 1;
		lo += 8;
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
	const u32 *bucket;

	if (unlikely(t->layout & USTACK_TABLE_WIDE_KEYS)) {
		bucket = &t->index[rel >> 16];
		return ustack_row_wide((const u16 *)keys, bucket[0], bucket[1],
				       (u16)rel);
	}
	bucket = &t->index[rel >> 8];
	return ustack_row_narrow(keys, bucket[0], bucket[1], (u8)rel);
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

/* Palette index for @rel, below @t->range, by the keys. */
static __always_inline u32 ustack_lookup_index(const struct ustack_table *t,
					       u32 rel)
{
	return ustack_table_rule_index(t, ustack_table_row(t, rel));
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
	u32 index = ustack_lookup_index(t, rel);
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
 * Context: NMI-safe; bounded work: one bucket, one block of a PLT.
 * Return: the rule, valid as long as the table; NULL where there is no row.
 */
static __always_inline const struct ustack_rule *
ustack_lookup(const struct ustack_table *t, u64 rel)
{
	const struct ustack_rule *rule;

	if (unlikely(rel >= t->range))
		return NULL;
	rule = ustack_table_palette(t) + ustack_table_map(t)[rel >> t->map_shift];
	if (likely(ustack_ops_are_plain(ustack_rule_ops(rule))))
		return rule;
	return ustack_lookup_keys(t, (u32)rel);
}

#endif /* USTACK_CORE_LOOKUP_H */
