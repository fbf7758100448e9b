/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A made-up process: a file at an address, memory with a word for every address, and a frame
 * somewhere in the file's text. All of it is a function of a number, so that two readers see
 * the same.
 */
#ifndef USTACK_STEPJUDGE_PROCESS_H
#define USTACK_STEPJUDGE_PROCESS_H

#include "core.h"

/* The address of the file's link-time address 0. */
#define PROCESS_BIAS 0x555555554000ull
/* AMD64: 0..15, and the pc as 16. AArch64: x0..x30, SP. */
#define PROCESS_REGS 33u

/* The set of registers of a frame that are known. */
enum process_frame {
	FRAME_TOP,		/* the sampled frame: every register */
	FRAME_CALLER,		/* a calling frame: pc, SP and FP */
	FRAME_INTERRUPTED,	/* an interrupted frame: every register, in a signal frame */
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
 * @mem: memory, as the core reads it
 * @arch: architecture of the file
 * @text: executable segments, borrowed
 * @nr_text: number of segments in @text
 * @frame: set of known registers
 * @seed: seed of everything that is made up
 * @pc: link-time address whose row is looked up
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

/* The next random number from @seed. */
u64 process_mix(u64 seed);

/**
 * process_frame_at() - make up a frame
 * @p: @arch, @text and @nr_text are set
 * @frame: set of registers that shall be known
 * @pc: link-time address of the text whose row is looked up
 * @seed: seed of everything else
 *
 * Stack and frame pointers have values as in real code. The words of memory can be saved
 * registers as well as return addresses: aligned addresses above the stack. With one seed of
 * eight they are not aligned, and on AArch64 with one of two they are signed.
 */
void process_frame_at(struct process *p, enum process_frame frame, u64 pc, u64 seed);

/* Makes the calling frame's register @reg equal to the word at SP + @slot. */
void process_save(struct process *p, unsigned int reg, s64 slot);

/* ustack_read_u64: the file's bytes in text, made-up words elsewhere. */
bool process_read(struct ustack_mem *mem, u64 addr, u64 *ret);

/* The name of a kind of frame, such as "caller's frame". */
const char *process_frame_name(enum process_frame frame);

#endif /* USTACK_STEPJUDGE_PROCESS_H */
