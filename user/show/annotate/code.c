// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the sampled file by build id or path, and reads a function's bytes. See
 * code.h.
 */
#include "show/annotate/code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/file/outcome.h"
#include "symbols/symstore/find.h"
#include "util/file.h"
#include "util/text.h"

#include "util/poison.h"

static int say_why(const struct symstore_key *key, const char *why, struct diag *diag)
{
	char hex[2 * SYMSTORE_MAX_BUILD_ID + 1] = "";

	if (!key->build_id_len)
		return diag_set(diag, ENOENT, key->path, "%s", why);
	text_hex(key->build_id, key->build_id_len, hex, sizeof(hex));
	if (!strcmp(why, supply_outcome_text(SUPPLY_REPLACED)))
		return diag_set(diag, ENOENT, key->path,
				"has another build id than the sampled file, %s: it was built or upgraded "
				"since; --file-dir DIR says where the old one is", hex);
	return diag_set(diag, ENOENT, key->path, "%s; the sampled file has the build id %s, and "
			"--file-dir DIR says where it is", why, hex);
}

/*
 * @off: gets the offset of @vaddr. Return: bytes of code from there on, 0 if
 * there is none.
 */
static uint64_t find_code(const struct ustack_elf *elf, uint64_t vaddr, uint64_t *off)
{
	unsigned int i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct ustack_segment *s = &elf->segments[i];

		if (!s->exec || vaddr < s->vaddr || vaddr - s->vaddr >= s->filesz)
			continue;
		*off = s->off + (vaddr - s->vaddr);
		return s->filesz - (vaddr - s->vaddr);
	}
	return 0;
}

static int read_code(const struct supply_file *f, uint64_t start, uint64_t size, struct code *ret,
		     struct diag *diag)
{
	const struct file file = { .path = f->path, .fd = f->fd, .size = (uint64_t)f->st.st_size };
	uint64_t off = 0, there = find_code(&f->elf, start, &off);

	if (!there || size > there)
		return diag_set(diag, EBADMSG, f->path, "has no code of %" PRIu64 " bytes at 0x%" PRIx64,
				size, start);
	if (!size)
		size = there;
	if (size > ANNOTATE_MAX_BYTES)
		return diag_set(diag, EFBIG, f->path, "a function of %" PRIu64 " bytes at 0x%" PRIx64
				": more than %u are not shown", size, start, ANNOTATE_MAX_BYTES);
	ret->len = size;
	ret->arch = f->elf.arch;
	ret->changed_ns = (uint64_t)f->st.st_mtim.tv_sec * 1000000000u +
			  (uint64_t)f->st.st_mtim.tv_nsec;
	return file_read_new(&file, off, size, &ret->bytes, diag);
}

int code_read(const struct symstore_key *key, const char *const *file_dirs, uint64_t start,
	      uint64_t size, struct code *ret, struct diag *diag)
{
	struct supply_file f = SUPPLY_FILE_INIT;
	const char *why = symstore_find(key, file_dirs, &f);
	int err;

	if (why)
		return say_why(key, why, diag);
	/*
	 * @f.path may point into a buffer that is gone; messages need the
	 * recorded path anyway
	 */
	f.path = key->path;
	err = read_code(&f, start, size, ret, diag);
	supply_file_release(&f);
	return err;
}
