// SPDX-License-Identifier: GPL-2.0-only
/* Decides by CFI and by names of functions whether code is an entry (entry.h). */
#include <string.h>

#include "cfi_cache.h"
#include "entry.h"
#include "syms.h"
#include "unwind_dw.h"

#define ENTRY_BYTES 64

static bool one_of(const char *name, const char *const *names, unsigned int count)
{
	while (count--)
		if (!strcmp(name, names[count]))
			return true;
	return false;
}

#define ONE_OF(name, names) one_of(name, names, sizeof(names) / sizeof((names)[0]))

/*
 * The functions that Go's runtime takes for the top of a stack (topofstack() in its
 * traceback.go): mcall and morestack switch to the thread's own stack, on which nothing is
 * above them. The names of Go's assembly functions contain the ABI in symbols, but not always
 * in .gopclntab.
 */
static bool is_go_entry(const char *name)
{
	static const char *const names[] = {
		"runtime.goexit", "runtime.goexit.abi0", "runtime.mstart",
		"runtime.mstart.abi0", "runtime.rt0_go", "runtime.rt0_go.abi0",
		"runtime.mcall", "runtime.mcall.abi0", "runtime.morestack",
		"runtime.morestack.abi0",
	};

	return ONE_OF(name, names);
}

static bool is_clone(const char *name)
{
	static const char *const names[] = { "clone", "__clone", "clone3", "__clone3" };

	return ONE_OF(name, names);
}

static bool is_elf_entry(struct file *f, uint64_t vaddr)
{
	const struct sym *s = syms_find(f, f->entry);

	if (!f->entry)
		return false;
	if (s)
		return vaddr >= s->start && vaddr < s->end;
	return vaddr >= f->entry && vaddr - f->entry < ENTRY_BYTES;
}

enum entry entry_at(struct space *space, uint64_t at)
{
	const struct mapping *m = space_find(space, at);
	unsigned int cfi = dw_cfi(space, at);
	const struct sym *s;

	if (!m || !m->file)
		return ENTRY_NOT;
	if (cfi & CFI_OUTERMOST)
		return ENTRY_IS;
	s = syms_find(m->file, at - m->bias);
	if (s && is_go_entry(s->name))
		return ENTRY_IS;
	if (cfi & CFI_ROW)
		return ENTRY_NOT;
	if (is_elf_entry(m->file, at - m->bias) || (s && is_clone(s->name)))
		return ENTRY_IS;
	return s ? ENTRY_NOT : ENTRY_UNDECIDED;
}
