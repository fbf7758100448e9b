// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any functions, valid or not, through the SFrame encoder. The core reads back
 * what the encoder accepts, rule by rule, and nothing is lost. For each refusal
 * the reason that the encoder gives is true.
 */
#include "fuzz.h"

#include <errno.h>

#include "sframe/encode.h"
#include "sframe_format.h"

#define MAX_FUNCS 24u
#define MAX_ROWS 256u

struct funcs {
	struct sframe_func func[MAX_FUNCS];
	struct sframe_verdict verdict[MAX_FUNCS];
	struct sframe_row rows[MAX_ROWS];
	u32 nr;
	u32 nr_rows;
};

/* Takes a small offset or any one. */
static s32 take_off(struct input *in, u8 wide)
{
	return wide & 1 ? (s32)take(in, 4) : (s8)take(in, 1);
}

static void take_row(struct input *in, const struct ustack_arch *arch,
		     struct sframe_row *row, u32 *at)
{
	u8 form = (u8)take(in, 1);

	*at += (u32)take(in, form & 1 ? 2 : 1);
	row->start = *at;
	row->rule = (struct ustack_rule){ .cfa_off = take_off(in, form >> 1) };
	if (form & 0x40) {	/* a plain rule */
		row->rule.cfa = form & 4 ? USTACK_OP_SP : USTACK_OP_FP;
		row->rule.ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		row->rule.ra_off = arch->ra_fixed;
		row->rule.fp = form & 8 ? USTACK_OP_CFA | USTACK_OP_DEREF : 0;
		row->rule.fp_off = form & 8 ? take_off(in, form >> 4) : 0;
	} else if (form & 0x80) {
		row->rule = (struct ustack_rule){ .flags = USTACK_RULE_OUTERMOST };
	} else {
		row->rule.cfa = (u8)take(in, 1);
		row->rule.ra = (u8)take(in, 1);
		row->rule.fp = (u8)take(in, 1);
		row->rule.flags = form & 4 ? (u8)take(in, 1) : 0;
		row->rule.ra_off = row->rule.ra ? take_off(in, form >> 3) : 0;
		row->rule.fp_off = row->rule.fp ? take_off(in, form >> 4) : 0;
	}
	/* start of the next row; the input can make it the same as this one's */
	*at += !(form & 0x20);
}

static void take_func(struct input *in, const struct ustack_arch *arch,
		      struct funcs *fs, u64 *at)
{
	struct sframe_func *f = &fs->func[fs->nr++];
	u8 form = (u8)take(in, 1);
	u32 i, start = 0;

	/* after the last function, or anywhere in the lower half of the address space */
	*at = form & 1 ? take(in, 8) >> 1 : *at + take(in, 1);
	*f = (struct sframe_func){
		.start = *at & ~(u64)(form & 2 ? 0 : arch->insn_align - 1),
		.size = (u32)take(in, form & 4 ? 4 : 1),
		.block = form & 8 ? (u8)take(in, 1) : 0,
		.signal = form & 16,
		.nr_rows = form >> 5,
		.rows = fs->rows + fs->nr_rows,
	};
	*at = f->start + f->size;
	if (f->nr_rows > MAX_ROWS - fs->nr_rows)
		f->nr_rows = MAX_ROWS - fs->nr_rows;
	for (i = 0; i < f->nr_rows; i++)
		take_row(in, arch, &fs->rows[fs->nr_rows++], &start);
}

static struct ustack_rule wanted(const struct sframe_func *f, u32 row)
{
	struct ustack_rule rule = f->rows[row].rule;

	if (f->signal && !(rule.flags & USTACK_RULE_OUTERMOST))
		rule.flags |= USTACK_RULE_SIGNAL;
	return rule;
}

static void check_verdicts(const struct funcs *fs, const struct sframe_format *fmt)
{
	const struct sframe_func *f, *other;
	struct sframe_verdict v, alone;
	u32 i;

	for (i = 0; i < fs->nr; i++) {
		f = &fs->func[i];
		v = fs->verdict[i];
		alone = sframe_encodable(f, fmt->arch, fmt->version);
		if (v.cause == SFRAME_OVERLAP) {
			other = &fs->func[v.at];
			must(!alone.cause && !fs->verdict[v.at].cause);
			must(f->start - other->start < other->size && v.at != i);
		} else if (v.cause == SFRAME_START_RANGE) {
			must(!alone.cause && fmt->version == 2);
			must(f->start - fmt->vaddr + 0x7ffff000 > 0xfffff000ull);
		} else {
			must(v.cause == alone.cause && v.at == alone.at);
		}
		/* version 3 can express everything that version 2 can */
		if (!sframe_encodable(f, fmt->arch, 2).cause)
			must(!sframe_encodable(f, fmt->arch, 3).cause);
		must(!v.cause || v.cause == SFRAME_OVERLAP || v.at <= f->nr_rows);
	}
}

/* The core takes such a rule for a linker's bug. */
static bool is_plt_like(const struct sframe_func *f, const struct ustack_arch *arch)
{
	return f->block && arch->ra_fixed &&
	       f->rows[0].rule.cfa == USTACK_OP_SP && f->rows[0].rule.cfa_off == 16;
}

