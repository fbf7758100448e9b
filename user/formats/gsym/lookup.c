// SPDX-License-Identifier: MIT
/*
 * Lookup of an address: its function, a row of the line table, and the path of
 * inlined calls make its frames.
 */
#include "formats/gsym/read.h"

/*
 * Number of pieces of 64 bytes that are prefetched: most functions have no more
 * before the address.
 */
#define PREFETCHED 6u

/*
 * Sets file and line of a frame: those of the row for the innermost frame,
 * those of the next inner frame's call for the others.
 */
static bool set_place(const struct gsym *g, struct gsym_frame *f, uint64_t file,
		      uint64_t line)
{
	if (file > UINT32_MAX || line > UINT32_MAX)
		return false;
	f->line = (uint32_t)line;
	return !gsym_file(g, (uint32_t)file, &f->dir, &f->file);
}

int gsym_frames_set(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		    const struct gsym_file_line *row, const struct gsym_inlined *calls,
		    unsigned int nr_calls, struct gsym_frame *ret, unsigned int room)
{
	uint64_t file = row->file, line = row->line;
	const struct gsym_inlined *call;
	unsigned int i;

	for (i = 0; i <= nr_calls && i < room; i++) {
		call = i < nr_calls ? &calls[nr_calls - 1 - i] : NULL;
		ret[i] = (struct gsym_frame){
			.function = call ? call->name : f->name,
			.offset = addr - (call ? call->start : f->start),
			.inlined = call,
		};
		if (!set_place(g, &ret[i], file, line))
			return -EBADMSG;
		if (call) {
			file = call->call_file;
			line = call->call_line;
		}
	}
	return (int)nr_calls + 1;
}

int gsym_frame_without_line(const struct gsym_function *f, uint64_t addr, struct gsym_frame *ret,
		     unsigned int room)
{
	if (room)
		*ret = (struct gsym_frame){
			.function = f->name, .dir = "", .file = "",
			.offset = addr - f->start,
		};
	return 1;
}

/* Prefetches what is read next, as a function's bytes are seldom in the CPU's cache. */
static inline void prefetch(const struct gsym_entry *e)
{
	const uint8_t *p;
	unsigned int i;

	for (i = 0, p = e->data; i < PREFETCHED && p < e->end; i++, p += 64)
		__builtin_prefetch(p);
}

int gsym_lookup_in(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		   struct gsym_frame *ret, unsigned int room)
{
	struct gsym_inlined calls[GSYM_MAX_DEPTH];
	struct gsym_entry lines, inlines;
	struct gsym_file_line row;
	int found, depth, err;

	if (gsym_entry_find(g, f, GSYM_INFO_LINES, &lines))
		return -EBADMSG;
	prefetch(&lines);
	err = gsym_entry_find(g, f, GSYM_INFO_INLINES, &inlines);
	prefetch(&inlines);
	found = gsym_row_at(&lines, f, addr, &row);
	if (found < 0)
		return found;
	if (!found)
		return gsym_frame_without_line(f, addr, ret, room);
	if (err)
		return -EBADMSG;
	depth = gsym_inlined_at(g, &inlines, f->start, addr, calls);
	if (depth < 0)
		return -EBADMSG;
	return gsym_frames_set(g, f, addr, &row, calls, (unsigned int)depth, ret, room);
}

int gsym_lookup(const struct gsym *g, uint64_t addr, struct gsym_frame *ret,
		unsigned int room)
{
	struct gsym_function f;
	int found;

	found = gsym_find(g, addr, &f);
	return found <= 0 ? found : gsym_lookup_in(g, &f, addr, ret, room);
}

/* Return: start of the first function after @start; 0 if there is none. */
static uint64_t next_start(const struct gsym *g, uint64_t start)
{
	uint32_t low = 0, high, middle;
	struct gsym_function f;
	struct gsym_info info;

	gsym_identify(g, &info);
	high = info.nr_functions;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (gsym_function(g, middle, &f))
			return 0;
		if (f.start > start)
			high = middle;
		else
			low = middle + 1;
	}
	return low < info.nr_functions && !gsym_function(g, low, &f) ? f.start : 0;
}

int gsym_extent(const struct gsym *g, uint64_t addr, uint64_t *start, uint64_t *size)
{
	struct gsym_function f;
	int found = gsym_find(g, addr, &f);
	uint64_t next;

	if (found <= 0)
		return found;
	next = f.size ? 0 : next_start(g, f.start);
	*start = f.start;
	*size = next ? next - f.start : f.size;
	return 1;
}
