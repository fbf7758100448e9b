/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds CPython in a file, and in a process that has mapped the file. */
#ifndef USTACK_USER_LANG_CPYTHON_H
#define USTACK_USER_LANG_CPYTHON_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"

/**
 * struct cpython_file - a file with CPython's runtime state
 * @version: value of Py_Version, 0x030b02f0 for 3.11.2; 0 if the file has none: before
 *           3.11
 * @refused: the reason why frames are not read, a sentence; NULL if they are read
 * @runtime: link-time address of _PyRuntime
 * @autotss: offset in it of the struct _Py_tss_t with the key of the thread state
 * @layout: offsets, and the link-time address of PyCode_Type
 * @eval: link-time ranges of the function that runs Python code
 * @nr_eval: number of ranges in @eval
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

/**
 * cpython_describe() - find what the BPF programs need to read a process's frames
 * @f: the file that the process has mapped
 * @bias: run-time address minus link-time address
 * @libc: the process's C library
 * @m: the process's memory
 * @ret: set on LANG_READY
 *
 * Return: enum lang_ready.
 */
enum lang_ready cpython_describe(const struct cpython_file *f, u64 bias,
				 const struct lang_libc *libc, const struct lang_memory *m,
				 struct lang_cpython *ret);

/* Writes a Py_Version as text, such as "3.11.2". */
#define CPYTHON_VERSION_TEXT 24
const char *cpython_version_text(u32 version, char buf[CPYTHON_VERSION_TEXT]);

#endif /* USTACK_USER_LANG_CPYTHON_H */
