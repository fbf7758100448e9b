/* SPDX-License-Identifier: GPL-2.0-only */
/* One walk that the test requests; the program and the eBPF side are built with this file. */
#ifndef BPFWALK_CASE_H
#define BPFWALK_CASE_H

#include "tables.h"
#include "wire.h"

#define CASE_REGS 32u

/*
 * @regs: registers of the sample, by DWARF number
 * @start_stack: SP as execve() set it up
 * @max: maximum number of frames
 * @why: result: why the walk ended
 * @nr: result: number of frames in @pcs
 */
struct walk_case {
	__u64 pc;
	__u64 sp;
	__u64 fp;
	__u64 lr;
	__u64 start_stack;
	__u64 regs[CASE_REGS];
	__u32 max;
	__u32 why;
	__u32 nr;
	__u32 pad;
	__u64 pcs[WIRE_FRAMES];
};

#endif
