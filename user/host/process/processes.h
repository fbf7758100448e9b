/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Knows which files processes have mapped, and when: from (process, moment, address) to (file,
 * offset). It also answers for a process that has ended when its samples are looked at.
 *
 * Events are added in ascending order of time, in nanoseconds of CLOCK_MONOTONIC. A
 * sample names its moment by an epoch (bpf/wire.h): the time of the last change of the
 * process's mappings seen before the sample.
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_PROCESS_PROCESSES_H
#define USTACK_USER_PROCESS_PROCESSES_H

#include "host/process/maps.h"

struct processes;

/**
 * typedef processes_seen - called for a file that no process had mapped before
 * @file: the file, borrowed; valid while a process maps it, or with an own reference
 * @pid: a process that has mapped it, by its number in this program's PID namespace
 * @map: the mapping
 * @arg: from processes_new()
 */
typedef void processes_seen(struct process_file *file, uint32_t pid,
			    const struct process_map *map, void *arg);

/* @seen may be NULL. Return: an object that processes_free() frees; NULL if out of memory. */
struct processes *processes_new(processes_seen *seen, void *arg);
void processes_free(struct processes *all);

/* Sets a callback for files that no known process maps any more, before they are freed. */
void processes_on_gone(struct processes *all,
		       void (*gone)(struct process_file *file, void *arg), void *arg);

/*
 * A process was forked and has the mappings of its parent, which may be unknown.
 * Return: 0 or -ENOMEM.
 */
int processes_fork(struct processes *all, uint32_t parent, uint32_t pid, uint64_t time);

/* A process executed a program and has no mappings. Return: 0 or -ENOMEM. */
int processes_exec(struct processes *all, uint32_t pid, uint64_t time, const char *name);

/*
 * A process was scanned: what was known of it is replaced, and its mappings follow by
 * processes_map(). Return: 0 or -ENOMEM.
 */
int processes_scan(struct processes *all, uint32_t pid, uint64_t time, const char *name);

/**
 * processes_map() - a process has mapped something executable
 * @all: the processes
 * @pid: the process; it is added if it is not known
 * @time: time of the event
 * @start: start address
 * @len: number of bytes
 * @offset: offset in the file
 * @id: the file; its path is copied
 *
 * Return: 0 or -ENOMEM.
 */
int processes_map(struct processes *all, uint32_t pid, uint64_t time, uint64_t start,
		  uint64_t len, uint64_t offset, const struct process_file_id *id);

/* A process's first thread has changed its name. Return: 0 or -ENOMEM. */
int processes_name(struct processes *all, uint32_t pid, const char *name);

/* A process has ended. Its data stays until processes_expire(). */
void processes_exit(struct processes *all, uint32_t pid, uint64_t time);

/**
 * processes_expire() - remove what no sample can ask for any more
 * @all: the processes
 * @before: all samples before this time have been handled
 *
 * Return: 0, or -ENOMEM and more is kept than needed.
 */
int processes_expire(struct processes *all, uint64_t before);

/**
 * struct process_place - what is at an address
 * @file: the mapped file, borrowed until the next processes_expire()
 * @start: start address of the mapping
 * @end: end address of the mapping
 * @offset: offset of the address in the file
 */
struct process_place {
	struct process_file *file;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
};

/**
 * processes_find() - find what is at an address
 * @all: the processes
 * @pid: process of the sample
 * @epoch: epoch of the sample
 * @addr: address in the process
 * @ret: set if 1 is returned
 *
 * Return: 1; 0 if nothing is known to be there; -ENOMEM.
 */
int processes_find(struct processes *all, uint32_t pid, uint64_t epoch, uint64_t addr,
		   struct process_place *ret);

/*
 * The mappings of a process at a moment, borrowed until the next call; NULL if nothing is
 * known or memory is out.
 */
const struct process_maps *processes_maps(struct processes *all, uint32_t pid,
					  uint64_t epoch);

/**
 * processes_epoch() - find the epoch of a moment: the last change of the mappings before
 * it
 * @all: the processes
 * @pid: process of the sample
 * @time: time of the sample
 *
 * Return: the epoch. Many moments have the same one; processes_find() gives the same
 * answer for the epoch and for @time.
 */
uint64_t processes_epoch(const struct processes *all, uint32_t pid, uint64_t time);

/* The name of a process at a moment, borrowed until the next event; NULL if not known. */
const char *processes_command(const struct processes *all, uint32_t pid, uint64_t epoch);

/* Whether anything is known of a process. */
bool processes_known(const struct processes *all, uint32_t pid);

#endif /* USTACK_USER_PROCESS_PROCESSES_H */
