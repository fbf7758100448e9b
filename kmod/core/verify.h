/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verify: is this section true? One proof of every offset, count, order and
 * address, over a private snapshot of its bytes. Compile makes a table from an
 * accepted section without checking anything again.
 *
 * A wrong header refuses the section. A wrong function loses only that
 * function, because assemblers and linkers in use get single ones wrong; each
 * is counted, and the first is reported.
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
 * struct ustack_report - the results of verify
 * @bad_reason: why the first function or part was lost; USTACK_OK if none was
 * @bad_off: offset of the entry or header of @bad_reason in the section
 * @parts: number of headers in the section
 * @functions: number of function entries
 * @rows: number of frame rows of the functions that were kept
 * @lost: number of functions that were dropped: undecodable, rows out of order,
 *        outside the text, known assembler or linker bugs; a later part with a
 *        wrong header, together with everything after it, counts as one more
 * @no_info: number of functions without rows
 * @overlaps: number of functions cut at the start of the next one
 * @dup_rows: number of rows replaced by a later one with the same start
 * @tail_rows: number of rows at or after their function's end, which are
 *             ignored
 * @resorted: entries were out of order and have been sorted
 * @reanchored: start fields had another anchor than the flags say
 * @covered: bytes of text in functions with rows, each up to the next function
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
	u64 covered;
};

/**
 * struct ustack_section - one .sframe on its way to a table
 * @bytes: private snapshot, needs no alignment; borrowed until compiled
 * @len: number of @bytes; those after the last part are ignored
 * @vaddr: link-time address of the section
 * @arch: architecture that the section must be for
 * @text: executable ranges of the image, borrowed
 * @nr_text: number of @text
 * @key: key of the palette's hash; random, if the author of @bytes must not be
 *       able to make the work long. The table is the same with every key
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
	u32 steps;	/* steps since others last ran; full once killed */
	bool killed;	/* the task is being killed: all loops end */
	u32 content;	/* bytes without holes: see USTACK_HOLE_BYTES */
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

/* Called after USTACK_MAX_STEPS, by ustack_section_worked(). */
bool ustack_section_pause(struct ustack_section *sec);

/**
 * ustack_section_worked() - count work, and let others run when it is due
 * @sec: the section that is worked on
 * @steps: number of steps: 1 for each row, function, key or block of bytes
 *
 * Return: true when the task is being killed, and from then on always.
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
 * @sec: the section, with the caller's fields set
 * @bad_off: offset of the refused header, may be NULL
 *
 * Context: process, may sleep; reads each byte once.
 * Return: USTACK_OK; the reasons of ustack_decode_part(), TOO_LARGE, EMPTY,
 * BAD_HEADER also if function entries lie in holes, INTERRUPTED.
 */
enum ustack_reason ustack_section_open(struct ustack_section *sec, u32 *bad_off);

/**
 * ustack_section_scratch() - working memory for an opened section
 * @sec: the section, opened
 *
 * Return: bytes that verify and compile need, 8-aligned; at most 2 for each byte
 * of the section that is in no hole, plus 1.3 MB.
 */
u64 ustack_section_scratch(const struct ustack_section *sec);

/**
 * ustack_verify() - prove an opened section
 * @sec: the section, opened; @sec->report is filled in either case
 * @scratch: ustack_section_scratch() bytes, 8-aligned; in use until the section
 *           has been compiled or given up
 *
 * Context: process, may sleep; reads each function's rows once.
 * Return: USTACK_OK; BAD_ANCHOR, SHARED_ROWS, TEXT_SPAN, EMPTY when no function
 * is left, or INTERRUPTED.
 */
enum ustack_reason ustack_verify(struct ustack_section *sec, void *scratch);

/**
 * ustack_section_is_partial() - whether a section leaves out much of the text
 * @sec: the section, verified
 *
 * Objects and archives that were compiled without --gsframe have CFI only, and
 * are linked with others that have both. Start files and PLTs are less than a
 * tenth of the text, except in small programs.
 *
 * Return: whether functions with rows cover less than nine tenths of the text.
 */
bool ustack_section_is_partial(const struct ustack_section *sec);

#endif /* USTACK_CORE_VERIFY_H */
