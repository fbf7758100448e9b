/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether functions return which the analysed text calls and which are outside of it:
 * functions with rules, by whether their code has a return, and imported ones, by their names.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_FATE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_FATE_H

#include "sframe/synth_code_flow.h"
#include "sframe/synth.h"

/**
 * struct code_fates - what is needed to judge a file's functions
 * @s: the file's functions; complete
 * @fd: the file; borrowed
 * @dead: link-time addresses of the words that hold the addresses of imported functions that
 *        never return
 */
struct code_fates {
	const struct synth *s;
	int fd;
	struct code_targets dead;
};

/* Return: 0 or -ENOMEM; code_fates_release() is needed in any case. */
int code_fates_init(struct code_fates *c, const struct synth *s, int fd);
void code_fates_release(struct code_fates *c);

/* The enum code_fate of the function at a link-time address. @arg: a struct code_fates */
enum code_fate code_fate(void *arg, u64 target);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_FATE_H */
