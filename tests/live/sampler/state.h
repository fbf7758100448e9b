/* SPDX-License-Identifier: GPL-2.0-only */
/* The test that is running. */
#ifndef USTACK_TESTS_SAMPLER_STATE_H
#define USTACK_TESTS_SAMPLER_STATE_H

struct state {
	const char *name;
	unsigned int checks;
	unsigned int failed;
	char skipped[256];
};

extern struct state state;

#endif /* USTACK_TESTS_SAMPLER_STATE_H */
