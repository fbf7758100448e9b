// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds Perl in a file and in a process. Even a stripped Perl exports its version,
 * PL_thr_key, PL_curinterp and the size of an interpreter. Nothing describes the
 * structures: offsets are constants, as offsetof() gives them with Debian's headers of
 * 5.36.0 and 5.40.1, and tests/live/lang checks them with running programs. The size reveals
 * builds with other fields.
 */
#include "symbols/lang/perl.h"

#include <elf.h>
#include <stdlib.h>

#include "sframe/x86_insn.h"
#include "util/cleanup.h"

/* Limits. The function of eval {} has some 80 bytes, and a Perl has 8,000 relocations. */
#define MAX_CODE 4096u
#define MAX_RELOCATIONS ((u64)16 << 20)

enum {
	REVISION,
	VERSION,
	SUBVERSION,
	SIZE,
	FIRST,
	EVAL,
	RUN,
	TABLE,
	ENTERTRY,
	NR,
};

static const struct {
	u32 minor;
	u32 size;
	u32 phase;
	u32 entertry;
	struct lang_perl layout;
} layouts[] = {
	{ 0x0524, 3768, 0x9d0, 347,
	  { .interp_op = 0x8, .interp_statement = 0xd0, .interp_stack = 0xe0,
	    .interp_main_root = 0x710, .interp_eval_root = 0x720, .interp_compiling = 0x790,
	    .statement_file = 0x30, .statement_number = 0x3c, .op_nextstate = 195,
	    .op_scope = 200 } },
	{ 0x0528, 3768, 0x8a8, 350,
	  { .interp_op = 0x8, .interp_statement = 0xd0, .interp_stack = 0xe0,
	    .interp_main_root = 0x638, .interp_eval_root = 0x648, .interp_compiling = 0x6b8,
	    .statement_file = 0x30, .statement_number = 0x3c, .op_nextstate = 198,
	    .op_scope = 203 } },
};

/* Reads a constant of one byte; 0 if it is missing. */
static u32 byte_of(const struct lang_elf *e, const struct lang_symbol *s)
{
	u8 byte = 0;

	return s->found && lang_elf_bytes(e, s->value, &byte, 1) ? byte : 0;
}

static u32 version_of(const struct lang_elf *e, const struct lang_symbol *symbol)
{
	u32 version = byte_of(e, &symbol[VERSION]);

	if (!version)
		return 0;
	return byte_of(e, &symbol[REVISION]) << 24 | version << 16 |
	       byte_of(e, &symbol[SUBVERSION]) << 8;
}

static const char *find_layout(const struct lang_elf *e, const struct lang_symbol *size,
			       struct perl_file *ret, u32 *entertry)
{
	u8 bytes[2];
	size_t i;

	if (!ret->version)
		return "its version cannot be read";
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (layouts[i].minor != ret->version >> 16)
			continue;
		if (!size->found || !lang_elf_bytes(e, size->value, bytes, sizeof(bytes)) ||
		    (bytes[0] | (u32)bytes[1] << 8) != layouts[i].size)
			return "its structures differ from those of its version";
		ret->layout = layouts[i].layout;
		ret->phase = layouts[i].phase;
		*entertry = layouts[i].entertry;
		return NULL;
	}
	return "frames of this version are not read";
}

static unsigned int ranges_of(const struct lang_elf *e, const struct lang_symbol *s,
			      struct range ret[EVAL_MAX_RANGES])
{
	return s->found && s->value + s->size > s->value ? eval_ranges(e, s->value, s->size, ret) : 0;
}

/*
 * Reads a pointer in the file's data, which the loader sets by a relocation. Return: 0 if
 * there is none.
 */
static u64 pointer_at(const struct lang_elf *e, u64 addr)
{
	const struct lang_elf_section *s = lang_elf_section(e, ".rela.dyn");
	_cleanup_(cleanup_free) Elf64_Rela *rela = NULL;
	u64 value = 0, i;

	if (!s || s->size > MAX_RELOCATIONS)
		return 0;
	rela = malloc(s->size + 1);
	if (!rela || !lang_elf_bytes(e, s->addr, rela, s->size))
		return 0;
	for (i = 0; i < s->size / sizeof(*rela); i++)
		if (rela[i].r_offset == addr)
			return ELF64_R_TYPE(rela[i].r_info) == R_X86_64_RELATIVE ?
				       (u64)rela[i].r_addend :
				       0;
	/* a program at a fixed address has no relocation */
	return lang_elf_bytes(e, addr, &value, sizeof(value)) ? value : 0;
}

