/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that is made up: a file at an address, memory that has a word for
 * every address, and a frame somewhere in the file's text. All of it is a function of
 * a number, so that two readers see the same.
 */
#ifndef USTACK_STEPJUDGE_PROCESS_H
#define USTACK_STEPJUDGE_PROCESS_H

#include "core.h"

/* Where the file's link-time address 0 is. */
#define PROCESS_BIAS 0x555555554000ull
/* AMD64: 0..15 and the pc as 16. AArch64: x0..x30, SP. */
#define PROCESS_REGS 33u

/* What is known of a frame. */
enum process_frame {
	FRAME_TOP,		/* the sampled one: every register */
	FRAME_CALLER,		/* pc, SP and FP */
	FRAME_INTERRUPTED,	/* every register, in a signal frame */
	NR_FRAMES,
};

/* Bytes of a file at a link-time address. */
struct process_text {
	u64 start;
	u64 end;
	const u8 *bytes;
};

/**
 * struct process - the process and its frame
 * @mem: how the core reads it
 * @arch: of the file
 * @text: executable segments, borrowed
 * @nr_text: of them
 * @frame: what is known
 * @seed: what everything is made of
 * @pc: link-time address whose row is asked for
 * @state: the frame as the core knows it
 * @regs: the frame's registers, whether the core knows them or not
 * @saved: bit n: a callee has saved register n, and the table says where
 */
struct process {
	struct ustack_mem mem;
	const struct ustack_arch *arch;
	const struct process_text *text;
	unsigned int nr_text;
	enum process_frame frame;
	u64 seed;
	u64 pc;
	struct ustack_state state;
	u64 regs[PROCESS_REGS];
	u64 saved;
};

/* The next number that @seed leads to. */
u64 process_mix(u64 seed);

/**
 * process_frame_at() - make up a frame
 * @p: @arch, @text and @nr_text are set
 * @frame: what shall be known of it
 * @pc: link-time address of the text whose row is asked for
 * @seed: everything else
 *
 * Stack and frame pointers are as code has them. The words of memory are what
 * saved registers and return addresses both can be: aligned addresses above the
 * stack; for one seed in eight they are not aligned, and on AArch64 for one in two
 * they are signed.
 */
void process_frame_at(struct process *p, enum process_frame frame, u64 pc, u64 seed);

/* The calling frame's register @reg is what the word at SP + @slot is. */
void process_save(struct process *p, unsigned int reg, s64 slot);

/* ustack_read_u64: text as the file has it, made-up words elsewhere. */
bool process_read(struct ustack_mem *mem, u64 addr, u64 *ret);

/* "caller's frame" */
const char *process_frame_name(enum process_frame frame);

#endif /* USTACK_STEPJUDGE_PROCESS_H */
