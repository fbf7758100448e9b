/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BEAM's structures (the virtual machine of Erlang and Elixir, with its JIT), as the
 * sampler's programs and user/symbols/lang read them. Included by lang.h. Decision 0041 says how
 * its code uses the stack.
 *
 * A module is one piece of code: a header, the functions, the table of lines. A frame is a
 * return address on the stack of the Erlang process. A value that is the same in all versions
 * that are read is an enumerator here; a value that differs is in struct lang_beam.
 */
#ifndef USTACK_BPF_LANG_BEAM_H
#define USTACK_BPF_LANG_BEAM_H

#include <linux/types.h>

#include "lang_mix.h"
#include "lang_tsd.h"

/* Words of a module's header that are read; addresses of functions follow them. */
enum {
	BEAM_HEADER_FUNCTIONS,	/* number of functions */
	BEAM_HEADER_LINES = 9,	/* address of the table of lines, or 0 */
	BEAM_HEADER_MD5,	/* address of the checksum of names, code and constants */
	BEAM_HEADER_WORDS = 12,
};

/* Words of the table of lines; an address for each function follows, and one after the last. */
enum {
	BEAM_LINES_FILES,	/* address of the files' names */
	BEAM_LINES_SIZE,	/* lower half: bytes of an entry of BEAM_LINES_TABLE, 2 or 4 */
	BEAM_LINES_TABLE,	/* address of the lines */
	BEAM_LINES_FIRST,	/* address of the first code address */
	BEAM_LINES_WORDS,
};

/* Words of the lines that go into the fingerprint: at both ends of the table. */
#define BEAM_LINE_WORDS 8u
#define BEAM_LINE_BYTES (8 * BEAM_LINE_WORDS)
/* Largest number of entries in a table of lines, and of functions in a module. */
#define BEAM_LINES_MOST (1u << 24)
/* Largest number of modules. */
#define BEAM_MODULES_MOST (1u << 16)
/* Number of versions of the list of modules, one of which is active. */
#define BEAM_CODE_INDEXES 3u
#define BEAM_RANGES_BYTES 32u

/*
 * The runtime's own generated code (fragments) is in one piece of some 8 KB around
 * BEAM_NORMAL_EXIT, the place at which the stack of each Erlang process ends. Addresses nearer
 * than this that belong to no module are taken for it.
 */
#define BEAM_FRAGMENTS 32768u

/*
 * Distance in generated code from the thread's registers of the virtual machine, which are on
 * the thread's own stack, to the address that rbx has. C functions are called with SP there.
 */
#define BEAM_REGISTERS 128u

/* Flags of a pair. */
#define LANG_BEAM_FRAGMENT 2u	/* generated code of no module, without a cookie */
#define LANG_BEAM_INNERMOST 8u	/* not a return address, or that of a call of a C function */

/*
 * Place of the innermost pair: where the address of the Erlang process's stack was. For the
 * other pairs the place is the number of words from the slot of the pair before to their own;
 * that of the first one is the word below the top of the stack.
 */
enum lang_beam_stack {
	BEAM_STACK_IN_SP,	/* the code runs on it */
	BEAM_STACK_IN_FP,	/* a C function is called, and rbp has it */
	BEAM_STACK_SAVED,	/* a C function is called, and struct process has it */
};

/**
 * struct lang_beam - how a process's frames are read
 * @ranges: address of the lists of modules, one for each code index
 * @index: address of the active code index
 * @normal_exit: address of the code to which the outermost function returns
 * @key: where a thread keeps its scheduler's data, which begin with the address of its registers
 * @scheduler_process: in the scheduler's data, the Erlang process that runs
 * @process_stop: in an Erlang process, the saved address of its stack
 * @atoms: address of the table of atoms; only user space reads it
 */
struct lang_beam {
	__u64 ranges;
	__u64 index;
	__u64 normal_exit;
	struct lang_tsd key;
	__u16 scheduler_process;
	__u16 process_stop;
	__u32 pad;
	__u64 atoms;
};

_Static_assert(sizeof(struct lang_beam) == 64, "struct lang_beam");

/**
 * struct lang_beam_print - a module's fingerprint
 *
 * A module that is loaded again gets memory that another one had. So the fingerprint includes
 * contents: the checksum that the compiler made, which covers the names of the functions, and
 * both ends of the table of lines, which it does not cover.
 *
 * @start: address of the module's header
 * @end: address after the module
 * @header: first words of the header
 * @md5: the checksum
 * @lines: first words of the table of lines; zeros if there is none
 * @head: first lines
 * @tail: last lines, if @head does not have them all; else zeros
 * @faulted: a part could not be read
 */
struct lang_beam_print {
	__u64 start;
	__u64 end;
	__u64 header[BEAM_HEADER_WORDS];
	__u64 md5[2];
	__u64 lines[BEAM_LINES_WORDS];
	__u64 head[BEAM_LINE_WORDS];
	__u64 tail[BEAM_LINE_WORDS];
	__u64 faulted;
};

/* Bytes of the table's lines; @last: the address after the last code address. */
static inline __u64 lang_beam_line_bytes(const struct lang_beam_print *p, __u64 last)
{
	__u64 nr = (last - p->lines[BEAM_LINES_FIRST]) / 8;
	__u64 size = (__u32)p->lines[BEAM_LINES_SIZE];

	return nr <= BEAM_LINES_MOST ? nr * (size == 4 ? 4 : 2) : 0;
}

static inline __u32 lang_beam_cookie(const struct lang_beam_print *p)
{
	__u64 sum = lang_mix(p->start, p->end), i;

#pragma GCC unroll 16
	for (i = 0; i < BEAM_HEADER_WORDS; i++)
		sum = lang_mix(sum, p->header[i]);
	sum = lang_mix(sum, p->md5[0]);
	sum = lang_mix(sum, p->md5[1]);
#pragma GCC unroll 8
	for (i = 0; i < BEAM_LINE_WORDS; i++)
		sum = lang_mix(sum, p->head[i]);
#pragma GCC unroll 8
	for (i = 0; i < BEAM_LINE_WORDS; i++)
		sum = lang_mix(sum, p->tail[i]);
	return sum >> 32;
}

#endif /* USTACK_BPF_LANG_BEAM_H */
