// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds addresses in the machine code of a stripped Ruby, see ruby_machine.h.
 * Instructions are compared with what compilers generate for a few lines of C. If
 * anything differs, nothing is guessed and this Ruby is refused.
 */
#include "symbols/lang/ruby_machine.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/lang/eval_ranges.h"
#include "sframe/x86_insn.h"
#include "util/cleanup.h"

/* Limits. rb_iseq_eval_main() has 205 bytes, and vm_exec() 2.9 KB. */
#define MAX_CODE 16384u
#define MAX_TARGETS 128u
/* vm_exec_core() has 16 KB and more; other functions that vm_exec() calls are far smaller. */
#define MIN_CORE 8192u

enum {
	ERRINFO,
	ID2STR,
	EVAL,
	EVAL_MAIN,
	NR,
};

/**
 * struct code - code of a function, read instruction by instruction
 * @start: link-time address of the function
 * @len: bytes of @bytes
 * @bytes: the code; owned
 * @at: offset of @insn
 * @insn: the current instruction
 */
struct code {
	u64 start;
	u64 len;
	u8 *bytes;
	u64 at;
	struct x86_insn insn;
};

static void code_release(struct code *c)
{
	free(c->bytes);
}

static bool code_read(const struct lang_elf *e, u64 start, u64 len, struct code *ret)
{
	*ret = (struct code){ .start = start, .len = len };
	if (!len || len > MAX_CODE)
		return false;
	ret->bytes = malloc(len);
	return ret->bytes && lang_elf_bytes(e, start, ret->bytes, len);
}

/* Goes to the next instruction; at first to the first one. */
static bool code_next(struct code *c)
{
	c->at += c->insn.len;
	return c->at < c->len &&
	       x86_insn_read(c->bytes + c->at, c->len - c->at, c->start + c->at, &c->insn);
}

/*
 * The address of the %rip-relative word that the current instruction reads with opcode
 * @op; 0 if it does not.
 */
static u64 operand(const struct code *c, u8 op)
{
	const u8 *b = c->bytes + c->at;
	u64 prefix = (b[0] & 0xf0) == 0x40;

	if (c->insn.len != 6 + prefix || b[prefix] != op || (b[prefix + 1] & 0xc7) != 5)
		return 0;
	return c->start + c->at + c->insn.len + (u64)(s64)(s32)ustack_le32(b + prefix + 2);
}

/*
 * The address in "lea x(%rip), %rdi"; a prefix may make it longer, so that a linker can
 * replace it. 0 if the instruction is another one.
 */
static u64 lea_argument(const struct code *c)
{
	static const u8 lea[] = { 0x48, 0x8d, 0x3d };
	const u8 *b = c->bytes + c->at;
	u64 prefix = b[0] == 0x66;

	if (c->insn.len != 7 + prefix || memcmp(b + prefix, lea, sizeof(lea)))
		return 0;
	return c->start + c->at + c->insn.len + (u64)(s64)(s32)ustack_le32(b + prefix + 3);
}

/* Whether the instruction is "mov x(%rax), %rax"; @ret: x. */
static bool load(const struct code *c, u32 *ret)
{
	const u8 *b = c->bytes + c->at;

	if (c->insn.len < 3 || b[0] != 0x48 || b[1] != 0x8b)
		return false;
	if (b[2] == 0x00)
		*ret = 0;
	else if (b[2] == 0x40 && b[3] < 0x80)
		*ret = b[3];
	else if (b[2] == 0x80)
		*ret = ustack_le32(b + 3);
	else
		return false;
	return true;
}

/* rb_errinfo() is "return GET_EC()->errinfo", with a TLS variable of the library. */
static bool read_errinfo(const struct lang_elf *e, const struct lang_symbol *s,
			 struct ruby_places *ret)
{
	_cleanup_(code_release) struct code c;
	u32 more;

	if (!code_read(e, s->value, s->size, &c))
		return false;
	while (code_next(&c) && !(ret->tls = lea_argument(&c)))
		;
	if (!ret->tls || !code_next(&c) || c.insn.kind != X86_CALL || !code_next(&c) ||
	    !load(&c, &more) || !code_next(&c))
		return false;
	ret->tls_more = more;
	return load(&c, &ret->errinfo);
}

