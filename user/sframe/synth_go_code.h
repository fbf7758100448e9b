/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads code for facts that Go's table does not have: whether a function has saved the frame
 * pointer and the link register, and where it leaves its stack.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_CODE_H
#define USTACK_USER_SFRAME_SYNTH_GO_CODE_H

#include "core.h"

/**
 * struct go_code - a function's bytes
 * @bytes: the code, borrowed
 * @len: number of @bytes
 */
struct go_code {
	const u8 *bytes;
	u32 len;
};

/* How SP came to be below its position at the entry. */
enum go_how {
	GO_NOT_PROVEN,
	GO_OPENS,	/* the instruction before subtracts so many bytes */
	GO_RESUMES,	/* the instruction before does not lead here */
};

#define GO_NEVER UINT32_MAX

/**
 * struct go_frame - how a function sets up its frame
 * @how: enum go_how; no other field is set unless it is GO_OPENS
 * @lr_saved: AArch64: the return address is stored at the new SP
 * @fp_saved: offset from which the caller's FP is saved: right below the return
 *            address on AMD64, right below the new SP on AArch64
 * @fp_set: offset from which FP points to the saved FP
 */
struct go_frame {
	enum go_how how;
	bool lr_saved;
	u32 fp_saved;
	u32 fp_set;
};

/**
 * struct go_arch - an architecture's code reader
 * @opens: read how the frame is set up; at @at, SP is first @delta bytes below its
 *         position at the entry
 * @sp_write: find the first instruction from @from on that may write SP and that Go's
 *            table does not count. Returns its start and end as offsets; false if there
 *            is none
 * @lost_lr: offset after the first call: from there the link register is no longer the
 *           caller's return address; NULL if there is no link register
 * @fp_gone: offset after the first instruction in [@from, @to) that writes FP; NULL if
 *           functions that do so are known by name
 * @calls: whether there is a call through a register in [@from, @to)
 * @closing: length of the instruction before @at that removes a frame, if FP may have
 *           been restored before it; else 0
 */
struct go_arch {
	struct go_frame (*opens)(const struct go_code *c, u32 at, u32 delta);
	bool (*sp_write)(const struct go_code *c, u32 from, struct ustack_range *ret);
	u32 (*lost_lr)(const struct go_code *c);
	u32 (*fp_gone)(const struct go_code *c, u32 from, u32 to);
	bool (*calls)(const struct go_code *c, u32 from, u32 to);
	u32 (*closing)(const struct go_code *c, u32 at);
};

extern const struct go_arch go_amd64, go_aarch64;

#endif /* USTACK_USER_SFRAME_SYNTH_GO_CODE_H */
