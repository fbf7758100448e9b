/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that a process made at run time in shared memory, and that runs in the frame of a
 * function of a file. The makers of unwind tables ask for it, the readers of runtimes answer.
 */
#ifndef USTACK_USER_PROCESS_MADE_CODE_H
#define USTACK_USER_PROCESS_MADE_CODE_H

#include <stdint.h>

#include "host/process/scan.h"
#include "util/range.h"

/* Whether made code is known. */
enum made_code_answer {
	MADE_CODE_UNKNOWN,	/* no runtime that is known makes such code */
	MADE_CODE_NOT_YET,	/* the runtime has not made it yet */
	MADE_CODE_KNOWN,
};

/**
 * struct made_code - a mapping of made code
 * @pid: the process
 * @start: start address of the mapping
 * @end: end address of the mapping
 * @offset: offset of the mapping in the shared memory
 * @fd: the shared memory, open for reading
 * @path: answer: path that leads to the file; may be opened only by its bounds, as a path of
 *	scan_mapped_path()
 * @function: answer: link-time range of the function in whose frame the code runs
 * @bias: answer: run-time minus link-time address of the file
 * @fixed: answer: end address of code at @start that never changes, and may have frames of
 *	its own; all other code has none
 */
struct made_code {
	uint32_t pid;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	int fd;
	char path[SCAN_MAPPED_PATH];
	struct range function;
	uint64_t bias;
	uint64_t fixed;
};

/* Fills the answers of @c if it returns MADE_CODE_KNOWN. */
typedef enum made_code_answer made_code_find(struct made_code *c);

#endif /* USTACK_USER_PROCESS_MADE_CODE_H */
