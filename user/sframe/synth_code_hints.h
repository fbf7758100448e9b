/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places where a file itself says that code may begin: symbols of functions, and addresses of
 * text in data. None is believed for that: synth_code_look.c looks at each. What the code at
 * the entry point calls, and main(), whose address it loads, are functions.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_HINTS_H
#define USTACK_USER_SFRAME_SYNTH_CODE_HINTS_H

#include "sframe/synth.h"

struct code_flow;

/**
 * synth_code_hints() - tell of a file's hints
 * @s: its headers are read
 * @fd: the file; borrowed
 * @f: gets those that are in its text
 *
 * A damaged file has fewer.
 *
 * Return: 0 or -ENOMEM.
 */
int synth_code_hints(const struct synth *s, int fd, struct code_flow *f);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_HINTS_H */
