// SPDX-License-Identifier: GPL-2.0-only
/* The proof of a whole section, see verify.h. */
#include "verify.h"

#include "sframe_format.h"
#include "table.h"

static u32 align8(u32 v)
{
	return (v + 7) & ~7u;
}

/*
 * Finds the part at or after @off. Bytes after the last part are padding unless
 * they start with the magic. Return: USTACK_OK; EMPTY if there is no other
 * part; or why its header is wrong.
 */
static enum ustack_reason next_part(const struct ustack_section *sec, u32 off,
				    struct ustack_part *part)
{
	off = align8(off);
	if (off + SFRAME_HEADER_LEN > sec->len ||
	    ustack_le16(sec->bytes + off) != SFRAME_MAGIC)
		return USTACK_EMPTY;
	return ustack_decode_part(sec->bytes, off, sec->len, sec->arch, part);
}

bool ustack_section_pause(struct ustack_section *sec)
{
	if (!sec->killed)
		sec->killed = ustack_resched_or_abort();
	sec->steps = sec->killed ? USTACK_MAX_STEPS : 0;
	return sec->killed;
}

/*
 * Return: number of bytes that are in no hole; fewer when the task is killed.
 */
static u32 count_content(struct ustack_section *sec)
{
	const u8 *p = sec->bytes, *end = p + sec->len, *stop;
	u32 content = 0, len;
	u64 any;

	for (; p != end; p = stop) {
		len = (u32)(end - p);
		if (len > USTACK_HOLE_BYTES)
			len = USTACK_HOLE_BYTES;
		stop = p + len;
		for (any = 0; stop - p >= 8; p += 8)
			any |= ustack_le64(p);
		while (p != stop)
			any |= *p++;
		content += any ? len : 0;
		if (ustack_section_worked(sec, 1))
			break;
	}
	return content;
}

enum ustack_reason ustack_section_open(struct ustack_section *sec, u32 *bad_off)
{
	enum ustack_reason reason;
	struct ustack_part part;
	u64 fdes = 0, fde_bytes = 0, rows = 0;

	if (bad_off)
		*bad_off = 0;
	sec->report = (struct ustack_report){ 0 };
	sec->steps = 0;
	sec->killed = false;
	if (sec->len > USTACK_MAX_SECTION)
		return USTACK_TOO_LARGE;
	reason = ustack_decode_part(sec->bytes, 0, sec->len, sec->arch, &part);
	if (reason)
		return reason;
	do {
		sec->report.parts++;
		fdes += part.nr_fdes;
		fde_bytes += (u64)part.nr_fdes * part.fde_len;
		/* The shortest row has a start byte and an info byte. */
		rows += (part.end - part.fres) / 2;
	} while (!ustack_section_worked(sec, 1) &&
		 !next_part(sec, part.end, &part));
	sec->content = count_content(sec);
	if (sec->killed)
		return USTACK_INTERRUPTED;
	if (!fdes)
		return USTACK_EMPTY;
	if (fde_bytes > sec->content)
		return USTACK_BAD_HEADER;
	if (rows > sec->content / 2)
		rows = sec->content / 2;
	/* Both are bounded by the section's bytes: no overflow. */
	sec->nr_fdes = (u32)fdes;
	sec->max_rows = (u32)rows;
	sec->report.functions = sec->nr_fdes;
	return USTACK_OK;
}

/*
 * Return: upper limit of the rules. Rule 0 is "no row"; a pc-mask function
 * takes one more than its rows.
 */
static u32 max_rules(const struct ustack_section *sec)
{
	u64 n = 1 + (u64)sec->max_rows * 2 + sec->nr_fdes;

	return n < USTACK_MAX_RULES + 1 ? (u32)n : USTACK_MAX_RULES + 1;
}

/* Return: a power of two, at least twice the number of rules. */
static u32 hash_slots(u32 rules)
{
	u32 n = 16;

	while (n < rules * 2)
		n *= 2;
	return n;
}

u64 ustack_section_scratch(const struct ustack_section *sec)
{
	u32 rules = max_rules(sec);

	return (u64)sec->nr_fdes * sizeof(struct ustack_func) +
	       (u64)rules * sizeof(struct ustack_rule) +
	       (u64)hash_slots(rules) * sizeof(u16);
}

static void carve_scratch(struct ustack_section *sec, void *scratch)
{
	sec->max_rules = max_rules(sec);
	sec->funcs = scratch;
	sec->rules = (struct ustack_rule *)(sec->funcs + sec->nr_fdes);
	sec->hash = (u16 *)(sec->rules + sec->max_rules);
	sec->hash_mask = hash_slots(sec->max_rules) - 1;
}

