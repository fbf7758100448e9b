// SPDX-License-Identifier: GPL-2.0-only
/* Finds a plug library's executable segment (plugs.h); its ELF entry is plugN_entry. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plugs.h"
#include "workload.h"

FRAME int plug_path(char *path, size_t size, int n)
{
	ssize_t got = readlink("/proc/self/exe", path, size - 32);
	char *slash;

	if (got < 0)
		return -errno;
	path[got] = 0;
	slash = strrchr(path, '/');
	snprintf(slash + 1, 32, "libplug%d.so", n);
	return 0;
}

FRAME int plug_open(struct plug *plug, int n)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char path[4096];
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;
	int i, err;

	err = plug_path(path, sizeof(path), n);
	if (err)
		return err;
	plug->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (plug->fd < 0)
		return -errno;
	if (pread(plug->fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr))
		return -EIO;
	for (i = 0; i < ehdr.e_phnum; i++) {
		off_t at = ehdr.e_phoff + i * sizeof(phdr);

		if (pread(plug->fd, &phdr, sizeof(phdr), at) != sizeof(phdr))
			return -EIO;
		if (phdr.p_type == PT_LOAD && (phdr.p_flags & PF_X))
			break;
	}
	if (i == ehdr.e_phnum)
		return -ENOEXEC;
	plug->offset = phdr.p_offset & ~(page - 1);
	plug->length = (phdr.p_filesz + phdr.p_offset - plug->offset + page - 1)
		       & ~(page - 1);
	plug->entry = ehdr.e_entry - phdr.p_vaddr + phdr.p_offset - plug->offset;
	return 0;
}
