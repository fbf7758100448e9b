/* SPDX-License-Identifier: GPL-2.0-only */
/* One file before the judge: its synthesized table's steps against DWARF's. */
#ifndef USTACK_STEPJUDGE_JUDGE_H
#define USTACK_STEPJUDGE_JUDGE_H

#include "core.h"
#include "process.h"
#include "sframe/synth.h"

#define JUDGE_CAUSES 16u	/* of what DWARF's side cannot do */
#define JUDGE_REASONS 32u	/* kmod/core/reason.def: those that end a walk */

struct judge_cause {
	char name[56];
	u64 count;
};

/**
 * struct totals - what was judged
 * @files: ELF files of ours
 * @others: files that are none
 * @failed: files that could not be read or had no table for reasons of ours
 * @fdes: entries of CFI
 * @empty: of them without code
 * @debug_too: of .debug_frame, and in .eh_frame too
 * @rows: libdw's
 * @looked_up: addresses, each in the table
 * @pcs: of them, those that were stepped from
 * @steps: from a frame there, by the step
 * @strides: the same by a stride, which moved
 * @stayed: by a stride that left the frame to the step
 * @ends: of @steps, by reason: all of them DWARF's answer, or what it leaves
 * @any_fp: of @steps, where every frame pointer is right
 * @pc_rows: caller's frames left out, as their CFA depends on the pc: PLT code calls
 *           nobody
 * @calls: addresses stepped from as caller's frames alone: the last bytes of calls
 *         whose callee has saved what the CFA counts from
 * @left_out: addresses without a rule, by the synthesizer's causes
 * @twice: steps that differ where several entries are for the same code
 * @mended: steps that differ in code whose CFI does not count what PLT0 has pushed:
 *          tests/cli has what its rules must be
 * @no_cfi: addresses without CFI that were looked up
 * @unable: what DWARF's side cannot do, in rows or steps
 * @differ: the differences
 */
struct totals {
	u64 files;
	u64 others;
	u64 failed;
	u64 fdes;
	u64 empty;
	u64 debug_too;
	u64 rows;
	u64 looked_up;
	u64 pcs;
	u64 steps[NR_FRAMES];
	u64 strides;
	u64 stayed;
	u64 ends[JUDGE_REASONS];
	u64 any_fp;
	u64 pc_rows;
	u64 calls;
	u64 left_out[SYNTH_NR_CAUSES];
	u64 twice;
	u64 mended;
	u64 no_cfi;
	struct judge_cause unable[JUDGE_CAUSES];
	u64 differ;
};

/**
 * struct judge_opts - how
 * @version: as for synth_encode()
 * @every: step from every address
 * @random: addresses of each row to step from, beside its first and last
 * @seed: of everything that is made up
 * @go: Go's linker has written the .debug_frame, and says nothing of FP there
 * @list: print all differences, each as the address alone
 * @shown: differences that were printed, of all processes
 */
struct judge_opts {
	unsigned int version;
	bool every;
	u32 random;
	u64 seed;
	bool go;
	bool list;
	u32 *shown;
};

/* Judges one file and adds to @t. Differences are printed. */
void judge_file(const struct judge_opts *o, const char *path, struct totals *t);

/* Adds one more of what DWARF's side cannot do. */
void totals_unable(struct totals *t, const char *name, u64 count);

#endif /* USTACK_STEPJUDGE_JUDGE_H */