static void lose(struct ustack_section *sec, u32 off, enum ustack_reason reason)
{
	if (!sec->report.lost++) {
		sec->report.bad_reason = reason;
		sec->report.bad_off = off;
	}
}

static bool in_text(const struct ustack_section *sec,
		    const struct ustack_func *func)
{
	unsigned int i;

	for (i = 0; i < sec->nr_text; i++)
		if (func->start >= sec->text[i].start &&
		    func->start < sec->text[i].end &&
		    func->size <= sec->text[i].end - func->start)
			return true;
	return false;
}

/*
 * Compares by start, then by place in the section, so that the order is total.
 */
static bool func_before(const struct ustack_func *a, const struct ustack_func *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	return a->field < b->field;
}

static void swap_funcs(struct ustack_func *a, struct ustack_func *b)
{
	struct ustack_func tmp = *a;

	*a = *b;
	*b = tmp;
}

static void insertion_sort(struct ustack_func *f, u32 n)
{
	u32 i, j;

	for (i = 1; i < n; i++)
		for (j = i; j > 0 && func_before(&f[j], &f[j - 1]); j--)
			swap_funcs(&f[j], &f[j - 1]);
}

/*
 * Return: bit @bit of the key that func_before() compares: 64 bits of start, 32
 * of place.
 */
static bool key_bit(const struct ustack_func *f, unsigned int bit)
{
	return (bit < 32 ? f->field >> bit : f->start >> (bit - 32)) & 1;
}

/* Moves functions whose @bit is clear to the front. Return: their number. */
static u32 split_by_bit(struct ustack_section *sec, struct ustack_func *f, u32 n,
			unsigned int bit)
{
	u32 lo = 0, hi = n;

	while (lo < hi && !ustack_section_worked(sec, 1)) {
		if (!key_bit(&f[lo], bit))
			lo++;
		else
			swap_funcs(&f[lo], &f[--hi]);
	}
	return lo;
}

/*
 * Radix exchange: in place, no recursion, at most one sequential pass for each
 * of the key's bits, whatever the input. After a split, the upper half waits;
 * waiting halves have distinct bits, so there are at most 96. When the task is
 * killed it ends early, and the order means nothing.
 */
static void sort_funcs(struct ustack_section *sec)
{
	u32 waiting_end[96], lo = 0, end = sec->nr_funcs, i;
	struct ustack_func *f = sec->funcs;
	unsigned int depth = 0, bit = 32;
	u8 waiting_bit[96];
	u64 differ = 0;

	for (i = 1; i < end && !ustack_section_worked(sec, 1); i++)
		differ |= f[i].start ^ f[0].start;
	for (; differ; differ >>= 1)
		bit++;
	for (;;) {
		while (end - lo > 16 && bit) {
			bit--;
			waiting_end[depth] = end;
			waiting_bit[depth++] = (u8)bit;
			end = lo + split_by_bit(sec, f + lo, end - lo, bit);
		}
		insertion_sort(f + lo, end - lo);
		if (!depth || ustack_section_worked(sec, end - lo))
			return;
		lo = end;
		end = waiting_end[--depth];
		bit = waiting_bit[depth];
	}
}

/* Return: whether @a reaches into @b, which follows it in ascending order. */
static bool overlap(const struct ustack_func *a, const struct ustack_func *b)
{
	return b->start - a->start < a->size;
}

/* One reading of all function entries, under one anchor. */
struct reading {
	enum ustack_anchor anchor;
	u32 outside;	/* functions outside the text */
	u32 overlaps;	/* functions that reach into the next one */
	bool sorted;	/* ascending as stored */
	bool promised;	/* every part claims to be sorted */
	bool guessed;	/* a part's flags leave the anchor open */
};

static bool part_is_pcrel(const struct ustack_part *part)
{
	return part->flags & SFRAME_F_FDE_FUNC_START_PCREL;
}

static void gather(struct ustack_section *sec, enum ustack_anchor anchor,
		   struct reading *r)
{
	struct ustack_report *report = &sec->report;
	struct ustack_part part = { 0 };
	enum ustack_reason reason = USTACK_OK;
	struct ustack_func *f;
	u64 last = 0;
	u32 i, off = 0;

