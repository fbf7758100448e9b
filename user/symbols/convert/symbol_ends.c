// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the ends of functions whose symbols have no size, see symbol_ends.h. All sources add to
 * one list of addresses at which such symbols end. An address in the list shortens only
 * the nearest symbol before it, and only if that symbol has no size.
 */
#include "symbols/convert/symbol_ends.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gsym/part.h"
#include "sframe/cfi.h"
#include "sframe/x86_insn.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/* How an instruction affects where its function ends. */
enum ends_step {
	ENDS_NEXT,	/* the next instruction follows */
	ENDS_BRANCH,	/* continues with the next instruction or at a target */
	ENDS_JUMP,	/* continues at a target */
	ENDS_LAST,	/* the function does not continue here */
	ENDS_UNKNOWN,	/* invalid, or its target is not known */
};

/* A growing list of ranges. */
struct range_list {
	struct range *at;
	size_t nr;
	size_t room;
};

/* State of one search for ends. */
struct finder {
	const struct gsym_part *part;
	struct gsym_symtab *s;
	size_t room;		/* allocated entries of @s->starts */
	struct range_list fdes;	/* ranges of FDEs, ascending, disjoint */
	struct range_list codes;	/* the same for functions without an FDE, from their code */
	uint64_t *functions;	/* start addresses of all functions, ascending */
	struct file file;
	Elf *elf;		/* the file with the code; NULL if it cannot be read */
	unsigned int machine;
	uint64_t budget;	/* bytes of code that may still be read */
};

static int compare_addr(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static int add_end(struct finder *f, uint64_t addr)
{
	if (!array_has_room(f->s->starts, f->s->nr_starts, f->room))
		return -ENOMEM;
	f->s->starts[f->s->nr_starts++] = addr;
	return 0;
}

static int add_range(struct range_list *k, uint64_t start, uint64_t end)
{
	if (!array_has_room(k->at, k->nr, k->room))
		return -ENOMEM;
	k->at[k->nr++] = (struct range){ start, end };
	return 0;
}

/* A file without CFI, or for another machine, has no FDE. */
static int take_fdes(struct finder *f, const char *path)
{
	struct cfi_fde fde;
	struct cfi *cfi;
	int err = cfi_new(path, &cfi, NULL);

	if (err)
		return err == -ENOMEM ? err : 0;
	while ((err = cfi_next(cfi, &fde)) > 0) {
		if (fde.status != CFI_GOOD)
			continue;
		err = add_range(&f->fdes, fde.start, fde.end);
		err = err ? err : add_end(f, fde.start);
		err = err ? err : add_end(f, fde.end);
		if (err)
			break;
	}
	cfi_free(cfi);
	f->fdes.nr = ranges_join(f->fdes.at, f->fdes.nr);
	return err;
}

static enum ends_step step_x86(const uint8_t *p, size_t left, uint64_t pc, size_t *len,
			       uint64_t *to)
{
	static const enum ends_step steps[] = {
		[X86_OTHER] = ENDS_NEXT, [X86_CALL] = ENDS_NEXT,
		[X86_BRANCH] = ENDS_BRANCH, [X86_JUMP] = ENDS_JUMP, [X86_END] = ENDS_LAST,
	};
	struct x86_insn insn;

	if (!x86_insn_read(p, left, pc, &insn))
		return ENDS_UNKNOWN;
	*len = insn.len;
	*to = insn.to;
	return insn.kind == X86_JUMP && !insn.to ? ENDS_UNKNOWN : steps[insn.kind];
}

/* The signed field of @width bits at bit @at of an instruction, times 4 bytes. */
static uint64_t offset_at(uint32_t insn, unsigned int at, unsigned int width)
{
	return (uint64_t)((int64_t)((uint64_t)insn << (64 - at - width)) >> (64 - width)) * 4;
}

/* @opc: opcode field of a branch to a register, with or without authentication */
static enum ends_step by_register(unsigned int opc)
{
	switch (opc) {
	case 1:		/* blr */
	case 9:
		return ENDS_NEXT;
	case 2:		/* ret */
		return ENDS_LAST;
	}
	return ENDS_UNKNOWN;
}

/* Arm ARM, C4.1.65: branches, exception generating and system instructions. */
static enum ends_step step_aarch64(const uint8_t *p, size_t left, uint64_t pc, size_t *len,
				   uint64_t *to)
{
	uint32_t insn;

	if (left < sizeof(insn))
		return ENDS_UNKNOWN;
	*len = sizeof(insn);
	insn = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	if ((insn & 0xfc000000) == 0x14000000) {		/* b */
		*to = pc + offset_at(insn, 0, 26);
		return ENDS_JUMP;
	}
	if ((insn & 0xff000000) == 0x54000000 ||		/* b.cond, bc.cond */
	    (insn & 0x7e000000) == 0x34000000) {		/* cbz, cbnz */
		*to = pc + offset_at(insn, 5, 19);
		return ENDS_BRANCH;
	}
	if ((insn & 0x7e000000) == 0x36000000) {		/* tbz, tbnz */
		*to = pc + offset_at(insn, 5, 14);
		return ENDS_BRANCH;
	}
	if ((insn & 0xfe1f0000) == 0xd61f0000)
		return by_register(insn >> 21 & 15);
	if ((insn & 0xffe0001f) == 0xd4200000)			/* brk */
		return ENDS_LAST;
	return insn >> 16 ? ENDS_NEXT : ENDS_UNKNOWN;		/* udf */
}

uint64_t symbol_end_by_code(unsigned int machine, const uint8_t *code, size_t len, uint64_t start,
		      bool (*leaves)(uint64_t addr, void *arg), void *arg)
{
	uint64_t at = 0, last = 0, to = 0;
	size_t n = 0;
	enum ends_step step;

	/* the furthest target of a branch within the function */
	for (; at < len; at += n) {
		step = machine == EM_X86_64 ?
			step_x86(code + at, len - at, start + at, &n, &to) :
			step_aarch64(code + at, len - at, start + at, &n, &to);
		if (step == ENDS_UNKNOWN)
			return 0;
		if ((step == ENDS_BRANCH || step == ENDS_JUMP) && to > start &&
		    to - start > last && !leaves(to, arg))
			last = to - start;
		if (last >= len)
			return 0;
		if ((step == ENDS_JUMP || step == ENDS_LAST) && last < at + n)
			return start + at + n;
	}
	return 0;
}

static bool is_function(uint64_t addr, void *arg)
{
	const struct finder *f = arg;

	return bsearch(&addr, f->functions, f->part->nr_funcs, sizeof(addr), compare_addr);
}

/*
 * Finds the file offset of the code at an address.
 * Return: bytes from there to the end of the segment; 0 if the file has no code there.
 */
static uint64_t find_code(const struct finder *f, uint64_t addr, uint64_t *ret)
{
	size_t i, nr;
	GElf_Phdr ph;

	if (elf_getphdrnum(f->elf, &nr))
		return 0;
	for (i = 0; i < nr; i++)
		if (gelf_getphdr(f->elf, (int)i, &ph) && ph.p_type == PT_LOAD &&
		    ph.p_flags & PF_X && addr >= ph.p_vaddr && addr - ph.p_vaddr < ph.p_filesz) {
			*ret = ph.p_offset + (addr - ph.p_vaddr);
			return ph.p_filesz - (addr - ph.p_vaddr);
		}
	return 0;
}

/* The end of a function by its code. Return: as symbol_end_by_code(). */
static uint64_t end_by_code(struct finder *f, uint64_t addr)
{
	uint8_t code[ENDS_MAX_CODE];
	uint64_t off, left;

	if (!f->elf || f->budget < sizeof(code))
		return 0;
	left = find_code(f, addr, &off);
	if (left > sizeof(code))
		left = sizeof(code);
	f->budget -= left;
	if (!left || file_read(&f->file, off, code, left, NULL))
		return 0;
	return symbol_end_by_code(f->machine, code, left, addr, is_function, f);
}

static int take_codes(struct finder *f)
{
	const struct gsym_added *a = f->part->funcs;
	uint64_t end;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < f->part->nr_funcs; i++, a++) {
		if (a->start != a->end || ranges_find(f->fdes.at, f->fdes.nr, a->start))
			continue;
		end = end_by_code(f, a->start);
		if (!end)
			continue;
		err = add_range(&f->codes, a->start, end);
		err = err ? err : add_end(f, end);
	}
	f->codes.nr = ranges_join(f->codes.at, f->codes.nr);
	return err;
}

