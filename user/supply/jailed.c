// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the maker of a section in a jail. The jailed process writes its result into a memfd;
 * the caller checks it and copies it. section.c calls it.
 */
#include "supply/jailed.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/jail/jail.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/**
 * struct answer - result that the jailed process writes before the section's bytes
 * @err: return value of the maker
 * @entry: the maker's entry, without @bytes
 * @cfi_bytes: from the maker's result
 * @text: text of the maker's diag
 */
struct answer {
	int32_t err;
	struct cache_entry entry;
	uint64_t cfi_bytes;
	char text[256];
};

/* Argument of the jailed process: the maker, its file, and the memfd for the result. */
struct task {
	supply_maker make;
	const struct supply_file *f;
	int out;
};

static int work(void *arg)
{
	const struct task *t = arg;
	struct cache_entry e = CACHE_ENTRY_INIT;
	struct supply_result result = { 0 };
	struct answer a = { 0 };
	struct diag diag = { 0 };

	a.err = t->make(t->f, &e, &result, &diag);
	a.entry = e;
	a.entry.bytes = NULL;
	a.cfi_bytes = result.cfi_bytes;
	memcpy(a.text, diag.text, strnlen(diag.text, sizeof(a.text) - 1));
	return file_write_all(t->out, &a, sizeof(a)) ||
	       file_write_all(t->out, e.bytes, e.bytes ? e.len : 0);
}

/* Reads the result. It is checked, as it is as untrusted as the file it was made from. */
static int take(int fd, const struct supply_file *f, struct cache_entry *ret,
		struct supply_result *result, struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	const struct file left = { .fd = fd, .size = (uint64_t)lseek(fd, 0, SEEK_END) };
	struct answer a;
	int err;

	if (file_read(&left, 0, &a, sizeof(a), NULL))
		return diag_set(diag, EBADMSG, f->path, "the process that read it wrote nothing");
	a.text[sizeof(a.text) - 1] = '\0';
	result->cfi_bytes = a.cfi_bytes;
	if (a.err)
		return diag_set(diag, a.err < 0 && a.err > -4096 ? -a.err : EBADMSG, f->path,
				"%s", a.text);
	if (!a.entry.functions)
		return 0;
	if (!a.entry.len || a.entry.len > JAILED_MAX_BYTES)
		return diag_set(diag, EBADMSG, f->path, "a section of %u bytes", a.entry.len);
	err = file_read_new(&left, sizeof(a), a.entry.len, &bytes, NULL);
	if (err == -ENOMEM)
		return diag_errno(diag, ENOMEM, f->path);
	if (err)
		return diag_set(diag, EBADMSG, f->path, "a section that is cut short");
	*ret = a.entry;
	ret->bytes = bytes;
	bytes = NULL;
	return 0;
}

int supply_in_jail(supply_maker make, const struct supply_file *f, struct cache_entry *ret,
		   struct supply_result *result, struct diag *diag)
{
	struct task t = { make, f, memfd_create("ustack-section", MFD_CLOEXEC) };
	const struct jail_limits limits = {
		.memory = JAILED_MAX_MEMORY, .file_bytes = JAILED_MAX_BYTES + sizeof(struct answer),
		.cpu_seconds = JAILED_MAX_SECONDS, .seconds = JAILED_MAX_WAIT,
		.keep = { f->fd, t.out },
	};
	struct jail jail = JAIL_INIT;
	char text[JAIL_TEXT];
	struct jail_end end;
	int err;

	if (t.out < 0)
		return diag_errno(diag, errno, f->path);
	err = jail_start(&jail, &limits, work, &t);
	if (err)
		err = diag_errno(diag, -err, f->path);
	else if (jail_end(&jail, true, &end) && (end.how != JAIL_EXITED || end.value))
		err = diag_set(diag, EBADMSG, f->path, "%s", jail_end_text(&end, text));
	else
		err = take(t.out, f, ret, result, diag);
	close(t.out);
	return err;
}