/* get_id_serial_entry() compares with the first word of the table and loads the third. */
static bool read_symbols(const struct lang_elf *e, const struct lang_symbol *id2str,
			 struct ruby_places *ret)
{
	_cleanup_(code_release) struct code wrapper = { 0 };
	_cleanup_(code_release) struct code c = { 0 };
	u64 first = 0, third;
	struct range f;

	if (!code_read(e, id2str->value, id2str->size, &wrapper))
		return false;
	while (code_next(&wrapper) && wrapper.insn.kind != X86_JUMP)
		;
	if (wrapper.insn.kind != X86_JUMP || !eval_function(e, wrapper.insn.to, &f) ||
	    !code_read(e, f.start, f.end - f.start, &c))
		return false;
	while (code_next(&c)) {
		third = operand(&c, 0x8b);
		if (first && third == first + 16) {
			ret->symbols = first;
			return true;
		}
		first = operand(&c, 0x39) ? operand(&c, 0x39) : first;
	}
	return false;
}

/* Finds the functions in .text that are called. Return: number of functions in @ret. */
static unsigned int callees(const struct lang_elf *e, struct range of, struct range ret[MAX_TARGETS])
{
	const struct lang_elf_section *text = lang_elf_section(e, ".text");
	_cleanup_(code_release) struct code c = { 0 };
	unsigned int nr = 0;

	if (!text || !code_read(e, of.start, of.end - of.start, &c))
		return 0;
	while (code_next(&c) && nr < MAX_TARGETS) {
		u64 to = c.insn.to;

		if ((c.insn.kind != X86_CALL && c.insn.kind != X86_JUMP) || to < text->addr ||
		    to - text->addr >= text->size || (to >= of.start && to < of.end))
			continue;
		nr += eval_function(e, to, &ret[nr]);
	}
	return nr;
}

/* Finds the only function that both call. */
static bool common_callee(const struct lang_elf *e, struct range a, struct range b, struct range *ret)
{
	struct range of_a[MAX_TARGETS], of_b[MAX_TARGETS];
	unsigned int nr_a = callees(e, a, of_a), nr_b = callees(e, b, of_b), i, j;

	*ret = (struct range){ 0 };
	for (i = 0; i < nr_a; i++)
		for (j = 0; j < nr_b; j++) {
			if (of_a[i].start != of_b[j].start)
				continue;
			if (ret->start && ret->start != of_a[i].start)
				return false;
			*ret = of_a[i];
		}
	return ret->start;
}

static struct range range_of(const struct lang_symbol *s)
{
	return (struct range){ s->value, s->value + s->size };
}

static bool read_vm_exec(const struct lang_elf *e, const struct lang_symbol *symbol,
			 struct ruby_places *ret)
{
	struct lang_symbol exported = { .name = "rb_vm_exec" };

	if (!lang_elf_symbols(e, &exported, 1))
		return common_callee(e, range_of(&symbol[EVAL]), range_of(&symbol[EVAL_MAIN]),
				     &ret->vm_exec);
	ret->vm_exec = range_of(&exported);
	return exported.size;
}

static void read_vm_exec_core(const struct lang_elf *e, struct ruby_places *ret)
{
	struct range of[MAX_TARGETS];
	unsigned int nr = callees(e, ret->vm_exec, of), i;
	u64 most = MIN_CORE;

	for (i = 0; i < nr; i++)
		if (of[i].end - of[i].start > most) {
			most = of[i].end - of[i].start;
			ret->vm_exec_core = of[i];
		}
}

const char *ruby_machine_read(const struct lang_elf *e, struct ruby_places *ret)
{
	struct lang_symbol symbol[NR] = {
		[ERRINFO] = { .name = "rb_errinfo" },
		[ID2STR] = { .name = "rb_id2str" },
		[EVAL] = { .name = "rb_iseq_eval" },
		[EVAL_MAIN] = { .name = "rb_iseq_eval_main" },
	};

	*ret = (struct ruby_places){ 0 };
	if (e->head.arch != &ustack_arch_x86_64)
		return "where its threads keep their frames is not known on this architecture";
	if (!lang_elf_symbols(e, symbol, NR))
		return "it does not export the symbols that lead to its frames";
	if (!read_errinfo(e, &symbol[ERRINFO], ret))
		return "its code does not show where its threads keep their frames";
	if (!read_symbols(e, &symbol[ID2STR], ret))
		return "its code does not show where its symbols are";
	if (!read_vm_exec(e, symbol, ret))
		return "its code does not show which function is the interpreter's";
	read_vm_exec_core(e, ret);
	return NULL;
}
