/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that processes have mapped, as mmap events name them: by build id if the event
 * has it, else by device, inode and inode generation. Each file has one entry, with a
 * reference count.
 */
#ifndef USTACK_USER_PROCESS_MAPPED_FILE_H
#define USTACK_USER_PROCESS_MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROCESS_MAX_BUILD_ID 20u

enum process_file_kind {
	PROCESS_FILE,		/* in a file system, also if deleted, and memfd */
	PROCESS_VDSO,
	PROCESS_ANON,		/* no file: code that the process generated */
	PROCESS_GENERATED,		/* generated code in a file that is not an ELF file */
	PROCESS_SPECIAL,	/* others, such as [vsyscall] and [uprobes] */
};

/**
 * struct process_file_id - identity of a file: equal for all mappings of one file
 * @path: path as the process saw it
 * @build_id: the build id, @build_id_len bytes
 * @build_id_len: number of bytes; 0 if not known: then @dev and @ino are set, else they are 0
 * @dev: device number as makedev(3) returns it
 * @ino: inode number
 * @generation: generation of the inode, as file systems soon reuse the number of a deleted
 *              file; 0 if not known, as from /proc
 */
struct process_file_id {
	const char *path;
	uint8_t build_id[PROCESS_MAX_BUILD_ID];
	uint8_t build_id_len;
	uint64_t dev;
	uint64_t ino;
	uint64_t generation;
};

/**
 * struct process_file - a mapped file
 * @id: identity; the path belongs to this entry
 * @kind: kind by the path; the callback processes_seen may correct it
 * @user: for the caller: 0 at first, may be set in the callback processes_seen or later,
 *        not used here
 * @refs: reference count; private
 */
struct process_file {
	struct process_file_id id;
	enum process_file_kind kind;
	uint64_t user;
	uint32_t refs;
};

/**
 * struct process_files - the set of files; empty if zeroed
 * @places: hash table with open addressing; NULL is a free place
 * @room: number of @places, a power of two or 0
 * @nr: number of files
 * @gone: called for a file whose last reference was put; may be NULL
 * @gone_arg: passed to @gone
 */
struct process_files {
	struct process_file **places;
	size_t room;
	size_t nr;
	void (*gone)(struct process_file *f, void *arg);
	void *gone_arg;
};

/* Finds or adds a file. *@fresh: it was added. Return: a reference; NULL if out of memory. */
struct process_file *process_files_get(struct process_files *set,
				       const struct process_file_id *id, bool *fresh);

/* Take and put a reference; putting the last one frees the file. NULL is fine. */
struct process_file *process_file_ref(struct process_file *f);
void process_file_put(struct process_files *set, struct process_file *f);

/* Frees the hash table; all files must have been put. */
void process_files_release(struct process_files *set);

#endif /* USTACK_USER_PROCESS_MAPPED_FILE_H */
