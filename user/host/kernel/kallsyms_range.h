/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where one function of the kernel is, without reading the names of all: what the sampler
 * needs before it starts. The other way around is kallsyms.h.
 */
#ifndef USTACK_USER_KERNEL_KALLSYMS_RANGE_H
#define USTACK_USER_KERNEL_KALLSYMS_RANGE_H

#include <stdint.h>
#include <stdio.h>

/**
 * kallsyms_find() - a function's addresses
 * @f: in the format of /proc/kallsyms, sorted or not; read twice from the start
 * @name: of the function, in the kernel itself
 * @start: its first address
 * @end: the first address above it that has a symbol
 *
 * Return: 0; -ENOENT if it is not there; -EACCES if addresses are all 0.
 */
int kallsyms_find(FILE *f, const char *name, uint64_t *start, uint64_t *end);

/* The same, of the kernel that runs. */
int kallsyms_range(const char *name, uint64_t *start, uint64_t *end);

#endif /* USTACK_USER_KERNEL_KALLSYMS_RANGE_H */
