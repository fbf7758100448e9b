/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a captured stack of x86, x86-64 or arm64. Each frame is found by the best way that there
 * is for it: compact unwinding, __eh_frame, the code around the innermost frame, or the frame
 * pointer.
 *
 * Context: that of its callbacks; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_WALK_H
#define USTACK_USER_DARWIN_WALK_H

#include "darwin/eh_frame.h"
#include "darwin/image.h"
#include "darwin/unwind_step.h"

/* Default limit of frames in a stack. */
#define MACHO_MAX_FRAMES 512u

/* How a frame was found, from the one that it called. */
enum macho_how {
	MACHO_BY_REGISTERS,	/* the innermost frame */
	MACHO_BY_COMPACT,
	MACHO_BY_DWARF,
	MACHO_BY_CODE,		/* by the code of a prologue or an epilogue */
	MACHO_BY_STUB,
	MACHO_BY_LEAF,		/* a guess: an innermost function without unwind information,
				 * which does not begin by making a frame
				 */
	MACHO_BY_FRAME_POINTER,	/* no unwind information, or no file */
	MACHO_BY_RULE,		/* by a rule of the core, from a converted file */
	MACHO_NR_HOWS,
};

/* The name of a way, such as "compact". */
const char *macho_how_name(enum macho_how how);

/* Why a walk ended. */
enum macho_end {
	MACHO_END_COMPLETE,	/* the outermost frame: it returns to 0, or is marked as such */
	MACHO_END_NO_IMAGE,
	MACHO_END_NO_FILE,
	MACHO_END_NO_INFO,
	MACHO_END_NO_STACK,
	MACHO_END_NO_REGISTER,
	MACHO_END_DAMAGED,
	MACHO_END_DEPTH,
	MACHO_END_NO_MEMORY,
	MACHO_NR_ENDS,
};

/* The name of an end, such as "complete". */
const char *macho_end_name(enum macho_end end);
/* A sentence, without a full stop. */
const char *macho_end_text(enum macho_end end);

/**
 * struct macho_place - the image at an address
 * @image: the file; NULL if it could not be opened
 * @eh: the file's __eh_frame; NULL if it has none
 * @base: address of the Mach-O header in memory
 */
struct macho_place {
	const struct macho_image *image;
	struct eh_frame *eh;
	uint64_t base;
};

/**
 * struct macho_walk - a process
 * @arch: architecture of the process
 * @strip: arm64: mask of the address bits in a return address; 0 for all bits
 * @find: finds the image at an address; false if there is none. A frame is only found by its
 *        frame pointer if it returns to an image
 * @word: reads a word of memory: 4 bytes on x86, else 8
 * @arg: for @find and @word
 */
struct macho_walk {
	enum unwind_arch arch;
	uint64_t strip;
	bool (*find)(void *arg, uint64_t addr, struct macho_place *ret);
	bool (*word)(void *arg, uint64_t addr, uint64_t *ret);
	void *arg;
};

/**
 * struct macho_frame - a frame
 * @pc: address of the next instruction to run in it
 * @sp: stack pointer at that instruction
 * @encoding: the encoding by which it was found, for MACHO_BY_COMPACT
 * @how: enum macho_how
 * @inner: the frame has not called another one; if false, look for names at @pc - 1
 */
struct macho_frame {
	uint64_t pc;
	uint64_t sp;
	uint32_t encoding;
	uint8_t how;
	bool inner;
};

/**
 * macho_walk() - walk a stack
 * @w: the process
 * @regs: registers of the innermost frame
 * @ret: receives frames, innermost first
 * @room: number of entries in @ret, at least 1; more frames end it with MACHO_END_DEPTH
 * @end: receives the reason why it ended
 * @diag: receives details; may be NULL. Its text is "" if @end says all
 *
 * Return: number of frames, at least 1.
 */
size_t macho_walk(const struct macho_walk *w, const struct unwind_regs *regs,
		  struct macho_frame *ret, size_t room, enum macho_end *end, struct diag *diag);

#endif /* USTACK_USER_DARWIN_WALK_H */
