// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes functions, writes the section into an ELF file, and prints what any reader of
 * the file must print: "func START SIZE [mask] [signal]" and then a line for each row,
 * "PC CFA FP RA" in the notation of readelf --sframe. judge.py calls it.
 *
 * usage: encode_rows random ARCH FORM SEED NUMBER OUT
 *        encode_rows again FILE FORM OUT
 *        encode_rows once FORM ascending|shuffled NUMBER
 *   FORM    3, 2, or 2s: version 2 with starts that count from the section
 *   random  encodes functions of funcs.h
 *   again   encodes the functions of a file, as the core reads them; fails unless the
 *           core reads the same rules from the result at every pc. Functions that FORM
 *           cannot express are left out and counted on stderr
 *   once    encodes NUMBER functions and prints the number of their rows; judge.py
 *           counts the instructions
 */
#include <stdio.h>

#include "funcs.h"
#include "sframe/elf_write.h"
#include "sframe/encode.h"
#include "sframe/section.h"

static void die(const char *what, const char *why)
{
	fprintf(stderr, "encode_rows: %s: %s\n", what, why);
	exit(1);
}

static struct sframe_format form(const struct ustack_arch *arch,
				 const char *name, u64 vaddr)
{
	return (struct sframe_format){
		.arch = arch,
		.version = *name == '3' ? 3 : 2,
		.section_anchor = name[1] == 's',
		.vaddr = vaddr,
	};
}

/* Prints one location in readelf's notation. */
static void put(u8 op, s32 off)
{
	static const char *const base[] = { "c", "sp", "fp" };
	bool paren = op & USTACK_OP_DEREF && USTACK_OP_BASE(op) != USTACK_OP_CFA;

	if (op == USTACK_OP_NONE)
		printf(" u");
	else if (USTACK_OP_BASE(op) == USTACK_OP_BASE_REG)
		printf(" %sr%u%+d%s", paren ? "(" : "", USTACK_OP_REGNO(op), off,
		       paren ? ")" : "");
	else
		printf(" %s%s%+d%s", paren ? "(" : "", base[USTACK_OP_BASE(op)],
		       off, paren ? ")" : "");
}

static void print_row(const struct ustack_rule *rule,
		      const struct ustack_arch *arch)
{
	if (rule->flags & USTACK_RULE_OUTERMOST) {
		printf(" RA undefined\n");
		return;
	}
	put(rule->cfa, rule->cfa_off);
	put(rule->fp, rule->fp_off);
	if (arch->ra_fixed && rule->ra == (USTACK_OP_CFA | USTACK_OP_DEREF) &&
	    rule->ra_off == arch->ra_fixed)
		printf(" u");
	else
		put(rule->ra, rule->ra_off);
	printf("\n");
}

static void print_func(const struct sframe_func *f,
		       const struct ustack_arch *arch)
{
	u32 i;

	printf("func %llx %u%s%s\n", (unsigned long long)f->start, f->size,
	       f->block ? " mask" : "", f->signal ? " signal" : "");
	for (i = 0; i < f->nr_rows; i++) {
		printf("%llx", (unsigned long long)(f->block ? 0 : f->start) +
				       f->rows[i].start);
		print_row(&f->rows[i].rule, arch);
	}
}

/* Encodes and prints functions; fills @s and @verdicts. */
static void encode(const struct sframe_format *fmt,
		   const struct sframe_func *funcs, u32 nr,
		   struct sframe_verdict *verdicts, struct sframe_encoded *s)
{
	struct diag diag;
	u32 count[SFRAME_NR_CAUSES] = { 0 }, i;

	if (sframe_encode(fmt, funcs, nr, verdicts, s, &diag))
		die("sframe_encode", diag.text);
	for (i = 0; i < nr; i++) {
		count[verdicts[i].cause]++;
		if (!verdicts[i].cause)
			print_func(&funcs[i], fmt->arch);
	}
	fprintf(stderr, "functions %u rows %u bytes %u", s->nr_funcs, s->nr_rows,
		s->len);
	for (i = 1; i < SFRAME_NR_CAUSES; i++)
		if (count[i])
			fprintf(stderr, " %s:%u", sframe_cause_name(i), count[i]);
	fprintf(stderr, "\n");
}

