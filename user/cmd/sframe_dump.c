// SPDX-License-Identifier: GPL-2.0-only
/* ustack sframe dump: prints a section, or the table made from it, for people. */
#include <errno.h>
#include <inttypes.h>

#include "cmd/sframe_input.h"
#include "sframe/relocatable.h"
#include "sframe/rule_text.h"
#include "sframe/swap.h"
#include "sframe/section_walk.h"
#include "sframe_format.h"
#include "util/cleanup.h"

struct dump_opts {
	bool headers;
	bool table;
	struct option_pair raw;
};

static int refuse(const struct sframe_section *s, enum ustack_reason reason,
		  u32 offset)
{
	struct diag diag;

	diag_reason(&diag, reason, s->path, offset);
	return cmd_diag(&diag);
}

static void print_section(const struct sframe_section *s)
{
	printf("%s: .sframe of %u bytes at 0x%" PRIx64 ", %s%s\n", s->path,
	       s->core.len, s->core.vaddr, s->core.arch->name, s->foreign ? ", big-endian" : "");
}

static void print_part(const struct ustack_part *p)
{
	printf("part at offset 0x%x: V%u, %u functions, %u rows, flags%s%s%s%s\n",
	       p->off, p->version, p->nr_fdes, p->nr_fres,
	       p->flags & SFRAME_F_FDE_SORTED ? " sorted" : "",
	       p->flags & SFRAME_F_FRAME_POINTER ? " frame-pointer" : "",
	       p->flags & SFRAME_F_FDE_FUNC_START_PCREL ? " pcrel" : "",
	       p->flags ? "" : " none");
}

static void print_func(const struct ustack_func *f)
{
	printf("0x%" PRIx64 "-0x%" PRIx64, f->start, f->start + f->size);
	if (f->is_mask)
		printf(" mask every %u bytes", f->block);
	printf("%s%s%s\n", f->is_flex ? " flex" : "",
	       f->is_signal ? " signal" : "", f->nr_rows ? "" : " no rows");
}

/* Rows of a pc-mask function have an offset in the block, not a pc. */
static void print_start(const struct ustack_func *f, u32 start)
{
	if (f->is_mask)
		printf("  +0x%x", start);
	else
		printf("  0x%" PRIx64, f->start + start);
}

static void print_row(const struct sframe_section *s, const struct ustack_func *f,
		      struct ustack_row *row)
{
	char text[SFRAME_RULE_TEXT];

	if (s->foreign && s->foreign->row)
		s->foreign->row(&row->rule, f->is_flex);
	print_start(f, row->start);
	printf("  %s\n", sframe_rule_text(&row->rule, s->core.arch, text));
}

/* Reads a signed word of 1 << @size bytes. */
static s32 take_word(struct ustack_cursor *c, unsigned int size)
{
	u32 shift = 32 - (8u << size);

	return (s32)(ustack_cursor_uint(c, size) << shift) >> shift;
}

/*
 * Prints an operand of a flexible row: register or CFA, offset, and whether the word there is
 * read.
 */
static void print_operand(const char *name, u32 ctl, s32 off)
{
	char base[24] = "CFA";

	if (SFRAME_FLEX_REG_P(ctl))
		snprintf(base, sizeof(base), "r%u", SFRAME_FLEX_REG(ctl));
	printf(SFRAME_FLEX_DEREF_P(ctl) ? " %s=*(%s%+d)" : " %s=%s%+d", name, base, off);
}

/* Prints a row that was read but cannot be run, as words; @c is at the row's start. */
static void print_words(const struct ustack_func *f, struct ustack_cursor c)
{
	static const char *const names[3] = { "CFA", "RA", "FP" };
	unsigned int i = 0, nr, size, operand = 0;
	u32 ctl;
	u8 info;

	ustack_cursor_uint(&c, f->fre_type);
	info = ustack_cursor_u8(&c);
	nr = SFRAME_FRE_WORDS(info);
	size = SFRAME_FRE_WORD_SIZE(info);
	/* an operand is a control word and an offset; without a rule it is a single 0 */
	for (; f->is_flex && !f->is_added && operand < 3 && i + 1 < nr; operand++) {
		ctl = ustack_cursor_uint(&c, size);
		i++;
		if (ctl) {
			print_operand(names[operand], ctl, take_word(&c, size));
			i++;
		}
	}
	if (i < nr)
		printf(" words");
	for (; i < nr; i++)
		printf(" %d", take_word(&c, size));
}

