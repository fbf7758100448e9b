// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compile: see compile.h. Both passes run the same walk over functions and rows
 * (emit_*); they differ only in whether a row is counted or also written.
 */
#include "compile.h"

#include "hash.h"
#include "bounds.h"
#include "popped.h"

/*
 * A row waits in @pending_rel and @pending_rule until the next one has a later
 * start: of rows with equal starts the last one counts. The first one that
 * waits is all zero: no rule at offset 0.
 */
struct emit {
	struct ustack_section *sec;
	struct ustack_table *table;	/* NULL in the first pass */
	u32 nr_keys;
	u32 nr_rare;		/* rows whose rule needs USTACK_RARE_RULE */
	u32 next_bucket;	/* first index entry not yet written */
	u32 next_block;		/* the same for blocks */
	u32 last_rule;		/* rule of the last row written */
	u32 last_rel;
	u32 pending_rel;
	u32 pending_rule;
	u16 recent[64];		/* palette indices, by recent_slot() */
};

/*
 * Palette index of @rule, which is added if it is new; 0 if the palette is
 * full, or if no slot was found in USTACK_MAX_PROBES (see there). Double
 * hashing: rules that share the first slot differ in the next ones.
 */
static u32 palette_search(struct ustack_section *sec,
			  const struct ustack_rule *rule)
{
	u64 h = ustack_siphash(sec->key, ustack_le64(rule),
			       ustack_le64((const u8 *)rule + 8));
	u32 slot = (u32)h, step = (u32)(h >> 32) | 1, probes;
	u16 *at;

	for (probes = 0; probes < USTACK_MAX_PROBES; probes++) {
		at = &sec->hash[slot & sec->hash_mask];
		if (!*at)
			break;
		if (ustack_rule_equal(&sec->rules[*at], rule))
			return *at;
		slot += step;
	}
	if (probes == USTACK_MAX_PROBES || sec->nr_rules == sec->max_rules)
		return 0;
	sec->rules[sec->nr_rules] = *rule;
	*at = (u16)sec->nr_rules;
	return sec->nr_rules++;
}

/*
 * Slot of @rule in @recent, a cache in front of the hash: most rows of real
 * files need no keyed hash. Rules that collide here, also by intent, cost one
 * comparison.
 */
static u32 recent_slot(const struct ustack_rule *rule)
{
	u64 v = ustack_le64(rule) ^ ustack_le64((const u8 *)rule + 8) << 16;

	return (u32)(v * 0x9e3779b97f4a7c15ull >> 58);
}

static u32 palette_index(struct emit *e, const struct ustack_rule *rule)
{
	u16 *at = &e->recent[recent_slot(rule)];

	/* Rule 0 is not the rule of any row. */
	if (!ustack_rule_equal(&e->sec->rules[*at], rule))
		*at = (u16)palette_search(e->sec, rule);
	return *at;
}

/* Sets last_rule for every stretch of the map that lies in [last_rel, @end). */
static void fill_map(struct emit *e, u64 end)
{
	struct ustack_table *t = e->table;
	unsigned int shift = t->map_shift;
	u64 first = ((u64)e->last_rel + (1u << shift) - 1) >> shift;

	if (first < end >> shift)
		memset((u8 *)t + t->map_off + first,
		       e->last_rule < 256 ? (int)e->last_rule : 0,
		       (end >> shift) - first);
}

static void write_rare(struct emit *e, u32 rule)
{
	struct ustack_table *t = e->table;
	struct ustack_rare *rare = (void *)((u8 *)t + t->palette_off +
					    t->nr_rules * USTACK_PALETTE_BYTES);

	((u8 *)t + t->rules_off)[e->nr_keys] = USTACK_RARE_RULE;
	rare[e->nr_rare] = (struct ustack_rare){ e->nr_keys, rule };
}

