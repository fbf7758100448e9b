// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interpreter of call frame programs. It keeps the current rules of the tracked
 * registers, and writes a row each time the location advances. cfi_entry.c runs
 * CIEs, cfi.c runs FDEs.
 */
#include "sframe/cfi_run.h"

#include <dwarf.h>
#include <stdlib.h>

#include "util/array.h"

/* The dwarf.h of some distributions is older than these. */
#define CFA_NEGATE_RA_STATE_WITH_PC 0x2c
#define CFA_NEGATE_RA_STATE 0x2d

/**
 * struct machine - state of a running program
 * @s: the section that the program is in
 * @arch: names the registers that are tracked
 * @cie: the CIE; its factors apply, and its rules for DW_CFA_restore
 * @c: cursor over the program
 * @loss: receives the reason when the program fails
 * @out: receives the rows; NULL in a CIE
 * @pc: address of the row under construction
 * @end: end address of the FDE; 0 in a CIE
 * @dirty: the row may differ from the one before
 * @done: the location has reached the FDE's end
 * @depth: number of entries in use in @stack
 * @regs: rules of the row under construction
 * @stack: rules saved by DW_CFA_remember_state
 */
struct machine {
	const struct cfi_section *s;
	const struct ustack_arch *arch;
	const struct cfi_cie *cie;
	struct ustack_cursor c;
	struct cfi_loss *loss;
	struct cfi_rows *out;
	u64 pc;
	u64 end;
	bool dirty;
	bool done;
	u32 depth;
	struct cfi_regs regs;
	struct cfi_regs stack[CFI_MAX_DEPTH];
};

/* The ways in which an operand is stored. */
enum form {
	F_NONE,
	F_ULEB,
	F_FACTORED,	/* ULEB128 * data_align */
	F_SFACTORED,	/* SLEB128 * data_align */
	F_NEGATED,	/* -ULEB128 * data_align */
	F_U8,
	F_U16,
	F_U32,
	F_U64,
	F_BLOCK,
};

enum action {
	A_UNKNOWN,
	A_NOP,
	A_ADVANCE,
	A_SET_LOC,
	A_RULE,
	A_RESTORE,
	A_REMEMBER,
	A_RECALL,
	A_CFA,
	A_CFA_REG,
	A_CFA_OFF,
	A_CFA_EXPR,
	A_AARCH64_NOP,
};

struct insn {
	u8 action;
	u8 how;
	u8 first;
	u8 second;
};

static const struct insn insns[64] = {
	[DW_CFA_nop] = { A_NOP, 0, F_NONE, F_NONE },
	[DW_CFA_set_loc] = { A_SET_LOC, 0, F_NONE, F_NONE },
	[DW_CFA_advance_loc1] = { A_ADVANCE, 0, F_U8, F_NONE },
	[DW_CFA_advance_loc2] = { A_ADVANCE, 0, F_U16, F_NONE },
	[DW_CFA_advance_loc4] = { A_ADVANCE, 0, F_U32, F_NONE },
	[DW_CFA_MIPS_advance_loc8] = { A_ADVANCE, 0, F_U64, F_NONE },
	[DW_CFA_offset_extended] = { A_RULE, CFI_OFFSET, F_ULEB, F_FACTORED },
	[DW_CFA_offset_extended_sf] =
		{ A_RULE, CFI_OFFSET, F_ULEB, F_SFACTORED },
	[DW_CFA_GNU_negative_offset_extended] =
		{ A_RULE, CFI_OFFSET, F_ULEB, F_NEGATED },
	[DW_CFA_val_offset] = { A_RULE, CFI_VAL_OFFSET, F_ULEB, F_FACTORED },
	[DW_CFA_val_offset_sf] =
		{ A_RULE, CFI_VAL_OFFSET, F_ULEB, F_SFACTORED },
	[DW_CFA_undefined] = { A_RULE, CFI_UNDEFINED, F_ULEB, F_NONE },
	[DW_CFA_same_value] = { A_RULE, CFI_SAME, F_ULEB, F_NONE },
	[DW_CFA_register] = { A_RULE, CFI_REGISTER, F_ULEB, F_ULEB },
	[DW_CFA_expression] = { A_RULE, CFI_EXPR, F_ULEB, F_BLOCK },
	[DW_CFA_val_expression] = { A_RULE, CFI_VAL_EXPR, F_ULEB, F_BLOCK },
	[DW_CFA_restore_extended] = { A_RESTORE, 0, F_ULEB, F_NONE },
	[DW_CFA_remember_state] = { A_REMEMBER, 0, F_NONE, F_NONE },
	[DW_CFA_restore_state] = { A_RECALL, 0, F_NONE, F_NONE },
	[DW_CFA_def_cfa] = { A_CFA, 0, F_ULEB, F_ULEB },
	[DW_CFA_def_cfa_sf] = { A_CFA, 0, F_ULEB, F_SFACTORED },
	[DW_CFA_def_cfa_register] = { A_CFA_REG, 0, F_ULEB, F_NONE },
	[DW_CFA_def_cfa_offset] = { A_CFA_OFF, 0, F_NONE, F_ULEB },
	[DW_CFA_def_cfa_offset_sf] = { A_CFA_OFF, 0, F_NONE, F_SFACTORED },
	[DW_CFA_def_cfa_expression] = { A_CFA_EXPR, 0, F_NONE, F_BLOCK },
	/* bytes that a call pushed: only the landing pads of exceptions need them */
	[DW_CFA_GNU_args_size] = { A_NOP, 0, F_ULEB, F_NONE },
	[CFA_NEGATE_RA_STATE_WITH_PC] = { A_AARCH64_NOP, 0, F_NONE, F_NONE },
	[CFA_NEGATE_RA_STATE] = { A_AARCH64_NOP, 0, F_NONE, F_NONE },
};