/*
 * Return: whether a row that is refused for @reason was read completely, so that the next row
 * can be read.
 */
static bool is_read(enum ustack_reason reason)
{
	return reason != USTACK_TRUNCATED && reason != USTACK_BAD_FRE &&
	       reason != USTACK_SHARED_ROWS;
}

/* A row that cannot be run is reported in its place; the rows after it are still printed. */
static int dump_rows(struct sframe_walk *w, const struct ustack_func *f)
{
	struct ustack_cursor c, before, again;
	enum ustack_reason reason;
	struct ustack_row row;
	int status = CMD_OK;
	u32 i;

	ustack_rows_init(&c, w->s->core.bytes, f);
	for (i = 0; i < f->nr_rows; i++) {
		before = c;
		reason = sframe_walk_row(w, &c, f, &row);
		if (!reason) {
			print_row(w->s, f, &row);
			continue;
		}
		status = refuse(w->s, reason, before.pos);
		if (!is_read(reason))
			break;
		again = before;
		print_start(f, ustack_cursor_uint(&again, f->fre_type));
		printf("  cannot be run: %s:", ustack_reason_name(reason));
		print_words(f, before);
		putchar('\n');
	}
	return status;
}

/* A function that cannot be read is reported; the others are still printed. */
static int dump_part(struct sframe_walk *w)
{
	enum ustack_reason reason;
	struct ustack_func f;
	int status = CMD_OK;

	while (sframe_walk_func(w, &f, &reason)) {
		if (reason) {
			status = refuse(w->s, reason, f.field);
			continue;
		}
		print_func(&f);
		if (dump_rows(w, &f))
			status = CMD_FAILED;
		if (f.nr_rows && !w->rows_left)
			break;
	}
	return status;
}

static int dump_section(const struct sframe_section *s, bool headers)
{
	struct sframe_walk w;
	int status = CMD_OK;

	print_section(s);
	sframe_walk_init(&w, s);
	while (sframe_walk_part(&w)) {
		print_part(&w.part);
		if (!headers && dump_part(&w))
			status = CMD_FAILED;
	}
	return status;
}

static void print_table_header(const struct sframe_section *s)
{
	const struct ustack_table *t = s->table;

	printf("%s: table of %u bytes, %s, 0x%" PRIx64 "-0x%" PRIx64 "\n",
	       s->path, t->size, s->core.arch->name, t->base, t->base + t->range);
	printf("%u rows, %u rules, %u buckets, %u-byte keys, %u-byte rules\n",
	       t->nr_keys, t->nr_rules, t->nr_buckets,
	       t->layout & USTACK_TABLE_WIDE_KEYS ? 2 : 1,
	       t->layout & USTACK_TABLE_WIDE_RULES ? 2 : 1);
}

/* Prints the block of a pc-mask function, which follows its entry in the palette. */
static void print_mask(const struct sframe_section *s,
		       const struct ustack_rule *mask)
{
	const struct ustack_rule *palette = ustack_table_palette(s->table);
	char text[SFRAME_RULE_TEXT];
	s32 i;

	printf("mask every %d bytes\n", mask->ra_off);
	for (i = 1; i <= mask->fp_off; i++)
		printf("  +0x%x  %s\n", (u32)mask[i].cfa_off,
		       mask[i].ra_off ?
			       sframe_rule_text(palette + mask[i].ra_off,
						s->core.arch, text) : "no row");
}

static void print_table_row(const struct sframe_section *s, u32 row, u64 start,
			    u64 end)
{
	const struct ustack_table *t = s->table;
	const struct ustack_rule *rule;
	char text[SFRAME_RULE_TEXT];
	u32 index;

	index = ustack_table_rule_index(t, row);
	rule = ustack_table_palette(t) + index;
	printf("0x%" PRIx64 "-0x%" PRIx64 "  ", start, end);
	if (!index)
		printf("no row\n");
	else if (rule->flags & USTACK_RULE_MASK)
		print_mask(s, rule);
	else
		printf("%s\n", sframe_rule_text(rule, s->core.arch, text));
}

