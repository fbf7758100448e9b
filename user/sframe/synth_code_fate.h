/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether functions return that the text which is looked at calls, and that are elsewhere:
 * functions with rules, by whether a return is in them, and imported ones, by their names.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_FATE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_FATE_H

#include "sframe/synth_code_flow.h"
#include "sframe/synth.h"

/**
 * struct code_fates - a file's
 * @s: its functions are final
 * @fd: the file; borrowed
 * @dead: link-time addresses of the words that hold the addresses of imported functions that
 *        never return
 */
struct code_fates {
	const struct synth *s;
	int fd;
	struct code_targets dead;
};

/* Return: 0 or -ENOMEM. Released by code_fates_release() in any case. */
int code_fates_init(struct code_fates *c, const struct synth *s, int fd);
void code_fates_release(struct code_fates *c);

/* enum code_fate of the function at a link-time address; @arg: a struct code_fates */
enum code_fate code_fate(void *arg, u64 target);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_FATE_H */
