// SPDX-License-Identifier: GPL-2.0-only
/* Reads build ids of the kernel and its modules from /sys, see build_id.h. */
#include "host/kernel/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/poison.h"

static size_t padded(uint32_t n)
{
	return ((size_t)n + 3) & ~(size_t)3;
}

uint8_t notes_build_id(const uint8_t *notes, size_t len, uint8_t ret[NOTES_MAX_BUILD_ID])
{
	Elf64_Nhdr h;
	size_t name, at = 0;

	while (len - at >= sizeof(h)) {
		memcpy(&h, notes + at, sizeof(h));
		name = at + sizeof(h);
		if (len - name < padded(h.n_namesz) ||
		    len - name - padded(h.n_namesz) < h.n_descsz)
			return 0;
		at = name + padded(h.n_namesz);
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4) && h.n_descsz &&
		    h.n_descsz <= NOTES_MAX_BUILD_ID) {
			memcpy(ret, notes + at, h.n_descsz);
			return (uint8_t)h.n_descsz;
		}
		if (len - at < padded(h.n_descsz))
			return 0;
		at += padded(h.n_descsz);
	}
	return 0;
}

uint8_t kernel_build_id(const char *image, uint8_t ret[NOTES_MAX_BUILD_ID])
{
	char path[160] = "/sys/kernel/notes";
	uint8_t notes[4096];
	ssize_t len;
	int fd;

	if (strcmp(image, "[kernel.kallsyms]"))
		snprintf(path, sizeof(path), "/sys/module/%.*s/notes/.note.gnu.build-id",
			 (int)strcspn(image + 1, "]"), image + 1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	len = read(fd, notes, sizeof(notes));
	close(fd);
	return len > 0 ? notes_build_id(notes, (size_t)len, ret) : 0;
}
