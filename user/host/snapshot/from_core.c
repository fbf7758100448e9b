// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the image map of a core file. Notes tell which file was mapped where; program
 * headers tell which memory was dumped, and whether it was executable.
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/snapshot/capture.h"
#include "host/snapshot/elf_head.h"
#include "host/snapshot/mapped.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/* Limit for the bytes of notes: enough for 100,000 threads and as many mappings. */
#define MAX_NOTES (256u << 20)

struct core {
	struct file file;
	struct elf_head head;
	struct elf_phdr *loads;
	size_t nr_loads;
	size_t room;
	struct imagemap_memory memory;
	bool has_files;
	struct diag *diag;
};

static void core_release(struct core *c)
{
	imagemap_memory_release(&c->memory);
	file_release(&c->file);
	free(c->loads);
}

static int bad(struct core *c, uint64_t offset, const char *what)
{
	diag_set(c->diag, EBADMSG, c->file.path, "%s", what);
	if (c->diag)
		c->diag->offset = offset;
	return -EBADMSG;
}

/* Finds the dumped segment at an address; they are sorted. */
static const struct elf_phdr *find_load(const struct core *c, uint64_t addr)
{
	size_t low = 0, high = c->nr_loads, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (c->loads[mid].vaddr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr - c->loads[low - 1].vaddr < c->loads[low - 1].memsz ?
	       &c->loads[low - 1] : NULL;
}

static bool read_memory(void *arg, uint64_t addr, void *buf, size_t len)
{
	struct core *c = arg;
	const struct elf_phdr *l = find_load(c, addr);
	uint64_t at;

	if (!l)
		return false;
	at = addr - l->vaddr;
	return at < l->filesz && len <= l->filesz - at &&
	       !file_read(&c->file, l->offset + at, buf, len, NULL);
}

static int add_file(struct core *c, const uint8_t *entry, uint64_t page, const char *path)
{
	const unsigned int word = c->head.kind.wide ? 8 : 4;
	struct imagemap_mapped m = {
		.start = elf_word(c->head.kind, entry),
		.end = elf_word(c->head.kind, entry + word),
	};
	const struct elf_phdr *l = find_load(c, m.start);

	if (m.start >= m.end ||
	    __builtin_mul_overflow(elf_word(c->head.kind, entry + 2 * word), page, &m.offset))
		return bad(c, DIAG_NO_OFFSET, "NT_FILE has a mapping of no bytes");
	m.exec = l && l->flags & PF_X;
	m.path = strdup(path);
	return imagemap_memory_add(&c->memory, &m) ?
	       diag_errno(c->diag, ENOMEM, c->file.path) : 0;
}

/* NT_FILE has a count, the page size, (start, end, page) for each mapping, then the names. */
static int take_files(struct core *c, const struct elf_note *n)
{
	const unsigned int word = c->head.kind.wide ? 8 : 4;
	const uint8_t *entry = n->desc + 2 * word, *name, *end = n->desc + n->desc_len;
	uint64_t nr, page, i;
	const uint8_t *nul;
	int err = 0;

	if (n->desc_len < 2 * word)
		return bad(c, DIAG_NO_OFFSET, "NT_FILE is cut off");
	nr = elf_word(c->head.kind, n->desc);
	page = elf_word(c->head.kind, n->desc + word);
	if (nr > (n->desc_len - 2 * word) / (3 * word))
		return bad(c, DIAG_NO_OFFSET, "NT_FILE claims more mappings than it has room for");
	name = entry + nr * 3 * word;
	for (i = 0; !err && i < nr; i++, entry += 3 * word, name = nul + 1) {
		nul = memchr(name, 0, (size_t)(end - name));
		if (!nul)
			return bad(c, DIAG_NO_OFFSET, "NT_FILE lacks names of mappings");
		err = add_file(c, entry, page, (const char *)name);
	}
	c->has_files = true;
	return err;
}

/* NT_AUXV has the address of the vDSO, which is not a file. */
static int take_auxv(struct core *c, const struct elf_note *n)
{
	const unsigned int word = c->head.kind.wide ? 8 : 4;
	const struct elf_phdr *l = NULL;
	struct imagemap_mapped m;
	size_t at;

	for (at = 0; at + 2 * word <= n->desc_len && !l; at += 2 * word)
		if (elf_word(c->head.kind, n->desc + at) == AT_SYSINFO_EHDR)
			l = find_load(c, elf_word(c->head.kind, n->desc + at + word));
	if (!l || l->vaddr + l->memsz <= l->vaddr)
		return 0;
	m = (struct imagemap_mapped){
		.start = l->vaddr, .end = l->vaddr + l->memsz, .exec = l->flags & PF_X,
		.path = strdup("[vdso]"),
	};
	return imagemap_memory_add(&c->memory, &m) ?
	       diag_errno(c->diag, ENOMEM, c->file.path) : 0;
}

static int take_notes(struct core *c, const struct elf_phdr *p)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	struct elf_note n;
	size_t at = 0;
	int err;

	if (p->filesz > MAX_NOTES)
		return bad(c, p->offset, "more than 256 MB of notes");
	err = file_read_new(&c->file, p->offset, p->filesz, &bytes, c->diag);
	while (!err && at < p->filesz) {
		if (!elf_note_next(c->head.kind, bytes, p->filesz, &at, &n))
			return bad(c, p->offset + at, "a note is cut off");
		if (elf_note_is(&n, "CORE", NT_FILE) && !c->has_files)
			err = take_files(c, &n);
		else if (elf_note_is(&n, "CORE", NT_AUXV))
			err = take_auxv(c, &n);
	}
	return err;
}

