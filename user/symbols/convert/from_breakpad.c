// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads Breakpad files in two passes. The first takes FILE and INLINE_ORIGIN records,
 * which may come after the records that refer to them. The second takes functions and
 * holds one of them in memory at a time.
 */
#include "symbols/convert/from_breakpad.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/cleanup.h"
#include "util/text_lines.h"

#include "util/poison.h"

/* A number that the file gives to a file or a name, and our number for the same. */
struct number {
	uint64_t theirs;
	uint32_t ours;
	uint32_t order;
};

struct numbers {
	struct number *at;
	size_t nr;
	size_t room;
};

/* An INLINE record. Its ranges begin at index @first of the function's @ranges. */
struct call {
	struct gsym_new_call c;
	size_t first;
};

/* The function whose records are being read. */
struct function {
	struct gsym_new_function f;
	bool there;
	uint64_t line_end;	/* end address of the last line record */
	struct gsym_new_line *lines;
	size_t nr_lines;
	size_t lines_room;
	struct call *calls;
	size_t nr_calls;
	size_t calls_room;
	struct range *ranges;
	size_t nr_ranges;
	size_t ranges_room;
};

/*
 * The calls of the function being added, cut to their callers' code. @ranges is a stack:
 * those of depth d start at @first[d].
 */
struct placed {
	struct range *ranges;
	size_t room;
	size_t first[GSYM_MAX_DEPTH + 2];
	struct gsym_new_call *calls;
	size_t nr_calls;
	size_t calls_room;
	size_t *starts;		/* start of each call's ranges in @all */
	size_t starts_room;
	struct range *all;
	size_t nr_all;
	size_t all_room;
};

struct breakpad {
	struct text_lines t;
	struct gsym_part *part;
	struct gsym_breakpad *ret;
	struct diag *diag;
	struct numbers files;
	struct numbers origins;
	struct function now;
	struct placed placed;
};

static int no_memory(const struct breakpad *b)
{
	return diag_errno(b->diag, ENOMEM, b->t.file->path);
}

#define bad(b, ...) text_lines_fail(&(b)->t, (b)->diag, __VA_ARGS__)

static int by_theirs(const void *x, const void *y)
{
	const struct number *a = x, *b = y;

	if (a->theirs != b->theirs)
		return a->theirs < b->theirs ? -1 : 1;
	return 0;
}

static int by_order(const void *x, const void *y)
{
	const struct number *a = x, *b = y;
	int order = by_theirs(a, b);

	return order ? order : a->order < b->order ? -1 : 1;
}

/* Numbers usually count from 0 or 1, so try the number as an index first. */
static bool numbers_find(const struct numbers *n, uint64_t theirs, uint32_t *ret)
{
	struct number key = { .theirs = theirs };
	const struct number *found = NULL;

	if (theirs < n->nr && n->at[theirs].theirs == theirs)
		found = &n->at[theirs];
	else if (n->nr)
		found = bsearch(&key, n->at, n->nr, sizeof(key), by_theirs);
	if (found)
		*ret = found->ours;
	return found != NULL;
}

static int numbers_add(struct breakpad *b, struct numbers *n, uint64_t theirs,
		       uint32_t ours)
{
	if (!array_has_room(n->at, n->nr, n->room))
		return no_memory(b);
	n->at[n->nr] = (struct number){ theirs, ours, (uint32_t)n->nr };
	n->nr++;
	return 0;
}

/* Sorts the numbers; if a number is defined twice, the first definition counts. */
static void numbers_sort(struct numbers *n)
{
	size_t i, to = 0;

	if (n->nr)
		qsort(n->at, n->nr, sizeof(*n->at), by_order);
	for (i = 0; i < n->nr; i++)
		if (!to || n->at[to - 1].theirs != n->at[i].theirs)
			n->at[to++] = n->at[i];
	n->nr = to;
}

static int add_string(struct breakpad *b, const char *s, size_t len, uint32_t *ret)
{
	return gsym_part_string(b->part, s, len, ret) ? no_memory(b) : 0;
}