	*r = (struct reading){ .anchor = anchor, .sorted = true, .promised = true };
	sec->nr_funcs = 0;
	report->lost = 0;
	report->bad_reason = USTACK_OK;
	while (!ustack_section_worked(sec, 1) &&
	       !(reason = next_part(sec, off, &part))) {
		off = part.end;
		r->promised &= part.flags & SFRAME_F_FDE_SORTED;
		r->guessed |= !part_is_pcrel(&part);
		for (i = 0; i < part.nr_fdes; i++) {
			if (ustack_section_worked(sec, 1))
				return;
			f = &sec->funcs[sec->nr_funcs];
			reason = ustack_decode_func(sec->bytes, &part, i,
						    sec->vaddr,
						    part_is_pcrel(&part) ?
							    USTACK_ANCHOR_FIELD :
							    anchor, f);
			if (reason) {
				lose(sec, part.fdes + i * part.fde_len, reason);
				continue;
			}
			if (!f->size)
				continue;
			r->sorted &= f->start >= last;
			last = f->start;
			r->outside += !in_text(sec, f);
			sec->nr_funcs++;
		}
	}
	if (sec->killed)
		return;
	/* The parts before a broken one are whole; those after it are lost. */
	if (reason != USTACK_EMPTY)
		lose(sec, align8(off), reason);
}

/* Sorts the functions that gather() has read, and counts overlaps. */
static void settle(struct ustack_section *sec, struct reading *r)
{
	u32 i;

	if (!r->sorted)
		sort_funcs(sec);
	for (i = 1; i < sec->nr_funcs && !ustack_section_worked(sec, 1); i++)
		r->overlaps += overlap(&sec->funcs[i - 1], &sec->funcs[i]);
}

/*
 * Return: whether a reading could be the right one. With the wrong anchor,
 * addresses drift by one entry's length (17 to 20 bytes) from function to
 * function, while the padding between functions is shorter: most of them
 * overlap, leave the text, or are not in the promised order.
 */
static bool plausible(const struct ustack_section *sec, const struct reading *r)
{
	return !r->outside && (r->sorted || !r->promised) &&
	       r->overlaps <= sec->nr_funcs / 4;
}

/*
 * Chooses the anchor of V1 and V2 without PCREL: ld <= 2.44 anchors starts at
 * the section when it links, and sets SORTED. Sections that it did not merge
 * (another linker, more than one part, ld -r) keep the assembler's field
 * anchor.
 */
static enum ustack_reason choose_anchor(struct ustack_section *sec)
{
	enum ustack_anchor other;
	struct reading first, second;

	gather(sec, USTACK_ANCHOR_SECTION, &first);
	if (first.guessed && (!first.promised || sec->report.parts > 1))
		gather(sec, USTACK_ANCHOR_FIELD, &first);
	settle(sec, &first);
	sec->report.reanchored = first.guessed &&
				 first.anchor == USTACK_ANCHOR_FIELD;
	sec->report.resorted = !first.sorted;
	if (plausible(sec, &first))
		return USTACK_OK;
	if (first.guessed) {
		other = first.anchor == USTACK_ANCHOR_SECTION ?
				USTACK_ANCHOR_FIELD : USTACK_ANCHOR_SECTION;
		gather(sec, other, &second);
		settle(sec, &second);
		if (plausible(sec, &second)) {
			sec->report.reanchored = other == USTACK_ANCHOR_FIELD;
			sec->report.resorted = !second.sorted;
			return USTACK_OK;
		}
		gather(sec, first.anchor, &first);
		settle(sec, &first);
	}
	/* Some remains of discarded sections are normal, a majority is not. */
	return first.outside <= sec->nr_funcs / 2 ? USTACK_OK :
						    USTACK_BAD_ANCHOR;
}

/*
 * Return: whether PLT rows are known to be wrong on AMD64. With ld 2.40: all
 * but plain .plt; of these, .plt.sec has PLT0's two rows. With every version:
 * .plt.got, 8 bytes an entry or 16 with IBT, has SP + 16, although no PLT entry
 * starts after a push. Without a row, step recognises PLT code by its bytes.
 */
static bool is_plt_bug(const struct ustack_section *sec,
		       const struct ustack_func *func)
{
	struct ustack_cursor c;
	struct ustack_row row;

	if (!sec->arch->ra_fixed)
		return false;
	if (func->version == 1 && func->is_mask)
		return true;
	ustack_rows_init(&c, sec->bytes, func);
	if (!func->nr_rows || ustack_decode_row(&c, func, sec->arch, &row) ||
	    row.rule.cfa != USTACK_OP_SP || row.rule.cfa_off != 16)
		return false;
	if (func->is_mask)
		return true;
	return func->version == 1 && func->size == 16 && func->nr_rows == 2 &&
	       !ustack_decode_row(&c, func, sec->arch, &row) &&
	       row.start == 6 && row.rule.cfa_off == 24;
}