/* The rows of a table are grouped by block, or by bucket in sparse text. */
struct unit {
	unsigned int shift;	/* log2 of the bytes of text in a unit */
	u32 nr;
};

static struct unit units(const struct ustack_table *t)
{
	if (t->layout & USTACK_TABLE_WIDE_KEYS)
		return (struct unit){ USTACK_BUCKET_SHIFT, t->nr_buckets };
	return (struct unit){ USTACK_BLOCK_SHIFT,
			      ustack_table_block_ends(t->range) - 1 };
}

/* Return: number of rows that start in unit @i. */
static u32 unit_rows(const struct ustack_table *t, u32 i)
{
	const u16 *blocks = ustack_table_blocks(t);

	if (t->layout & USTACK_TABLE_WIDE_KEYS)
		return t->index[i + 1] - t->index[i];
	return (u16)(blocks[i + 1] - blocks[i]);
}

/* Return: where row @row starts within its unit. */
static u32 row_key(const struct ustack_table *t, u32 row)
{
	const u8 *keys = ustack_table_keys(t);

	return t->layout & USTACK_TABLE_WIDE_KEYS ? ((const u16 *)keys)[row] :
						    keys[row];
}

static void dump_table(const struct sframe_section *s)
{
	const struct ustack_table *t = s->table;
	const struct unit unit = units(t);
	u64 start = t->base, next;
	u32 i, row = 0, end;

	print_table_header(s);
	/* a row is printed when the start of the next one is known, which is its end */
	for (i = 0; i < unit.nr; i++) {
		for (end = row + unit_rows(t, i); row < end; row++) {
			next = t->base + ((u64)i << unit.shift) + row_key(t, row);
			if (row)
				print_table_row(s, row - 1, start, next);
			start = next;
		}
	}
	print_table_row(s, t->nr_keys - 1, start, t->base + t->range);
}

static int dump(const char *path, const struct sframe_raw *raw,
		const struct dump_opts *o)
{
	_cleanup_(sframe_section_release) struct sframe_section s =
		SFRAME_SECTION_INIT;
	struct diag diag;
	int err, refused;

	err = sframe_section_read_any(&s, path, raw, &diag);
	if (!err)
		err = sframe_section_open(&s, &diag);
	if (!err && o->table && s.foreign)
		err = diag_set(&diag, EBADMSG, path,
			       "is big-endian: the module makes no table of it");
	if (err)
		return cmd_diag(&diag);
	if (o->headers)
		return dump_section(&s, true);
	/*
	 * Verifying finds out what the start fields are relative to. A refused section is
	 * printed all the same: it is the one that somebody wants to see.
	 */
	refused = sframe_section_verify(&s, &diag);
	if (o->table && !refused)
		refused = sframe_section_compile(&s, &diag);
	if (refused)
		cmd_diag(&diag);
	if (!o->table)
		return dump_section(&s, false) || refused ? CMD_FAILED : CMD_OK;
	if (refused)
		return CMD_FAILED;
	dump_table(&s);
	return CMD_OK;
}

int cmd_sframe_dump(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack sframe dump",
		.synopsis = "[--section-only | --table] [--raw ARCH VADDR] FILE",
		.about = "Shows every function and row of an ELF file's .sframe.",
	};
	struct dump_opts o = { 0 };
	const struct option_spec specs[] = {
		SFRAME_RAW_OPTION(o.raw),
		OPTION_FLAG(0, "section-only", &o.headers,
			    "the section's headers, without functions"),
		OPTION_FLAG(0, "table", &o.table,
			    "the rows of the table that the module would use"),
		OPTION_END,
	};
	struct sframe_raw raw;
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (sframe_input_raw(&usage, &o.raw, &raw) != CMD_RUN)
		return CMD_USAGE;
	if (o.headers && o.table)
		return cmd_bad_usage(&usage, "--section-only and --table exclude each other");
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" :
						    "which FILE?");
	return dump(argv[0], o.raw.set ? &raw : NULL, &o);
}
