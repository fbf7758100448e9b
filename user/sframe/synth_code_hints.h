/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places at which code may begin according to the file itself: symbols of functions, and
 * addresses of text in data. They are only hints: synth_code_look.c checks the code at each.
 * The callee of the code at the entry point, and main(), whose address that code loads, are
 * taken for functions without a check.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_HINTS_H
#define USTACK_USER_SFRAME_SYNTH_CODE_HINTS_H

#include "sframe/synth.h"

struct code_flow;

/**
 * synth_code_hints() - pass on a file's hints
 * @s: the file, its headers read
 * @fd: the file; borrowed
 * @f: receives the hints that are in its text
 *
 * A damaged file has fewer hints.
 *
 * Return: 0 or -ENOMEM.
 */
int synth_code_hints(const struct synth *s, int fd, struct code_flow *f);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_HINTS_H */
