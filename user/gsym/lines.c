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

/**
 * struct machine - the state of a lookup
 * @addr: of the row last made
 * @lines: sum of what special opcodes add to the line, without @min of each
 * @nr: special opcodes so far
 * @line: the rest of the line
 */
struct machine {
	const uint8_t *p;
	const uint8_t *end;
	struct header h;
	uint64_t addr;
	uint64_t line;
	uint64_t file;
};

/* An opcode that is not special, at @m->p. Return: 1; 0 at the end; -EBADMSG. */
static int run_op(struct machine *m, uint64_t *advance)
{
	int64_t delta;

	*advance = 0;
	switch (*m->p++) {
	case GSYM_LINE_END:
		return 0;
	case GSYM_LINE_FILE:
		return gsym_uleb(&m->p, m->end, &m->file) ? 1 : -EBADMSG;
	case GSYM_LINE_PC:
		return gsym_uleb(&m->p, m->end, advance) ? 1 : -EBADMSG;
	case GSYM_LINE_LINE:
		if (!gsym_sleb(&m->p, m->end, &delta))
			return -EBADMSG;
		m->line += (uint64_t)delta;
		return 1;
	}
	return -EBADMSG;
}

/*
 * Rows are made by special opcodes and GSYM_LINE_PC. The row that is looked for is the
 * last one that is not above the address: a row above it, or the end, ends the search.
 */
static int search(struct machine *m, uint64_t addr, struct gsym_row *ret)
{
	const uint32_t factor = reciprocal(m->h.range);
	const uint8_t *p = m->p, *const end = m->end;
	const uint64_t range = m->h.range;
	uint64_t left = addr - m->addr, line = m->line, pc;
	uint32_t adj, q;
	bool found = false;
	int more;

	while (likely(p < end)) {
		if (likely(*p >= GSYM_LINE_SPECIAL)) {
			adj = *p++ - GSYM_LINE_SPECIAL;
			q = adj * factor >> 16;
			if (q > left)
				return found;
			left -= q;
			line += (uint64_t)m->h.min + adj - q * range;
		} else {
			bool is_row = *p == GSYM_LINE_PC;

			m->p = p;
			m->line = line;
			more = run_op(m, &pc);
			if (more < 0)
				return more;
			if (!more || pc > left)
				return found;
			p = m->p;
			line = m->line;
			if (!is_row)
				continue;
			left -= pc;
		}
		found = true;
		ret->line = line;
		ret->file = m->file;
	}
	return -EBADMSG;
}

int gsym_row_at(const struct gsym_entry *lines, uint64_t start, uint64_t addr,
		struct gsym_row *ret)
{
	struct machine m = { .p = lines->data, .end = lines->end, .addr = start, .file = 1 };
	int found;

	if (lines->data == lines->end)
		return 0;
	if (!read_header(&m.p, m.end, &m.h))
		return -EBADMSG;
	m.line = m.h.line;
	found = search(&m, addr, ret);
	if (found > 0 && (ret->line > UINT32_MAX || ret->file > UINT32_MAX))
		return -EBADMSG;
	return found;
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
	int more;

	if (!it->p)
		return 0;
	for (;;) {
		if (m.p == m.end)
			return -EBADMSG;
		if (*m.p >= GSYM_LINE_SPECIAL) {
			adj = *m.p++ - GSYM_LINE_SPECIAL;
			advance = adj / it->range;
			m.line += (uint64_t)it->min + adj % it->range;
			break;
		}
		bool is_row = *m.p == GSYM_LINE_PC;

		more = run_op(&m, &advance);
		if (more <= 0)
			return more;
		if (is_row)
			break;
	}
	if (__builtin_add_overflow(it->addr, advance, &it->addr))
		return -EBADMSG;
	it->p = m.p;
	it->line = m.line;
	it->file = m.file;
	return take_row(it, ret);
}
