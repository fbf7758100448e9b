// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the places where a file's symbols, relocations and data suggest that functions begin,
 * and passes them to the flow analysis. synth_code.c calls it.
 */
#include "sframe/synth_code_hints.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "sframe/elf_read.h"
#include "sframe/synth_code_flow.h"

/* Bytes of code read at the entry point, and at its callee: the first call is within them. */
#define START_BYTES 128u

/**
 * struct hints - a file that is searched
 * @s: the file's headers
 * @fd: the file; borrowed
 * @elf: libelf's handle of the file
 * @flow: receives the hints
 * @names: section with the names of the symbols that are read at present
 * @fixed: the file is loaded at its link-time address, so that its data holds real addresses
 */
struct hints {
	const struct synth *s;
	int fd;
	Elf *elf;
	struct code_flow *flow;
	size_t names;
	bool fixed;
};

/* Whether gcc moved this code out of a function as unlikely: only the function jumps there. */
static bool is_part(struct hints *h, const GElf_Sym *sym)
{
	const char *name = elf_strptr(h->elf, h->names, sym->st_name);

	return name && strstr(name, ".cold");
}

static int by_symbol(struct hints *h, Elf_Data *data, size_t i)
{
	GElf_Sym sym;

	if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
	    sym.st_shndx == SHN_UNDEF || is_part(h, &sym))
		return 0;
	return code_flow_add_hint(h->flow, sym.st_value);
}

static int by_relocation(struct hints *h, Elf_Data *data, size_t i)
{
	GElf_Rela rela;

	if (!gelf_getrela(data, (int)i, &rela) ||
	    GELF_R_TYPE(rela.r_info) != R_X86_64_RELATIVE)
		return 0;
	return code_flow_add_hint(h->flow, (u64)rela.r_addend);
}

static int by_word(struct hints *h, Elf_Data *data, size_t i)
{
	return code_flow_add_hint(h->flow, ustack_le64((const u8 *)data->d_buf + 8 * i));
}

static int each(struct hints *h, Elf_Scn *scn, size_t size,
		int (*hint)(struct hints *h, Elf_Data *data, size_t i))
{
	Elf_Data *data = elf_getdata(scn, NULL);
	int err = 0;
	size_t i;

	if (!data || !data->d_buf)
		return 0;
	for (i = 0; i < data->d_size / size && i < INT32_MAX && !err; i++)
		err = hint(h, data, i);
	return err;
}

/* Whether it is loaded data that is neither code nor strings. */
static bool has_words(const GElf_Shdr *sh)
{
	return (sh->sh_type == SHT_PROGBITS || sh->sh_type == SHT_INIT_ARRAY ||
		sh->sh_type == SHT_FINI_ARRAY) &&
	       sh->sh_flags & SHF_ALLOC &&
	       !(sh->sh_flags & (SHF_EXECINSTR | SHF_STRINGS | SHF_COMPRESSED)) &&
	       !(sh->sh_addr & 7);
}

static int see_section(struct hints *h, Elf_Scn *scn)
{
	GElf_Shdr sh;

	if (!gelf_getshdr(scn, &sh))
		return 0;
	if (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) {
		h->names = sh.sh_link;
		return each(h, scn, sizeof(Elf64_Sym), by_symbol);
	}
	if (sh.sh_flags & SHF_EXECINSTR)
		code_flow_add_boundary(h->flow, sh.sh_addr);
	if (sh.sh_type == SHT_RELA)
		return each(h, scn, sizeof(Elf64_Rela), by_relocation);
	return h->fixed && has_words(&sh) ? each(h, scn, 8, by_word) : 0;
}

/* lea x(%rip), %rdi; mov $x, %edi; mov $x, %rdi */
static bool loads_first_argument(const u8 *code, const struct x86_insn *insn)
{
	return (insn->len == 5 && code[0] == 0xbf) ||
	       (insn->len == 7 && code[0] == 0x48 &&
		((code[1] == 0x8d && code[2] == 0x3d) || (code[1] == 0xc7 && code[2] == 0xc7)));
}

/*
 * Reads from @entry to the first call or jump. C libraries get main() as the first argument,
 * from glibc's _start and from musl's _start_c. Return: the target, 0 if it is unknown.
 */
static u64 see_start(struct hints *h, u64 entry)
{
	u8 code[START_BYTES];
	struct x86_insn insn;
	unsigned int at;
	u64 address;

	if (!elf_read_code(h->fd, &h->s->elf, entry, code, sizeof(code)))
		return 0;
	for (at = 0; x86_insn_read(code + at, sizeof(code) - at, entry + at, &insn);
	     at += insn.len) {
		if (insn.kind != X86_OTHER)
			return insn.to;
		address = x86_insn_address(code + at, &insn, entry + at);
		if (address && loads_first_argument(code + at, &insn))
			code_flow_add_entry(h->flow, address);
	}
	return 0;
}

int synth_code_hints(const struct synth *s, int fd, struct code_flow *f)
{
	struct hints h = { .s = s, .fd = fd, .elf = elf_begin(fd, ELF_C_READ, NULL), .flow = f };
	Elf_Scn *scn = NULL;
	GElf_Ehdr eh;
	int err = 0;
	u64 to;

	if (h.elf && gelf_getehdr(h.elf, &eh)) {
		h.fixed = eh.e_type == ET_EXEC;
		to = see_start(&h, eh.e_entry);
		if (to) {
			code_flow_add_entry(f, to);
			see_start(&h, to);
		}
		while (!err && (scn = elf_nextscn(h.elf, scn)))
			err = see_section(&h, scn);
	}
	elf_end(h.elf);
	return err;
}
