/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module, as seen through /dev/ustack. The only user of kmod/uapi: sizes,
 * versions and the errors of the device are dealt with here.
 *
 * Functions return 0 or a negative errno and fill @diag, which may be NULL, in
 * words that say what to do.
 */
#ifndef USTACK_USER_MODULE_H
#define USTACK_USER_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/whole.h"
#include "ustack.h"
#include "util/diag.h"

struct module {
	int fd;
};

#define MODULE_INIT { .fd = -1 }

/**
 * module_open() - open the device
 * @m: holds MODULE_INIT; released by module_release()
 * @diag: "not loaded", "permission denied", and what to do
 */
int module_open(struct module *m, struct diag *diag);
void module_release(struct module *m);

/**
 * module_absent() - why something of the module cannot be opened
 * @err: positive errno of open(2)
 * @path: what was opened; borrowed by @diag
 * @diag: the sentence
 *
 * Return: -@err.
 */
int module_absent(int err, const char *path, struct diag *diag);

int module_info(const struct module *m, struct ustack_info *ret,
		struct diag *diag);
int module_stats(const struct module *m, struct ustack_stats *ret,
		 struct diag *diag);

/* How many of the stacks that the module unwound are complete. */
void module_whole(const struct ustack_stats *st, struct profile_whole *ret);

/* The file of @e was not found: it is told of again when it is mapped next. */
int module_again(const struct module *m, const struct ustack_event *e,
		 struct diag *diag);

/* @ret->mappings and @ret->tables are what the module knows of @pid then. */
int module_prepare(const struct module *m, int pid, struct ustack_prepare *ret,
		   struct diag *diag);

/**
 * struct module_section - bytes to hand over
 * @path: where they came from, for messages; borrowed
 * @bytes: the section
 * @len: bytes of it
 * @vaddr: link-time address that its contents assume it to be at
 */
struct module_section {
	const char *path;
	const void *bytes;
	uint64_t len;
	uint64_t vaddr;
};

/**
 * module_load() - give an image a table
 * @m: open
 * @path: of the ELF file, for messages; NULL means the vDSO
 * @fd: the ELF file, -1 for the vDSO
 * @section: the table's source
 * @ret: what the module took
 * @diag: on -EBADMSG why it took nothing, about the section or the ELF file
 */
int module_load(const struct module *m, const char *path, int fd,
		const struct module_section *section, struct ustack_load *ret,
		struct diag *diag);

/**
 * module_region_add() - give code of the calling process a table
 * @m: open
 * @start: first address of the code
 * @len: bytes of code
 * @section: its @vaddr is a run-time address
 * @diag: as for module_load()
 */
int module_region_add(const struct module *m, uint64_t start, uint64_t len,
		      const struct module_section *section, struct diag *diag);
int module_region_del(const struct module *m, uint64_t start, uint64_t len,
		      struct diag *diag);

/* Room for a few hundred records of usual length. */
#define MODULE_EVENTS_BYTES 65536

/**
 * struct module_events - a reader of images without a table
 * @m: its own open device, as a new reader gets all images that are waiting
 * @len: bytes in @buf
 * @pos: offset of the record to be taken next
 * @buf: what was read
 */
struct module_events {
	struct module m;
	size_t len;
	size_t pos;
	_Alignas(8) uint8_t buf[MODULE_EVENTS_BYTES];
};

int module_events_open(struct module_events *ev, struct diag *diag);
void module_events_release(struct module_events *ev);

/**
 * module_events_next() - take a record
 * @ev: open
 * @wait: wait for one
 * @ret: the record, valid until the next call; its path ends with NUL
 * @diag: may be NULL
 *
 * Return: 0; -EAGAIN when there is none now; -EINTR when a signal ended the
 * wait; another negative errno.
 */
int module_events_next(struct module_events *ev, bool wait,
		       const struct ustack_event **ret, struct diag *diag);

/**
 * struct module_hook - a place in the kernel that the module redirects
 * @bit: in ustack_info.hooks
 * @function: kernel function
 * @without: what is lost when it is not in place
 */
struct module_hook {
	uint32_t bit;
	const char *function;
	const char *without;
};

/* The list of hooks; its length is stored in @ret. */
const struct module_hook *module_hooks(size_t *ret);

/* As in uname -m; "unknown" for a number this program does not know. */
const char *module_arch_name(uint32_t arch);

#endif /* USTACK_USER_MODULE_H */