static bool is_within(const struct range_list *k, uint64_t addr)
{
	const struct range *r = ranges_find(k->at, k->nr, addr);

	return r && r->start != addr;
}

/* A label inside code with a known end does not end anything. */
static int take_labels(struct finder *f)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < f->s->nr_labels; i++)
		if (!is_within(&f->fdes, f->s->labels[i]) &&
		    !is_within(&f->codes, f->s->labels[i]))
			err = add_end(f, f->s->labels[i]);
	return err;
}

static void open_code(struct finder *f, const char *path)
{
	GElf_Ehdr ehdr;

	if (file_open(&f->file, path, NULL))
		return;
	f->elf = f->file.pipe ? elf_memory((char *)f->file.pipe, f->file.size) :
				elf_begin(f->file.fd, ELF_C_READ, NULL);
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF && gelf_getehdr(f->elf, &ehdr) &&
	    ehdr.e_type != ET_REL &&
	    (ehdr.e_machine == EM_X86_64 || ehdr.e_machine == EM_AARCH64)) {
		f->machine = ehdr.e_machine;
		return;
	}
	elf_end(f->elf);
	f->elf = NULL;
}

static int list_functions(struct finder *f)
{
	size_t i, nr = f->part->nr_funcs;

	f->functions = calloc(nr, sizeof(*f->functions));
	if (!f->functions)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		f->functions[i] = f->part->funcs[i].start;
	qsort(f->functions, nr, sizeof(*f->functions), compare_addr);
	return 0;
}

/* Sorts the addresses and removes duplicates. */
static void sort_ends(struct gsym_symtab *s)
{
	size_t i, to = 0;

	qsort(s->starts, s->nr_starts, sizeof(*s->starts), compare_addr);
	for (i = 0; i < s->nr_starts; i++)
		if (!to || s->starts[to - 1] != s->starts[i])
			s->starts[to++] = s->starts[i];
	s->nr_starts = to;
}

static bool has_any(const struct gsym_part *part)
{
	size_t i;

	for (i = 0; i < part->nr_funcs; i++)
		if (part->funcs[i].start == part->funcs[i].end)
			return true;
	return false;
}

int gsym_symtab_ends(const char *path, const struct gsym_part *part, struct gsym_symtab *s,
		     struct diag *diag)
{
	struct finder f = {
		.part = part, .s = s, .room = s->nr_starts, .file = FILE_INIT,
		.budget = ENDS_MAX_CODE_ALL,
	};
	int err;

	if (!has_any(part))
		return 0;
	err = list_functions(&f);
	if (!err)
		err = take_fdes(&f, path);
	if (!err) {
		open_code(&f, path);
		err = take_codes(&f);
		elf_end(f.elf);
		file_release(&f.file);
	}
	if (!err)
		err = take_labels(&f);
	sort_ends(s);
	free(f.fdes.at);
	free(f.codes.at);
	free(f.functions);
	return err ? diag_errno(diag, -err, path) : 0;
}
