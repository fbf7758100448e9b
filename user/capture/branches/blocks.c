// SPDX-License-Identifier: GPL-2.0-only
/*
 * Basic blocks of a function of x86-64, as BOLT cuts it: a block begins at the
 * function's start, after a branch, jump or return, and at each target of a
 * branch in the function. Targets of jumps through tables are known where the
 * CPU has recorded them. See private.h; fdata.c calls it.
 */
#include <errno.h>
#include <stdlib.h>

#include "capture/branches/private.h"
#include "sframe/x86_insn.h"

/* Most bytes of a function. */
#define MAX_CODE (16u << 20)

static void begin_at(struct branches_blocks *b, const struct branches_function *f, uint64_t to)
{
	if (to >= f->start && to < f->end)
		b->begins[to - f->start] = true;
}

static void take_insn(struct branches_blocks *b, const struct branches_function *f, uint64_t at,
		      const struct x86_insn *insn)
{
	b->insn[b->nr] = (uint32_t)at;
	b->kind[b->nr++] = insn->kind;
	if (insn->kind == X86_BRANCH || insn->kind == X86_JUMP)
		begin_at(b, f, insn->to);
	if (insn->kind == X86_BRANCH || insn->kind == X86_JUMP || insn->kind == X86_END)
		begin_at(b, f, f->start + at + insn->len);
}

/* Return: whether the whole function was decoded. */
static bool decode(struct branches_blocks *b, const struct branches_function *f)
{
	uint64_t len = f->end - f->start, at;
	struct x86_insn insn;

	b->begins[0] = true;
	for (at = 0; at < len; at += insn.len) {
		if (!x86_insn_read(b->code + at, len - at, f->start + at, &insn))
			return false;
		take_insn(b, f, at, &insn);
	}
	return true;
}

/* Return: index of the instruction at an offset, or of the first one after it. */
static size_t find_insn(const struct branches_blocks *b, uint64_t at)
{
	size_t low = 0, high = b->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (b->insn[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Blocks that begin at targets of jumps within the function that were recorded. */
static void take_recorded(struct branches_blocks *b, const struct branches_function *f,
			  const struct branches_counts *all)
{
	const struct branches_count *c, *end, *low = branches_counts_first(all, &end), *high = end;
	size_t i;

	while (low < high) {
		c = low + (high - low) / 2;
		if (c->from < f->start)
			low = c + 1;
		else
			high = c;
	}
	for (c = low; c < end && c->from < f->end; c++) {
		i = find_insn(b, c->from - f->start);
		if (i < b->nr && b->insn[i] == c->from - f->start && b->kind[i] == X86_JUMP)
			begin_at(b, f, c->to);
	}
}

int branches_blocks_read(struct branches_blocks *b, const struct branches_program *p,
			 const struct branches_function *f, const struct branches_counts *all)
{
	uint64_t len = f->end - f->start;

	*b = (struct branches_blocks){ .nr = 0 };
	if (len > MAX_CODE)
		return -ENOTSUP;
	b->code = malloc(len);
	b->insn = calloc(len, sizeof(*b->insn));
	b->kind = calloc(len, sizeof(*b->kind));
	b->begins = calloc(len, sizeof(*b->begins));
	if (!b->code || !b->insn || !b->kind || !b->begins)
		return -ENOMEM;
	if (!elf_read_code(p->file.fd, &p->elf, f->start, b->code, len) || !decode(b, f))
		return -ENOTSUP;
	take_recorded(b, f, all);
	return 0;
}

void branches_blocks_release(struct branches_blocks *b)
{
	free(b->code);
	free(b->insn);
	free(b->kind);
	free(b->begins);
	*b = (struct branches_blocks){ .nr = 0 };
}

int branches_blocks_returned(const struct branches_blocks *b, const struct branches_function *f,
			     const struct branches_count *branch, struct branches_counts *to)
{
	struct branches_count edge = { .to = branch->to, .count = branch->followed };
	size_t i = find_insn(b, branch->to - f->start);

	if (!i || i >= b->nr || f->start + b->insn[i] != branch->to || !b->begins[b->insn[i]] ||
	    b->kind[i - 1] != X86_CALL || !edge.count)
		return 0;
	edge.from = f->start + b->insn[i - 1];
	return branches_counts_add(to, &edge);
}

bool branches_blocks_is_return(const struct branches_blocks *b, uint64_t at)
{
	size_t i = find_insn(b, at);

	return i < b->nr && b->insn[i] == at && b->kind[i] == X86_END;
}

int branches_blocks_edges(const struct branches_blocks *b, const struct branches_function *f,
			  const struct branches_count *range, struct branches_counts *to)
{
	struct branches_count edge = { .count = range->count };
	size_t first = find_insn(b, range->from - f->start), last = find_insn(b, range->to - f->start);
	size_t i;
	int err = 0;

	if (last >= b->nr || b->insn[first] != range->from - f->start ||
	    b->insn[last] != range->to - f->start)
		return -ENODATA;
	for (i = first; i < last; i++)
		if (b->kind[i] == X86_JUMP || b->kind[i] == X86_END)
			return -ENODATA;
	for (i = first; i < last && !err; i++) {
		edge.from = f->start + b->insn[i];
		edge.to = f->start + b->insn[i + 1];
		if (b->begins[b->insn[i + 1]])
			err = branches_counts_add(to, &edge);
	}
	return err;
}
