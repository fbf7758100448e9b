/* SPDX-License-Identifier: GPL-2.0-only */
/* Judges one file: the steps of its synthesized table against those of DWARF. */
#ifndef USTACK_STEPJUDGE_JUDGE_H
#define USTACK_STEPJUDGE_JUDGE_H

#include "core.h"
#include "process.h"
#include "sframe/synth.h"

#define JUDGE_CAUSES 16u	/* number of different things that the DWARF side cannot do */
#define JUDGE_REASONS 32u	/* kmod/core/reason.def: the reasons that end a walk */

struct judge_cause {
	char name[56];
	u64 count;
};

/**
 * struct totals - what was judged
 * @files: ELF files for this program
 * @others: other files
 * @failed: files that could not be read, or had no table because of a fault of this program
 * @fdes: entries of CFI
 * @empty: entries without code
 * @debug_too: entries of .debug_frame whose code .eh_frame describes, too
 * @rows: rows of libdw
 * @looked_up: addresses that were looked up in the table
 * @pcs: addresses of those from which steps were made
 * @steps: steps from a frame at such an address, by the step function
 * @strides: the same by a stride that moved
 * @stayed: strides that left the frame to the step function
 * @ends: steps that ended the walk, by reason: each agrees with DWARF's answer
 * @any_fp: steps after which every frame pointer is right
 * @pc_rows: calling frames left out because their CFA depends on the pc: PLT code calls
 *           nobody
 * @calls: addresses that were stepped from only as calling frames: the last bytes of calls
 *         whose callee has saved the register that the CFA is computed from
 * @left_out: addresses without a rule, by the synthesizer's causes
 * @twice: steps that differ where several entries describe the same code
 * @mended: steps that differ in code whose CFI does not count the words that PLT0 has pushed:
 *          tests/live/cli checks its rules
 * @no_cfi: addresses without CFI that were looked up
 * @unable: what the DWARF side cannot do, in rows or steps
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
 * struct judge_opts - options of the judge
 * @version: as for synth_encode()
 * @every: step from every address
 * @random: number of addresses of each row to step from, besides its first and last
 * @seed: seed of everything that is made up
 * @go: Go's linker has written the .debug_frame, which says nothing about FP
 * @list: print all differences, each only as an address
 * @shown: number of differences that were printed, shared by all processes
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

/* Judges one file and adds the results to @t. Differences are printed. */
void judge_file(const struct judge_opts *o, const char *path, struct totals *t);

/* Counts one thing that the DWARF side cannot do. */
void totals_unable(struct totals *t, const char *name, u64 count);

#endif /* USTACK_STEPJUDGE_JUDGE_H */
