/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions in the running kernel, its modules, BPF programs and trampolines,
 * from /proc/kallsyms.
 *
 * Context: one thread at a time for kallsyms_refresh(), any number for the others.
 */
#ifndef USTACK_USER_KERNEL_KALLSYMS_H
#define USTACK_USER_KERNEL_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

#define KALLSYMS_MAX_BUILD_ID 20u

struct kallsyms;

/**
 * kallsyms_new() - read the names
 * @path: path of a file in the format of /proc/kallsyms; NULL for that
 * @ret: released by kallsyms_free()
 * @diag: may be NULL
 *
 * Return: 0; -EPERM if the kernel hides addresses, with a message that tells what to do;
 * another negative errno.
 */
int kallsyms_new(const char *path, struct kallsyms **ret, struct diag *diag);
void kallsyms_free(struct kallsyms *k);

/* Tells kallsyms_refresh() to wait without a limit. */
#define KALLSYMS_WAIT (~0u)

/**
 * kallsyms_refresh() - read the names again, as modules and BPF programs come and go
 *
 * The kernel takes long to list its names (tenths of a second, or seconds in an
 * emulator). So a thread reads them, which continues after the call; the next call waits
 * for it again.
 *
 * @k: the names
 * @ms: limit for the wait, in milliseconds, or KALLSYMS_WAIT
 *
 * Return: 0 if they were read; names and images returned before are invalid now. -EAGAIN
 * if they are still being read. Another negative errno, and the old names stay.
 */
int kallsyms_refresh(struct kallsyms *k, unsigned int ms);

/* Whether the last kallsyms_refresh() returned -EAGAIN: the names are still being read. */
bool kallsyms_is_reading(const struct kallsyms *k);

/**
 * struct kallsyms_image - code of the kernel or of a module
 * @name: name of the image: "[kernel.kallsyms]", "[ext4]", "[bpf]"
 * @start: start address of its code
 * @limit: end address of its code
 * @build_id: the build id, @build_id_len bytes
 * @build_id_len: number of bytes, 0 if not known
 */
struct kallsyms_image {
	const char *name;
	uint64_t start;
	uint64_t limit;
	uint8_t build_id[KALLSYMS_MAX_BUILD_ID];
	uint8_t build_id_len;
};

/*
 * Return: the image that contains @addr, valid until kallsyms_refresh(); NULL if there is
 * none.
 */
const struct kallsyms_image *kallsyms_image(const struct kallsyms *k, uint64_t addr);

/**
 * kallsyms_name() - find the function at an address
 *
 * If an address has several functions, it returns the one that perf shows: a global one
 * rather than a weak or local one, then one with fewer leading underscores, then the
 * longer name, then the first. The last function of an image ends with the page after the
 * one it starts in.
 *
 * @k: the names
 * @addr: the address; for a caller its return address minus 1
 * @offset: offset of @addr in the function; may be NULL
 *
 * Return: name of the function, valid until kallsyms_refresh(); NULL if there is none.
 */
const char *kallsyms_name(const struct kallsyms *k, uint64_t addr, uint64_t *offset);

#endif /* USTACK_USER_KERNEL_KALLSYMS_H */
