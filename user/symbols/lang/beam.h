/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the BEAM (Erlang, Elixir) in a file, and in a process that has mapped the file. */
#ifndef USTACK_USER_LANG_BEAM_H
#define USTACK_USER_LANG_BEAM_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"

/**
 * struct beam_file - a file with the virtual machine
 * @version: version of the runtime system (erts), 0x0d010500 for 13.1.5; 0 if not known
 * @refused: the reason why frames are not read, a sentence; NULL if they are read
 * @ranges: link-time address of the lists of modules
 * @index: link-time address of the active code index
 * @normal_exit: link-time address of the variable with the last return address of each process
 * @frames: link-time address of the variable that says how frames are laid out
 * @key: link-time address of the pthread key of a thread's scheduler
 * @schedulers: link-time address of the pointer to the schedulers' data
 * @atoms: link-time address of the table of atoms
 */
struct beam_file {
	u32 version;
	const char *refused;
	u64 ranges;
	u64 index;
	u64 normal_exit;
	u64 frames;
	u64 key;
	u64 schedulers;
	u64 atoms;
};

/* Return: whether the file is a BEAM, of any version. */
bool beam_file_read(const struct lang_elf *e, struct beam_file *ret);

/* Result of beam_describe(). */
enum beam_ready {
	BEAM_READY,
	BEAM_NOT_YET,		/* it has not made its code yet */
	BEAM_INVALID,		/* its memory has invalid values */
	BEAM_FRAME_POINTERS,	/* its code keeps frame pointers */
};

/**
 * beam_describe() - find what the BPF programs need to read a process's frames
 * @f: the file that the process has mapped
 * @bias: run-time address minus link-time address
 * @libc: the process's C library
 * @m: the process's memory
 * @ret: set on BEAM_READY
 */
enum beam_ready beam_describe(const struct beam_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_beam *ret);

#endif /* USTACK_USER_LANG_BEAM_H */
