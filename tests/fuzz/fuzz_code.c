// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows from machine code: any bytes as text, in two areas. Rows come in
 * ascending order, within the areas, without overlaps; the encoder accepts
 * their rules; a second run gives the same rows. The state after each
 * instruction is within its limits.
 *
 * The input: 2 bytes for the start of the second area, 1 for its distance from
 * the first, 2 for an entry, 2 for a hint; then the text, which is also the data that tables of jumps
 * are read from. If the hint is odd, addresses in them count.
 */
#include "fuzz.h"

#include "sframe/synth_code_flow.h"

struct sum {
	const struct code_text *text;
	u64 last;
	u64 rows;
	u64 hash;
};

static void check_state(struct code_state s)
{
	must(!s.lost && (s.how == CODE_FP_FRAME || (s.sp >= 8 && s.sp <= CODE_MAX_FRAME)));
	must(s.fp == (s.how == CODE_FP_FRAME ? CODE_RECORD : 0));
	must(s.how == CODE_FP_SAME || s.slot >= 16);
	must(s.sp || !s.soft);
}

static int check_range(void *arg, u64 start, u64 end, struct code_state s)
{
	struct sum *sum = arg;
	struct ustack_rule rule;

	must(start < end && end - start <= X86_INSN_MAX && start >= sum->last);
	must(code_text_at(sum->text, start) != CODE_NOWHERE);
	must(code_text_at(sum->text, end - 1) != CODE_NOWHERE);
	check_state(s);
	if (code_state_rule(s, &rule)) {
		must(rule.cfa_off > 0 && !(rule.cfa_off & 7));
		must(rule.cfa == USTACK_OP_FP || !s.soft);
	}
	sum->last = end;
	sum->rows++;
	sum->hash = sum->hash * 31 + start + 7 * s.sp + 5 * s.fp + s.slot;
	return 0;
}

static bool read_text(void *arg, u64 at, void *buf, u32 len)
{
	const struct code_text *text = arg;
	const struct code_area *a;
	u32 first = code_text_at(text, at);

	must(len && len <= 8 * CODE_MAX_CASES);
	if (first == CODE_NOWHERE)
		return false;
	a = code_text_area(text, first);
	if (len > a->size - (first - a->first))
		return false;
	memcpy(buf, a->bytes + (first - a->first), len);
	return true;
}

static void check_switches(const struct code_flow *f)
{
	const struct code_switches *s = &f->switches;
	const struct code_switch *i;
	u32 nr;

	must(s->nr_targets <= f->text->size / CODE_BYTES_PER_CASE && s->nr <= s->nr_compares);
	must(s->nr_compares <= f->text->size && s->nr_bounds <= s->nr_compares);
	for (i = s->found; s->nr && i < s->found + s->nr; i++) {
		must(i == s->found || i[-1].jump < i->jump);
		must(i->nr && i->nr <= CODE_MAX_CASES && i->first + i->nr <= s->nr_targets);
		code_switch_targets(f, i->jump, &nr);
		must(nr == (i->refused ? 0 : i->nr));
	}
}

static struct sum analyse(struct code_text *text, u64 entry, u64 hint)
{
	struct sum sum = { .text = text };
	struct code_flow flow;

	must(!code_flow_init(&flow, text));
	flow.switches.read = read_text;
	flow.switches.arg = text;
	flow.switches.fixed = hint & 1;
	code_flow_add_entry(&flow, entry);
	must(!code_flow_add_hint(&flow, hint));
	must(!code_flow_run(&flow));
	must(!code_flow_each(&flow, check_range, &sum));
	must(sum.rows <= text->size && flow.nr_insns <= text->size);
	check_switches(&flow);
	code_flow_release(&flow);
	return sum;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	size_t split = take(&in, 2), gap = take(&in, 1);
	u64 entry = 0x10000 + take(&in, 2), hint = 0x10000 + take(&in, 2);
	struct code_text text = { .nr = 0 };
	u8 *bytes = malloc(in.left + 1);
	struct sum a, b;

	memcpy(bytes, in.p, in.left);
	if (split > in.left)
		split = in.left;
	must(!code_text_add(&text, 0x10000, (u32)split, bytes));
	must(!code_text_add(&text, 0x10000 + split + gap, (u32)(in.left - split),
			    bytes + split));
	a = analyse(&text, entry, hint);
	b = analyse(&text, entry, hint);
	must(a.rows == b.rows && a.hash == b.hash);
	code_text_release(&text);
	free(bytes);
	return 0;
}
