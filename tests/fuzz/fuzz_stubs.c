// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of code that a process made: any bytes as code, which runs in the frame of any function.
 * Rows come in ascending order and cover the code and what is made later; the encoder accepts
 * them; a second run gives the same ones. Along instructions that follow each other from the start
 * on, two rows differ by what the instruction pushes, and a proven row never follows one that is not.
 * The same bytes as a function's prologue give a frame of whole words.
 *
 * The input: 1 byte for flags, 4 for the distance from SP to the CFA in the function, 2 for the
 * function's distance from the code; then the code.
 */
#include "fuzz.h"

#include "sframe/encode.h"
#include "sframe/synth_prologue.h"
#include "sframe/synth_stubs.h"
#include "sframe/x86_stack.h"

#define START 0x7f0000000000ull

static const struct ustack_rule *rule_at(const struct sframe_row *rows, u32 nr, u32 at)
{
	while (rows[--nr].start > at)
		must(nr);
	return &rows[nr].rule;
}

static void check_order(const struct stubs_code *c, const struct sframe_row *rows, u32 nr)
{
	u32 i;

	must(nr && nr <= c->len + 1 && !rows[0].start);
	for (i = 1; i < nr; i++)
		must(rows[i].start > rows[i - 1].start && rows[i].start <= c->len &&
		     !ustack_rule_equal(&rows[i].rule, &rows[i - 1].rule));
	must(ustack_rule_equal(rule_at(rows, nr, c->len), &c->rule));
}

/* The instructions from the start to the first one that does not lead to the next one. */
static void check_steps(const struct stubs_code *c, const struct sframe_row *rows, u32 nr)
{
	struct x86_insn insn;
	struct x86_stack x;
	s64 pushed;
	u32 at = 0;

	while (at < c->len && x86_insn_read(c->bytes + at, c->len - at, c->vaddr + at, &insn)) {
		const s64 here = rule_at(rows, nr, at)->cfa_off;

		x86_stack_read(c->bytes + at, &insn, &x);
		if (insn.kind == X86_END && x.effect == X86_RET && here)
			must(here == 8 && !x.takes);
		if (here && insn.kind == X86_END)
			must(x.effect == X86_RET);
		if ((insn.kind != X86_OTHER && insn.kind != X86_BRANCH) || at + insn.len >= c->len)
			return;
		must(!here || x86_stack_pushed(&x, &pushed));
		at += insn.len;
		if (here)
			must(rule_at(rows, nr, at)->cfa_off == here + pushed ||
			     !rule_at(rows, nr, at)->cfa_off);
	}
}

/* As supply/made.c encodes them. */
static void check_encoder(const struct stubs_code *c, const struct sframe_row *rows, u32 nr)
{
	const struct sframe_func func = {
		.start = 0x1000, .size = c->len + 0x1000, .by_code = true, .nr_rows = nr, .rows = rows,
	};
	const struct sframe_format format = { .arch = &ustack_arch_x86_64, .version = 3 };
	struct sframe_encoded section = SFRAME_ENCODED_INIT;
	struct sframe_verdict verdict;

	sframe_encode(&format, &func, 1, &verdict, &section, NULL);
	must(!verdict.cause || verdict.cause == SFRAME_MANY_ROWS);
	sframe_encoded_release(&section);
}

static void check_prologue(const struct stubs_code *c)
{
	u32 depth;

	if (synth_prologue_depth(c->bytes, c->len, c->vaddr, &depth))
		must(!(depth & 7));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	const u8 flags = (u8)take(&in, 1);
	const s32 cfa = (s32)(take(&in, 4) & 0x7ffffff8);
	const u64 host = START + ((take(&in, 2) << 4) ^ (flags & 1 ? 0 : 0x100000000));
	const size_t len = in.left;
	u8 *code = malloc(len + !len);
	const struct stubs_code c = {
		.bytes = code, .len = (u32)len, .vaddr = START, .host = { host, host + 0x1000 },
		.made = { START, START + (flags & 2 ? len : 0x100000) },
		.rule = {
			.cfa = USTACK_OP_SP, .cfa_off = cfa ? cfa : 8,
			.ra = USTACK_OP_CFA | USTACK_OP_DEREF, .ra_off = -8,
		},
	};
	struct sframe_row *rows = NULL, *again = NULL;
	u32 nr, i;

	memcpy(code, in.p, len);
	nr = synth_stubs(&c, &rows);
	check_order(&c, rows, nr);
	check_steps(&c, rows, nr);
	check_encoder(&c, rows, nr);
	check_prologue(&c);
	must(synth_stubs(&c, &again) == nr);
	for (i = 0; i < nr; i++)
		must(again[i].start == rows[i].start &&
		     ustack_rule_equal(&again[i].rule, &rows[i].rule));
	free(rows);
	free(again);
	free(code);
	return 0;
}