/**
 * struct operands - operands of one instruction
 * @reg: the first operand: a register or an advance
 * @off: the second operand, if it is a number
 * @expr: the second operand, if it is a block
 * @len: number of bytes of @expr
 */
struct operands {
	u64 reg;
	s64 off;
	const u8 *expr;
	u32 len;
};

static bool lose(struct machine *m, const char *why)
{
	return cfi_lose(m->loss, m->c.pos, why);
}

static bool factored(struct machine *m, s64 n, s64 *ret)
{
	if (__builtin_mul_overflow(n, m->cie->data_align, ret))
		return lose(m, "an offset is beyond 64 bits");
	return true;
}

static u64 first_operand(struct machine *m, u8 form)
{
	switch (form) {
	case F_ULEB:
		return cfi_uleb(&m->c);
	case F_U8:
		return ustack_cursor_u8(&m->c);
	case F_U16:
		return ustack_cursor_u16(&m->c);
	case F_U32:
		return ustack_cursor_u32(&m->c);
	case F_U64:
		return ustack_cursor_u64(&m->c);
	}
	return 0;
}

static bool block(struct machine *m, struct operands *ret)
{
	u64 len = cfi_uleb(&m->c);

	if (len > m->c.end - m->c.pos) {
		m->c.failed = true;
		return true;	/* operands() reports it */
	}
	ret->len = (u32)len;
	ret->expr = ustack_cursor_take(&m->c, ret->len);
	return true;
}

static bool second_operand(struct machine *m, u8 form, struct operands *ret)
{
	u64 n;

	if (form == F_NONE)
		return true;
	if (form == F_BLOCK)
		return block(m, ret);
	if (form == F_SFACTORED)
		return factored(m, cfi_sleb(&m->c), &ret->off);
	n = cfi_uleb(&m->c);
	if (n > INT64_MAX)
		return lose(m, "an offset is beyond 64 bits");
	ret->off = form == F_NEGATED ? -(s64)n : (s64)n;
	return form == F_ULEB || factored(m, ret->off, &ret->off);
}

static bool operands(struct machine *m, u8 first, u8 second,
		     struct operands *ret)
{
	*ret = (struct operands){ .reg = first_operand(m, first) };
	if (!second_operand(m, second, ret))
		return false;
	if (m->c.failed)
		return lose(m, "the program ends within an instruction, or has a number beyond 64 bits");
	return true;
}

/* The column of a register; NULL if the register is not tracked. */
static struct cfi_rule *column(struct machine *m, struct cfi_regs *regs, u64 reg)
{
	if (reg == m->cie->ra_reg)
		return &regs->ra;
	if (reg == m->arch->fp_reg)
		return &regs->fp;
	return reg == m->arch->sp_reg ? &regs->sp : NULL;
}