/* Ends buckets below @buckets and blocks below @blocks at the next key. */
static void end_buckets(struct emit *e, u32 buckets, u32 blocks)
{
	struct ustack_table *t = e->table;
	u16 *block = (u16 *)(t->index + t->nr_buckets + 1);

	while (e->next_bucket < buckets)
		t->index[e->next_bucket++] = e->nr_keys;
	if (t->layout & USTACK_TABLE_WIDE_KEYS)
		return;
	while (e->next_block < blocks)
		block[e->next_block++] = (u16)e->nr_keys;
}

static void write_row(struct emit *e, u32 rel, u32 rule)
{
	struct ustack_table *t = e->table;
	u8 *keys = (u8 *)t + t->keys_off, *rules = (u8 *)t + t->rules_off;

	if (e->nr_keys)
		fill_map(e, rel);
	end_buckets(e, (rel >> USTACK_BUCKET_SHIFT) + 1,
		    (rel >> USTACK_BLOCK_SHIFT) + 1);
	if (t->layout & USTACK_TABLE_WIDE_KEYS)
		((u16 *)keys)[e->nr_keys] = (u16)rel;
	else
		keys[e->nr_keys] = rel & ((1u << USTACK_BLOCK_SHIFT) - 1);
	if (t->layout & USTACK_TABLE_WIDE_RULES)
		((u16 *)rules)[e->nr_keys] = (u16)rule;
	else if (t->layout & USTACK_TABLE_RARE_RULES && rule >= USTACK_RARE_RULE)
		write_rare(e, rule);
	else
		rules[e->nr_keys] = (u8)rule;
}

static void flush(struct emit *e)
{
	/* A row with the same rule as the one before it is not needed. */
	if (e->nr_keys && e->pending_rule == e->last_rule)
		return;
	if (e->table)
		write_row(e, e->pending_rel, e->pending_rule);
	e->last_rule = e->pending_rule;
	e->last_rel = e->pending_rel;
	e->nr_rare += e->pending_rule >= USTACK_RARE_RULE;
	e->nr_keys++;
}

static void emit_row(struct emit *e, u32 rel, u32 rule)
{
	if (e->pending_rel != rel)
		flush(e);
	e->pending_rel = rel;
	e->pending_rule = rule;
}

/*
 * Return: number of rows of a pc-mask function that its block has: distinct
 * starts below its size.
 */
static u32 count_mask_rows(struct ustack_section *sec,
			   const struct ustack_func *func)
{
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i, n = 0, last = 0;

	ustack_rows_init(&c, sec->bytes, func);
	for (i = 0; i < func->nr_rows && !ustack_section_worked(sec, 1); i++) {
		if (ustack_decode_row(&c, func, sec->arch, &row) ||
		    row.start >= func->block)
			break;
		n += !n || row.start != last;
		last = row.start;
	}
	return n;
}

/* Emits a pc-mask function as one row; its block's rows go to the palette. */
static enum ustack_reason emit_mask(struct emit *e,
				    const struct ustack_func *func, u32 rel)
{
	struct ustack_section *sec = e->sec;
	struct ustack_rule *rows;
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i, n = 0, at, rule, room;

	/* At most 255: starts are below the block's size, which is one byte. */
	room = 1 + count_mask_rows(sec, func);
	if (sec->max_rules - sec->nr_rules < room)
		return USTACK_TOO_MANY_RULES;
	at = sec->nr_rules;
	rows = &sec->rules[at + 1];
	memset(&sec->rules[at], 0, room * sizeof(*rows));
	sec->nr_rules += room;

	ustack_rows_init(&c, sec->bytes, func);
	for (i = 0; i < func->nr_rows; i++) {
		if (ustack_section_worked(sec, 1))
			return USTACK_INTERRUPTED;
		if (ustack_decode_row(&c, func, sec->arch, &row))
			break;
		if (row.start >= func->block)
			break;
		rule = palette_index(e, &row.rule);
		if (!rule)
			return USTACK_TOO_MANY_RULES;
		if (!n || (u32)rows[n - 1].cfa_off != row.start)
			n++;
		rows[n - 1] = (struct ustack_rule){
			.cfa_off = (s32)row.start,
			.ra_off = (s32)rule,
		};
	}
	sec->rules[at] = (struct ustack_rule){
		.cfa_off = (s32)rel,
		.ra_off = func->block,
		.fp_off = (s32)n,
		.flags = USTACK_RULE_MASK,
	};
	emit_row(e, rel, at);
	return USTACK_OK;
}

