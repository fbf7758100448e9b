/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module, as seen through /dev/ustack. Only this file uses kmod/uapi: it handles the
 * sizes and versions of requests and the errors of the device.
 *
 * Functions return 0 or a negative errno, and set @diag, which may be NULL, to a text
 * that says what to do.
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
 * module_absent() - explain why a file of the module cannot be opened
 * @err: positive errno of open(2)
 * @path: path of the file; borrowed by @diag
 * @diag: the explanation
 *
 * Return: -@err.
 */
int module_absent(int err, const char *path, struct diag *diag);

int module_info(const struct module *m, struct ustack_info *ret,
		struct diag *diag);
int module_stats(const struct module *m, struct ustack_stats *ret,
		 struct diag *diag);

/* Counts how many of the stacks that the module unwound are complete. */
void module_whole(const struct ustack_stats *st, struct profile_whole *ret);

/*
 * Asks the module to report the image of @e again at its next mapping: its file was not
 * found.
 */
int module_again(const struct module *m, const struct ustack_event *e,
		 struct diag *diag);

/*
 * Asks the module to learn the mappings of @pid. @ret->mappings and @ret->tables are the
 * numbers that it knows then.
 */
int module_prepare(const struct module *m, int pid, struct ustack_prepare *ret,
		   struct diag *diag);

/**
 * struct module_section - a section to give to the module
 * @path: path of the file it came from, for messages; borrowed
 * @bytes: content of the section
 * @len: number of bytes
 * @vaddr: link-time address of the section, which its content assumes
 */
struct module_section {
	const char *path;
	const void *bytes;
	uint64_t len;
	uint64_t vaddr;
};

/**
 * module_load() - give the module a table for an image
 * @m: the opened module
 * @path: path of the ELF file, for messages; NULL for the vDSO
 * @fd: descriptor of the ELF file, -1 for the vDSO
 * @section: section from which the module makes the table
 * @ret: what the module took
 * @diag: with -EBADMSG, what is wrong with the section or the ELF file
 */
int module_load(const struct module *m, const char *path, int fd,
		const struct module_section *section, struct ustack_load *ret,
		struct diag *diag);

/* Room for a few hundred records of usual size. */
#define MODULE_EVENTS_BYTES 65536

/**
 * struct module_events - reads which images have no table
 * @m: the opened module; a separate one, as a new reader gets all waiting images
 * @len: number of bytes in @buf
 * @pos: offset of the next record in @buf
 * @buf: bytes that were read
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
 * @ev: the opened reader
 * @wait: wait for a record if there is none
 * @ret: the record, valid until the next call; its path ends with NUL
 * @diag: may be NULL
 *
 * Return: 0; -EAGAIN if there is no record now; -EINTR if a signal ended the wait;
 * another negative errno.
 */
int module_events_next(struct module_events *ev, bool wait,
		       const struct ustack_event **ret, struct diag *diag);

/**
 * struct module_hook - a kernel function that the module redirects
 * @bit: bit in @hooks of struct ustack_info
 * @function: name of the kernel function
 * @without: what is lost if it is not redirected
 */
struct module_hook {
	uint32_t bit;
	const char *function;
	const char *without;
};

/* Return: all hooks; @ret: their number. */
const struct module_hook *module_hooks(size_t *ret);

/* The name of an architecture, as in uname -m; "unknown" for an unknown number. */
const char *module_arch_name(uint32_t arch);

#endif /* USTACK_USER_MODULE_H */
