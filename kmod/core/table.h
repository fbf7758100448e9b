/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table: the compiled form of a section. Immutable, position independent, one
 * block of memory:
 *
 *   struct ustack_table
 *   u32 index[nr_buckets + 1]   number of the first key of each bucket
 *   u16 blocks[nr_blocks + 1]   the same of each block, low half
 *   u8 or u16 keys[nr_keys]     where a row starts within its block or bucket
 *   u8 or u16 rules[nr_keys]    palette index of each row, 0 = no row
 *   struct ustack_rule palette[nr_rules]
 *   struct ustack_plain plain[nr_rules]  the palette again, for strides
 *   struct ustack_rare rare[]   rows whose rule does not fit in a byte
 *   u8 map[(range - 1 >> map_shift) + 1]  palette index of a stretch of text
 *
 * A bucket is 64 KiB of text, a block 128 bytes. Keys have 1 byte, below 128,
 * so that 8 of them are compared by one subtraction; in sparse text they have 2
 * bytes and there are no blocks. A row reaches to the next row, wherever that
 * is; gaps are rows of rule 0. Key 0 is at offset 0 of bucket 0, so that every
 * pc has a row.
 *
 * The map is a coarse copy of that: if one rule covers a whole stretch of 16,
 * 32 or 64 bytes, its entry is that rule's index, else 0. Most return addresses
 * are in such stretches, as rows change in prologues and epilogues.
 *
 * Cost model: stock text has a row every 50 bytes. The map answers for 70 to 80
 * % of call sites, with two loads that depend on each other, one line of the
 * map and one of the palette; the latter is hot, as a few rules serve most
 * rows. Otherwise a block has 3 keys, one 8-byte load, and a lookup touches a
 * line each of blocks, keys and rules in turn. Bytes a row: 0.78 blocks + 1 key
 * + 1 rule + the rest of 4 for the map; 24 for each distinct rule, 8 for each
 * rare row.
 */
#ifndef USTACK_CORE_TABLE_H
#define USTACK_CORE_TABLE_H

#include "core_env.h"
#include "reason.h"
#include "rule.h"

#define USTACK_TABLE_WIDE_KEYS 0x1u	/* no blocks, 2-byte keys */
#define USTACK_TABLE_WIDE_RULES 0x2u	/* 2-byte palette indices */
#define USTACK_TABLE_RARE_RULES 0x4u	/* 1-byte ones, some of them rare */

/* log2 of the bytes of text for a bucket and a block */
#define USTACK_BUCKET_SHIFT 16u
#define USTACK_BLOCK_SHIFT 7u

/* In rules[] of a table with USTACK_TABLE_RARE_RULES: the rule is in rare[]. */
#define USTACK_RARE_RULE 255u

/* Bytes for each rule: palette and plain */
#define USTACK_PALETTE_BYTES \
	(sizeof(struct ustack_rule) + sizeof(struct ustack_plain))

/*
 * A row with a rule after the first 254; rare[] is in ascending order of rows.
 */
struct ustack_rare {
	u32 row;
	u32 rule;
};

/**
 * struct ustack_table - header
 * @base: link-time address of bucket 0, a multiple of 256
 * @range: bytes of text that the table covers, from @base on
 * @size: bytes of the whole table
 * @nr_keys: number of rows, gaps included
 * @nr_rules: number of palette entries, entry 0 included
 * @nr_buckets: number of entries of the index, without the last one
 * @keys_off: offset of keys from the header
 * @rules_off: offset of rules from the header
 * @palette_off: offset of the palette from the header
 * @layout: USTACK_TABLE_*
 * @arch: enum ustack_arch_id
 * @map_shift: log2 of the bytes of text for each entry of the map
 * @map_off: offset of the map from the header
 */
struct ustack_table {
	u64 base;
	u32 range;
	u32 size;
	u32 nr_keys;
	u32 nr_rules;
	u32 nr_buckets;
	u32 keys_off;
	u32 rules_off;
	u32 palette_off;
	u8 layout;
	u8 arch;
	u8 map_shift;
	u8 pad;
	u32 map_off;
	u32 index[];
};

_Static_assert(sizeof(struct ustack_table) == 48, "no hidden padding");

/*
 * A pc-mask function (PLT) is one row whose palette entry has USTACK_RULE_MASK:
 *   cfa_off  offset of the function from the table's base, as u32
 *   ra_off   bytes of the repeating block
 *   fp_off   rows in the block, n
 * The n palette entries after it are the block's rows, in ascending order:
 *   cfa_off  offset in the block
 *   ra_off   palette index of the row's rule
 */

/**
 * ustack_table_check() - prove a table's own structure
 * @table: the table, 8-aligned
 * @size: number of bytes at @table
 *
 * For tests and debugging: each table of ustack_compile() passes. A table that
 * passes can be searched for every pc without leaving it.
 *
 * Context: any.
 * Return: USTACK_OK or BAD_HEADER.
 */
enum ustack_reason ustack_table_check(const struct ustack_table *table,
				      u64 size);

static __always_inline const struct ustack_rule *
ustack_table_palette(const struct ustack_table *t)
{
	return (const void *)((const u8 *)t + t->palette_off);
}

/* Return: number of entries of the blocks, including the last one. */
static __always_inline u32 ustack_table_block_ends(u32 range)
{
	return ((range - 1) >> USTACK_BLOCK_SHIFT) + 2;
}

/* The blocks follow the index; see USTACK_TABLE_WIDE_KEYS. */
static __always_inline const u16 *
ustack_table_blocks(const struct ustack_table *t)
{
	return (const void *)(t->index + t->nr_buckets + 1);
}

static __always_inline const u8 *ustack_table_keys(const struct ustack_table *t)
{
	return (const u8 *)t + t->keys_off;
}

/*
 * The map's entry [rel >> map_shift] is the palette index for @rel, below
 * @range; if it is 0, which is no plain rule, the keys must be searched.
 */
static __always_inline const u8 *ustack_table_map(const struct ustack_table *t)
{
	return (const u8 *)t + t->map_off;
}

/* The plain rules follow the palette, with an entry for each of its rules. */
static __always_inline const struct ustack_plain *
ustack_table_plain(const struct ustack_table *t)
{
	return (const void *)(ustack_table_palette(t) + t->nr_rules);
}

/*
 * The rare rows are between the plain rules and the map; most tables have none.
 */
static __always_inline const struct ustack_rare *
ustack_table_rare(const struct ustack_table *t, u32 *nr)
{
	u32 off = t->palette_off + t->nr_rules * USTACK_PALETTE_BYTES;

	*nr = (t->map_off - off) / sizeof(struct ustack_rare);
	return (const void *)((const u8 *)t + off);
}

#endif /* USTACK_CORE_TABLE_H */
