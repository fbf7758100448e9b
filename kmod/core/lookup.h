/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lookup: pc -> rule. Sample-path code: NMI-safe; reads only the table, which
 * is in kernel memory, proven and immutable, so nothing is checked again. The
 * proof bounds the loops; USTACK_BOUNDED() repeats the bound for a verifier.
 */
#ifndef USTACK_CORE_LOOKUP_H
#define USTACK_CORE_LOOKUP_H

#include "core_env.h"
#include "ref.h"
#include "table.h"

/*
 * Return: number of the 8 ascending bytes of @keys that are <= @key; all are
 * below 128. Bytes after the first greater byte, or after the first one that is
 * no key, do not change the result.
 */
static __always_inline u32 ustack_count_le8(u64 keys, u32 key)
{
	/* Bit 7 of each byte of the difference: key >= its byte of keys. */
	u64 ge = (key | 0x80) * 0x0101010101010101ull - keys;
	u64 less = ~ge & 0x8080808080808080ull;

	return likely(less) ? ustack_first_byte(less) : 8;
}

/* Row of offset @low in the block of @n keys that starts at @lo. */
static __always_inline u32 ustack_row_narrow(ustack_ref t, u32 lo, u32 n, u32 low)
{
	u64 keys = ustack_ref_field(t, keys_off);
	u32 i, count;

	/*
	 * At most 128 keys, 16 rounds; nearly always one. The load may run past
	 * the block, and past the keys into the rules after them, but never out
	 * of the table: the palette has at least 16 bytes.
	 */
	for (i = 0; USTACK_BOUNDED(i, 16); i++) {
		count = ustack_count_le8(ustack_ref_u64(t, keys + lo), low);
		if (likely(count < 8) || n <= 8)
			return lo + (count < n ? count : n) - 1;
		lo += 8;
		n -= 8;
	}
	return lo;
}

