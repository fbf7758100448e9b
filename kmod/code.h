/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of an image: its table, and how file offsets become the link-time
 * addresses that are the table's keys. Built privately, published once,
 * immutable, freed by RCU.
 */
#ifndef USTACK_CODE_H
#define USTACK_CODE_H

#include <linux/rcupdate.h>

#include "budget.h"
#include "elf.h"
#include "lookup.h"
#include "table.h"
#include "verify.h"

/* One executable segment: file offsets [off, end) are at address off + delta. */
struct ustack_code_segment {
	u64 off;
	u64 end;
	u64 delta;
};

/**
 * struct ustack_code - one image's table and segments
 * @rcu: for freeing after a grace period
 * @payer: payer that is charged @bytes
 * @bytes: bytes of memory of this object
 * @rows: number of frame rows that the section had
 * @lost: number of functions without rows because they are wrong
 * @covered: bytes of text in functions with rows
 * @partial: whether these leave out much of the text: ustack_section_is_partial()
 * @delta: link-time address minus file offset, for the first segment
 * @nr_more: number of further segments with another delta
 * @more: the segments with another delta
 * @table: the table, 8-aligned, after the fixed part
 */
struct ustack_code {
	struct rcu_head rcu;
	struct ustack_payer *payer;
	size_t bytes;
	u32 rows;
	u32 lost;
	u64 covered;
	bool partial;
	u64 delta;
	u32 nr_more;
	struct ustack_code_segment more[USTACK_MAX_SEGMENTS - 1];
	struct ustack_table table;
};

/* The result of a build, for events, tracepoints and people. */
struct ustack_build {
	enum ustack_reason reason;	/* USTACK_OK: there is a table */
	u32 bad_off;
	u32 functions;
	u32 lost;
	u32 rows;
	u64 need;			/* with BUDGET: bytes of the table */
};

/**
 * ustack_code_build() - verify and compile a section
 * @bytes: private snapshot of the section
 * @len: bytes of @bytes
 * @vaddr: link-time address of the section
 * @elf: segments of the image
 * @payer: payer that is charged for the table before it is allocated
 * @build: filled in either case
 *
 * Context: process, may sleep. Memory is charged to the task's control group.
 * Return: the code, owned by the caller (ustack_code_free()); NULL with
 * @build->reason. The reason is INTERRUPTED when the current task is being
 * killed: then nothing is known about the section.
 */
struct ustack_code *ustack_code_build(const u8 *bytes, u32 len, u64 vaddr,
				      const struct ustack_elf *elf,
				      struct ustack_payer *payer,
				      struct ustack_build *build);

/*
 * Ends @code's charge, and frees @code after a grace period. NULL is ignored.
 * Context: any but NMI.
 */
void ustack_code_free(struct ustack_code *code);

/**
 * ustack_code_lookup() - the rule at a file offset
 * @code: the code, under RCU
 * @off: offset of the pc in the image
 *
 * Context: NMI-safe: at most USTACK_MAX_SEGMENTS rounds and one table lookup.
 * Return: the rule, valid under RCU; NULL if there is no row.
 */
static __always_inline const struct ustack_rule *
ustack_code_lookup(const struct ustack_code *code, u64 off)
{
	u64 delta = code->delta;
	u32 i;

	if (unlikely(code->nr_more))
		for (i = 0; i < code->nr_more; i++)
			if (off >= code->more[i].off && off < code->more[i].end)
				delta = code->more[i].delta;
	return ustack_lookup(&code->table, off + delta - code->table.base);
}

#endif /* USTACK_CODE_H */