/* Splits a path: "/a/b.c" and "C:\a\b.c" are the file b.c in a folder. */
static int add_file(struct breakpad *b, const char *path, uint32_t *ret)
{
	const char *slash = strrchr(path, '/'), *base;
	uint32_t dir, name;
	size_t len;
	int err;

	if (!slash)
		slash = strrchr(path, '\\');
	base = slash ? slash + 1 : path;
	len = slash ? (size_t)(slash - path) : 0;
	/* keep the slash if the folder is the root */
	if (slash == path)
		len = 1;
	err = add_string(b, path, len, &dir);
	if (!err)
		err = add_string(b, base, strlen(base), &name);
	if (!err && gsym_part_file(b->part, dir, name, ret))
		err = no_memory(b);
	return err;
}

static int take_file(struct breakpad *b, char *s)
{
	uint64_t theirs;
	uint32_t ours;
	int err;

	if (!text_number(&s, 10, &theirs))
		return bad(b, "a FILE record without a number");
	err = add_file(b, s, &ours);
	return err ? err : numbers_add(b, &b->files, theirs, ours);
}

static int take_origin(struct breakpad *b, char *s)
{
	uint64_t theirs;
	uint32_t ours;
	int err;

	if (!text_number(&s, 10, &theirs))
		return bad(b, "an INLINE_ORIGIN record without a number");
	err = add_string(b, s, strlen(s), &ours);
	return err ? err : numbers_add(b, &b->origins, theirs, ours);
}

/* Reads pairs of hex digits up to the first other character. Return: number of bytes. */
static uint8_t take_hex(const char *s, uint8_t *ret)
{
	uint8_t n;
	unsigned int byte;
	int used;

	for (n = 0; n < GSYM_MAX_UUID; n++, s += 2) {
		used = 0;
		if (strspn(s, "0123456789abcdefABCDEF") < 2 ||
		    sscanf(s, "%2x%n", &byte, &used) != 1 || used != 2)
			break;
		ret[n] = (uint8_t)byte;
	}
	return n;
}

static void swap_bytes(uint8_t *p, unsigned int n)
{
	unsigned int i;
	uint8_t byte;

	for (i = 0; i < n / 2; i++) {
		byte = p[i];
		p[i] = p[n - 1 - i];
		p[n - 1 - i] = byte;
	}
}

/*
 * The id is a GUID and then an age. For ELF files the GUID is the first 16 bytes of the
 * build id, with its first three fields written as numbers.
 */