/* The same for 2-byte keys: at most 65,536 keys, 17 rounds. */
static __always_inline u32 ustack_row_wide(ustack_ref t, u32 lo, u32 hi, u16 low)
{
	u64 keys = ustack_ref_field(t, keys_off);
	u32 i, mid;

	for (i = 0; USTACK_BOUNDED(i, 17) && lo < hi; i++) {
		mid = lo + (hi - lo) / 2;
		if (ustack_ref_u16(t, keys + 2 * (u64)mid) <= low)
			lo = ustack_forget(mid + 1);
		else
			hi = ustack_forget(mid);
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
static __always_inline u32 ustack_table_row(ustack_ref t, u32 rel)
{
	u64 bucket = offsetof(struct ustack_table, index) + 4 * (u64)(rel >> USTACK_BUCKET_SHIFT);
	u32 first = ustack_ref_u32(t, bucket);
	u64 block;
	u16 from;

	if (unlikely(ustack_ref_field(t, layout) & USTACK_TABLE_WIDE_KEYS))
		return ustack_row_wide(t, first, ustack_ref_u32(t, bucket + 4), (u16)rel);
	/* the blocks stand after the index: see ustack_table_blocks() */
	block = offsetof(struct ustack_table, index) +
		4 * ((u64)ustack_ref_field(t, nr_buckets) + 1) +
		2 * (u64)(rel >> USTACK_BLOCK_SHIFT);
	from = ustack_ref_u16(t, block);
	/* Modulo 65,536: there are fewer keys than that before a block. */
	return ustack_row_narrow(t, first + (u16)(from - first),
				 (u16)(ustack_ref_u16(t, block + 2) - from),
				 rel & ((1u << USTACK_BLOCK_SHIFT) - 1));
}

/* Palette index of the rare row @row: at most 32 rounds. */
static __attribute__((__unused__)) noinline u32 ustack_table_rare_index(ustack_ref t, u32 row)
{
	u64 rare = ustack_ref_plains(t) +
		   (u64)ustack_ref_field(t, nr_rules) * sizeof(struct ustack_plain);
	u32 lo = 0, hi, mid, i;

	hi = (u32)((ustack_ref_field(t, map_off) - rare) / sizeof(struct ustack_rare));
	for (i = 0; USTACK_BOUNDED(i, 32) && hi - lo > 1; i++) {
		mid = lo + (hi - lo) / 2;
		if (ustack_ref_u32(t, rare + mid * sizeof(struct ustack_rare)) <= row)
			lo = ustack_forget(mid);
		else
			hi = ustack_forget(mid);
	}
	return ustack_ref_u32(t, rare + lo * sizeof(struct ustack_rare) +
				 offsetof(struct ustack_rare, rule));
}

/*
 * Palette index of row @row; USTACK_RARE_RULE for a rare row, and *@rare is
 * set.
 */
static __always_inline u32 ustack_table_usual_index(ustack_ref t, u32 row, bool *rare)
{
	u64 rules = ustack_ref_field(t, rules_off);
	u8 layout = ustack_ref_field(t, layout);
	u32 index;

	*rare = false;
	if (unlikely(layout & USTACK_TABLE_WIDE_RULES))
		return ustack_ref_u16(t, rules + 2 * (u64)row);
	index = ustack_ref_u8(t, rules + row);
	*rare = index == USTACK_RARE_RULE && layout & USTACK_TABLE_RARE_RULES;
	return index;
}

/* Palette index of row @row. */
static __always_inline u32 ustack_table_rule_index(ustack_ref t, u32 row)
{
	bool rare;
	u32 index = ustack_table_usual_index(t, row, &rare);

	return unlikely(rare) ? ustack_table_rare_index(t, row) : index;
}

/**
 * ustack_mask_rule() - the rule of a pc in a pc-mask function
 * @t: the table
 * @mask: palette entry of the function, with USTACK_RULE_MASK
 * @rel: pc - base
 *
 * Return: the rule; USTACK_NO_RULE before the block's first row.
 */
static __attribute__((__unused__)) noinline ustack_rule_ref
ustack_mask_rule(ustack_ref t, ustack_rule_ref mask, u32 rel)
{
	u32 off = (rel - (u32)ustack_rule_field(t, mask, cfa_off)) %
		  (u32)ustack_rule_field(t, mask, ra_off);
	u32 nr = (u32)ustack_rule_field(t, mask, fp_off), i, found = 0;

	/* nr < 256: the block's size is one byte and its rows ascend */
	for (i = 1; USTACK_BOUNDED(i, 256) && i <= nr; i++) {
		if ((u32)ustack_rule_field(t, mask + i, cfa_off) > off)
			break;
		found = ustack_forget(i);
	}
	return found ? ustack_ref_rule(t, (u32)ustack_rule_field(t, mask + found, ra_off)) :
		       USTACK_NO_RULE;
}

/*
 * The plain rule of @rel, which is below @t->range, found by the keys; for
 * strides. @plains is ustack_ref_plains(). This calls no function.
 */
static __always_inline ustack_plain_ref
ustack_lookup_plain(ustack_ref t, u64 plains, u32 rel)
{
	bool rare;
	u32 index;

	index = ustack_table_usual_index(t, ustack_table_row(t, rel), &rare);
	return ustack_ref_plain(t, plains, unlikely(rare) ? 0 : index);
}

/**
 * ustack_lookup_keys() - the rule of a pc, by the keys
 * @t: the table
 * @rel: pc - base, below @t->range
 *
 * Return: see ustack_lookup().
 */
static __always_inline ustack_rule_ref ustack_lookup_keys(ustack_ref t, u32 rel)
{
	u32 index = ustack_table_rule_index(t, ustack_table_row(t, rel));
	ustack_rule_ref rule;

	if (unlikely(!index))
		return USTACK_NO_RULE;
	rule = ustack_ref_rule(t, index);
	if (unlikely(ustack_rule_field(t, rule, flags) & USTACK_RULE_MASK))
		return ustack_mask_rule(t, rule, rel);
	return rule;
}

/**
 * ustack_lookup() - the rule of a pc
 * @t: the table
 * @rel: link-time pc minus @t->base; any value
 *
 * Context: NMI-safe; bounded work: one bucket or block, one repetition of a PLT.
 * Return: the rule, valid as long as the table; USTACK_NO_RULE (NULL for
 * pointers) if there is no row.
 */
static __always_inline ustack_rule_ref ustack_lookup(ustack_ref t, u64 rel)
{
	u32 range = ustack_ref_field(t, range);
	ustack_rule_ref rule;

	if (unlikely(rel >= range))
		return USTACK_NO_RULE;
	rel = ustack_nospec(rel, range);
	rule = ustack_ref_rule(t, ustack_ref_u8(t, ustack_ref_field(t, map_off) +
					       (rel >> ustack_ref_field(t, map_shift))));
	if (likely(ustack_ops_are_plain(ustack_ref_ops(t, rule))))
		return rule;
	return ustack_lookup_keys(t, (u32)rel);
}

#endif /* USTACK_CORE_LOOKUP_H */
