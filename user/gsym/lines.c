// SPDX-License-Identifier: GPL-2.0
/* Line tables: DWARF's state machine with four opcodes. */
#include "gsym/read.h"

/* What a line table starts with. */
struct header {
	int64_t min;
	uint64_t range;
	uint64_t line;
};

static bool read_header(const uint8_t **p, const uint8_t *end, struct header *ret)
{
	int64_t max;

	if (!gsym_sleb(p, end, &ret->min) || !gsym_sleb(p, end, &max) ||
	    !gsym_uleb(p, end, &ret->line))
		return false;
	/* by which special opcodes divide */
	ret->range = (uint64_t)max - (uint64_t)ret->min + 1;
	return ret->min <= max && ret->range && ret->line <= UINT32_MAX;
}

/*
 * Special opcodes are most of a table, and a lookup has to go through all that are in
 * front of its address. Dividing by the range is a multiplication: rounded up, as
 * what is divided is below 256.
 */
static uint32_t reciprocal(uint64_t range)
{
	return range > UINT8_MAX ? 0 : 65536 / (uint32_t)range + 1;
}

/* A walk over opcodes, with what those that are not special set. */
struct machine {
	const uint8_t *p;
	const uint8_t *end;
	struct header h;
	uint64_t line;
	uint64_t file;
};

/*
 * An opcode that is not special, at @m->p. Return: 1, and how far it goes on with
 * @is_row; 0 at the end; -EBADMSG.
 */
static inline __attribute__((always_inline)) int
run_op(struct machine *m, uint64_t *advance, bool *is_row)
{
	int64_t delta;

	*advance = 0;
	*is_row = false;
	switch (*m->p++) {
	case GSYM_LINE_FILE:
		return gsym_uleb(&m->p, m->end, &m->file) ? 1 : -EBADMSG;
	case GSYM_LINE_PC:
		*is_row = true;
		return gsym_uleb(&m->p, m->end, advance) ? 1 : -EBADMSG;
	case GSYM_LINE_LINE:
		if (!gsym_sleb(&m->p, m->end, &delta))
			return -EBADMSG;
		m->line += (uint64_t)delta;
		return 1;
	}
	return 0;
}

/*
 * The row that is looked for is the last one that is not above the address, which is
 * @left behind the start: a row above it, or the end, ends the search. About every
 * other opcode is not special, so all state is in variables of one loop.
 */
static int search(const uint8_t *p, const uint8_t *end, const struct header *h,
		  uint64_t left, struct gsym_row *ret)
{
	const uint64_t range = h->range, step = (uint64_t)h->min - GSYM_LINE_SPECIAL;
	const uint32_t factor = reciprocal(range);
	uint64_t line = h->line, file = 1, row_line = 0, row_file = 0, advance;
	bool has_row = false;
	int64_t delta;

	while (likely(p < end)) {
		unsigned int op = *p++;

		if (likely(op >= GSYM_LINE_SPECIAL)) {
			advance = (op - GSYM_LINE_SPECIAL) * factor >> 16;
			line += step + op - advance * range;
		} else if (op == GSYM_LINE_LINE) {
			if (!gsym_sleb(&p, end, &delta))
				return -EBADMSG;
			line += (uint64_t)delta;
			continue;
		} else if (op == GSYM_LINE_FILE) {
			if (!gsym_uleb(&p, end, &file))
				return -EBADMSG;
			continue;
		} else if (op == GSYM_LINE_END) {
			goto found;
		} else if (!gsym_uleb(&p, end, &advance)) {
			return -EBADMSG;
		}
		if (advance > left)
			goto found;
		left -= advance;
		row_line = line;
		row_file = file;
		has_row = true;
	}
	return -EBADMSG;
found:
	*ret = (struct gsym_row){ row_file, row_line };
	if (!has_row)
		return 0;
	return row_line > UINT32_MAX || row_file > UINT32_MAX ? -EBADMSG : 1;
}

int gsym_row_at(const struct gsym_entry *lines, uint64_t start, uint64_t addr,
		struct gsym_row *ret)
{
	const uint8_t *p = lines->data;
	struct header h;

	if (lines->data == lines->end)
		return 0;
	if (!read_header(&p, lines->end, &h))
		return -EBADMSG;
	return search(p, lines->end, &h, addr - start, ret);
}

int gsym_lines_init(struct gsym_lines *it, const struct gsym *g,
		    const struct gsym_function *f)
{
	struct gsym_entry e;
	struct header h;
	int err;

	*it = (struct gsym_lines){ .g = g, .addr = f->start, .file = 1 };
	err = gsym_entry_find(g, f, GSYM_INFO_LINES, &e);
	if (err || e.data == e.end)
		return err;
	if (!read_header(&e.data, e.end, &h))
		return -EBADMSG;
	it->p = e.data;
	it->end = e.end;
	it->min = h.min;
	it->range = h.range;
	it->line = h.line;
	return 0;
}

static int take_row(struct gsym_lines *it, struct gsym_line *ret)
{
	if (it->line > UINT32_MAX || it->file > UINT32_MAX)
		return -EBADMSG;
	*ret = (struct gsym_line){
		.addr = it->addr, .file_index = (uint32_t)it->file, .line = (uint32_t)it->line,
	};
	return gsym_file(it->g, ret->file_index, &ret->dir, &ret->file) ? -EBADMSG : 1;
}

int gsym_lines_next(struct gsym_lines *it, struct gsym_line *ret)
{
	struct machine m = {
		.p = it->p, .end = it->end, .file = it->file, .line = it->line,
	};
	uint64_t advance, adj;
	bool is_row;
	int more;

	if (!it->p)
		return 0;
	do {
		if (m.p == m.end)
			return -EBADMSG;
		if (*m.p >= GSYM_LINE_SPECIAL) {
			adj = *m.p++ - GSYM_LINE_SPECIAL;
			advance = adj / it->range;
			m.line += (uint64_t)it->min + adj % it->range;
			break;
		}
		more = run_op(&m, &advance, &is_row);
		if (more <= 0)
			return more;
	} while (!is_row);
	if (__builtin_add_overflow(it->addr, advance, &it->addr))
		return -EBADMSG;
	it->p = m.p;
	it->line = m.line;
	it->file = m.file;
	return take_row(it, ret);
}