/* With more than 65534 program headers, section 0 has their number (gABI, PN_XNUM). */
static int count_phdrs(struct core *c, const uint8_t *bytes)
{
	const struct elf_kind k = c->head.kind;
	uint64_t shoff = elf_word(k, bytes + (k.wide ? 40 : 32));
	uint8_t info[4];
	int err;

	if (c->head.phnum != PN_XNUM)
		return 0;
	err = file_read(&c->file, shoff + (k.wide ? 44 : 28), info, sizeof(info), c->diag);
	if (!err)
		c->head.phnum = (uint32_t)elf_number(k, info, 4);
	return err;
}

static int by_vaddr(const void *x, const void *y)
{
	const struct elf_phdr *a = x, *b = y;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static int each_phdr(struct core *c, int (*take)(struct core *c, const struct elf_phdr *p))
{
	const size_t len = c->head.kind.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	uint8_t bytes[ELF_PHDR_BYTES];
	struct elf_phdr p;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < c->head.phnum; i++) {
		err = file_read(&c->file, c->head.phoff + (uint64_t)i * c->head.phentsize,
				bytes, len, c->diag);
		if (err)
			return err;
		elf_phdr_parse(c->head.kind, bytes, &p);
		err = take(c, &p);
	}
	return err;
}

static int take_load(struct core *c, const struct elf_phdr *p)
{
	if (p->type != PT_LOAD || !p->memsz)
		return 0;
	if (!array_has_room(c->loads, c->nr_loads, c->room))
		return diag_errno(c->diag, ENOMEM, c->file.path);
	c->loads[c->nr_loads++] = *p;
	return 0;
}

static int take_note(struct core *c, const struct elf_phdr *p)
{
	return p->type == PT_NOTE ? take_notes(c, p) : 0;
}

static int read_core(struct core *c)
{
	uint8_t bytes[ELF_HEAD_BYTES];
	int err;

	if (c->file.size < sizeof(bytes) ||
	    file_read(&c->file, 0, bytes, sizeof(bytes), c->diag) ||
	    !elf_head_parse(bytes, &c->head) || c->head.type != ET_CORE)
		return bad(c, 0, "no core file");
	err = count_phdrs(c, bytes);
	err = err ? err : each_phdr(c, take_load);
	if (err)
		return err;
	if (c->nr_loads)
		qsort(c->loads, c->nr_loads, sizeof(*c->loads), by_vaddr);
	err = each_phdr(c, take_note);
	if (!err && !c->has_files)
		err = bad(c, DIAG_NO_OFFSET, "nothing in it says which files were mapped (NT_FILE)");
	return err;
}

int imagemap_from_core(const char *path, struct imagemap *ret, struct diag *diag)
{
	_cleanup_(core_release) struct core c = { .file = FILE_INIT, .diag = diag };
	int err;

	if (diag)
		diag->offset = DIAG_NO_OFFSET;
	err = file_open(&c.file, path, diag);
	if (err)
		return err;
	err = read_core(&c);
	if (err)
		return err;
	c.memory.read = read_memory;
	c.memory.arg = &c;
	err = imagemap_from_memory(&c.memory, ret);
	snprintf(ret->platform, sizeof(ret->platform), IMAGEMAP_LINUX);
	return err ? diag_set(diag, -err, path, "its mappings contradict each other") : 0;
}
