/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code that processes make at run time, as they tell them to perf: in
 * /tmp/perf-PID.map, and in jitdump files, which are met as executable mappings of a file
 * jit-PID.dump.
 *
 * What processes write there may be anything.
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_SYMSTORE_JIT_H
#define USTACK_USER_SYMSTORE_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit;

/* Return: released by jit_free(); NULL without memory. */
struct jit *jit_new(void);
void jit_free(struct jit *j);

/* Does a mapped file's path say that it is a jitdump file? */
bool jit_is_dump(const char *path);

/**
 * jit_dump() - a process has such a file mapped
 * @j: the names
 * @pid: the process
 * @path: of the file, as it sees it
 *
 * It is opened now, as the process may be gone soon, and read later.
 */
void jit_dump(struct jit *j, uint32_t pid, const char *path);

/* The process is met, or is about to go: its perf-PID.map is opened if it is there. */
void jit_process(struct jit *j, uint32_t pid);

/* Has a process that was met a file that names code? */
bool jit_has_names(const struct jit *j, uint32_t pid);

/**
 * struct jit_frame - a function
 * @name: borrowed until the next call for this process
 * @file: of the source, "" if it is not known; likewise
 * @line: 0 if it is not known
 */
struct jit_frame {
	const char *name;
	const char *file;
	uint32_t line;
};

/**
 * jit_find() - the function at an address
 * @j: reads what its files have more since the last time
 * @pid: the process
 * @addr: that of a caller is its return address minus 1
 * @ret: on 1
 *
 * Return: 1; 0 if none has it; -ENOMEM.
 */
int jit_find(struct jit *j, uint32_t pid, uint64_t addr, struct jit_frame *ret);

/* Forgets a process. */
void jit_forget(struct jit *j, uint32_t pid);

/* Forgets all processes that @known says no of. */
void jit_forget_others(struct jit *j, bool (*known)(uint32_t pid, void *arg), void *arg);

#endif /* USTACK_USER_SYMSTORE_JIT_H */
