// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print what the core's table says about a file: a line for every pc at which
 * the rule changes, in the words of sframe_naive.py. It asks for every single pc,
 * so that nothing about the table's layout is taken for granted.
 *
 * usage: core_rows FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

struct whole_file {
	struct ustack_file file;
	u8 *bytes;
};

static bool read_bytes(const struct ustack_file *file, u64 off, void *buf, u32 len)
{
	memcpy(buf, ((const struct whole_file *)file)->bytes + off, len);
	return true;
}

static void die(const char *what, const char *why)
{
	fprintf(stderr, "core_rows: %s: %s\n", what, why);
	exit(1);
}

static void load(const char *path, struct whole_file *ret)
{
	FILE *f = fopen(path, "rb");
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0)
		die(path, "cannot be read");
	rewind(f);
	ret->bytes = malloc((size_t)size + 1);
	ret->file = (struct ustack_file){ (u64)size, read_bytes };
	if (fread(ret->bytes, 1, (size_t)size, f) != (size_t)size)
		die(path, "cannot be read");
	fclose(f);
}

static struct ustack_table *compile(const char *path, const struct ustack_elf *elf,
				    const u8 *bytes)
{
	struct ustack_section sec = {
		.bytes = bytes + elf->sframe_off, .len = elf->sframe_len,
		.vaddr = elf->sframe_vaddr, .arch = elf->arch,
		.text = elf->text, .nr_text = elf->nr_text,
	};
	struct ustack_table *table;
	enum ustack_reason reason;
	void *scratch;
	u64 size;

	reason = ustack_section_open(&sec, NULL);
	if (reason)
		die(path, ustack_reason_text(reason));
	scratch = malloc(ustack_section_scratch(&sec));
	reason = ustack_verify(&sec, scratch);
	if (!reason)
		reason = ustack_compile_size(&sec, &size);
	if (reason)
		die(path, ustack_reason_text(reason));
	table = malloc(size);
	reason = ustack_compile(&sec, table);
	if (!reason)
		reason = ustack_table_check(table, size);
	if (reason)
		die(path, ustack_reason_text(reason));
	free(scratch);
	fprintf(stderr, "functions %u lost %u rows %u parts %u resorted %d\n",
		sec.report.functions, sec.report.lost, sec.report.rows,
		sec.report.parts, sec.report.resorted);
	return table;
}

/* One location in readelf's words; @none is what an absent rule means. */
static void put(char *to, u8 op, s32 off, const char *none)
{
	static const char *const base[] = { "c", "sp", "fp" };
	char reg[8];
	bool deref = op & USTACK_OP_DEREF;

	if (op == USTACK_OP_NONE) {
		sprintf(to, "%s", none);
	} else if (USTACK_OP_BASE(op) == USTACK_OP_CFA) {
		sprintf(to, "%sc%+d", deref ? "" : "=", off);
	} else {
		sprintf(reg, "r%u", USTACK_OP_REGNO(op));
		sprintf(to, "%s%s%+d%s", deref ? "(" : "",
			USTACK_OP_BASE(op) == USTACK_OP_BASE_REG ?
				reg : base[USTACK_OP_BASE(op)],
			off, deref ? ")" : "");
	}
}

static void describe(const struct ustack_rule *rule, char *ret)
{
	char cfa[32], ra[32], fp[32];

	if (!rule) {
		strcpy(ret, "none");
	} else if (rule->flags & USTACK_RULE_OUTERMOST) {
		strcpy(ret, "outermost");
	} else {
		put(cfa, rule->cfa, rule->cfa_off, "?");
		put(ra, rule->ra, rule->ra_off, "lr");
		put(fp, rule->fp, rule->fp_off, "u");
		sprintf(ret, "%s %s %s%s", cfa, ra, fp,
			rule->flags & USTACK_RULE_SIGNAL ? " signal" : "");
	}
}

int main(int argc, char **argv)
{
	const struct ustack_rule *rule, *last_rule = NULL;
	char text[128], last[128] = "none";
	struct ustack_table *table;
	struct whole_file file;
	struct ustack_elf elf;
	enum ustack_reason reason;
	u64 rel;

	if (argc != 2)
		die("usage", "core_rows FILE");
	load(argv[1], &file);
	reason = ustack_elf_read(&file.file, &elf);
	if (!reason && !elf.sframe_off)
		reason = USTACK_NO_SECTION;
	if (reason)
		die(argv[1], ustack_reason_text(reason));
	table = compile(argv[1], &elf, file.bytes);
	for (rel = 0; rel <= table->range; rel++) {
		rule = ustack_lookup(table, rel);
		if (rel && rule == last_rule)
			continue;
		last_rule = rule;
		describe(rule, text);
		if (strcmp(text, last))
			printf("%llx %s\n", (unsigned long long)(table->base + rel),
			       text);
		strcpy(last, text);
	}
	free(table);
	free(file.bytes);
	return 0;
}
