// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds ranges of functions in .eh_frame_hdr, which lists all entries sorted by address.
 * Read is its version 1 with the encodings that linkers write.
 */
#include "symbols/lang/eval_ranges.h"

#include <string.h>

#include "sframe/x86_insn.h"
#include "util/cleanup.h"

#define MAX_CODE (1u << 20)
#define MAX_ENTRIES (1u << 20)

/* Version; encodings of the section's address, the count and the table. */
static const u8 header[4] = { 1, 0x1b, 0x03, 0x3b };

struct entry {
	s32 start;
	s32 fde;
};

/**
 * struct entries - the table of .eh_frame_hdr
 * @e: the file
 * @base: address to which the table's words are relative
 * @entry: entries, sorted by start
 * @nr: number of @entry
 */
struct entries {
	const struct lang_elf *e;
	u64 base;
	struct entry *entry;
	u32 nr;
};

static bool read_entries(const struct lang_elf *e, struct entries *ret)
{
	const struct lang_elf_section *s = lang_elf_section(e, ".eh_frame_hdr");
	u8 head[12];
	u32 nr;

	if (!s || s->size < sizeof(head) || !lang_elf_bytes(e, s->addr, head, sizeof(head)) ||
	    memcmp(head, header, sizeof(header)))
		return false;
	memcpy(&nr, head + 8, sizeof(nr));
	if (!nr || nr > MAX_ENTRIES || nr > (s->size - sizeof(head)) / sizeof(struct entry))
		return false;
	*ret = (struct entries){ .e = e, .base = s->addr, .nr = nr,
				 .entry = calloc(nr, sizeof(struct entry)) };
	return ret->entry &&
	       lang_elf_bytes(e, s->addr + sizeof(head), ret->entry, nr * sizeof(struct entry));
}

/* The range of entry @i: its FDE has the start and then the size, 4 bytes each. */
static bool range_of(const struct entries *t, u32 i, struct range *ret)
{
	u64 fde = t->base + (s64)t->entry[i].fde, start = t->base + (s64)t->entry[i].start;
	u32 word[4];	/* length, CIE, start relative to its own place, size */

	if (!lang_elf_bytes(t->e, fde, word, sizeof(word)) ||
	    fde + 8 + (s64)(s32)word[2] != start)
		return false;
	*ret = (struct range){ start, start + word[3] };
	return true;
}

/* Finds the entry that contains @addr. */
static bool entry_of(const struct entries *t, u64 addr, struct range *ret)
{
	u32 lo = 0, hi = t->nr, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (t->base + (s64)t->entry[mid].start <= addr)
			lo = mid;
		else
			hi = mid;
	}
	return range_of(t, lo, ret) && addr >= ret->start && addr < ret->end;
}

/* Finds the entry that contains @addr, but does not start there. */
static bool entry_within(const struct entries *t, u64 addr, struct range *ret)
{
	return entry_of(t, addr, ret) && addr > ret->start;
}

static bool is_in(const struct range *r, unsigned int nr, u64 addr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (addr >= r[i].start && addr < r[i].end)
			return true;
	return false;
}

/* Adds the ranges that the code of @range jumps into. Return: number of ranges in @ret. */
static unsigned int add_targets(const struct entries *t, struct range range,
				struct range ret[EVAL_MAX_RANGES], unsigned int nr)
{
	u64 len = range.end - range.start, at = 0;
	_cleanup_(cleanup_free) u8 *code = len > MAX_CODE ? NULL : malloc(len + 1);
	struct x86_insn insn;
	struct range part;

	if (!code || !lang_elf_bytes(t->e, range.start, code, len))
		return nr;
	for (; at < len && x86_insn_read(code + at, len - at, range.start + at, &insn); at += insn.len) {
		if ((insn.kind != X86_BRANCH && insn.kind != X86_JUMP) || !insn.to ||
		    is_in(ret, nr, insn.to) || nr == EVAL_MAX_RANGES)
			continue;
		if (entry_within(t, insn.to, &part))
			ret[nr++] = part;
	}
	return nr;
}

unsigned int eval_ranges(const struct lang_elf *e, u64 start, u64 size,
			 struct range ret[EVAL_MAX_RANGES])
{
	struct entries t = { .e = e };
	unsigned int nr = 1, i;

	ret[0] = (struct range){ start, start + size };
	if (e->head.arch == &ustack_arch_x86_64 && read_entries(e, &t))
		for (i = 0; i < nr; i++)
			nr = add_targets(&t, ret[i], ret, nr);
	free(t.entry);
	return nr;
}

bool eval_function(const struct lang_elf *e, u64 start, struct range *ret)
{
	struct entries t = { .e = e };
	bool found = read_entries(e, &t) && entry_of(&t, start, ret) && ret->start == start;

	free(t.entry);
	return found;
}