/*
 * Whether the instruction is "lea @to, %rsi", or "mov x(%rip), %rsi", which a library
 * uses for the address of a function that others may replace.
 */
static bool is_second_argument(const u8 *code, u64 at, unsigned int len, u64 to)
{
	if (len != 7 || code[0] != 0x48 || code[2] != 0x35)
		return false;
	return code[1] == 0x8b ||
	       (code[1] == 0x8d && at + len + (u64)(s64)(s32)ustack_le32(code + 3) == to);
}

/*
 * eval {} in a sub that C code has called runs its block by another call of the
 * interpreter's function, from docatch(), which is not exported. The function of the eval
 * operation passes its own address to docatch() as the second argument.
 */
static unsigned int find_inner(const struct lang_elf *e, u64 start, struct range ret[EVAL_MAX_RANGES])
{
	u64 at;
	_cleanup_(cleanup_free) u8 *code = NULL;
	struct x86_insn insn;
	bool calls = false;
	struct range f;

	if (e->head.arch != &ustack_arch_x86_64 || !start || !eval_function(e, start, &f) ||
	    f.end - f.start > MAX_CODE)
		return 0;
	code = malloc(f.end - f.start + 1);
	if (!code || !lang_elf_bytes(e, start, code, f.end - f.start))
		return 0;
	for (at = start; at < f.end; at += insn.len) {
		if (!x86_insn_read(code + (at - start), f.end - at, at, &insn))
			return 0;
		if (calls && (insn.kind == X86_CALL || insn.kind == X86_JUMP))
			return insn.to && eval_function(e, insn.to, &f) ?
				       eval_ranges(e, f.start, f.end - f.start, ret) :
				       0;
		calls |= is_second_argument(code + (at - start), at, insn.len, start);
	}
	return 0;
}

/*
 * The address of the function of eval {}. Files that do not export it have it in the
 * table of the operations' functions.
 */
static u64 entertry_of(const struct lang_elf *e, const struct lang_symbol *symbol, u32 number)
{
	if (symbol[ENTERTRY].found)
		return symbol[ENTERTRY].value;
	return symbol[TABLE].found ? pointer_at(e, symbol[TABLE].value + 8 * number) : 0;
}

bool perl_file_read(const struct lang_elf *e, struct perl_file *ret)
{
	struct lang_symbol symbol[NR] = {
		[REVISION] = { .name = "PL_revision" },
		[VERSION] = { .name = "PL_version" },
		[SUBVERSION] = { .name = "PL_subversion" },
		[SIZE] = { .name = "PL_interp_size" },
		[FIRST] = { .name = "PL_curinterp" },
		[EVAL] = { .name = "Perl_runops_standard" },
		[RUN] = { .name = "perl_run" },
		[TABLE] = { .name = "PL_ppaddr" },
		[ENTERTRY] = { .name = "Perl_pp_entertry" },
	};
	struct lang_symbol key = { .name = "PL_thr_key" };
	u32 entertry = 0;

	*ret = (struct perl_file){ 0 };
	lang_elf_symbols(e, symbol, NR);
	if (!symbol[VERSION].found || !symbol[EVAL].found || !symbol[RUN].found)
		return false;
	ret->version = version_of(e, symbol);
	if (!lang_elf_symbols(e, &key, 1) || !symbol[FIRST].found)
		ret->refused = "it is built without threads";
	else
		ret->refused = find_layout(e, &symbol[SIZE], ret, &entertry);
	if (ret->refused)
		return true;
	ret->key = key.value;
	ret->first = symbol[FIRST].value;
	ret->nr_eval = ranges_of(e, &symbol[EVAL], ret->eval);
	if (!ret->nr_eval)
		ret->refused = "it does not say where its interpreter's function ends";
	ret->nr_base = ranges_of(e, &symbol[RUN], ret->base);
	ret->nr_inner = find_inner(e, entertry_of(e, symbol, entertry), ret->inner);
	return true;
}

enum lang_ready perl_describe(const struct perl_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_perl *ret)
{
	u64 first;
	u32 phase, key;

	if (!lang_memory_read(m, f->first + bias, &first, sizeof(first)))
		return LANG_NEVER;
	/*
	 * Perl creates the key, which may be number 0, before the first phase of the
	 * interpreter
	 */
	if (!first || !lang_memory_read(m, first + f->phase, &phase, sizeof(phase)) || !phase)
		return LANG_NOT_YET;
	*ret = f->layout;
	if (!lang_memory_read(m, f->key + bias, &key, sizeof(key)) ||
	    !lang_libc_key(libc, key, &ret->key))
		return LANG_NEVER;
	return LANG_READY;
}
