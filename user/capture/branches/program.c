// SPDX-License-Identifier: GPL-2.0-only
/* The program that branches are counted for. See private.h; load.c calls it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/branches/private.h"

int branches_program_open(struct branches_program *p, const char *path, struct diag *diag)
{
	int err;

	*p = (struct branches_program){ .file = FILE_INIT };
	err = file_open(&p->file, path, diag);
	if (!err)
		err = elf_read_headers(&p->file, &p->elf, diag);
	if (err)
		return err;
	p->real = realpath(path, NULL);
	return p->real || errno != ENOMEM ? 0 : diag_errno(diag, ENOMEM, path);
}

void branches_program_release(struct branches_program *p)
{
	file_release(&p->file);
	free(p->real);
	p->real = NULL;
}

enum branches_match branches_program_is(const struct branches_program *p,
					const struct process_file_id *id)
{
	bool named = p->real && !strcmp(p->real, id->path);
	size_t len = p->elf.build_id_len;

	if (!id->build_id_len || !len)
		return named ? BRANCHES_BY_PATH : BRANCHES_OTHER_FILE;
	/* perf keeps 20 bytes of a longer one */
	if (len > id->build_id_len && id->build_id_len == PROCESS_MAX_BUILD_ID)
		len = id->build_id_len;
	if (len == id->build_id_len && !memcmp(p->elf.build_id, id->build_id, len))
		return BRANCHES_BY_BUILD_ID;
	return named ? BRANCHES_OTHER_BUILD : BRANCHES_OTHER_FILE;
}

bool branches_program_address(const struct branches_program *p, uint64_t offset, uint64_t *ret)
{
	unsigned int i;

	for (i = 0; i < p->elf.nr_segments; i++) {
		const struct ustack_segment *s = &p->elf.segments[i];

		if (s->exec && offset >= s->off && offset - s->off < s->filesz) {
			*ret = s->vaddr + (offset - s->off);
			return true;
		}
	}
	return false;
}

uint64_t branches_program_offset(const struct branches_program *p, uint64_t address)
{
	unsigned int i;

	for (i = 0; i < p->elf.nr_segments; i++) {
		const struct ustack_segment *s = &p->elf.segments[i];

		if (s->exec && address >= s->vaddr && address - s->vaddr < s->filesz)
			return address - s->vaddr + s->off;
	}
	return address;
}
