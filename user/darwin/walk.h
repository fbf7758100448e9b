/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over a captured stack of x86, x86-64 or arm64: frame by frame by compact
 * unwinding, __eh_frame, the code around the innermost frame, or the frame pointer, the
 * best that there is for each.
 *
 * Context: as its callbacks; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_WALK_H
#define USTACK_USER_DARWIN_WALK_H

#include "darwin/eh_frame.h"
#include "darwin/image.h"
#include "darwin/unwind_step.h"

/* Frames of a stack, unless another number is asked for. */
#define MACHO_MAX_FRAMES 512u

/* How a frame was found from the one that it called. */
enum macho_how {
	MACHO_BY_REGISTERS,	/* it is the innermost one */
	MACHO_BY_COMPACT,
	MACHO_BY_DWARF,
	MACHO_BY_CODE,		/* a prologue or an epilogue */
	MACHO_BY_STUB,
	MACHO_BY_LEAF,		/* a guess: nothing is said of an innermost function, and it
				 * does not begin with making a frame
				 */
	MACHO_BY_FRAME_POINTER,	/* nothing is said, or the file is not there */
	MACHO_BY_RULE,		/* a rule of the core, of a converted file */
	MACHO_NR_HOWS,
};

/* "compact", ... */
const char *macho_how_name(enum macho_how how);

/* Why a walk ended. */
enum macho_end {
	MACHO_END_COMPLETE,	/* the outermost frame: it returns to 0, or is said to be it */
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

/* "complete", ... */
const char *macho_end_name(enum macho_end end);
/* A sentence, without a full stop. */
const char *macho_end_text(enum macho_end end);

/**
 * struct macho_place - what is at an address
 * @image: the file; NULL if it could not be had
 * @eh: its __eh_frame; NULL if it has none
 * @base: where its Mach-O header is in memory
 */
struct macho_place {
	const struct macho_image *image;
	struct eh_frame *eh;
	uint64_t base;
};

/**
 * struct macho_walk - a process
 * @arch: of it
 * @strip: arm64: bits of a return address that are address; 0 for all
 * @find: what is at an address; false if no image is. Frames are only taken for some by
 *        their frame pointer where they return to an image
 * @word: reads a word of memory: 4 bytes on x86, else 8
 * @arg: for both
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
 * @pc: the instruction that runs next in it
 * @sp: its stack pointer there
 * @inner: it called nobody: @pc is its own; else look for names at @pc - 1
 * @how: enum macho_how
 * @encoding: of MACHO_BY_COMPACT, by which it was found
 */
struct macho_frame {
	uint64_t pc;
	uint64_t sp;
	uint32_t encoding;
	uint8_t how;
	bool inner;
};

/**
 * macho_walk() - walk
 * @w: the process
 * @regs: of the innermost frame
 * @ret: frames, innermost first
 * @room: of @ret, at least 1; more frames end it with MACHO_END_DEPTH
 * @end: why it ended
 * @diag: what there is to say of it; may be NULL. Its text is "" if @end says it all
 *
 * Return: number of frames, at least 1.
 */
size_t macho_walk(const struct macho_walk *w, const struct unwind_regs *regs,
		  struct macho_frame *ret, size_t room, enum macho_end *end, struct diag *diag);

#endif /* USTACK_USER_DARWIN_WALK_H */
