// SPDX-License-Identifier: GPL-2.0-only
/* Writes rules of compact unwinding as text. */
#include <inttypes.h>
#include <stdio.h>

#include "darwin/unwind_decode.h"

#include "util/poison.h"

static const char *const x86_names[] = {
	[1] = "ecx", [2] = "edx", [3] = "ebx", [5] = "ebp", [6] = "esi", [7] = "edi",
};

static const char *const x86_64_names[] = {
	[3] = "rbx", [6] = "rbp", [12] = "r12", [13] = "r13", [14] = "r14", [15] = "r15",
};

#define D8 72u
static const char *const arm64_names[] = {
	[19] = "x19", [20] = "x20", [21] = "x21", [22] = "x22", [23] = "x23", [24] = "x24",
	[25] = "x25", [26] = "x26", [27] = "x27", [28] = "x28", [29] = "x29",
	[UNWIND_LR] = "x30",
	[D8] = "d8", [D8 + 1] = "d9", [D8 + 2] = "d10", [D8 + 3] = "d11",
	[D8 + 4] = "d12", [D8 + 5] = "d13", [D8 + 6] = "d14", [D8 + 7] = "d15",
};

#define NAME_OF(names, reg) ((reg) < sizeof(names) / sizeof(*(names)) ? (names)[reg] : NULL)

static const struct {
	const char *fp;
	const char *sp;
	unsigned int word;
} archs[] = {
	[UNWIND_X86] = { "ebp", "esp", 4 },
	[UNWIND_X86_64] = { "rbp", "rsp", 8 },
	[UNWIND_ARM64] = { "x29", "sp", 8 },
};

const char *unwind_reg_name(enum unwind_arch arch, unsigned int reg)
{
	switch (arch) {
	case UNWIND_X86:
		return NAME_OF(x86_names, reg);
	case UNWIND_X86_64:
		return NAME_OF(x86_64_names, reg);
	case UNWIND_ARM64:
		return NAME_OF(arm64_names, reg);
	}
	return NULL;
}

const char *unwind_kind_name(enum unwind_kind kind)
{
	static const char *const names[] = {
		[UNWIND_NONE] = "none",
		[UNWIND_FRAME] = "frame",
		[UNWIND_IMMEDIATE] = "immediate",
		[UNWIND_INDIRECT] = "indirect",
		[UNWIND_FRAMELESS] = "frameless",
		[UNWIND_DWARF] = "dwarf",
	};

	return names[kind];
}

static void print_head(enum unwind_arch arch, const struct unwind_rule *r, FILE *out)
{
	fputs(unwind_kind_name(r->kind), out);
	switch (r->kind) {
	case UNWIND_NONE:
		return;
	case UNWIND_FRAME:
		fprintf(out, " cfa=%s+%u", archs[arch].fp, 2 * archs[arch].word);
		return;
	case UNWIND_IMMEDIATE:
	case UNWIND_FRAMELESS:
		fprintf(out, " cfa=%s+%" PRIu32 "%s", archs[arch].sp, r->size,
			r->unsure ? " (registers are saved, but it is unknown where)" : "");
		return;
	case UNWIND_INDIRECT:
		fprintf(out, " cfa=%s+imm32[start+%" PRIu32 "]+%" PRIu32, archs[arch].sp, r->code,
			r->adjust);
		return;
	case UNWIND_DWARF:
		fprintf(out, " fde=0x%" PRIx32, r->fde);
		return;
	}
}

void unwind_rule_text(enum unwind_arch arch, const struct unwind_rule *r, char *buf, size_t len)
{
	FILE *out = fmemopen(buf, len, "w");
	const char *name;
	unsigned int i;

	if (len)
		buf[0] = '\0';
	if (!out)
		return;
	print_head(arch, r, out);
	for (i = 0; i < r->nr_saved; i++) {
		name = unwind_reg_name(arch, r->saved[i].reg);
		if (name)
			fprintf(out, " %s=[cfa%d]", name, r->saved[i].off);
		else
			fprintf(out, " r%u=[cfa%d]", r->saved[i].reg, r->saved[i].off);
	}
	fclose(out);
	buf[len - 1] = '\0';
}
