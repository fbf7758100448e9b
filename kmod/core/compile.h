/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compile: a verified section becomes a table. Two passes: the first collects
 * the palette and counts, the second writes into the caller's memory.
 */
#ifndef USTACK_CORE_COMPILE_H
#define USTACK_CORE_COMPILE_H

#include "core_env.h"
#include "reason.h"
#include "table.h"
#include "verify.h"

/**
 * ustack_compile_size() - first pass
 * @sec: the section, verified
 * @ret: bytes of the table; written on success only
 *
 * Context: process, may sleep.
 * Return: USTACK_OK; TOO_MANY_RULES, INTERRUPTED.
 */
enum ustack_reason ustack_compile_size(struct ustack_section *sec, u64 *ret);

/**
 * ustack_compile() - second pass
 * @sec: the section, after ustack_compile_size()
 * @buf: memory of the size that ustack_compile_size() returned, 8-aligned;
 *       becomes the table
 *
 * The section's bytes and scratch are not needed afterwards.
 *
 * Context: process, may sleep.
 * Return: USTACK_OK; INTERRUPTED, and @buf is no table.
 */
enum ustack_reason ustack_compile(struct ustack_section *sec, void *buf);

#endif /* USTACK_CORE_COMPILE_H */
