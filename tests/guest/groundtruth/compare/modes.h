/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares perf's ways to get a user stack, on the same samples.
 *
 *  callchain   that of the record: the module's, or the kernel's own if there was no module
 *  fp          `perf record --call-graph fp` without the module (fp_walk.h)
 *  fp+lr       arm64: the same, with the caller that perf's tool inserts after the first
 *              frame (since 5.18, with -g). perf takes it from the first frame's CFI when that
 *              says that the caller is in LR
 *  dwarf       `perf record --call-graph dwarf` with a tool that is built with libunwind, as
 *              Debian's: libdw over the first bytes of the copied stack. In files without CFI
 *              both libraries step by frame pointers, and these steps are accepted; in memory
 *              without a file (JIT code) libunwind ends
 *  dwarf-libdw the same with a tool that is built with libdw, which steps by frame pointers
 *              there, too
 * The tool's own limit of frames is ignored.
 *
 * reach.h defines "complete". A command is the name of a process, not of a thread.
 */
#ifndef GT_MODES_H
#define GT_MODES_H

#include "options.h"
#include "reach.h"
#include "tally.h"

enum way { WAY_CALLCHAIN, WAY_FP, WAY_FP_LR, WAY_DWARF, WAY_LIBDW, WAYS };

struct command {
	char name[16];
	uint64_t samples;
	uint64_t reach[WAYS][REACHES];
	struct tally lacking;	/* why and where the callchain is not complete */
};

struct modes {
	struct command total;
	struct command *commands;
	unsigned int count;
};

void modes_sample(struct modes *m, const struct options *o, const struct subject *x);
void modes_print(struct modes *m, const struct options *o, const struct reader *r);

/* Return: false if the callchain's share is too low, in total or of one command */
bool modes_passed(const struct modes *m, const struct options *o);
void modes_release(struct modes *m);

#endif /* GT_MODES_H */
