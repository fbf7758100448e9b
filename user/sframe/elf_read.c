// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the core's ELF reader over a file or a descriptor and reads bytes by their
 * link-time address.
 */
#include "sframe/elf_read.h"

#include <elf.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* A struct file as the core's reader wants it. */
struct elf_source {
	struct ustack_file base;
	const struct file *file;
};

static bool read_source(const struct ustack_file *base, u64 off, void *buf,
			u32 len)
{
	const struct elf_source *src = (const struct elf_source *)base;

	return !file_read(src->file, off, buf, len, NULL);
}

/* A sentence that is more exact than @reason's own, or NULL. */
static const char *refusal(const struct file *file, enum ustack_reason reason)
{
	u8 head[EI_NIDENT + 2];

	if (file_read(file, 0, head, sizeof(head), NULL))
		return NULL;
	if (reason == USTACK_ELF_CLASS && head[EI_DATA] == ELFDATA2MSB)
		return "the ELF file is big-endian; little-endian ones are read";
	if (reason == USTACK_NOT_EXECUTABLE && ustack_le16(head + EI_NIDENT) == ET_REL)
		return "the ELF file is relocatable: its functions have addresses when it is linked";
	return NULL;
}

int elf_read_headers(const struct file *file, struct ustack_elf *ret,
		     struct diag *diag)
{
	const struct elf_source src = {
		.base = { .size = file->size, .read = read_source },
		.file = file,
	};
	enum ustack_reason reason = ustack_elf_read(&src.base, ret);
	const char *text;

	if (!reason)
		return 0;
	text = refusal(file, reason);
	if (!text)
		return diag_reason(diag, reason, file->path, DIAG_NO_OFFSET);
	diag_set(diag, EBADMSG, file->path, "%s", text);
	if (diag)
		diag->reason = reason;
	return -EBADMSG;
}

int elf_read_fd(int fd, const char *path, struct ustack_elf *ret,
		struct diag *diag)
{
	struct file file = { .path = path, .fd = fd };
	struct stat st;

	if (fstat(fd, &st))
		return diag_errno(diag, errno, path);
	if (!S_ISREG(st.st_mode))
		return diag_set(diag, EINVAL, path, "not a regular file");
	file.size = (uint64_t)st.st_size;
	return elf_read_headers(&file, ret, diag);
}

static bool read_segment(int fd, const struct ustack_elf *elf, bool code,
			 u64 vaddr, void *buf, u64 len)
{
	const struct ustack_segment *s = elf->segments;
	unsigned int i;

	for (i = 0; i < elf->nr_segments; i++, s++)
		if ((s->exec || !code) && vaddr >= s->vaddr &&
		    vaddr - s->vaddr < s->filesz &&
		    len <= s->filesz - (vaddr - s->vaddr))
			return pread(fd, buf, len,
				     (off_t)(s->off + (vaddr - s->vaddr))) ==
			       (ssize_t)len;
	return false;
}

bool elf_read_at(int fd, const struct ustack_elf *elf, u64 vaddr, void *buf,
		 u64 len)
{
	return read_segment(fd, elf, false, vaddr, buf, len);
}

bool elf_read_code(int fd, const struct ustack_elf *elf, u64 vaddr, void *code,
		   u64 len)
{
	return read_segment(fd, elf, true, vaddr, code, len);
}
