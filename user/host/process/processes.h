/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was mapped where in which process, and when: from (process, moment, address) to
 * (file, offset). A process that execs, loads libraries and is gone when its samples are
 * looked at is answered for like any other.
 *
 * Who feeds it tells of events in ascending order of time, in nanoseconds of
 * CLOCK_MONOTONIC. Samples name a moment by their epoch (bpf/wire.h): the last change of
 * the process's mappings that was seen before the sample.
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_PROCESS_PROCESSES_H
#define USTACK_USER_PROCESS_PROCESSES_H

#include "host/process/maps.h"

struct processes;

/**
 * typedef processes_seen - a file is mapped that no process had mapped
 * @file: borrowed; valid while anything maps it, or with a reference of one's own
 * @pid: of a process that has it now, as this program counts processes
 * @map: where
 * @arg: from processes_new()
 */
typedef void processes_seen(struct process_file *file, uint32_t pid,
			    const struct process_map *map, void *arg);

/* @seen may be NULL. Return: released by processes_free(); NULL without memory. */
struct processes *processes_new(processes_seen *seen, void *arg);
void processes_free(struct processes *all);

/* @gone is told of a file that nothing known has mapped any more, before it is freed. */
void processes_on_gone(struct processes *all,
		       void (*gone)(struct process_file *file, void *arg), void *arg);

/* A process begins as a copy of another, which may be unknown. Return: 0 or -ENOMEM. */
int processes_fork(struct processes *all, uint32_t parent, uint32_t pid, uint64_t time);

/* A process becomes another program: nothing is mapped. Return: 0 or -ENOMEM. */
int processes_exec(struct processes *all, uint32_t pid, uint64_t time, const char *name);

/* A process was looked at: nothing that was known of it counts any more, and what it has
 * mapped follows by processes_map(). Return: 0 or -ENOMEM.
 */
int processes_scan(struct processes *all, uint32_t pid, uint64_t time, const char *name);

/**
 * processes_map() - a process maps something executable
 * @all: the processes
 * @pid: a process that nothing is known of becomes known by it
 * @time: of the event
 * @start: address
 * @len: bytes
 * @offset: in the file
 * @id: the file; its path is copied
 *
 * Return: 0 or -ENOMEM.
 */
int processes_map(struct processes *all, uint32_t pid, uint64_t time, uint64_t start,
		  uint64_t len, uint64_t offset, const struct process_file_id *id);

/* A process's first thread takes a name. Return: 0 or -ENOMEM. */
int processes_name(struct processes *all, uint32_t pid, const char *name);

/* It is gone. What is known of it stays until processes_expire(). */
void processes_exit(struct processes *all, uint32_t pid, uint64_t time);

/**
 * processes_expire() - forget what no sample can ask for any more
 * @all: the processes
 * @before: samples of earlier moments have all been looked at
 *
 * Return: 0 or -ENOMEM, with which it may know more than it needs, never less.
 */
int processes_expire(struct processes *all, uint64_t before);

/**
 * struct process_place - where an address is
 * @file: borrowed until the next processes_expire()
 * @start: of the mapping
 * @end: of the mapping
 * @offset: of the address, in the file
 */
struct process_place {
	struct process_file *file;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
};

/**
 * processes_find() - what is at an address
 * @all: the processes
 * @pid: of the sample
 * @epoch: of the sample
 * @addr: in the process
 * @ret: on 1
 *
 * Return: 1; 0 if nothing is known to be there; -ENOMEM.
 */
int processes_find(struct processes *all, uint32_t pid, uint64_t epoch, uint64_t addr,
		   struct process_place *ret);

/* What is mapped then, borrowed until the next call; NULL if nothing is known or without
 * memory.
 */
const struct process_maps *processes_maps(struct processes *all, uint32_t pid,
					  uint64_t epoch);

/**
 * processes_epoch() - the last change of a process's mappings before a moment
 * @all: the processes
 * @pid: of the sample
 * @time: of the sample
 *
 * Return: an epoch that processes_find() answers as it does @time; many moments have the
 * same.
 */
uint64_t processes_epoch(const struct processes *all, uint32_t pid, uint64_t time);

/* The name of a process at a moment, borrowed until the next event; NULL if it is not
 * known.
 */
const char *processes_command(const struct processes *all, uint32_t pid, uint64_t epoch);

/* Is anything known of it? */
bool processes_known(const struct processes *all, uint32_t pid);

/**
 * processes_each() - visit those that are there now
 * @all: the processes
 * @visit: must not change @all
 * @arg: for @visit
 */
void processes_each(const struct processes *all,
		    void (*visit)(uint32_t pid, const char *name,
				  const struct process_maps *maps, void *arg),
		    void *arg);

#endif /* USTACK_USER_PROCESS_PROCESSES_H */
