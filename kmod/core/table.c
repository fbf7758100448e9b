// SPDX-License-Identifier: GPL-2.0-only
/* The check of a table's structure, for tests and debugging. */
#include "table.h"

#include "bounds.h"
#include "lookup.h"

/* Return: offset that the keys must have. */
static u64 keys_off(const struct ustack_table *t)
{
	u64 off = sizeof(*t) + sizeof(u32) * ((u64)t->nr_buckets + 1);

	if (!(t->layout & USTACK_TABLE_WIDE_KEYS))
		off += sizeof(u16) * ustack_table_block_ends(t->range);
	return off;
}

static bool layout_fits(const struct ustack_table *t, u64 size)
{
	unsigned int key_bytes = t->layout & USTACK_TABLE_WIDE_KEYS ? 2 : 1;
	unsigned int rule_bytes = t->layout & USTACK_TABLE_WIDE_RULES ? 2 : 1;

	return t->size <= size && t->nr_keys && t->nr_rules &&
	       t->nr_rules <= USTACK_MAX_RULES + 1 && t->range &&
	       t->nr_buckets == ((t->range - 1) >> USTACK_BUCKET_SHIFT) + 1 &&
	       t->keys_off == keys_off(t) &&
	       !(t->rules_off % rule_bytes) && !(t->palette_off % 4) &&
	       t->keys_off + (u64)t->nr_keys * key_bytes <= t->rules_off &&
	       t->rules_off + (u64)t->nr_keys * rule_bytes <= t->palette_off &&
	       t->palette_off + (u64)t->nr_rules * USTACK_PALETTE_BYTES <=
		       t->map_off &&
	       t->map_shift >= USTACK_MIN_MAP_SHIFT && t->map_shift < 32 &&
	       t->map_off + ((u64)(t->range - 1) >> t->map_shift) < t->size;
}

/* Return: whether the @n keys from @lo on ascend. */
static bool keys_ascend(const struct ustack_table *t, u32 lo, u32 n)
{
	const u8 *keys = ustack_table_keys(t);
	u32 i;

	for (i = lo + 1; i < lo + n; i++)
		if (t->layout & USTACK_TABLE_WIDE_KEYS ?
		    ((const u16 *)keys)[i] <= ((const u16 *)keys)[i - 1] :
		    keys[i] <= keys[i - 1])
			return false;
	return true;
}

static bool buckets_are_sound(const struct ustack_table *t)
{
	u32 b, n;

	for (b = 0; b < t->nr_buckets; b++) {
		n = t->index[b + 1] - t->index[b];
		if (t->index[b] > t->index[b + 1] ||
		    t->index[b + 1] > t->nr_keys || !keys_ascend(t, t->index[b], n))
			return false;
	}
	return true;
}

/*
 * Checks that each block's keys follow those of the block before, and that
 * buckets begin where their first block begins: so a lookup combines both
 * correctly.
 */
static bool blocks_are_sound(const struct ustack_table *t)
{
	const u16 *blocks = ustack_table_blocks(t);
	u32 b, n, lo = 0, nr = ustack_table_block_ends(t->range) - 1;
	const u32 each = 1u << (USTACK_BUCKET_SHIFT - USTACK_BLOCK_SHIFT);

	for (b = 0; b < nr; b++) {
		n = (u16)(blocks[b + 1] - blocks[b]);
		if (blocks[b] != (u16)lo || n > t->nr_keys - lo ||
		    (b % each == 0 && t->index[b / each] != lo) ||
		    !keys_ascend(t, lo, n))
			return false;
		lo += n;
		if (n && ustack_table_keys(t)[lo - 1] >> USTACK_BLOCK_SHIFT)
			return false;
	}
	return lo == t->nr_keys;
}

static bool keys_are_sound(const struct ustack_table *t)
{
	const u8 *keys = ustack_table_keys(t);

	if (t->index[0] || t->index[t->nr_buckets] != t->nr_keys)
		return false;
	/* Row 0 is at offset 0, so a lookup never finds "before the first". */
	if (t->layout & USTACK_TABLE_WIDE_KEYS)
		return buckets_are_sound(t) && t->index[1] &&
		       !*(const u16 *)keys;
	return blocks_are_sound(t) && ustack_table_blocks(t)[1] && !keys[0];
}

/*
 * Checks that each rare row has its entry, and no entry belongs to another row.
 */
static bool rare_is_sound(const struct ustack_table *t)
{
	const u8 *rules = (const u8 *)t + t->rules_off;
	const struct ustack_rare *rare;
	u32 i, nr, seen = 0;

	rare = ustack_table_rare(t, &nr);
	if (!(t->layout & USTACK_TABLE_RARE_RULES))
		return true;
	if (t->layout & USTACK_TABLE_WIDE_RULES)
		return false;
	for (i = 0; i < t->nr_keys; i++) {
		if (rules[i] != USTACK_RARE_RULE)
			continue;
		if (seen == nr || rare[seen].row != i)
			return false;
		seen++;
	}
	return seen == nr;
}

/* Checks that the rules for strides agree with the palette. */
static bool plain_is_sound(const struct ustack_table *t)
{
	const struct ustack_rule *palette = ustack_table_palette(t);
	struct ustack_plain plain;
	u32 i;

	for (i = 0; i < t->nr_rules; i++) {
		plain = ustack_rule_plain(&palette[i]);
		if (memcmp(&ustack_table_plain(t)[i], &plain, sizeof(plain)))
			return false;
	}
	/* 0 in the map leads to the keys because rule 0 is plain in neither. */
	return !ustack_table_plain(t)[0].cfa &&
	       !ustack_ops_are_plain(ustack_rule_ops(palette));
}

static bool mask_is_sound(const struct ustack_table *t, u32 at)
{
	const struct ustack_rule *palette = ustack_table_palette(t);
	u32 i, n = (u32)palette[at].fp_off, to;

	if (palette[at].ra_off <= 0 || n >= t->nr_rules - at)
		return false;
	for (i = 1; i <= n; i++) {
		to = (u32)palette[at + i].ra_off;
		if (to >= t->nr_rules || palette[to].flags & USTACK_RULE_MASK)
			return false;
	}
	return true;
}

/*
 * Checks that a rule in the map is the keys' rule for every pc of the stretch.
 */
static bool map_is_sound(const struct ustack_table *t)
{
	const u8 *map = ustack_table_map(t);
	u32 i, last, row, end = (t->range - 1) >> t->map_shift;

	for (i = 0; i <= end; i++) {
		if (!map[i])
			continue;
		last = (u32)((((u64)i + 1) << t->map_shift) - 1);
		if (last >= t->range)
			last = t->range - 1;
		row = ustack_table_row(t, i << t->map_shift);
		if (row != ustack_table_row(t, last) ||
		    ustack_table_rule_index(t, row) != map[i])
			return false;
	}
	return true;
}

enum ustack_reason ustack_table_check(const struct ustack_table *t, u64 size)
{
	u32 i, rule;

	if (size < sizeof(*t) || !layout_fits(t, size) || !keys_are_sound(t) ||
	    !plain_is_sound(t) || !rare_is_sound(t))
		return USTACK_BAD_HEADER;
	for (i = 0; i < t->nr_keys; i++) {
		rule = ustack_table_rule_index(t, i);
		if (rule >= t->nr_rules)
			return USTACK_BAD_HEADER;
		if (ustack_table_palette(t)[rule].flags & USTACK_RULE_MASK &&
		    !mask_is_sound(t, rule))
			return USTACK_BAD_HEADER;
	}
	return map_is_sound(t) ? USTACK_OK : USTACK_BAD_HEADER;
}
