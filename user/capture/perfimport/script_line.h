/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/perfimport: parses lines of perf script's text
 * (perf-script(1), without -F or with fields added to these).
 *
 *	work  6123/6124 [001]  1234.567890:    1001001 cpu-clock:
 *		    7f2a3b4c5d6e msort_with_tmp.part.0+0x1e (/usr/lib/libc.so.6)
 *
 * In the first line everything may be missing but the thread's number and the
 * time or the event.
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
 * @comm: name of the thread; empty if missing
 * @event: name of the event; empty if missing
 * @rest: rest of the line: a frame, or the data of a tracepoint
 * @pid: process; 0 if missing
 * @tid: thread
 * @time_ns: time in nanoseconds; 0 if missing
 * @period: period, if @has_period
 * @has_period: whether the line has a period
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
 * @address: address in the process
 * @name: name of the function; empty if not known
 * @file: path, or "[kernel.kallsyms]"; empty if not known
 * @inlined: the function is inlined into the frame of the next line
 */
struct script_frame {
	uint64_t address;
	struct script_text name;
	struct script_text file;
	bool inlined;
};

/*
 * Parse a line without its newline. Return: whether the line is of that kind.
 */
bool script_head(const char *line, size_t len, struct script_head *ret);
bool script_frame(const char *line, size_t len, struct script_frame *ret);
/* Parses "  file.c:12", which perf script -F +srcline prints below a frame. */
bool script_source(const char *line, size_t len, struct script_text *file, uint32_t *ret);

#endif /* USTACK_USER_PERFIMPORT_SCRIPT_LINE_H */