static enum ustack_reason emit_rows(struct emit *e,
				    const struct ustack_func *func, u32 rel,
				    u32 size)
{
	struct ustack_slots slots = { 0 }, before = { 0 };
	struct ustack_section *sec = e->sec;
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i, rule, last = 0;

	ustack_rows_init(&c, sec->bytes, func);
	for (i = 0; i < func->nr_rows; i++) {
		if (ustack_section_worked(sec, 1))
			return USTACK_INTERRUPTED;
		/* Verified: no row fails, and starts ascend. */
		if (ustack_decode_row(&c, func, sec->arch, &row) ||
		    row.start >= size)
			break;
		/*
		 * The previous row with this start does not count: see struct
		 * emit.
		 */
		if (row.start == last)
			slots = before;
		before = slots;
		last = row.start;
		ustack_keep_popped(&slots, sec->arch, &row.rule);
		rule = palette_index(e, &row.rule);
		if (!rule)
			return USTACK_TOO_MANY_RULES;
		emit_row(e, rel + row.start, rule);
	}
	return USTACK_OK;
}

static enum ustack_reason emit_all(struct emit *e)
{
	struct ustack_section *sec = e->sec;
	enum ustack_reason reason;
	struct ustack_func *f;
	u32 i, rel, size;

	for (i = 0; i < sec->nr_funcs; i++) {
		if (ustack_section_worked(sec, 1))
			return USTACK_INTERRUPTED;
		f = &sec->funcs[i];
		rel = (u32)(f->start - sec->base);
		size = f->size;
		/*
		 * Like a binary search by start would find it: the later
		 * function wins.
		 */
		if (i + 1 < sec->nr_funcs && f[1].start - f->start < size)
			size = (u32)(f[1].start - f->start);
		if (!size)
			continue;
		emit_row(e, rel, 0);
		if (f->is_mask && f->nr_rows)
			reason = emit_mask(e, f, rel);
		else
			reason = emit_rows(e, f, rel, size);
		if (reason)
			return reason;
		if (sec->end - sec->base > (u64)rel + size)
			emit_row(e, rel + size, 0);
	}
	flush(e);
	return USTACK_OK;
}

static u64 align_up(u64 v, u32 a)
{
	return (v + a - 1) & ~(u64)(a - 1);
}

static u64 map_len(const struct ustack_table *t)
{
	return ((t->range - 1) >> t->map_shift) + 1;
}

/*
 * Return: shift of the finest map with which the table, @size bytes without it,
 * stays at 4 bytes a row. At 33 to 55 bytes of text a row that is 32 or 64
 * bytes for each entry. 32 answer for 71 to 82 % of the call sites of libc,
 * libstdc++, libcrypto and python, 64 for 55 to 70, 16 would for 82 to 90.
 * Sparse text gets half a byte; small files, whose rules weigh more than their
 * rows, four bytes up to 8 KiB.
 */
static u8 map_shift(const struct ustack_table *t, u64 size)
{
	u64 keys = t->nr_keys, most = (keys + 1) / 2;
	u8 shift = USTACK_MIN_MAP_SHIFT;

	if (4 * keys > size + most)
		most = 4 * keys - size;
	if (most < 8192)
		most = 4 * keys < 8192 ? 4 * keys : 8192;
	while ((u64)(t->range - 1) >> shift >= most)
		shift++;
	return shift;
}

/*
 * Rare rules take one byte less for each row; they are used if that saves at
 * least a page.
 */
static u8 rule_layout(const struct ustack_section *sec)
{
	if (sec->nr_rules <= 256)
		return 0;
	return sec->nr_rare * sizeof(struct ustack_rare) + 4096 <= sec->nr_keys ?
			USTACK_TABLE_RARE_RULES : USTACK_TABLE_WIDE_RULES;
}

