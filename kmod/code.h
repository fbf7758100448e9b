/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code: what an image is unwound by. The table, and how file offsets become
 * the link-time addresses that it is keyed by. Built privately, published once,
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
 * @rcu: for the free
 * @payer: who is charged @bytes
 * @bytes: memory of this object
 * @rows: frame rows that the section had
 * @lost: functions that have no rows because they are wrong
 * @delta: link-time address minus file offset, of the first segment
 * @nr_more: further segments whose delta is another one
 * @more: these
 * @table: 8-aligned behind the fixed part
 */
struct ustack_code {
	struct rcu_head rcu;
	struct ustack_payer *payer;
	size_t bytes;
	u32 rows;
	u32 lost;
	u64 delta;
	u32 nr_more;
	struct ustack_code_segment more[USTACK_MAX_SEGMENTS - 1];
	struct ustack_table table;
};

/* What building found out, for events, tracepoints and people. */
struct ustack_build {
	enum ustack_reason reason;	/* USTACK_OK: there is a table */
	u32 bad_off;
	u32 functions;
	u32 lost;
	u32 rows;
	u64 need;			/* BUDGET: bytes of the table */
};

/**
 * ustack_code_build() - verify and compile a section
 * @bytes: private snapshot of the section
 * @len: bytes of @bytes
 * @vaddr: link-time address of the section
 * @elf: segments of the image
 * @payer: who is charged for the table before it is allocated
 * @build: filled in either case
 *
 * Context: process, may sleep. Memory is charged to the task's control group.
 * Return: the code, owned by the caller (ustack_code_free()); NULL with @build->reason,
 * INTERRUPTED when the current task is being killed: then nothing is known about the
 * section.
 */
struct ustack_code *ustack_code_build(const u8 *bytes, u32 len, u64 vaddr,
				      const struct ustack_elf *elf,
				      struct ustack_payer *payer,
				      struct ustack_build *build);

/* Takes @code's charge back and frees it after a grace period. NULL is ignored.
 * Context: any but NMI.
 */
void ustack_code_free(struct ustack_code *code);

/**
 * ustack_code_lookup() - the rule at a file offset
 * @code: under RCU
 * @off: offset of the pc in the image
 *
 * Context: NMI-safe: at most USTACK_MAX_SEGMENTS rounds and one table lookup.
 * Return: the rule, valid under RCU; NULL where there is no row.
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
