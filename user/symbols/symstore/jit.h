/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code that processes generate at run time and describe for perf: in
 * /tmp/perf-PID.map, or in jitdump files, which are found as executable mappings of a
 * file jit-PID.dump.
 *
 * The content of these files is untrusted.
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_SYMSTORE_JIT_H
#define USTACK_USER_SYMSTORE_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit;

/* Return: an object that jit_free() frees; NULL if out of memory. */
struct jit *jit_new(void);
void jit_free(struct jit *j);

/* Whether the path of a mapped file is that of a jitdump file. */
bool jit_is_dump(const char *path);

/**
 * jit_dump() - add a jitdump file that a process has mapped
 * @j: the names
 * @pid: the process
 * @path: path of the file as the process sees it
 *
 * The file is opened now, as the process may end soon, and read later.
 */
void jit_dump(struct jit *j, uint32_t pid, const char *path);

/*
 * Adds a process that was found or is about to end: its perf-PID.map is opened, if there
 * is one.
 */
void jit_process(struct jit *j, uint32_t pid);

/* Whether a process that was added has a file with names. */
bool jit_has_names(const struct jit *j, uint32_t pid);

/**
 * struct jit_frame - a function of generated code
 * @name: name of the function; valid until the next call for this process
 * @file: path of its source file, "" if not known; valid as @name
 * @line: line number, 0 if not known
 */
struct jit_frame {
	const char *name;
	const char *file;
	uint32_t line;
};

/**
 * jit_find() - find the function at an address
 * @j: the names; reads what was added to the process's files
 * @pid: the process
 * @addr: the address; for a caller its return address minus 1
 * @ret: set if 1 is returned
 *
 * Return: 1; 0 if no function has the address; -ENOMEM.
 */
int jit_find(struct jit *j, uint32_t pid, uint64_t addr, struct jit_frame *ret);

/* Removes all processes for which @known returns false. */
void jit_forget_others(struct jit *j, bool (*known)(uint32_t pid, void *arg), void *arg);

#endif /* USTACK_USER_SYMSTORE_JIT_H */