static int take_module(struct breakpad *b, char *s)
{
	bool mac = !strncmp(s, "mac ", 4) || !strncmp(s, "ios ", 4);
	bool windows = !strncmp(s, "windows ", 8);
	uint8_t *id = b->ret->uuid, fields = 0;

	for (; fields < 2 && *s; fields++) {
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	if (fields < 2 || !*s)
		return bad(b, "a MODULE record without an id");
	b->ret->uuid_len = take_hex(s, id);
	if (b->ret->uuid_len < 16)
		b->ret->uuid_len = 0;
	else
		b->ret->uuid_len = 16;
	if (b->ret->uuid_len && !mac && !windows) {
		swap_bytes(id, 4);
		swap_bytes(id + 4, 2);
		swap_bytes(id + 6, 2);
	}
	return 0;
}

/*
 * INFO CODE_ID has the whole build id. On Windows it is another id, followed by a file
 * name, and is ignored.
 */
static void take_info(struct breakpad *b, char *s)
{
	uint8_t id[GSYM_MAX_UUID], n;

	if (!text_word(&s, "CODE_ID"))
		return;
	n = take_hex(s, id);
	if (n < 8 || strchr(s, ' '))
		return;
	memcpy(b->ret->uuid, id, n);
	b->ret->uuid_len = n;
}

static int first_pass(struct breakpad *b)
{
	int more, err = 0;
	char *s;

	while (!err && (more = text_lines_next(&b->t, b->diag)) > 0) {
		s = b->t.line;
		if (b->t.number == 1)
			err = text_word(&s, "MODULE") ? take_module(b, s) :
			      bad(b, "not a Breakpad symbol file: it starts with no MODULE");
		else if (text_word(&s, "FILE"))
			err = take_file(b, s);
		else if (text_word(&s, "INLINE_ORIGIN"))
			err = take_origin(b, s);
		else if (text_word(&s, "INFO"))
			take_info(b, s);
	}
	if (!err && more < 0)
		err = more;
	if (!err && b->t.number == 1)
		err = diag_set(b->diag, EBADMSG, b->t.file->path, "an empty file");
	numbers_sort(&b->files);
	numbers_sort(&b->origins);
	return err;
}

/*
 * Sets the ranges of @depth to the parts of @r, which ascend, that lie in the caller's
 * ranges, those of @depth - 1.
 * Return: false if out of memory.
 */
static bool place_ranges(struct placed *p, uint32_t depth, const struct range *r,
			 size_t nr)
{
	size_t caller = p->first[depth - 1], callers = p->first[depth], to = callers;
	uint64_t start, end, done = 0;

	for (; nr; r++, nr--) {
		while (caller < callers && p->ranges[caller].end <= r->start)
			caller++;
		for (; caller < callers && p->ranges[caller].start < r->end; caller++) {
			start = p->ranges[caller].start;
			start = start > r->start ? start : r->start;
			start = start > done ? start : done;
			end = p->ranges[caller].end < r->end ? p->ranges[caller].end : r->end;
			if (start < end) {
				if (!array_has_room(p->ranges, to, p->room))
					return false;
				p->ranges[to++] = (struct range){ start, end };
				done = end;
			}
			/* the next range may start within the same one of the caller */
			if (p->ranges[caller].end >= r->end)
				break;
		}
	}
	p->first[depth + 1] = to;
	return true;
}

static bool place_call(struct placed *p, const struct gsym_new_call *c)
{
	size_t i, first = p->first[c->depth], end = p->first[c->depth + 1];

	if (!array_has_room(p->calls, p->nr_calls, p->calls_room) ||
	    !array_has_room(p->starts, p->nr_calls, p->starts_room))
		return false;
	p->starts[p->nr_calls] = p->nr_all;
	p->calls[p->nr_calls] = *c;
	p->calls[p->nr_calls++].nr_ranges = (uint32_t)(end - first);
	for (i = first; i < end; i++) {
		if (!array_has_room(p->all, p->nr_all, p->all_room))
			return false;
		p->all[p->nr_all++] = p->ranges[i];
	}
	return true;
}

/*
 * Collects the calls, cut to the code of their callers. A call with no code in its caller
 * is left out, together with all calls inlined into it.
 */
static bool place_calls(struct breakpad *b)
{
	struct function *now = &b->now;
	struct placed *p = &b->placed;
	uint32_t left_out = UINT32_MAX;
	size_t i;

	p->nr_calls = 0;
	p->nr_all = 0;
	if (!array_has_room(p->ranges, 0, p->room))
		return false;
	p->ranges[0] = now->f.range;
	p->first[0] = 0;
	p->first[1] = now->f.range.start < now->f.range.end;
	for (i = 0; i < now->nr_calls; i++) {
		const struct gsym_new_call *c = &now->calls[i].c;
		struct range *ranges = now->ranges + now->calls[i].first;

		if (c->depth > left_out) {
			b->ret->misplaced++;
			continue;
		}
		left_out = UINT32_MAX;
		qsort(ranges, c->nr_ranges, sizeof(*ranges), range_compare);
		if (!place_ranges(p, c->depth, ranges, c->nr_ranges))
			return false;
		if (p->first[c->depth] == p->first[c->depth + 1]) {
			left_out = c->depth;
			b->ret->misplaced++;
			continue;
		}
		if (!place_call(p, c))
			return false;
	}
	for (i = 0; i < p->nr_calls; i++)
		p->calls[i].ranges = p->all + p->starts[i];
	return true;
}

static int line_by_addr(const void *x, const void *y)
{
	const struct gsym_new_line *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	/* a line may start where another one ends: the end comes first */
	if (!a->file != !b->file)
		return a->file ? 1 : -1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int add_row(struct breakpad *b, uint64_t addr, uint32_t file, uint32_t line)
{
	struct function *now = &b->now;

	if (!array_has_room(now->lines, now->nr_lines, now->lines_room))
		return no_memory(b);
	now->lines[now->nr_lines++] = (struct gsym_new_line){ addr, file, line };
	return 0;
}

/* Adds the function that was read to the part. */
static int finish(struct breakpad *b)
{
	struct function *now = &b->now;
	int err = 0;

	if (!now->there)
		return 0;
	now->there = false;
	if (now->nr_lines)
		err = add_row(b, now->line_end, 0, 0);
	if (err)
		return err;
	if (!place_calls(b))
		return no_memory(b);
	if (now->nr_lines)
		qsort(now->lines, now->nr_lines, sizeof(*now->lines), line_by_addr);
	now->f.lines = now->lines;
	now->f.nr_lines = now->nr_lines;
	now->f.calls = b->placed.calls;
	now->f.nr_calls = b->placed.nr_calls;
	b->ret->calls += b->placed.nr_calls;
	err = gsym_part_add(b->part, &now->f);
	return err ? diag_errno(b->diag, -err, b->t.file->path) : 0;
}

/* Reads an address and, if @ret_end is not NULL, a size. */
static bool take_range(char **s, uint64_t *ret_start, uint64_t *ret_end)
{
	uint64_t size;

	return text_number(s, 16, ret_start) &&
	       (!ret_end || (text_number(s, 16, &size) &&
			     !__builtin_add_overflow(*ret_start, size, ret_end)));
}

static int take_name(struct breakpad *b, const char *s, uint32_t *ret)
{
	int err = add_string(b, s, strlen(s), ret);

	if (!err && !*ret)
		b->ret->nameless++;
	return err;
}

static int take_func(struct breakpad *b, char *s)
{
	struct function *now = &b->now;
	struct range range;
	uint64_t parameters;
	uint32_t name;
	int err;

	err = finish(b);
	if (err)
		return err;
	text_word(&s, "m");
	if (!take_range(&s, &range.start, &range.end) || !text_number(&s, 16, &parameters))
		return bad(b, "a function without address, size and size of parameters");
	err = take_name(b, s, &name);
	if (err)
		return err;
	now->there = name;
	now->f = (struct gsym_new_function){
		.range = range, .name = name, .order = b->t.offset,
	};
	now->nr_lines = 0;
	now->nr_calls = 0;
	now->nr_ranges = 0;
	b->ret->functions++;
	return 0;
}

static int take_public(struct breakpad *b, char *s)
{
	struct gsym_new_function f = { .order = b->t.offset };
	uint64_t parameters;
	int err;

	text_word(&s, "m");
	if (!take_range(&s, &f.range.start, NULL) || !text_number(&s, 16, &parameters))
		return bad(b, "a symbol without address and size of parameters");
	f.range.end = f.range.start;
	b->ret->symbols++;
	err = take_name(b, s, &f.name);
	if (err || !f.name)
		return err;
	err = gsym_part_add(b->part, &f);
	return err ? diag_errno(b->diag, -err, b->t.file->path) : 0;
}

static int take_line(struct breakpad *b, char *s)
{
	struct function *now = &b->now;
	uint64_t start, end, line, number;
	uint32_t file;
	int err = 0;

	if (!b->ret->functions)
		return bad(b, "a line record before the first function");
	if (!take_range(&s, &start, &end) || !text_number(&s, 10, &line) ||
	    !text_number(&s, 10, &number) || *s)
		return bad(b, "neither a record nor a line with address, size, line and file");
	if (line > UINT32_MAX)
		return bad(b, "line %" PRIu64, line);
	if (!numbers_find(&b->files, number, &file))
		return bad(b, "file %" PRIu64 " is not defined", number);
	b->ret->lines++;
	if (!now->there || start == end)
		return 0;
	if (now->nr_lines && now->line_end != start)
		err = add_row(b, now->line_end, 0, 0);
	if (!err)
		err = add_row(b, start, file, (uint32_t)line);
	now->line_end = end;
	return err;
}

static int take_call_ranges(struct breakpad *b, struct call *call, char *s)
{
	struct function *now = &b->now;
	struct range r;

	call->first = now->nr_ranges;
	while (*s) {
		if (!take_range(&s, &r.start, &r.end))
			return bad(b, "not an address and a size");
		if (!array_has_room(now->ranges, now->nr_ranges, now->ranges_room))
			return no_memory(b);
		now->ranges[now->nr_ranges++] = r;
	}
	call->c.nr_ranges = (uint32_t)(now->nr_ranges - call->first);
	return call->c.nr_ranges ? 0 : bad(b, "an inlined call without addresses");
}

static unsigned int count_fields(const char *s)
{
	unsigned int n = 0;

	while (*s) {
		n++;
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	return n;
}

/*
 * Files of the first version of INLINE records do not name the file of the call: they
 * have an odd number of fields.
 */
static int take_inline(struct breakpad *b, char *s)
{
	struct function *now = &b->now;
	bool has_file = count_fields(s) % 2 == 0;
	uint64_t depth, line, file = 0, origin;
	struct call call = { 0 };
	uint32_t last;
	int err;

	if (!b->ret->functions)
		return bad(b, "an inlined call before the first function");
	if (!text_number(&s, 10, &depth) || !text_number(&s, 10, &line) ||
	    (has_file && !text_number(&s, 10, &file)) || !text_number(&s, 10, &origin))
		return bad(b, "an inlined call without depth, line, file and function");
	last = now->nr_calls ? now->calls[now->nr_calls - 1].c.depth : 0;
	if (now->there && depth > last)
		return bad(b, "an inlined call of depth %" PRIu64 " without its caller", depth);
	if (depth >= GSYM_MAX_DEPTH)
		return bad(b, "inlined calls of depth %" PRIu64, depth);
	if (line > UINT32_MAX)
		return bad(b, "line %" PRIu64, line);
	if (has_file && !numbers_find(&b->files, file, &call.c.call_file))
		return bad(b, "file %" PRIu64 " is not defined", file);
	if (!numbers_find(&b->origins, origin, &call.c.name))
		return bad(b, "inlined function %" PRIu64 " is not defined", origin);
	if (!now->there)
		return 0;
	call.c.depth = (uint32_t)depth + 1;
	call.c.call_line = (uint32_t)line;
	err = take_call_ranges(b, &call, s);
	if (err)
		return err;
	if (!array_has_room(now->calls, now->nr_calls, now->calls_room))
		return no_memory(b);
	now->calls[now->nr_calls++] = call;
	return 0;
}

static int take_record(struct breakpad *b, char *s)
{
	static const char *const others[] = {
		"STACK", "FILE", "INLINE_ORIGIN", "INFO", "MODULE",
	};
	size_t i;

	if (text_word(&s, "FUNC"))
		return take_func(b, s);
	if (text_word(&s, "INLINE"))
		return take_inline(b, s);
	if (text_word(&s, "PUBLIC"))
		return take_public(b, s);
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (text_word(&s, others[i]))
			return 0;
	return *s ? take_line(b, s) : 0;
}

static int second_pass(struct breakpad *b)
{
	int more, err = 0;

	while (!err && (more = text_lines_next(&b->t, b->diag)) > 0)
		err = take_record(b, b->t.line);
	if (!err && more < 0)
		err = more;
	return err ? err : finish(b);
}

static void breakpad_release(struct breakpad *b)
{
	text_lines_release(&b->t);
	free(b->files.at);
	free(b->origins.at);
	free(b->now.lines);
	free(b->now.calls);
	free(b->now.ranges);
	free(b->placed.ranges);
	free(b->placed.calls);
	free(b->placed.starts);
	free(b->placed.all);
}

static int read_all(struct breakpad *b, const struct file *file)
{
	int err;

	err = text_lines_init(&b->t, file, b->diag);
	if (err)
		return err;
	err = first_pass(b);
	text_lines_release(&b->t);
	if (!err)
		err = text_lines_init(&b->t, file, b->diag);
	return err ? err : second_pass(b);
}

int gsym_from_breakpad(const char *path, struct gsym_part *part,
		       struct gsym_breakpad *ret, struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	struct breakpad b = { .part = part, .ret = ret, .diag = diag };
	int err;

	*ret = (struct gsym_breakpad){ 0 };
	err = file_open(&file, path, diag);
	if (!err)
		err = read_all(&b, &file);
	breakpad_release(&b);
	return err;
}
