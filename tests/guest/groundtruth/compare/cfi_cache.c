// SPDX-License-Identifier: GPL-2.0-only
/* A hash table from a file and an address to what its CFI says (cfi_cache.h). */
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cfi_cache.h"
#include "util.h"

struct entry {
	const void *file;	/* NULL: the entry is free */
	Dwarf_Addr vaddr;
	unsigned int cfi;
};

static struct entry *table;
static size_t size, used;

static struct entry *find(const void *file, Dwarf_Addr vaddr)
{
	size_t i = mix((uintptr_t)file, vaddr);

	for (;; i++) {
		struct entry *e = &table[i & (size - 1)];

		if (!e->file || (e->file == file && e->vaddr == vaddr))
			return e;
	}
}

static void grow(void)
{
	struct entry *old = table;
	size_t i, n = size;

	if (used * 2 < size)
		return;
	size = size ? size * 2 : 4096;
	table = xcalloc(size, sizeof(*table));
	for (i = 0; i < n; i++)
		if (old[i].file)
			*find(old[i].file, old[i].vaddr) = old[i];
	free(old);
}

static bool ask(Dwarf_CFI *cfi, Dwarf_Addr vaddr, unsigned int *ret)
{
	Dwarf_Op mem[3], *ops;
	Dwarf_Frame *frame;
	bool signal = false;
	size_t n;
	int ra;

	if (!cfi || dwarf_cfi_addrframe(cfi, vaddr, &frame))
		return false;
	*ret |= CFI_ROW;
	ra = dwarf_frame_info(frame, NULL, NULL, &signal);
	if (signal)
		*ret |= CFI_SIGNAL;
	/* undefined: libdw returns no operations and the caller's memory */
	if (ra >= 0 && !dwarf_frame_register(frame, ra, mem, &ops, &n) &&
	    !n && ops == mem)
		*ret |= CFI_OUTERMOST;
	free(frame);
	return true;
}

unsigned int cfi_lookup(Dwfl *dwfl, Dwarf_Addr addr)
{
	Dwfl_Module *mod = dwfl_addrmodule(dwfl, addr);
	Dwarf_Addr bias, start, vaddr;
	struct entry *e;
	Dwarf_CFI *cfi;
	void **file;

	if (!mod)
		return 0;
	dwfl_module_info(mod, &file, &start, NULL, NULL, NULL, NULL, NULL);
	vaddr = addr - start;
	grow();
	e = find(*file, vaddr);
	if (e->file)
		return e->cfi;
	e->cfi = CFI_FILE;
	cfi = dwfl_module_eh_cfi(mod, &bias);
	/* in the same order in which libdw looks */
	if (!ask(cfi, addr - bias, &e->cfi)) {
		cfi = dwfl_module_dwarf_cfi(mod, &bias);
		ask(cfi, addr - bias, &e->cfi);
	}
	e->file = *file;
	e->vaddr = vaddr;
	used++;
	return e->cfi;
}

void cfi_release(void)
{
	free(table);
	table = NULL;
	size = used = 0;
}