static void write_file(const char *out, const struct sframe_format *fmt,
		       const struct sframe_encoded *s,
		       const struct ustack_range *text, unsigned int nr_text)
{
	const struct sframe_image image = {
		fmt->arch, s->bytes, s->len, fmt->vaddr, text, nr_text,
	};
	struct diag diag;

	if (sframe_write_elf(out, &image, &diag))
		die(out, diag.text);
}

static int do_random(const char *arch, const char *name, u32 seed, u32 nr,
		     const char *out)
{
	struct ustack_range text = { .start = seed & 1 ? 0x7f0000001000 : 0x11000 };
	struct sframe_format fmt;
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct sframe_verdict *v = calloc(nr, sizeof(*v));
	struct random_funcs r;
	u32 i;

	fmt = form(*arch == 'x' ? &ustack_arch_x86_64 : &ustack_arch_aarch64, name,
		   text.start - 0x10000);
	/* the section is far away if the version has 64 bits for the distance */
	if (seed & 1 && fmt.version == 3)
		fmt.vaddr = 0x400000;
	funcs_make(&r, fmt.arch, true, seed, nr, text.start);
	for (i = 0; i < nr; i++)
		if (r.funcs[i].start + r.funcs[i].size > text.end)
			text.end = r.funcs[i].start + r.funcs[i].size;
	if (seed & 2)
		fmt.vaddr = (text.end + 0x1fff) & ~0xfffull;
	encode(&fmt, r.funcs, nr, v, &s);
	write_file(out, &fmt, &s, &text, 1);
	sframe_encoded_release(&s);
	funcs_release(&r);
	free(v);
	return 0;
}

/* Adds a row after those of @f, unless it changes nothing. */
static void add_row(struct sframe_func *f, struct sframe_row *rows,
		    const struct ustack_row *row)
{
	if (f->nr_rows && rows[f->nr_rows - 1].start == row->start)
		f->nr_rows--;
	if (f->nr_rows && ustack_rule_equal(&rows[f->nr_rows - 1].rule, &row->rule))
		return;
	rows[f->nr_rows++] = (struct sframe_row){ row->start, row->rule };
}

/* Function @i of a verified section in the encoder's form: from its first row on, and
 * up to the start of the next function. Returns false if nothing is left.
 */
static bool take_func(const struct ustack_section *sec, u32 i,
		      struct sframe_func *f, struct sframe_row *rows)
{
	const struct ustack_func *fn = &sec->funcs[i];
	struct ustack_cursor c;
	struct ustack_row row;
	u32 k, first;

	*f = (struct sframe_func){
		.start = fn->start, .size = fn->size, .block = fn->block,
		.signal = fn->is_signal, .rows = rows,
	};
	if (i + 1 < sec->nr_funcs && fn[1].start - fn->start < f->size)
		f->size = (u32)(fn[1].start - fn->start);
	ustack_rows_init(&c, sec->bytes, fn);
	for (k = 0; k < fn->nr_rows; k++) {
		if (ustack_decode_row(&c, fn, sec->arch, &row))
			die("ustack_decode_row", "refuses what was verified");
		if (row.start < f->size && (!f->block || row.start < f->block))
			add_row(f, rows, &row);
	}
	first = f->nr_rows ? rows[0].start : 0;
	for (k = 0; k < f->nr_rows; k++)
		rows[k].start -= first;
	f->start += first;
	f->size -= first;
	return f->size && f->nr_rows;
}

/* Compares the rules at every pc of both tables. */
static u64 compare(const struct sframe_section *a, const struct sframe_section *b,
		   const struct sframe_func *funcs,
		   const struct sframe_verdict *verdicts, u32 nr)
{
	const struct ustack_rule *x, *y;
	u64 pc, end = a->table->base + a->table->range, n = 0;
	u32 i = 0;

	for (pc = a->table->base; pc <= end; pc++) {
		while (i + 1 < nr && funcs[i + 1].start <= pc)
			i++;
		x = ustack_lookup(a->table, pc - a->table->base);
		y = ustack_lookup(b->table, pc - b->table->base);
		n += !!y;
		if (!y && x && verdicts[i].cause &&
		    pc - funcs[i].start < funcs[i].size)
			continue;
		if (!x != !y || (x && !ustack_rule_equal(x, y))) {
			fprintf(stderr, "0x%llx: ", (unsigned long long)pc);
			die("compare", "another rule than in the file");
		}
	}
	return n;
}