/* @bytes: sum of the bytes of rows in all functions so far. */
static enum ustack_reason check_rows(struct ustack_section *sec,
				     const struct ustack_func *func, u64 *bytes)
{
	u32 i, last = 0, limit = func->is_mask ? func->block : func->size;
	struct ustack_cursor c;
	struct ustack_row row;
	enum ustack_reason reason = USTACK_OK;

	ustack_rows_init(&c, sec->bytes, func);
	for (i = 0; i < func->nr_rows; i++) {
		if (ustack_section_worked(sec, 1))
			return USTACK_INTERRUPTED;
		reason = ustack_decode_row(&c, func, sec->arch, &row);
		if (!reason && row.start < last)
			reason = USTACK_ROW_ORDER;
		if (reason)
			break;
		sec->report.dup_rows += i && row.start == last;
		sec->report.tail_rows += row.start >= limit;
		last = row.start;
	}
	*bytes += c.pos - func->rows;
	return *bytes > sec->content ? USTACK_SHARED_ROWS : reason;
}

static enum ustack_reason check_func(struct ustack_section *sec,
				     const struct ustack_func *func, u64 *bytes)
{
	if (!in_text(sec, func))
		return USTACK_OUTSIDE_TEXT;
	if (func->start & (sec->arch->insn_align - 1))
		return USTACK_BAD_FDE;
	if (is_plt_bug(sec, func))
		return USTACK_PLT_BUG;
	return check_rows(sec, func, bytes);
}

/* @func ends where @next, which follows it, starts. */
static void count_cut(struct ustack_report *report, const struct ustack_func *func,
		      const struct ustack_func *next)
{
	report->overlaps++;
	if (func->nr_rows)
		report->covered -= func->start + func->size - next->start;
}

/*
 * Each row must have bytes of its own, in no hole. Without this bound, many
 * functions that share the same rows would make the work quadratic and the
 * table large. First the claims of the entries are checked, so that a wrong
 * count is never counted to; then the bytes that were read.
 */
static enum ustack_reason check_funcs(struct ustack_section *sec)
{
	u64 rows = 0, bytes = 0, end;
	enum ustack_reason reason;
	struct ustack_func *f;
	u32 i, kept = 0;

	for (i = 0; i < sec->nr_funcs && !ustack_section_worked(sec, 1); i++)
		rows += sec->funcs[i].nr_rows;
	if (!sec->killed && rows > sec->max_rows)
		return USTACK_SHARED_ROWS;
	sec->end = 0;
	for (i = 0; i < sec->nr_funcs; i++) {
		if (ustack_section_worked(sec, 1))
			return USTACK_INTERRUPTED;
		f = &sec->funcs[i];
		reason = check_func(sec, f, &bytes);
		if (reason == USTACK_INTERRUPTED || reason == USTACK_SHARED_ROWS)
			return reason;
		if (reason) {
			lose(sec, f->field, reason);
			continue;
		}
		sec->report.no_info += !f->nr_rows;
		sec->report.rows += f->nr_rows;
		sec->report.covered += f->nr_rows ? f->size : 0;
		if (kept && overlap(&sec->funcs[kept - 1], f))
			count_cut(&sec->report, &sec->funcs[kept - 1], f);
		end = f->start + f->size;
		if (end > sec->end)
			sec->end = end;
		sec->funcs[kept++] = *f;
	}
	sec->nr_funcs = kept;
	return kept ? USTACK_OK : USTACK_EMPTY;
}

/* Return: bytes of text that a table may span: see USTACK_FREE_TEXT_SPAN. */
static u64 max_span(const struct ustack_section *sec)
{
	u64 span = USTACK_FREE_TEXT_SPAN +
		   ((u64)sec->content / sizeof(u32) << USTACK_BUCKET_SHIFT);

	return span < USTACK_MAX_TEXT_SPAN ? span : USTACK_MAX_TEXT_SPAN;
}

bool ustack_section_is_partial(const struct ustack_section *sec)
{
	u64 text = 0;
	unsigned int i;

	for (i = 0; i < sec->nr_text; i++)
		text += sec->text[i].end - sec->text[i].start;
	return sec->report.covered < text / 10 * 9;
}

enum ustack_reason ustack_verify(struct ustack_section *sec, void *scratch)
{
	enum ustack_reason reason;

	carve_scratch(sec, scratch);
	reason = choose_anchor(sec);
	if (sec->killed)
		return USTACK_INTERRUPTED;
	if (!reason)
		reason = check_funcs(sec);
	if (reason)
		return reason;
	sec->base = sec->funcs[0].start & ~(u64)0xff;
	return sec->end - sec->base > max_span(sec) ? USTACK_TEXT_SPAN :
						      USTACK_OK;
}