/* Decodes the entry of function @f and compares its rows. */
static void check_rows(const struct fuzz_section *s, const struct ustack_part *part,
		       const struct sframe_func *f)
{
	bool pcrel = part->flags & SFRAME_F_FDE_FUNC_START_PCREL;
	struct ustack_func fn = { 0 };
	struct ustack_rule want;
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i;

	for (i = 0; i < part->nr_fdes; i++) {
		must(!ustack_decode_func(s->bytes, part, i, s->sec.vaddr,
					 pcrel ? USTACK_ANCHOR_FIELD :
						 USTACK_ANCHOR_SECTION, &fn));
		if (fn.start == f->start)
			break;
	}
	must(i < part->nr_fdes);
	must(fn.size == f->size && fn.nr_rows == f->nr_rows);
	must(fn.block == f->block && fn.is_mask == !!f->block);
	must(fn.is_signal == f->signal);
	ustack_rows_init(&c, s->bytes, &fn);
	for (i = 0; i < f->nr_rows; i++) {
		must(!ustack_decode_row(&c, &fn, s->sec.arch, &row));
		want = wanted(f, i);
		must(row.start == f->rows[i].start);
		must(ustack_rule_equal(&row.rule, &want));
	}
}

/* Compares lookups at the first and last pc of every row, in the first block. */
static void check_table(const struct fuzz_section *s, const struct sframe_func *f)
{
	u32 i, last, limit = f->block && f->block < f->size ? f->block : f->size;
	const struct ustack_rule *rule;
	struct ustack_rule want;

	for (i = 0; i < f->nr_rows; i++) {
		want = wanted(f, i);
		last = (i + 1 < f->nr_rows ? f->rows[i + 1].start : limit) - 1;
		rule = ustack_lookup(s->table, f->start - s->table->base +
						       f->rows[i].start);
		must(rule && ustack_rule_equal(rule, &want));
		rule = ustack_lookup(s->table, f->start - s->table->base + last);
		must(rule && ustack_rule_equal(rule, &want));
	}
}

static void check_section(const struct funcs *fs, const struct sframe_format *fmt,
			  const struct sframe_encoded *out)
{
	struct fuzz_section s = {
		.text = { 0, ~0ull }, .bytes = out->bytes,
		.sec = { .bytes = out->bytes, .len = out->len, .vaddr = fmt->vaddr,
			 .arch = fmt->arch, .nr_text = 1 },
	};
	struct ustack_part part;
	u32 i, bugs = 0;

	s.sec.text = &s.text;
	must(!ustack_section_open(&s.sec, NULL));
	must(s.sec.report.parts == 1 && s.sec.nr_fdes == out->nr_funcs);
	must(!ustack_decode_part(s.bytes, 0, out->len, fmt->arch, &part));
	must(part.end == out->len && part.nr_fres == out->nr_rows);
	for (i = 0; i < fs->nr; i++) {
		if (fs->verdict[i].cause)
			continue;
		check_rows(&s, &part, &fs->func[i]);
		bugs += is_plt_like(&fs->func[i], fmt->arch);
	}
	s.scratch = malloc(ustack_section_scratch(&s.sec));
	if (!ustack_verify(&s.sec, s.scratch)) {
		must(s.sec.report.lost == bugs);
		must(!s.sec.report.resorted && !s.sec.report.reanchored);
		must(!s.sec.report.overlaps && !s.sec.report.tail_rows);
		must(!fuzz_compile(&s));
		for (i = 0; i < fs->nr; i++)
			if (!fs->verdict[i].cause &&
			    !is_plt_like(&fs->func[i], fmt->arch))
				check_table(&s, &fs->func[i]);
	} else {
		must(bugs == out->nr_funcs ||
		     s.sec.end - s.sec.base > USTACK_FREE_TEXT_SPAN);
	}
	free(s.scratch);
	free(s.table);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sframe_encoded out = SFRAME_ENCODED_INIT, again = SFRAME_ENCODED_INIT;
	struct input in = { data, size };
	struct sframe_format fmt;
	struct funcs fs = { .nr = 0 };
	u32 i, kept = 0;
	u64 at;
	u8 form;
	int err;

	form = (u8)take(&in, 1);
	fmt = (struct sframe_format){
		.arch = form & 1 ? &ustack_arch_aarch64 : &ustack_arch_x86_64,
		.version = form & 2 ? 2 : 3,
		.section_anchor = (form & 6) == 6,
		.vaddr = form & 8 ? take(&in, 8) >> 1 : 0x400000,
	};
	at = fmt.vaddr + 0x1000;
	while (in.left && fs.nr < MAX_FUNCS)
		take_func(&in, fmt.arch, &fs, &at);
	err = sframe_encode(&fmt, fs.func, fs.nr, fs.verdict, &out, NULL);
	check_verdicts(&fs, &fmt);
	for (i = 0; i < fs.nr; i++)
		kept += !fs.verdict[i].cause;
	must(out.nr_refused == fs.nr - kept && out.nr_funcs == kept);
	must(err == (kept ? 0 : -ENODATA) && !out.bytes == !kept);
	if (kept) {
		check_section(&fs, &fmt, &out);
		must(!sframe_encode(&fmt, fs.func, fs.nr, NULL, &again, NULL));
		must(again.len == out.len &&
		     !memcmp(again.bytes, out.bytes, out.len));
	}
	sframe_encoded_release(&again);
	sframe_encoded_release(&out);
	return 0;
}
