/* SPDX-License-Identifier: GPL-2.0-only */
/* CPython in a file, and in a process that has the file mapped. */
#ifndef USTACK_USER_LANG_CPYTHON_H
#define USTACK_USER_LANG_CPYTHON_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"

/**
 * struct cpython_file - a file that has the runtime's state
 * @version: as Py_Version has it, 0x030b02f0 for 3.11.2; 0: there is none, so it is before 3.11
 * @refused: why its frames are not read, a sentence; NULL: they are
 * @runtime: link-time address of _PyRuntime
 * @autotss: of struct _Py_tss_t in it: the key that has a thread's state
 * @layout: offsets, and the link-time address of PyCode_Type
 * @eval: link-time addresses of the function that runs Python's code
 * @nr_eval: of them
 */
struct cpython_file {
	u32 version;
	const char *refused;
	u64 runtime;
	u32 autotss;
	struct lang_cpython layout;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
};

/* Return: whether the file is a CPython, of any version. */
bool cpython_file_read(const struct lang_elf *e, struct cpython_file *ret);

enum cpython_ready {
	CPYTHON_READY,
	CPYTHON_NOT_YET,	/* it has not been initialized */
	CPYTHON_NEVER,		/* what it says makes no sense */
};

/**
 * cpython_describe() - what programs need to read a process's frames
 * @f: the file
 * @bias: run-time less link-time addresses
 * @libc: of the process
 * @m: the process
 * @ret: on CPYTHON_READY
 *
 * Return: enum cpython_ready.
 */
enum cpython_ready cpython_describe(const struct cpython_file *f, u64 bias,
				    const struct lang_libc *libc, const struct lang_memory *m,
				    struct lang_cpython *ret);

/* "3.11.2", of Py_Version. */
#define CPYTHON_VERSION_TEXT 24
const char *cpython_version_text(u32 version, char buf[CPYTHON_VERSION_TEXT]);

#endif /* USTACK_USER_LANG_CPYTHON_H */
