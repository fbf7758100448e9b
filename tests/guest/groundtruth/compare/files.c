// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the files of a record, reads their segments and build ids, and prepares them for libdw
 * (files.h).
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "syms.h"
#include "util.h"

#define PAGE 4096ull

static struct file *files;
static const char *sysroot;

void files_sysroot(const char *dir)
{
	sysroot = dir;
}

static void find_build_id(struct file *f, const Elf64_Phdr *ph)
{
	uint8_t buf[1024];
	size_t at = 0, len = ph->p_filesz < sizeof(buf) ? ph->p_filesz : sizeof(buf);

	if (pread(f->fd, buf, len, ph->p_offset) != (ssize_t)len)
		return;
	while (len - at >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *n = (const void *)(buf + at);
		size_t name = (n->n_namesz + 3ull) & ~3ull, desc = (n->n_descsz + 3ull) & ~3ull;

		at += sizeof(*n);
		if (name > len - at || desc > len - at - name)
			return;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && n->n_descsz <= 20) {
			f->build_id_len = n->n_descsz;
			memcpy(f->build_id, buf + at + name, n->n_descsz);
		}
		at += name + desc;
	}
}

/*
 * libdw assumes that a file covers one range of addresses, from its first segment to its last.
 * But on arm64 the gap before the data is wide, and the kernel puts the vDSO into the gap of
 * ld.so. So libdw gets only segments of code. It finds CFI by the section headers, and a file
 * without section headers stays unchanged.
 */
static void hide_data(const struct file *f, const Elf64_Ehdr *eh)
{
	unsigned int i;

	if (!eh->e_shoff || !eh->e_shnum)
		return;
	for (i = 0; i < f->phnum; i++) {
		Elf64_Phdr ph = f->phdrs[i];

		if (ph.p_type != PT_LOAD)
			continue;
		if (ph.p_flags & PF_X)
			ph.p_align = PAGE;
		else
			ph.p_type = PT_NULL;
		if (pwrite(f->fd, &ph, sizeof(ph), eh->e_phoff + i * sizeof(ph)) != sizeof(ph))
			die("writing a memory file");
	}
}

/*
 * libdw puts an executable with a fixed address there, whatever address it is given. But node
 * maps its own text a second time, near the code that it makes.
 */
static void let_move(const struct file *f, const Elf64_Ehdr *eh)
{
	const Elf64_Half type = ET_DYN;

	if (eh->e_type == ET_EXEC &&
	    pwrite(f->fd, &type, sizeof(type), offsetof(Elf64_Ehdr, e_type)) != sizeof(type))
		die("writing a memory file");
}

/* the program headers; a file that is not ELF has none */
static void read_headers(struct file *f)
{
	Elf64_Ehdr eh;
	size_t size;
	unsigned int i;

	if (f->fd < 0 || pread(f->fd, &eh, sizeof(eh), 0) != sizeof(eh) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_phentsize != sizeof(Elf64_Phdr) || eh.e_phnum > 256)
		return;
	f->entry = eh.e_entry;
	size = eh.e_phnum * sizeof(Elf64_Phdr);
	f->phdrs = xcalloc(1, size);
	if (pread(f->fd, f->phdrs, size, eh.e_phoff) == (ssize_t)size)
		f->phnum = eh.e_phnum;
	for (i = 0; i < f->phnum; i++)
		if (f->phdrs[i].p_type == PT_NOTE)
			find_build_id(f, &f->phdrs[i]);
	hide_data(f, &eh);
	let_move(f, &eh);
}

static struct file *add(const struct gt_identity *id, const char *path, int fd)
{
	struct file *f = xcalloc(1, sizeof(*f));
	const char *slash = strrchr(path, '/');

	f->id = *id;
	f->path = strdup(path);
	if (!f->path)
		die("no memory");
	f->name = slash ? f->path + (slash + 1 - path) : f->path;
	f->vdso = !strcmp(path, "[vdso]");
	f->fd = fd;
	f->next = files;
	files = f;
	read_headers(f);
	return f;
}

