/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the address range of one kernel function by its name, without keeping all names:
 * the sampler needs that before it starts. kallsyms.h finds names by addresses.
 */
#ifndef USTACK_USER_KERNEL_KALLSYMS_RANGE_H
#define USTACK_USER_KERNEL_KALLSYMS_RANGE_H

#include <stdint.h>
#include <stdio.h>

/**
 * kallsyms_find() - find a function's address range
 * @f: file in the format of /proc/kallsyms, sorted or not; read twice from its start
 * @name: name of a function in the kernel itself, not in a module
 * @start: address of the function
 * @end: next higher address that has a symbol
 *
 * Return: 0; -ENOENT if there is no such function; -EACCES if addresses are hidden.
 */
int kallsyms_find(FILE *f, const char *name, uint64_t *start, uint64_t *end);

/* The same for the running kernel, with the file /proc/kallsyms. */
int kallsyms_range(const char *name, uint64_t *start, uint64_t *end);

#endif /* USTACK_USER_KERNEL_KALLSYMS_RANGE_H */
