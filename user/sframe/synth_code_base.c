// SPDX-License-Identifier: GPL-2.0-only
/* Reads code backwards to the instructions that load a register. synth_code_switch.c calls it. */
#include "sframe/synth_code_base.h"

#include <stdlib.h>

#include "sframe/synth_code_flow.h"
#include "sframe/x86_regs.h"
#include "util/array.h"

/* BX, BP and R12 to R15, which a called function gives back */
#define KEPT_BY_CALLS 0xf028u

/**
 * struct search - a search for the loads of one register
 * @f: the analysis
 * @reg: the register
 * @nr: number of @met
 * @met: bytes before which the register's value is searched for; they have CODE_MET
 * @found: a load was found
 * @value: what it loads
 */
struct search {
	struct code_flow *f;
	u8 reg;
	u32 nr;
	u32 met[CODE_MAX_BACK];
	bool found;
	u64 value;
};

void code_edges_release(struct code_edges *e)
{
	free(e->all);
	*e = (struct code_edges){ .all = NULL };
}

/* Adds an edge to those that lead to @to; f->root has the last one's number plus 1. */
static bool add_edge(struct code_flow *f, u32 from, u32 to)
{
	struct code_edges *e = &f->switches.edges;

	if (to == CODE_NOWHERE)
		return true;
	if (!array_has_room(e->all, e->nr, e->room))
		return false;
	e->all[e->nr++] = (struct code_edge){ .from = from, .other = f->root[to] };
	f->root[to] = (u32)e->nr;
	return true;
}

/* Whether the instruction at @at is decoded, and leads nowhere but to the next one. */
static bool goes_on(const struct code_flow *f, u32 at)
{
	const struct x86_insn *insn;

	if (!f->index[at])
		return false;
	insn = &f->insns[f->index[at] - 1].insn;
	return insn->kind != X86_JUMP && insn->kind != X86_BRANCH;
}

static bool add_edges(struct code_flow *f, u32 at)
{
	struct code_step s;
	const u32 *to;
	u32 nr;

	if (goes_on(f, at) || !code_flow_step(f, at, &s) || (s.insn.kind != X86_JUMP && s.insn.kind != X86_BRANCH))
		return true;
	if (!add_edge(f, at, code_step_target(f, &s)))
		return false;
	to = code_step_cases(f, &s, &nr);
	for (; nr--; to++)
		if (!add_edge(f, at, *to))
			return false;
	return true;
}

static bool find_edges(struct code_flow *f)
{
	struct code_edges *e = &f->switches.edges;
	u32 at;

	if (e->known)
		return true;
	e->nr = 0;
	memset(f->root, 0, f->text->size * sizeof(*f->root));
	for (at = 0; at < f->text->size; at++)
		if (f->flags[at] & CODE_VISITED && !add_edges(f, at))
			return false;
	e->known = true;
	return true;
}

/* Goes on before @at. Return: false if there is too much to read. */
static bool meet(struct search *s, u32 at)
{
	if (s->f->flags[at] & CODE_MET)
		return true;
	if (s->nr == CODE_MAX_BACK || !s->f->switches.left)
		return false;
	s->f->switches.left--;
	s->f->flags[at] |= CODE_MET;
	s->met[s->nr++] = at;
	return true;
}

static bool is_constant(const struct search *s, const struct x86_regs *x)
{
	if (x->to != s->reg)
		return false;
	return (x->action == X86_ADDRESSES && x->bytes == 8 && x->base == X86_NO_REG &&
		x->index == X86_NO_REG) || x->action == X86_SETS;
}

/* Reads the instruction @i, which leads on. Return: false if it changes the register. */
static bool read_back(struct search *s, const struct code_step *i)
{
	u32 off = i->at - i->area->first;
	struct x86_regs x;
	u64 value;

	if (i->insn.kind == X86_CALL)
		return 1u << s->reg & KEPT_BY_CALLS && meet(s, i->at);
	x86_regs_read(i->area->bytes + off, &i->insn, i->area->start + off, &x);
	if (!(x.writes & 1u << s->reg))
		return meet(s, i->at);
	if (!is_constant(s, &x))
		return false;
	value = x.action == X86_SETS ? x.value : x.at;
	if (s->found && s->value != value)
		return false;
	s->found = true;
	s->value = value;
	return true;
}

/* Reads all instructions that lead to @at. */
static bool read_before(struct search *s, u32 at)
{
	struct code_flow *f = s->f;
	const struct code_edges *e = &f->switches.edges;
	const struct code_area *a = code_text_area(f->text, at);
	struct code_step i;
	bool any = false;
	u32 edge;
	u32 back;

	if (f->flags[at] & CODE_ENTRY_POINT)
		return false;
	for (edge = f->root[at]; edge; edge = e->all[edge - 1].other, any = true)
		if (!code_flow_step(f, e->all[edge - 1].from, &i) || !read_back(s, &i))
			return false;
	for (back = 1; back <= X86_INSN_MAX && back <= at - a->first; back++) {
		if (!(f->flags[at - back] & CODE_VISITED) || !code_flow_step(f, at - back, &i) ||
		    i.insn.len != back || code_step_next(f, &i) != at)
			continue;
		any = true;
		if (!read_back(s, &i))
			return false;
	}
	return any;
}

bool code_base_find(struct code_flow *f, u32 at, u8 reg, u64 *ret)
{
	struct search s = { .f = f, .reg = reg };
	bool good = find_edges(f) && meet(&s, at);
	u32 i;

	for (i = 0; i < s.nr && good; i++)
		good = read_before(&s, s.met[i]);
	for (i = 0; i < s.nr; i++)
		f->flags[s.met[i]] &= (u16)~CODE_MET;
	*ret = s.value;
	return good && s.found;
}