static bool room_for_row(struct machine *m)
{
	struct cfi_rows *out = m->out;

	if (out->nr >= CFI_MAX_ROWS)
		return lose(m, "an entry has too many rows");
	return array_has_room(out->rows, out->nr, out->room) ||
	       lose(m, cfi_no_memory);
}

static bool regs_equal(const struct cfi_row *row, const struct cfi_regs *regs)
{
	return cfi_rule_equal(&row->cfa, &regs->cfa) &&
	       cfi_rule_equal(&row->ra, &regs->ra) &&
	       cfi_rule_equal(&row->fp, &regs->fp) &&
	       cfi_rule_equal(&row->sp, &regs->sp);
}

/* Called once for each pc, when the location leaves it: the last rule at a pc wins. */
static bool put_row(struct machine *m)
{
	struct cfi_rows *out = m->out;

	if (!m->dirty)
		return true;
	m->dirty = false;
	if (out->nr && regs_equal(&out->rows[out->nr - 1], &m->regs))
		return true;
	if (!room_for_row(m))
		return false;
	out->rows[out->nr++] = (struct cfi_row){
		.pc = m->pc,
		.cfa = m->regs.cfa,
		.ra = m->regs.ra,
		.fp = m->regs.fp,
		.sp = m->regs.sp,
	};
	return true;
}

static bool move_to(struct machine *m, u64 pc)
{
	if (!m->end)
		return lose(m, "a CIE advances the location");
	if (pc < m->pc)
		return lose(m, "the location goes back");
	if (pc == m->pc)
		return true;
	if (!put_row(m))
		return false;
	m->pc = pc;
	m->done = pc >= m->end;
	return true;
}

static bool advance(struct machine *m, u64 delta)
{
	u64 pc;

	if (__builtin_mul_overflow(delta, m->cie->code_align, &pc) ||
	    __builtin_add_overflow(m->pc, pc, &pc))
		return lose(m, "the location is beyond 64 bits");
	return move_to(m, pc);
}

static bool set_loc(struct machine *m)
{
	const char *why;
	u64 pc;

	why = cfi_pointer(m->s, &m->c, m->cie->encoding, &pc);
	return why ? lose(m, why) : move_to(m, pc);
}

static bool set_rule(struct machine *m, u8 how, const struct operands *o)
{
	struct cfi_rule *rule = column(m, &m->regs, o->reg);

	if (!rule)
		return true;
	m->dirty = true;
	*rule = (struct cfi_rule){ .how = how };
	if (how == CFI_REGISTER) {
		if (o->off > UINT16_MAX)
			return lose(m, "a register has no such number");
		rule->reg = (u16)o->off;
	} else if (how == CFI_EXPR || how == CFI_VAL_EXPR) {
		rule->expr = o->expr;
		rule->expr_len = o->len;
	} else {
		rule->off = o->off;
	}
	return true;
}

static bool restore(struct machine *m, u64 reg)
{
	struct cfi_rule *rule = column(m, &m->regs, reg);
	struct cfi_regs initial;

	if (!m->end)
		return lose(m, "a CIE restores a rule that it has not set before");
	if (!rule)
		return true;
	initial = m->cie->initial;
	*rule = *column(m, &initial, reg);
	m->dirty = true;
	return true;
}

static bool remember(struct machine *m)
{
	if (m->depth == CFI_MAX_DEPTH)
		return lose(m, "states are remembered too deep");
	m->stack[m->depth++] = m->regs;
	return true;
}

/* Restores the CFA as well, as every unwinder does. */
static bool recall(struct machine *m)
{
	if (!m->depth)
		return lose(m, "a state is restored that was not remembered");
	m->regs = m->stack[--m->depth];
	m->dirty = true;
	return true;
}

