/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verify: is this section true? One proof of every offset, count, order and
 * address, over a private snapshot of its bytes. What verify has accepted,
 * compile turns into a table without asking again.
 *
 * A wrong header refuses the section. A wrong function loses that function
 * only, because assemblers and linkers in use get single ones wrong; each is
 * counted and the first is named.
 */
#ifndef USTACK_CORE_VERIFY_H
#define USTACK_CORE_VERIFY_H

#include "arch.h"
#include "core_env.h"
#include "decode.h"
#include "bounds.h"
#include "reason.h"

/* Link-time addresses [start, end). */
struct ustack_range {
	u64 start;
	u64 end;
};

/**
 * struct ustack_report - what verify found
 * @bad_reason: why the first function or part was lost, USTACK_OK if none was
 * @bad_off: offset of its entry or header in the section
 * @parts: headers in the section
 * @functions: function entries
 * @rows: frame rows of the functions that were kept
 * @lost: functions dropped: undecodable, rows out of order, outside the text,
 *        known assembler or linker bugs; a later part with a wrong header, and
 *        all behind it, is one more
 * @no_info: functions without rows
 * @overlaps: functions cut at the start of the next one
 * @dup_rows: rows replaced by a later one with the same start
 * @tail_rows: rows at or behind their function's end, ignored
 * @resorted: entries were out of order and have been sorted
 * @reanchored: start fields had another anchor than the flags say
 */
struct ustack_report {
	enum ustack_reason bad_reason;
	u32 bad_off;
	u32 parts;
	u32 functions;
	u32 rows;
	u32 lost;
	u32 no_info;
	u32 overlaps;
	u32 dup_rows;
	u32 tail_rows;
	bool resorted;
	bool reanchored;
};

/**
 * struct ustack_section - one .sframe on its way to a table
 * @bytes: private snapshot, 1-aligned is enough; borrowed until compiled
 * @len: bytes of @bytes; what follows the last part is ignored
 * @vaddr: link-time address of the section
 * @arch: architecture it must be for
 * @text: executable ranges of the image, borrowed
 * @nr_text: number of @text
 * @key: of the palette's hash; random where whoever wrote @bytes must not make
 *       the work long. The table is the same under every key
 * @report: filled by ustack_verify()
 *
 * The caller sets the fields up to @key; the rest belongs to verify and compile.
 */
struct ustack_section {
	const u8 *bytes;
	u32 len;
	u64 vaddr;
	const struct ustack_arch *arch;
	const struct ustack_range *text;
	unsigned int nr_text;
	u64 key[2];

	struct ustack_report report;

	/* private */
	u32 steps;	/* of work since others were let run; full once killed */
	bool killed;	/* the task is: all loops end */
	u32 content;	/* bytes, holes left out: see USTACK_HOLE_BYTES */
	u32 nr_fdes;
	u32 max_rows;
	struct ustack_func *funcs;
	u32 nr_funcs;
	struct ustack_rule *rules;
	u32 max_rules;
	u32 nr_rules;
	u16 *hash;
	u32 hash_mask;
	u64 base;
	u64 end;
	u32 nr_keys;
	u32 nr_rare;
};

/* The end of USTACK_MAX_STEPS, for ustack_section_worked(). */
bool ustack_section_pause(struct ustack_section *sec);

/**
 * ustack_section_worked() - count work, and let others run when it is due
 * @sec: what is worked on
 * @steps: 1 for each row, function, key or block of bytes
 *
 * Return: true when the task is being killed, from then on always.
 */
static __always_inline bool ustack_section_worked(struct ustack_section *sec,
						  u32 steps)
{
	sec->steps += steps;
	return unlikely(sec->steps >= USTACK_MAX_STEPS) &&
	       ustack_section_pause(sec);
}

/**
 * ustack_section_open() - walk the headers
 * @sec: with the caller's fields set
 * @bad_off: offset of the refused header, may be NULL
 *
 * Context: process, may sleep; reads each byte once.
 * Return: USTACK_OK; the reasons of ustack_decode_part(), TOO_LARGE, EMPTY,
 * BAD_HEADER also where function entries lie in holes, INTERRUPTED.
 */
enum ustack_reason ustack_section_open(struct ustack_section *sec, u32 *bad_off);

/**
 * ustack_section_scratch() - working memory for an opened section
 * @sec: opened
 *
 * Return: bytes that verify and compile need, 8-aligned; at most 2 for each byte
 * of the section that is in no hole, plus 1.3 MB.
 */
u64 ustack_section_scratch(const struct ustack_section *sec);

/**
 * ustack_verify() - prove an opened section
 * @sec: opened; @sec->report is filled in either case
 * @scratch: ustack_section_scratch() bytes, 8-aligned; in use until the section
 *           has been compiled or given up
 *
 * Context: process, may sleep; reads each function's rows once.
 * Return: USTACK_OK; BAD_ANCHOR, SHARED_ROWS, TEXT_SPAN, EMPTY when no function
 * is left, or INTERRUPTED.
 */
enum ustack_reason ustack_verify(struct ustack_section *sec, void *scratch);

#endif /* USTACK_CORE_VERIFY_H */
