// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a symbol table, with the names that BOLT gives them: a global
 * symbol has its own, a local one has "/" and a number after it, which counts
 * the local symbols of that name in the order of their addresses. See
 * private.h; fdata.c calls it.
 */
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "capture/branches/private.h"
#include "util/array.h"

/* A symbol of a section that is loaded. */
struct symbol {
	uint64_t start;
	uint64_t size;
	uint64_t section_end;
	uint32_t order;
	uint32_t name;	/* number in struct branches_functions.names */
	bool function;
	bool local;
};

struct table {
	Elf *elf;
	const struct file *file;
	struct branches_functions *ret;
	struct symbol *symbol;
	size_t nr;
	size_t room;
	struct diag *diag;
};

static int damaged(const struct table *t, const char *what)
{
	return diag_set(t->diag, EBADMSG, t->file->path, "%s: %s", what, elf_errmsg(-1));
}

/* @end: gets the end of its section, 0 if it has none. */
static bool is_loaded(const struct table *t, const GElf_Sym *s, uint64_t *end)
{
	Elf_Scn *scn;
	GElf_Shdr sh;

	*end = 0;
	if (s->st_shndx == SHN_ABS)
		return true;
	if (s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE)
		return false;
	scn = elf_getscn(t->elf, s->st_shndx);
	if (!scn || !gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC))
		return false;
	if (__builtin_add_overflow(sh.sh_addr, sh.sh_size, end))
		*end = 0;
	return true;
}

/* Return: 0 or a negative errno. */
static int take_symbol(struct table *t, const GElf_Sym *s, uint32_t order, const char *name)
{
	unsigned int type = GELF_ST_TYPE(s->st_info);
	struct symbol new = {
		.start = s->st_value, .size = s->st_size, .order = order,
		.function = (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_shndx != SHN_ABS,
		.local = GELF_ST_BIND(s->st_info) == STB_LOCAL,
	};
	int err;

	if (type == STT_FILE || type == STT_SECTION || type == STT_TLS ||
	    !is_loaded(t, s, &new.section_end))
		return 0;
	if (!name)
		return damaged(t, "name of a symbol");
	/* a line of fdata cannot hold a control character */
	if (!*name || strpbrk(name, "\n\r\t\v\f"))
		return 0;
	err = strings_add(&t->ret->names, name, strlen(name), &new.name);
	if (err || !array_has_room(t->symbol, t->nr, t->room))
		return diag_errno(t->diag, err ? -err : ENOMEM, t->file->path);
	t->symbol[t->nr++] = new;
	return 0;
}

/* Return: 1 if there is a symbol table; 0; a negative errno. */
static int read_table(struct table *t)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh = { .sh_type = SHT_NULL };
	GElf_Sym s;
	int i, err = 0;

	while ((scn = elf_nextscn(t->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			break;
	if (!scn)
		return 0;
	data = elf_getdata(scn, NULL);
	if (!data)
		return damaged(t, "symbol table");
	for (i = 1; !err && gelf_getsym(data, i, &s); i++)
		err = take_symbol(t, &s, (uint32_t)i, elf_strptr(t->elf, sh.sh_link, s.st_name));
	return err ? err : 1;
}

/* BOLT's order: by address, functions before others, then as in the table. */
static int by_address(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->function != b->function)
		return a->function ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Return: the number of the name in fdata, which begins a blank with a backslash; 0 on failure. */
static uint32_t name_of(struct table *t, const struct symbol *s, uint32_t number)
{
	const char *name = t->ret->names.entries[s->name].s;
	char *text = malloc(2 * strlen(name) + 16), *p = text;
	uint32_t ret = 0;

	if (!text)
		return 0;
	for (; *name; name++) {
		if (*name == ' ' || *name == '\\')
			*p++ = '\\';
		*p++ = *name;
	}
	if (s->local)
		p += sprintf(p, "/%u", number);
	if (strings_add(&t->ret->names, text, (size_t)(p - text), &ret))
		ret = 0;
	free(text);
	return ret;
}

/* Return: the end of a function; one without a size ends at the next symbol or section. */
static uint64_t end_of(const struct table *t, size_t i)
{
	const struct symbol *s = &t->symbol[i];
	uint64_t end;

	if (s->size)
		return __builtin_add_overflow(s->start, s->size, &end) ? s->start : end;
	while (i < t->nr && t->symbol[i].start == s->start)
		i++;
	if (i < t->nr && t->symbol[i].start < s->section_end)
		return t->symbol[i].start;
	return s->section_end;
}

static int add_function(struct table *t, size_t i, uint32_t number)
{
	const struct symbol *s = &t->symbol[i];
	struct branches_functions *f = t->ret;
	struct branches_function *last = f->nr ? &f->at[f->nr - 1] : NULL;
	struct branches_function new = { .start = s->start, .end = end_of(t, i) };
	uint32_t name;

	/* an entry within a function, or another name of it, is no function of its own */
	if (!s->function || new.end <= s->start || (last && s->start < last->end))
		return 0;
	name = name_of(t, s, number);
	if (!name)
		return -ENOMEM;
	new.name = f->names.entries[name].s;
	f->at[f->nr++] = new;
	return 0;
}

static int make_functions(struct table *t)
{
	uint32_t *seen, nr = t->ret->names.nr, number;
	size_t i;
	int err = 0;

	if (t->nr)
		qsort(t->symbol, t->nr, sizeof(*t->symbol), by_address);
	/* numbers of local symbols by name: those of names that follow are not asked for */
	seen = calloc(nr ? nr : 1, sizeof(*seen));
	t->ret->at = calloc(t->nr ? t->nr : 1, sizeof(*t->ret->at));
	if (!seen || !t->ret->at)
		err = -ENOMEM;
	for (i = 0; i < t->nr && !err; i++) {
		number = t->symbol[i].local ? ++seen[t->symbol[i].name] : 0;
		err = add_function(t, i, number);
	}
	free(seen);
	return err ? diag_errno(t->diag, -err, t->file->path) : 0;
}

int branches_functions_read(struct branches_functions *f, const struct file *file,
			    struct diag *diag)
{
	struct table t = { .file = file, .ret = f, .diag = diag };
	int err;

	*f = (struct branches_functions){ .nr = 0 };
	if (strings_init(&f->names))
		return diag_errno(diag, ENOMEM, file->path);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return diag_set(diag, EINVAL, file->path, "another version of libelf");
	/* not mapped: truncating a mapped file would kill its reader */
	t.elf = file->pipe ? elf_memory((char *)file->pipe, file->size) :
		elf_begin(file->fd, ELF_C_READ, NULL);
	err = t.elf ? read_table(&t) : damaged(&t, "not an ELF file");
	if (err > 0)
		err = make_functions(&t);
	else if (!err)
		err = diag_set(diag, ENODATA, file->path,
			       "has no symbol table: BOLT needs a program that is not stripped");
	elf_end(t.elf);
	free(t.symbol);
	return err;
}

void branches_functions_release(struct branches_functions *f)
{
	free(f->at);
	strings_release(&f->names);
	*f = (struct branches_functions){ .nr = 0 };
}

const struct branches_function *branches_functions_find(const struct branches_functions *f,
							uint64_t address)
{
	size_t low = 0, high = f->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (f->at[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->nr && f->at[low].start <= address ? &f->at[low] : NULL;
}