static bool set_cfa(struct machine *m, u8 action, const struct operands *o)
{
	struct cfi_rule *cfa = &m->regs.cfa;

	m->dirty = true;
	if (action == A_CFA_EXPR) {
		*cfa = (struct cfi_rule){ .how = CFI_VAL_EXPR, .expr = o->expr,
					  .expr_len = o->len };
		return true;
	}
	if (action == A_CFA)
		*cfa = (struct cfi_rule){ .how = CFI_REGISTER };
	/* The instruction changes half of a CFA that has no register: some assembly
	 * (libgcrypt's) adjusts the offset of an expression. Unwinders differ here,
	 * so the CFA stays undefined until the next whole one.
	 */
	if (cfa->how != CFI_REGISTER) {
		*cfa = (struct cfi_rule){ .how = CFI_UNDEFINED };
		return true;
	}
	if (action != A_CFA_OFF) {
		if (o->reg > UINT16_MAX)
			return lose(m, "a register has no such number");
		cfa->reg = (u16)o->reg;
	}
	if (action != A_CFA_REG)
		cfa->off = o->off;
	return true;
}

static bool run_insn(struct machine *m, const struct insn *insn)
{
	struct operands o;

	if (!operands(m, insn->first, insn->second, &o))
		return false;
	switch (insn->action) {
	case A_NOP:
		return true;
	case A_ADVANCE:
		return advance(m, o.reg);
	case A_SET_LOC:
		return set_loc(m);
	case A_RULE:
		return set_rule(m, insn->how, &o);
	case A_RESTORE:
		return restore(m, o.reg);
	case A_REMEMBER:
		return remember(m);
	case A_RECALL:
		return recall(m);
	case A_CFA:
	case A_CFA_REG:
	case A_CFA_OFF:
	case A_CFA_EXPR:
		return set_cfa(m, insn->action, &o);
	case A_AARCH64_NOP:
		if (m->arch->id == USTACK_ARCH_AARCH64)
			return true;
	}
	m->c.pos--;
	return lose(m, "an instruction is unknown");
}

/* The three that have an operand in the opcode: nine of ten instructions in files. */
static bool run_short(struct machine *m, u8 op)
{
	struct operands o = { .reg = op & 0x3f };

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return advance(m, o.reg);
	case DW_CFA_restore:
		return restore(m, o.reg);
	}
	if (!second_operand(m, F_FACTORED, &o))
		return false;
	if (m->c.failed)
		return lose(m, "the program ends within an instruction, or has a number beyond 64 bits");
	return set_rule(m, CFI_OFFSET, &o);
}

static bool run(struct machine *m)
{
	u8 op;

	while (m->c.pos < m->c.end && !m->done) {
		op = m->c.bytes[m->c.pos++];
		if (!(op & 0xc0 ? run_short(m, op) : run_insn(m, &insns[op])))
			return false;
	}
	return true;
}

/* Sets field by field: clearing the stack would take most of a short FDE's time. */
static void start(struct machine *m, const struct cfi_section *s,
		  const struct ustack_arch *arch, const struct cfi_cie *cie,
		  struct cfi_loss *loss)
{
	m->s = s;
	m->arch = arch;
	m->cie = cie;
	m->loss = loss;
	m->dirty = true;
	m->done = false;
	m->depth = 0;
	m->regs = cie->initial;
}

void cfi_run_cie(const struct cfi_section *s, const struct ustack_arch *arch,
		 struct cfi_cie *cie)
{
	struct machine m;

	cie->initial = (struct cfi_regs){
		.cfa = { .how = CFI_UNDEFINED },
		.ra = { .how = CFI_SAME },
		.fp = { .how = CFI_SAME },
		.sp = { .how = CFI_VAL_OFFSET },
	};
	start(&m, s, arch, cie, &cie->loss);
	ustack_cursor_init(&m.c, s->bytes, cie->program, cie->program_end);
	m.out = NULL;
	m.pc = 0;
	m.end = 0;
	if (run(&m))
		cie->initial = m.regs;
}

bool cfi_run_fde(const struct cfi_section *s, const struct ustack_arch *arch,
		 const struct cfi_cie *cie, const struct ustack_cursor *program,
		 u64 from, u64 end, struct cfi_rows *ret, struct cfi_loss *loss)
{
	struct machine m;

	start(&m, s, arch, cie, loss);
	m.c = *program;
	m.out = ret;
	m.pc = from;
	m.end = end;
	ret->nr = 0;
	return run(&m) && put_row(&m);
}