static void load(const char *path, struct sframe_section *s)
{
	struct diag diag;

	if (sframe_section_read(s, path, NULL, &diag) ||
	    sframe_section_open(s, &diag) || sframe_section_verify(s, &diag))
		die(path, diag.text);
}

static void make_table(struct sframe_section *s)
{
	struct diag diag;

	if (sframe_section_compile(s, &diag))
		die(s->path, diag.text);
}

static int do_again(const char *path, const char *name, const char *out)
{
	struct sframe_section from = SFRAME_SECTION_INIT, to = SFRAME_SECTION_INIT;
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct sframe_verdict *v;
	struct sframe_format fmt;
	struct sframe_func *funcs;
	struct sframe_row *rows;
	u32 i, nr = 0, used = 0;
	u64 pcs;

	load(path, &from);
	fmt = form(from.core.arch, name,
		   sframe_free_vaddr(from.elf.text, from.elf.nr_text));
	funcs = calloc(from.core.nr_funcs, sizeof(*funcs));
	v = calloc(from.core.nr_funcs, sizeof(*v));
	rows = calloc(from.core.report.rows + 1, sizeof(*rows));
	if (!funcs || !v || !rows)
		die(path, "no memory");
	for (i = 0; i < from.core.nr_funcs; i++) {
		if (!take_func(&from.core, i, &funcs[nr], rows + used))
			continue;
		used += funcs[nr++].nr_rows;
	}
	encode(&fmt, funcs, nr, v, &s);
	write_file(out, &fmt, &s, from.elf.text, from.elf.nr_text);
	load(out, &to);
	if (to.core.report.lost || to.core.nr_funcs != s.nr_funcs ||
	    to.core.report.rows != s.nr_rows)
		die(out, "the core has not all of it");
	make_table(&from);
	make_table(&to);
	pcs = compare(&from, &to, funcs, v, nr);
	fprintf(stderr, "pcs %llu\n", (unsigned long long)pcs);
	sframe_section_release(&from);
	sframe_section_release(&to);
	sframe_encoded_release(&s);
	free(funcs);
	free(rows);
	free(v);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct sframe_func *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int do_once(const char *form_name, const char *order, u32 nr)
{
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct sframe_format fmt;
	struct random_funcs r;
	u32 i;

	/* 6.4 rows for each function, in random order; offsets such as compilers have */
	funcs_make(&r, &ustack_arch_x86_64, false, 1, nr, 0x100000);
	for (i = 0; i < r.nr * FUNCS_MAX_ROWS; i++) {
		r.rows[i].rule.cfa_off &= 0x78;
		if (r.rows[i].rule.fp)
			r.rows[i].rule.fp_off = -16;
	}
	if (!strcmp(order, "ascending"))
		qsort(r.funcs, r.nr, sizeof(*r.funcs), by_address);
	fmt = form(r.arch, form_name, 0x1000);
	if (sframe_encode(&fmt, r.funcs, r.nr, NULL, &s, NULL))
		die("once", "not encoded");
	printf("%u\n", s.nr_rows);
	sframe_encoded_release(&s);
	funcs_release(&r);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 7 && !strcmp(argv[1], "random"))
		return do_random(argv[2], argv[3], (u32)atoi(argv[4]),
				 (u32)atoi(argv[5]), argv[6]);
	if (argc == 5 && !strcmp(argv[1], "again"))
		return do_again(argv[2], argv[3], argv[4]);
	if (argc == 5 && !strcmp(argv[1], "once"))
		return do_once(argv[2], argv[3], (u32)atoi(argv[4]));
	die("usage", "encode_rows random|again|once ...");
	return 2;
}
