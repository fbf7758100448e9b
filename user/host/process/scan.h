/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads what processes have mapped now, from /proc. */
#ifndef USTACK_USER_PROCESS_SCAN_H
#define USTACK_USER_PROCESS_SCAN_H

#include <stdio.h>

#include "host/process/processes.h"

/**
 * scan_process() - add a process with its mappings
 * @all: the processes
 * @pid: the process
 * @time: time of the scan
 *
 * Return: 0, also if the process has ended, is a kernel thread or may not be read;
 * -ENOMEM.
 */
int scan_process(struct processes *all, uint32_t pid, uint64_t time);

/* Adds all processes in /proc. Return: 0 or a negative errno. */
int scan_processes(struct processes *all, uint64_t time);

/**
 * struct scan_line - a line of /proc/PID/maps
 * @start: start address of the mapping
 * @end: end address of the mapping
 * @offset: offset of the mapping in the file
 * @exec: the mapping is executable
 * @id: the file; the path is in the line
 */
struct scan_line {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	bool exec;
	struct process_file_id id;
};

/* Bytes of the buffer for scan_mapped_path(), with the NUL. */
#define SCAN_MAPPED_PATH 80u

/**
 * scan_mapped_path() - make a path that leads to the mapped file itself, even if it was
 * renamed
 * @pid: the process
 * @start: start address of the mapping
 * @end: end address of the mapping; the mapping must still have exactly these bounds
 * @ret: /proc/PID/map_files/START-END; opening it needs CAP_CHECKPOINT_RESTORE or
 *       CAP_SYS_ADMIN
 */
void scan_mapped_path(uint32_t pid, uint64_t start, uint64_t end, char ret[SCAN_MAPPED_PATH]);

/*
 * Parses @line; removes its newline and octal escapes. Return: false if it has another
 * format.
 */
bool scan_line(char *line, struct scan_line *ret);

/**
 * struct scan_maps - the mappings of a process, read from /proc/PID/maps one by one
 * @file: the file; NULL if it is not open
 * @line: memory for a line
 * @room: bytes of @line
 * @any: a line has been read. Without one, the process is a kernel thread, has ended, or may
 *       not be read
 * @err: negative errno with which reading ended; 0 at the end of the file. The kernel checks
 *       permission when the file is read, not when it is opened
 */
struct scan_maps {
	FILE *file;
	char *line;
	size_t room;
	bool any;
	int err;
};

#define SCAN_MAPS_INIT { .file = NULL }

/*
 * @m: SCAN_MAPS_INIT; closed by scan_maps_close() in any case. Return: false with errno if
 *     there is no such process.
 */
bool scan_maps_open(struct scan_maps *m, uint32_t pid);
void scan_maps_close(struct scan_maps *m);

/* Reads the next mapping; its path is valid until the next call. Return: false at the end. */
bool scan_maps_next(struct scan_maps *m, struct scan_line *ret);

#endif /* USTACK_USER_PROCESS_SCAN_H */
