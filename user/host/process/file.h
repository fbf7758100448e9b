/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that processes have mapped, as the kernel's mmap events name it: by build id
 * where they have it, else by device, inode and its generation. Kept once, by reference count.
 */
#ifndef USTACK_USER_PROCESS_FILE_H
#define USTACK_USER_PROCESS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROCESS_MAX_BUILD_ID 20u

enum process_file_kind {
	PROCESS_FILE,		/* of a file system, deleted ones and memfd included */
	PROCESS_VDSO,
	PROCESS_ANON,		/* no file: code that the process made itself */
	PROCESS_MADE,		/* the same in what has the name of a file, but is no ELF file */
	PROCESS_SPECIAL,	/* [vsyscall], [uprobes] and the like */
};

/**
 * struct process_file_id - what makes two mappings be of one file
 * @path: as the process saw it
 * @build_id: first @build_id_len bytes
 * @build_id_len: 0 if it is not known: then @dev and @ino tell, else they are 0
 * @dev: as makedev(3) has it
 * @ino: inode
 * @generation: of the inode: file systems give its number to a new file soon after the old one is
 *              deleted; 0 where it is not known, as from /proc
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
 * struct process_file - one of them
 * @id: its path is the file's own
 * @kind: by the path; who is told of it (processes_seen) may know better
 * @user: for who looks at files: 0 at first; set through struct process_files' @seen or
 *        later, never touched here
 * @refs: private
 */
struct process_file {
	struct process_file_id id;
	enum process_file_kind kind;
	uint64_t user;
	uint32_t refs;
};

/**
 * struct process_files - all of them; all zero is empty
 * @places: open addressing; NULL is free
 * @room: number of @places, a power of two or 0
 * @nr: in the set
 * @gone: told of a file that nobody refers to any more; may be NULL
 * @gone_arg: for @gone
 */
struct process_files {
	struct process_file **places;
	size_t room;
	size_t nr;
	void (*gone)(struct process_file *f, void *arg);
	void *gone_arg;
};

/* Return: a reference; *@fresh tells whether it is new. NULL without memory. */
struct process_file *process_files_get(struct process_files *set,
				       const struct process_file_id *id, bool *fresh);

/* One more reference, and one less: the last one frees it. NULL is fine. */
struct process_file *process_file_ref(struct process_file *f);
void process_file_put(struct process_files *set, struct process_file *f);

/* Frees the table, which must be empty. */
void process_files_release(struct process_files *set);

#endif /* USTACK_USER_PROCESS_FILE_H */