/* a writable copy of the file in memory */
static int memory_file(const void *data, size_t len)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd < 0)
		die("no memory file");
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n <= 0)
			die("no memory for an image");
		data = (const char *)data + n;
		len -= n;
	}
	return fd;
}

void files_add_image(const struct gt_image *m)
{
	add(&m->id, m->path, memory_file(m->path + m->path_len, m->len));
}

void files_release(void)
{
	while (files) {
		struct file *f = files;

		files = f->next;
		if (f->fd >= 0)
			close(f->fd);
		syms_free(f->syms);
		free(f->phdrs);
		free(f->path);
		free(f);
	}
}

static int open_in_sysroot(const char *path)
{
	char name[PATH_MAX];
	struct stat st;
	void *data;
	int fd, copy = -1;

	if (!sysroot)
		return -1;
	snprintf(name, sizeof(name), "%s%s", sysroot, path);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size) {
		data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data != MAP_FAILED) {
			copy = memory_file(data, st.st_size);
			munmap(data, st.st_size);
		}
	}
	close(fd);
	return copy;
}

/* mappings found in /proc have no inode generation: 0 matches any */
static bool same(const struct gt_identity *a, const struct gt_identity *b)
{
	return a->maj == b->maj && a->min == b->min && a->ino == b->ino &&
	       (a->gen == b->gen || !a->gen || !b->gen);
}

struct file *files_find(const struct gt_identity *id, const char *path)
{
	bool vdso = !strcmp(path, "[vdso]");
	struct file *f;

	if (!vdso && (path[0] != '/' || path[1] == '/'))
		return NULL;
	for (f = files; f; f = f->next)
		if (vdso ? f->vdso : !f->vdso && same(&f->id, id))
			return f;
	return add(id, path, vdso ? -1 : open_in_sysroot(path));
}

/* the segment that contains the file offset PGOFF of a page, preferably one with code */
static const Elf64_Phdr *segment_of(const struct file *f, uint64_t pgoff)
{
	const Elf64_Phdr *found = NULL;
	unsigned int i;

	for (i = 0; i < f->phnum; i++) {
		const Elf64_Phdr *ph = &f->phdrs[i];
		uint64_t low = ph->p_offset & ~(PAGE - 1);

		if (ph->p_type != PT_LOAD || pgoff < low ||
		    pgoff >= ph->p_offset + ph->p_filesz)
			continue;
		if (!found || (ph->p_flags & PF_X))
			found = ph;
	}
	return found;
}

bool file_bias(const struct file *f, uint64_t start, uint64_t pgoff, uint64_t *ret)
{
	const Elf64_Phdr *ph = segment_of(f, pgoff);

	if (!ph)
		return false;
	*ret = start - pgoff - (ph->p_vaddr - ph->p_offset);
	return true;
}

void file_span(const struct file *f, uint64_t *ret_low, uint64_t *ret_high)
{
	unsigned int i;

	*ret_low = UINT64_MAX;
	*ret_high = 0;
	for (i = 0; i < f->phnum; i++) {
		const Elf64_Phdr *ph = &f->phdrs[i];

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
			continue;
		if (ph->p_vaddr < *ret_low)
			*ret_low = ph->p_vaddr;
		if (ph->p_vaddr + ph->p_memsz > *ret_high)
			*ret_high = ph->p_vaddr + ph->p_memsz;
	}
}

bool file_read(const struct file *f, uint64_t vaddr, void *buf, size_t len)
{
	unsigned int i;

	for (i = 0; i < f->phnum; i++) {
		const Elf64_Phdr *ph = &f->phdrs[i];

		if (ph->p_type == PT_LOAD && vaddr >= ph->p_vaddr &&
		    vaddr - ph->p_vaddr < ph->p_filesz)
			return pread(f->fd, buf, len, ph->p_offset + vaddr - ph->p_vaddr) ==
			       (ssize_t)len;
	}
	return false;
}
