/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process has mapped, from /proc. */
#ifndef USTACK_USER_PROCESS_SCAN_H
#define USTACK_USER_PROCESS_SCAN_H

#include "host/process/processes.h"

/**
 * scan_process() - read one process
 * @all: is told
 * @pid: the process
 * @time: of the look
 *
 * Return: 0, also if the process is gone, is a kernel thread or may not be read; -ENOMEM.
 */
int scan_process(struct processes *all, uint32_t pid, uint64_t time);

/* All that /proc lists. Return: 0 or a negative errno. */
int scan_processes(struct processes *all, uint64_t time);

/**
 * struct scan_line - a line of /proc/PID/maps
 * @start: address; @end: behind it; @offset: in the file
 * @exec: it is executable
 * @id: its path is in the line
 */
struct scan_line {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	bool exec;
	struct process_file_id id;
};

/* Bytes of scan_mapped_path(), with its NUL. */
#define SCAN_MAPPED_PATH 80u

/**
 * scan_mapped_path() - where the kernel gives the file of a mapping, whatever has its name by now
 * @pid: the process
 * @start: address of the mapping
 * @end: behind it; the mapping must be there with these very bounds
 * @ret: /proc/PID/map_files/START-END; to open it takes CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN
 */
void scan_mapped_path(uint32_t pid, uint64_t start, uint64_t end, char ret[SCAN_MAPPED_PATH]);

/* Reads @line, which loses its newline and octal escapes. Return: false if it is none. */
bool scan_line(char *line, struct scan_line *ret);

#endif /* USTACK_USER_PROCESS_SCAN_H */
