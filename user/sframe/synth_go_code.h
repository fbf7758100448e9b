/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Go's table does not tell, by instructions: whether a function has saved the
 * frame pointer and the link register, and where it leaves its stack.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_CODE_H
#define USTACK_USER_SFRAME_SYNTH_GO_CODE_H

#include "core.h"

/**
 * struct go_code - a function's bytes
 * @bytes: borrowed
 * @len: of them
 */
struct go_code {
	const u8 *bytes;
	u32 len;
};

/* How SP came to be below where it was at the entry. */
enum go_how {
	GO_NOT_PROVEN,
	GO_OPENS,	/* the instruction in front takes so many bytes */
	GO_RESUMES,	/* no way leads here from the one in front */
};

#define GO_NEVER UINT32_MAX

/**
 * struct go_frame - a frame that an instruction has opened
 * @how: enum go_how; nothing else is set unless it is GO_OPENS
 * @lr_saved: AArch64: the return address is where SP was put
 * @fp_saved: offset from which the caller's FP is saved: right below the return
 *            address on AMD64, right below where SP was put on AArch64
 * @fp_set: offset from which FP points to where that is
 */
struct go_frame {
	enum go_how how;
	bool lr_saved;
	u32 fp_saved;
	u32 fp_set;
};

/**
 * struct go_arch - what an architecture's code is read by
 * @opens: @at: where SP is first @delta bytes below where it was
 * @sp_write: the first instruction from @from on that may write SP and is none that
 *            Go's table counts, as offsets of it and behind it; false if there is none
 * @lost_lr: behind the first call from which the link register is the function's own;
 *           NULL where there is none
 * @fp_gone: behind @from, where FP is written before @to; NULL where names tell
 * @calls: whether there is a call through a register in [@from, @to)
 * @closing: bytes of the instructions in front of @at that give a frame back, of
 *           which FP may have been given back first
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
