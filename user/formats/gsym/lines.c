// SPDX-License-Identifier: MIT
/*
 * Reads line tables: DWARF's state machine with four opcodes. A lookup searches
 * for one row; a walk returns all rows.
 */
#include "formats/gsym/line_walk.h"

static bool read_header(const uint8_t **p, const uint8_t *end, struct gsym_line_header *ret)
{
	int64_t max;

	if (!gsym_sleb(p, end, &ret->min) || !gsym_sleb(p, end, &max) ||
	    !gsym_uleb(p, end, &ret->line))
		return false;
	/* special opcodes divide by it */
	ret->range = (uint64_t)max - (uint64_t)ret->min + 1;
	return ret->min <= max && ret->range && ret->line <= UINT32_MAX;
}

/* State of a walk over opcodes. */
struct machine {
	const uint8_t *p;
	const uint8_t *end;
	struct gsym_line_header h;
	uint64_t line;
	uint64_t file;
};

/*
 * Runs the opcode at @m->p, which is not a special one. Return: 1, with the
 * advance in bytes, and whether it makes a row; 0 at the end; -EBADMSG.
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
 * Searches for the last row that is not above the address: a row above it, or
 * the end of the table, ends the search. About every other opcode is not
 * special, so all state is kept in variables of one loop. With @once it
 * advances by one row only.
 * Return: 1 if the present row is the one; 0 if it advanced; -EBADMSG.
 */
static int search(struct gsym_line_walk *w, bool once)
{
	const uint64_t range = w->h->range, step = (uint64_t)w->h->min - GSYM_LINE_SPECIAL;
	const uint32_t factor = gsym_line_reciprocal(range);
	uint64_t line = w->line, file = w->file, advance;
	const uint8_t *p = w->p, *const end = w->end;
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
			return 1;
		} else if (!gsym_uleb(&p, end, &advance)) {
			return -EBADMSG;
		}
		if (advance > w->left)
			return 1;
		w->left -= advance;
		w->line = line;
		w->file = file;
		w->has_row = true;
		if (once) {
			w->p = p;
			return 0;
		}
	}
	return -EBADMSG;
}

/*
 * @readable: end of the bytes that may be read, at or after the end of the
 *            table.
 */
static int search_blocks(struct gsym_line_walk *w, const uint8_t *readable)
{
#ifdef __SSE2__
	int found;

	while (w->h->range > 1 && readable - w->p >= GSYM_LINE_BLOCK) {
		found = gsym_line_block(w);
		if (found == -EAGAIN)
			found = search(w, true);
		if (found)
			return found;
	}
#endif
	return search(w, false);
}

int gsym_row_at(const struct gsym_entry *lines, const struct gsym_function *f, uint64_t addr,
		struct gsym_file_line *ret)
{
	struct gsym_line_walk w = {
		.p = lines->data, .end = lines->end, .left = addr - f->start, .file = 1,
	};
	struct gsym_line_header h;
	int found;

	if (lines->data == lines->end)
		return 0;
	if (!read_header(&w.p, lines->end, &h))
		return -EBADMSG;
	w.h = &h;
	w.line = h.line;
	found = search_blocks(&w, f->end);
	if (found < 0)
		return found;
	*ret = (struct gsym_file_line){ w.file, w.line };
	if (!w.has_row)
		return 0;
	return w.line > UINT32_MAX || w.file > UINT32_MAX ? -EBADMSG : 1;
}

int gsym_lines_init(struct gsym_lines *it, const struct gsym *g,
		    const struct gsym_function *f)
{
	struct gsym_entry e;
	struct gsym_line_header h;
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