static void lay_out(const struct ustack_section *sec, struct ustack_table *t)
{
	u64 keys = sec->nr_keys, at;
	u64 narrow, wide;

	*t = (struct ustack_table){
		.base = sec->base,
		.range = (u32)(sec->end - sec->base),
		.nr_keys = sec->nr_keys,
		.nr_rules = sec->nr_rules,
		.arch = sec->arch->id,
	};
	/*
	 * Narrow keys are faster; wide ones avoid a block for every 128 bytes
	 * of empty sparse text.
	 */
	narrow = keys + sizeof(u16) * (u64)(t->range >> USTACK_BLOCK_SHIFT);
	wide = keys * 2;
	if (narrow > 2 * wide)
		t->layout |= USTACK_TABLE_WIDE_KEYS;
	t->layout |= rule_layout(sec);
	t->nr_buckets = ((t->range - 1) >> USTACK_BUCKET_SHIFT) + 1;

	at = sizeof(*t) + sizeof(u32) * ((u64)t->nr_buckets + 1);
	if (!(t->layout & USTACK_TABLE_WIDE_KEYS))
		at += sizeof(u16) * ustack_table_block_ends(t->range);
	t->keys_off = (u32)at;
	at += t->layout & USTACK_TABLE_WIDE_KEYS ? keys * 2 : keys;
	at = align_up(at, 2);
	t->rules_off = (u32)at;
	at += t->layout & USTACK_TABLE_WIDE_RULES ? keys * 2 : keys;
	at = align_up(at, 16);
	t->palette_off = (u32)at;
	at += t->nr_rules * USTACK_PALETTE_BYTES;
	if (t->layout & USTACK_TABLE_RARE_RULES)
		at += sec->nr_rare * sizeof(struct ustack_rare);
	t->map_off = (u32)at;
	t->map_shift = map_shift(t, at);
	t->size = (u32)(at + map_len(t));
}

static void write_palette(const struct ustack_section *sec,
			  struct ustack_table *t)
{
	struct ustack_rule *palette = (void *)((u8 *)t + t->palette_off);
	struct ustack_plain *plain = (void *)(palette + t->nr_rules);
	u32 i;

	memcpy(palette, sec->rules, t->nr_rules * sizeof(*palette));
	for (i = 0; i < t->nr_rules; i++)
		plain[i] = ustack_rule_plain(&palette[i]);
}

enum ustack_reason ustack_compile_size(struct ustack_section *sec, u64 *ret)
{
	struct emit e = { .sec = sec };
	enum ustack_reason reason;
	struct ustack_table t;

	memset(sec->hash, 0, (sec->hash_mask + 1) * sizeof(*sec->hash));
	sec->rules[0] = (struct ustack_rule){ 0 };
	sec->nr_rules = 1;
	reason = emit_all(&e);
	if (reason)
		return reason;
	sec->nr_keys = e.nr_keys;
	sec->nr_rare = e.nr_rare;
	lay_out(sec, &t);
	*ret = t.size;
	return USTACK_OK;
}

enum ustack_reason ustack_compile(struct ustack_section *sec, void *buf)
{
	struct emit e = { .sec = sec, .table = buf };
	enum ustack_reason reason;

	lay_out(sec, buf);
	/* The same walk rebuilds the palette, so indices are the same. */
	memset(sec->hash, 0, (sec->hash_mask + 1) * sizeof(*sec->hash));
	sec->nr_rules = 1;
	memset((u8 *)buf + e.table->map_off, 0, map_len(e.table));
	reason = emit_all(&e);
	if (reason)
		return reason;
	/*
	 * Nothing after the range is looked up, so the last stretch is filled
	 * to its end.
	 */
	fill_map(&e, map_len(e.table) << e.table->map_shift);
	end_buckets(&e, e.table->nr_buckets + 1,
		    ustack_table_block_ends(e.table->range));
	write_palette(sec, e.table);
	return USTACK_OK;
}
