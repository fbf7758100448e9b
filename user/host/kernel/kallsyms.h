/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the running kernel: its own, its modules', those of BPF programs and
 * trampolines, as /proc/kallsyms lists them.
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
 * @path: a file of that form; NULL for /proc/kallsyms
 * @ret: released by kallsyms_free()
 * @diag: may be NULL
 *
 * Return: 0; -EPERM if the kernel hides addresses, with what mends it; another negative
 * errno.
 */
int kallsyms_new(const char *path, struct kallsyms **ret, struct diag *diag);
void kallsyms_free(struct kallsyms *k);

/* kallsyms_refresh() waits for as long as it takes. */
#define KALLSYMS_WAIT (~0u)

/**
 * kallsyms_refresh() - read again: modules and BPF programs come and go
 *
 * The kernel takes long to list its names (tenths of a second, seconds where it is emulated),
 * so a thread reads, which goes on behind the call; the next call waits for it again.
 *
 * @k: the names
 * @ms: to wait at most, in milliseconds
 *
 * Return: 0 if they were read, and names and images that were given have ended; -EAGAIN if
 * they are still being read; another negative errno: what was known stays.
 */
int kallsyms_refresh(struct kallsyms *k, unsigned int ms);

/* Whether kallsyms_refresh() said last that they are still being read. */
bool kallsyms_is_reading(const struct kallsyms *k);

/**
 * struct kallsyms_image - the kernel's text, or a module's
 * @name: "[kernel.kallsyms]", "[ext4]", "[bpf]"
 * @start: address of its text
 * @limit: behind it
 * @build_id: first @build_id_len bytes
 * @build_id_len: 0 if it is not known
 */
struct kallsyms_image {
	const char *name;
	uint64_t start;
	uint64_t limit;
	uint8_t build_id[KALLSYMS_MAX_BUILD_ID];
	uint8_t build_id_len;
};

/* Return: what has @addr, borrowed until kallsyms_refresh(); NULL if nothing has. */
const struct kallsyms_image *kallsyms_image(const struct kallsyms *k, uint64_t addr);

/**
 * kallsyms_name() - the function at an address
 *
 * Of functions at one address it is the one that perf shows: a global one rather than a
 * weak or a local one, then one with fewer leading underscores, then the longer name, then
 * the first. The last function of an image reaches to the end of the page behind its own.
 *
 * @k: the names
 * @addr: that of a caller is its return address minus 1
 * @offset: in it; may be NULL
 *
 * Return: its name, borrowed until kallsyms_refresh(); NULL if none has it.
 */
const char *kallsyms_name(const struct kallsyms *k, uint64_t addr, uint64_t *offset);

#endif /* USTACK_USER_KERNEL_KALLSYMS_H */
