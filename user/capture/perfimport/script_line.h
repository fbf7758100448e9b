/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/perfimport: lines of perf script's text (perf-script(1), without -F or with
 * other fields added to these).
 *
 *	work  6123/6124 [001]  1234.567890:    1001001 cpu-clock:
 *		    7f2a3b4c5d6e msort_with_tmp.part.0+0x1e (/usr/lib/libc.so.6)
 *
 * All but the thread's number and either the time or the event may be missing of the first.
 */
#ifndef USTACK_USER_PERFIMPORT_SCRIPT_LINE_H
#define USTACK_USER_PERFIMPORT_SCRIPT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a line, without NUL. */
struct script_text {
	const char *at;
	size_t len;
};

/**
 * struct script_head - the first line of a sample
 * @comm: the thread's name; empty if it is missing
 * @event: name; empty if it is missing
 * @rest: what follows: a frame, or what a tracepoint says
 * @pid: 0 if it is missing
 * @tid: thread
 * @time_ns: 0 if it is missing
 * @period: if @has_period
 */
struct script_head {
	struct script_text comm;
	struct script_text event;
	struct script_text rest;
	uint32_t pid;
	uint32_t tid;
	uint64_t time_ns;
	uint64_t period;
	bool has_period;
};

/**
 * struct script_frame - a line of a chain
 * @address: as it was in the process
 * @name: of the function; empty if it is not known
 * @file: path, "[kernel.kallsyms]"; empty if it is not known
 * @inlined: into the frame of the next line
 */
struct script_frame {
	uint64_t address;
	struct script_text name;
	struct script_text file;
	bool inlined;
};

/* Reads a line without its newline. Return: whether it is one of these. */
bool script_head(const char *line, size_t len, struct script_head *ret);
bool script_frame(const char *line, size_t len, struct script_frame *ret);
/* "  file.c:12", which perf script -F +srcline puts below a frame. */
bool script_source(const char *line, size_t len, struct script_text *file, uint32_t *ret);

#endif /* USTACK_USER_PERFIMPORT_SCRIPT_LINE_H */
