// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a called function outside of the analysed text returns: imported functions by the
 * names in relocations, functions with rules by their code.
 */
#include "sframe/synth_code_fate.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "sframe/elf_read.h"
#include "sframe/synth_rows.h"
#include "util/cleanup.h"

/* Bytes; larger functions are not decoded. */
#define MAX_CALLEE (64u << 10)
/* Functions that end in a jump to the next one: setjmp(), __sigsetjmp(), and the one that it jumps to. */
#define MAX_CHAIN 4u
/* Most bytes of PLT code: endbr64, a bnd prefix, a jump. */
#define STUB_BYTES 11u

static bool never_returns(const char *name)
{
#define NEVER_RETURNS(word) if (!strcmp(name, word)) return true;
#define NEVER_RETURNS_ALL(prefix) if (!strncmp(name, prefix, sizeof(prefix) - 1)) return true;
#include "sframe/synth_code_noreturn.def"
#undef NEVER_RETURNS
#undef NEVER_RETURNS_ALL
	return false;
}

/* The name of a relocation's symbol, or NULL. */
static const char *symbol_name(Elf *elf, Elf_Data *symbols, size_t strings, const GElf_Rela *r)
{
	GElf_Sym sym;

	if (!gelf_getsym(symbols, (int)GELF_R_SYM(r->r_info), &sym))
		return NULL;
	return elf_strptr(elf, strings, sym.st_name);
}

static int read_relocations(struct code_fates *c, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *symbols = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *syms = elf_getdata(symbols, NULL);
	const char *name;
	GElf_Shdr of;
	GElf_Rela r;
	int i, err = 0;

	if (!data || !syms || !gelf_getshdr(symbols, &of))
		return 0;
	for (i = 0; !err && gelf_getrela(data, i, &r); i++) {
		if (GELF_R_TYPE(r.r_info) != R_X86_64_JUMP_SLOT &&
		    GELF_R_TYPE(r.r_info) != R_X86_64_GLOB_DAT)
			continue;
		name = symbol_name(elf, syms, of.sh_link, &r);
		if (name && never_returns(name))
			err = code_targets_add(&c->dead, r.r_offset);
	}
	return err;
}

int code_fates_init(struct code_fates *c, const struct synth *s, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err = 0;

	*c = (struct code_fates){ .s = s, .fd = fd };
	while (!err && elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA)
			err = read_relocations(c, elf, scn, &sh);
	elf_end(elf);
	code_targets_sort(&c->dead);
	return err;
}

void code_fates_release(struct code_fates *c)
{
	free(c->dead.at);
	*c = (struct code_fates){ .s = NULL };
}

/* Reads PLT code: [endbr64;] [bnd] jmp *slot(%rip) */
static bool read_stub(const struct code_fates *c, u64 target, u64 *slot)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u8 code[STUB_BYTES];
	u32 at = 0;

	if (!elf_read_code(c->fd, &c->s->elf, target, code, sizeof(code)))
		return false;
	if (!memcmp(code, endbr, sizeof(endbr)))
		at = sizeof(endbr);
	at += code[at] == 0xf2;
	if (at > STUB_BYTES - 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	*slot = target + at + 6 + (u64)(s64)(s32)ustack_le32(code + at + 2);
	return true;
}

/* Whether the function's code contains a return. @next: target of the last jump out of it, or 0. */
static bool has_return(const struct sframe_func *f, const u8 *code, u64 *next)
{
	struct x86_insn insn;
	struct x86_stack x;
	u32 at;

	*next = 0;
	for (at = 0; at < f->size && x86_insn_read(code + at, f->size - at, f->start + at, &insn);
	     at += insn.len) {
		x86_stack_read(code + at, &insn, &x);
		if (x.effect == X86_RET)
			return true;
		if (insn.kind == X86_JUMP && insn.to - f->start >= f->size)
			*next = insn.to;
	}
	return false;
}

/* Reads one function. Return: whether it contains a return. */
static bool returns_itself(const struct code_fates *c, u64 target, u64 *next)
{
	const struct sframe_func *f = synth_func_before(c->s, c->s->nr_funcs, target);
	_cleanup_(cleanup_free) u8 *code = NULL;

	*next = 0;
	if (!f || f->start != target || f->size > MAX_CALLEE)
		return false;
	code = malloc(f->size);
	return code && elf_read_code(c->fd, &c->s->elf, f->start, code, f->size) &&
	       has_return(f, code, next);
}

/*
 * Whether a return is in its code: compilers put none into a function that never returns. A jump to a
 * function that returns is as good.
 */
static bool returns(const struct code_fates *c, u64 target)
{
	unsigned int i;
	u64 next;

	for (i = 0; i < MAX_CHAIN && target; i++, target = next)
		if (returns_itself(c, target, &next))
			return true;
	return false;
}

enum code_fate code_fate(void *arg, u64 target)
{
	const struct code_fates *c = arg;
	u64 slot;

	if (read_stub(c, target, &slot))
		return code_targets_has(&c->dead, slot) ? CODE_NEVER_RETURNING : CODE_IMPORTED;
	return returns(c, target) ? CODE_RETURNING : CODE_FATE_UNKNOWN;
}
