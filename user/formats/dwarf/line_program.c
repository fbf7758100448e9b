// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the program of a line table (line_program.h), which makes its rows and sequences.
 */
#include "formats/dwarf/line_program.h"

#include <errno.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/limits.h"
#include "util/array.h"
#include "util/poison.h"

int dwarf_line_program_header(struct dwarf_line_program *p, uint16_t version,
			      struct cursor *c)
{
	unsigned int i;

	p->min_bytes = cursor_u8(c);
	p->max_ops = version >= 4 ? cursor_u8(c) : 1;
	cursor_u8(c);	/* default of is_stmt, which is not used */
	p->line_base = (int8_t)cursor_u8(c);
	p->line_range = cursor_u8(c);
	p->opcode_base = cursor_u8(c);
	for (i = 1; i < p->opcode_base; i++)
		p->operands[i] = cursor_u8(c);
	if (!p->max_ops)
		p->max_ops = 1;
	return c->bad || !p->opcode_base ? -EBADMSG : 0;
}

/* Registers of the state machine, and the start of the present sequence. */
struct state {
	const struct dwarf_line_program *p;
	struct dwarf_lines *l;
	uint64_t addr;
	uint64_t op;
	uint32_t file;
	uint32_t line;
	size_t first;
	bool descends;
};

static void reset(struct state *s)
{
	s->addr = 0;
	s->op = 0;
	s->file = 1;
	s->line = 1;
	s->first = s->l->nr_rows;
	s->descends = false;
}

static inline void advance(struct state *s, uint64_t ops)
{
	if (__builtin_expect(s->p->max_ops == 1, 1)) {
		s->addr += ops * s->p->min_bytes;
		return;
	}
	s->addr += s->p->min_bytes * ((s->op + ops) / s->p->max_ops);
	s->op = (s->op + ops) % s->p->max_ops;
}

static bool same_line(const struct dwarf_row *r, const struct state *s)
{
	return r->file == s->file && r->line == s->line;
}

/* Appends a row, unless struct dwarf_row says that it is left out. */
static inline int add_row(struct state *s)
{
	struct dwarf_lines *l = s->l;
	struct dwarf_row *last;

	if (l->nr_rows > s->first) {
		last = &l->rows[l->nr_rows - 1];
		if (s->addr == last->addr) {
			l->nr_rows--;
			if (l->nr_rows > s->first)
				last--;
		} else if (s->addr < last->addr) {
			s->descends = true;
		}
		if (l->nr_rows > s->first && same_line(last, s))
			return 0;
	}
	if (l->nr_rows >= DWARF_MAX_ROWS)
		return -EBADMSG;
	if (!array_has_room(l->rows, l->nr_rows, l->room_rows))
		return -ENOMEM;
	l->rows[l->nr_rows++] = (struct dwarf_row){ s->addr, s->file, s->line };
	return 0;
}

static int end_sequence(struct state *s)
{
	struct dwarf_lines *l = s->l;
	struct dwarf_sequence seq = {
		.end = s->addr,
		.first = (uint32_t)s->first,
		.nr = (uint32_t)(l->nr_rows - s->first),
	};
	bool keep = seq.nr;

	if (keep) {
		seq.start = l->rows[s->first].addr;
		if (s->descends || s->addr < l->rows[l->nr_rows - 1].addr) {
			l->dropped++;
			keep = false;
		}
		keep = keep && seq.start < seq.end &&
		       dwarf_object_has_text(l->u->o, seq.start);
	}
	if (!keep) {
		l->nr_rows = s->first;
	} else {
		if (!array_has_room(l->sequences, l->nr_sequences, l->room_sequences))
			return -ENOMEM;
		l->sequences[l->nr_sequences++] = seq;
	}
	reset(s);
	return 0;
}

static int extended(struct state *s, struct cursor *c)
{
	uint64_t len = cursor_uleb(c);
	struct cursor in = *c;
	struct dwarf_file f = { 0 };

	cursor_skip(c, len);
	if (c->bad || !len)
		return c->bad ? -EBADMSG : 0;
	in.end = c->p;
	switch (cursor_u8(&in)) {
	case DW_LNE_end_sequence:
		return end_sequence(s);
	case DW_LNE_set_address:
		s->addr = dwarf_uint(&in, (unsigned int)(len > 9 ? 0 : len - 1));
		s->op = 0;
		break;
	case DW_LNE_define_file:
		f.name = dwarf_string(&in);
		f.dir = cursor_uleb(&in);
		return in.bad ? -EBADMSG : dwarf_lines_add_file(s->l, f);
	}
	return in.bad ? -EBADMSG : 0;
}

static uint32_t file_number(uint64_t file)
{
	return file > UINT32_MAX ? UINT32_MAX : (uint32_t)file;
}

static int standard(struct state *s, uint8_t op, struct cursor *c)
{
	unsigned int i;

	switch (op) {
	case DW_LNS_copy:
		return add_row(s);
	case DW_LNS_advance_pc:
		advance(s, cursor_uleb(c));
		return 0;
	case DW_LNS_advance_line:
		s->line += (uint32_t)cursor_sleb(c);
		return 0;
	case DW_LNS_set_file:
		s->file = file_number(cursor_uleb(c));
		return 0;
	case DW_LNS_set_column:
	case DW_LNS_set_isa:
		cursor_skip_leb(c);
		return 0;
	case DW_LNS_negate_stmt:
	case DW_LNS_set_basic_block:
	case DW_LNS_set_prologue_end:
	case DW_LNS_set_epilogue_begin:
		return 0;
	case DW_LNS_const_add_pc:
		if (!s->p->line_range)
			return -EBADMSG;
		advance(s, (255u - s->p->opcode_base) / s->p->line_range);
		return 0;
	case DW_LNS_fixed_advance_pc:
		s->addr += cursor_u16(c);
		s->op = 0;
		return 0;
	}
	for (i = 0; i < s->p->operands[op]; i++)
		cursor_skip_leb(c);
	return 0;
}

int dwarf_line_program_run(const struct dwarf_line_program *p, struct dwarf_lines *l,
			   struct cursor *c)
{
	struct state s = { .p = p, .l = l };
	uint8_t op, range = p->line_range;
	int err = 0;

	reset(&s);
	while (!err && cursor_left(c)) {
		op = cursor_u8(c);
		if (op >= p->opcode_base) {
			if (!range)
				return -EBADMSG;
			op -= p->opcode_base;
			advance(&s, op / range);
			s.line += (uint32_t)(p->line_base + op % range);
			err = add_row(&s);
		} else if (!op) {
			err = extended(&s, c);
		} else {
			err = standard(&s, op, c);
		}
	}
	/* rows without an end do not say where the last one ends: they are dropped */
	l->nr_rows = s.first;
	return err ? err : c->bad ? -EBADMSG : 0;
}
